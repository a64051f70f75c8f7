"""Bots in the background, on real servers: nothing that dies on the way freezes a match or plays twice."""

from __future__ import annotations

import datetime as dt
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import flask.testing
import pytest
import redis
import rq
from rq.serializers import JSONSerializer

from api.app import Services
from eventstore.chain import verify
from eventstore.service import Matches
from tests.api.people import Person, play_on, table
from tests.conftest import Servers
from workers import jobs
from workers.bell import QUEUE, bots_queue, connect, worker
from workers.reconciler import Reconciler

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

    def start(self, part: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen([sys.executable, "-m", "api.cli", part], cwd=ROOT, env=self._environment)
        self.running.append(process)
        return process

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()


@pytest.fixture
def crew(servers: Servers) -> Iterator[Crew]:
    made = Crew(servers)
    yield made
    made.stop()


@pytest.fixture
def ann(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Ann")


def wait_for(what: Callable[[], Any], seconds: float = 60) -> Any:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def bots_only(ann: Person, game: str = "quenette", seats: int = 3, **options: Any) -> str:
    body = {"game": game, "seats": [{"kind": "bot"}] * seats, "options": options}
    match: str = ann.post("/v1/matches", json=body).get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    return match


def over(ann: Person, match: str) -> bool:
    return bool(ann.view(match)["status"] == "over")


def check_log(ann: Person, match: str) -> list[dict[str, Any]]:
    """The log has no gap, verifies, and holds each bot command once."""
    answer = ann.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"})
    events = [json.loads(line) for line in answer.data.splitlines()]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    verify(events)
    return events


def test_bots_play_a_whole_match_by_themselves(ann: Person, crew: Crew) -> None:
    crew.start("worker")
    match = bots_only(ann)
    wait_for(lambda: over(ann, match))
    check_log(ann, match)


def test_a_person_plays_against_bots(ann: Person, crew: Crew) -> None:
    crew.start("worker")
    crew.start("reconcile")
    match = table([ann], bots=2, hands=1)

    def next_move() -> bool:
        view = ann.view(match)
        if view["to_act"] == [0]:
            assert ann.play(match, ann.legal(match)[0]).status_code == 200
        return bool(view["status"] == "over")

    wait_for(next_move)
    check_log(ann, match)


def test_killed_workers_and_a_flushed_redis_freeze_nothing(ann: Person, crew: Crew, servers: Servers) -> None:
    crew.start("reconcile")
    matches = [bots_only(ann, "check-and-double-check", 2, target=25) for _ in range(4)]
    bell = redis.Redis.from_url(servers.valkey.url)
    for _ in range(4):
        worker = crew.start("worker")
        time.sleep(1.2)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
        bell.flushall()
    crew.start("worker")
    wait_for(lambda: all(over(ann, match) for match in matches), 120)
    for match in matches:
        check_log(ann, match)


def test_redis_away_lets_play_go_on_and_bots_catch_up(ann: Person, crew: Crew, servers: Servers) -> None:
    match = table([ann], bots=1, hands=1, first_dealer=1)
    servers.valkey.stop()
    try:
        assert ann.view(match)["to_act"] == [0]
        assert ann.play(match, ann.legal(match)[0]).status_code == 200
        assert ann.get("/readyz").get_json()["redis"] == "away"
    finally:
        servers.valkey.start()
    crew.start("worker")
    crew.start("reconcile")
    version = ann.view(match)["version"]
    wait_for(lambda: ann.view(match)["version"] > version)


def test_a_duplicate_or_late_job_changes_nothing(ann: Person, parlor: Services) -> None:
    jobs.prepare(Matches(parlor.matches.store))
    match = table([ann], bots=1, hands=1, first_dealer=0)
    jobs.play_bots(match)
    version = ann.view(match)["version"]
    jobs.play_bots(match)
    jobs.play_bots(match)
    assert ann.view(match)["version"] == version


def test_a_bot_that_keeps_failing_falls_back_and_an_event_says_so(
    ann: Person, parlor: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PM-10"""
    jobs.prepare(Matches(parlor.matches.store))

    def broken(*_: Any) -> Any:
        raise RuntimeError("no idea")

    monkeypatch.setattr(jobs, "think", broken)
    match = table([ann], bots=1, hands=1, first_dealer=0)
    for _ in range(jobs.STARTS_BEFORE_FALLING_BACK):
        with pytest.raises(RuntimeError):
            jobs.play_bots(match)
    assert ann.view(match)["to_act"] == [1]
    jobs.play_bots(match)
    events = check_log(ann, match)
    assert [event["type"] for event in events[-2:]] == ["bot_fell_back", "card_played"]
    assert ann.view(match)["to_act"] == [0]


def test_the_reconciler_rings_for_what_was_forgotten(ann: Person, parlor: Services, servers: Servers) -> None:
    connection = connect(servers.valkey.url)
    reconciler = Reconciler(Matches(parlor.matches.store), bots_queue(connection))
    match = table([ann], bots=1, hands=1, first_dealer=0)
    connection.flushall()
    wait_for(lambda: reconciler.sweep() and any(match in job for job in bots_queue(connection).get_job_ids()), 5)
    job = bots_queue(connection).jobs[0]
    assert job.func_name == "workers.jobs.play_bots"
    connection.flushall()


def test_two_reconcilers_never_ring_for_the_same_turn(ann: Person, parlor: Services) -> None:
    for _ in range(6):
        table([ann], bots=1, hands=1, first_dealer=0)
    later = dt.datetime.now(dt.UTC) + dt.timedelta(minutes=1)
    with ThreadPoolExecutor(8) as pool:
        found = [
            turn for turns in pool.map(lambda _: parlor.matches.store.ring_again(later), range(8)) for turn in turns
        ]
    assert len(found) == len(set(found)) >= 6


def test_a_bot_sees_only_what_its_seat_sees(ann: Person, parlor: Services) -> None:
    seen: list[dict[str, Any]] = []

    def look(level: str, view: dict[str, Any], legal: Any) -> Any:
        seen.append(view)
        return legal[0]

    match = table([ann], bots=1, hands=1, first_dealer=0)
    Matches(parlor.matches.store).bot_turn(match, look)
    text = repr(seen[0])
    assert seen[0]["you"] == 1
    assert not any(repr(card) in text or f"'{card}'" in text for card in ann.view(match)["table"]["hand"])


def test_the_outbox_is_empty_when_no_bot_is_to_act(ann: Person, parlor: Services) -> None:
    jobs.prepare(Matches(parlor.matches.store))
    match = table([ann], bots=1, hands=1, first_dealer=0)
    count = "SELECT count(*) FROM bot_turns WHERE match_id = %s"
    assert parlor.database.run(count, (match,)) == [(1,)]
    jobs.play_bots(match)
    assert parlor.database.run(count, (match,)) == [(0,)]
    play_on([ann], match, steps=1)
    assert parlor.database.run(count, (match,)) == [(1,)] or ann.view(match)["to_act"] == [0]


def test_a_job_that_names_another_function_is_not_run(servers: Servers, tmp_path: pathlib.Path) -> None:
    """Whoever can write to Redis can make bots move, and nothing else."""
    connection = connect(servers.valkey.url)
    plain = rq.Queue(QUEUE, connection=connection, serializer=JSONSerializer)
    trace = tmp_path / "trace"
    job = plain.enqueue("os.system", f"touch {trace}", on_failure=rq.Callback("os.getcwd"))
    worker(connection).work(burst=True, with_scheduler=False, logging_level="ERROR")
    assert not trace.exists()
    assert job.get_status(refresh=True) == "failed"
    connection.flushall()
