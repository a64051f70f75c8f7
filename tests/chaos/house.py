"""A Parlor of real processes to be knocked about: servers, the API, workers, the reconciler, and guests over HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from eventstore.chain import Stored, verify
from eventstore.db import Database
from eventstore.service import Matches
from eventstore.store import EventStore
from tests.api.served import ROOT, Server
from tests.conftest import Servers
from workers.bell import Bell, connect
from workers.presence import workers

PATIENCE = 280.0  # seconds after which something will not happen any more, on a machine however busy


def until(what: Callable[[], Any], seconds: float = PATIENCE, every: float = 0.01) -> Any:
    """What it gives as soon as it gives anything."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(every)
    raise AssertionError(f"waited {seconds:g} s in vain")


class Midway(NamedTuple):
    """A worker in the middle of a turn."""

    process: subprocess.Popen[bytes]
    match: str
    version: int


class House:
    def __init__(self, servers: Servers, folder: pathlib.Path) -> None:
        self.servers, self.folder = servers, folder
        self.database = Database(servers.postgres.url)
        self.matches = Matches(EventStore(self.database), ring=Bell(servers.valkey.url), bot_matches=100_000)
        self.redis = connect(servers.valkey.url)
        self.workers: list[subprocess.Popen[bytes]] = []
        self._others: list[subprocess.Popen[bytes]] = []
        self.api: Server | None = None

    # ── Processes ──

    def _start(self, *module: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "DATABASE_URL": self.servers.postgres.url, "REDIS_URL": self.servers.valkey.url}
        environment |= {"PARLOR_LOG_LEVEL": "error"}
        with (self.folder / "log").open("ab") as log:
            command = [sys.executable, "-m", *module]
            return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)

    def start_api(self) -> None:
        self.api = Server(self.servers, self.folder / "api.log", PARLOR_API_THREADS="8")

    def start_reconciler(self) -> None:
        self._others.append(self._start("api.cli", "reconcile"))

    def start_worker(self, *faults: str) -> None:
        self.workers.append(self._start("tests.chaos.worker", str(self.folder), *faults))

    def until_workers(self, count: int) -> None:
        """So many of those that were started, and still live, have told of themselves."""

        def here() -> bool:
            pids = {str(process.pid) for process in self.workers if process.poll() is None}
            return len({one.name.rpartition(":")[2] for one in workers(self.redis)} & pids) >= count

        until(here, every=0.1)

    def midway(self) -> Midway | None:
        """A worker that has begun a turn and not ended it."""
        for process in self.workers:
            with contextlib.suppress(OSError, ValueError):
                match, version = (self.folder / f"thinking-{process.pid}").read_text().split()
                return Midway(process, match, int(version))
        return None

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.workers.remove(process)
        (self.folder / f"thinking-{process.pid}").unlink(missing_ok=True)

    def freeze(self) -> None:
        for process in (*self.workers, *self._others):
            process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        for process in (*self.workers, *self._others):
            process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        for process in (*self.workers, *self._others):
            process.kill()
            process.wait()
        if self.api is not None:
            self.api.stop()
        self.database.run("DELETE FROM bot_turns")
        self.database.close()

    # ── What became of it ──

    def version(self, match: str) -> int:
        return self.matches.store.head(match).version

    def until_after(self, match: str, version: int) -> None:
        until(lambda: self.version(match) > version)

    def checked_log(self, match: str) -> list[Stored]:
        """The log of a match: without a gap, verified, and one command at a version."""
        events = self.matches.store.read(match)
        assert [event.version for event in events] == list(range(1, len(events) + 1)), "the log has a gap"
        previous = ""
        seen: set[str] = set()
        for event in events:
            if event.command_id != previous:
                assert event.command_id not in seen, f"{event.command_id} was played twice"
                seen.add(event.command_id)
                kind, _, at = event.command_id.partition("/")
                assert kind != "bot" or int(at) == event.version - 1, f"{event.command_id} is not from where it stands"
            previous = event.command_id
        return events


class Guest:
    """Somebody who plays over HTTP."""

    def __init__(self, server: Server, name: str = "Guest") -> None:
        self._server = server
        self._headers: dict[str, str] = {}
        self._headers = {"Authorization": f"Bearer {self.post('/v1/players', name=name)['token']}"}

    def get(self, path: str) -> Any:
        got = self._server.get(path, **self._headers)
        assert got.status == 200, (got.status, got.body[:300])
        return json.loads(got.body)

    def post(self, path: str, /, **body: Any) -> Any:
        headers = {**self._headers, "Content_Type": "application/json"}
        got = self._server.request("POST", path, json.dumps(body).encode() if body else b"", **headers)
        assert got.status in (200, 201), (got.status, got.body[:300])
        return json.loads(got.body)

    def table(self, game: str, *others: dict[str, Any], **more: Any) -> str:
        match: str = self.post("/v1/matches", game=game, seats=[{"kind": "me"}, *others], **more)["id"]
        return match

    def started(self, game: str, *others: dict[str, Any], **more: Any) -> str:
        match = self.table(game, *others, **more)
        self.post(f"/v1/matches/{match}/start")
        return match

    def until_to_act(self, match: str) -> bool:
        """Waits for the others. False if that was the end of the match."""
        until(lambda: self.view(match)["to_act"] in ([0], []))
        return bool(self.view(match)["to_act"])

    def view(self, match: str) -> Any:
        return self.get(f"/v1/matches/{match}")

    def move(self, match: str) -> int:
        """Plays the first command there is. The version after it."""
        command = self.get(f"/v1/matches/{match}/legal")["commands"][0]
        return int(self.post(f"/v1/matches/{match}/commands", **command)["version"])

    def verified(self, match: str) -> None:
        """The chain as a player gets it."""
        got = self._server.get(f"/v1/matches/{match}/events", Accept="application/x-ndjson", **self._headers)
        verify([json.loads(line) for line in got.body.splitlines()])


@contextlib.contextmanager
def house(servers: Servers, folder: pathlib.Path) -> Iterator[House]:
    made = House(servers, folder)
    try:
        yield made
    finally:
        made.stop()
