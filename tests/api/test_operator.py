"""The operator: closes tables and players, sees no hand, and everything is logged."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time
from typing import Any

import psycopg
import pytest

from api.app import Services
from eventstore import running
from eventstore.operators import AT_A_STRETCH, NOBODY
from eventstore.players import SCOPES
from tests.api.people import Person, problem, table
from tests.conftest import Servers
from tests.test_readme import ROOT


@pytest.fixture
def operator(parlor: Services, ann: Person) -> Person:
    found = ann.through(ann._client)
    found.token, _ = parlor.players.operators.issue("tests", None)
    found.id = NOBODY
    return found


def log(operator: Person, query: str = "") -> list[dict[str, Any]]:
    return operator.get(f"/v1/operator/log{query}").get_json()["entries"]  # type: ignore[no-any-return]


def parlor_token(servers: Servers, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "DATABASE_URL": servers.postgres.app_url, **environment}
    command = [sys.executable, "-m", "api.cli", "token", *arguments]
    return subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)


def test_the_operator_watches_any_match_and_sees_no_hand_before_it_is_over(
    ann: Person, bob: Person, operator: Person
) -> None:
    match = table([ann, bob], hands=1)
    view = operator.view(match)
    assert view["you"] is None and view["seats"][0]["name"] == "Ann"
    text = operator.get(f"/v1/matches/{match}/events").text
    for person in (ann, bob):
        assert len(person.view(match)["table"]["hand"]) > 5
    assert '"part"' not in text and '"salt"' not in text
    assert not view["table"].get("hand")
    problem(operator.get(f"/v1/matches/{match}?as=0"), 404, "not_found")
    assert operator.legal(match) == []
    ann.post(f"/v1/matches/{match}/resign")
    assert '"part"' in operator.get(f"/v1/matches/{match}/events").text


def test_the_operator_takes_no_part_in_a_match(ann: Person, bob: Person, operator: Person) -> None:
    match = table([ann, bob])
    seats = [{"kind": "me"}, {"kind": "open"}]
    for answer in (
        operator.post("/v1/matches", json={"game": "quenette", "seats": seats}),
        operator.get("/v1/matches"),
        operator.post(f"/v1/matches/{match}/join", json={}),
        operator.post(f"/v1/matches/{match}/cancel"),
        operator.play(match, {"type": "play_card", "card": "C-1"}),
        operator.post("/v1/me/recovery"),
        operator.delete("/v1/me"),
    ):
        problem(answer, 403, "scope_missing")
    invited = [{"kind": "me"}, {"kind": "player", "player": NOBODY}]
    problem(ann.post("/v1/matches", json={"game": "quenette", "seats": invited}), 422, "does_not_fit")


def test_nobody_gets_the_scope_over_http(ann: Person, operator: Person) -> None:
    assert "operator" not in SCOPES
    for person in (ann, operator):
        problem(person.post("/v1/tokens", json={"scopes": ["operator"]}), 422, "does_not_fit")
    problem(operator.post("/v1/tokens", json={"scopes": ["match:play"]}), 403, "scope_missing")
    for path in ("matches", "players"):
        closing = ann.post(f"/v1/operator/{path}/{ann.id}/close", json={"reason": "why not"})
        problem(closing, 403, "scope_missing")
    problem(ann.get("/v1/operator/log"), 403, "scope_missing")


def test_an_abusive_table_is_closed(ann: Person, bob: Person, operator: Person) -> None:
    match = table([ann, bob], bots=1)
    closed = operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "insults in the names"})
    assert closed.status_code == 200 and closed.headers["ETag"] == f'"{closed.get_json()["version"]}"'
    result = ann.view(match)["result"]
    assert (result["reason"], result["winners"], result["places"], result["scores"]) == ("closed", [], [], [])
    last = ann.get(f"/v1/matches/{match}/events?words=1").get_json()["events"][-1]
    assert (last["event"]["type"], last["event"]["actor"]) == ("match_ended", "operator")
    assert last["words"] == "The match is closed by the operator of the server."
    problem(ann.play(match, {"type": "play_card", "card": "C-1"}), 409, "match_over")
    problem(operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "again"}), 409, "match_over")
    assert "insults" not in ann.get(f"/v1/matches/{match}/events").text


def test_an_open_table_is_closed_too_and_an_unknown_one_is_not_there(ann: Person, operator: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    stale = operator.post(f"/v1/operator/matches/{match}/close", {"If-Match": '"7"'}, json={"reason": "spam"})
    problem(stale, 412, "stale_version")
    assert operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "spam"}).status_code == 200
    problem(operator.post(f"/v1/operator/matches/{ann.id}/close", json={"reason": "spam"}), 404, "not_found")


def test_an_abusive_player_is_closed(parlor: Services, ann: Person, bob: Person, operator: Person) -> None:
    match = table([ann, bob], bots=1)
    assert operator.post(f"/v1/operator/players/{bob.id}/close", json={"reason": "insults"}).status_code == 204
    problem(bob.get("/v1/me"), 401, "token_unknown")
    body = {"player": bob.id, "code": bob.profile["recovery_code"]}
    answer = bob._client.post("/v1/recover", json=body, environ_base={"REMOTE_ADDR": "198.51.100.77"})
    problem(answer, 404, "wrong_code")
    seat = ann.view(match)["seats"][1]
    assert (seat["name"], seat["resigned"], seat["kind"]) == ("closed player", True, "bot")
    for gone in (bob.id, NOBODY):
        problem(operator.post(f"/v1/operator/players/{gone}/close", json={"reason": "again"}), 404, "not_found")
    assert operator.get("/v1/me").status_code == 200


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "a\nb"}, {"reason": "x" * 501}, {"reason": 1}])
def test_nothing_is_closed_without_a_reason(ann: Person, bob: Person, operator: Person, body: dict[str, Any]) -> None:
    match = table([ann, bob])
    for path in (f"matches/{match}", f"players/{bob.id}"):
        problem(operator.post(f"/v1/operator/{path}/close", json=body), 422, "does_not_fit")
    assert ann.view(match)["status"] == "playing" and bob.get("/v1/me").status_code == 200


def test_every_use_is_logged_with_its_reason(ann: Person, bob: Person, operator: Person) -> None:
    match, token = table([ann, bob]), operator.token_id
    operator.view(match)
    operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "spam"})
    operator.post(f"/v1/operator/players/{bob.id}/close", json={"reason": "insults"})
    entries = log(operator)
    assert all(entry["token_id"] == token for entry in entries[:5])
    assert [(entry["action"], entry["target"], entry["reason"]) for entry in entries[:5]] == [
        ("GET /v1/operator/log", None, None),
        ("close_player", bob.id, "insults"),
        ("close_match", match, "spam"),
        (f"GET /v1/matches/{match}", None, None),
        ("GET /v1/me", None, None),
    ]
    first = operator.get("/v1/operator/log?limit=2").get_json()
    second = log(operator, f"?limit=2&cursor={first['next']}")
    assert [entry["action"] for entry in second] == ["close_player", "close_match"]


def test_who_follows_the_feed_is_logged_once_and_not_for_each_page(
    parlor: Services, operator: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = parlor.feed.end()
    for _ in range(5):
        assert operator.get(f"/v1/feed?after={position}").status_code == 200
        assert operator.get("/v1/me").status_code == 200
    entries = [entry["action"] for entry in log(operator, "?limit=7")]
    assert entries.count("GET /v1/feed") == 1 and entries.count("GET /v1/me") == 5
    # Another token is another use, and so is the same after an hour.
    other = operator.through(operator._client)
    other.token, _ = parlor.players.operators.issue("other", None)
    other.get(f"/v1/feed?after={position}")
    hour = time.monotonic() + AT_A_STRETCH
    monkeypatch.setattr("eventstore.operators.time.monotonic", lambda: hour)
    operator.get(f"/v1/feed?after={position}")
    assert [entry["action"] for entry in log(operator, "?limit=3")][1:] == ["GET /v1/feed"] * 2


def test_the_log_cannot_be_changed(parlor: Services, servers: Servers, operator: Person) -> None:
    operator.get("/v1/me")
    for statement in ("UPDATE operator_log SET reason = ''", "DELETE FROM operator_log", "TRUNCATE operator_log"):
        for url in (servers.postgres.app_url, servers.postgres.url):
            with psycopg.connect(url) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_what_cannot_be_logged_is_not_done(
    parlor: Services, ann: Person, bob: Person, operator: Person, servers: Servers
) -> None:
    match = table([ann, bob])
    with psycopg.connect(servers.postgres.url, autocommit=True) as owner:
        owner.execute("REVOKE INSERT ON operator_log FROM parlor_app")
        try:
            answer = operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "spam"})
            assert answer.status_code >= 500
            assert operator.get(f"/v1/matches/{match}").status_code >= 500
        finally:
            owner.execute("GRANT INSERT ON operator_log TO parlor_app")
    assert ann.view(match)["status"] == "playing"


# ── The command line ────────────────────────────────────────────────────────────────────────────────────────────


def test_tokens_of_the_operator_are_made_listed_and_revoked_on_the_command_line(
    servers: Servers, ann: Person, bob: Person
) -> None:
    made = parlor_token(servers, "operator", "--label", "night shift", "--days", "7")
    assert made.returncode == 0, made.stderr
    operator = ann.through(ann._client)
    operator.token = made.stdout.strip()
    me = operator.get("/v1/me").get_json()
    assert me["scopes"] == ["operator"] and me["expires_at"] is not None and me["token_id"] in made.stderr
    match = table([ann, bob])
    assert operator.post(f"/v1/operator/matches/{match}/close", json={"reason": "spam"}).status_code == 200
    listed = parlor_token(servers, "list").stdout
    assert me["token_id"] in listed and "night shift" in listed and operator.token not in listed
    assert parlor_token(servers, "revoke", me["token_id"]).returncode == 0
    problem(operator.get("/v1/me"), 401, "token_unknown")


def test_the_command_line_revokes_no_token_of_a_player(servers: Servers, ann: Person) -> None:
    refused = parlor_token(servers, "revoke", ann.token_id)
    assert refused.returncode == 1 and "no operator has such a token" in refused.stderr
    assert ann.get("/v1/me").status_code == 200


def test_the_database_of_a_running_server_is_found_through_its_folder(servers: Servers, tmp_path: pathlib.Path) -> None:
    with running.announced(tmp_path, running.Addresses(servers.postgres.app_url)):
        made = parlor_token(servers, "operator", DATABASE_URL="", PARLOR_DATA=str(tmp_path))
    assert made.returncode == 0 and len(made.stdout.strip()) == 43


def test_without_a_database_the_command_line_says_what_to_do(servers: Servers, tmp_path: Any) -> None:
    refused = parlor_token(servers, "list", DATABASE_URL="", PARLOR_DATA=str(tmp_path))
    assert refused.returncode == 1 and "DATABASE_URL" in refused.stderr and "Traceback" not in refused.stderr
