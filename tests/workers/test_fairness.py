"""Turns of bots are fair: people first, a slice at a time, and whatever is wrong with one match is its own affair."""

from __future__ import annotations

import datetime as dt
import signal
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import flask.testing
import pytest

from api.app import Services
from domain.bots.turn import Thought
from domain.game import Refused
from domain.match import Match, Place, open_to_bot
from eventstore.chain import Stored
from eventstore.outbox import ABANDONED, BOTS_ALONE, WITH_PEOPLE
from eventstore.service import Matches
from tests.api.people import Person, table
from tests.conftest import Servers
from tests.workers.crew import ROOT, Crew, bots_only, due_turn, play_bots, wait_for
from workers import turns
from workers.bell import Bell, bots_queue, connect
from workers.bots import think
from workers.turns import Turns

pytestmark = pytest.mark.usefixtures("nothing_else")

ENDLESS: dict[str, Any] = {"game": "check-and-double-check", "seats": 2, "target": 1000}


def version(parlor: Services, match: str) -> int:
    return int(parlor.database.run("SELECT version FROM matches WHERE match_id = %s", (match,))[0][0])


def later(seconds: float) -> dt.datetime:
    return dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)


# ── Who comes first ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_persons_bot_answers_while_twenty_matches_of_bots_keep_the_only_worker_busy(
    ann: Person, client: flask.testing.FlaskClient, parlor: Services, crew: Crew
) -> None:
    crowd = [bots_only(Person(client, "Crowd"), **ENDLESS) for _ in range(24)]
    crew.start("worker")
    before = {match: version(parlor, match) for match in crowd}
    wait_for(lambda: sum(version(parlor, match) > before[match] for match in crowd) > 20)
    match = table([ann], bots=1, hands=1, first_dealer=1)
    for _ in range(4):
        ann.play(match, ann.legal(match)[0])
        wait_for(lambda: ann.view(match)["to_act"] in ([0], []), 5)
    going = {match: version(parlor, match) for match in crowd}
    wait_for(lambda: sum(version(parlor, match) > going[match] for match in crowd) > 20)


def test_people_come_first_then_bots_by_themselves_then_matches_that_people_left(ann: Person, parlor: Services) -> None:
    left = table([ann], bots=2, first_dealer=0)
    assert ann.post(f"/v1/matches/{left}/resign").status_code == 200
    alone = [bots_only(ann, **ENDLESS) for _ in range(2)]
    people = [table([ann], bots=1, first_dealer=0) for _ in range(2)]
    due = parlor.matches.store.outbox.due(later(0), 100)
    assert [turn.match_id for turn in due] == [*people, *alone, left]
    assert [turn.rank for turn in due] == [WITH_PEOPLE] * 2 + [BOTS_ALONE] * 2 + [ABANDONED]


def test_a_match_of_bots_gives_way_to_others_and_goes_to_the_end_of_the_line(ann: Person, parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    first, second = bots_only(ann, **ENDLESS), bots_only(ann, **ENDLESS)
    turn, untouched = due_turn(matches, first), version(parlor, second)
    assert turn is not None and Turns(matches, think).take(turn)
    assert version(parlor, first) > turn.version and version(parlor, second) == untouched
    due = matches.store.outbox.due(later(0), 100)
    assert [turn.match_id for turn in due] == [second, first] and due[1].attempt == 0


def test_a_match_of_bots_gives_way_to_a_person_before_its_slice_is_over(
    ann: Person, parlor: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "SLICE", 60)
    matches = Matches(parlor.matches.store)
    alone, other = bots_only(ann, **ENDLESS), bots_only(ann, **ENDLESS)
    people: list[str] = []
    thoughts = 0

    def joined(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        nonlocal thoughts
        thoughts += 1
        if thoughts == 100:
            people.append(table([ann], bots=1, hands=1, first_dealer=0))
        if thoughts > 100 + turns.MOST_TOGETHER:
            raise RuntimeError("the person still waits")
        return think(m, seat, seed, **how)

    turn = due_turn(matches, alone)
    assert turn is not None and Turns(matches, joined).take(turn)
    due = matches.store.outbox.due(later(0), 100)
    assert [turn.match_id for turn in due] == [*people, other, alone]


def test_a_match_of_bots_goes_on_without_a_break_while_nobody_waits(
    ann: Person, parlor: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "SLICE", 0)
    matches = Matches(parlor.matches.store)
    match = bots_only(ann, hands=1)
    turn = due_turn(matches, match)
    assert turn is not None and Turns(matches, think).take(turn)
    assert ann.view(match)["status"] == "over"


def test_a_worker_that_finds_more_than_one_turn_calls_another(ann: Person, parlor: Services) -> None:
    calls: list[int] = []
    matches = Matches(parlor.matches.store)
    player = Turns(matches, think, call_another=lambda: calls.append(1))
    table([ann], bots=1, hands=1, first_dealer=0)
    assert not player.play(5) and not calls
    for _ in range(2):
        table([ann], bots=1, hands=1, first_dealer=0)
    assert not player.play(5) and calls


# ── What goes wrong with one ────────────────────────────────────────────────────────────────────────────────────


def test_a_match_that_cannot_be_read_keeps_no_bot_of_others_waiting(ann: Person, parlor: Services) -> None:
    broken = table([ann], bots=1, hands=1, first_dealer=0)
    well = table([ann], bots=1, hands=1, first_dealer=0)
    parlor.database.run("UPDATE matches SET game = 'no-such-game' WHERE match_id = %s", (broken,))
    assert not Turns(Matches(parlor.matches.store), think).play(5)
    assert ann.view(well)["to_act"] == [0]
    row = "SELECT attempt, due_at FROM bot_turns WHERE match_id = %s"
    attempt, due_at = parlor.database.run(row, (broken,))[0]
    assert attempt == 1 and due_at > later(0)
    now, pauses = due_at, []
    player = Turns(Matches(parlor.matches.store), think, now=lambda: now)
    for _ in range(8):
        turn = due_turn(parlor.matches, broken, now)
        assert turn is not None and player.take(turn)
        due_at = parlor.database.run(row, (broken,))[0][1]
        pauses.append(due_at - now)
        now = due_at
    assert pauses == sorted(pauses) and pauses[-1] > 60 * pauses[0] and pauses[-1] < dt.timedelta(minutes=11)
    assert parlor.matches.store.outbox.stranded(due_at - pauses[-1]) == []


def test_a_match_whose_log_was_cut_short_is_read_anew_and_goes_on(ann: Person, parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    match = table([ann], bots=1, hands=1, first_dealer=0)
    turn = due_turn(matches, match)
    known = matches.fresh(match)
    assert turn is not None
    matches.remember(known._replace(match=known.match._replace(version=turn.version + 3)))
    assert Turns(matches, think).take(turn) and ann.view(match)["to_act"] == [0]


def test_events_beyond_the_head_keep_no_worker_busy(ann: Person, parlor: Services) -> None:
    match = table([ann], bots=1, hands=1, first_dealer=0)
    last: Stored = parlor.matches.store.read(match)[-1]
    parlor.database.run(
        "INSERT INTO events (match_id, version, type, schema, public, actor, command_id, at, hash) "
        "SELECT match_id, version + 1, type, schema, public, actor, command_id, at, hash FROM events "
        "WHERE match_id = %s AND version = %s",
        (match, last.version),
    )
    tried: list[str] = []

    def counting(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        tried.append(m.id)
        return think(m, seat, seed, **how)

    assert not Turns(Matches(parlor.matches.store), counting).play(2)
    assert len(tried) == 1 and due_turn(parlor.matches, match) is None
    parlor.database.run("DELETE FROM bot_turns WHERE match_id = %s", (match,))
    answer = ann.post(f"/v1/matches/{match}/resign")
    assert answer.status_code == 503 and answer.get_json()["code"] == "unavailable"


def test_a_turn_of_a_match_in_which_no_bot_is_to_act_is_forgotten(ann: Person, parlor: Services) -> None:
    match = table([ann], bots=1, hands=1, first_dealer=1)
    parlor.database.run(
        "INSERT INTO bot_turns (match_id, version, seat, ready_at, due_at, rank) VALUES (%s, 2, 1, now(), now(), 0)",
        (match,),
    )
    play_bots(Matches(parlor.matches.store), match)
    assert parlor.database.run("SELECT count(*) FROM bot_turns WHERE match_id = %s", (match,)) == [(0,)]
    assert ann.view(match)["to_act"] == [0]


DIES_THINKING = """
import os, signal, sys
from eventstore.db import Database
from eventstore.service import Matches
from eventstore.store import EventStore
from workers.turns import Turns
Turns(Matches(EventStore(Database(sys.argv[1]))), lambda *_, **how: os.kill(os.getpid(), signal.SIGKILL)).play(30)
"""


def test_the_turn_of_a_worker_that_is_killed_while_it_thinks_is_played_soon_and_once(
    ann: Person, parlor: Services, servers: Servers, crew: Crew
) -> None:
    match = table([ann], bots=1, hands=1, first_dealer=0)
    began = version(parlor, match)
    killed = subprocess.run([sys.executable, "-c", DIES_THINKING, servers.postgres.url], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert parlor.database.run("SELECT attempt FROM bot_turns WHERE match_id = %s", (match,)) == [(1,)]
    crew.start("worker")
    crew.start("reconcile")
    wait_for(lambda: ann.view(match)["to_act"] == [0], 20)
    events = parlor.matches.store.read(match, began)
    assert [event.actor for event in events] == ["seat:1"] * len(events)
    assert len({event.command_id for event in events}) == 1


# ── The bound ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_has_only_so_many_matches_of_bots_alone(
    ann: Person, client: flask.testing.FlaskClient, parlor: Services
) -> None:
    """PM-14"""
    running = [bots_only(ann, hands=1) for _ in range(20)]
    body = {"game": "quenette", "seats": [{"kind": "bot"}] * 3}
    match = ann.post("/v1/matches", json=body).get_json()["id"]
    refused = ann.post(f"/v1/matches/{match}/start")
    assert refused.status_code == 409
    told = refused.get_json()
    assert told["code"] == "too_many_bot_matches" and told["rule"]["id"] == "PM-14" and "20 matches" in told["detail"]
    assert ann.view(match)["status"] == "open"
    table([ann], bots=1)  # with a person at the table it is another matter
    bots_only(Person(client, "Bob"))
    play_bots(Matches(parlor.matches.store), running[0])
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200


def test_who_starts_many_at_once_gets_no_more_than_the_bound(parlor: Services) -> None:
    """PM-14"""
    matches = Matches(parlor.matches.store, bot_matches=3)
    host = str(uuid.uuid4())
    bots = (Place("bot", None, "random", ""), Place("bot", None, "random", ""))
    opened = [matches.open("quenette", host=host, seats=bots, options={}).id for _ in range(8)]

    def start(match: str) -> str:
        try:
            return matches.start(match, host, None).match.status
        except Refused as refusal:
            return refusal.code

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(start, opened))
    assert sorted(answers) == ["playing"] * 3 + ["too_many_bot_matches"] * 5


# ── Bots that wait a while ──────────────────────────────────────────────────────────────────────────────────────


def test_a_ring_comes_when_the_pause_is_over(servers: Servers) -> None:
    connection = connect(servers.valkey.url)
    connection.flushall()
    bots = bots_queue(connection)
    bell = Bell(servers.valkey.url)
    began = time.monotonic()
    bell(60)
    bell(0.3)
    wait_for(lambda: bots.count)
    assert time.monotonic() - began >= 0.3
    connection.flushall()


def eager(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
    """Lays down as soon as it can."""
    legal = open_to_bot(m, seat)
    return Thought(next((command for command in legal if type(command).__name__ == "LayDown"), legal[0]))


def race_of_bots(parlor: Services) -> str:
    """A match of Goat in which a book was just laid down and three bots are to answer."""
    now, host = dt.datetime.now(dt.UTC), str(uuid.uuid4())
    matches = Matches(parlor.matches.store, bot_matches=1000, now=lambda: now)
    bots = tuple(Place("bot", None, "random", "") for _ in range(4))
    for _ in range(100):
        match = matches.open("goat", host=host, seats=bots, options={"hands": 1}).id
        matches.start(match, host, None)
        while turn := due_turn(matches, match, now):
            Turns(matches, eager, now=lambda: now).take(turn)
        if matches.look(match, host)[0]["status"] == "playing":
            return match
    raise AssertionError("no race in a hundred matches")


def test_bots_answer_a_race_after_a_while_each_and_an_answer_of_one_does_not_hold_up_the_others(
    parlor: Services,
) -> None:
    match = race_of_bots(parlor)
    rows = "SELECT seat, ready_at FROM bot_turns WHERE match_id = %s ORDER BY ready_at"
    (first, at), *others = parlor.database.run(rows, (match,))
    outbox = parlor.matches.store.outbox
    assert len(others) == 2 and not [
        t for t in outbox.due(at - dt.timedelta(milliseconds=1), 100) if t.match_id == match
    ]
    matches = Matches(parlor.matches.store, now=lambda: at)
    (turn,) = [turn for turn in outbox.due(at, 100) if turn.match_id == match]
    assert Turns(matches, think, now=lambda: at).take(turn)
    answer = parlor.matches.store.read(match)[-1]
    assert answer.actor == f"seat:{first}"
    assert parlor.database.run(rows, (match,)) == others
