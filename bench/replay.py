"""Replay: fetch, decode and fold a long stream, against `eventsourcing` rebuilding an aggregate of as many events."""

from __future__ import annotations

from typing import Any

from bench import peer
from bench.figures import Figure, Part, Tell, in_turns, ratio, skipped
from bench.stage import Rolling, Stage
from bench.store import per_second
from eventstore.service import Matches
from eventstore.store import EventStore

EVENTS = 2000
GOAL = 4.0
NAME = "replayed events/s against `eventsourcing`"


class WithoutSnapshots(EventStore):
    """Every replay starts from the first event."""

    def snapshot(self, match_id: str, rules_version: int, upto: int = 0) -> Any | None:
        return None

    def keep_snapshot(self, match_id: str, version: int, rules_version: int, state: Any) -> None:
        pass


def figures(on: Stage, tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    if peer.MISSING:
        return [skipped(NAME, GOAL, "at least", peer.MISSING)]
    tell(f"replay: playing a match to version {EVENTS:,}")
    table = Rolling(on).roll_to(EVENTS)
    store = WithoutSnapshots(on.database)

    def replay() -> None:
        # A service of its own each time: nothing is cached.
        view, version = Matches(store).look(table.id, table.players[0].id)
        assert version == view["version"] == table.version

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
    return [
        ratio(NAME, measured, labels, "events/s", GOAL, more=[Part("length of the stream", table.version, "events")])
    ]
