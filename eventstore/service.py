"""The match service: load, decide, append. The API and the workers both go through it.

Each process keeps the folded states of the matches it serves. A command on a warm match reads nothing before it
appends; if another process was faster the append says so, the missing events are fetched, and the command is judged
anew.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import logging
import secrets
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain import log, match
from domain.game import Refused, Seat, Template, Unreadable
from domain.games import BY_SLUG
from domain.match import Match, Place, Step
from domain.wire import Parts, load_event, names, read_command, write_command
from eventstore.chain import GENESIS, Stored, canonical, chained, redacted
from eventstore.errors import (
    Conflict,
    CorruptStream,
    DuplicateCommand,
    KeyReused,
    LacksScope,
    NotFound,
    Stale,
    Unavailable,
)
from eventstore.outbox import NO_WAKES, Turn, Waiting, Wakes
from eventstore.snapshots import opened, sealed
from eventstore.store import EventStore, Receipt, Row, in_chunks
from eventstore.upcast import SCHEMA, upcast

logger = logging.getLogger("parlor.matches")

NO_SECRETS: Final[dict[str, Any]] = {}
TRIES: Final = 200  # of a command among many writers; each lost try means that another command got in
CLOCK_TRIES: Final = 5
EVENTS_WORTH_A_SNAPSHOT: Final = 400
Thinker = Callable[[str, dict[str, Any], Sequence[Any]], Any]  # level, view and legal commands make a command
COMMANDS: Final = {slug: names(game.commands) for slug, game in BY_SLUG.items()}
EVENTS: Final = {slug: match.event_classes(game) for slug, game in BY_SLUG.items()}
DRAWS: Final[Mapping[str, Callable[[Match, Seat, bytes], Step]]] = {
    "offer": match.offer_draw,
    "withdraw": match.withdraw_draw,
    "accept": lambda m, seat, seed: match.answer_draw(m, seat, True, seed),
    "decline": lambda m, seat, seed: match.answer_draw(m, seat, False, seed),
}
REFUSALS: Final = (Refused, Unreadable, NotFound, LacksScope, Stale, KeyReused)


class Warm(NamedTuple):
    """A match as this process last saw it."""

    match: Match
    seed: bytes
    hash: bytes
    wakes: Wakes


class Answer(NamedTuple):
    """What an accepted command brought about, as its sender may see it."""

    version: int
    events: list[dict[str, Any]]


def _entry(game: str, row: Row) -> log.Entry:
    kind, schema, public, secret, actor = row
    if schema == SCHEMA:
        return kind, public, secret or NO_SECRETS, actor
    return *upcast(game, Parts(kind, public, secret or NO_SECRETS), schema), actor


class Matches:
    """All that can be done with matches."""

    def __init__(
        self,
        store: EventStore,
        *,
        ring: Callable[[float], None] = lambda seconds: None,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        cache_size: int = 2000,
        bot_matches: int = 20,
    ) -> None:
        self.store = store
        self._ring = ring  # calls the workers when a bot can act, in so many seconds
        self._now = now
        self._bot_matches = bot_matches
        self._starting = threading.Lock()
        self._cache: OrderedDict[str, Warm] = OrderedDict()
        self._cache_size = cache_size
        self._lock = threading.Lock()
        self._losses = store.losses

    # ── Loading ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _remember(self, warm: Warm) -> Warm:
        with self._lock:
            known = self._cache.get(warm.match.id)
            if known is None or known.match.version <= warm.match.version:
                self._cache[warm.match.id] = warm
            self._cache.move_to_end(warm.match.id)
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return warm

    def _warm(self, match_id: str) -> Warm:
        """The match as this process knows it; perhaps not the newest version."""
        if self._losses != (losses := self.store.losses):
            # The database may be another one by now, or have lost what came last.
            with self._lock:
                self._losses = losses
                self._cache.clear()
        return self._cache.get(match_id) or self._fresh(match_id)

    def _fresh(self, match_id: str) -> Warm:
        """The match at its newest version."""
        known = self._cache.get(match_id)
        if known is None:
            return self._load(match_id)
        tail = self.store.tail(match_id, known.match.version)
        if tail.before != known.hash:
            logger.error("the log of %s is no longer the one that was known, as after a restore", match_id)
            with self._lock:
                self._cache.pop(match_id, None)
            return self._load(match_id)
        if not tail.events:
            # Instants can change without an event, where a clock was set back.
            return known if known.wakes == tail.head.wakes else self._remember(known._replace(wakes=tail.head.wakes))
        now = self._folded(tail.head.game, known.match, tail.events)
        self._complete(now, tail.head.version)
        return self._remember(Warm(now, tail.head.seed, tail.hash, tail.head.wakes))

    def _load(self, match_id: str) -> Warm:
        """A match that this process does not know yet."""
        head = self.store.head(match_id)
        start = self._from_snapshot(match_id, head.game, head.seed, head.version)
        # One event back from a snapshot of the newest version: its hash is needed for the next link of the chain.
        after = min(start.version, head.version - 1) if start else 0
        rows, digest = self.store.rows(match_id, after, head.version)
        if start is not None and start.version == head.version:
            rows = []
        if start is None and not rows:
            raise CorruptStream(f"match {match_id} has no events")
        now = self._folded(head.game, start, rows)
        self._complete(now, head.version)
        # Whoever had to fold a long way leaves the result for the next; the path of commands never pays for it.
        if len(rows) >= EVENTS_WORTH_A_SNAPSHOT:
            self.store.keep_snapshot(match_id, now.version, now.game.version, sealed(now, head.seed))
        return self._remember(Warm(now, head.seed, digest, head.wakes))

    @staticmethod
    def _complete(now: Match, version: int) -> None:
        if now.version != version:
            raise CorruptStream(f"the log of match {now.id} ends at version {now.version} instead of {version}")

    def _from_snapshot(self, match_id: str, game: str, seed: bytes, upto: int) -> Match | None:
        if upto < EVENTS_WORTH_A_SNAPSHOT:
            return None
        kept = self.store.snapshot(match_id, BY_SLUG[game].version, upto)
        if kept is None:
            return None
        try:
            found = opened(kept, match_id, seed)
            if not found.version <= upto:
                raise ValueError("a snapshot of a later version")
        except Exception as error:
            # A cache that cannot be read is no cache: the log has it all.
            logger.warning("snapshot of %s cannot be read: %s", match_id, error)
            return None
        return found

    @staticmethod
    def _folded(game: str, now: Match | None, rows: Iterable[Row]) -> Match:
        """The match after these rows of the log."""
        entries = iter([_entry(game, row) for row in rows])
        if now is None:
            _, public, secret, _ = next(entries)
            now = match.opened(BY_SLUG[game], load_event(match.MatchOpened, public, secret))
        return log.fold(now, EVENTS[game], entries)

    def at_version(self, match_id: str, version: int) -> Match:
        """The match as it stood at an earlier version."""
        warm = self._fresh(match_id)
        if not 1 <= version <= warm.match.version:
            raise NotFound(f"version {version}")
        if version == warm.match.version:
            return warm.match
        game = warm.match.game.slug
        start = self._from_snapshot(match_id, game, warm.seed, version)
        return self._folded(game, start, self.store.rows(match_id, start.version if start else 0, version)[0])

    # ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────

    def open(
        self,
        game: str,
        *,
        host: str,
        seats: Sequence[Place],
        options: Mapping[str, Any],
        spectators: bool = False,
        turn_seconds: int | None = None,
        token: bytes | None = None,
    ) -> Match:
        if game not in BY_SLUG:
            raise NotFound(game)
        seed = secrets.token_bytes(32)
        match_id = str(uuid.uuid4())
        try:
            step = match.open_match(
                BY_SLUG[game],
                match_id,
                host=host,
                seats=tuple(seats),
                options=options,
                seed=seed,
                spectators=spectators,
                turn_seconds=turn_seconds,
            )
        except Refused as refusal:
            refusal.game = game
            raise
        empty = Warm(step.match._replace(version=0), seed, GENESIS, NO_WAKES)
        events = self._stored(empty, step, f"open/{uuid.uuid4()}")
        self.store.open(step.match, seed, events, token)
        return self._remember(Warm(step.match, seed, events[-1].hash, NO_WAKES)).match

    def join(
        self,
        match_id: str,
        player: str,
        name: str,
        seat: Seat | None,
        client_seed: str,
        token: bytes | None,
        *,
        expected: int | None = None,
        watches: bool = True,
    ) -> Match:
        def decide(m: Match, seed: bytes) -> Step:
            return match.take_seat(m, seat, player, name, client_seed)

        return self._at_the_table(match_id, player, decide, token, expected, watches)

    def start(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        def decide(m: Match, seed: bytes) -> Step:
            step = match.start(m, player, seed)
            if all(chair.kind == "bot" for chair in m.chairs):
                self._count_matches_of_bots(player)
            return step

        known = self._cache.get(match_id)
        people = known is not None and any(chair.kind != "bot" for chair in known.match.chairs)
        # Whoever starts many matches of bots at once has them counted one after another.
        with contextlib.nullcontext() if people else self._starting:
            return self._at_the_table(match_id, player, decide, token, expected, watches)

    def _count_matches_of_bots(self, host: str) -> None:
        running = self.store.running_of_bots(host)
        if running >= self._bot_matches:
            told = f"{running} matches of bots alone that you opened are running; the next can start when one is over"
            raise Refused("PM-14", "too_many_bot_matches", told)

    def leave(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(match_id, player, lambda m, seed: match.leave(m, player), token, expected, watches)

    def decline(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(match_id, player, lambda m, seed: match.decline(m, player), token, expected, watches)

    def cancel(
        self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None, watches: bool = True
    ) -> Match:
        return self._at_the_table(
            match_id, player, lambda m, seed: match.cancel(m, player, seed), token, expected, watches
        )

    def _at_the_table(
        self,
        match_id: str,
        player: str,
        decide: Callable[[Match, bytes], Step],
        token: bytes | None,
        expected: int | None,
        watches: bool,
    ) -> Match:
        """A change that the rules of the match judge, asked for by somebody who may see the match."""

        def admit(m: Match) -> None:
            self._admit(m, player, watches)

        return self._changed(match_id, admit, lambda warm: decide(warm.match, warm.seed), token, expected)

    def _changed(
        self,
        match_id: str,
        admit: Callable[[Match], Any],
        decide: Callable[[Warm], Step],
        token: bytes | None,
        expected: int | None,
    ) -> Match:
        try:
            return self._change(match_id, decide, admit=admit, token=token, expected=expected).match
        except REFUSALS:
            self.store.check_token(token)
            raise

    # ── Commands ────────────────────────────────────────────────────────────────────────────────────────────────

    def play(
        self,
        match_id: str,
        player: str,
        body: Mapping[str, Any],
        *,
        key: str | None = None,
        expected: int | None = None,
        token: bytes | None = None,
    ) -> Answer:
        """A player's command of the game. With a key, a retry gets the first answer instead of playing twice.

        The append finds out if the token was revoked. What is not appended is refused only to a token that is good.
        """
        try:
            return self._play(match_id, player, body, key, expected, token)
        except REFUSALS:
            self.store.check_token(token)
            raise

    def _play(
        self,
        match_id: str,
        player: str,
        body: Mapping[str, Any],
        key: str | None,
        expected: int | None,
        token: bytes | None,
    ) -> Answer:
        warm = self._warm(match_id)
        if warm.match.status == "open" or match.seat_of(warm.match, player) is None:
            warm = self._fresh(match_id)  # seats may have been taken and left through another process
        seat = self._seat(warm.match, player)
        command = read_command(COMMANDS[warm.match.game.slug], body)
        # All may see the id of a command in the log; the key itself stays between its sender and us.
        kept = hashlib.sha256((key or "").encode()).hexdigest()[:32]
        receipt = Receipt(f"{seat}/{kept}", hashlib.sha256(canonical(body)).digest()) if key else None

        def admit(current: Match) -> None:
            if match.seat_of(current, player) != seat:
                raise NotFound(match_id)

        def decide(current: Warm) -> Step:
            return match.play(current.match, seat, command, current.seed)

        try:
            done = self._change(
                match_id, decide, admit=admit, warm=warm, receipt=receipt, expected=expected, token=token
            )
        except DuplicateCommand:
            assert receipt is not None
            self.store.check_token(token)
            return self._first_answer(match_id, seat, receipt)
        return self._answer(done, seat)

    def resign(self, match_id: str, player: str, token: bytes | None, *, expected: int | None = None) -> Match:
        return self._from_a_seat(match_id, player, match.resign, token, expected)

    def draw(
        self, match_id: str, player: str, action: str, token: bytes | None, *, expected: int | None = None
    ) -> Match:
        return self._from_a_seat(match_id, player, DRAWS[action], token, expected)

    def _from_a_seat(
        self,
        match_id: str,
        player: str,
        decide: Callable[[Match, Seat, bytes], Step],
        token: bytes | None,
        expected: int | None,
    ) -> Match:
        def admit(m: Match) -> Seat:
            return self._seat(m, player)

        return self._changed(
            match_id, admit, lambda warm: decide(warm.match, admit(warm.match), warm.seed), token, expected
        )

    def _first_answer(self, match_id: str, seat: Seat, receipt: Receipt) -> Answer:
        kept = self.store.accepted(match_id, receipt.command_id)
        if kept is None:
            raise Unavailable("the first answer cannot be read yet")
        if kept.digest != receipt.digest:
            raise KeyReused
        warm = self._fresh(match_id)
        events = self.store.read(match_id, kept.first_version - 1, kept.last_version)
        # As it was then: what the end of the match opens was still closed, unless this command brought the end.
        ended = events[-1].parts.type == "match_ended"
        return Answer(kept.last_version, [redacted(one, match_id, warm.seed, seat, ended) for one in events])

    # ── Load, decide, append ────────────────────────────────────────────────────────────────────────────────────

    class _Done(NamedTuple):
        match: Match
        seed: bytes
        events: list[Stored]

    def _change(
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
    ) -> _Done:
        warm = warm or self._warm(match_id)
        command_id = receipt.command_id if receipt else command_id or str(uuid.uuid4())
        for _ in range(TRIES):
            try:
                # In this order: a stranger is not told how far the match has gone.
                admit(warm.match)
                if expected is not None and warm.match.version != expected:
                    raise Stale(warm.match.version)
                step = decide(warm)
            except (Refused, NotFound, LacksScope, Stale) as refusal:
                newest = self._fresh(match_id)
                if newest.match.version != warm.match.version:
                    warm = newest
                    continue
                if isinstance(refusal, Refused | Stale):
                    self._known(match_id, receipt)
                if isinstance(refusal, Refused):
                    refusal.game, refusal.version = warm.match.game.slug, warm.match.version
                raise
            try:
                events = self._append(warm, step, command_id, receipt=receipt, token=token)
            except Conflict:
                warm = self._fresh(match_id)
                continue
            return self._Done(step.match, warm.seed, events)
        raise Unavailable("too many commands at once")

    def _append(
        self,
        warm: Warm,
        step: Step,
        command_id: str,
        *,
        receipt: Receipt | None = None,
        token: bytes | None = None,
        hold: dt.timedelta | None = None,
    ) -> list[Stored]:
        """Stores what was decided on this state, and knows the match from then on as it stands after it.

        Whoever holds the turns of the bots that are to act now plays them; otherwise the workers are called.
        """
        events = self._stored(warm, step, command_id)
        at = events[-1].at
        wakes = self._wakes(warm, step.match, at)
        bots = self._waiting(step.match, warm.seed, at)
        held = hold is not None and not all(bot.paused for bot in bots)
        self.store.append(
            warm.match,
            step.match,
            events,
            wakes=wakes,
            bots=bots,
            held_until=at + hold if hold is not None and held else None,
            receipt=receipt,
            token=token,
        )
        self._remember(Warm(step.match, warm.seed, events[-1].hash, wakes))
        if bots and not held:
            self._ring(max(0.0, (min(bot.ready_at for bot in bots) - at).total_seconds()))
        return events

    @staticmethod
    def _waiting(m: Match, seed: bytes, now: dt.datetime) -> list[Waiting]:
        """The bots that are to act, each with the time before which it will not."""
        found = []
        for seat in match.waiting_bots(m):
            pause = match.pause_ms(m, seat, seed)
            found.append(Waiting(seat, now + dt.timedelta(milliseconds=pause) if pause else now, pause > 0))
        return found

    def _known(self, match_id: str, receipt: Receipt | None) -> None:
        """A command that cannot be accepted now may have been accepted before."""
        if receipt is not None and self.store.accepted(match_id, receipt.command_id) is not None:
            raise DuplicateCommand

    def _stored(self, warm: Warm, step: Step, command_id: str) -> list[Stored]:
        at = self._now()
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
    def _wakes(warm: Warm, after: Match, now: dt.datetime) -> Wakes:
        """What the clock waits for from now on. What it waited for before keeps its instant, unless that lies further
        ahead than the whole time allowed: then the clock of the day was set back."""
        full = {alarm.name: now + dt.timedelta(milliseconds=alarm.after_ms) for alarm in match.wakes(after)}
        return {name: min(at, warm.wakes.get(name, at)) for name, at in full.items()}

    @staticmethod
    def _answer(done: _Done, seat: Seat) -> Answer:
        over = done.match.status == "over"
        events = [redacted(one, done.match.id, done.seed, seat, over) for one in done.events]
        return Answer(done.match.version, events)

    # ── Bots and the clock ──────────────────────────────────────────────────────────────────────────────────────

    def bot_turn(
        self, turn: Turn, think: Thinker, *, hold: dt.timedelta | None = None, fall_back: bool = False
    ) -> Turn | None:
        """Plays for one of the bots that are to act, on its own view only.

        Gives the turn that follows if it is to be held for whoever played this one; nothing where it is not, or where
        no bot is to act yet.
        """
        warm = self._warm(turn.match_id)
        if warm.match.version != turn.version:
            warm = self._fresh(turn.match_id)
        now, seed = warm.match, warm.seed
        # Where others have played meanwhile, the row is out of date and says nothing about who is ready.
        ready = turn.ready if now.version == turn.version else self._at_once(now, seed)
        seat = next((seat for seat in match.waiting_bots(now) if seat in ready), None)
        if seat is None:
            self.store.outbox.forget(turn)
            return None
        if fall_back:
            step = match.fall_back(now, seat, seed)
        else:
            level = now.chairs[seat].level or "random"
            command = think(level, match.view(now, seat), match.open_to_bot(now, seat))
            step = match.play(now, seat, command, seed, by_bot=True)
        try:
            self._append(warm, step, f"bot/{now.version}", hold=hold)
        except Conflict:
            if self._fresh(turn.match_id).match.version != now.version:
                return None  # whoever was faster has called for the next turn
            with self._lock:
                self._cache.pop(turn.match_id, None)
            raise CorruptStream(f"match {now.id} is not at version {now.version}, as it was read") from None
        ready = () if hold is None else self._at_once(step.match, seed)
        return Turn(now.id, step.match.version, 1, turn.rank, ready) if ready else None

    @staticmethod
    def _at_once(m: Match, seed: bytes) -> tuple[Seat, ...]:
        return tuple(seat for seat in match.waiting_bots(m) if not match.pause_ms(m, seat, seed))

    def time_up(self, match_id: str) -> bool:
        """Lets the clock act, if its time has come. Where others keep being faster it is soon asked again."""
        for _ in range(CLOCK_TRIES):
            warm = self._fresh(match_id)
            due = self._due(warm)
            if not due:
                return False
            try:
                self._append(warm, match.time_up(warm.match, warm.seed, due), f"clock/{uuid.uuid4()}")
            except Conflict:
                continue
            return True
        return False

    def mend_deadlines(self, match_id: str) -> None:
        """Brings instants back that lie further ahead than the time allowed."""
        warm = self._fresh(match_id)
        wakes = self._wakes(warm, warm.match, self._now())
        if wakes != warm.wakes:
            self.store.outbox.set_deadlines(match_id, warm.match.version, wakes)
            self._remember(warm._replace(wakes=wakes))

    def _due(self, warm: Warm) -> set[str]:
        """The alarms whose time has come. Deadlines had other names before they counted by seat: one that is not known
        by its name has the instant that the match was to be woken at."""
        now = self._now()
        earliest = min(warm.wakes.values(), default=None)
        names = [alarm.name for alarm in match.wakes(warm.match)]
        return {name for name in names if (at := warm.wakes.get(name, earliest)) is not None and at <= now}

    # ── Looking ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _seat(self, m: Match, player: str) -> Seat:
        """The seat from which this player may act; a seat that was resigned or taken over is none any more."""
        seat = match.seat_of(m, player)
        if seat is None:
            raise NotFound(m.id)
        return seat

    @staticmethod
    def _admit(m: Match, player: str, watches: bool) -> None:
        """Lets in whoever may see the match. A token that only plays does not reach what its owner merely watches."""
        if not match.may_look(m, player):
            raise NotFound(m.id)
        if not watches and not match.may_look(m._replace(spectators=False), player):
            raise LacksScope("match:read")

    def look(
        self,
        match_id: str,
        player: str,
        *,
        at: int | None = None,
        as_seat: Seat | None = None,
        watches: bool = True,
    ) -> tuple[dict[str, Any], int]:
        """The caller's view of the match, now or at an earlier version, and the version it shows."""
        current = self._fresh(match_id).match
        self._admit(current, player, watches)
        seat = match.seat_of(current, player)
        if as_seat is not None:
            if not 0 <= as_seat < len(current.chairs) or (as_seat != seat and current.status != "over"):
                raise NotFound(f"seat {as_seat}")
            seat = as_seat
        shown = current if at is None else self.at_version(match_id, at)
        return match.view(shown, seat), shown.version

    def legal(self, match_id: str, player: str, *, watches: bool = True) -> tuple[list[dict[str, Any]], int]:
        current = self._fresh(match_id).match
        self._admit(current, player, watches)
        seat = match.seat_of(current, player)
        if seat is None or current.status != "playing" or current.chairs[seat].kind == "bot":
            return [], current.version
        return [write_command(command) for command in current.game.legal(current.table, seat)], current.version

    def events(
        self, match_id: str, player: str, *, after: int = 0, limit: int | None = None, watches: bool = True
    ) -> tuple[Iterator[dict[str, Any]], int]:
        """The log as the caller may see it, and the version it reaches."""
        warm = self._fresh(match_id)
        self._admit(warm.match, player, watches)
        seat = match.seat_of(warm.match, player)
        over = warm.match.status == "over"
        upto = warm.match.version if limit is None else min(warm.match.version, after + limit)
        stored = in_chunks(self.store, match_id, after, upto)
        return (redacted(one, match_id, warm.seed, seat, over) for one in stored), warm.match.version

    def export(self, match_id: str, player: str, ending: str, *, watches: bool = True) -> str:
        """The match in the notation of other programs, from what everybody may see of it."""
        warm = self._fresh(match_id)
        self._admit(warm.match, player, watches)
        if ending not in warm.match.game.exports:
            raise NotFound(match_id)
        stored = in_chunks(self.store, match_id, 0, warm.match.version)
        return warm.match.game.exports[ending]([(one.parts.type, one.parts.public) for one in stored])


def sample(command: Any, below: Callable[[int], int]) -> Any:
    """A legal command as it can be sent, where the list only says what to fill in."""
    return command.sample(below) if isinstance(command, Template) else command
