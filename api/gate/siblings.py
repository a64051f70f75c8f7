"""The processes of one server, among themselves: what one of them has told of a match, the others need neither read nor
tell again.

All of it is private to the server: the sockets and the memory are made before the processes are, and have no name by
which anybody else could find them. Nothing is lost if a message is: the database is asked for what was not passed on.
"""

from __future__ import annotations

import functools
import logging
import marshal
import mmap
import socket
import sys
import threading
import uuid
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from api.messages import NDJSON, SSE, Form
from domain.game import Seat

log = logging.getLogger("parlor.siblings")

SLOTS: Final = 65_536  # one for each beginning of four digits that the id of a match can have
SOMEBODY: Final = 1 << 63  # the bit that says that the match is followed at all; those below it say from where
TOGETHER: Final = 16  # changes in one message
ROOM: Final = 1_048_576  # bytes of messages that wait for a process, as far as the system allows
# A message is taken as a whole. Linux bounds these by their size; the others, to ten or so, by their number.
WHOLE: Final = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM

Place = tuple[Seat | None, bool, Form]  # from which seat, if any; whether with the view; and in which form


class Passed(NamedTuple):
    """What was told of a match between two versions, as it is sent to each place."""

    match_id: str
    since: int
    before: bytes | None  # the hash of the event at that version
    version: int
    hash: bytes
    told: dict[Place, bytes] | None  # None if it has to be read


class Family:
    """What the processes of a server have in common. To be made before the first of them is."""

    def __init__(self, count: int) -> None:
        self.name, self.count = uuid.uuid4().hex, count
        self.followed = memoryview(mmap.mmap(-1, count * SLOTS * 8)).cast("Q")  # what is followed in each process
        # How far matches have come, each with what tells it from others that begin alike.
        self.versions = memoryview(mmap.mmap(-1, SLOTS * 8)).cast("Q")
        self.doors = [socket.socketpair(socket.AF_UNIX, WHOLE) for _ in range(count)]  # the inner side, the outer
        for _, outer in self.doors:
            outer.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)


class Sibling:
    """One process among them."""

    def __init__(self, family: Family, number: int) -> None:
        self.server = family.name
        self._versions, self._alone = family.versions, family.count == 1
        self._followed, self._own = family.followed, number * SLOTS
        self._door = family.doors[number][0]
        self._others = [(other * SLOTS, family.doors[other][1]) for other in range(family.count) if other != number]
        self._outbox: dict[socket.socket, list[Passed]] = {door: [] for _, door in self._others}
        self._wants: dict[int, dict[str, int]] = {}  # by slot and match
        self._followed[self._own : self._own + SLOTS] = memoryview(bytes(SLOTS * 8)).cast("Q")  # a predecessor is gone

    def start(self, heard: Callable[[bytes], None]) -> None:
        if self._others:
            threading.Thread(target=self._listen, args=(heard,), name="siblings", daemon=True).start()

    def _listen(self, heard: Callable[[bytes], None]) -> None:
        room = memoryview(bytearray(ROOM))
        while True:
            heard(bytes(room[: self._door.recv_into(room)]))

    # ── Who follows what ──

    def follow(self, match_id: str, places: Iterable[Place]) -> None:
        """A match is followed here from these places, and from no others."""
        wanted = functools.reduce(int.__or__, map(_bit, places), SOMEBODY)
        self._wants.setdefault(_slot(match_id), {})[match_id] = wanted
        self._show(match_id)

    def follow_no_more(self, match_id: str) -> None:
        self._wants[_slot(match_id)].pop(match_id)
        self._show(match_id)

    def _show(self, match_id: str) -> None:
        slot = _slot(match_id)
        self._followed[self._own + slot] = functools.reduce(int.__or__, self._wants[slot].values(), 0)
        if not self._wants[slot]:
            del self._wants[slot]

    def followed(self, match_id: str) -> int:
        """Whether a match is followed, here or elsewhere, and from which `places`, as bits. Now and then it is another
        match that is followed, and begins alike."""
        slot = _slot(match_id)
        found = self._followed[self._own + slot]
        for other, _ in self._others:
            found |= self._followed[other + slot]
        return found

    # ── What happens ──

    def came_to(self, match_id: str, version: int) -> None:
        """A commit of this process. Whoever of the others has played in the match before knows that there is more."""
        if not self._alone:
            self._versions[_slot(match_id)] = _further(match_id) << 32 | version

    def newest(self, match_id: str) -> int:
        """To which version a process of this server has brought a match last, as far as that is remembered. It may be
        late, or be forgotten for another match: whoever appends finds out."""
        kept = self._versions[_slot(match_id)]
        return kept & 0xFFFF_FFFF if kept >> 32 == _further(match_id) else 0

    def pass_on(self, passed: Passed) -> None:
        """To each process in which the match is followed, what it needs of it."""
        slot = _slot(passed.match_id)
        for other, door in self._others:
            if bits := self._followed[other + slot]:
                told = passed.told and {place: passed.told[place] for place in places(bits) if place in passed.told}
                self._outbox[door].append(passed._replace(told=told))

    def send(self) -> None:
        """All that is to be passed on. Nobody waits for a process that does not take it: it will hear that there is
        something to be read."""
        for door, waiting in self._outbox.items():
            while waiting:
                if not _sent(door, waiting[:TOGETHER]):
                    newest = {one.match_id: one for one in waiting}
                    waiting[:] = [one._replace(told=None) for one in newest.values()]
                    break
                del waiting[:TOGETHER]


def opened(raw: bytes) -> list[Passed]:
    """What another process has sent. Plain values, from a process that is a copy of this one: nothing writes and reads
    them faster."""
    return [Passed(*one) for one in marshal.loads(raw)]


def _sent(door: socket.socket, passed: list[Passed]) -> bool:
    try:
        door.send(marshal.dumps([tuple(one) for one in passed]), socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError as error:  # as when it is too large
        log.warning("a message to a process was not sent: %s", error)
        return False
    return True


def _slot(match_id: str) -> int:
    return int(match_id[:4], 16)


def _further(match_id: str) -> int:
    """What tells apart matches whose ids begin alike."""
    return int(match_id[4:8] + match_id[9:13], 16)


def _bit(place: Place) -> int:
    seat, views, form = place
    return 1 << 4 * (0 if seat is None else seat + 1) + 2 * views + (form == NDJSON)


@functools.lru_cache(maxsize=4096)
def places(bits: int) -> tuple[Place, ...]:
    """
    >>> places(_bit((0, True, NDJSON)) | _bit((12, False, SSE)) | SOMEBODY)
    ((0, True, 'application/x-ndjson'), (12, False, 'text/event-stream'))
    """
    seats: list[Seat | None] = [None, *range(14)]
    forms: list[Form] = [SSE, NDJSON]
    every: list[Place] = [(seat, views, form) for seat in seats for views in (False, True) for form in forms]
    return tuple(place for place in every if bits & _bit(place))
