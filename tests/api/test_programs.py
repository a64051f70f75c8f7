"""Bring your own bot: what a token for programs can do, and how programs are seen at the table."""

from __future__ import annotations

import re
from typing import Any

import flask.testing

from api import openapi
from api.app import Services
from eventstore.service import Matches
from tests.api.people import Person, play_on, problem, table
from tests.workers.crew import play_bots

NOWHERE = "00000000-0000-4000-8000-000000000000"
# Every token may ask who it is, and make, list and revoke what came of it. It is not said to belong to anybody else.
ABOUT_ITSELF = {
    "get /v1/me",
    "get /v1/tokens",
    "post /v1/tokens",
    "delete /v1/tokens/{token_id}",
    "post /v1/tokens/{token_id}/rotate",
}
READS = {f"get /v1/matches/{{match_id}}{part}" for part in ("", "/legal", "/board", "/events", "/export/{ending}")}
READS |= {
    "get /v1/matches/{match_id}/replay",
    "get /v1/matches/{match_id}/audit",
    "post /v1/matches/{match_id}/receipt",
}
READS |= {"get /v1/audit/trees/{day}/proofs/{match_id}", "get /v1/events"}
PLAYS = {f"post /v1/matches/{{match_id}}/{part}" for part in ("join", "commands", "resign")}


def my_turn(person: Person, more: str = "") -> set[str]:
    answer = person.get(f"/v1/matches?my_turn=true{more}")
    assert answer.status_code == 200, answer.get_json()
    return {match["id"] for match in answer.get_json()["matches"]}


# ── The token ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_for_programs_reads_joins_plays_and_resigns_and_nothing_else(
    client: flask.testing.FlaskClient, ann: Person, bob: Person
) -> None:
    bot = bob.with_token("bot:play")
    match = table([ann, bob], "checkers")
    open_to_tokens = set()
    for path, operations in openapi.document(client.application)["paths"].items():
        for method, operation in operations.items():
            if method == "parameters" or not operation.get("security"):
                continue
            address = re.sub(r"\{match_id\}", match, path).replace("{ending}", "pdn")
            address = re.sub(r"\{\w+\}", NOWHERE, address)
            more: dict[str, Any] = {"json": {}} if method == "post" else {}
            headers = {"Authorization": f"Bearer {bot.token}"}
            answer = client.open(address, method=method.upper(), headers=headers, **more)
            if answer.status_code == 403:
                assert answer.get_json()["code"] == "scope_missing"
            else:
                open_to_tokens.add(f"{method} {path}")
    assert open_to_tokens == READS | PLAYS | ABOUT_ITSELF
    assert ann.view(match)["result"]["reason"] == "resigned", "what is open to it also works"


def test_it_lists_only_where_it_is_to_act(ann: Person, bob: Person) -> None:
    bot = bob.with_token("bot:play")
    for query in ("", "?show=joinable", "?my_turn=false", "?status=playing"):
        assert "match:read" in problem(bot.get(f"/v1/matches{query}"), 403, "scope_missing")["detail"]
    assert my_turn(bot) == set()


def test_it_makes_no_token_that_can_do_more(bob: Person) -> None:
    bot = bob.with_token("bot:play")
    problem(bot.post("/v1/tokens", json={"scopes": ["match:play"]}), 403, "scope_missing")


# ── Where you are to act ────────────────────────────────────────────────────────────────────────────────────────


def test_the_list_of_matches_that_wait_for_you_follows_the_play(ann: Person, bob: Person) -> None:
    # Given an open table, a match that waits for one of two, and one that is over
    seats = [{"kind": "me"}, {"kind": "open"}]
    assert ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).status_code == 201
    over = table([ann, bob])
    ann.post(f"/v1/matches/{over}/resign")
    match = table([ann, bob], hands=1)
    for _ in range(6):
        # Then it is listed for whoever is to act, and for nobody else
        acting = ann.view(match)["to_act"]
        assert (my_turn(ann), my_turn(bob)) == ({match} if 0 in acting else set(), {match} if 1 in acting else set())
        assert my_turn(ann, "&game=goat") == set() and my_turn(ann, "&status=over") == set()
        play_on([ann, bob], match, 1)
    play_on([ann, bob], match)
    assert my_turn(ann) == my_turn(bob) == set()
    problem(ann.get("/v1/matches?my_turn=1&show=joinable"), 422, "does_not_fit")


def test_a_match_from_before_the_list_knew_who_is_to_act_is_listed_for_those_who_are(
    ann: Person, bob: Person, parlor: Services
) -> None:
    """As the migration leaves matches that are being played."""
    found = [table([ann, bob], "checkers") for _ in range(3)]
    ann.play(found[0], ann.legal(found[0])[0])
    parlor.database.run("UPDATE matches SET acting = -1 WHERE match_id = ANY (%s::uuid[])", (found,))
    assert my_turn(ann) == set(found[1:]) and my_turn(bob) == {found[0]}
    page = bob.get("/v1/matches?my_turn=1&limit=1").get_json()
    assert page["matches"] == [] and page["next"] is not None
    listed = []
    while page["next"]:
        page = bob.get(f"/v1/matches?my_turn=1&limit=1&cursor={page['next']}").get_json()
        listed += [match["id"] for match in page["matches"]]
    assert listed == [found[0]] and set(page["matches"][0]) >= {"id", "seats"} and "acting" not in page["matches"][0]


def test_a_seat_that_a_bot_keeps_does_not_wait_for_its_player(
    client: flask.testing.FlaskClient, ann: Person, bob: Person, parlor: Services
) -> None:
    eve = Person(client, "Eve")
    match = table([ann, bob, eve])
    bob.post(f"/v1/matches/{match}/resign")
    play_bots(Matches(parlor.matches.store), match)
    waiting = [person for person in (ann, bob, eve) if my_turn(person)]
    assert len(waiting) == 1 and waiting[0] is not bob


def test_pages_of_it_leave_nothing_out(ann: Person, bob: Person) -> None:
    here = {table([ann, bob], first_dealer=1) for _ in range(5)}
    found: set[str] = set()
    page = ann.get("/v1/matches?my_turn=1&limit=2").get_json()
    while True:
        found |= {match["id"] for match in page["matches"]}
        if page["next"] is None:
            break
        page = ann.get(f"/v1/matches?my_turn=1&limit=2&cursor={page['next']}").get_json()
    assert found == here


# ── At the table ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_program_says_that_it_is_one(ann: Person, bob: Person) -> None:
    seats = [{"kind": "me", "program": True}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    joined = bob.post(f"/v1/matches/{match}/join", json={"program": True}).get_json()
    assert [(seat["kind"], seat["name"]) for seat in joined["seats"]] == [("program", "Ann"), ("program", "Bob")]
    (listed,) = ann.get("/v1/matches").get_json()["matches"]
    assert [seat["kind"] for seat in listed["seats"]] == ["program"] * 2
    taken = ann.get(f"/v1/matches/{match}/events").get_json()["events"][1]
    assert taken["type"] == "seat_taken" and taken["public"]["kind"] == "program"


def test_a_token_for_programs_cannot_pass_for_a_person(ann: Person, bob: Person) -> None:
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]}).get_json()
    joined = bob.with_token("bot:play").post(f"/v1/matches/{match['id']}/join", json={"program": False}).get_json()
    assert [seat["kind"] for seat in joined["seats"]] == ["human", "program"]


def test_only_your_own_seat_can_be_a_programs(ann: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open", "program": True}]
    wrong = problem(ann.post("/v1/matches", json={"game": "quenette", "seats": seats}), 422, "does_not_fit")
    assert "program" in str(wrong["errors"])
