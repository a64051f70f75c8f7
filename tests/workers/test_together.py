"""Cheap turns that follow one another are stored in one commit, and the log is the same as if each had its own."""

from __future__ import annotations

import datetime as dt
import itertools
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from api.app import Services
from domain import log
from domain.bots.thinking import at_once, done, thinking
from domain.bots.turn import Thought
from domain.match import Match, Place
from eventstore.chain import chained, redacted, verify
from eventstore.service import Matches
from tests.api.people import Person, table
from tests.conftest import Servers
from tests.workers.crew import ROOT, Crew, bots_only, due_turn, play_bots, wait_for
from workers import turns
from workers.bots import GLANCE, think
from workers.turns import ATTEMPTS_BEFORE_FALLING_BACK, Turns

pytestmark = pytest.mark.usefixtures("nothing_else")

ENDLESS: dict[str, Any] = {"game": "check-and-double-check", "seats": 2, "target": 1000}


@pytest.fixture
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, as much is stored together as there may be turns."""
    monkeypatch.setattr(turns, "TOGETHER", 60.0)
    monkeypatch.setattr(turns, "SLICE", 60.0)


def commits(parlor: Services, match: str, after: int = 0) -> list[list[str]]:
    """The commands of each commit, in order."""
    rows = parlor.database.run(
        "SELECT array_agg(DISTINCT command_id) FROM events WHERE match_id = %s AND version > %s "
        "GROUP BY tx ORDER BY min(version)",
        (match, after),
    )
    return [sorted(row[0], key=lambda name: int(name.partition("/")[2])) for row in rows]


def version(parlor: Services, match: str) -> int:
    return int(parlor.database.run("SELECT version FROM matches WHERE match_id = %s", (match,))[0][0])


def take(matches: Matches, match: str, thinker: Any = think, **how: Any) -> None:
    turn = due_turn(matches, match)
    assert turn is not None and Turns(matches, thinker, **how).take(turn)


def check_one_by_one(parlor: Services, match: str, after: int) -> None:
    """Every turn since is the one that its bot finds by itself, on the state that the turn before has left, and all of
    its events stand in the chain under its own name."""
    matches = Matches(parlor.matches.store)
    seed, now = matches.fresh(match).seed, matches.at_version(match, after)
    stored = matches.store.read(match, after - 1)
    previous, expected = stored[0].hash, []
    instants = {one.version: one.at for one in stored}
    actors = {one.version: one.actor for one in stored}
    while now.version < stored[-1].version:
        command, seat = f"bot/{now.version}", int(actors[now.version + 1].removeprefix("seat:"))
        step = done(now, seat, at_once(thinking(now, seat, seed, lambda _: True)), seed)
        for number, happened in enumerate(step.happened, now.version + 1):
            like = stored[0]._replace(version=number, parts=log.write(happened), actor=happened.actor)
            expected.append(chained(previous, seed, match, like._replace(command_id=command, at=instants[number])))
            previous = expected[-1].hash
        now = step.match
    # The hash stands for all that was written.
    assert [(one.version, one.command_id, one.hash) for one in expected] == [
        (one.version, one.command_id, one.hash) for one in stored[1:]
    ]
    assert now == matches.fresh(match).match
    moments = [one.at for one in stored]
    assert moments == sorted(moments)


@pytest.mark.parametrize(
    ("game", "seats", "levels"),
    [
        ("quenette", 3, ("random", "steady")),
        ("check-and-double-check", 2, ("random",)),
        ("checkers", 2, ("steady", "random")),
        ("backgammon", 2, ("random",)),
        ("secret-seven", 4, ("steady",)),
        ("goat", 4, ("random", "steady")),
    ],
)
def test_what_bots_play_is_what_they_would_play_one_by_one(
    ann: Person, parlor: Services, game: str, seats: int, levels: tuple[str, ...]
) -> None:
    match = bots_only(ann, game, seats, levels)
    began = version(parlor, match)
    matches = Matches(parlor.matches.store)
    play_bots(matches, match) if game == "goat" else take(matches, match)
    check_one_by_one(parlor, match, began)
    found = commits(parlor, match, began)
    assert max(map(len, found)) > 1
    names = [name for names in found for name in names]
    assert len(names) == len(set(names))


@pytest.mark.usefixtures("no_hurry")
def test_so_many_are_stored_together_and_no_more(ann: Person, parlor: Services) -> None:
    matches, thought = Matches(parlor.matches.store), 0

    def three_times(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        nonlocal thought
        thought += 1
        if thought == 3 * turns.MOST_TOGETHER + 1:
            raise RuntimeError("that was enough")
        return think(m, seat, seed, **how)

    match = bots_only(ann, **ENDLESS)
    began = version(parlor, match)
    take(matches, match, three_times)
    assert [len(commit) for commit in commits(parlor, match, began)] == [turns.MOST_TOGETHER] * 3


def test_what_takes_time_is_not_stored_together(ann: Person, parlor: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TOGETHER", 0.0)
    match = bots_only(ann, hands=1)
    began = version(parlor, match)
    take(Matches(parlor.matches.store), match)
    assert {len(commit) for commit in commits(parlor, match, began)} == {1}


# ── Where people sit at the table ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("no_hurry")
def test_bots_beside_a_person_begin_with_one_turn_and_store_more_as_nobody_interferes(
    ann: Person, parlor: Services
) -> None:
    match = table([ann], bots=7, first_dealer=0)
    began = version(parlor, match)
    take(Matches(parlor.matches.store), match)
    assert [len(commit) for commit in commits(parlor, match, began)] == [1, 2, 4]
    assert ann.view(match)["to_act"] == [0]
    check_one_by_one(parlor, match, began)


@pytest.mark.usefixtures("no_hurry")
def test_where_a_person_is_to_act_as_well_every_turn_is_a_commit_of_its_own(ann: Person, parlor: Services) -> None:
    bots = [{"kind": "bot"}] * 5
    body = {"game": "goat", "seats": [{"kind": "me"}, *bots]}
    match = ann.post("/v1/matches", json=body).get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    assert ann.view(match)["to_act"] == [0, 1, 2, 3, 4, 5]
    began = version(parlor, match)
    take(Matches(parlor.matches.store), match)
    lengths = [len(commit) for commit in commits(parlor, match, began)]
    # Whoever was dealt a book lays it down, and in the race that follows bots take their time.
    assert lengths == [1] * (len(lengths) if ann.view(match)["table"]["phase"] == "race" else 5)


@pytest.mark.usefixtures("no_hurry")
def test_a_person_who_acts_in_the_middle_is_heard_and_the_bots_decide_anew(ann: Person, parlor: Services) -> None:
    match = table([ann], bots=3, first_dealer=0)
    began = version(parlor, match)
    seen: list[int] = []

    def resigning(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        seen.append(m.version)
        if len(seen) == 3:
            assert version(parlor, match) == seen[1], "the second turn waits for the third"
            assert ann.post(f"/v1/matches/{match}/resign").status_code == 200
        return think(m, seat, seed, **how)

    take(Matches(parlor.matches.store), match, resigning)
    first, *others = parlor.matches.store.read(match, began)
    resigned = next(one for one in others if one.parts.type == "seat_resigned")
    assert first.command_id == f"bot/{began}" and resigned.version == seen[1] + 1 == version(parlor, match) - 1
    take(Matches(parlor.matches.store), match)
    check_one_by_one(parlor, match, resigned.version + 1)


@pytest.mark.usefixtures("no_hurry")
def test_a_persons_time_counts_from_the_turn_that_gave_it_and_not_from_the_commit(parlor: Services) -> None:
    now, person = dt.datetime.now(dt.UTC), str(uuid.uuid4())

    def tick() -> dt.datetime:
        nonlocal now
        now += dt.timedelta(milliseconds=1)
        return now

    matches = Matches(parlor.matches.store, now=tick)
    places = (Place("human", person, None, ""), *[Place("bot", None, "random", "")] * 3)
    options = {"first_dealer": 0}
    match = matches.open("quenette", host=person, seats=places, options=options, turn_seconds=30).id
    matches.start(match, person, None)
    take(matches, match, now=tick)
    warm = Matches(parlor.matches.store).fresh(match)
    last = matches.store.read(match)[-1]
    (deadline,) = warm.deadlines.values()
    assert deadline == last.at + dt.timedelta(seconds=30)
    assert matches.stand(warm.match).deadlines == {0: deadline}


# ── What goes wrong ─────────────────────────────────────────────────────────────────────────────────────────────


def failing_at(nth: int, fail: Callable[[], None]) -> tuple[list[int], Any]:
    """A thinker whose bots fail at the version of its nth thought, however often they are asked."""
    seen: list[int] = []

    def thinker(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        if m.version not in seen:
            seen.append(m.version)
        if m.version in seen[nth - 1 : nth]:
            fail()
        return think(m, seat, seed, **how)

    return seen, thinker


def no_idea() -> None:
    raise RuntimeError("no idea")


@pytest.mark.usefixtures("no_hurry")
def test_the_turns_before_one_that_fails_are_kept_and_that_one_falls_back_as_ever(
    ann: Person, parlor: Services
) -> None:
    """PM-10"""
    match = bots_only(ann, **ENDLESS)
    began = version(parlor, match)
    matches = Matches(parlor.matches.store)
    seen, thinker = failing_at(5, no_idea)
    take(matches, match, thinker)
    assert len(seen) == 5 and version(parlor, match) == seen[-1]
    assert [len(commit) for commit in commits(parlor, match, began)] == [4]
    row = "SELECT attempt, due_at FROM bot_turns WHERE match_id = %s"
    for attempt in range(1, ATTEMPTS_BEFORE_FALLING_BACK + 1):
        ((tried, due_at),) = parlor.database.run(row, (match,))
        assert tried == attempt
        turn = due_turn(matches, match, due_at)
        assert turn is not None and turn.version == seen[4]
        if attempt == ATTEMPTS_BEFORE_FALLING_BACK:
            seen.append(-1)  # from here on nothing fails
            thinker = failing_at(8, no_idea)[1]
        assert Turns(matches, thinker, now=lambda at=due_at: at).take(turn)  # type: ignore[misc]
    events = parlor.matches.store.read(match, seen[4])
    assert events[0].parts.type == "bot_fell_back" and events[0].command_id == f"bot/{seen[4]}"
    fell_back = [one.version for one in events if one.command_id == events[0].command_id]
    check_one_by_one(parlor, match, fell_back[-1])


@pytest.mark.usefixtures("no_hurry")
def test_the_turns_before_one_that_takes_long_do_not_wait_for_it(ann: Person, parlor: Services) -> None:
    match = bots_only(ann, **ENDLESS)
    matches = Matches(parlor.matches.store)
    stored: list[int] = []
    slow: list[int] = []

    def long(m: Match, seat: int, seed: bytes, *, between: Callable[[], float]) -> Thought:
        stored.append(version(parlor, match))
        if len(stored) == 4:
            slow.append(m.version)
        if m.version in slow:
            time.sleep(2 * GLANCE)
            between()
        # Once alone would not do: what fails behind other turns is asked again, and the match would be played to its end.
        if len(stored) >= 6:
            raise RuntimeError("that was enough")
        return think(m, seat, seed, between=between)

    take(matches, match, long)
    began, waited, again = stored[0], stored[3], stored[4]
    assert waited == began and again == slow[0], "it is asked again, when the turns before it are stored"
    assert version(parlor, match) > slow[0]


DIES_LATER = """
import os, signal, sys
from eventstore.db import Database
from eventstore.service import Matches
from eventstore.store import EventStore
from workers import turns
from workers.bots import think
turns.TOGETHER = turns.SLICE = 60.0
thoughts = 0
def dies(*given, **how):
    global thoughts
    thoughts += 1
    if thoughts == turns.MOST_TOGETHER + 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return think(*given, **how)
turns.Turns(Matches(EventStore(Database(sys.argv[1]))), dies).play(60)
"""


def test_of_a_worker_that_is_killed_all_of_a_commit_is_there_or_nothing(
    ann: Person, parlor: Services, servers: Servers, crew: Crew
) -> None:
    match = bots_only(ann, **ENDLESS)
    began = version(parlor, match)
    killed = subprocess.run([sys.executable, "-c", DIES_LATER, servers.postgres.url], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [len(commit) for commit in commits(parlor, match, began)] == [turns.MOST_TOGETHER]
    stopped = version(parlor, match)
    assert parlor.database.run("SELECT version, attempt FROM bot_turns WHERE match_id = %s", (match,)) == [(stopped, 1)]
    crew.start("worker")
    crew.start("reconcile")
    wait_for(lambda: version(parlor, match) > stopped, 60)
    crew.stop()
    names = [one.command_id for one in parlor.matches.store.read(match, began)]
    assert len(set(names)) == sum(one != other for one, other in itertools.pairwise(names)) + 1
    seed = parlor.matches.fresh(match).seed
    verify(redacted(one, match, seed, None, False) for one in parlor.matches.store.read(match))
    check_one_by_one(parlor, match, began)
