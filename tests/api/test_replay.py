"""Every step of a match, as those who look back at it may see it."""

from __future__ import annotations

import itertools
import json
from typing import Any

import flask.testing
import pytest

from api.app import Services
from eventstore.chain import verify
from tests.api.people import Person, play_on, problem, table
from tests.api.test_spectators import watched


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Bob")]


@pytest.fixture
def ann(people: list[Person]) -> Person:
    return people[0]


def steps(person: Person, match: str, query: str = "") -> list[dict[str, Any]]:
    answer = person.get(f"/v1/matches/{match}/replay{query}")
    assert answer.status_code == 200, answer.get_json()
    assert answer.mimetype == "application/x-ndjson"
    return [json.loads(line) for line in answer.data.splitlines()]


def test_each_step_has_the_event_its_words_who_acted_and_the_view_of_then(people: list[Person]) -> None:
    ann = people[0]
    match = table(people, hands=1)
    seen = {ann.view(match)["version"]: ann.view(match)}
    for _ in range(6):
        play_on(people, match, steps=1)
        seen[ann.view(match)["version"]] = ann.view(match)
    found = steps(ann, match)
    logged = ann.get(f"/v1/matches/{match}/events?words=1").get_json()["events"]
    assert [step["version"] for step in found] == list(range(1, ann.view(match)["version"] + 1))
    assert [{"event": step["event"], "words": step["words"]} for step in found] == logged
    for version, view in seen.items():
        assert found[version - 1]["view"] == view
    played = next(step for step in found if step["event"]["type"] == "card_played")
    seat = played["event"]["public"]["seat"]
    assert played["actor"] == {"kind": "seat", "seat": seat, "name": people[seat].profile["name"]}
    assert next(step for step in found if step["event"]["type"] == "hand_dealt")["actor"]["kind"] == "chance"
    assert "legal" not in found[0]


def test_any_stretch_of_it_can_be_had(people: list[Person]) -> None:
    match = table(people, hands=1)
    newest = play_on(people, match)["version"]
    whole = steps(people[0], match)
    assert steps(people[0], match, "?from=5&to=9") == whole[4:9]
    assert steps(people[0], match, f"?from={newest}") == whole[-1:]
    assert steps(people[0], match, "?to=1") == whole[:1]
    for query in ("?from=0", "?from=x", "?to=0", "?legal=2", "?as=16", "?as=tables", "?how=1"):
        problem(people[0].get(f"/v1/matches/{match}/replay{query}"), 422, "does_not_fit")
    for query in (f"?from={newest + 1}", f"?to={newest + 1}", "?from=9&to=8"):
        problem(people[0].get(f"/v1/matches/{match}/replay{query}"), 404, "not_found")


def test_while_it_is_on_a_seat_sees_no_other_and_nobody_the_whole_table(people: list[Person]) -> None:
    ann, bob = people
    match = table(people)
    play_on(people, match, steps=5)
    hand = set(bob.view(match)["table"]["hand"])
    text = ann.get(f"/v1/matches/{match}/replay?legal=1").get_data(as_text=True)
    assert hand and not any(f'"{card}"' in text for card in hand) and "server_seed" not in text
    assert steps(ann, match, "?as=0") == steps(ann, match)
    for eyes in ("1", "table"):
        problem(ann.get(f"/v1/matches/{match}/replay?as={eyes}"), 404, "not_found")
        problem(ann.get(f"/v1/matches/{match}?as={eyes}"), 404, "not_found")


def test_once_it_is_over_any_seat_is_looked_from_as_it_knew_it_then(people: list[Person]) -> None:
    ann, bob = people
    match = table(people, hands=1)
    play_on(people, match, steps=4)
    then = steps(bob, match)
    play_on(people, match)
    found = steps(ann, match, f"?as=1&to={len(then)}")
    assert [(one["words"], one["event"], one["view"]["table"]) for one in found] == [
        (one["words"], one["event"], one["view"]["table"]) for one in then
    ]
    assert {one["view"]["you"] for one in found} == {1}


def test_once_it_is_over_the_whole_table_lies_open_from_the_first_deal(people: list[Person]) -> None:
    ann = people[0]
    match = table(people, hands=1)
    hands = [person.view(match)["table"]["hand"] for person in people]
    version = ann.view(match)["version"]
    play_on(people, match)
    found = steps(ann, match, "?as=table")
    assert verify([step["event"] for step in found]).hex() == found[-1]["event"]["hash"]
    assert all("part" in kept for step in found for kept in step["event"]["secret"].values())
    assert [sorted(hand) for hand in found[version - 1]["view"]["table"]["hands"]] == [sorted(hand) for hand in hands]
    at = ann.get(f"/v1/matches/{match}?as=table&at={version}").get_json()
    assert at["you"] is None and at["table"] == found[version - 1]["view"]["table"]


def test_what_was_legal_is_told_on_request(people: list[Person]) -> None:
    ann = people[0]
    match = table(people, hands=1)
    version, acting = ann.view(match)["version"], ann.view(match)["to_act"][0]
    legal = people[acting].legal(match)
    play_on(people, match)
    found = steps(ann, match, f"?as={acting}&legal=1")
    assert found[version - 1]["legal"] == {str(acting): legal}
    assert found[-1]["legal"] == {}
    for before, after in itertools.pairwise(found):
        if before["event"]["command_id"] == after["event"]["command_id"]:
            assert before["legal"] == {}
    assert steps(ann, match, "?as=table&legal=1")[version - 1]["legal"] == {str(acting): legal}


def test_who_watches_later_looks_back_at_no_more_than_is_shown(people: list[Person], eve: Person) -> None:
    match = watched(people, spectator_delay=600)
    assert people[0].post(f"/v1/matches/{match}/start").status_code == 200
    play_on(people, match, steps=3)
    shown = eve.view(match)["version"]
    assert len(steps(eve, match)) == shown < people[0].view(match)["version"]
    problem(eve.get(f"/v1/matches/{match}/replay?to={shown + 1}"), 404, "not_found")


def test_a_stranger_is_told_nothing(people: list[Person], eve: Person) -> None:
    match = table(people)
    problem(eve.get(f"/v1/matches/{match}/replay"), 404, "not_found")


def test_deadlines_are_those_of_then(people: list[Person], parlor: Services) -> None:
    ann = people[0]
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats, "turn_seconds": 3600}).get_json()["id"]
    assert people[1].post(f"/v1/matches/{match}/join", json={}).status_code == 200
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    play_on(people, match, steps=3)
    newest = ann.view(match)["version"]
    for step in steps(ann, match, "?from=4"):
        then = ann.get(f"/v1/matches/{match}?at={step['version']}").get_json()
        assert step["view"]["deadlines"] == then["deadlines"]
    assert steps(ann, match, f"?from={newest}")[0]["view"]["deadlines"]
