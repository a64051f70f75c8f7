"""Turns of bots, and of the clock."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Final, NamedTuple

from domain import match
from domain.bots.thinking import done
from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Match, Step
from eventstore.changes import Changes, is_slow, pause_ms
from eventstore.errors import Conflict, CorruptStream
from eventstore.outbox import Turn
from eventstore.states import Warm

CLOCK_TRIES: Final = 5
Thinker = Callable[[Match, Seat, bytes], Thought]
Quick = Callable[[Match, Seat, bytes], Thought | None]  # nothing, where that would take too long


class Played(NamedTuple):
    """Turns of bots that were stored together."""

    turns: int
    following: Turn | None  # that is held for whoever played these; nothing where it is not, or no bot is to act yet


NOTHING: Final = Played(0, None)


def nothing_more(m: Match, seat: Seat, seed: bytes) -> None:
    return None


class Background(Changes):
    def bot_turns(
        self,
        turn: Turn,
        think: Thinker,
        *,
        more: Quick = nothing_more,
        hold: Callable[[], dt.timedelta | None] = lambda: None,
        fall_back: bool = False,
    ) -> Played:
        """Plays for one of the bots that are to act, on its own view only, and for those that follow it while there is
        `more` that takes no time.

        All of it is one commit: where somebody else acts meanwhile, nothing of it has happened. `hold` is asked last,
        how long the turn that follows stays with whoever played these.
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
            return NOTHING
        # A pause keeps the instant it was given by the commit that began it, so that each of these is one of its own.
        alone = self._anybody_pauses(now, seed)
        step = match.fall_back(now, seat, seed) if fall_back else done(now, seat, think(now, seat, seed), seed)
        after, events = self.following(warm, step, f"bot/{now.version}")
        turns = 1
        while not alone and (further := self._further(after, more)) is not None:
            after, caused = self.following(after, further, f"bot/{after.match.version}")
            events += caused
            turns += 1
        held = hold()
        try:
            self.commit(warm, after, events, hold=held)
        except Conflict:
            if self.fresh(turn.match_id).match.version != now.version:
                return NOTHING  # whoever was faster has called for the next turn
            self.forget(turn.match_id)
            raise CorruptStream(f"match {now.id} is not at version {now.version}, as it was read") from None
        ready = () if held is None else self._at_once(after.match, seed)
        return Played(turns, Turn(now.id, after.match.version, 1, turn.rank, ready) if ready else None)

    def _further(self, warm: Warm, more: Quick) -> Step | None:
        """What the next bot does, if it can be stored together with what led here: not where a person, who has not seen
        that yet, could be the quicker to act or to answer."""
        now, seed = warm.match, warm.seed
        seat = next(iter(match.waiting_bots(now)), None)
        if seat is None or is_slow(now, seat) or now.offer is not None or match.waiting_humans(now):
            return None
        if self._anybody_pauses(now, seed):
            return None
        try:
            thought = more(now, seat, seed)
            return None if thought is None else done(now, seat, thought, seed)
        except Exception:
            return None  # whatever is wrong with it comes to light when its turn is the first, and others have theirs

    def _anybody_pauses(self, m: Match, seed: bytes) -> bool:
        return any(pause_ms(m, seat, seed, self.thinking_ms) for seat in match.waiting_bots(m))

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
