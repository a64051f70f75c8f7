"""Load, decide, append: how anything changes a match."""

from __future__ import annotations

import datetime as dt
import functools
import uuid
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from domain import log, match
from domain.bots.levels import LEVELS
from domain.game import Refused, Seat, Template, Unreadable
from domain.match import Match, Step
from domain.upcast import SCHEMA
from eventstore.chain import Stored, chained
from eventstore.errors import Conflict, DuplicateCommand, KeyReused, LacksScope, NotFound, Stale, Unavailable
from eventstore.outbox import Deadlines, Waiting
from eventstore.states import News, Stand, States, Warm
from eventstore.store import Accepted, EventStore, Receipt

USUAL_THINKING_MS: Final = 600
TRIES: Final = 200  # of a command among many writers; each lost try means that another command got in
Moved = Callable[[Warm, News], None]  # hears of every change, and must not keep a command waiting
REFUSALS: Final = (Refused, Unreadable, NotFound, LacksScope, Stale, KeyReused)


def thinking_time_ms(m: Match, most: int) -> int:
    """The time for a turn of a bot that searches: what the table gives it, or else the server, which also bounds it."""
    return min(m.thinking_ms or most, most)


def pause_ms(m: Match, seat: Seat, seed: bytes, most_thinking: int = USUAL_THINKING_MS) -> int:
    """How long a bot waits before it acts. Where people play, a bot that takes its time takes it also where it has no
    choice: how soon it acts tells nothing about its hand."""
    if match.owes_answer(m, seat):
        return 0
    pause = match.pause_ms(m, seat, seed)
    if pause or not is_slow(m, seat) or all(chair.kind == "bot" for chair in m.chairs):
        return pause
    commands = match.open_to_bot(m, seat)
    forced = len(commands) == 1 and not isinstance(commands[0], Template)
    return thinking_time_ms(m, most_thinking) if forced else 0


def is_slow(m: Match, seat: Seat) -> bool:
    return LEVELS[m.chairs[seat].level or "random"].slow


class Done(NamedTuple):
    """What a change brought about."""

    match: Match
    seed: bytes
    events: list[Stored]
    deadlines: Deadlines


class Changes(States):
    """Decides on the newest state, and appends what was decided; decides anew where another process was faster."""

    def __init__(
        self,
        store: EventStore,
        *,
        ring: Callable[[float], None] = lambda seconds: None,
        moved: Moved = lambda warm, news: None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        newest: Callable[[str], int] = lambda match_id: 0,
        cache_size: int = 2000,
        thinking_ms: int = USUAL_THINKING_MS,
    ) -> None:
        super().__init__(store, now=now, newest=newest, cache_size=cache_size)
        self.ring = ring  # calls the workers when a bot can act, in so many seconds
        self.moved = moved
        self.thinking_ms = thinking_ms  # at most, for a turn of a bot that searches

    def change(
        self,
        match_id: str,
        decide: Callable[[Warm], Step],
        *,
        admit: Callable[[Match], Any] = lambda m: None,
        warm: Warm | None = None,
        receipt: Receipt | None = None,
        expected: int | None = None,
        token: bytes | None = None,
        command_id: str | None = None,
        invitation: str | None = None,
    ) -> Done:
        warm = warm or self.warm(match_id)
        command_id = receipt.command_id if receipt else command_id or str(uuid.uuid4())
        for _ in range(TRIES):
            try:
                # In this order: a stranger is not told how far the match has gone.
                admit(warm.match)
                if expected is not None and warm.match.version != expected:
                    raise Stale(warm.match.version)
                step = decide(warm)
            except (Refused, NotFound, LacksScope, Stale) as refusal:
                newest = self.fresh(match_id)
                if newest.match.version != warm.match.version:
                    warm = newest
                    continue
                if isinstance(refusal, Refused | Stale):
                    self._known(match_id, receipt)
                if isinstance(refusal, Refused):
                    refusal.by(warm.match.game)
                    refusal.version = warm.match.version if refusal.version is None else refusal.version
                raise
            try:
                return self.append(warm, step, command_id, receipt=receipt, token=token, invitation=invitation)
            except Conflict:
                warm = self.fresh(match_id)
        raise Unavailable("too many commands at once")

    def append(
        self,
        warm: Warm,
        step: Step,
        command_id: str,
        *,
        receipt: Receipt | None = None,
        token: bytes | None = None,
        invitation: str | None = None,
    ) -> Done:
        """Stores what was decided on this state, and knows the match from then on as it stands after it."""
        after, events = self.following(warm, step, command_id)
        return self.commit(warm, after, events, receipt=receipt, token=token, invitation=invitation)

    def following(self, warm: Warm, step: Step, command_id: str) -> tuple[Warm, list[Stored]]:
        """The match after what was decided on this state, and the events that lead there. Nothing is stored yet."""
        events = self.stored(warm, step, command_id)
        deadlines = self.deadlines_after(warm, step.match, events[-1].at)
        return Warm(step.match, warm.seed, events[-1].hash, deadlines, warm.hooked), events

    def commit(
        self,
        before: Warm,
        after: Warm,
        events: list[Stored],
        *,
        receipt: Receipt | None = None,
        token: bytes | None = None,
        invitation: str | None = None,
        hold: dt.timedelta | None = None,
    ) -> Done:
        """Stores the events between two states, of one command or of several, all or none.

        Whoever holds the turns of the bots that are to act now plays them; otherwise the workers are called.
        """
        at = events[-1].at
        bots = self._waiting(after.match, after.seed, at)
        held = hold is not None and not all(bot.paused for bot in bots)
        written = functools.partial(
            self.store.append,
            before.match,
            after.match,
            events,
            deadlines=after.deadlines,
            bots=bots,
            held_until=at + hold if hold is not None and held else None,
            receipt=receipt,
            invitation=invitation,
            token=token,
        )
        try:
            hooked = written(hooked=before.hooked)
        except Conflict:
            if before.hooked or not self.store.hooked_at(before.match.id, before.match.version):
                raise
            hooked = written(hooked=True)  # nobody was faster: a webhook has come
        after = self.remember(after._replace(hooked=hooked))
        self.moved(after, News(after.match.version, before.hash, events, after.deadlines, hooked))
        if bots and not held:
            self.ring(max(0.0, (min(bot.ready_at for bot in bots) - at).total_seconds()))
        return Done(after.match, after.seed, events, after.deadlines)

    def _waiting(self, m: Match, seed: bytes, now: dt.datetime) -> list[Waiting]:
        """The bots that are to act, each with the time before which it will not."""
        found = []
        for seat in match.waiting_bots(m):
            pause = pause_ms(m, seat, seed, self.thinking_ms)
            ready_at = now + dt.timedelta(milliseconds=pause) if pause else now
            found.append(Waiting(seat, ready_at, pause > 0, is_slow(m, seat)))
        return found

    def _known(self, match_id: str, receipt: Receipt | None) -> None:
        """A command that cannot be accepted now may have been accepted before."""
        if receipt is not None and self.store.accepted(match_id, receipt.command_id) is not None:
            raise DuplicateCommand

    def stored(self, warm: Warm, step: Step, command_id: str) -> list[Stored]:
        at = self.now()
        previous, version = warm.hash, warm.match.version
        events = []
        for one in step.happened:
            version += 1
            stored = Stored(version, log.write(one), SCHEMA, one.actor, command_id, at, b"")
            stored = chained(previous, warm.seed, step.match.id, stored)
            previous = stored.hash
            events.append(stored)
        return events

    @staticmethod
    def deadlines_after(warm: Warm, after: Match, now: dt.datetime) -> Deadlines:
        """What the clock waits for from now on. What it waited for before keeps its instant, unless that lies further
        ahead than the whole time allowed: then the clock of the day was set back."""
        full = {alarm.name: now + dt.timedelta(milliseconds=alarm.after_ms) for alarm in match.alarms(after)}
        return {name: min(at, warm.deadlines.get(name, at)) for name, at in full.items()}

    def changed(
        self,
        match_id: str,
        admit: Callable[[Match], Any],
        decide: Callable[[Warm], Step],
        token: bytes | None,
        expected: int | None,
        receipt: Receipt | None = None,
        invitation: str | None = None,
    ) -> Stand:
        try:
            done = self.change(
                match_id,
                decide,
                admit=admit,
                token=token,
                expected=expected,
                receipt=receipt,
                invitation=invitation,
            )
        except REFUSALS:
            self.store.check_token(token)
            raise
        except DuplicateCommand:
            assert receipt is not None
            self.store.check_token(token)
            return self.first_stand(match_id, receipt)
        return self.stands(done.match, match.of_seats(done.deadlines))

    def first(self, match_id: str, receipt: Receipt) -> Accepted:
        """What a request brought about when it was first sent."""
        kept = self.store.accepted(match_id, receipt.command_id)
        if kept is None:
            raise Unavailable("the first answer cannot be read yet")
        if kept.digest != receipt.digest:
            raise KeyReused
        return kept

    def first_stand(self, match_id: str, receipt: Receipt) -> Stand:
        """A match as it stood when a request was first answered."""
        return self.stand(self.at_version(match_id, self.first(match_id, receipt).last_version))
