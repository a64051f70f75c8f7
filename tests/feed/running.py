"""Sixteen writers and a reader, while the database is restarted, and moved to another cluster by dump and restore.

A quarter of the writers dawdle between their first write and the commit, so that transactions end in another order than
they begin. The reader keeps nothing but the text of its position, and begins anew with it again and again.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import pathlib
import random
import subprocess
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any

import psycopg

from domain import match
from domain.games import BY_SLUG
from domain.wire import Parts
from eventstore.chain import Stored
from eventstore.db import TIMEOUT, Database, Line
from eventstore.embedded import Postgres, postgres_program
from eventstore.errors import Conflict, NotFound, Unavailable
from eventstore.feed import Feed, PostgresNode, read_position
from eventstore.migrate import APP, migrate
from eventstore.store import EventStore

WRITERS = 16
BATCH = 10  # events of a command
SEED = bytes(32)
AWAY = (Unavailable, psycopg.OperationalError)


class World:
    """A database that comes and goes, and may come back somewhere else."""

    def __init__(self, folder: pathlib.Path, target: int, batch: int = BATCH) -> None:
        self._folder = folder
        self._clusters = 0
        self.target, self.batch = target, batch
        self.postgres = self._cluster()
        migrate(self.postgres.url)
        self.database = Database(self.postgres.app_url)
        self.open_to_writers = threading.Event()
        self.open_to_writers.set()
        self.at_work = Counter[int]()
        self.written: dict[str, int] = {}  # the version that each match was brought to, for certain
        self.done = threading.Event()
        self.last = 0  # when all is done: the number of a transaction after all others

    def _cluster(self) -> Postgres:
        self._clusters += 1
        return Postgres(self._folder / f"cluster{self._clusters}")

    @property
    def total(self) -> int:
        return sum(self.written.copy().values())

    def restart(self) -> None:
        """As when the power fails."""
        self.postgres.stop("immediate")
        self.postgres.start()

    def move(self) -> None:
        """To a new cluster, whose transactions are numbered from the beginning."""
        with self._stopped():
            old, new = self.postgres, self._cluster()
            dump = self._folder / "dump"
            with psycopg.connect(new.url) as connection:
                connection.execute(f"CREATE ROLE {APP} LOGIN".encode())
            _run("pg_dump", "-Fc", "-f", str(dump), old.url)
            _run("pg_restore", "--exit-on-error", "-d", new.url, str(dump))
            self.database.close()
            old.stop("immediate")
            migrate(new.url)
            self.postgres, self.database = new, Database(new.app_url)

    @contextlib.contextmanager
    def _stopped(self) -> Iterator[None]:
        self.open_to_writers.clear()
        while any(self.at_work.values()):
            time.sleep(0.01)
        yield
        self.open_to_writers.set()

    def finish(self) -> None:
        """Nobody writes any more. What a statement that nobody waits for has brought about counts as written too."""
        self.last = int(self.database.run("SELECT pg_current_xact_id()::text")[0][0])
        self.done.set()

    def kept(self) -> dict[str, int]:
        """What is there in the end."""
        return {str(row[0]): row[1] for row in self.database.run("SELECT match_id, version FROM matches")}

    def stop(self) -> None:
        self.database.close()
        self.postgres.stop("immediate")


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run([postgres_program(program), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _stored(version: int) -> Stored:
    at = dt.datetime.now(dt.UTC)
    return Stored(version, Parts("noted", {"note": version}, {}), 1, "seat:0", "test", at, b"hash")


def _new_match() -> match.Match:
    host = str(uuid.uuid4())
    seats = (match.Place("human", host, None, ""), match.Place("open", None, None, ""))
    game = BY_SLUG["quenette"]
    return match.open_match(game, str(uuid.uuid4()), host=host, seats=seats, options={}, seed=SEED).match


_DAWDLING: Any = """
WITH head AS (UPDATE matches SET version = version + %(n)s WHERE match_id = %(id)s AND version = %(at)s RETURNING match_id)
INSERT INTO events (match_id, version, type, schema, public, actor, command_id, at, hash)
SELECT match_id, %(at)s + n, 'noted', 1, '{}', 'seat:0', 'test', now(), 'hash'
FROM head, generate_series(1, %(n)s) AS n
"""


def write(world: World, number: int) -> None:
    """Brings matches forward until enough is written, whatever becomes of the database meanwhile."""
    rng, dawdles = random.Random(number), number % 4 == 0
    m = _new_match()
    while world.total < world.target:
        world.open_to_writers.wait()
        world.at_work[number] = 1
        try:
            if world.open_to_writers.is_set():
                m = _step(world, m, rng, dawdles)
        except (*AWAY, Conflict):
            with contextlib.suppress(*AWAY):
                m = _as_it_is(world, m)
            time.sleep(0.05)
        finally:
            world.at_work[number] = 0


def _step(world: World, m: match.Match, rng: random.Random, dawdles: bool) -> match.Match:
    store = EventStore(world.database)
    if m.version == 1 and m.id not in world.written:
        store.open(m, SEED, [_stored(1)])
    after = m._replace(version=m.version + rng.randint(1, world.batch))
    if dawdles:
        told = {"id": m.id, "at": m.version, "n": after.version - m.version}
        line = Line(world.postgres.app_url, TIMEOUT)
        with line.connection, line.connection.transaction():
            if not line.connection.execute(_DAWDLING, told).rowcount:
                raise Conflict  # a commit that nobody heard of had brought it further
            time.sleep(rng.random() / 100)
    else:
        store.append(m, after, [_stored(version) for version in range(m.version + 1, after.version + 1)])
    world.written[m.id] = after.version
    return after


def _as_it_is(world: World, m: match.Match) -> match.Match:
    """What the database has of a match after a commit whose outcome nobody knows."""
    try:
        version = EventStore(world.database).head(m.id).version
    except NotFound:
        return m
    world.written[m.id] = version
    return m._replace(version=version)


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Reader:
    """Follows the feed, and objects to whatever is missing, late or repeated."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.seen: dict[str, int] = {}
        self.position: str | None = None
        self.objections: list[str] = []
        self.kept: dict[str, int] = {}  # what there was to be read

    def run(self) -> None:
        while True:
            finished = self._world.done.is_set()
            try:
                feed = Feed([PostgresNode(self._world.database)])
                feed.check(self.position)
                reached = read_position(feed.end())["0"].tx
                read = self._follow(feed)
            except AWAY:
                time.sleep(0.05)
                continue
            if (finished and not read and reached > self._world.last) or self.objections:
                self.kept = self._world.kept()
                return

    def _follow(self, feed: Feed) -> int:
        """So many pages as one process reads before the next one takes over."""
        read = 0
        for _ in range(20):
            items = feed.read(self.position, 500)
            for item in items:
                match_id, version = item.entry.match_id, item.entry.stored.version
                expected = self.seen.get(match_id, 0) + 1
                if version != expected:
                    self.objections.append(f"match {match_id}: version {version} came in place of {expected}")
                self.seen[match_id] = version
                self.position = item.position
            read += len(items)
            if not items:
                break
        return read


def run(folder: pathlib.Path, events: int, batch: int = BATCH) -> tuple[World, Reader]:
    """Writes and reads so many events, with a restart after each quarter and a new cluster in the middle."""
    world = World(folder, events, batch)
    reader = Reader(world)
    threads = [threading.Thread(target=write, args=(world, number)) for number in range(WRITERS)]
    reading = threading.Thread(target=reader.run)
    try:
        for thread in (reading, *threads):
            thread.start()
        for quarter, happens in ((1, world.restart), (2, world.move), (3, world.restart)):
            while world.total < events * quarter // 4:
                time.sleep(0.02)
            happens()
        for thread in threads:
            thread.join()
        world.finish()
        reading.join()
    finally:
        world.target = 0
        world.open_to_writers.set()
        world.done.set()
        for thread in (*threads, reading):
            thread.join(30)
        world.stop()
    return world, reader
