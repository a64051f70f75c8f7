"""The API from outside: what users get, and what bad input gets."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import flask.testing
import pytest
from werkzeug.test import TestResponse

from api import catalogue
from api.terminal import manual
from domain.bots.levels import LEVELS
from domain.bots.strength import Strength
from domain.games import BY_SLUG
from eventstore.chain import verify
from tests.api.people import Person, play_on, problem, table

# ── What a user gets ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_match_from_sign_up_to_the_verified_log(ann: Person, bob: Person) -> None:
    match = table([ann, bob], hands=1)
    view = ann.get(f"/v1/matches/{match}")
    assert view.headers["ETag"] == f'"{view.get_json()["version"]}"'
    tag = view.headers["ETag"]
    for known in (tag, f"W/{tag}", f'"1",{tag}', f'"1", W/{tag}', "*"):
        assert ann.get(f"/v1/matches/{match}", {"If-None-Match": known}).status_code == 304
    for unknown in ('"1"', tag.strip('"') + "1", '"1", "2"', "nonsense"):
        assert ann.get(f"/v1/matches/{match}", {"If-None-Match": unknown}).status_code == 200
    final = play_on([ann, bob], match)
    assert final["result"]["winners"]
    for person in (ann, bob):
        lines = person.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"}).get_data(as_text=True)
        events = [json.loads(line) for line in lines.splitlines()]
        assert verify(events).hex() == events[-1]["hash"]
        assert len(events) == final["version"]
    paged, after = [], 0
    while after is not None:
        page = ann.get(f"/v1/matches/{match}/events?after={after}&limit=7").get_json()
        paged += page["events"]
        after = page["next"]
    assert paged == events


def test_each_seat_verifies_the_chain_while_the_match_is_on(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    play_on([ann, bob], match, steps=5)
    heads = {verify(p.get(f"/v1/matches/{match}/events").get_json()["events"]).hex() for p in (ann, bob)}
    assert len(heads) == 1
    hands = {person.id: set(person.view(match)["table"]["hand"]) for person in (ann, bob)}
    text = ann.get(f"/v1/matches/{match}/events").get_data(as_text=True)
    assert not any(f'"{card}"' in text for card in hands[bob.id])
    assert "server_seed" not in text


def test_an_earlier_version_is_shown_as_it_was_known_then(ann: Person, bob: Person) -> None:
    match = table([ann, bob], hands=1)
    then = ann.view(match)
    play_on([ann, bob], match, steps=4)
    assert ann.get(f"/v1/matches/{match}?at={then['version']}").get_json() == then
    problem(ann.get(f"/v1/matches/{match}?at=9999"), 404, "not_found")
    problem(ann.get(f"/v1/matches/{match}?as=1"), 404, "not_found")
    play_on([ann, bob], match)
    assert ann.get(f"/v1/matches/{match}?as=1&at={then['version']}").get_json()["table"]["hand"]


def test_the_catalogue_says_how_every_game_is_played(client: flask.testing.FlaskClient) -> None:
    games = client.get("/v1/games").get_json()["games"]
    assert {"quenette", "check-and-double-check"} <= {game["slug"] for game in games}
    for game in games:
        info = client.get(game["href"]).get_json()
        assert info["options"] and info["bots"] == ["random", "steady", "strong"]
        assert [level["level"] for level in info["levels"]] == info["bots"]
        assert [level["level"] for level in info["levels"] if level["usual"]] == ["steady"]
        assert set(info["schemas"]) == {"options", "view", "commands", "legal", "events"}
        rules = client.get(info["rules_href"]).get_json()["rules"]
        for rule in (rules[0], rules[-1]):
            assert client.get(f"{info['rules_href']}/{rule['id']}").get_json() == rule
    problem(client.get("/v1/games/chess"), 404, "not_found")
    problem(client.get("/v1/games/quenette/rules/QU-99"), 404, "not_found")
    newest, first = (client.get(f"/v1/games/four-nines/rules{of}").get_json() for of in ("", "?rules_version=1"))
    assert [one["rules_version"] for one in (newest, first)] == [2, 1]
    assert {one["id"] for one in newest["rules"]} - {one["id"] for one in first["rules"]} == {"FN-R19"}
    problem(client.get("/v1/games/four-nines/rules/FN-R19?rules_version=1"), 404, "not_found")
    problem(client.get("/v1/games/four-nines/rules?rules_version=3"), 404, "not_found")
    problem(client.get("/v1/games/four-nines/rules?rules_version=x"), 422, "does_not_fit")


def test_the_catalogue_tells_the_strength_that_was_measured_of_these_very_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    version = LEVELS["steady"].version
    row = Strength("steady", version, "random", LEVELS["random"].version, 2, 2, 24, False, 400, 3.5, 0.25, 0.75)
    older = [row._replace(version=version - 1), row._replace(against_version=0), row._replace(against="unknown")]
    monkeypatch.setattr(catalogue, "measured", lambda: {"quenette": [*older, row]})
    found = {level["level"]: level for level in catalogue.levels_of(BY_SLUG["quenette"])}
    assert found["steady"]["strength"] == [
        {
            "against": "random",
            "seats": 2,
            "sides": 2,
            "iterations": 24,
            "all_seeing": False,
            "hands": 400,
            "lead": 3.5,
            "error": 0.25,
            "won": 0.75,
        }
    ]
    assert found["strong"]["strength"] is None
    told = dict(manual.levels({"levels": list(found.values())}))
    assert told["steady"].endswith("(the usual one); wins 75% against random at 2 seats")
    assert told["strong"].endswith("; not measured")
    assert [level["strength"] for level in catalogue.levels_of(BY_SLUG["trix"])] == [None] * 3


def test_a_bot_whose_level_nobody_names_is_steady(ann: Person) -> None:
    seats = ann.post("/v1/matches", json={"game": "checkers", "seats": [{"kind": "me"}, {"kind": "bot"}]}).get_json()
    assert seats["seats"][1]["level"] == "steady" and seats["seats"][1]["name"] == "Bot 1 (steady)"


def test_a_refusal_cites_its_rule_and_the_version_it_was_judged_at(ann: Person, bob: Person) -> None:
    match = table([ann, bob], first_dealer=0)
    version = ann.view(match)["version"]
    body = problem(ann.play(match, {"type": "play_card", "card": "C-1"}), 409, "not_your_turn")
    assert body["rule"]["id"] == "QU-10" and body["version"] == version
    assert ann.get(body["rule"]["href"]).get_json()["title"] == body["rule"]["title"]
    assert ann.view(match)["version"] == version


def test_tables_against_the_rules_are_refused(ann: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    one = ann.post("/v1/matches", json={"game": "quenette", "seats": seats[:1]})
    assert problem(one, 409, "wrong_seats")["rule"]["id"] == "QU-01"
    wild = ann.post("/v1/matches", json={"game": "quenette", "seats": seats, "options": {"hands": 99}})
    assert problem(wild, 409, "option_refused")["rule"]["id"] == "QU-18"
    unknown = ann.post("/v1/matches", json={"game": "quenette", "seats": seats, "options": {"speed": 1}})
    assert "options.speed" in problem(unknown, 422, "does_not_fit")["errors"]
    twice = ann.post("/v1/matches", json={"game": "quenette", "seats": [{"kind": "me"}, {"kind": "me"}]})
    assert problem(twice, 409, "already_seated")["rule"]["id"] == "PM-04"


def test_the_lobby(ann: Person, bob: Person, eve: Person) -> None:
    """PM-01, PM-02, PM-03, PM-04"""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "player", "player": bob.id}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    assert problem(ann.post(f"/v1/matches/{match}/start"), 409, "seats_open")["rule"]["id"] == "PM-01"
    assert match in [m["id"] for m in eve.get("/v1/matches?show=joinable&limit=200").get_json()["matches"]]
    problem(eve.post(f"/v1/matches/{match}/join", json={"seat": 2}), 409, "seat_taken")
    assert bob.post(f"/v1/matches/{match}/join", json={}).get_json()["you"] == 2  # the seat that was kept for him
    problem(bob.post(f"/v1/matches/{match}/join", json={}), 409, "already_seated")
    assert eve.post(f"/v1/matches/{match}/join", json={"seat": 1}).status_code == 200
    assert problem(eve.post(f"/v1/matches/{match}/start"), 409, "not_the_host")["rule"]["id"] == "PM-02"
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    assert problem(ann.post(f"/v1/matches/{match}/start"), 409, "wrong_phase")["rule"]["id"] == "PM-03"
    assert match in [m["id"] for m in bob.get("/v1/matches").get_json()["matches"]]


def test_lists_come_in_pages(ann: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    made = [ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"] for _ in range(5)]
    found, cursor = [], ""
    while cursor is not None:
        page = ann.get(f"/v1/matches?limit=2{cursor and '&cursor=' + cursor}").get_json()
        found += [m["id"] for m in page["matches"]]
        cursor = page["next"]
    assert found == made[::-1]
    problem(ann.get("/v1/matches?cursor=abc"), 422, "does_not_fit")


def test_resigning_ends_a_match_of_two(ann: Person, bob: Person) -> None:
    """PM-05, PM-08"""
    match = table([ann, bob])
    result = ann.post(f"/v1/matches/{match}/resign").get_json()["result"]
    assert result["winners"] == [1] and result["reason"] == "resigned" and result["server_seed"]
    command = {"type": "play_card", "card": "C-1"}
    assert problem(bob.play(match, command), 409, "match_over")["rule"]["id"] == "PM-08"


def test_a_bot_plays_on_for_a_seat_that_resigned_among_many(ann: Person, bob: Person, eve: Person) -> None:
    """PM-05"""
    match = table([ann, bob, eve], hands=1)
    view = eve.post(f"/v1/matches/{match}/resign").get_json()
    assert view["status"] == "playing" and view["seats"][2]["kind"] == "bot" and view["seats"][2]["resigned"]
    refusal = eve.play(match, {"type": "play_card", "card": "C-1"})
    assert problem(refusal, 409, "seat_taken_over")["rule"]["id"] == "PM-05"


def test_a_draw_needs_everybody(ann: Person, bob: Person, eve: Person) -> None:
    """PM-06"""
    match = table([ann, bob, eve])
    assert problem(bob.post(f"/v1/matches/{match}/draw", json={"action": "accept"}), 409, "no_draw_offered")
    assert ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"}).get_json()["draw_offer"]["seat"] == 0
    assert bob.post(f"/v1/matches/{match}/draw", json={"action": "decline"}).get_json()["draw_offer"] is None
    assert problem(ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"}), 409, "draw_offered_before")
    bob.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
    ann.post(f"/v1/matches/{match}/draw", json={"action": "accept"})
    assert ann.view(match)["status"] == "playing"
    final = eve.post(f"/v1/matches/{match}/draw", json={"action": "accept"}).get_json()
    assert final["result"]["reason"] == "agreed" and final["result"]["winners"] == [0, 1, 2]


def test_who_resigned_has_no_say_in_a_draw(
    client: flask.testing.FlaskClient, ann: Person, bob: Person, eve: Person
) -> None:
    """PM-05, PM-06"""
    match = table([ann, bob, eve, dan := Person(client, "Dan")])
    dan.post(f"/v1/matches/{match}/resign")
    ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
    refused = dan.post(f"/v1/matches/{match}/draw", json={"action": "accept"})
    assert problem(refused, 409, "seat_taken_over")["rule"]["id"] == "PM-05"
    bob.post(f"/v1/matches/{match}/draw", json={"action": "accept"})
    final = eve.post(f"/v1/matches/{match}/draw", json={"action": "accept"}).get_json()
    assert final["result"]["winners"] == [0, 1, 2]


def test_commands_wait_for_the_start(ann: Person) -> None:
    """PM-09"""
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    assert problem(ann.play(match, {"type": "play_card", "card": "C-1"}), 409, "not_started")["rule"]["id"] == "PM-09"


# ── Tokens and strangers ────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_not_yours_looks_like_what_is_not_there(ann: Person, bob: Person, eve: Person) -> None:
    match, nowhere = table([ann, bob]), str(uuid.uuid4())
    asks: tuple[Callable[[str], TestResponse], ...] = (
        lambda m: eve.get(f"/v1/matches/{m}"),
        lambda m: eve.get(f"/v1/matches/{m}/legal"),
        lambda m: eve.get(f"/v1/matches/{m}/events"),
        lambda m: eve.play(m, {"type": "play_card", "card": "C-1"}),
        lambda m: eve.post(f"/v1/matches/{m}/join", json={}),
        lambda m: eve.post(f"/v1/matches/{m}/start"),
        lambda m: eve.post(f"/v1/matches/{m}/resign"),
        lambda m: eve.post(f"/v1/matches/{m}/draw", json={"action": "offer"}),
    )
    for ask in asks:
        theirs, absent = ask(match), ask(nowhere)
        problem(theirs, 404, "not_found")
        assert theirs.get_json() == absent.get_json()
    problem(eve.get("/v1/matches/not-a-uuid"), 404, "not_found")


def test_spectators_see_no_hand(ann: Person, bob: Person, eve: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"game": "quenette", "seats": seats, "spectators": True}
    match = ann.post("/v1/matches", json=body).get_json()["id"]
    bob.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/start")
    view = eve.view(match)
    assert view["you"] is None and view["table"]["hand"] is None
    text = eve.get(f"/v1/matches/{match}/events").get_data(as_text=True)
    assert '"C-1"' not in text and '"part"' not in text
    assert eve.legal(match) == []
    problem(eve.play(match, {"type": "play_card", "card": "C-1"}), 404, "not_found")


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", "Bearer wrong", "Bearer \x80"])
def test_without_a_good_token_there_is_only_401(client: flask.testing.FlaskClient, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    for ask in (client.get, client.post):
        answer = ask("/v1/matches", headers=headers)
        assert answer.status_code == 401 and answer.headers["WWW-Authenticate"]
    assert client.post(f"/v1/matches/{uuid.uuid4()}/commands", headers=headers).status_code == 401


# ── Bad input ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "malformed_json"),
        (b"{", 400, "malformed_json"),
        (b'{"name": NaN}', 400, "malformed_json"),
        (b'{"name": "\xff"}', 400, "malformed_json"),
        (b"[" * 100_000, 413, "too_large"),
        (b"[" * 20_000 + b"]" * 20_000, 400, "malformed_json"),
        (b'{"name": "' + b"x" * 1_000_000 + b'"}', 413, "too_large"),
        (b"[]", 422, "does_not_fit"),
        (b"null", 422, "does_not_fit"),
        (b'"Ann"', 422, "does_not_fit"),
        (b"{}", 422, "does_not_fit"),
        (b'{"name": 1}', 422, "does_not_fit"),
        (b'{"name": ["Ann"]}', 422, "does_not_fit"),
        (b'{"name": ""}', 422, "does_not_fit"),
        (b'{"name": "   "}', 422, "does_not_fit"),
        (b'{"name": "a\\u0000b"}', 422, "does_not_fit"),
        (b'{"name": "' + b"x" * 41 + b'"}', 422, "does_not_fit"),
        (b'{"name": "Ann", "admin": true}', 422, "does_not_fit"),
    ],
)
def test_bodies_that_cannot_be_taken(client: flask.testing.FlaskClient, body: bytes, status: int, code: str) -> None:
    problem(client.post("/v1/players", data=body, content_type="application/json"), status, code)


def test_a_body_that_is_not_json(client: flask.testing.FlaskClient) -> None:
    problem(client.post("/v1/players", data="name=Ann"), 415, "not_json")
    problem(
        client.post("/v1/players", data="name=Ann", content_type="application/x-www-form-urlencoded"), 415, "not_json"
    )


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({}, "type"),
        ({"type": "fly"}, "type"),
        ({"type": ["play_card"]}, "type"),
        ({"type": "play_card"}, "card"),
        ({"type": "play_card", "card": 5}, "card"),
        ({"type": "play_card", "card": None}, "card"),
        ({"type": "play_card", "card": "Z-1"}, "card"),
        ({"type": "play_card", "card": "C-" + "1" * 1000}, "card"),
        ({"type": "play_card", "card": "C-1", "seat": 0}, "seat"),
        ({"type": "deal"}, "type"),
    ],
)
def test_commands_that_cannot_be_read(ann: Person, bob: Person, command: dict[str, Any], field: str) -> None:
    match = table([ann, bob])
    assert field in problem(ann.play(match, command), 422, "does_not_fit")["errors"]


def test_numbers_that_are_none(ann: Person, bob: Person) -> None:
    match = table([ann, bob], game="check-and-double-check", discard_mode="manual")
    for card in (10**30, 2**53, 1.5, True, "2", -(10**19)):
        problem(ann.play(match, {"type": "play_card", "card": card}), 422, "does_not_fit")
    raw = ann.post(
        f"/v1/matches/{match}/commands", data=b'{"type": "play_card", "card": 1e400}', content_type="application/json"
    )
    assert raw.status_code in (400, 422)


def test_versions_and_keys(ann: Person, bob: Person) -> None:
    match = table([ann, bob], first_dealer=0)
    version, command = bob.view(match)["version"], bob.legal(match)[0]
    problem(bob.play(match, command, {"If-Match": "abc"}), 400, "bad_etag")
    stale = problem(bob.play(match, command, {"If-Match": '"1"'}), 412, "stale_version")
    assert stale["version"] == version
    problem(bob.play(match, command, {"Idempotency-Key": "a b"}), 400, "bad_key")
    problem(bob.play(match, command, {"Idempotency-Key": "x" * 200}), 400, "bad_key")
    key = {"Idempotency-Key": "first", "If-Match": f'"{version}"'}
    first = bob.play(match, command, key)
    again = bob.play(match, command, key)
    assert first.status_code == again.status_code == 200 and first.get_json() == again.get_json()
    assert first.headers["ETag"] == again.headers["ETag"]
    other = next(
        c for c in ({"type": "play_card", "card": "C-1"}, {"type": "play_card", "card": "C-2"}) if c != command
    )
    problem(bob.play(match, other, key), 422, "key_reused")


def test_queries_that_do_not_fit(ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    for query in ("at=0", "at=x", "as=-1", "at=99999999999999999999", "nonsense=1"):
        problem(ann.get(f"/v1/matches/{match}?{query}"), 422, "does_not_fit")
    for query in ("after=-1", "limit=0", "limit=1001", "x=1"):
        problem(ann.get(f"/v1/matches/{match}/events?{query}"), 422, "does_not_fit")
    problem(ann.get(f"/v1/matches/{match}/events", {"Accept": "text/html"}), 406, "no_such_format")
    problem(ann.get("/v1/nowhere"), 404, "not_found")
    assert ann.delete("/v1/matches").headers["Allow"]
    problem(ann.delete("/v1/matches"), 405, "method_not_allowed")


def test_every_answer_carries_its_guards(client: flask.testing.FlaskClient) -> None:
    for path in ("/healthz", "/v1/games", "/v1/nowhere", "/docs"):
        headers = client.get(path, headers={"X-Request-ID": "abc123"}).headers
        assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Request-ID"] == "abc123"
    odd = client.get("/healthz", headers={"X-Request-ID": "a b<script>"}).headers["X-Request-ID"]
    assert odd.isalnum()


def test_operations(client: flask.testing.FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}
    assert client.get("/readyz").get_json() == {"status": "ready", "database": "ok", "redis": "ok"}
    assert b"parlor_requests_total" in client.get("/metrics").data


def test_the_reference_loads_nothing_from_elsewhere(client: flask.testing.FlaskClient) -> None:
    page = client.get("/docs").get_data(as_text=True)
    assert "http://" not in page and "https://" not in page and "//" not in page.replace("<!", "")
    for part in ("swagger-ui-bundle.js", "swagger-ui.css", "docs.js", "favicon-32x32.png"):
        assert client.get(f"/docs/{part}").status_code == 200
    problem(client.get("/docs/../app.py"), 404, "not_found")
    assert client.get("/openapi.json").get_json()["openapi"] == "3.1.0"


def test_a_match_is_exported_for_other_programs(ann: Person, bob: Person, eve: Person) -> None:
    match = table([ann, bob], game="checkers", games=1)
    play_on([ann, bob], match, steps=4)
    answer = bob.get(f"/v1/matches/{match}/export/pdn")
    assert answer.mimetype == "text/plain"
    assert '[Black "Ann"]' in answer.text and "1. " in answer.text
    problem(bob.get(f"/v1/matches/{match}/export/mat"), 404, "not_found")
    problem(eve.get(f"/v1/matches/{match}/export/pdn"), 404, "not_found")
    other = table([ann, bob], game="backgammon", target=3)
    play_on([ann, bob], other, steps=6)
    assert " 3 point match\n\n Game 1\n Ann : 0" in ann.get(f"/v1/matches/{other}/export/mat").text
