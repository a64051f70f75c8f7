"""What the benchmarks play on: real servers in a folder that goes away, and matches in which two players roll dice."""

from __future__ import annotations

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bench.figures import ROOT, Tell
from domain.match import Place
from eventstore.db import Database
from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from eventstore.players import Players, hash_of
from eventstore.service import Matches
from eventstore.settings import RATES, Settings, variable
from eventstore.store import EventStore

PATIENCE = 30.0  # seconds a server has to answer, and to end
ROLL = {"type": "roll"}
PLENTY = "1000000000/minute"  # counted like any other limit, and never reached


class Stage(NamedTuple):
    folder: pathlib.Path
    database_url: str
    redis_url: str
    database: Database
    store: EventStore
    matches: Matches
    players: Players
    settings: Settings  # as `parlor serve` would have them on this machine


@contextlib.contextmanager
def stage(tell: Tell) -> Iterator[Stage]:
    """A PostgreSQL with its usual durability and a Valkey, both of this run alone."""
    with contextlib.ExitStack() as stack:
        tell("starting PostgreSQL and Valkey in a temporary folder")
        # Short, because the path of a socket may not be long; readable, because PostgreSQL does not run as root.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-bench-", dir="/tmp"))
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        postgres = Postgres(folder / "postgres")
        stack.callback(postgres.stop)
        valkey = Valkey(folder / "valkey")
        stack.callback(valkey.stop)
        migrate(postgres.url)
        database = Database(postgres.url)
        stack.callback(database.close)
        store = EventStore(database)
        yield Stage(folder, postgres.url, valkey.url, database, store, Matches(store), Players(database), Settings())


# ── HTTP servers ────────────────────────────────────────────────────────────────────────────────────────────────


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def serving(on: Stage, *command: str, **settings: str) -> Iterator[int]:
    """A Python module that serves HTTP, as a process of its own. Gives the port once it answers."""
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": on.database_url,
        "REDIS_URL": on.redis_url,
        "PARLOR_HOST": "127.0.0.1",
        "PARLOR_PORT": str(port),
        "PARLOR_API_PROCESSES": str(on.settings.api_processes),
        "PARLOR_API_THREADS": str(on.settings.api_threads),
        "PARLOR_LOG_LEVEL": "warning",
        **{variable(name): PLENTY for name in RATES},
        **settings,
    }
    log = on.folder / f"server-{port}.log"
    with log.open("wb") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", *command],
            cwd=ROOT,
            env=environment,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches us alone, and we stop it
        )
    try:
        _until_it_answers(process, port, log)
        yield port
    finally:
        end(process)


def _until_it_answers(process: subprocess.Popen[bytes], port: int, log: pathlib.Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/healthz")
            connection.getresponse().read()
            connection.close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the HTTP server did not start: {log.read_text(errors='replace')[-2000:]}")


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    # Its processes share a session, so none of them is left behind if it had to be cut short.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# ── A match of two ──────────────────────────────────────────────────────────────────────────────────────────────


class Player(NamedTuple):
    id: str
    token: str
    token_hash: bytes


def turn_after(seat: int, events: Sequence[Mapping[str, Any]]) -> int:
    """Of two seats the other one throws next, but a new hand is begun from the left of its dealer."""
    for event in events:
        if event["type"] == "hand_dealt":
            return 1 - int(event["public"]["dealer"])
    return 1 - seat


class Rolling:
    """A match of Check and Double Check at which nothing but `roll` is ever sent. It takes tens of thousands."""

    def __init__(self, on: Stage) -> None:
        self._matches = on.matches
        self.players = (_sign_up(on.players, "Ada"), _sign_up(on.players, "Ben"))
        places = [Place("human", one.id, None, "") for one in self.players]
        opened = on.matches.open(
            "check-and-double-check", host=self.players[0].id, seats=places, options={"target": 1000}
        )
        self.id = opened.id
        on.matches.start(self.id, self.players[0].id, self.players[0].token_hash)
        self.sent = 0
        self.look()

    def look(self) -> None:
        """Finds out whose turn it is, after others have played."""
        view, self.version = self._matches.look(self.id, self.players[0].id)
        (self.seat,) = view["to_act"]

    @property
    def mover(self) -> Player:
        return self.players[self.seat]

    def next_key(self) -> str:
        self.sent += 1
        return f"bench-{self.sent}"

    def went(self, version: int, events: Sequence[Mapping[str, Any]]) -> None:
        self.version, self.seat = version, turn_after(self.seat, events)

    def roll(self) -> None:
        """One command through the service, as the API would give it."""
        mover = self.mover
        done = self._matches.play(self.id, mover.id, ROLL, key=self.next_key(), token=mover.token_hash)
        self.went(done.version, done.events)

    def roll_to(self, version: int) -> Rolling:
        while self.version < version:
            self.roll()
        return self


def _sign_up(players: Players, name: str) -> Player:
    player, token = players.sign_up(name)
    return Player(player["id"], token, hash_of(token))
