"""The store alone, one client: appends a second against the same statement in pgbench, and against `eventsourcing`."""

from __future__ import annotations

import datetime as dt
import os
import re
import subprocess
import time
from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.adapt import PyFormat, Transformer

from bench import peer
from bench.figures import Figure, Part, Tell, in_turns, ratio, skipped
from bench.stage import Rolling, Stage
from domain.match import Match
from domain.upcast import SCHEMA
from domain.wire import Parts
from eventstore.chain import GENESIS, Stored, chained
from eventstore.db import Database
from eventstore.embedded import postgres_program
from eventstore.store import EventStore, Receipt

GOAL_PGBENCH, GOAL_PEER = 0.6, 3.0
AGAINST_PGBENCH = "store appends/s against pgbench with the same statement"
AGAINST_PEER = "store appends/s against `eventsourcing` saving one event"

# What a throw usually leads to: two events.
THROW = (
    Parts(
        "dice_rolled",
        {
            "seat": 0,
            "faces": [3, 4],
            "kind": "sum",
            "number": 7,
            "draw": {"n": 12, "kind": "dice", "size": [2, 6], "result": [3, 4]},
        },
        {},
    ),
    Parts("cards_discarded", {"number": 7, "seats": [0, 1]}, {}),
)


def figures(on: Stage, tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    ours = Appending(on.store, on)
    bench = Pgbench(on)
    tell(f"store against pgbench: {rounds} rounds of {seconds:g} s for each of the two")
    ours.run(1)
    bench.run(1)
    measured = in_turns(lambda: ours.run(seconds), lambda: bench.run(seconds), rounds)
    labels = ("EventStore.append, two events", "pgbench, one client")
    found = [ratio(AGAINST_PGBENCH, measured, labels, "/s", GOAL_PGBENCH)]
    if peer.MISSING:
        return [*found, skipped(AGAINST_PEER, GOAL_PEER, "at least", peer.MISSING)]
    with peer.application(on) as theirs:
        save = peer.saver(theirs)
        tell(f"store against `eventsourcing`: {rounds} rounds of {seconds:g} s for each of the two")
        per_second(save, 1)
        plain = Appending(on.store, on, plain=True)
        plain.run(1)
        measured = in_turns(lambda: plain.run(seconds), lambda: per_second(save, seconds), rounds)
    labels = ("EventStore.append, one event", "Application.save, one event")
    whole = Part("a whole command: two events, receipt, token", ours.run(seconds), "/s")
    return [*found, ratio(AGAINST_PEER, measured, labels, "/s", GOAL_PEER, more=[whole])]


def per_second(work: Callable[[], Any], seconds: float) -> float:
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        work()
        done += 1
    return done / (time.perf_counter() - start)


class Appending:
    """One stream, command after command: the chain, the receipt, the check of the token, and the append.

    A plain append is one event with its link of the chain, which is what other stores mean by saving an event.
    """

    def __init__(self, store: EventStore, on: Stage, *, plain: bool = False) -> None:
        table = Rolling(on)
        self._store, self._player, self._plain = store, table.players[0], plain
        # What is appended does not fit the rules, but the store does not ask.
        self.match: Match = on.matches.at_version(table.id, table.version)
        self._seed, self._hash = bytes(32), GENESIS

    def append(self) -> None:
        before = self.match
        command_id, at = f"0/bench-{before.version}", dt.datetime.now(dt.UTC)
        events, previous = [], self._hash
        for version, parts in enumerate(THROW[:1] if self._plain else THROW, before.version + 1):
            stored = Stored(version, parts, SCHEMA, "seat:0", command_id, at, b"")
            events.append(chained(previous, self._seed, before.id, stored))
            previous = events[-1].hash
        after = before._replace(version=events[-1].version)
        if self._plain:
            self._store.append(before, after, events)
        else:
            receipt = Receipt(command_id, previous)
            self._store.append(before, after, events, receipt=receipt, token=self._player.token_hash)
        self.match, self._hash = after, previous

    def run(self, seconds: float) -> float:
        return per_second(self.append, seconds)


# ── The same statement without us ───────────────────────────────────────────────────────────────────────────────


class _Overheard(Database):
    """Stands in for the database to hear which statement the store sends."""

    def __init__(self) -> None:
        self.query, self.params = "", dict[str, Any]()

    def run(self, query: Any, params: Any = None) -> list[tuple[Any, ...]]:
        self.query, self.params = query, params
        return [(1, False)]


# What moves from one append to the next; pgbench counts it up. All other values are sent anew each time as they are.
COUNTED = {
    "expected": ":expected::int",
    "last": ":last::int",
    "command_id": "('0/pgbench-' || :expected::text)",
}
COUNTING = "\\set expected :last\n\\set last :expected + 2\n"
# psycopg tells the server these types; pgbench sends mere text.
CASTS = {int: "::int", bytes: "::bytea", dt.datetime: "::timestamptz"}


class Pgbench:
    """pgbench with the statement of the store, on a stream of its own."""

    def __init__(self, on: Stage) -> None:
        overheard = _Overheard()
        appending = Appending(EventStore(overheard), on)
        self._url, self._id, self._version = on.database_url, appending.match.id, appending.match.version
        appending.append()
        self._script = on.folder / "append.sql"
        self._script.write_text(script(overheard.query, overheard.params))
        self._constants = self._texts(overheard.params)

    def _texts(self, params: dict[str, Any]) -> list[str]:
        with psycopg.connect(self._url) as connection:
            kept = [(name, value) for name, value in params.items() if name not in COUNTED and value is not None]
            adapter = Transformer(connection)
            texts = [(name, bytes(adapter.get_dumper(value, PyFormat.TEXT).dump(value) or b"")) for name, value in kept]
        return [f"{name}={text.decode()}" for name, text in texts]

    def run(self, seconds: float) -> float:
        variables = [*self._constants, f"last={self._version}"]
        command = [postgres_program("pgbench"), "-n", "-c1", "-j1", "-Mprepared", f"-T{max(1, round(seconds))}"]
        command += [part for variable in variables for part in ("-D", variable)]
        # As the application's role, which has the same checks to pass.
        environment = {**os.environ, "PGOPTIONS": "-c role=parlor_app"}
        told = subprocess.run(
            [*command, f"-f{self._script}", self._url], env=environment, capture_output=True, text=True, check=False
        )
        if told.returncode:
            raise RuntimeError(f"pgbench failed: {told.stderr[-1000:]}")
        self._check(int(_found(r"actually processed: (\d+)", told.stdout)))
        return float(_found(r"tps = ([\d.]+)", told.stdout))

    def _check(self, transactions: int) -> None:
        """Each of them must have moved the head and left two events, or the comparison would be worth nothing."""
        with psycopg.connect(self._url) as connection:
            query = (
                "SELECT m.version, count(*) FROM matches m JOIN events USING (match_id) "
                "WHERE match_id = %s GROUP BY m.version"
            )
            row = connection.execute(query, (self._id,)).fetchone()
        self._version += 2 * transactions
        assert row == (self._version, self._version), f"pgbench left {row}, not {self._version} events"


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, f"pgbench did not say {pattern}: {text}"
    return found[1]


def script(query: str, params: dict[str, Any]) -> str:
    """The statement for pgbench: counters where something moves, variables where it does not."""

    def variable(found: re.Match[str]) -> str:
        name = found[1]
        if name in COUNTED:
            return COUNTED[name]
        value = params[name]
        return "NULL" if value is None else f":{name}{CASTS.get(type(value), '')}"

    return COUNTING + re.sub(r"%\((\w+)\)s", variable, query.strip()) + ";\n"
