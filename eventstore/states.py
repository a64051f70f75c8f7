"""The states of matches: folded from the log, and kept warm by the process that serves them.

A command on a warm match reads nothing before it appends. If another process was faster the append says so, and the
missing events are fetched.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import types
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain import editions, log, match
from domain.game import Seat
from domain.games import BY_SLUG, EDITIONS
from domain.match import Match, MatchView
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts, load_event
from eventstore.chain import Stored, instant
from eventstore.errors import CorruptStream, NotFound, OfLaterRelease
from eventstore.outbox import Deadlines
from eventstore.past import EVERY, Past
from eventstore.snapshots import opened, sealed
from eventstore.store import EventStore, Row

logger = logging.getLogger("parlor.matches")

NO_SECRETS: Final[dict[str, Any]] = {}
EVENTS_WORTH_A_SNAPSHOT: Final = 400
EVENTS: Final = {key: match.event_classes(game) for key, game in EDITIONS.items()}


class Warm(NamedTuple):
    """A match as this process last saw it."""

    match: Match
    seed: bytes
    hash: bytes
    deadlines: Deadlines
    hooked: bool = False  # somebody whom it concerns has a webhook


class News(NamedTuple):
    """What was appended to a match: all that somebody who knows it up to there needs, to know it as it stands now."""

    version: int
    before: bytes | None  # the hash of the event before these, if it is there
    events: Sequence[Stored]
    deadlines: Deadlines
    hooked: bool


def _entry(game: str, row: Row) -> log.Entry:
    kind, schema, public, secret, actor = row
    if schema == SCHEMA:
        return kind, public, secret or NO_SECRETS, actor
    return *upcast(game, Parts(kind, public, secret or NO_SECRETS), schema), actor


def _opened(game: str, first: log.Entry) -> Match:
    _, public, secret, _ = first
    try:
        return match.opened(BY_SLUG[game], load_event(match.MatchOpened, public, secret))
    except editions.OfLaterRelease as error:
        raise OfLaterRelease(str(error)) from None


NO_TIMES: Final[Mapping[Seat, dt.datetime]] = types.MappingProxyType({})


class Stand(NamedTuple):
    """A match as it stands, until when each seat that is to act has time, and what its players are called."""

    match: Match
    deadlines: Mapping[Seat, dt.datetime]
    names: match.Names

    def view(self, seat: Seat | None, rematch: str | None = None) -> MatchView:
        told = {seat: instant(at) for seat, at in self.deadlines.items()}
        return match.view(self.match, seat, self.names, told, rematch)


class States:
    """Matches as they stand, from the cache of this process or from the log."""

    def __init__(
        self,
        store: EventStore,
        *,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        newest: Callable[[str], int] = lambda match_id: 0,
        cache_size: int = 2000,
    ) -> None:
        self.store = store
        self.now = now
        self._newest = newest  # which version of a match others are known to have come to
        self._cache: OrderedDict[str, Warm] = OrderedDict()
        self._cache_size = cache_size
        self._behind: OrderedDict[str, Match] = OrderedDict()  # as those see them who see them later
        self._past = Past()
        self._lock = threading.Lock()
        self._losses = store.losses

    def names(self, m: Match) -> match.Names:
        """What those at the table are called today."""
        return self.store.names.of(match.people(m))

    def known(self, match_id: str) -> Warm | None:
        """The match as this process knows it, if it does."""
        return self._cache.get(match_id)

    def forget(self, match_id: str) -> None:
        with self._lock:
            self._cache.pop(match_id, None)
            self._behind.pop(match_id, None)
        self._past.forget(match_id)

    def remember(self, warm: Warm) -> Warm:
        with self._lock:
            known = self._cache.get(warm.match.id)
            if known is None or known.match.version <= warm.match.version:
                self._cache[warm.match.id] = warm
            self._cache.move_to_end(warm.match.id)
            if len(self._cache) > self._cache_size:
                self._cache.popitem(last=False)
        return warm

    def warm(self, match_id: str) -> Warm:
        """The match as this process knows it; perhaps not the newest version."""
        if self._losses != (losses := self.store.losses):
            # The database may be another one by now, or have lost what came last.
            with self._lock:
                self._losses = losses
                self._cache.clear()
                self._behind.clear()
            self._past.clear()
        known = self._cache.get(match_id)
        # Where somebody has gone on, it costs less to ask than to be refused by the append.
        return known if known is not None and known.match.version >= self._newest(match_id) else self.fresh(match_id)

    def fresh(self, match_id: str) -> Warm:
        """The match at its newest version."""
        known = self._cache.get(match_id)
        if known is None:
            return self._load(match_id)
        tail = self.store.tail(match_id, known.match.version)
        if tail.before != known.hash:
            logger.error("the log of %s is no longer the one that was known, as after a restore", match_id)
            self.forget(match_id)
            return self._load(match_id)
        if not tail.events:
            # Instants can change without an event, where a clock was set back, and webhooks come at any time.
            now = known._replace(deadlines=tail.head.deadlines, hooked=tail.head.hooked)
            return known if known == now else self.remember(now)
        folded = self._folded(tail.head.game, known.match, tail.events)
        self._complete(folded, tail.head.version)
        return self.remember(Warm(folded, tail.head.seed, tail.hash, tail.head.deadlines, tail.head.hooked))

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
        return self.remember(Warm(now, head.seed, digest, head.deadlines, head.hooked))

    @staticmethod
    def _complete(now: Match, version: int) -> None:
        if now.version != version:
            raise CorruptStream(f"the log of match {now.id} ends at version {now.version} instead of {version}")

    def _from_snapshot(
        self, match_id: str, game: str, seed: bytes, upto: int, worth: int | None = None
    ) -> Match | None:
        if upto < (EVENTS_WORTH_A_SNAPSHOT if worth is None else worth):
            return None
        kept = self.store.snapshot(match_id, [one.version for one in editions.editions(BY_SLUG[game])], upto)
        if kept is None:
            return None
        try:
            found = opened(kept, match_id, seed)
            if found is not None and found.version > upto:
                raise ValueError("a snapshot of a later version")
        except Exception as error:
            # A cache that cannot be read is no cache: the log has it all.
            logger.warning("snapshot of %s cannot be read: %s", match_id, error)
            return None
        return found

    @staticmethod
    def _each(game: str, now: Match | None, entries: Iterator[log.Entry]) -> Iterator[log.Moment]:
        """The match after each of these entries of the log."""
        if now is None:
            now = _opened(game, next(entries))
            yield log.moment(now)
        yield from log.steps(now, EVENTS[now.game.slug, now.game.version], entries)

    @staticmethod
    def _folded(game: str, now: Match | None, rows: Iterable[Row]) -> Match:
        """The match after these rows of the log."""
        entries = iter([_entry(game, row) for row in rows])
        if now is None:
            now = _opened(game, next(entries))
        return log.fold(now, EVENTS[now.game.slug, now.game.version], entries)

    def at_version(self, match_id: str, version: int) -> Match:
        """The match as it stood at an earlier version."""
        warm = self.fresh(match_id)
        if not 1 <= version <= warm.match.version:
            raise NotFound(f"version {version}")
        if version == warm.match.version:
            return warm.match
        game = warm.match.game.slug
        now = self._past.before(match_id, version) or self._from_snapshot(match_id, game, warm.seed, version, EVERY)
        done = now.version if now else 0
        rows = self.store.rows(match_id, done, version)[0]
        passed = []
        for checkpoint in range(done - done % EVERY + EVERY, version + 1, EVERY):
            now = self._folded(game, now, rows[: checkpoint - done])
            self._complete(now, checkpoint)
            rows, done = rows[checkpoint - done :], checkpoint
            passed.append(now)
        self._mark(passed, warm.seed)
        return self._folded(game, now, rows) if now is None or rows else now

    def _mark(self, passed: list[Match], seed: bytes) -> None:
        """Leaves checkpoints on the way for the next who comes by."""
        for then in passed:
            self._past.keep(then)
        if passed:
            states = [(then.version, sealed(then, seed)) for then in passed]
            self.store.keep_snapshots(passed[0].id, passed[0].game.version, states)

    def stand(self, m: Match) -> Stand:
        """With the deadlines of an earlier version: they count from the events that gave the seats their turns."""
        waiting = match.waiting_humans(m) if m.turn_seconds is not None else []
        if not waiting or m.turn_seconds is None:
            return self.stands(m)
        began = self.store.moments(m.id, [m.since[seat] for seat in waiting])
        time = dt.timedelta(seconds=m.turn_seconds)
        return self.stands(m, {seat: began[m.since[seat]] + time for seat in waiting})

    def stands(self, m: Match, deadlines: Mapping[Seat, dt.datetime] = NO_TIMES) -> Stand:
        return Stand(m, deadlines, self.names(m))

    def behind(self, warm: Warm, version: int) -> Match:
        """The match at an earlier version that moves on with it: what is new to it is folded, and no more."""
        now = warm.match
        if version == now.version:
            return now
        known = self._behind.get(now.id)
        if known is None or known.version > version:
            known = self._from_snapshot(now.id, now.game.slug, warm.seed, version)
        rows = self.store.rows(now.id, known.version if known else 0, version)[0]
        found = self._folded(now.game.slug, known, rows)
        with self._lock:
            self._behind[now.id] = found
            self._behind.move_to_end(now.id)
            if len(self._behind) > self._cache_size:
                self._behind.popitem(last=False)
        return found
