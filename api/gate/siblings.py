"""The processes of one server, among themselves: what one of them has appended, and told to those who follow it there,
the others need neither read nor tell again.

All of it is private to the server: the sockets and the memory are made before the processes are, and have no name by
which anybody else could find them. Nothing is lost if a message is: the database is asked for what was not passed on.
"""

from __future__ import annotations

import collections
import datetime as dt
import logging
import marshal
import mmap
import socket
import sys
import threading
import uuid
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import orjson

from domain.game import Seat
from domain.wire import Parts
from eventstore.chain import Stored
from eventstore.following import Kind
from eventstore.states import News

log = logging.getLogger("parlor.siblings")

SLOTS: Final = 65_536  # one for each beginning of four digits that the id of a match can have
TOGETHER: Final = 16  # changes in one message
ROOM: Final = 1_048_576  # bytes of messages that wait for a process, as far as the system allows
# A message is taken as a whole. Linux bounds these by their size; the others, to ten or so, by their number.
WHOLE: Final = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM

Message = tuple[Kind, int, bytes]  # with its version, and packed
Told = dict[tuple[Seat | None, bool], list[Message]]  # by seat, and whether with the view


class Passed(NamedTuple):
    """What happened in a match, and what was told of it."""

    match_id: str
    version: int
    news: bytes | None  # as it is written; None if it has to be asked for
    told: Told


class Family:
    """What the processes of a server have in common. To be made before the first of them is."""

    def __init__(self, count: int) -> None:
        self.name, self.count = uuid.uuid4().hex, count
        self.followed = mmap.mmap(-1, count * SLOTS)  # which matches somebody follows, in each process
        self.doors = [socket.socketpair(socket.AF_UNIX, WHOLE) for _ in range(count)]  # the inner side, the outer
        for _, outer in self.doors:
            outer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)


class Sibling:
    """One process among them."""

    def __init__(self, family: Family, number: int) -> None:
        self.server = family.name
        self._followed, self._own = family.followed, number * SLOTS
        self._door = family.doors[number][0]
        self._others = [(other * SLOTS, family.doors[other][1]) for other in range(family.count) if other != number]
        self._outbox: dict[socket.socket, list[Passed]] = {door: [] for _, door in self._others}
        self._counts: collections.Counter[int] = collections.Counter()
        self._followed[self._own : self._own + SLOTS] = bytes(SLOTS)  # whoever had this place before us is gone

    def start(self, heard: Callable[[bytes], None]) -> None:
        if self._others:
            threading.Thread(target=self._listen, args=(heard,), name="siblings", daemon=True).start()

    def _listen(self, heard: Callable[[bytes], None]) -> None:
        room = memoryview(bytearray(ROOM))
        while True:
            heard(bytes(room[: self._door.recv_into(room)]))

    # ── Who follows what ──

    def follow(self, match_id: str) -> None:
        slot = _slot(match_id)
        self._counts[slot] += 1
        self._followed[self._own + slot] = 1

    def follow_no_more(self, match_id: str) -> None:
        slot = _slot(match_id)
        self._counts[slot] -= 1
        if not self._counts[slot]:
            del self._counts[slot]
            self._followed[self._own + slot] = 0

    def followed_elsewhere(self, match_id: str) -> bool:
        """Whether to pass on what happens in a match. Now and then it is another that is followed, and begins alike."""
        slot = _slot(match_id)
        return any(self._followed[other + slot] for other, _ in self._others)

    # ── What happens ──

    def pass_on(self, match_id: str, news: News, told: Told) -> None:
        slot = _slot(match_id)
        raw: bytes | None = None
        for other, door in self._others:
            if self._followed[other + slot]:
                raw = raw or written(news)
                self._outbox[door].append(Passed(match_id, news.version, raw, told))

    def send(self) -> None:
        """All that is to be passed on. Nobody waits for a process that does not take it: it will hear that there is
        something to be read."""
        for door, waiting in self._outbox.items():
            while waiting:
                if not _sent(door, waiting[:TOGETHER]):
                    newest = {one.match_id: one for one in waiting}
                    waiting[:] = [one._replace(news=None, told={}) for one in newest.values()]
                    break
                del waiting[:TOGETHER]


def _slot(match_id: str) -> int:
    return int(match_id[:4], 16)


def _sent(door: socket.socket, passed: list[Passed]) -> bool:
    try:
        door.send(marshal.dumps([tuple(one) for one in passed]), socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError as error:  # as when it is too large
        log.warning("a message to a process was not sent: %s", error)
        return False
    return True


def opened(raw: bytes) -> list[Passed]:
    """What another process has sent."""
    return [Passed(*one) for one in marshal.loads(raw)]


def written(news: News) -> bytes:
    """In JSON, so that an event is the same whether it was passed on or read from the database."""
    events = [
        (one.version, *one.parts, one.schema, one.actor, one.command_id, one.at, one.hash.hex()) for one in news.events
    ]
    return orjson.dumps((news.version, news.before and news.before.hex(), events, news.deadlines, news.hooked))


def read(raw: bytes) -> News:
    version, before, rows, kept, hooked = orjson.loads(raw)
    deadlines = {name: dt.datetime.fromisoformat(at) for name, at in kept.items()}
    return News(version, before and bytes.fromhex(before), [_stored(*row) for row in rows], deadlines, hooked)


def _stored(
    version: int,
    kind: str,
    public: dict[str, Any],
    secret: dict[str, Any],
    schema: int,
    actor: str,
    command_id: str,
    at: str,
    digest: str,
) -> Stored:
    instant = dt.datetime.fromisoformat(at)
    return Stored(version, Parts(kind, public, secret), schema, actor, command_id, instant, bytes.fromhex(digest))
