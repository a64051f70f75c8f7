"""The crier of one process: a thread that tells players what concerns them, in whichever match it happens.

What it tells comes from the feed alone, so that a position of the feed is all it takes to go on. That something has
happened it hears from commits, of this process and by Redis of others, and every other second from the database.
"""

from __future__ import annotations

import collections
import datetime as dt
import heapq
import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from api.gate.inbox import Inbox
from api.gate.parcels import Listener, Parcel
from api.messages import bye, packed, written
from eventstore.chain import instant
from eventstore.errors import Unavailable
from eventstore.feed import Feed
from eventstore.notices import notices
from eventstore.players import Players
from eventstore.tidings import Tidings
from workers.bell import Move

log = logging.getLogger("parlor.crier")

TICK: Final = 2.0  # seconds between two looks at whose matches have stirred, and whose tokens are good
LOOK_BACK: Final = dt.timedelta(seconds=20)  # more than the clocks of several machines differ
# The feed shows an event when no older transaction is running any more, which can be a moment after the commit.
ASKS: Final = (0.0, 0.25, 1.5)
PAGE: Final = 200
BREATH: Final = 0.02  # seconds between two rounds, in which more can come together


class Crier:
    def __init__(self, feed: Feed, players: Players, tidings: Tidings) -> None:
        self._feed, self._players, self._tidings = feed, players, tidings
        self._inbox = Inbox(log)
        self._listeners: dict[str, dict[Listener, None]] = {}  # by player
        self._due: list[tuple[float, str]] = []  # when to ask the feed for whom
        self._parcels: list[Parcel] = []
        self._send: Callable[[list[Parcel]], None] = lambda parcels: None

    def start(self, send: Callable[[list[Parcel]], None]) -> None:
        self._send = send
        threading.Thread(target=self._run, name="crier", daemon=True).start()

    # ── What others put in ──

    def stirred(self, people: Collection[str]) -> None:
        """Something has happened that concerns these people."""
        listening = [player for player in people if player in self._listeners]
        if listening:
            self._inbox.put(self._expect, listening)

    def heard(self, moves: Mapping[str, Move]) -> None:
        if self._listeners:
            self.stirred({player for move in moves.values() for player in move.people})

    def join(self, one: Listener) -> None:
        self._inbox.put(self._join, one)

    def leave(self, one: Listener) -> None:
        self._inbox.put(self._leave, one)

    # ── The thread ──

    def _run(self) -> None:
        tick_at = time.monotonic() + TICK
        while True:
            self._inbox.take_in(min(tick_at, self._due[0][0]) if self._due else tick_at)
            if time.monotonic() >= tick_at:
                tick_at = time.monotonic() + TICK
                self._inbox.safely(self._tick)
            for player in self._asked_for():
                self._inbox.safely(self._tell, player)
            if self._parcels:
                parcels, self._parcels = self._parcels, []
                self._send(parcels)
            time.sleep(BREATH)

    def _asked_for(self) -> set[str]:
        now, found = time.monotonic(), set()
        while self._due and self._due[0][0] <= now:
            found.add(heapq.heappop(self._due)[1])
        return found

    def _expect(self, people: Collection[str]) -> None:
        now = time.monotonic()
        waiting = {player for _, player in self._due} if len(self._due) > len(ASKS) * len(self._listeners) else set()
        for player in people:
            for later in ASKS if player not in waiting else ASKS[:1]:
                heapq.heappush(self._due, (now + later, player))

    # ── Coming and going ──

    def _join(self, one: Listener) -> None:
        follow = one.follow
        try:
            one.position = follow.after if follow.after is not None else self._feed.end()
        except Unavailable:
            self._parcels.append(Parcel([one], bye(follow.form, "unavailable", None)))
            return
        self._listeners.setdefault(follow.player, {})[one] = None
        body = packed({"player": follow.player, "position": one.position})
        hello = written(follow.form, "hello", one.position, body, retry=True)
        self._parcels.append(Parcel([one], hello, False, one.position))
        self._expect([follow.player])

    def _leave(self, one: Listener) -> None:
        player = one.follow.player
        mine = self._listeners.get(player, {})
        mine.pop(one, None)
        if not mine:
            self._listeners.pop(player, None)

    # ── Telling ──

    def _tell(self, player: str) -> None:
        alike: dict[str | None, list[Listener]] = collections.defaultdict(list)
        for one in self._listeners.get(player, ()):
            alike[one.position].append(one)
        for position, listeners in alike.items():
            items = self._feed.concerning(player, position, PAGE)
            if not items:
                continue
            if len(items) == PAGE:
                heapq.heappush(self._due, (time.monotonic(), player))
            told = list(notices(player, items, position))
            for one in listeners:
                one.position = items[-1].position
                if told:
                    raw = b"".join(
                        written(one.follow.form, note.kind, note.position, _body(note._asdict())) for note in told
                    )
                    self._parcels.append(Parcel([one], raw, False, told[-1].position))

    def _tick(self) -> None:
        if not self._listeners:
            return
        since = dt.datetime.now(dt.UTC) - LOOK_BACK
        for player in self._tidings.stirred(self._listeners, since):
            heapq.heappush(self._due, (time.monotonic(), player))
        everybody = [one for mine in self._listeners.values() for one in mine]
        good = self._players.good({one.follow.token for one in everybody})
        for one in everybody:
            if one.follow.token not in good:
                self._parcels.append(Parcel([one], bye(one.follow.form, "token", one.position)))
                self._leave(one)


def _body(note: dict[str, Any]) -> bytes:
    """What a notice says. Its kind and its position are told beside it."""
    return packed(
        {
            "match": note["match"],
            "game": note["game"],
            "version": note["version"],
            "at": instant(note["at"]),
            "position": note["position"],
        }
    )
