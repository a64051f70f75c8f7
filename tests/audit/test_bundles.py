"""`GET /v1/matches/{id}/audit`: one file with all it takes, for those who may have it."""

from __future__ import annotations

import gzip
import io
import json
import pathlib
from typing import Any

import flask.testing
import pytest

from api.app import Services
from domain.audit.fingerprint import fingerprint
from domain.audit.report import Report
from domain.audit.verifying import verify
from domain.games import BY_SLUG
from eventstore.signing import Signer, made, sign_ended
from tests.api.people import Person, play_on, problem, table


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Bob", "Cat")]


def fetched(person: Person, match: str) -> bytes:
    answer = person.get(f"/v1/matches/{match}/audit")
    assert answer.status_code == 200 and answer.mimetype == "application/x-ndjson", answer.data
    return bytes(answer.data)


def lines(bundle: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in bundle.splitlines()]


def verified(bundle: bytes) -> Report:
    report = verify(io.BytesIO(bundle))
    assert report.wrong is None, report.wrong
    return report


def finished(people: list[Person], **terms: Any) -> str:
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(people) - 1)]
    opened = people[0].post("/v1/matches", json={"game": "quenette", "seats": seats, **terms})
    match: str = opened.get_json()["id"]
    for person in people[1:]:
        person.post(f"/v1/matches/{match}/join", json={})
    people[0].post(f"/v1/matches/{match}/start")
    play_on(people, match, 3)
    for person in people[1:]:
        assert person.post(f"/v1/matches/{match}/resign").status_code == 200
    return match


# ── What it holds ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_bundle_of_a_finished_match_says_what_was_played_and_judges_as_right(people: list[Person]) -> None:
    match = table(people, hands=1)
    view = play_on(people, match)
    bundle = fetched(people[0], match)
    header, *events, footer = lines(bundle)
    assert header == {
        "format": "parlor-audit",
        "format_version": 1,
        "match": match,
        "game": "quenette",
        "rules_version": BY_SLUG["quenette"].version,
        "rules_fingerprint": fingerprint(BY_SLUG["quenette"]),
        "match_rules": events[0]["public"]["match_rules"],
        "options": {"hands": 1},
        "seed_commitment": view["seed_commitment"],
        "seats": [
            {"kind": "human", "player": person.id, "level": None, "name": person.profile["name"]} for person in people
        ],
    }
    assert footer == {
        "end": {
            "version": view["version"],
            "head": events[-1]["hash"],
            "server_seed": view["result"]["server_seed"],
            "signatures": [],
        }
    }
    report = verified(bundle)
    assert report.checks["commands"].ok == len({event["command_id"] for event in events})
    assert not any(check.unchecked for kind, check in report.checks.items() if kind != "signatures")
    assert report.checks["result"].ok == report.checks["seed"].ok == report.checks["rules"].ok == 1
    assert report.checks["draws"].ok == 2


def test_everybody_gets_the_same_bundle_once_the_match_is_over(people: list[Person]) -> None:
    match = finished(people)
    assert len({fetched(person, match) for person in people}) == 1


def test_a_seat_gets_its_own_parts_while_the_match_is_on_and_the_chain_verifies(people: list[Person]) -> None:
    match = table(people)
    play_on(people, match, 2)
    bundle = fetched(people[1], match)
    _, *events, footer = lines(bundle)
    shown = {audience for event in events for audience, kept in event["secret"].items() if "part" in kept}
    assert shown == {"1"}
    assert footer["end"]["server_seed"] is None and footer["end"]["signatures"] == []
    report = verified(bundle)
    assert report.head == footer["end"]["head"] and report.checks["chain"].ok == len(events)
    assert report.checks["commitments"].ok and report.checks["commitments"].unchecked


def test_a_name_is_the_one_of_today(people: list[Person]) -> None:
    match = finished(people)
    before = lines(fetched(people[0], match))[1:]
    people[1]._client.patch("/v1/me", headers=people[1]._headers(None), json={"name": "Bobby"})
    header, *rest = lines(fetched(people[0], match))
    assert header["seats"][1]["name"] == "Bobby" and rest == before


def test_a_bundle_comes_compressed_to_those_who_want_it(people: list[Person]) -> None:
    match = finished(people)
    packed = people[0].get(f"/v1/matches/{match}/audit", {"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip" and "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == fetched(people[0], match)
    assert len(packed.data) < len(fetched(people[0], match)) / 2


def test_the_bundle_of_a_match_that_was_signed_has_the_signature(
    people: list[Person], parlor: Services, tmp_path: pathlib.Path
) -> None:
    match = finished(people)
    while sign_ended(parlor.database, Signer(parlor.database, str(made(tmp_path)))):
        pass
    *_, end = lines(fetched(people[0], match))
    (signed,) = end["end"]["signatures"]
    assert (signed["statement"]["match"], signed["statement"]["head"]) == (match, end["end"]["head"])


# ── Who may have it ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bundle_is_for_those_who_may_see_the_match(people: list[Person], client: flask.testing.FlaskClient) -> None:
    match = finished(people[:2])
    problem(people[2].get(f"/v1/matches/{match}/audit"), 404, "not_found")
    problem(client.get(f"/v1/matches/{match}/audit"), 401, "token_missing")


def anonymous(client: flask.testing.FlaskClient, match: str) -> list[int]:
    return [client.get(f"/v1/matches/{match}{path}").status_code for path in ("", "/audit", "/events")]


def test_a_match_is_published_when_all_who_played_have_agreed(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    match = finished(people)
    told = people[0].post(f"/v1/matches/{match}/publish").get_json()
    assert told == {"published": False, "agreed": [0], "waiting": [1, 2]}
    assert people[0].post(f"/v1/matches/{match}/publish").get_json() == told
    people[1].post(f"/v1/matches/{match}/publish")
    assert anonymous(client, match) == [401] * 3
    told = people[2].post(f"/v1/matches/{match}/publish").get_json()
    assert told == {"published": True, "agreed": [0, 1, 2], "waiting": []}
    assert anonymous(client, match) == [200] * 3
    assert client.get(f"/v1/matches/{match}/audit").data == fetched(people[0], match)
    assert Person(client, "Eve").with_token("match:play").get(f"/v1/matches/{match}").status_code == 200


def test_a_deleted_account_has_not_agreed(people: list[Person], client: flask.testing.FlaskClient) -> None:
    match = finished(people)
    for person in people:
        person.post(f"/v1/matches/{match}/publish")
    assert anonymous(client, match) == [200] * 3
    assert people[1].delete("/v1/me").status_code in (200, 204)
    assert anonymous(client, match) == [401] * 3


def test_nothing_is_published_before_the_end_or_by_others(people: list[Person]) -> None:
    match = table(people[:2], "checkers")
    told = problem(people[0].post(f"/v1/matches/{match}/publish"), 409, "not_over")
    assert told["rule"]["id"] == "PM-21"
    problem(people[2].post(f"/v1/matches/{match}/publish"), 404, "not_found")
    problem(people[0].with_token("match:read").post(f"/v1/matches/{match}/publish"), 403, "scope_missing")


def test_a_host_who_has_no_seat_does_not_speak_for_those_who_have(people: list[Person]) -> None:
    seats = [{"kind": "open"}, {"kind": "open"}]
    match = people[0].post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    for person in people[1:]:
        person.post(f"/v1/matches/{match}/join", json={})
    people[0].post(f"/v1/matches/{match}/start")
    people[1].post(f"/v1/matches/{match}/resign")
    problem(people[0].post(f"/v1/matches/{match}/publish"), 409, "not_seated")


def test_who_opened_a_match_of_bots_publishes_it(people: list[Person], client: flask.testing.FlaskClient) -> None:
    seats = [{"kind": "bot"}, {"kind": "bot"}]
    match = people[0].post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    people[0].post(f"/v1/matches/{match}/cancel")
    assert anonymous(client, match) == [401] * 3
    assert people[0].post(f"/v1/matches/{match}/publish").get_json()["published"]
    assert anonymous(client, match) == [200] * 3


def test_a_table_can_be_opened_as_one_to_be_published(people: list[Person], client: flask.testing.FlaskClient) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    asked = {"game": "checkers", "seats": seats, "published": True}
    opened = people[0].post("/v1/matches", json=asked).get_json()
    match = opened["id"]
    assert opened["published"] is True
    people[1].post(f"/v1/matches/{match}/join", json={})
    people[0].post(f"/v1/matches/{match}/start")
    assert anonymous(client, match) == [401] * 3
    people[1].post(f"/v1/matches/{match}/resign")
    assert anonymous(client, match) == [200] * 3
    assert lines(client.get(f"/v1/matches/{match}/audit").data)[1]["public"]["published"] is True


def test_publication_does_not_tell_those_who_watch_later_that_it_is_over(
    people: list[Person], client: flask.testing.FlaskClient
) -> None:
    match = finished(people, published=True, spectators=True, spectator_delay=3600)
    assert anonymous(client, match) == [401] * 3
