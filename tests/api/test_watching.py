"""Eyes on the bots: `parlor bots` and `/metrics` tell what waits, who thinks about what, and what has failed."""

from __future__ import annotations

import datetime as dt
import json
import os
import pathlib
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator

import flask.testing
import pytest
from prometheus_client.parser import text_string_to_metric_families

from api import watching
from api.app import Services
from eventstore import running
from eventstore.overview import overview
from eventstore.running import Addresses, announced
from tests.api.people import Person, table
from tests.api.served import ROOT
from tests.conftest import Servers
from tests.workers.crew import Crew, bots_only, due_turn, wait_for
from workers.bell import connect
from workers.presence import EXPIRES, PREFIX, Presence, Thinking, workers

MATCH = str(uuid.UUID(int=5))


@pytest.fixture
def crew(servers: Servers) -> Iterator[Crew]:
    made = Crew(servers)
    yield made
    made.stop()


@pytest.fixture(autouse=True)
def _nothing_else(parlor: Services, servers: Servers) -> None:
    parlor.database.run("DELETE FROM bot_turns")
    connect(servers.valkey.url).flushall()


class AtWork:
    """A worker that has played some turns and thinks about one."""

    def __init__(self) -> None:
        self.played = 7
        self.thoughts = [Thinking(MATCH, "checkers", 1, "strong", dt.datetime.now(dt.UTC) - dt.timedelta(seconds=3))]


def numbers(client: flask.testing.FlaskClient) -> dict[tuple[str, str], float]:
    """The samples by name and first label."""
    text = client.get("/metrics").get_data(as_text=True)
    found = [one for family in text_string_to_metric_families(text) for one in family.samples]
    return {(one.name, next(iter(sorted(one.labels.values())), "")): one.value for one in found}


# ── What waits, and what has failed ─────────────────────────────────────────────────────────────────────────────


def test_turns_are_counted_by_urgency_with_how_long_the_first_has_waited(ann: Person, parlor: Services) -> None:
    person, _ = (table([ann], bots=2, hands=1, first_dealer=0) for _ in range(2))
    bots_only(ann)
    now = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=10)
    with_people, alone, left = overview(parlor.database, now).queues
    assert (with_people.waiting, alone.waiting, left.waiting) == (2, 1, 0)
    assert 10 <= with_people.oldest < 60 and left.oldest == 0
    turn = due_turn(parlor.matches, person)
    assert turn is not None and parlor.matches.store.outbox.take(turn, now, now + dt.timedelta(seconds=9))
    with_people = overview(parlor.database, now).queues[0]
    assert (with_people.waiting, with_people.taken, with_people.retried) == (1, 1, 0)
    again = turn._replace(attempt=1)
    assert parlor.matches.store.outbox.take(again, now, now + dt.timedelta(seconds=9))
    assert overview(parlor.database, now).queues[0].retried == 1


def test_bots_that_fell_back_and_dead_letters_are_counted(parlor: Services) -> None:
    now, match = dt.datetime.now(dt.UTC), str(uuid.uuid4())
    before = overview(parlor.database, now)
    for version, hours in ((1, 5), (2, 0)):
        parlor.database.run(
            "INSERT INTO events (match_id, version, type, schema, public, actor, command_id, at, hash) "
            "VALUES (%s, %s, 'bot_fell_back', 1, '{}', 'seat:0', 'x', %s, '')",
            (match, version, now - dt.timedelta(hours=hours)),
        )
    for n, state in enumerate(("dead", "delivered", "dead")):
        parlor.database.run(
            "INSERT INTO deliveries (match_id, webhook_id, version, about, state, created_at, due_at) "
            "VALUES (%s, %s, %s, 'turn', %s, %s, %s)",
            (match, match, n, state, now, now),
        )
    after = overview(parlor.database, now)
    assert after.fallen_back - before.fallen_back == 2
    assert after.fallen_back_lately - before.fallen_back_lately == 1
    assert after.dead_letters - before.dead_letters == 2
    parlor.database.run("DELETE FROM deliveries WHERE match_id = %s", (match,))


# ── Workers ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_worker_tells_what_it_thinks_about_and_is_forgotten_when_it_dies(servers: Servers) -> None:
    connection = connect(servers.valkey.url)
    busy = AtWork()
    Presence(servers.valkey.url, busy).tell()
    (seen,) = workers(connection)
    assert seen.turns == 7 and seen.thinking == tuple(busy.thoughts) and str(os.getpid()) in seen.name
    assert 0 < connection.ttl(f"{PREFIX}{seen.name}") <= EXPIRES


def test_turns_a_second_are_those_played_lately(servers: Servers) -> None:
    busy = AtWork()
    told = Presence(servers.valkey.url, busy)
    told.tell()
    time.sleep(0.2)
    busy.played += 100
    told.tell()
    (seen,) = workers(connect(servers.valkey.url))
    assert seen.turns == 107 and 10 < seen.rate <= 500


def test_a_worker_goes_on_when_nobody_can_be_told(servers: Servers) -> None:
    servers.valkey.stop()
    try:
        told = Presence(servers.valkey.url, AtWork())
        told.start()
        time.sleep(0.3)
    finally:
        servers.valkey.start()
    wait_for(lambda: workers(connect(servers.valkey.url)), 10)
    told.stop()


def test_a_real_worker_is_seen_at_its_thought(ann: Person, crew: Crew, servers: Servers) -> None:
    crew.start("worker", PARLOR_THINKING_MS="5000", PARLOR_BOT_GRACE_MS="20000")
    match = bots_only(ann, "checkers", 2, ("strong",))
    thought = wait_for(lambda: [one for seen in workers(connect(servers.valkey.url)) for one in seen.thinking], 60)
    assert thought[0].match == match and thought[0].game == "checkers" and thought[0].level == "strong"


# ── Numbers ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_metrics_tell_the_same_and_name_no_match(
    ann: Person, client: flask.testing.FlaskClient, parlor: Services, servers: Servers
) -> None:
    Presence(servers.valkey.url, AtWork()).tell()
    table([ann], bots=1, hands=1, first_dealer=0)
    time.sleep(watching.EVERY)  # what was seen a moment ago may be told again
    found = numbers(client)
    assert found["parlor_bot_turns_waiting", "with people"] == 1 and found["parlor_workers", ""] == 1
    assert found["parlor_database_up", ""] == 1 and found["parlor_redis_up", ""] == 1
    assert ("parlor_bots_fallen_back_total", "") in found and ("parlor_dead_letters", "") in found
    assert found["parlor_worker_thinking_seconds", "strong"] >= 3
    assert MATCH not in client.get("/metrics").get_data(as_text=True)


def test_metrics_are_told_while_redis_is_away(client: flask.testing.FlaskClient, servers: Servers) -> None:
    servers.valkey.stop()
    try:
        time.sleep(watching.EVERY)
        found = numbers(client)
    finally:
        servers.valkey.start()
    assert found["parlor_redis_up", ""] == 0 and ("parlor_workers", "") not in found
    assert found["parlor_database_up", ""] == 1 and ("parlor_bot_turns_waiting", "bots alone") in found


# ── The command ─────────────────────────────────────────────────────────────────────────────────────────────────


def bots(data: pathlib.Path, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {name: text for name, text in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"PARLOR_DATA": str(data), **environment}
    return subprocess.run(
        [sys.executable, "-m", "api.cli", "bots"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )


def test_parlor_bots_finds_the_servers_of_a_parlor_that_runs_in_the_data_folder(
    ann: Person, servers: Servers, tmp_path: pathlib.Path
) -> None:
    table([ann], bots=1, hands=1, first_dealer=0)
    presence = Presence(servers.valkey.url, AtWork())
    presence.start()
    with announced(tmp_path, Addresses(servers.postgres.url, servers.valkey.url)):
        told = bots(tmp_path)
    presence.stop()
    assert told.returncode == 0, told.stderr
    assert MATCH in told.stdout and "with people" in told.stdout and "\x1b" not in told.stdout
    gone = bots(tmp_path)
    assert gone.returncode == 1 and "no Parlor runs in" in gone.stderr and "Traceback" not in gone.stderr


def test_what_a_parlor_that_was_killed_has_said_is_not_believed(tmp_path: pathlib.Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for said in (json.dumps({"pid": ended.pid, "database_url": "postgresql:", "redis_url": "redis:"}), "", "[]", "{"):
        (tmp_path / running.FILE).write_text(said)
        assert running.found(tmp_path) == Addresses()
