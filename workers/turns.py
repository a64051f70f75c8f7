"""A worker's play: the most urgent turn first, a slice of it at a time, as long as any is due."""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable
from typing import Final, Protocol

from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Match
from eventstore.background import Played, Quick
from eventstore.errors import Unavailable
from eventstore.outbox import BOTS_ALONE, LONGEST_PAUSE, WITH_PEOPLE, Turn
from eventstore.service import Matches
from workers.bots import GLANCE
from workers.presence import Thinking

log = logging.getLogger("parlor.turns")

SLICE: Final = 0.05  # seconds of play, then others who wait have their turn
TOGETHER: Final = 0.01  # seconds of play that are stored in one commit, a turn more or less
MOST_TOGETHER: Final = 64  # turns
ATTEMPTS_BEFORE_FALLING_BACK: Final = 4
FIRST_PAUSE: Final = dt.timedelta(milliseconds=250)
CHOICE: Final = 16  # rows to choose from: the first may be gone to another worker
INTERRUPTIONS: Final = 2  # of a thought by a more urgent one, and of that by one more urgent still


def pause_after(failures: int) -> dt.timedelta:
    """How long to leave alone what has failed so often: each time twice as long."""
    return min(FIRST_PAUSE * (1 << min(failures - 1, 20)), LONGEST_PAUSE)


class Thinker(Protocol):
    """Finds the command of a bot. `between` is called often; it may do something else, and tells how long that took."""

    def __call__(self, m: Match, seat: Seat, seed: bytes, *, between: Callable[[], float]) -> Thought: ...


class TooLong(Exception):
    """A turn that was to be stored with those before it keeps them waiting."""


class Turns:
    """Plays turns of bots in one process.

    A turn that is taken is ours for the time of the lease; the next worker takes it up if we die with it. Nothing
    hangs on the lease but that: a turn that two workers play is appended by one of them.
    """

    def __init__(
        self,
        matches: Matches,
        think: Thinker,
        *,
        lease: dt.timedelta = dt.timedelta(seconds=2),
        call_another: Callable[[], None] = lambda: None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._matches, self._think, self._lease, self._now = matches, think, lease, now
        self._outbox = matches.store.outbox
        self._call_another = call_another
        self._thinking: list[Turn] = []  # what is being played, the one that was interrupted first
        self.thoughts: list[Thinking] = []  # the same for those who look on, as soon as it is known what it is
        self.played = 0

    def play(self, seconds: float) -> bool:
        """Plays whatever is due. True when time was up before that came to an end."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            due = self._outbox.due(self._now(), CHOICE)
            if not due:
                return False
            if len(due) > 1:
                self._call_another()  # who will do the same: so as many come as there is work for
            for turn in due:
                if self.take(turn):
                    break
        return True

    def take(self, turn: Turn) -> bool:
        """Plays a match from this turn on, for a slice, and on while nobody else waits. False: another has it."""
        now = self._now()
        mine = self._outbox.take(turn, now, now + self._lease)
        if mine is None:
            return False
        until = time.monotonic() + SLICE

        def hold() -> dt.timedelta | None:
            nonlocal until
            over = time.monotonic() >= until
            if self._gives_way(turn.rank, over):
                return None
            if over:
                until = time.monotonic() + SLICE
            return self._lease

        # Where people can act at any time, a commit that they were faster than is lost as a whole. So the first has one
        # turn, and those after it grow while nobody interferes.
        most = MOST_TOGETHER if mine.rank == BOTS_ALONE else 1
        following: Turn | None = mine
        while following is not None:
            mine = following
            try:
                played = self._some(mine, self._quickly(most, min(until, time.monotonic() + TOGETHER)), hold)
                following, most = played.following, min(2 * most, MOST_TOGETHER)
            except Unavailable:
                raise
            except Exception:
                pause = pause_after(mine.attempt)
                log.exception("match %s at version %d is put off for %s", mine.match_id, mine.version, pause)
                self._outbox.put_off(mine, self._now() + pause)
                following = None
        return True

    def _gives_way(self, rank: int, over: bool) -> bool:
        """Whether a commit leaves the next turn to whoever comes first, without a statement of its own: always where
        something more urgent waits, and where anything does when the slice is over."""
        if len(self._thinking) > 1:
            return over
        waiting = self._outbox.due(self._now(), 1) if over or rank > WITH_PEOPLE else []
        return any(over or other.rank < rank for other in waiting)

    def _some(self, turn: Turn, more: Quick, hold: Callable[[], dt.timedelta | None]) -> Played:
        fall_back = turn.attempt > ATTEMPTS_BEFORE_FALLING_BACK
        if fall_back:
            log.error("a bot in match %s failed %d times and falls back", turn.match_id, turn.attempt - 1)
        self._thinking.append(turn)
        try:
            played = self._matches.bot_turns(turn, self._thought, more=more, hold=hold, fall_back=fall_back)
            self.played += played.turns
            return played
        finally:
            self._thinking.pop()

    def _thought(self, m: Match, seat: Seat, seed: bytes) -> Thought:
        looked = held = time.monotonic()

        def between() -> float:
            """Lets others in who need not wait for a thought, and keeps the lease of the turn alive."""
            nonlocal looked, held
            began = time.monotonic()
            if began - looked < GLANCE:
                return 0.0
            self._meanwhile()
            looked = time.monotonic()
            if looked - held >= self._lease.total_seconds() / 4:
                self._outbox.put_off(self._thinking[-1], self._now() + self._lease)
                held = looked
            return looked - began

        return self._seen(m, seat, seed, between)

    def _quickly(self, most: int, until: float) -> Quick:
        """Thinks for bots whose turns are stored with one before them: so many in all, and until that time."""
        left = most

        def thought(m: Match, seat: Seat, seed: bytes) -> Thought | None:
            nonlocal left
            left -= 1
            began = time.monotonic()
            if left <= 0 or began >= until:
                return None

            def between() -> float:
                if time.monotonic() - began >= GLANCE:
                    raise TooLong
                return 0.0

            return self._seen(m, seat, seed, between)

        return thought

    def _seen(self, m: Match, seat: Seat, seed: bytes, between: Callable[[], float]) -> Thought:
        self.thoughts.append(Thinking(m.id, m.game.slug, seat, m.chairs[seat].level or "random", self._now()))
        try:
            return self._think(m, seat, seed, between=between)
        finally:
            self.thoughts.pop()

    def _meanwhile(self) -> None:
        if len(self._thinking) > INTERRUPTIONS:
            return
        for turn in self._outbox.due_meanwhile(self._now(), self._thinking[-1].rank, CHOICE):
            if all(turn.match_id != mine.match_id for mine in self._thinking) and self.take(turn):
                return
