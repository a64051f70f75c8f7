"""What is sent by mistake is refused in words that say what was meant, and never half obeyed."""

from __future__ import annotations

import gzip
import uuid
from typing import Any

import flask.testing
import pytest

from tests.api import published
from tests.api.people import Person, problem, table

TAKES_NO_QUERY = [
    (method, path)
    for path, operations in published.committed()["paths"].items()
    for method, operation in operations.items()
    if method != "parameters" and {"token": []} in operation["security"] and "operator" not in operation["description"]
    if all(one["in"] != "query" for one in operation.get("parameters", ())) and not path.endswith("/commands")
]


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({"game": "quenette", "seats": [{"kind": "me"}, {"kind": "player", "player": "Bob"}]}, {"seats.1.player"}),
        ({"game": "quenette", "seats": [5, {"kind": "bot", "level": "god"}]}, {"seats.0", "seats.1.level"}),
        ({"seats": [{"kind": "me"}], "speed": 9}, {"game", "speed"}),
        ([], {"body"}),
    ],
)
def test_a_body_that_does_not_fit_is_told_where_and_why(ann: Person, body: Any, errors: set[str]) -> None:
    told = problem(ann.post("/v1/matches", json=body), 422, "does_not_fit")
    assert told["errors"].keys() == errors
    field, why = next(iter(told["errors"].items()))
    assert told["detail"].startswith(f"{field}: {why[0]}")
    assert all(isinstance(text, str) for texts in told["errors"].values() for text in texts)


@pytest.mark.parametrize(
    "query", ["at=%2B1", "at=%201", "at=1_0", "at=%D9%A1", "at=1.0", "at=", "at=1&at=2", "wait=1e1"]
)
def test_a_number_is_digits_and_is_given_once(ann: Person, bob: Person, query: str) -> None:
    match = table([ann, bob])
    problem(ann.get(f"/v1/matches/{match}?{query}"), 422, "does_not_fit")


@pytest.mark.parametrize("given", [0, 1, 0.0, "true", "false", "", []])
def test_what_is_true_or_false_is_no_number_and_no_word(ann: Person, given: Any) -> None:
    body = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}], "rated": given, "private": given}
    told = problem(ann.post("/v1/matches", json=body), 422, "does_not_fit")
    assert told["errors"].keys() == {"rated", "private"}


def test_a_switch_says_what_it_takes(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    told = problem(ann.get(f"/v1/matches/{match}/events?words=yes"), 422, "does_not_fit")
    assert told["detail"] == "words: must be 1 or 0"


def test_a_command_that_is_both_tried_and_meant_is_neither(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    before = ann.view(match)
    mover = (ann, bob)[before["to_act"][0]]
    twice = mover.post(f"/v1/matches/{match}/commands?dry_run=1&dry_run=0", json=mover.legal(match)[0])
    assert problem(twice, 422, "does_not_fit")["errors"].keys() == {"dry_run"}
    assert ann.view(match) == before


@pytest.mark.parametrize("content_type", ["application/json", "application/json; charset=utf-8"])
@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('{"type": "roll", "type": "resign"}', "type"),
        ('{"type": "roll", "\\u0074ype": "roll"}', "type"),
        ('{"steps": [{"type": "roll", "to": ":", "to": 3}]}', "to"),
    ],
)
def test_a_command_that_says_a_thing_twice_is_not_guessed_at(
    ann: Person, bob: Person, said: str, name: str, content_type: str
) -> None:
    """On its short way and through Flask."""
    match = table([ann, bob])
    before = ann.view(match)
    mover = (ann, bob)[before["to_act"][0]]
    twice = mover.post(f"/v1/matches/{match}/commands", data=said, content_type=content_type)
    assert problem(twice, 422, "does_not_fit")["errors"] == {name: ["must be given once"]}
    assert ann.view(match) == before


def test_colons_in_texts_are_no_names(ann: Person, bob: Person) -> None:
    named = ann.post("/v1/tokens", json={"label": "a: b, c: d", "scopes": ["match:read"]})
    assert named.status_code == 201, named.get_data(as_text=True)


@pytest.mark.parametrize(("method", "path"), TAKES_NO_QUERY, ids=" ".join)
def test_a_query_that_nobody_reads_is_refused(
    client: flask.testing.FlaskClient, ann: Person, method: str, path: str
) -> None:
    given = "".join(str(uuid.uuid4()) if part.startswith("{") else part for part in _parts(path))
    asked = client.open(f"{given}?dry_run=1", method=method, headers={"Authorization": f"Bearer {ann.token}"})
    assert problem(asked, 422, "does_not_fit")["errors"] == {"dry_run": ["there is no such field"]}
    assert ann.get("/v1/me").status_code == 200  # nothing was done, not even to the account


def _parts(path: str) -> list[str]:
    return path.replace("{", "\0{").replace("}", "}\0").split("\0")


def test_a_body_that_nobody_reads_is_refused_and_nothing_comes_of_it(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    resigned = ann.post(f"/v1/matches/{match}/resign", json={"dry_run": True})
    assert problem(resigned, 422, "does_not_fit")["errors"].keys() == {"body"}
    assert ann.view(match)["status"] == "playing"
    assert ann.post(f"/v1/matches/{match}/resign", json={}).status_code == 200


def test_a_body_in_which_everything_can_be_left_out_can_be_left_out(ann: Person, bob: Person) -> None:
    opened = ann.post("/v1/matches", json={"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]})
    match = opened.get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/invitations").get_json()["uses"] == 1
    first = bob.post(f"/v1/matches/{match}/join", {"Idempotency-Key": "one"})
    assert first.get_json()["you"] == 1
    assert bob.post(f"/v1/matches/{match}/join", {"Idempotency-Key": "one"}, json={}).get_json() == first.get_json()
    problem(ann.post(f"/v1/matches/{match}/kick"), 422, "does_not_fit")


def test_a_compressed_body_is_told_from_one_that_is_no_json(
    client: flask.testing.FlaskClient, ann: Person, bob: Person
) -> None:
    match = table([ann, bob])
    headers = {"Content-Encoding": "gzip"}
    for path in ("/v1/matches", f"/v1/matches/{match}/commands"):
        sent = ann.post(path, headers, data=gzip.compress(b"{}"), content_type="application/json")
        problem(sent, 415, "encoded")
        assert sent.headers["Accept-Encoding"] == "identity"
    plain = client.post("/v1/players", json={"name": "Eve"}, headers={"Content-Encoding": "identity"})
    assert plain.status_code == 201


@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson"])
def test_a_log_is_not_read_after_a_version_that_is_not_there(ann: Person, bob: Person, form: str) -> None:
    match = table([ann, bob])
    newest = ann.view(match)["version"]
    path, headers = f"/v1/matches/{match}/events", {"Accept": form}
    assert ann.get(f"{path}?after={newest}", headers).status_code == 200
    told = problem(ann.get(f"{path}?after={newest + 1}", headers), 422, "no_such_version")
    assert told["version"] == newest


def test_a_limit_goes_with_pages_alone(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    lines = ann.get(f"/v1/matches/{match}/events?limit=1", {"Accept": "application/x-ndjson"})
    assert problem(lines, 422, "does_not_fit")["errors"].keys() == {"limit"}


def test_a_version_that_is_not_there_is_told_from_a_match_that_is_not(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    newest = ann.view(match)["version"]
    told = problem(ann.get(f"/v1/matches/{match}?at={newest + 1}"), 404, "not_found")
    assert told["version"] == newest and str(newest) in told["detail"]


def test_what_is_not_there_is_told_in_our_own_words(ann: Person) -> None:
    assert problem(ann.get("/v1/nowhere"), 404, "not_found")["detail"] == "there is nothing at this address"
    assert "Allow" in problem(ann.post("/v1/me"), 405, "method_not_allowed")["detail"]


def test_a_token_for_programs_is_told_how_to_list(ann: Person) -> None:
    assert "my_turn=1" in problem(ann.with_token("bot:play").get("/v1/matches"), 403, "scope_missing")["detail"]


def test_nothing_has_no_type(ann: Person) -> None:
    done = ann.delete(f"/v1/tokens/{ann.with_token('bot:play').token_id}")
    assert done.status_code == 204 and "Content-Type" not in done.headers


def test_every_instant_is_written_alike(ann: Person, bob: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats, "turn_seconds": 60}).get_json()["id"]
    bob.post(f"/v1/matches/{match}/join")
    view = ann.post(f"/v1/matches/{match}/start").get_json()
    event = ann.get(f"/v1/matches/{match}/events").get_json()["events"][0]
    listed = ann.get("/v1/matches").get_json()["matches"][0]
    instants = [event["at"], ann.profile["created_at"], listed["opened_at"], *view["deadlines"].values()]
    assert len(instants) == 4 and all(instant.endswith("Z") for instant in instants), instants
    assert listed["deadlines"] == view["deadlines"]
