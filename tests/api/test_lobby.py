"""The lobby: leaving, declining, cancelling, offers of a draw that are withdrawn, and `If-Match` everywhere."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

import flask.testing
import pytest

from api.app import Services
from domain.match import alarms, time_up
from eventstore.chain import verify
from eventstore.errors import NotFound
from eventstore.service import Matches
from tests.api.people import Person, play_on, problem, table
from tests.conftest import Servers
from tests.test_audit_script import lines, script
from workers.bell import bots_queue, connect
from workers.reconciler import Reconciler


def opened(host: Person, *seats: dict[str, Any], **more: Any) -> str:
    answer = host.post("/v1/matches", json={"game": "quenette", "seats": seats, **more})
    assert answer.status_code == 201, answer.get_json()
    return answer.get_json()["id"]  # type: ignore[no-any-return]


def mine(person: Person, query: str = "") -> dict[str, dict[str, Any]]:
    return {match["id"]: match for match in person.get(f"/v1/matches?limit=200{query}").get_json()["matches"]}


ME, OPEN, BOT = {"kind": "me"}, {"kind": "open"}, {"kind": "bot"}


# ── Coming and going ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_leaves_an_open_table_and_another_comes(ann: Person, bob: Person, eve: Person) -> None:
    """PM-11"""
    match = opened(ann, ME, OPEN, options={"hands": 1})
    assert bob.post(f"/v1/matches/{match}/join", json={"client_seed": "bobs"}).status_code == 200
    assert match in mine(bob) and match not in mine(eve, "&show=joinable")
    left = bob.post(f"/v1/matches/{match}/leave").get_json()
    assert left["you"] is None and left["seats"][1]["kind"] == "open" and left["seats"][1]["client_seed"] == ""
    assert match not in mine(bob) and match in mine(eve, "&show=joinable")
    assert problem(bob.post(f"/v1/matches/{match}/leave"), 409, "not_seated")["rule"]["id"] == "PM-11"
    assert eve.post(f"/v1/matches/{match}/join", json={"client_seed": "eves"}).status_code == 200
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    problem(bob.get(f"/v1/matches/{match}"), 404, "not_found")
    assert problem(eve.post(f"/v1/matches/{match}/leave"), 409, "wrong_phase")["rule"]["id"] == "PM-03"
    play_on([ann, eve], match)
    report = script.verify(lines(ann.get(f"/v1/matches/{match}/events?limit=1000").get_json()["events"]))
    assert report.draws


def test_an_invited_player_declines(ann: Person, bob: Person, eve: Person) -> None:
    """PM-11"""
    match = opened(ann, ME, {"kind": "player", "player": bob.id})
    assert match in mine(bob)
    problem(eve.post(f"/v1/matches/{match}/join", json={}), 404, "not_found")
    problem(eve.post(f"/v1/matches/{match}/decline"), 404, "not_found")
    assert problem(ann.post(f"/v1/matches/{match}/decline"), 409, "not_invited")["rule"]["id"] == "PM-11"
    assert bob.post(f"/v1/matches/{match}/decline").get_json()["seats"][1]["player"] is None
    assert match not in mine(bob) and match in mine(eve, "&show=joinable")
    assert eve.post(f"/v1/matches/{match}/join", json={}).status_code == 200


def test_a_player_who_is_not_there_cannot_be_invited(ann: Person) -> None:
    seats = [ME, {"kind": "player", "player": str(uuid.uuid4())}]
    told = problem(ann.post("/v1/matches", json={"game": "quenette", "seats": seats}), 422, "does_not_fit")
    assert told["errors"] == {"seats.1.player": ["there is no such player"]}


def test_who_left_through_another_process_does_not_play_for_who_came(
    parlor: Services, ann: Person, bob: Person, eve: Person
) -> None:
    """This process still believes that Bob sits there."""
    here, elsewhere = Matches(parlor.matches.store), parlor.matches
    match = opened(ann, ME, OPEN, options={"first_dealer": 0})
    bob.post(f"/v1/matches/{match}/join", json={})
    here.look(match, bob.id)
    bob.post(f"/v1/matches/{match}/leave")
    eve.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/start")
    command = eve.legal(match)[0]
    with pytest.raises(NotFound):
        here.play(match, bob.id, command)
    assert here.play(match, eve.id, command).version == elsewhere.look(match, ann.id)[1]


# ── Cancelling ──────────────────────────────────────────────────────────────────────────────────────────────────


def cancelled(host: Person, match: str) -> dict[str, Any]:
    answer = host.post(f"/v1/matches/{match}/cancel")
    assert answer.status_code == 200, answer.get_json()
    view: dict[str, Any] = answer.get_json()
    assert view == host.view(match) and view["status"] == "over"
    assert view["result"].pop("server_seed")
    assert view["result"] == {"winners": [], "places": [], "scores": [], "reason": "cancelled"}
    return view


def test_the_host_cancels_a_table_before_the_start(ann: Person, bob: Person, eve: Person) -> None:
    """PM-12"""
    match = opened(ann, ME, OPEN, OPEN)
    bob.post(f"/v1/matches/{match}/join", json={})
    assert problem(bob.post(f"/v1/matches/{match}/cancel"), 409, "not_the_host")["rule"]["id"] == "PM-12"
    cancelled(ann, match)
    assert mine(bob)[match]["status"] == "over" and match not in mine(eve, "&show=joinable")
    assert match in mine(bob, "&status=over") and match not in mine(bob, "&status=open")
    problem(eve.post(f"/v1/matches/{match}/join", json={}), 404, "not_found")
    problem(ann.post(f"/v1/matches/{match}/cancel"), 409, "match_over")
    problem(ann.post(f"/v1/matches/{match}/start"), 409, "match_over")
    problem(bob.play(match, {"type": "play_card", "card": "C-1"}), 409, "match_over")
    events = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
    assert events[-1]["type"] == "match_ended" and events[-1]["actor"] == "host"
    assert verify(events).hex() == events[-1]["hash"] and script.verify(lines(events)).draws == 0


def test_the_host_cancels_a_match_of_bots_and_none_of_them_is_called_again(parlor: Services, ann: Person) -> None:
    """PM-12"""
    match = opened(ann, BOT, BOT)
    ann.post(f"/v1/matches/{match}/start")
    due = "SELECT count(*) FROM bot_turns WHERE match_id = %s"
    assert parlor.database.run(due, (match,)) == [(1,)]
    cancelled(ann, match)
    assert parlor.database.run(due, (match,)) == [(0,)]
    assert script.verify(lines(ann.get(f"/v1/matches/{match}/events").get_json()["events"])).draws


def test_a_match_that_people_play_is_not_cancelled(ann: Person, bob: Person) -> None:
    """PM-12"""
    match = table([ann, bob])
    assert problem(ann.post(f"/v1/matches/{match}/cancel"), 409, "people_play")["rule"]["id"] == "PM-12"
    problem(bob.post(f"/v1/matches/{match}/cancel"), 409, "not_the_host")


# ── Draws ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_offer_of_a_draw_is_withdrawn(ann: Person, bob: Person) -> None:
    """PM-06"""
    match = table([ann, bob])
    ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
    refused = bob.post(f"/v1/matches/{match}/draw", json={"action": "withdraw"})
    assert problem(refused, 409, "no_draw_offered")["rule"]["id"] == "PM-06"
    assert ann.post(f"/v1/matches/{match}/draw", json={"action": "withdraw"}).get_json()["draw_offer"] is None
    problem(bob.post(f"/v1/matches/{match}/draw", json={"action": "accept"}), 409, "no_draw_offered")
    problem(ann.post(f"/v1/matches/{match}/draw", json={"action": "retract"}), 422, "does_not_fit")


# ── If-Match ────────────────────────────────────────────────────────────────────────────────────────────────────


def changes(ann: Person, bob: Person) -> dict[str, tuple[str, Person, dict[str, Any]]]:
    """Every change of a match at a moment when it would be accepted: the match, who asks for it, and what is sent."""
    seated = opened(ann, ME, OPEN)
    bob.post(f"/v1/matches/{seated}/join", json={})
    full = opened(ann, ME, OPEN)
    bob.post(f"/v1/matches/{full}/join", json={})
    offered = table([ann, bob])
    ann.post(f"/v1/matches/{offered}/draw", json={"action": "offer"})
    playing = table([ann, bob], first_dealer=0)
    return {
        "join": (opened(ann, ME, OPEN), bob, {"json": {}}),
        "leave": (seated, bob, {}),
        "decline": (opened(ann, ME, {"kind": "player", "player": bob.id}), bob, {}),
        "start": (full, ann, {}),
        "cancel": (opened(ann, ME, OPEN), ann, {}),
        "resign": (table([ann, bob]), bob, {}),
        "draw": (offered, bob, {"json": {"action": "accept"}}),
        "commands": (playing, bob, {"json": bob.legal(playing)[0]}),
    }


def test_if_match_means_the_same_on_every_change(ann: Person, bob: Person, eve: Person) -> None:
    for change, (match, who, more) in changes(ann, bob).items():
        path, before = f"/v1/matches/{match}/{change}", who.view(match)
        version = before["version"]
        for unreadable in ("abc", "", "7", '"x"', f'"{version}", "{version + 1}"', '"-1"', '"1234567890"', '"1"x'):
            problem(who.post(path, {"If-Match": unreadable}, **more), 400, "bad_etag")
        for stale in (f'"{version - 1}"', f'"{version + 1}"', f'W/"{version + 1}"'):
            assert problem(who.post(path, {"If-Match": stale}, **more), 412, "stale_version")["version"] == version
        assert who.view(match) == before
        hidden = eve.post(path, {"If-Match": '"999"'}, **more)
        if before["status"] == "playing":  # a stranger is not told which version there is
            problem(hidden, 404, "not_found")
        accepted = who.post(path, {"If-Match": f'"{version}"'}, **more)
        assert accepted.status_code == 200, (change, accepted.get_json())
        assert accepted.headers["ETag"] == f'"{accepted.get_json()["version"]}"'


@pytest.mark.parametrize("given", ["*", 'W/"{}"'])
def test_if_match_takes_a_star_and_a_weak_tag_everywhere(ann: Person, bob: Person, given: str) -> None:
    for change, (match, who, more) in changes(ann, bob).items():
        tag = given.format(who.view(match)["version"])
        assert who.post(f"/v1/matches/{match}/{change}", {"If-Match": tag}, **more).status_code == 200, change


def test_if_match_is_documented_on_every_change(client: flask.testing.FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    beside = ("/invitations", "/notes", "/rematch", "/receipt", "/publish", "/fork")  # they leave the match as it is
    operations = {
        path: one["post"]
        for path, one in paths.items()
        if "{match_id}" in path and "post" in one and not path.endswith(beside)
    }
    assert len(operations) == 11
    for path, operation in operations.items():
        headers = [one["name"] for one in operation["parameters"] if one["in"] == "header"]
        assert "If-Match" in headers and {"400", "412"} <= set(operation["responses"]), path
        assert "scope" in operation["description"] and operation["security"], path


# ── Tables that nobody joins, and bots' time ────────────────────────────────────────────────────────────────────


def test_a_table_that_nobody_joins_is_cancelled_after_a_while(
    ann: Person, bob: Person, parlor: Services, servers: Servers
) -> None:
    """PM-12"""
    stale, fresh, running = opened(ann, ME, OPEN), opened(ann, ME, OPEN), table([ann, bob])
    later = dt.datetime.now(dt.UTC) + dt.timedelta(hours=168)
    parlor.database.run("UPDATE matches SET updated_at = %s WHERE match_id = %s", (later, fresh))
    queue = bots_queue(connect(servers.valkey.url))
    Reconciler(parlor.matches, queue, now=lambda: later + dt.timedelta(minutes=1)).review()
    assert (ann.view(stale)["status"], ann.view(stale)["result"]["reason"]) == ("over", "cancelled")
    assert ann.view(fresh)["status"] == "open" and ann.view(running)["status"] == "playing"
    log = ann.get(f"/v1/matches/{stale}/events").get_json()["events"]
    assert (log[-1]["type"], log[-1]["actor"]) == ("match_ended", "clock")


def test_a_table_may_give_bots_less_time_to_think_and_not_more(ann: Person) -> None:
    """PM-13"""
    body = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "bot", "level": "strong"}]}
    given = ann.post("/v1/matches", json=body | {"thinking_ms": 50})
    assert given.status_code == 201 and given.get_json()["thinking_ms"] == 50
    refused = problem(ann.post("/v1/matches", json=body | {"thinking_ms": 601}), 409, "thinks_too_long")
    assert refused["rule"]["id"] == "PM-13"
    for wrong in (0, -1, 1.5, "50", 60_001):
        problem(ann.post("/v1/matches", json=body | {"thinking_ms": wrong}), 422, "does_not_fit")


def test_a_player_comes_back_to_the_seat_that_a_bot_kept(ann: Person, bob: Person, parlor: Services) -> None:
    """PM-07"""
    match = opened(ann, ME, OPEN, turn_seconds=5)
    assert bob.post(f"/v1/matches/{match}/join", json={}).status_code == 200
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    problem(ann.post(f"/v1/matches/{match}/return"), 409, "not_away")
    warm = parlor.matches.fresh(match)
    while all(chair.kind == "human" for chair in warm.match.chairs):
        due = {alarm.name for alarm in alarms(warm.match)}
        parlor.matches.append(warm, time_up(warm.match, warm.seed, due), f"clock/{uuid.uuid4()}")
        warm = parlor.matches.fresh(match)
    view = ann.view(match)
    seat = next(one["seat"] for one in view["seats"] if one["kind"] == "bot")
    person = (ann, bob)[seat]
    assert view["seats"][seat]["level"] == "steady"
    back = person.post(f"/v1/matches/{match}/return")
    assert back.status_code == 200 and back.get_json()["seats"][seat]["kind"] == "human"
    log = person.get(f"/v1/matches/{match}/events?after={view['version']}&words=1").get_json()["events"]
    assert log[0]["event"]["type"] == "seat_returned" and log[0]["words"] == "You are back and play on."
