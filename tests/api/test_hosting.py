"""Around a match: invitations to private tables, players who are sent away, notes, rematches, and retries of all that."""

from __future__ import annotations

import concurrent.futures
import datetime as dt
import pathlib
import uuid
from typing import Any

import flask.testing
import orjson
import pytest

from api.app import Services
from eventstore.errors import TooMany
from eventstore.service import Matches
from tests.api.people import Person, play_on, problem, table
from tests.api.served import serving
from tests.api.test_lobby import BOT, ME, OPEN, mine, opened
from tests.conftest import Servers


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Bob", "Eve", "Zoe")]


def invite(host: Person, match: str, **more: Any) -> str:
    made = host.post(f"/v1/matches/{match}/invitations", json=more)
    assert made.status_code == 201, made.get_json()
    return made.get_json()["code"]  # type: ignore[no-any-return]


def join(person: Person, match: str, headers: dict[str, str] | None = None, **body: Any) -> Any:
    return person.post(f"/v1/matches/{match}/join", headers, json=body)


# ── Invitations ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_private_table_is_in_no_list_and_only_an_invitation_opens_it_PM_15(people: list[Person]) -> None:
    ann, bob, eve, zoe = people
    match = opened(ann, ME, OPEN, private=True, options={"hands": 1})
    assert match in mine(ann) and match not in mine(bob, "&show=joinable")
    for path in ("", "/events", "/legal", "/invitations"):
        problem(bob.get(f"/v1/matches/{match}{path}"), 404, "not_found")
    problem(join(bob, match), 404, "not_found")
    problem(join(bob, match, invitation="no-such-code"), 404, "not_found")
    code = invite(ann, match)
    seen = bob.get(f"/v1/matches/{match}?invitation={code}")
    assert seen.status_code == 200 and seen.get_json()["you"] is None and seen.get_json()["private"]
    problem(bob.get(f"/v1/matches/{match}?invitation={code}x"), 404, "not_found")
    assert join(bob, match, invitation=code).get_json()["you"] == 1
    # Whoever comes second with the same code is told so, before the start and after it.
    problem(eve.get(f"/v1/matches/{match}?invitation={code}"), 404, "not_found")
    assert problem(join(eve, match, invitation=code), 409, "invitation_used")["rule"]["id"] == "PM-15"
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    told = problem(join(zoe, match, invitation=code), 409, "invitation_used")
    assert told["version"] == 2  # how far the match has come is not told
    play_on([ann, bob], match)
    assert problem(join(zoe, match, invitation=code), 409, "invitation_used") == told


def test_an_invitation_is_for_a_seat_for_so_many_and_for_so_long_PM_15(people: list[Person], parlor: Services) -> None:
    ann, bob, eve, zoe = people
    match = opened(ann, ME, OPEN, OPEN, OPEN, private=True)
    to_the_last = invite(ann, match, seat=3)
    problem(join(bob, match, invitation=to_the_last, seat=1), 409, "other_seat")
    assert join(bob, match, invitation=to_the_last).get_json()["you"] == 3
    twice = invite(ann, match, uses=2)
    assert join(eve, match, invitation=twice).status_code == join(zoe, match, invitation=twice).status_code == 200
    listed = ann.get(f"/v1/matches/{match}/invitations").get_json()["invitations"]
    assert [(one["seat"], one["uses"], one["used"]) for one in listed] == [(3, 1, 1), (None, 2, 2)]
    assert all("code" not in one for one in listed)
    short = opened(ann, ME, OPEN, private=True)
    code = invite(ann, short, expires_in=60)
    past = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=1)
    parlor.database.run("UPDATE invitations SET expires_at = %s WHERE match_id = %s", (past, short))
    problem(join(bob, short, invitation=code), 409, "invitation_expired")
    problem(bob.get(f"/v1/matches/{short}?invitation={code}"), 404, "not_found")


def test_an_invitation_is_taken_back_PM_15(people: list[Person]) -> None:
    ann, bob, *_ = people
    match = opened(ann, ME, OPEN, private=True)
    made = ann.post(f"/v1/matches/{match}/invitations", json={})
    where = made.headers["Location"]
    assert ann.get(where).get_json()["revoked_at"] is None
    problem(bob.delete(where), 404, "not_found")
    assert ann.delete(where).status_code == ann.delete(where).status_code == 204
    problem(join(bob, match, invitation=made.get_json()["code"]), 409, "invitation_revoked")
    problem(ann.delete(f"/v1/matches/{match}/invitations/{uuid.uuid4()}"), 404, "not_found")


def test_only_the_host_invites_and_only_before_the_start_PM_15(people: list[Person]) -> None:
    ann, bob, *_ = people
    match = opened(ann, ME, OPEN)
    join(bob, match)
    assert problem(bob.post(f"/v1/matches/{match}/invitations", json={}), 409, "not_the_host")["rule"]["id"] == "PM-15"
    problem(ann.post(f"/v1/matches/{match}/invitations", json={"seat": 7}), 409, "no_such_seat")
    for wrong in ({"uses": 0}, {"uses": 16}, {"seat": -1}, {"expires_in": 1}, {"code": "mine"}):
        problem(ann.post(f"/v1/matches/{match}/invitations", json=wrong), 422, "does_not_fit")
    for _ in range(50):
        invite(ann, match)
    problem(ann.post(f"/v1/matches/{match}/invitations", json={}), 409, "too_many_invitations")
    first = ann.get(f"/v1/matches/{match}/invitations").get_json()["invitations"][0]["id"]
    assert ann.delete(f"/v1/matches/{match}/invitations/{first}").status_code == 204
    told = problem(ann.post(f"/v1/matches/{match}/invitations", json={}), 409, "too_many_invitations")
    assert "taken back" in told["detail"]
    ann.post(f"/v1/matches/{match}/start")
    problem(ann.post(f"/v1/matches/{match}/invitations", json={}), 409, "wrong_phase")


def test_codes_are_kept_as_hashes(people: list[Person], parlor: Services) -> None:
    match = opened(people[0], ME, OPEN, private=True)
    code = invite(people[0], match)
    rows = parlor.database.run("SELECT * FROM invitations WHERE match_id = %s", (match,))
    assert code.encode() not in repr(rows).encode()


# ── Sent away ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_host_sends_a_player_away_who_does_not_come_back_PM_16(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    match = opened(ann, ME, OPEN)
    join(bob, match)
    kick = f"/v1/matches/{match}/kick"
    assert problem(bob.post(kick, json={"seat": 0}), 409, "not_the_host")["rule"]["id"] == "PM-16"
    problem(ann.post(kick, json={"seat": 0}), 409, "your_own_seat")
    assert ann.post(kick, json={"seat": 1}).get_json()["seats"][1]["kind"] == "open"
    problem(ann.post(kick, json={"seat": 1}), 409, "nobody_there")
    problem(ann.post(kick, json={"seat": 9}), 409, "nobody_there")
    problem(bob.get(f"/v1/matches/{match}"), 404, "not_found")
    assert match not in mine(bob)
    assert problem(join(bob, match), 409, "sent_away")["rule"]["id"] == "PM-16"
    problem(join(bob, match, invitation=invite(ann, match)), 409, "sent_away")
    log = ann.get(f"/v1/matches/{match}/events?words=1").get_json()["events"]
    assert (log[-1]["event"]["type"], log[-1]["event"]["actor"]) == ("seat_vacated", "host")
    assert log[-1]["words"] == "The host opens seat 1 again."
    assert join(eve, match).status_code == 200
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    problem(ann.post(kick, json={"seat": 1}), 409, "wrong_phase")


def test_a_seat_that_was_kept_is_kept_no_longer_PM_16(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    match = opened(ann, ME, {"kind": "player", "player": bob.id})
    problem(join(eve, match), 404, "not_found")
    ann.post(f"/v1/matches/{match}/kick", json={"seat": 1})
    assert match in mine(eve, "&show=joinable") and match in mine(bob, "&show=joinable")
    assert join(bob, match).status_code == 200  # who never sat there was not sent away


# ── Rematch ─────────────────────────────────────────────────────────────────────────────────────────────────────


def over(host: Person, other: Person, **more: Any) -> str:
    match = opened(host, ME, OPEN, BOT, **more)
    join(other, match, invitation=invite(host, match))
    host.post(f"/v1/matches/{match}/start")
    host.post(f"/v1/matches/{match}/resign")
    assert other.post(f"/v1/matches/{match}/resign").get_json()["status"] == "over"
    return match


def test_a_rematch_has_the_same_table_with_everybody_one_seat_further_PM_18(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    first = over(ann, bob, options={"hands": 2}, turn_seconds=60, private=True, notes=False)
    assert ann.view(first)["rematch"] is None
    tag = ann.get(f"/v1/matches/{first}").headers["ETag"]
    assert ann.get(f"/v1/matches/{first}", {"If-None-Match": tag}).status_code == 304
    made = bob.post(f"/v1/matches/{first}/rematch")
    view = made.get_json()
    assert made.status_code == 201 and made.headers["Location"] == f"/v1/matches/{view['id']}"
    assert view["host"] == bob.id and view["you"] == 2 and view["options"] == {"hands": 2}
    assert (view["turn_seconds"], view["private"], view["notes"], view["status"]) == (60, True, False, "open")
    seats = [(seat["kind"], seat["player"], seat["level"]) for seat in view["seats"]]
    assert seats == [("bot", None, "steady"), ("open", ann.id, None), ("human", bob.id, None)]
    # The second who asks gets the same match, and so does the first who asks again.
    for person in (ann, bob):
        again = person.post(f"/v1/matches/{first}/rematch")
        assert again.status_code == 200 and again.get_json()["id"] == view["id"]
    assert ann.view(first)["rematch"] == bob.view(first)["rematch"] == view["id"] and view["id"] in mine(ann)
    # Nor is it kept from those who ask for news alone, though the match has no new version.
    for since, headers in (("", {"If-None-Match": tag}), (f"?after={tag[1:-1]}", {})):
        assert ann.get(f"/v1/matches/{first}{since}", headers).get_json()["rematch"] == view["id"]
    events = ann.get(f"/v1/matches/{first}/events").get_json()["events"]
    assert events[-1]["type"] == "match_ended"
    problem(eve.post(f"/v1/matches/{first}/rematch"), 404, "not_found")
    assert join(ann, view["id"]).get_json()["you"] == 1
    assert bob.post(f"/v1/matches/{view['id']}/start").status_code == 200


@pytest.mark.parametrize(
    ("asked", "rated"),
    [({"rated": False}, False), ({"options": {"hands": 2}}, False), ({}, True), ({"rated": True}, True)],
)
def test_who_played_for_nothing_goes_on_so_PM_18(people: list[Person], asked: dict[str, Any], rated: bool) -> None:
    ann, bob, *_ = people
    first = over(ann, bob, **{"options": {}, **asked})
    made = bob.post(f"/v1/matches/{first}/rematch").get_json()
    assert ann.view(first)["rated"] is made["rated"] is rated


def test_many_requests_at_once_give_one_rematch_PM_18(people: list[Person], parlor: Services) -> None:
    ann, bob, *_ = people
    first = over(ann, bob)
    ask = [ann, bob] * 8

    def rematch(person: Person) -> tuple[int, str]:
        got = person.through(person._client.application.test_client()).post(f"/v1/matches/{first}/rematch")
        return got.status_code, got.get_json()["id"]

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(rematch, ask))
    assert len({match for _, match in answers}) == 1
    assert sorted(status for status, _ in answers) == [200] * 15 + [201]
    assert parlor.database.run("SELECT count(*) FROM rematches WHERE match_id = %s", (first,)) == [(1,)]


def test_no_seat_of_a_rematch_is_kept_for_a_player_who_is_no_more(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    first = over(ann, bob)
    assert bob.delete("/v1/me").status_code == 204
    again = ann.post(f"/v1/matches/{first}/rematch").get_json()
    assert [(seat["kind"], seat["player"]) for seat in again["seats"]] == [
        ("bot", None),
        ("human", ann.id),
        ("open", None),
    ]
    assert join(eve, again["id"]).get_json()["you"] == 2


def test_who_asked_for_a_rematch_and_is_no_more_does_not_host_it(people: list[Person], parlor: Services) -> None:
    """A process that dies between the two leaves a link without a match."""
    ann, bob, *_ = people
    first = over(ann, bob)
    parlor.matches.store.rematches.agree(first, str(uuid.uuid4()), bob.id, parlor.matches.now())
    assert bob.delete("/v1/me").status_code == 204
    again = ann.post(f"/v1/matches/{first}/rematch").get_json()
    assert again["host"] == ann.id and bob.id not in {seat["player"] for seat in again["seats"]}


def test_who_may_open_no_more_keeps_nobody_from_a_rematch(people: list[Person], parlor: Services) -> None:
    ann, bob, *_ = people
    first = over(ann, bob)
    opened(ann, ME, OPEN)
    few = Matches(parlor.matches.store, open_matches=1)
    with pytest.raises(TooMany):
        few.rematch(first, ann.id, None)
    made, fresh = few.rematch(first, bob.id, None)
    assert fresh and made.host == bob.id


def test_who_may_not_see_the_rematch_is_not_told_of_it(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    watched = over(ann, bob, spectators=True)
    made = ann.post(f"/v1/matches/{watched}/rematch").get_json()["id"]
    assert eve.view(watched)["rematch"] == made
    assert problem(eve.post(f"/v1/matches/{watched}/rematch"), 409, "not_seated")["rule"]["id"] == "PM-18"


@pytest.mark.parametrize("lost", ["kick", "decline"])
def test_who_has_lost_the_seat_of_a_rematch_is_not_shown_how_it_goes_on(people: list[Person], lost: str) -> None:
    ann, bob, eve, _ = people
    first = over(ann, bob)
    again = bob.post(f"/v1/matches/{first}/rematch").get_json()["id"]
    gone = (
        bob.post(f"/v1/matches/{again}/kick", json={"seat": 1})
        if lost == "kick"
        else ann.post(f"/v1/matches/{again}/decline")
    )
    assert gone.status_code == join(eve, again).status_code == bob.post(f"/v1/matches/{again}/start").status_code == 200
    problem(ann.get(f"/v1/matches/{again}"), 404, "not_found")
    problem(ann.post(f"/v1/matches/{first}/rematch"), 404, "not_found")


def test_a_rematch_that_is_there_is_shown_as_whoever_asks_may_read_it(people: list[Person]) -> None:
    ann, bob, *_ = people
    first = over(ann, bob, turn_seconds=60, options={"first_dealer": 0})  # then the bot deals, and a person leads
    opens = ann.with_token("match:create")
    made = bob.post(f"/v1/matches/{first}/rematch").get_json()["id"]
    join(ann, made)
    bob.post(f"/v1/matches/{made}/start")
    seen = ann.view(made)
    assert seen["deadlines"] and ann.post(f"/v1/matches/{first}/rematch").get_json() == seen
    # A token that only opens matches reads none, so it is shown what was opened.
    told = opens.post(f"/v1/matches/{first}/rematch")
    problem(opens.get(f"/v1/matches/{made}"), 403, "scope_missing")
    assert told.status_code == 200 and told.get_json()["id"] == made
    assert (told.get_json()["version"], told.get_json()["table"], told.headers["ETag"]) == (1, None, '"1"')


def test_there_is_no_rematch_before_the_end_and_none_of_what_never_began_PM_18(people: list[Person]) -> None:
    ann, bob, *_ = people
    assert problem(ann.post(f"/v1/matches/{table([ann, bob])}/rematch"), 409, "not_over")["rule"]["id"] == "PM-18"
    cancelled = opened(ann, ME, OPEN)
    ann.post(f"/v1/matches/{cancelled}/cancel")
    problem(ann.post(f"/v1/matches/{cancelled}/rematch"), 409, "never_started")


# ── Notes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_notes_are_left_before_the_start_and_after_the_end_PM_19(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    match = opened(ann, ME, OPEN, spectators=True)
    notes = f"/v1/matches/{match}/notes"
    join(bob, match)
    left = bob.post(notes, json={"text": "Who deals?"})
    assert left.status_code == 201 and left.get_json()["seat"] == 1 and left.get_json()["player"] == bob.id
    version = ann.view(match)["version"]
    ann.post(notes, json={"text": "You do."})
    ann.post(f"/v1/matches/{match}/start")
    assert problem(bob.post(notes, json={"text": "Play O-5!"}), 409, "being_played")["rule"]["id"] == "PM-19"
    assert [one["text"] for one in bob.get(notes).get_json()["notes"]] == ["Who deals?", "You do."]
    ann.post(f"/v1/matches/{match}/resign")
    ann.post(notes, json={"text": "Well played."})
    first = bob.get(f"{notes}?limit=2").get_json()
    rest = bob.get(f"{notes}?cursor={first['next']}").get_json()
    assert [one["text"] for one in first["notes"] + rest["notes"]] == ["Who deals?", "You do.", "Well played."]
    assert rest["next"] is None
    # Nobody else reads or writes them, and the log has none.
    for ask in (lambda: eve.get(notes), lambda: eve.post(notes, json={"text": "Hello"})):
        problem(ask(), 404, "not_found")
    log = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
    assert log[version]["type"] == "match_started" and "Well played." not in orjson.dumps(log).decode()


def test_a_table_can_do_without_notes_PM_19(people: list[Person]) -> None:
    ann, *_ = people
    match = opened(ann, ME, OPEN, notes=False)
    assert ann.view(match)["notes"] is False
    problem(ann.post(f"/v1/matches/{match}/notes", json={"text": "Hello"}), 409, "no_notes")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a\nb",
        "a\x00b",
        "a\x1b[2Jb",
        "\u202eabc",
        "a\u200bb",
        "a\u200db",
        "a\ufe0f",
        "\ufe0f",
        "x" * 281,
        7,
        None,
    ],
)
def test_a_note_is_a_line_that_can_be_read(people: list[Person], text: Any) -> None:
    match = opened(people[0], ME, OPEN)
    problem(people[0].post(f"/v1/matches/{match}/notes", json={"text": text}), 422, "does_not_fit")
    assert people[0].post(f"/v1/matches/{match}/notes", json={"text": "é" * 280}).status_code == 201


@pytest.mark.parametrize("text", ["I \u2665\ufe0f you", "\U0001f469\U0001f3fd\u200d\U0001f680", "1\ufe0f\u20e3 point"])
def test_a_note_can_hold_the_pictures_that_phones_write(people: list[Person], text: str) -> None:
    match = opened(people[0], ME, OPEN)
    assert people[0].post(f"/v1/matches/{match}/notes", json={"text": text}).get_json()["text"] == text


def test_notes_are_limited_in_rate_and_in_number_also_at_once_PM_19(people: list[Person], parlor: Services) -> None:
    ann, *_ = people
    match = opened(ann, ME, OPEN)

    def note(number: int) -> Any:
        there = ann.through(ann._client.application.test_client())
        return there.post(f"/v1/matches/{match}/notes", json={"text": f"note {number}"})

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(note, range(24)))
    assert sorted(one.status_code for one in answers) == [201] * 10 + [429] * 14
    late = next(one for one in answers if one.status_code == 429)
    assert problem(late, 429, "too_many_notes") and 1 <= int(late.headers["Retry-After"]) <= 60
    parlor.database.run(
        "INSERT INTO notes SELECT match_id, player_id, n, gen_random_uuid(), 0, 'old', at - interval '1 hour' "
        "FROM notes, generate_series(11, 200) n WHERE match_id = %s AND number = 1",
        (match,),
    )
    problem(note(99), 409, "notes_full")


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_retried_opening_gives_the_same_match(people: list[Person]) -> None:
    ann, bob, *_ = people
    body, key = {"game": "quenette", "seats": [ME, OPEN]}, {"Idempotency-Key": "my-table"}
    first = ann.post("/v1/matches", key, json=body)
    match = first.get_json()["id"]
    join(bob, match)
    again = ann.post("/v1/matches", key, json=body)
    assert (again.status_code, again.get_json(), again.headers["Location"]) == (
        201,
        first.get_json(),
        f"/v1/matches/{match}",
    )
    problem(ann.post("/v1/matches", key, json=body | {"spectators": True}), 422, "key_reused")
    assert bob.post("/v1/matches", key, json=body).get_json()["id"] != match  # a key is its player's own
    assert ann.post("/v1/matches", {"Idempotency-Key": "other"}, json=body).get_json()["id"] != match
    problem(ann.post("/v1/matches", {"Idempotency-Key": "a b"}, json=body), 400, "bad_key")
    log = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
    assert [event["type"] for event in log] == ["match_opened", "seat_taken"] and "table" not in log[0]["command_id"]


def test_a_retried_opening_gives_the_same_match_when_it_could_be_opened_no_more(people: list[Person]) -> None:
    ann, bob, *_ = people
    seats = [ME, {"kind": "player", "player": bob.id}]
    body, key = {"game": "quenette", "seats": seats}, {"Idempotency-Key": "for-bob"}
    first = ann.post("/v1/matches", key, json=body).get_json()["id"]
    over = ann.post(
        "/v1/matches", {"Idempotency-Key": "before"}, json={"game": "quenette", "seats": [ME, BOT]}
    ).get_json()
    ann.post(f"/v1/matches/{over['id']}/start")
    fork = {"at": ann.view(over["id"])["version"], "seats": seats}
    forked = ann.post(f"/v1/matches/{over['id']}/fork", key, json=fork)
    assert forked.status_code == 201, forked.get_json()
    assert bob.delete("/v1/me").status_code == 204
    problem(ann.post("/v1/matches", json=body), 422, "does_not_fit")
    again = ann.post("/v1/matches", key, json=body)
    assert (again.status_code, again.get_json()["id"]) == (201, first)
    again = ann.post(f"/v1/matches/{over['id']}/fork", key, json=fork)
    assert (again.status_code, again.get_json()["id"]) == (201, forked.get_json()["id"])
    problem(ann.post("/v1/matches", key, json={**body, "seats": [ME, OPEN]}), 422, "key_reused")


def test_many_openings_with_one_key_at_once_give_one_match(people: list[Person]) -> None:
    ann, *_ = people

    def open_one(_: int) -> tuple[int, Any]:
        there = ann.through(ann._client.application.test_client())
        got = there.post("/v1/matches", {"Idempotency-Key": "k"}, json={"game": "quenette", "seats": [ME, OPEN]})
        return got.status_code, got.get_json()

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(open_one, range(16)))
    assert all(one == answers[0] for one in answers) and answers[0][0] == 201


def test_a_retried_join_answers_as_the_first_time(people: list[Person]) -> None:
    ann, bob, eve, _ = people
    match = opened(ann, ME, OPEN, OPEN, private=True)
    code, key = invite(ann, match), {"Idempotency-Key": "j"}
    first = join(bob, match, key, invitation=code)
    invite_for_eve = invite(ann, match)
    join(eve, match, key, invitation=invite_for_eve)
    ann.post(f"/v1/matches/{match}/start")
    again = join(bob, match, key, invitation=code)
    assert (again.status_code, again.get_json()) == (200, first.get_json())
    assert again.headers["ETag"] == first.headers["ETag"]
    problem(join(bob, match, key, invitation=code, seat=2), 422, "key_reused")
    problem(join(bob, match, invitation=code), 409, "wrong_phase")


def test_a_retried_rematch_answers_as_the_first_time(people: list[Person]) -> None:
    ann, bob, *_ = people
    match, key = over(ann, bob), {"Idempotency-Key": "again"}
    first = ann.post(f"/v1/matches/{match}/rematch", key)
    join(bob, first.get_json()["id"])
    again = ann.post(f"/v1/matches/{match}/rematch", key)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    other = bob.post(f"/v1/matches/{match}/rematch", key)
    assert other.status_code == 200 and other.get_json()["version"] == 2


# ── A race ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_hundred_clients_race_for_one_seat_and_one_has_it(
    servers: Servers, people: list[Person], client: flask.testing.FlaskClient, folder: pathlib.Path
) -> None:
    match = opened(people[0], ME, OPEN)
    runners = [Person(client, f"Runner {number}") for number in range(100)]
    with serving(servers, folder, PARLOR_API_PROCESSES="2", PARLOR_API_THREADS="8") as server:

        def run(person: Person) -> Any:
            headers = {"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"}
            return server.request("POST", f"/v1/matches/{match}/join", b"{}", **headers)

        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(run, runners))
    winners = [person for person, got in zip(runners, answers, strict=True) if got.status == 200]
    assert len(winners) == 1 and people[0].view(match)["seats"][1]["player"] == winners[0].id
    for got in answers:
        if got.status != 200:
            assert got.problem(409, "seat_taken")["rule"]["id"] == "PM-03"
    assert len(people[0].get(f"/v1/matches/{match}/events").get_json()["events"]) == 2
