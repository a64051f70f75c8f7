"""Matches that go on from a version of another."""

from __future__ import annotations

import io
import itertools
import json
from typing import Any

import flask.testing
import pytest

from api.app import Services
from domain.audit.verifying import verify
from domain.game import Game
from domain.games import GAMES
from eventstore.service import Matches
from tests.api.people import Person, play_on, problem, table
from tests.domain import playing
from tests.workers.crew import play_bots

ME, BOT, OPEN = {"kind": "me"}, {"kind": "bot"}, {"kind": "open"}


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Bob")]


def forked(person: Person, match: str, at: int, seats: list[dict[str, Any]] | None = None, **more: Any) -> str:
    answer = person.post(f"/v1/matches/{match}/fork", json={"at": at, "seats": seats or [ME, BOT], **more})
    assert answer.status_code == 201, answer.get_json()
    assert answer.headers["Location"].endswith(answer.get_json()["id"])
    found: str = answer.get_json()["id"]
    return found


def log(person: Person, match: str) -> list[dict[str, Any]]:
    lines = person.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"}).data.splitlines()
    return [json.loads(line) for line in lines]


def test_of_a_match_that_is_over_the_table_is_the_one_that_was_there(people: list[Person]) -> None:
    ann, bob = people
    match = table(people, hands=2)
    play_on(people, match, steps=3)
    version, views = ann.view(match)["version"], [person.view(match)["table"] for person in people]
    play_on(people, match)
    before = log(ann, match)
    fork = forked(ann, match, version, [ME, OPEN])
    assert bob.post(f"/v1/matches/{fork}/join", json={}).status_code == 200
    assert ann.view(fork)["table"] is None
    assert ann.post(f"/v1/matches/{fork}/start").status_code == 200
    assert [person.view(fork)["table"] for person in people] == views
    now = ann.view(fork)
    assert now["forked_from"] == {"match": match, "version": version, "imagined": False}
    assert now["rated"] is False and now["options"] == {"hands": 2}
    assert now["seed_commitment"] != ann.view(match)["seed_commitment"]
    assert log(ann, match) == before and ann.view(match)["forked_from"] is None
    assert play_on(people, fork)["result"]["winners"]


def test_its_table_stays_closed_until_it_is_over_and_its_log_verifies(people: list[Person]) -> None:
    ann, bob = people
    match = table(people, hands=1)
    version = ann.view(match)["version"]
    play_on(people, match)
    fork = forked(ann, match, version, [ME, OPEN])
    bob.post(f"/v1/matches/{fork}/join", json={})
    ann.post(f"/v1/matches/{fork}/start")
    play_on(people, fork, steps=1)
    opened, table_set = log(ann, fork)[:2]
    assert (opened["type"], table_set["type"]) == ("match_opened", "table_set")
    assert opened["public"]["forked_from"] == {"match": match, "version": version, "imagined": False}
    assert table_set["public"] == {"rules_version": opened["public"]["rules_version"]}
    assert list(table_set["secret"]) == ["table"] and list(table_set["secret"]["table"]) == ["commitment"]
    for person, other in ((ann, bob), (bob, ann)):
        hand = other.view(fork)["table"]["hand"]
        text = person.get(f"/v1/matches/{fork}/replay?legal=1").get_data(as_text=True)
        assert hand and not any(f'"{card}"' in text for card in hand)
    play_on(people, fork)
    whole = log(ann, fork)
    assert whole[1]["secret"]["table"]["part"]["table"]["of"]
    found = verify(io.BytesIO(b"\n".join(json.dumps(event).encode() for event in whole)))
    assert found.wrong is None and found.checks["commands"].ok and found.checks["result"].ok
    assert any("taken as given" in reason for reason in found.checks["commands"].unchecked)


def test_while_it_is_on_a_seat_among_bots_goes_on_from_what_it_knows(people: list[Person], parlor: Services) -> None:
    ann, bob = people
    match = table([ann], bots=1)
    matches = Matches(parlor.matches.store)
    while not ann.legal(match):
        play_bots(matches, match)
    mine = ann.view(match)
    fork = forked(ann, match, mine["version"])
    ann.post(f"/v1/matches/{fork}/start")
    assert ann.view(fork)["table"] == mine["table"]
    assert ann.view(fork)["forked_from"] == {"match": match, "version": mine["version"], "imagined": True}
    problem(bob.post(f"/v1/matches/{match}/fork", json={"at": 5, "seats": [ME, BOT]}), 404, "not_found")


def test_an_imagined_table_is_not_the_true_one_but_by_chance(people: list[Person], parlor: Services) -> None:
    ann = people[0]
    match = table([ann], bots=2)
    true = parlor.matches.fresh(match).match
    forks = [forked(ann, match, true.version, [ME, BOT, BOT]) for _ in range(5)]
    found = {repr(parlor.matches.fresh(fork).match.table.hands) for fork in forks}
    assert len(found) == 5 and repr(true.table.hands) not in found


def test_against_people_it_would_be_advice(people: list[Person]) -> None:
    ann = people[0]
    match = table(people)
    version = ann.view(match)["version"]
    refused = ann.post(f"/v1/matches/{match}/fork", json={"at": version, "seats": [ME, BOT]})
    assert problem(refused, 409, "people_play")["rule"]["id"] == "PM-22"


def test_who_only_watches_waits_for_the_end(people: list[Person], eve: Person) -> None:
    ann = people[0]
    opened = ann.post("/v1/matches", json={"game": "quenette", "seats": [ME, BOT], "spectators": True})
    match = opened.get_json()["id"]
    ann.post(f"/v1/matches/{match}/start")
    version = ann.view(match)["version"]
    body = {"at": version, "seats": [ME, BOT]}
    problem(eve.post(f"/v1/matches/{match}/fork", json=body), 409, "not_seated")
    ann.post(f"/v1/matches/{match}/resign")
    assert eve.post(f"/v1/matches/{match}/fork", json=body).status_code == 201


def test_there_must_be_something_to_go_on_with(people: list[Person]) -> None:
    ann = people[0]
    match = table(people, hands=1)
    dealt = ann.view(match)["version"]
    newest = play_on(people, match)["version"]

    def asked(at: Any, seats: Any = None, **more: Any) -> Any:
        return ann.post(f"/v1/matches/{match}/fork", json={"at": at, "seats": seats or [ME, BOT], **more})

    problem(asked(1), 409, "nothing_to_play")
    problem(asked(newest), 409, "nothing_to_play")
    problem(asked(newest + 1), 404, "not_found")
    for at in (0, "5", None, 1.5, True):
        problem(asked(at), 422, "does_not_fit")
    unfit: list[dict[str, Any]] = [{"game": "trix"}, {"options": {}}, {"rated": True}]
    for extra in unfit:
        problem(asked(dealt, **extra), 422, "does_not_fit")
    problem(asked(dealt, [ME, BOT, BOT]), 409, "wrong_seats")
    problem(asked(dealt, [ME, ME]), 409, "already_seated")
    within = [
        one["version"]
        for one, after in itertools.pairwise(log(ann, match))
        if one["command_id"] == after["command_id"] and after["type"] == "trick_taken"
    ]
    assert within
    problem(asked(within[0]), 409, "within_a_command")
    waiting = ann.post("/v1/matches", json={"game": "quenette", "seats": [ME, BOT]}).get_json()["id"]
    problem(ann.post(f"/v1/matches/{waiting}/fork", json={"at": 1, "seats": [ME, BOT]}), 409, "not_started")


def test_a_retry_gets_the_same_fork(people: list[Person]) -> None:
    ann = people[0]
    match = table(people, hands=1)
    version = ann.view(match)["version"]
    play_on(people, match)
    body = {"at": version, "seats": [ME, BOT]}
    key = {"Idempotency-Key": "again"}
    first = ann.post(f"/v1/matches/{match}/fork", key, json=body).get_json()
    assert ann.post(f"/v1/matches/{match}/fork", key, json=body).get_json() == first
    problem(ann.post(f"/v1/matches/{match}/fork", key, json={**body, "seats": [BOT, ME]}), 422, "key_reused")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_bots_play_it_on_in_every_game(game: Game[Any], client: flask.testing.FlaskClient, parlor: Services) -> None:
    matches = Matches(parlor.matches.store)
    ann = Person(client, "Ann")
    bots = [{"kind": "bot", "level": "random"}] * game.seats[0]
    options = dict(getattr(playing.module(game), "QUICK", {}))
    match = ann.post("/v1/matches", json={"game": game.slug, "seats": bots, "options": options}).get_json()["id"]
    ann.post(f"/v1/matches/{match}/start")
    while ann.view(match)["status"] != "over":
        play_bots(matches, match)
    events = log(ann, match)
    settled = [
        one["version"]
        for one, after in itertools.pairwise(events)
        if one["command_id"] != after["command_id"] and one["version"] > 3
    ]
    fork = forked(ann, match, settled[len(settled) // 2], bots)
    assert ann.post(f"/v1/matches/{fork}/start").status_code == 200
    while ann.view(fork)["status"] != "over":
        play_bots(matches, fork)
    file = io.BytesIO(b"\n".join(json.dumps(event).encode() for event in log(ann, fork)))
    assert verify(file, bots=lambda version: False).wrong is None
