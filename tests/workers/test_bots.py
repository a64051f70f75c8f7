"""Bots in the background, on real servers: nothing that dies on the way freezes a match or plays twice."""

from __future__ import annotations

import datetime as dt
import json
import pathlib
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest
import rq
from rq.serializers import JSONSerializer

from api.app import Services
from domain.bots.levels import LEVELS, USUAL, Level
from domain.bots.turn import Search, Thought, Turn
from eventstore.background import NOTHING
from eventstore.chain import verify
from eventstore.service import Matches
from tests.api.people import Person, play_on, table
from tests.conftest import Servers
from tests.workers.crew import Crew, bots_only, due_turn, play_bots, wait_for
from workers.bell import QUEUE, Bell, bots_queue, connect, worker
from workers.bots import think
from workers.reconciler import Reconciler
from workers.turns import ATTEMPTS_BEFORE_FALLING_BACK, Turns


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


def test_a_late_or_doubled_turn_changes_nothing(ann: Person, parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    match = table([ann], bots=1, hands=1, first_dealer=0)
    turn = due_turn(matches, match)
    assert turn is not None
    first, second = Turns(matches, think), Turns(Matches(parlor.matches.store), think)
    assert first.take(turn)
    version = ann.view(match)["version"]
    assert not first.take(turn) and not second.take(turn)
    late = turn._replace(attempt=1, ready=(1,))
    assert matches.bot_turns(late, think) == NOTHING
    assert ann.view(match)["version"] == version


def test_a_turn_is_given_to_one_of_many_workers(ann: Person, parlor: Services) -> None:
    outbox = parlor.matches.store.outbox
    match = table([ann], bots=1, hands=1, first_dealer=0)
    turn = due_turn(parlor.matches, match)
    assert turn is not None
    now = dt.datetime.now(dt.UTC)
    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(lambda _: outbox.take(turn, now, now + dt.timedelta(seconds=2)), range(8)))
    assert [found is not None for found in taken].count(True) == 1


def test_a_bot_that_keeps_failing_falls_back_and_an_event_says_so(ann: Person, parlor: Services) -> None:
    """PM-10"""
    matches = Matches(parlor.matches.store)
    now = dt.datetime.now(dt.UTC)

    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("no idea")

    turns = Turns(matches, broken, now=lambda: now)
    match = table([ann], bots=1, hands=1, first_dealer=0)
    pauses = []
    for _ in range(ATTEMPTS_BEFORE_FALLING_BACK):
        now = wait_for_due(parlor, match)
        turn = due_turn(matches, match, now)
        assert turn is not None and turns.take(turn)
        pauses.append(wait_for_due(parlor, match) - now)
    assert ann.view(match)["to_act"] == [1]
    assert pauses == sorted(pauses) and pauses[0] > dt.timedelta(0)
    now = wait_for_due(parlor, match)
    turn = due_turn(matches, match, now)
    assert turn is not None and turns.take(turn)
    events = check_log(ann, match)
    assert [event["type"] for event in events[-2:]] == ["bot_fell_back", "card_played"]
    assert ann.view(match)["to_act"] == [0]


def wait_for_due(parlor: Services, match: str) -> dt.datetime:
    """When the bots of this match can be tried again."""
    rows = parlor.database.run("SELECT due_at FROM bot_turns WHERE match_id = %s", (match,))
    due: dt.datetime = rows[0][0]
    return max(due, dt.datetime.now(dt.UTC))


def test_the_reconciler_rings_for_what_was_forgotten(ann: Person, parlor: Services, servers: Servers) -> None:
    connection = connect(servers.valkey.url)
    bots = bots_queue(connection)
    reconciler = Reconciler(Matches(parlor.matches.store), bots)
    connection.flushall()
    table([ann], bots=1, hands=1, first_dealer=0)
    wait_for(lambda: bots.count)
    connection.flushall()
    assert reconciler.sweep() and reconciler.sweep()
    assert [job.func_name for job in bots.jobs] == ["workers.jobs.play_bots"]
    connection.flushall()


def test_a_table_that_nobody_joins_is_cancelled_after_a_while(ann: Person, parlor: Services, servers: Servers) -> None:
    """PM-12"""
    now = dt.datetime.now(dt.UTC)
    bots = bots_queue(connect(servers.valkey.url))
    reconciler = Reconciler(Matches(parlor.matches.store), bots, open_hours=3, now=lambda: now)
    body = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]}
    idle = ann.post("/v1/matches", json=body).get_json()["id"]
    playing = table([ann], bots=1)
    now += dt.timedelta(hours=2)
    reconciler.review()
    assert ann.view(idle)["status"] == "open"
    now += dt.timedelta(hours=2)
    reconciler.review()
    assert ann.view(idle)["result"]["reason"] == "cancelled" and ann.view(playing)["status"] == "playing"
    assert [event["actor"] for event in check_log(ann, idle)][-1] == "clock"


def test_many_rings_are_one_job(servers: Servers) -> None:
    connection = connect(servers.valkey.url)
    connection.flushall()
    bell = Bell(servers.valkey.url)
    for _ in range(50):
        bell()
    wait_for(lambda: bots_queue(connection).count)
    time.sleep(0.2)
    assert bots_queue(connection).count == 1
    connection.flushall()


def test_a_bot_sees_only_what_its_seat_sees(ann: Person, parlor: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Turn] = []

    def look(turn: Turn) -> Search:
        seen.append(turn)
        return Thought(turn.commands[0])
        yield

    monkeypatch.setitem(cast(dict[str, Level], LEVELS), USUAL, Level(1, look, "looks on"))
    match = table([ann], bots=1, hands=1, first_dealer=0)
    play_bots(Matches(parlor.matches.store), match)
    assert seen[0].seat == 1
    text = repr((seen[0].view, seen[0].commands))
    assert not any(repr(card) in text or f"'{card}'" in text for card in ann.view(match)["table"]["hand"])


def test_the_outbox_is_empty_when_no_bot_is_to_act(ann: Person, parlor: Services) -> None:
    match = table([ann], bots=1, hands=1, first_dealer=0)
    count = "SELECT count(*) FROM bot_turns WHERE match_id = %s"
    assert parlor.database.run(count, (match,)) == [(1,)]
    play_bots(Matches(parlor.matches.store), match)
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
