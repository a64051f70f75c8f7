"""Accounts: tokens that expire and change their secret, recovery codes, other names, and players who are no more."""

from __future__ import annotations

import concurrent.futures
import datetime as dt
import functools
import json
import time
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from werkzeug.test import TestResponse

from api.app import Services, create_app, services
from eventstore.departures import SETTLED, end
from eventstore.errors import NotAllowed
from eventstore.players import SCOPES, hash_of
from eventstore.recovery import AT_A_PLAYER, FROM_AN_ADDRESS, WINDOW, Recovery
from eventstore.service import Matches
from eventstore.settings import Settings
from tests.api.people import Person, play_on, problem, table
from tests.conftest import Servers
from workers.bell import bots_queue, connect
from workers.reconciler import Reconciler


def patch(person: Person, **given: Any) -> TestResponse:
    return person._client.patch("/v1/me", headers={"Authorization": f"Bearer {person.token}"}, json=given)


def told_tokens(person: Person) -> dict[str, dict[str, Any]]:
    return {token["id"]: token for token in person.get("/v1/tokens").get_json()["tokens"]}


def expired(parlor: Services, person: Person) -> None:
    """As it is when the time of a token has run out."""
    query = "UPDATE tokens SET expires_at = now() - interval '1 second' WHERE token_hash = %s"
    parlor.database.run(query, (hash_of(person.token),))


# ── Tokens that expire ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_says_when_it_expires(ann: Person) -> None:
    made = ann.post("/v1/tokens", json={"scopes": ["match:play"], "label": "phone", "expires_in": 3600}).get_json()
    left = dt.datetime.fromisoformat(made["expires_at"]) - dt.datetime.now(dt.UTC)
    assert dt.timedelta(minutes=58) < left <= dt.timedelta(hours=1)
    listed = told_tokens(ann)[made["id"]]
    assert (listed["label"], listed["expires_at"], listed["last_used_at"]) == ("phone", made["expires_at"], None)
    assert ann.get("/v1/me").get_json()["expires_at"] is None


@pytest.mark.parametrize("seconds", [0, -1, 1.5, "60", 10**10, True])
def test_a_time_that_is_none_is_refused(ann: Person, seconds: object) -> None:
    answer = ann.post("/v1/tokens", json={"scopes": ["match:play"], "expires_in": seconds})
    assert "expires_in" in problem(answer, 422, "does_not_fit")["errors"]


def test_an_expired_token_is_told_nothing_also_by_a_process_that_remembers_it(
    parlor: Services, ann: Person, bob: Person
) -> None:
    match = table([ann, bob], first_dealer=0)
    phone = bob.with_token("match:play", "match:read", "match:create")
    command = phone.legal(match)[0]
    phone.play(match, {"type": "fly"})  # the token is remembered from here on
    webhook = phone.post("/v1/webhooks", json={"url": "https://bots.example.org/"}).get_json()["id"]
    version = ann.view(match)["version"]
    expired(parlor, phone)
    seats = [{"kind": "me"}, {"kind": "open"}]
    for answer in (
        phone.play(match, command),
        phone.play(match, {"type": "fly"}),
        phone.play(str(uuid.uuid4()), command),
        phone.get(f"/v1/matches/{match}"),
        phone.post(f"/v1/matches/{match}/resign"),
        phone.post("/v1/matches", json={"game": "quenette", "seats": seats}),
        phone.post("/v1/tokens", json={"scopes": ["match:play"]}),
    ):
        problem(answer, 401, "token_unknown")
    assert ann.view(match)["version"] == version
    listed = [hook["id"] for hook in bob.get("/v1/webhooks").get_json()["webhooks"]]
    assert webhook not in listed, "a webhook falls with the token that made it"


def test_no_token_outlives_the_one_that_made_it(ann: Person) -> None:
    body = {"scopes": list(SCOPES), "expires_in": 600}
    short = ann.with_token(*SCOPES)
    short.token = ann.post("/v1/tokens", json=body).get_json()["token"]
    ends = short.get("/v1/me").get_json()["expires_at"]
    assert short.post("/v1/tokens", json={"scopes": ["match:play"]}).get_json()["expires_at"] == ends
    sooner = short.post("/v1/tokens", json={"scopes": ["match:play"], "expires_in": 60}).get_json()["expires_at"]
    assert sooner < ends
    later = short.post("/v1/tokens", json={"scopes": ["match:play"], "expires_in": 601})
    assert "expires_in" in problem(later, 422, "does_not_fit")["errors"]


def test_the_last_use_of_a_token_is_noted_once_a_minute_also_of_one_that_is_remembered(
    parlor: Services, ann: Person, bob: Person
) -> None:
    match = table([ann, bob], first_dealer=0)
    phone = bob.with_token("match:play")
    phone.play(match, {"type": "fly"})
    parlor.players.uses.write()
    noted = dt.datetime.fromisoformat(told_tokens(bob)[phone.token_id]["last_used_at"])
    assert abs(dt.datetime.now(dt.UTC) - noted) < dt.timedelta(minutes=2)
    written = "SELECT last_used_at, xmin FROM tokens WHERE token_hash = %s"
    row = parlor.database.run(written, (hash_of(phone.token),))
    phone.play(match, {"type": "fly"})
    parlor.players.uses.write()
    assert parlor.database.run(written, (hash_of(phone.token),)) == row
    # Another process, which knows of no use yet, writes nothing within the minute either.
    other = type(parlor.players)(parlor.database)
    assert other.caller(phone.token)
    other.uses.write()
    assert parlor.database.run(written, (hash_of(phone.token),)) == row


# ── Another secret ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_token_gets_another_secret_and_is_the_same_otherwise(parlor: Services, ann: Person, bob: Person) -> None:
    match = table([ann, bob], first_dealer=0)
    phone = bob.with_token("match:play", "match:read")
    bot = phone.with_token("match:play")
    phone.play(match, {"type": "fly"})  # remembered
    before = told_tokens(bob)[phone.token_id]
    fresh = phone.post(f"/v1/tokens/{phone.token_id}/rotate")
    assert fresh.status_code == 200
    told = fresh.get_json()
    problem(phone.play(match, bob.legal(match)[0]), 401, "token_unknown")
    problem(phone.get("/v1/me"), 401, "token_unknown")
    phone.token = told.pop("token")
    assert {name: before[name] for name in told} == told
    assert phone.play(match, phone.legal(match)[0]).status_code == 200
    assert bot.get("/v1/me").status_code == 200, "what it made stays"


def test_a_token_rotates_what_it_may_revoke_and_only_what_is_good(parlor: Services, ann: Person, bob: Person) -> None:
    phone, tablet = ann.with_token("match:play"), ann.with_token("match:play")
    for person, other in ((phone, tablet), (phone, ann), (bob, ann)):
        problem(person.post(f"/v1/tokens/{other.token_id}/rotate"), 404, "not_found")
    gone = tablet.token_id
    ann.delete(f"/v1/tokens/{gone}")
    problem(ann.post(f"/v1/tokens/{gone}/rotate"), 404, "not_found")
    late = phone.token_id
    expired(parlor, phone)
    problem(ann.post(f"/v1/tokens/{late}/rotate"), 404, "not_found")


def while_held(servers: Servers, held: str, token_id: str, *calls: Callable[[], Any]) -> list[Any]:
    """What these return, or raise, if all have begun before somebody else is done with the row of the token."""
    with (
        psycopg.connect(servers.postgres.url) as holding,
        psycopg.connect(servers.postgres.url, autocommit=True) as watching,
        concurrent.futures.ThreadPoolExecutor(len(calls)) as pool,
    ):
        holding.execute(held, (token_id,))
        begun = [pool.submit(call) for call in calls]
        waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ~ 'UPDATE tokens'"
        while watching.execute(waiting).fetchone() != (len(calls),):
            assert not any(one.done() for one in begun)
            time.sleep(0.01)
        holding.commit()
        return [one.exception() or one.result() for one in begun]


def test_a_token_that_is_rotated_several_times_at_once_gets_one_secret(
    parlor: Services, servers: Servers, ann: Person
) -> None:
    who = parlor.players.caller(ann.token)
    assert who is not None
    rotate = functools.partial(parlor.players.rotate, who, ann.token_id)
    hold = "SELECT FROM tokens WHERE token_id = %s FOR UPDATE"
    answers = while_held(servers, hold, ann.token_id, rotate, rotate, rotate)
    fresh = [one[1] for one in answers if isinstance(one, tuple)]
    assert len(fresh) == 1 and parlor.players.caller(fresh[0]), "whoever is told of a secret has one that is good"
    assert [type(one) for one in answers if not isinstance(one, tuple)] == [NotAllowed] * 2


def test_a_token_that_is_revoked_at_that_moment_gets_no_other_secret(
    parlor: Services, servers: Servers, ann: Person
) -> None:
    phone = ann.with_token("match:play")
    who = parlor.players.caller(phone.token)
    assert who is not None
    revoke = "UPDATE tokens SET revoked_at = now() WHERE token_id = %s"
    (answer,) = while_held(servers, revoke, phone.token_id, functools.partial(parlor.players.rotate, who, who.token_id))
    assert isinstance(answer, NotAllowed)


# ── Recovery ────────────────────────────────────────────────────────────────────────────────────────────────────


def recover(person: Person, code: str, address: str = "198.51.100.1", **more: Any) -> TestResponse:
    body = {"player": person.id, "code": code, **more}
    return person._client.post("/v1/recover", json=body, environ_base={"REMOTE_ADDR": address})


def test_whoever_lost_all_tokens_gets_back_with_the_code_once(ann: Person) -> None:
    code = ann.profile["recovery_code"]
    other = ann.with_token("match:play")
    first_id = ann.token_id
    ann.delete(f"/v1/tokens/{first_id}")
    problem(ann.get("/v1/me"), 401, "token_unknown")
    problem(other.get("/v1/me"), 401, "token_unknown")
    answer = recover(ann, code.lower().replace("-", " ").replace("0", "o").replace("1", "l"))
    assert answer.status_code == 201, answer.get_json()
    found = answer.get_json()
    assert (found["id"], found["name"], set(found["scopes"])) == (ann.id, "Ann", set(SCOPES))
    ann.token = found["token"]
    assert ann.get("/v1/me").get_json()["id"] == ann.id
    problem(recover(ann, code), 404, "wrong_code")
    assert recover(ann, found["recovery_code"]).status_code == 201


def test_recovery_leaves_the_other_tokens_alone_unless_it_is_told_not_to(ann: Person) -> None:
    phone = ann.with_token("match:play")
    first = recover(ann, ann.profile["recovery_code"]).get_json()
    assert phone.get("/v1/me").status_code == 200
    second = recover(ann, first["recovery_code"], revoke_others=True).get_json()
    for person in (ann, phone):
        problem(person.get("/v1/me"), 401, "token_unknown")
    ann.token = first["token"]
    problem(ann.get("/v1/me"), 401, "token_unknown")
    ann.token = second["token"]
    assert ann.get("/v1/me").status_code == 200


def test_an_account_without_a_code_fetches_one_and_the_code_before_is_void(parlor: Services, ann: Person) -> None:
    problem(ann.with_token("match:play").post("/v1/me/recovery"), 403, "scope_missing")
    parlor.database.run("UPDATE players SET recovery_hash = NULL WHERE player_id = %s", (ann.id,))
    problem(recover(ann, ann.profile["recovery_code"], "198.51.100.2"), 404, "wrong_code")
    code = ann.post("/v1/me/recovery").get_json()["recovery_code"]
    newer = ann.post("/v1/me/recovery").get_json()["recovery_code"]
    problem(recover(ann, code, "198.51.100.2"), 404, "wrong_code")
    assert recover(ann, newer, "198.51.100.2").status_code == 201


def test_the_database_has_no_code(parlor: Services, ann: Person) -> None:
    kept = parlor.database.run("SELECT row_to_json(p)::text FROM players p WHERE player_id = %s", (ann.id,))[0][0]
    code = ann.profile["recovery_code"]
    assert code not in kept and code.replace("-", "") not in kept


def test_a_thousand_guesses_are_stopped_and_the_owner_is_heard_elsewhere(ann: Person) -> None:
    answers = [recover(ann, f"{n:05}-AAAAA-AAAAA-AAAAA-AAAAA", "203.0.113.7") for n in range(1000)]
    assert [answer.status_code for answer in answers] == [404] * FROM_AN_ADDRESS + [429] * (1000 - FROM_AN_ADDRESS)
    told = problem(answers[-1], 429, "too_many_guesses")
    assert 3000 < int(answers[-1].headers["Retry-After"]) <= 3600 and "address" in told["detail"]
    problem(recover(ann, ann.profile["recovery_code"], "203.0.113.7"), 429, "too_many_guesses")
    assert recover(ann, ann.profile["recovery_code"], "203.0.113.8").status_code == 201


def test_guesses_from_many_addresses_are_stopped_and_do_not_lock_the_owner_out(ann: Person) -> None:
    wrong = "00000-AAAAA-AAAAA-AAAAA-AAAAA"
    for n in range(AT_A_PLAYER):
        problem(recover(ann, wrong, f"192.0.2.{n}"), 404, "wrong_code")
    problem(recover(ann, wrong, "192.0.2.1"), 429, "too_many_guesses")
    owner = recover(ann, ann.profile["recovery_code"], "192.0.2.200")
    assert owner.status_code == 201, "who has not guessed wrong is heard"


def test_one_network_of_ipv6_is_one_address(ann: Person) -> None:
    for n in range(FROM_AN_ADDRESS):
        problem(recover(ann, "00000", f"2001:db8:1:2::{n:x}"), 404, "wrong_code")
    problem(recover(ann, "00000", "2001:db8:1:2:ffff::1"), 429, "too_many_guesses")
    problem(recover(ann, "00000", "2001:db8:1:3::1"), 404, "wrong_code")


def test_addresses_of_ipv4_are_apart_also_where_they_come_as_ones_of_ipv6(ann: Person) -> None:
    """So they come where a server listens on both at once."""
    for _ in range(FROM_AN_ADDRESS):
        problem(recover(ann, "00000", "::ffff:100.64.0.77"), 404, "wrong_code")
    problem(recover(ann, "00000", "100.64.0.77"), 429, "too_many_guesses")
    problem(recover(ann, "00000", "::ffff:100.64.0.78"), 404, "wrong_code")


def test_after_an_hour_guesses_are_forgotten(parlor: Services, ann: Person) -> None:
    right = ann.profile["recovery_code"]
    for _ in range(FROM_AN_ADDRESS + 5):
        recover(ann, "00000", "203.0.113.9")
    late = dt.datetime.now(dt.UTC) + WINDOW
    problem(recover(ann, right, "203.0.113.9"), 429, "too_many_guesses")
    later = Recovery(parlor.database, now=lambda: late)
    assert later.recover(ann.id, right, "203.0.113.9", SCOPES, revoke_others=False)["id"] == ann.id
    Recovery(parlor.database, now=lambda: late + WINDOW * 2).sweep()
    assert parlor.database.run("SELECT count(*) FROM recovery_guesses") == [(0,)]


def test_guesses_tell_nothing_about_who_plays_here(ann: Person) -> None:
    stranger = Person(ann._client, "Nobody")
    stranger.id = str(uuid.uuid4())
    answers = [recover(one, "00000", f"203.0.113.{n + 20}") for n, one in enumerate((ann, stranger))]
    assert answers[0].data == answers[1].data and answers[0].status_code == answers[1].status_code == 404


# ── Names ───────────────────────────────────────────────────────────────────────────────────────────────────────


def names(person: Person, match: str) -> list[str]:
    return [seat["name"] for seat in person.view(match)["seats"]]


def test_a_new_name_is_shown_everywhere_and_no_log_has_one(parlor: Services, ann: Person, bob: Person) -> None:
    match = table([ann, bob], "checkers", games=1)
    assert names(bob, match) == ["Ann", "Bob"]
    answer = patch(ann, name="Anna")
    assert answer.status_code == 200 and answer.get_json()["name"] == ann.get("/v1/me").get_json()["name"] == "Anna"
    assert names(bob, match) == ["Anna", "Bob"]
    listed = bob.get("/v1/matches").get_json()["matches"][0]
    assert [seat["name"] for seat in listed["seats"]] == ["Anna", "Bob"]
    assert '"Anna"' in bob.get(f"/v1/matches/{match}/export/pdn").text
    told = ann.play(match, ann.legal(match)[0]) if ann.legal(match) else bob.play(match, bob.legal(match)[0])
    assert told.status_code == 200
    words = [item["words"] for item in bob.get(f"/v1/matches/{match}/events?words=1").get_json()["events"]]
    assert "Bob sits down at seat 1." in words and any(text.startswith("Anna ") for text in words)
    kept = [
        parlor.database.run(f"SELECT json_agg(t)::text FROM {kind} t WHERE match_id = %s", (match,))[0][0]
        for kind in ("events", "matches")
    ]
    assert not any(name in text for text in kept for name in ("Ann", "Anna", "Bob"))


def test_who_sat_down_and_left_is_told_by_name(ann: Person, bob: Person, eve: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    for person in (bob, eve):
        person.post(f"/v1/matches/{match}/join", json={})
        if person is bob:
            person.post(f"/v1/matches/{match}/leave")
    events = ann.get(f"/v1/matches/{match}/events?words=1").get_json()["events"]
    assert [item["words"] for item in events if item["event"]["type"] == "seat_taken"] == [
        "Bob sits down at seat 1.",
        "Eve sits down at seat 1.",
    ]


@pytest.mark.parametrize("name", ["", "Bot 1", "deleted player", "Closed Player", "OPERATOR", "a\u200bb", "x" * 41])
def test_a_name_that_nobody_may_have_is_refused(ann: Person, name: str) -> None:
    assert "name" in problem(patch(ann, name=name), 422, "does_not_fit")["errors"]
    assert ann.get("/v1/me").get_json()["name"] == "Ann"


def test_a_name_is_changed_by_a_token_that_manages_the_account_only(ann: Person) -> None:
    problem(patch(ann.with_token("match:play", "match:read", "match:create"), name="Anna"), 403, "scope_missing")


# ── Players who are no more ─────────────────────────────────────────────────────────────────────────────────────


def test_a_deleted_account_is_gone_and_its_seats_are_played_on(
    parlor: Services, ann: Person, bob: Person, eve: Person
) -> None:
    running, duel = table([ann, bob, eve], hands=3), table([ann, bob], first_dealer=0)
    over = table([ann, bob])
    bob.post(f"/v1/matches/{over}/resign")
    kept_seat = {"kind": "player", "player": bob.id}

    def opened(host: Person) -> str:
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"} if host is bob else kept_seat]
        return str(host.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"])

    sat, kept, own = opened(ann), opened(ann), opened(bob)
    bob.post(f"/v1/matches/{sat}/join", json={})
    phone = bob.with_token("match:play", "match:read")
    phone.post("/v1/webhooks", json={"url": "https://bots.example.org/"})
    closed_over = ann.view(over)

    problem(phone._client.delete("/v1/me", headers={"Authorization": f"Bearer {phone.token}"}), 403, "scope_missing")
    assert bob.delete("/v1/me").status_code == 204

    for person in (bob, phone):
        problem(person.get("/v1/me"), 401, "token_unknown")
    problem(recover(bob, bob.profile["recovery_code"], "198.51.100.9"), 404, "wrong_code")
    view = ann.view(running)
    assert [seat["name"] for seat in view["seats"]] == ["Ann", "deleted player", "Eve"]
    assert (view["seats"][1]["kind"], view["seats"][1]["resigned"], view["status"]) == ("bot", True, "playing")
    assert view["seats"][1]["player"] == bob.id, "the id stays"
    assert ann.view(duel)["result"]["winners"] == [0]
    assert ann.view(over) == {
        **closed_over,
        "seats": [closed_over["seats"][0], {**closed_over["seats"][1], "name": "deleted player"}],
    }
    assert [seat["kind"] for seat in ann.view(sat)["seats"]] == ["human", "open", "open"]
    assert [seat["player"] for seat in ann.view(kept)["seats"]] == [ann.id, None, None]
    ended = parlor.database.run("SELECT status FROM matches WHERE match_id = %s", (own,))
    assert ended == [("over",)], "a table of one's own is cancelled"
    words = ann.get(f"/v1/matches/{running}/events?words=1").get_json()["events"]
    assert any(item["words"].startswith("Deleted player resigns") for item in words)
    for query in (
        "SELECT row_to_json(p)::text FROM players p WHERE player_id = %s",
        "SELECT coalesce(json_agg(t)::text, '') FROM tokens t WHERE player_id = %s",
        "SELECT coalesce(json_agg(w)::text, '') FROM webhooks w WHERE player_id = %s",
    ):
        kept_row = parlor.database.run(query, (bob.id,))[0][0]
        assert "Bob" not in kept_row and "further" not in kept_row and "bots.example.org" not in kept_row
    invited = ann.post("/v1/matches", json={"game": "quenette", "seats": [{"kind": "me"}, kept_seat]})
    problem(invited, 422, "does_not_fit")


def test_notes_of_a_deleted_player_are_erased_and_those_of_others_stay(
    parlor: Services, ann: Person, bob: Person, eve: Person
) -> None:
    def seat(person: Person, match: str) -> None:
        assert person.post(f"/v1/matches/{match}/join", json={}).status_code == 200

    def note(person: Person, match: str, text: str) -> None:
        assert person.post(f"/v1/matches/{match}/notes", json={"text": text}).status_code == 201

    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    played, left = (
        str(ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]) for _ in range(2)
    )
    for match in (played, left):
        seat(bob, match)
        seat(eve, match)
        note(bob, match, "I live at 12 Elm Street")
        note(ann, match, "Good to know")
    bob.post(f"/v1/matches/{left}/leave")  # a table that he is at no longer has them too
    ann.post(f"/v1/matches/{played}/start")
    assert bob.delete("/v1/me").status_code == 204
    for match in (played, left):
        assert [one["text"] for one in ann.get(f"/v1/matches/{match}/notes").get_json()["notes"]] == ["Good to know"]
    # One that was on its way when the account ended goes when nothing can be under way any more.
    parlor.database.run(
        "INSERT INTO notes VALUES (%s, %s, 1, gen_random_uuid(), 1, 'One more thing', now())", (played, bob.id)
    )
    parlor.database.run("UPDATE players SET vacate_at = now() WHERE player_id = %s", (bob.id,))
    parlor.matches.see_off()
    assert [one["text"] for one in eve.get(f"/v1/matches/{played}/notes").get_json()["notes"]] == ["Good to know"]


def test_a_name_is_gone_in_other_processes_within_seconds(
    servers: Servers, settings: Settings, ann: Person, bob: Person
) -> None:
    match = table([ann, bob])
    other = services(servers.postgres.app_url, servers.valkey.url, settings)
    day = [0.0]
    other.matches.store.names._now = lambda: day[0]
    there = ann.through(create_app(other, settings).test_client())
    assert names(there, match) == ["Ann", "Bob"]
    assert bob.delete("/v1/me").status_code == 204
    day[0] = 5.0
    assert names(there, match) == ["Ann", "deleted player"]
    other.database.close()


def test_what_was_left_undone_the_reconciler_does(
    parlor: Services, servers: Servers, ann: Person, bob: Person, eve: Person
) -> None:
    """Given a process that was killed when the account had ended and no table was left yet."""
    match = table([ann, bob, eve], hands=3)
    end(parlor.database, bob.id, "deleted player", dt.datetime.now(dt.UTC))
    assert not ann.view(match)["seats"][1]["resigned"]
    queue = bots_queue(connect(servers.valkey.url))
    Reconciler(Matches(parlor.matches.store), queue).sweep()
    assert ann.view(match)["seats"][1]["resigned"]
    queue.empty()


def test_a_seat_that_was_taken_at_the_last_moment_is_left_too(parlor: Services, ann: Person, bob: Person) -> None:
    """The join began before the account ended, and its statement ended after it."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    assert bob.delete("/v1/me").status_code == 204
    parlor.matches.join(match, bob.id, None, "", None)
    late = dt.datetime.now(dt.UTC) + SETTLED * 2
    Matches(parlor.matches.store, now=lambda: late).see_off()
    assert ann.view(match)["seats"][1]["kind"] == "open"
    waiting = "SELECT vacate_at FROM players WHERE player_id = %s"
    assert parlor.database.run(waiting, (bob.id,)) == [(None,)]


def test_the_log_of_a_match_stays_whole_when_a_player_is_gone(ann: Person, bob: Person, eve: Person) -> None:
    match = table([ann, bob, eve], hands=1)
    play_on([ann, bob, eve], match, steps=2)
    before = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
    assert bob.delete("/v1/me").status_code == 204
    after = ann.get(f"/v1/matches/{match}/events").get_json()["events"]
    assert json.dumps(after[: len(before)]) == json.dumps(before) and len(after) > len(before)
