"""Replay: a long stream folded, looked into at any version, and told step by step with all views.

Folding is measured against `eventsourcing` rebuilding an aggregate of as many events, the others against ourselves.
"""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from bench import peer
from bench.figures import Figure, Part, Tell, in_turns, ratio, skipped
from bench.stage import Rolling, Stage
from bench.store import per_second
from eventstore.service import Matches
from eventstore.store import EventStore

EVENTS, SHORT = 2000, 200
GOAL = 4.0
NAME = "replayed events/s against `eventsourcing`"
ACCESS = f"time to look into a match of {EVENTS:,} events against one of {SHORT}"
ACCESS_GOAL = 1.5
LOOKS = 40  # at versions drawn by lot, in one round
WHOLE = "time of a whole replay with all views against the plain fold"
WHOLE_GOAL = 3.0


class WithoutSnapshots(EventStore):
    """Every replay starts from the first event."""

    def snapshot(self, match_id: str, rules_versions: Sequence[int], upto: int = 0) -> Any | None:
        return None

    def keep_snapshots(self, match_id: str, rules_version: int, states: Any) -> None:
        pass


def figures(on: Stage, tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    tell(f"replay: playing a match to version {EVENTS:,}")
    table = Rolling(on).roll_to(EVENTS)
    return [_folded(on, table, tell, seconds, rounds), _looked_into(on, table, tell, rounds), _told(on, table, rounds)]


def _folded(on: Stage, table: Rolling, tell: Tell, seconds: float, rounds: int) -> Figure:
    if peer.MISSING:
        return skipped(NAME, GOAL, "at least", peer.MISSING)
    replay = _plain(on, table)
    with peer.application(on) as app:
        aggregate = peer.aggregate(app, table.version)

        def rebuild() -> None:
            assert app.repository.get(aggregate).version == table.version

        tell(f"replay: {rounds} rounds of {seconds:g} s for each of the two")
        replay()
        rebuild()
        measured = in_turns(
            lambda: table.version * per_second(replay, seconds),
            lambda: table.version * per_second(rebuild, seconds),
            rounds,
        )
    labels = ("Matches.look, nothing cached", "repository.get")
    return ratio(NAME, measured, labels, "events/s", GOAL, more=[Part("length of the stream", table.version, "events")])


def _plain(on: Stage, table: Rolling) -> Callable[[], None]:
    store = WithoutSnapshots(on.database)

    def replay() -> None:
        # A service of its own each time: nothing is cached.
        view, version = Matches(store).look(table.id, table.players[0].id)
        assert version == view["version"] == table.version

    return replay


def _looked_into(on: Stage, table: Rolling, tell: Tell, rounds: int) -> Figure:
    """By a process that knows neither match; checkpoints were left by whoever looked before."""
    tell(f"replay: looking into matches of {EVENTS:,} and {SHORT} events")
    lots = random.Random("looking back")
    short = Rolling(on).roll_to(SHORT)

    def look(at: Rolling) -> float:
        versions = [lots.randint(5, at.version) for _ in range(LOOKS)]
        began = time.perf_counter()
        for version in versions:
            Matches(on.store).look(at.id, at.players[0].id, at=version)
        return (time.perf_counter() - began) / LOOKS * 1000

    look(table), look(short)
    measured = in_turns(lambda: look(table), lambda: look(short), rounds)
    labels = (f"a look into {table.version:,} events", f"into {short.version}")
    return ratio(ACCESS, measured, labels, "ms", ACCESS_GOAL, "at most")


def _told(on: Stage, table: Rolling, rounds: int) -> Figure:
    fold = _plain(on, table)

    def told() -> float:
        began = time.perf_counter()
        deque(Matches(on.store).replay(table.id, table.players[0].id), maxlen=0)
        return (time.perf_counter() - began) * 1000

    def folded() -> float:
        began = time.perf_counter()
        fold()
        return (time.perf_counter() - began) * 1000

    told(), folded()
    measured = in_turns(told, folded, rounds)
    labels = ("Matches.replay: events, sentences, views", "Matches.look, nothing cached")
    return ratio(WHOLE, measured, labels, "ms", WHOLE_GOAL, "at most")
