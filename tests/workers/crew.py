"""Workers for the tests: processes as `parlor serve` runs them, and one in this process."""

from __future__ import annotations

import datetime as dt
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from eventstore.outbox import DUE, Turn
from eventstore.service import Matches
from tests.api.people import Person
from tests.conftest import Servers
from workers.bots import think
from workers.turns import Turns

ROOT = pathlib.Path(__file__).parent.parent.parent


class Crew:
    """Worker and reconciler processes, as `parlor serve` runs them."""

    def __init__(self, servers: Servers) -> None:
        self._environment = {
            **os.environ,
            "DATABASE_URL": servers.postgres.url,
            "REDIS_URL": servers.valkey.url,
            "PARLOR_BOT_GRACE_MS": "300",
            "PARLOR_LOG_LEVEL": "warning",
        }
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self, part: str, **more: str) -> subprocess.Popen[bytes]:
        environment = {**self._environment, **more}
        process = subprocess.Popen([sys.executable, "-m", "api.cli", part], cwd=ROOT, env=environment)
        self.running.append(process)
        return process

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


def wait_for(what: Callable[[], Any], seconds: float = 240) -> Any:
    """What it gives as soon as it gives anything, on a machine however busy."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def bots_only(
    ann: Person, game: str = "quenette", seats: int = 3, levels: Sequence[str] = ("random",), **options: Any
) -> str:
    bots = [{"kind": "bot", "level": levels[n % len(levels)]} for n in range(seats)]
    body = {"game": game, "seats": bots, "options": options}
    match: str = ann.post("/v1/matches", json=body).get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    return match


def due_turn(matches: Matches, match: str, now: dt.datetime | None = None) -> Turn | None:
    """The turn of this match that a worker could take, now or at another time."""
    # Asked of the database: matches that other tests have left have turns by the hundred.
    rows = matches.store.database.run(
        f"SELECT * FROM ({DUE}) AS due WHERE match_id = %(match)s LIMIT 1",
        {"now": now or dt.datetime.now(dt.UTC), "limit": 10_000, "match": match},
    )
    return Turn(str(rows[0][0]), *rows[0][1:]) if rows else None


def play_bots(matches: Matches, match: str, thinker: Any = think) -> None:
    """Plays whatever bots are to act in this match, and in no other. It is a minute later here, so that bots which take
    a while are ready."""

    def now() -> dt.datetime:
        return dt.datetime.now(dt.UTC) + dt.timedelta(minutes=1)

    turns = Turns(matches, thinker, now=now)
    while turn := due_turn(matches, match, now()):
        assert turns.take(turn)
