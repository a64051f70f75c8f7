"""Spectators: what they may watch, without a token where the table allows it, and later where the table wants it so."""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Callable
from typing import Any

import flask.testing
import pytest

from api.app import Services
from tests.api.people import Person, play_on, problem, table
from tests.api.test_lobby import ME, OPEN, mine, opened

LATER = dt.timedelta(seconds=3600)
Shift = Callable[[dt.timedelta], None]


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Bob", "Eve")]


@pytest.fixture
def shift(parlor: Services, monkeypatch: pytest.MonkeyPatch) -> Shift:
    """Lets time pass."""
    return lambda by: monkeypatch.setattr(parlor.matches, "now", lambda: dt.datetime.now(dt.UTC) + by)


def watched(people: list[Person], game: str = "checkers", **more: Any) -> str:
    answer = people[0].post("/v1/matches", json={"game": game, "seats": [ME, OPEN], "spectators": True, **more})
    assert answer.status_code == 201, answer.get_json()
    match: str = answer.get_json()["id"]
    assert people[1].post(f"/v1/matches/{match}/join", json={}).status_code == 200
    return match


def listed(person: Person, match: str, query: str = "") -> dict[str, Any] | None:
    return mine(person, f"&show=watchable{query}").get(match)


# ── Later ───────────────────────────────────────────────────────────────────────────────────────────────────────


def all_that_is_told(eve: Person, match: str, upto: int) -> dict[str, Any]:
    """Every answer about a match that somebody who has no seat can get, in full."""
    path = f"/v1/matches/{match}"
    asks: dict[str, Any] = {
        "view": eve.get(path),
        "legal": eve.get(f"{path}/legal"),
        "events": eve.get(f"{path}/events?words=1&limit=1000"),
        "after": eve.get(f"{path}/events?after={upto}"),
        "log": eve.get(f"{path}/events", {"Accept": "application/x-ndjson"}),
        "export": eve.get(f"{path}/export/pdn"),
        "board": eve.get(f"{path}/board"),
        "unchanged": eve.get(path, {"If-None-Match": f'"{upto}"'}),
        "as a seat": eve.get(f"{path}?as=0"),
        "notes": eve.get(f"{path}/notes"),
        "replay": eve.get(f"{path}/replay?legal=1"),
        "audit": eve.get(f"{path}/audit"),
        "receipt": eve.post(f"{path}/receipt"),
        "publish": eve.post(f"{path}/publish"),
        "replay of the table": eve.get(f"{path}/replay?as=table"),
        "fork": eve.post(f"{path}/fork", json={"at": upto, "seats": [ME, ME]}),
        "join": eve.post(f"{path}/join", json={}),
        "join at": eve.post(f"{path}/join", {"If-Match": '"99"'}, json={}),
        "invited": eve.post(f"{path}/join", json={"invitation": "none"}),
        "command": eve.play(match, {"type": "move", "squares": [1, 2]}),
        "rematch": eve.post(f"{path}/rematch"),
        "invite": eve.post(f"{path}/invitations", json={}),
        "kick": eve.post(f"{path}/kick", json={"seat": 0}),
        "draw": eve.post(f"{path}/draw", json={"action": "offer"}),
    }
    for change in ("leave", "decline", "start", "cancel", "resign", "return"):
        asks[change] = eve.post(f"{path}/{change}", {"If-Match": '"99"'})
        asks[f"{change} now"] = eve.post(f"{path}/{change}")
    for version in range(1, 60):
        asks[f"at {version}"] = eve.get(f"{path}?at={version}")
    told: dict[str, Any] = {
        name: (got.status_code, got.headers.get("ETag"), got.get_data(as_text=True)) for name, got in asks.items()
    }
    for status in ("", "&status=open", "&status=playing", "&status=over"):
        told[f"list{status}"] = json.dumps(listed(eve, match, status))
    return told


def test_at_a_table_with_a_delay_nothing_tells_a_spectator_what_happens(people: list[Person], shift: Shift) -> None:
    ann, bob, eve = people
    match = watched(people, spectator_delay=3600, turn_seconds=3600)
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    before = all_that_is_told(eve, match, 2)
    assert eve.view(match)["status"] == "open" and eve.view(match)["version"] == 2
    assert listed(eve, match, "&status=open") and not listed(eve, match, "&status=playing")
    play_on([ann, bob], match, 4)
    assert all_that_is_told(eve, match, 2) == before
    ann.post(f"/v1/matches/{match}/resign")
    assert ann.view(match)["status"] == "over" and ann.view(match)["version"] > 6
    rematch = ann.post(f"/v1/matches/{match}/rematch").get_json()["id"]
    assert uuid.UUID(rematch).version == 4  # nobody can ask for it who has not been told of it
    assert all_that_is_told(eve, match, 2) == before
    shift(LATER)
    seen = eve.view(match)
    assert seen["status"] == "over" and seen["version"] == ann.view(match)["version"] and seen["rematch"]
    found = listed(eve, match, "&status=over")
    assert found and found["version"] == seen["version"] and not listed(eve, match, "&status=open")


def test_what_is_old_enough_is_seen_and_what_follows_it_is_not(
    people: list[Person], parlor: Services, shift: Shift
) -> None:
    ann, bob, eve = people
    match = watched(people, spectator_delay=3600, turn_seconds=60)
    ann.post(f"/v1/matches/{match}/start")
    play_on([ann, bob], match, 3)
    old = ann.view(match)
    shift(LATER)
    play_on([ann, bob], match, 2)
    for _ in range(2):  # the second time from what is remembered
        seen = eve.view(match)
        assert seen == {**old, "you": None, "table": seen["table"]} and seen["deadlines"]
    found = listed(eve, match)
    assert found and (found["version"], found["to_act"], found["status"]) == (old["version"], old["to_act"], "playing")
    assert found["deadlines"] == old["deadlines"]
    log = eve.get(f"/v1/matches/{match}/events").get_json()
    assert (log["version"], len(log["events"]), log["next"]) == (old["version"], old["version"], None)
    assert found["updated_at"][:19] == log["events"][-1]["at"][:19]
    at = eve.get(f"/v1/matches/{match}?at={old['version']}")
    assert at.status_code == 200 and at.get_json() == seen
    problem(eve.get(f"/v1/matches/{match}?at={old['version'] + 1}"), 404, "not_found")
    shift(2 * LATER)
    assert eve.view(match)["version"] == ann.view(match)["version"] == bob.view(match)["version"]


def test_a_stream_tells_a_late_spectator_the_same_deadlines_whether_there_is_more_or_not(
    people: list[Person], parlor: Services, shift: Shift
) -> None:
    ann, bob, eve = people
    match = watched(people, spectator_delay=3600, turn_seconds=60)
    ann.post(f"/v1/matches/{match}/start")
    play_on([ann, bob], match, 3)
    shift(LATER)

    def told() -> list[Any]:
        matches = parlor.matches
        warm = matches.fresh(match)
        visible = matches.visible(warm.match, eve.id)
        shown = warm.match if visible == warm.match.version else matches.at_version(match, visible)
        events = matches.store.read(match, visible - 2, visible)
        what = matches.happened(warm, matches.at_version(match, visible - 2), events, visible)
        return [matches.as_it_stands(warm, shown, None), *matches.told(what, None)]

    before = told()
    assert before[0].body["deadlines"] == before[-1].body["deadlines"] == ann.view(match)["deadlines"] != {}
    play_on([ann, bob], match, 2)
    assert told() == before


def test_a_hidden_hand_stays_hidden_until_the_end_can_be_seen(people: list[Person], shift: Shift) -> None:
    ann, bob, eve = people
    match = watched(people, "quenette", spectator_delay=3600, options={"hands": 1})
    ann.post(f"/v1/matches/{match}/start")
    play_on([ann, bob], match, 2)
    shift(LATER)
    seen = eve.get(f"/v1/matches/{match}/events").get_data()
    play_on([ann, bob], match)
    assert ann.view(match)["status"] == "over"
    assert eve.get(f"/v1/matches/{match}/events").get_data() == seen and b'"part"' not in seen
    problem(eve.get(f"/v1/matches/{match}?as=0"), 404, "not_found")


def test_before_the_start_and_to_those_who_take_part_nothing_is_late(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    ann, bob, eve = people
    match = watched(people, spectator_delay=3600)
    assert eve.view(match)["version"] == 2
    ann.post(f"/v1/matches/{match}/start")
    assert ann.view(match)["version"] == bob.view(match)["version"] > 2
    seats = [OPEN, OPEN]
    hosted = opened(eve, *seats, spectators=True, spectator_delay=3600)
    for person in (ann, bob):
        person.post(f"/v1/matches/{hosted}/join", json={})
    assert eve.post(f"/v1/matches/{hosted}/start").get_json() == eve.view(hosted)
    assert listed(eve, hosted, "&status=playing") and not listed(Person(client, "Zoe"), hosted, "&status=playing")


# ── The list of what can be watched ─────────────────────────────────────────────────────────────────────────────


def test_matches_that_anybody_may_watch_are_listed(people: list[Person]) -> None:
    ann, bob, eve = people
    match, closed = watched(people), table([ann, bob])
    unlisted = opened(ann, ME, OPEN, spectators=True, private=True)
    ann.post(f"/v1/matches/{match}/start")
    found = mine(eve, "&show=watchable&status=playing")
    assert match in found and closed not in found
    assert found[match]["to_act"] == ann.view(match)["to_act"]
    assert not listed(eve, match, "&game=goat") and listed(eve, match, "&game=checkers")
    assert not listed(eve, unlisted) and unlisted in mine(ann)
    assert eve.view(unlisted)["id"] == unlisted  # whoever is given the address may watch
    problem(eve.get("/v1/matches?show=watchable&my_turn=1"), 422, "does_not_fit")
    problem(eve.with_token("bot:play").get("/v1/matches?show=watchable"), 403, "scope_missing")


def test_lists_tell_who_is_to_act_and_until_when(people: list[Person], parlor: Services) -> None:
    ann, bob, _ = people
    match = opened(ann, ME, OPEN, turn_seconds=3600)
    assert (mine(ann)[match]["to_act"], mine(ann)[match]["deadlines"]) == ([], {})
    bob.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/start")
    view = ann.view(match)
    assert mine(ann)[match]["to_act"] == view["to_act"] and mine(bob)[match]["deadlines"] == view["deadlines"]
    assert list(view["deadlines"]) == [str(seat) for seat in view["to_act"]]
    # Of a match that was being played before the upgrade only the log knows.
    parlor.database.run("UPDATE matches SET acting = -1 WHERE match_id = %s", (match,))
    assert mine(ann)[match]["to_act"] == view["to_act"]


# ── Without a token ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_is_open_to_all_is_watched_without_a_token(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    ann, _, eve = people
    match, closed = watched(people, open_to_all=True), watched(people)
    ann.post(f"/v1/matches/{match}/start")
    found = {one["id"]: one for one in client.get("/v1/matches?show=watchable").get_json()["matches"]}
    assert match in found and closed not in found and listed(eve, closed)
    view = client.get(f"/v1/matches/{match}").get_json()
    assert view == eve.view(match) and view["you"] is None and view["open_to_all"]
    for path in ("/events", "/board", "/legal", "/export/pdn"):
        path = f"/v1/matches/{match}{path}"
        assert client.get(path).get_data() == eve.get(path).get_data()
    assert client.get(f"/v1/matches/{match}", headers={"If-None-Match": f'"{view["version"]}"'}).status_code == 304
    # What is not there at all is not there for anybody.
    for path in (
        "?at=99",
        "?as=0",
        "?as=table",
        "/export/mat",
        "/replay?from=99",
        "/replay?to=99",
        "/replay?from=2&to=1",
    ):
        path = f"/v1/matches/{match}{path}"
        assert problem(client.get(path), 404, "not_found") == problem(eve.get(path), 404, "not_found")
    nowhere = "00000000-0000-4000-8000-000000000000"
    for absent in (closed, nowhere):
        for path in ("", "/events", "/board", "/legal", "/export/pdn", "?invitation=x"):
            told = problem(client.get(f"/v1/matches/{absent}{path}"), 401, "token_missing")
            assert told == problem(client.get("/v1/me"), 401, "token_missing")
    for query in ("", "?show=joinable", "?show=mine", "?my_turn=1"):
        problem(client.get(f"/v1/matches{query}"), 401, "token_missing")
    problem(client.post(f"/v1/matches/{match}/join", json={}), 401, "token_missing")
    problem(client.get(f"/v1/matches/{match}/notes"), 401, "token_missing")
    problem(client.get(f"/v1/matches/{match}", headers={"Authorization": "Bearer x"}), 401, "token_unknown")


def test_without_a_token_a_match_is_late_where_it_is_for_others(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    ann, _, eve = people
    match = watched(people, open_to_all=True, spectator_delay=3600)
    ann.post(f"/v1/matches/{match}/start")
    assert client.get(f"/v1/matches/{match}").get_json() == eve.view(match)
    found = {one["id"]: one for one in client.get("/v1/matches?show=watchable&limit=200").get_json()["matches"]}
    assert found[match] == listed(eve, match) and found[match]["version"] == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"open_to_all": True},
        {"spectator_delay": 5},
        {"spectators": True, "spectator_delay": 3601},
        {"spectators": True, "spectator_delay": -1},
        {"spectators": True, "spectator_delay": 1.5},
        {"private": "yes"},
        {"notes": None},
    ],
)
def test_terms_of_a_table_that_make_no_sense_are_refused(people: list[Person], wrong: dict[str, Any]) -> None:
    body = {"game": "checkers", "seats": [ME, OPEN], **wrong}
    problem(people[0].post("/v1/matches", json=body), 422, "does_not_fit")
