"""What a token reaches, and that a revoked one reaches nothing, in any process, whatever else is wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from typing import Any

import flask.testing
import pytest

from api.app import Services, create_app, services
from domain.match import Place
from eventstore.errors import NotAllowed
from eventstore.players import SCOPES
from eventstore.settings import Settings
from tests.api.people import Person, play_on, problem, table
from tests.conftest import Servers
from tests.test_readme import PATIENCE, ROOT, free_port


@pytest.fixture
def elsewhere(servers: Servers, settings: Settings) -> Iterator[flask.testing.FlaskClient]:
    """Another process on the same database: nothing that one remembers is known to the other."""
    other = services(servers.postgres.url, servers.valkey.url, settings)
    yield create_app(other, settings).test_client()
    other.database.close()


def listed(person: Person) -> set[str]:
    return {token["id"] for token in person.get("/v1/tokens").get_json()["tokens"]}


# ── Which tokens a token reaches ────────────────────────────────────────────────────────────────────────────────


def test_the_first_token_of_a_player_can_do_everything(ann: Person) -> None:
    me = ann.get("/v1/me").get_json()
    assert set(me["scopes"]) == set(ann.profile["scopes"]) == set(SCOPES) and "token:manage" in SCOPES
    assert listed(ann) == {me["token_id"]}


@pytest.mark.parametrize("scope", [scope for scope in SCOPES if scope != "token:manage"])
def test_a_token_without_the_scope_reaches_itself_and_what_came_of_it(ann: Person, scope: str) -> None:
    phone, tablet = ann.with_token(scope), ann.with_token("match:read")
    bot = phone.with_token(scope)
    deeper = bot.with_token(scope)
    assert listed(phone) == {phone.token_id, bot.token_id, deeper.token_id}
    assert listed(bot) == {bot.token_id, deeper.token_id}
    for other in (ann, tablet):
        problem(phone.delete(f"/v1/tokens/{other.token_id}"), 404, "not_found")
    problem(bot.delete(f"/v1/tokens/{phone.token_id}"), 404, "not_found")
    assert {ann.get("/v1/me").status_code, tablet.get("/v1/me").status_code} == {200}


def test_a_token_with_the_scope_reaches_all_tokens_of_its_owner_and_no_others(ann: Person, bob: Person) -> None:
    phone = ann.with_token("match:play")
    bot = phone.with_token("match:play")
    admin = ann.with_token("token:manage")
    assert listed(admin) == listed(ann) == {p.token_id for p in (ann, phone, bot, admin)}
    made_by = {token["id"]: token["made_by"] for token in admin.get("/v1/tokens").get_json()["tokens"]}
    assert made_by[ann.token_id] is None and made_by[bot.token_id] == phone.token_id
    assert "token" not in admin.get("/v1/tokens").get_json()["tokens"][0]
    problem(admin.delete(f"/v1/tokens/{bob.token_id}"), 404, "not_found")
    assert admin.delete(f"/v1/tokens/{bot.token_id}").status_code == 204
    problem(bot.get("/v1/me"), 401, "token_unknown")
    assert phone.get("/v1/me").status_code == 200


def test_a_token_gives_no_more_than_it_has(ann: Person) -> None:
    phone = ann.with_token("match:play", "match:read")
    for scope in ("match:create", "token:manage"):
        told = problem(phone.post("/v1/tokens", json={"scopes": ["match:play", scope]}), 403, "scope_missing")
        assert scope in told["detail"]


def test_a_token_can_revoke_itself(ann: Person) -> None:
    phone = ann.with_token("bot:play")
    assert phone.delete(f"/v1/tokens/{phone.token_id}").status_code == 204
    problem(phone.get("/v1/me"), 401, "token_unknown")
    revoked = {token["id"]: token["revoked_at"] for token in ann.get("/v1/tokens").get_json()["tokens"]}
    assert sorted(at is None for at in revoked.values()) == [False, True]


def test_what_a_token_made_is_revoked_with_it(ann: Person) -> None:
    """A stolen token is of no use after its revocation, also by way of tokens that the thief has made of it."""
    phone, tablet = ann.with_token("match:play"), ann.with_token("match:play")
    stolen = phone.with_token("match:play")
    deeper = stolen.with_token("match:play")
    assert ann.delete(f"/v1/tokens/{phone.token_id}").status_code == 204
    for gone in (phone, stolen, deeper):
        problem(gone.get("/v1/me"), 401, "token_unknown")
    assert tablet.get("/v1/me").status_code == ann.get("/v1/me").status_code == 200


def test_a_token_can_be_replaced_by_one_that_it_made(ann: Person) -> None:
    fresh, other = ann.with_token(*SCOPES), ann.with_token("match:play")
    bot = fresh.with_token("bot:play")
    assert fresh.delete(f"/v1/tokens/{ann.token_id}").status_code == 204
    assert fresh.get("/v1/me").status_code == bot.get("/v1/me").status_code == 200
    for gone in (ann, other):
        problem(gone.get("/v1/me"), 401, "token_unknown")


# ── What a token may read ───────────────────────────────────────────────────────────────────────────────────────

READINGS = ("", "/legal", "/events", "/export/pdn")


@pytest.mark.parametrize("scope", ["match:play", "bot:play"])
def test_a_token_that_plays_reads_the_matches_its_owner_takes_part_in(ann: Person, bob: Person, scope: str) -> None:
    match = table([ann, bob], "checkers", games=1)
    player = bob.with_token(scope)
    for reading in READINGS:
        assert player.get(f"/v1/matches/{match}{reading}").data == bob.get(f"/v1/matches/{match}{reading}").data
    seats = [{"kind": "me"}, {"kind": "open"}]
    joinable = ann.post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    assert player.get(f"/v1/matches/{joinable}").status_code == 200
    problem(player.get("/v1/matches"), 403, "scope_missing")


@pytest.mark.parametrize("scope", ["match:play", "bot:play"])
def test_a_token_that_plays_does_not_watch(ann: Person, bob: Person, eve: Person, scope: str) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "checkers", "seats": seats, "spectators": True}
    match = ann.post("/v1/matches", json=body).get_json()["id"]
    bob.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/start")
    player = eve.with_token(scope)
    for reading in READINGS:
        assert eve.get(f"/v1/matches/{match}{reading}").status_code == 200
        problem(player.get(f"/v1/matches/{match}{reading}"), 403, "scope_missing")
    whole_log = player.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"})
    problem(whole_log, 403, "scope_missing")
    problem(player.get(f"/v1/matches/{uuid.uuid4()}"), 404, "not_found")
    for change in ("join", "start", "leave", "decline", "cancel"):
        json: dict[str, Any] = {"json": {}} if change == "join" else {}
        problem(player.post(f"/v1/matches/{match}/{change}", **json), 403, "scope_missing")


@pytest.mark.parametrize("scope", ["match:read", "match:create", "token:manage"])
def test_only_a_token_that_plays_changes_a_match(ann: Person, bob: Person, scope: str) -> None:
    match = table([ann, bob], first_dealer=0)
    reader = bob.with_token(scope)
    problem(reader.play(match, bob.legal(match)[0]), 403, "scope_missing")
    for change in ("start", "resign", "leave", "decline", "cancel"):
        problem(reader.post(f"/v1/matches/{match}/{change}"), 403, "scope_missing")
    for change in ("join", "draw"):
        problem(reader.post(f"/v1/matches/{match}/{change}", json={}), 403, "scope_missing")


def test_a_bots_token_plays_and_resigns_and_does_not_see_to_the_table(ann: Person, bob: Person) -> None:
    match = table([ann, bob], first_dealer=0)
    bot = bob.with_token("bot:play")
    assert bot.play(match, bot.legal(match)[0]).status_code == 200
    for change in ("start", "leave", "decline", "cancel", "return"):
        problem(bot.post(f"/v1/matches/{match}/{change}"), 403, "scope_missing")
    problem(bot.post(f"/v1/matches/{match}/draw", json={}), 403, "scope_missing")
    problem(bot.post("/v1/matches", json={}), 403, "scope_missing")
    assert bot.post(f"/v1/matches/{match}/resign").status_code == 200


def test_a_change_is_answered_with_what_the_same_token_may_read(ann: Person, bob: Person, eve: Person) -> None:
    host, guest = ann.with_token("match:play"), bob.with_token("match:play")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "player", "player": eve.id}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]

    def same(who: Person, change: str, **more: Any) -> None:
        answer = who.post(f"/v1/matches/{match}/{change}", **more)
        assert answer.status_code == 200, answer.get_json()
        assert answer.data == who.get(f"/v1/matches/{match}").data

    same(guest, "join", json={})
    same(guest, "leave")
    same(eve.with_token("match:play"), "decline")
    same(guest, "join", json={})
    eve.post(f"/v1/matches/{match}/join", json={})
    same(host, "start")
    same(guest, "draw", json={"action": "offer"})
    same(guest, "draw", json={"action": "withdraw"})
    same(guest, "resign")


# ── A revoked token ─────────────────────────────────────────────────────────────────────────────────────────────

JSON = "application/json"


def requests_of_every_kind(match: str, foreign: str, command: dict[str, Any]) -> dict[str, tuple[str, str, Any]]:
    """One for each reason that an answer can have."""
    commands, text = f"/v1/matches/{match}/commands", json.dumps(command)
    sent: dict[str, tuple[str, str, Any]] = {
        "accepted": ("POST", commands, {"json": command}),
        "a first answer again": ("POST", commands, {"json": command, "headers": {"Idempotency-Key": "known"}}),
        "a key for two commands": ("POST", commands, {"json": {"type": "no"}, "headers": {"Idempotency-Key": "known"}}),
        "refused by a rule": ("POST", commands, {"json": {"type": "play_card", "card": "PRINCE"}}),
        "no such command": ("POST", commands, {"json": {"type": "fly"}}),
        "a field too many": ("POST", commands, {"json": {**command, "seat": 1}}),
        "no object": ("POST", commands, {"json": []}),
        "no JSON": ("POST", commands, {"data": b"{", "content_type": JSON}),
        "no body": ("POST", commands, {}),
        "a form": ("POST", commands, {"data": "a=b", "content_type": "application/x-www-form-urlencoded"}),
        "too large": ("POST", commands, {"data": b" " * 70_000, "content_type": JSON}),
        "too large, by Flask": ("POST", commands, {"data": b" " * 70_000, "content_type": JSON + "; charset=utf-8"}),
        "by Flask": ("POST", commands, {"data": text, "content_type": JSON + "; charset=utf-8"}),
        "a bad key": ("POST", commands, {"json": command, "headers": {"Idempotency-Key": "a b"}}),
        "a stale version": ("POST", commands, {"json": command, "headers": {"If-Match": '"1"'}}),
        "a bad version": ("POST", commands, {"json": command, "headers": {"If-Match": "abc"}}),
        "no such match": ("POST", f"/v1/matches/{uuid.uuid4()}/commands", {"json": command}),
        "a match of others": ("POST", f"/v1/matches/{foreign}/commands", {"json": command}),
        "no id of a match": ("POST", "/v1/matches/nonsense/commands", {"json": command}),
        "no such method": ("DELETE", f"/v1/matches/{match}", {}),
        "no such page": ("GET", "/v1/nowhere", {}),
        "opening": ("POST", "/v1/matches", {"json": {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "bot"}]}}),
        "opening what is no game": ("POST", "/v1/matches", {"json": {"game": "chess"}}),
        "a new token": ("POST", "/v1/tokens", {"json": {"scopes": ["match:play"]}}),
        "a new token that fits nothing": ("POST", "/v1/tokens", {"json": {"scopes": ["nonsense"]}}),
        "revoking": ("DELETE", f"/v1/tokens/{uuid.uuid4()}", {}),
        "a query that does not fit": ("GET", f"/v1/matches/{match}?at=x", {}),
        "a format there is none of": ("GET", f"/v1/matches/{match}/events", {"headers": {"Accept": "text/html"}}),
    }
    for path in ("/v1/me", "/v1/tokens", "/v1/matches", *(f"/v1/matches/{match}{reading}" for reading in READINGS)):
        sent[f"GET {path}"] = ("GET", path, {})
    for change in ("join", "start", "leave", "decline", "cancel", "resign", "draw"):
        for body in ({"json": {"action": "offer"} if change == "draw" else {}}, {"data": b"{", "content_type": JSON}):
            for version in ("abc", '"1"'):
                more = {**body, "headers": {"If-Match": version}}
                sent[f"{change} {version} {list(body)}"] = ("POST", f"/v1/matches/{match}/{change}", more)
    return sent


@pytest.mark.parametrize("scopes", [("match:play", "match:read", "match:create"), ("match:read",)])
def test_a_revoked_token_gets_401_in_every_process_whatever_else_is_wrong(
    ann: Person, bob: Person, eve: Person, elsewhere: flask.testing.FlaskClient, scopes: tuple[str, ...]
) -> None:
    match, foreign = table([ann, bob], first_dealer=0), table([ann, eve])
    here = bob.with_token(*scopes)
    there = here.through(elsewhere)
    if "match:play" in scopes:
        assert there.play(match, bob.legal(match)[0], {"Idempotency-Key": "known"}).status_code == 200
        play_on([ann, bob], match, steps=1)
    while ann.view(match)["to_act"] != [1]:
        play_on([ann, bob], match, steps=1)
    for process in (here, there):  # both have the token and the match in memory
        assert process.get(f"/v1/matches/{match}").status_code == 200
        process.play(match, {"type": "fly"})
    asked = requests_of_every_kind(match, foreign, bob.legal(match)[0])

    token_id, version = here.token_id, ann.view(match)["version"]
    assert bob.delete(f"/v1/tokens/{token_id}").status_code == 204

    for process in (there, here):
        for name, (method, path, more) in asked.items():
            headers = {"Authorization": f"Bearer {process.token}", **more.get("headers", {})}
            answer = process._client.open(path, method=method, **{**more, "headers": headers})
            assert answer.status_code == 401, (name, answer.get_json())
            assert answer.get_json()["code"] == "token_unknown" and answer.headers["WWW-Authenticate"], name
    assert ann.view(match)["version"] == version


def test_a_token_revoked_while_a_match_is_opened_opens_none(parlor: Services, ann: Person, bob: Person) -> None:
    """The look-up came before the revocation, the statement after it."""
    who = parlor.players.caller(bob.token)
    assert who is not None
    assert bob.delete(f"/v1/tokens/{who.token_id}").status_code == 204
    with pytest.raises(NotAllowed):
        parlor.matches.open(
            "quenette",
            host=who.player_id,
            seats=[Place("open", None, None, "")] * 2,
            options={},
            token=who.token_hash,
        )
    with pytest.raises(NotAllowed):
        parlor.players.issue(who, "", ["match:play"])
    assert not parlor.database.run("SELECT FROM matches WHERE host = %s", (who.player_id,))


def test_an_accepted_command_is_one_statement_token_included(
    parlor: Services, ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = table([ann, bob], "check-and-double-check")
    people = {0: ann, 1: bob}
    for person in people.values():
        person.play(match, {"type": "fly"})  # the token is remembered from here on
    (seat,) = ann.view(match)["to_act"]
    statements: list[str] = []
    run, request_thread = parlor.database.run, threading.current_thread()

    def counted(query: Any, params: Any = None) -> Any:
        if threading.current_thread() is request_thread:  # the last use of a token is written by another
            statements.append(query)
        return run(query, params)

    monkeypatch.setattr(parlor.database, "run", counted)
    assert people[seat].play(match, {"type": "roll"}, {"Idempotency-Key": "k", "If-Match": "*"}).status_code == 200
    assert len(statements) == 1 and "tokens" in statements[0]


# ── Real processes ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def address(servers: Servers) -> Iterator[str]:
    """`parlor api` with two processes on the database of the tests."""
    port = free_port()
    environment = os.environ | {
        "DATABASE_URL": servers.postgres.url,
        "REDIS_URL": servers.valkey.url,
        "PARLOR_PORT": str(port),
        "PARLOR_API_PROCESSES": "2",
        "PARLOR_API_THREADS": "2",
    }
    process = subprocess.Popen([sys.executable, "-m", "api.cli", "api"], cwd=ROOT, env=environment)
    found, until = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"{found}/readyz", timeout=2).close()
            break
        except OSError:
            time.sleep(0.1)
    yield found
    process.terminate()
    process.wait(PATIENCE)


def status(url: str, token: str, body: bytes | None = None, **headers: str) -> int:
    """Over a connection of its own, which either process may get."""
    sent = {
        "Authorization": f"Bearer {token}",
        "Content-Type": JSON,
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, sent), timeout=10) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_real_processes_know_of_a_revocation_at_once(address: str, ann: Person, bob: Person) -> None:
    match, player = table([ann, bob], first_dealer=0), bob.with_token("match:play")
    url = f"{address}/v1/matches/{match}"
    reasons: list[tuple[str, bytes | None, dict[str, str]]] = [
        (f"{url}/commands", b'{"type": "play_card", "card": "PRINCE"}', {}),
        (f"{url}/commands", b'{"type": "fly"}', {}),
        (f"{url}/commands", b"{", {}),
        (f"{url}/commands", json.dumps(bob.legal(match)[0]).encode(), {"If_Match": '"1"'}),
        (f"{address}/v1/matches/{uuid.uuid4()}/commands", b'{"type": "fly"}', {}),
        (url, None, {}),
    ]
    before = {status(*reason[:1], player.token, reason[1], **reason[2]) for reason in reasons * 6}
    assert before == {200, 400, 404, 409, 412, 422}
    assert bob.delete(f"/v1/tokens/{player.token_id}").status_code == 204
    assert {status(*reason[:1], player.token, reason[1], **reason[2]) for reason in reasons * 6} == {401}
