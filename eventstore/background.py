"""Turns of bots, and of the clock."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Final

from domain import match
from domain.bots.thinking import done
from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Match
from eventstore.changes import Changes, pause_ms
from eventstore.errors import Conflict, CorruptStream
from eventstore.outbox import Turn
from eventstore.states import Warm

CLOCK_TRIES: Final = 5
Thinker = Callable[[Match, Seat, bytes], Thought]


class Background(Changes):
    def bot_turn(
        self, turn: Turn, think: Thinker, *, hold: dt.timedelta | None = None, fall_back: bool = False
    ) -> Turn | None:
        """Plays for one of the bots that are to act, on its own view only.

        Gives the turn that follows if it is to be held for whoever played this one; nothing where it is not, or where
        no bot is to act yet.
        """
        warm = self.warm(turn.match_id)
        if warm.match.version != turn.version:
            warm = self.fresh(turn.match_id)
        now, seed = warm.match, warm.seed
        # Where others have played meanwhile, the row is out of date and says nothing about who is ready.
        ready = turn.ready if now.version == turn.version else self._at_once(now, seed)
        seat = next((seat for seat in match.waiting_bots(now) if seat in ready), None)
        if seat is None:
            self.store.outbox.forget(turn)
            return None
        step = match.fall_back(now, seat, seed) if fall_back else done(now, seat, think(now, seat, seed), seed)
        try:
            self.append(warm, step, f"bot/{now.version}", hold=hold)
        except Conflict:
            if self.fresh(turn.match_id).match.version != now.version:
                return None  # whoever was faster has called for the next turn
            self.forget(turn.match_id)
            raise CorruptStream(f"match {now.id} is not at version {now.version}, as it was read") from None
        ready = () if hold is None else self._at_once(step.match, seed)
        return Turn(now.id, step.match.version, 1, turn.rank, ready) if ready else None

    def _at_once(self, m: Match, seed: bytes) -> tuple[Seat, ...]:
        return tuple(seat for seat in match.waiting_bots(m) if not pause_ms(m, seat, seed, self.thinking_ms))

    def time_up(self, match_id: str) -> bool:
        """Lets the clock act, if its time has come. Where others keep being faster it is soon asked again."""
        for _ in range(CLOCK_TRIES):
            warm = self.fresh(match_id)
            due = self._due(warm)
            if not due:
                return False
            try:
                self.append(warm, match.time_up(warm.match, warm.seed, due), f"clock/{uuid.uuid4()}")
            except Conflict:
                continue
            return True
        return False

    def mend_deadlines(self, match_id: str) -> None:
        """Brings instants back that lie further ahead than the time allowed."""
        warm = self.fresh(match_id)
        deadlines = self.deadlines_after(warm, warm.match, self.now())
        if deadlines != warm.deadlines:
            self.store.outbox.set_deadlines(match_id, warm.match.version, deadlines)
            self.remember(warm._replace(deadlines=deadlines))

    def _due(self, warm: Warm) -> set[str]:
        """The alarms whose time has come. Deadlines had other names before they counted by seat: one that is not known
        by its name has the instant that the match was to be woken at."""
        now = self.now()
        earliest = min(warm.deadlines.values(), default=None)
        names = [alarm.name for alarm in match.alarms(warm.match)]
        return {name for name in names if (at := warm.deadlines.get(name, earliest)) is not None and at <= now}
