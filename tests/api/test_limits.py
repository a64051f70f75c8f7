"""Limits: generous for players, and a wall for who wants everything at once."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import itertools
import json
import pathlib
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import flask.testing
import pytest
import redis

from api.app import Services, create_app
from api.counting import KEYS, Counts, Talk
from api.terminal.client import Client as Player
from eventstore.networks import network
from eventstore.settings import Rate, Settings, SettingsError, rates, settings
from tests.api.people import Person, problem, table
from tests.api.served import Got, Server, free_port, serving
from tests.conftest import Servers

Client = flask.testing.FlaskClient
Limited = Callable[..., Client]
ADDRESSES = itertools.count(1)


def nothing_was_counted(servers: Servers) -> redis.Redis:
    """Redis as if nobody had asked for anything before."""
    connection = redis.Redis.from_url(servers.valkey.url)
    for key in connection.scan_iter("parlor:rate*"):
        connection.delete(key)
    return connection


@pytest.fixture
def limited(parlor: Services, settings: Settings, servers: Servers) -> Limited:
    """A server with these limits, of which nothing has been spent."""

    def make(**given: str) -> Client:
        nothing_was_counted(servers)
        changed: Any = {name: rates(text) for name, text in given.items()}
        client = create_app(parlor, dataclasses.replace(settings, **changed)).test_client()
        # Nobody else's: servers of other tests still tell what they have counted.
        return from_(client, f"10.0.0.{next(ADDRESSES)}")

    return make


def from_(client: Client, address: str) -> Client:
    client.environ_base["REMOTE_ADDR"] = address
    return client


def sign_up(client: Client, address: str = "192.0.2.1") -> Any:
    return from_(client, address).post("/v1/players", json={"name": "Ann"})


def wait_told(answer: Any, most: int) -> str:
    """That the answer says when to come back, and by which limit; its name."""
    assert 1 <= int(answer.headers["Retry-After"]) <= most
    name, left, reset = answer.headers["RateLimit"].split(";")
    assert left == "r=0" and reset == f"t={answer.headers['Retry-After']}"
    assert name in answer.headers["RateLimit-Policy"]
    return str(json.loads(name))


# ── Every request ───────────────────────────────────────────────────────────────────────────────────────────────


def test_requests_of_one_token_are_counted_on_both_ways_together(limited: Limited, parlor: Services) -> None:
    client = limited(rate_token="6/day")
    (_, ann), (_, bob) = parlor.players.sign_up("Ann"), parlor.players.sign_up("Bob")
    nowhere = f"/v1/matches/{uuid.uuid4()}"
    for left, kind in zip(range(5, -1, -1), ["application/json", "application/json; charset=utf-8"] * 3, strict=True):
        told = {"Authorization": f"Bearer {ann}", "Content-Type": kind}
        answer = client.post(f"{nowhere}/commands", data=b'{"type": "roll"}', headers=told)
        problem(answer, 404, "not_found")
        assert answer.headers["RateLimit"].startswith(f'"token-day";r={left};t=')
        assert answer.headers["RateLimit-Policy"] == '"token-day";q=6;w=86400'
    for path, method in [(f"{nowhere}/commands", "POST"), ("/v1/me", "GET"), ("/v1/nowhere", "GET")]:
        answer = client.open(path, method=method, json={"type": "roll"}, headers={"Authorization": f"bearer {ann}"})
        problem(answer, 429, "too_many")
        assert wait_told(answer, 86400) == "token-day"
    assert client.get("/v1/me", headers={"Authorization": f"Bearer {bob}"}).status_code == 200
    assert client.get("/v1/games").status_code == 200
    assert "RateLimit" not in client.get("/v1/games").headers  # nothing is counted without a token


def test_requests_from_one_address_are_counted_whatever_their_token(limited: Limited, parlor: Services) -> None:
    client = limited(rate_address="3/day", rate_token="1000/day")
    tokens = [parlor.players.sign_up(name)[1] for name in ("Ann", "Ben", "Cleo", "Dan")]
    answers = [client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}) for token in tokens]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert wait_told(answers[3], 86400) == "address-day"
    assert from_(client, "192.0.2.2").get("/v1/games").status_code == 200


def test_whoever_watches_the_server_is_never_told_to_wait(limited: Limited) -> None:
    client = limited(rate_address="1/day")
    assert [client.get("/v1/games").status_code for _ in range(2)] == [200, 429]
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path).status_code == 200


def test_who_is_told_to_wait_changes_nothing(limited: Limited, client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob])
    before = ann.view(match)["version"]
    mover = next(person for person in (ann, bob) if person.legal(match))
    hasty = mover.through(limited(rate_token="1/day"))
    command = mover.legal(match)[0]
    assert hasty.get("/v1/me").status_code == 200
    problem(hasty.play(match, command), 429, "too_many")
    assert ann.view(match)["version"] == before
    assert mover.play(match, command).status_code == 200


def test_several_rates_hold_together(limited: Limited) -> None:
    client = limited(rate_address="2/second, 3/day")
    found: list[int] = []
    until = time.monotonic() + 20
    while found.count(200) < 3 and time.monotonic() < until:
        answer = client.get("/v1/games")
        found.append(answer.status_code)
        if answer.status_code == 429:
            assert wait_told(answer, 1) == "address-second"
            time.sleep(1)
    assert wait_told(client.get("/v1/games"), 86400) in ("address-day", "address-second")
    time.sleep(1.1)
    assert wait_told(client.get("/v1/games"), 86400) == "address-day"


def test_addresses_of_ipv6_are_counted_by_network(limited: Limited) -> None:
    client = limited(rate_address="2/day")
    for address in ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2"):
        assert from_(client, address).get("/v1/games").status_code == 200
    assert from_(client, "2001:db8:0:1:2:3:4:5").get("/v1/games").status_code == 429
    assert from_(client, "2001:db8:0:2::1").get("/v1/games").status_code == 200
    # As a socket for both kinds writes them: these are two addresses, not one network.
    for address in ("::ffff:192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1", "::ffff:192.0.2.2"):
        assert from_(client, address).get("/v1/games").status_code == 200
    assert from_(client, "192.0.2.2").get("/v1/games").status_code == 429


@pytest.mark.parametrize("odd", ["", "unix", "fe80::1%eth0", "not:an:address"])
def test_odd_addresses_are_addresses(odd: str) -> None:
    assert network(odd) in (odd, "fe80::/64")


# ── Counting ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_processes_tell_one_another_what_they_have_counted(servers: Servers) -> None:
    connection = nothing_was_counted(servers)
    here, there = (Counts("test-day", Rate(100, "day")) for _ in range(2))
    talks = [Talk([counts], connection) for counts in (here, there)]
    now = time.time()

    def spend(counts: Counts, times: int) -> int:
        return [counts.spend("ann", now) for _ in range(times)][-1]

    assert spend(here, 60) == 40 and spend(there, 10) == 90
    for talk in talks:
        talk.once()
    assert spend(there, 1) == 29  # 60 there, 10 here, and this one
    for talk in (*talks, *talks):
        talk.once()
    assert spend(here, 1) == 28
    assert spend(here, 40) == -1
    for talk in (*talks, *talks):
        talk.once()
    assert spend(there, 1) == -1
    assert here.spend("bob", now) == 99


def test_no_token_is_told(servers: Servers) -> None:
    connection = nothing_was_counted(servers)
    counts = Counts("test-day", Rate(10, "day"))
    counts.spend("a-token", time.time())
    Talk([counts], connection).once()
    (key,) = connection.scan_iter("parlor:rate:test-day:*")
    assert b"a-token" not in key


def test_what_could_not_be_told_is_told_later(servers: Servers) -> None:
    connection = nothing_was_counted(servers)
    here, there = (Counts("test-day", Rate(100, "day")) for _ in range(2))
    now = time.time()
    for _ in range(50):
        here.spend("ann", now)
    away = redis.Redis(port=free_port())
    with pytest.raises(redis.RedisError):
        Talk([here], away).once()
    Talk([here], connection).once()
    for _ in range(10):
        there.spend("ann", now)
    Talk([there], connection).once()
    assert there.spend("ann", now) == 39


def test_a_limit_holds_though_redis_has_forgotten(servers: Servers) -> None:
    connection = nothing_was_counted(servers)
    counts = Counts("test-day", Rate(100, "day"))
    now = time.time()
    for _ in range(80):
        counts.spend("ann", now)
    Talk([counts], connection).once()
    nothing_was_counted(servers)
    Talk([counts], connection).once()
    assert counts.spend("ann", now) == 19


def test_a_new_window_forgets_the_old_one_everywhere() -> None:
    counts = Counts("test-minute", Rate(10, "minute"))
    assert counts.spend("ann", 59.0) == 9
    counts.heard(0, {"ann": 1}, {"ann": 10})
    assert counts.spend("ann", 59.5) == -1
    assert counts.spend("ann", 60.0) == 9
    counts.heard(0, {"ann": 1}, {"ann": 10})  # about a window that is over
    assert counts.spend("ann", 61.0) == 8


def test_many_keys_take_no_room_and_let_nobody_off() -> None:
    counts = Counts("test-day", Rate(40, "day"))
    for _ in range(40):
        counts.spend("eve", 0.0)
    for number in range(KEYS + 10):
        counts.spend(str(number), 0.0)
    assert len(counts._here) <= KEYS
    assert counts.spend("eve", 0.0) == -1


# ── What is dear ────────────────────────────────────────────────────────────────────────────────────────────────


def test_sign_ups_from_one_address_are_limited_over_all_processes(limited: Limited, parlor: Services) -> None:
    first = limited(rate_sign_ups="3/minute, 1000/day")
    second = create_app(parlor, Settings(rate_sign_ups=rates("3/minute, 1000/day"))).test_client()
    answers = [sign_up(client) for client in (first, second, first, second)]
    assert [one.status_code for one in answers] == [201, 201, 201, 429]
    assert answers[0].headers["RateLimit"].startswith('"sign-ups-minute";r=2;t=')
    assert answers[0].headers["RateLimit-Policy"] == '"sign-ups-minute";q=3;w=60, "sign-ups-day";q=1000;w=86400'
    problem(answers[3], 429, "too_many")
    assert wait_told(answers[3], 60) == "sign-ups-minute"
    assert sign_up(second, "192.0.2.2").status_code == 201
    assert sign_up(second, "2001:db8::1").status_code == 201


def test_a_hundred_sign_ups_at_once_pass_the_limit_no_further(limited: Limited) -> None:
    client = limited(rate_sign_ups="10/day")

    def one(_: int) -> int:
        return client.application.test_client().post("/v1/players", json={"name": "Eve"}).status_code

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        found = list(pool.map(one, range(100)))
    assert found.count(201) == 10 and found.count(429) == 90


def test_a_sign_up_that_does_not_fit_costs_nothing(limited: Limited) -> None:
    client = limited(rate_sign_ups="1/day")
    for _ in range(3):
        problem(client.post("/v1/players", json={"name": ""}), 422, "does_not_fit")
    assert sign_up(client).status_code == 201


def test_new_tokens_count_as_sign_ups(limited: Limited) -> None:
    ann = Person(limited(rate_sign_ups="3/day"), "Ann")
    made = [ann.post("/v1/tokens", json={"label": "x", "scopes": ["bot:play"]}) for _ in range(3)]
    assert [one.status_code for one in made] == [201, 201, 429]


SEATS = [{"kind": "me"}, {"kind": "open"}]


def opening(person: Person) -> Any:
    return person.post("/v1/matches", json={"game": "quenette", "seats": SEATS})


def test_a_player_opens_so_many_matches_with_whatever_token(limited: Limited) -> None:
    client = limited(rate_matches="2/day")
    ann = Person(client, "Ann")
    other = ann.with_token("match:create")
    found = [opening(person) for person in (ann, other, ann, other)]
    assert [one.status_code for one in found] == [201, 201, 429, 429]
    assert wait_told(found[3], 86400) == "matches-day"
    assert opening(Person(client, "Bob")).status_code == 201


def test_a_rematch_is_a_match_opened(limited: Limited) -> None:
    client = limited(rate_matches="2/day")
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    first = table([ann, bob])
    bob.post(f"/v1/matches/{first}/resign")
    assert opening(ann).status_code == 201
    assert wait_told(ann.post(f"/v1/matches/{first}/rematch"), 86400) == "matches-day"
    assert bob.post(f"/v1/matches/{first}/rematch").status_code == 201


def test_so_many_matches_are_opened_from_one_address_by_whatever_player(limited: Limited) -> None:
    client = limited(rate_matches_address="3/day")
    found = [opening(Person(client, name)) for name in ("Ann", "Ben", "Cleo", "Dan")]
    assert [one.status_code for one in found] == [201, 201, 201, 429]
    assert wait_told(found[3], 86400) == "matches-address-day"


def test_who_opens_too_many_takes_nothing_from_the_neighbours(limited: Limited) -> None:
    client = limited(rate_matches="1/day", rate_matches_address="3/day")
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    assert opening(ann).status_code == 201
    assert {wait_told(opening(ann), 86400) for _ in range(5)} == {"matches-day"}
    assert opening(ben).status_code == 201


def test_an_answer_tells_of_one_limit_the_nearest(limited: Limited) -> None:
    client = limited(
        rate_address="50/day",
        rate_matches="9/day",
        rate_matches_address="3/day",
        rate_sign_ups="1/day",
        rate_token="40/day",
    )
    ann = Person(client, "Ann")
    opened = [opening(ann) for _ in range(4)]
    assert [told(one) for one in opened] == [f'"matches-address-day";r={left};' for left in (2, 1, 0, 0)]
    refused = client.post("/v1/players", json={"name": "Ben"})
    assert told(refused) == '"sign-ups-day";r=0;' and refused.status_code == opened[3].status_code == 429


def told(answer: Any) -> str:
    """What is left by which limit, without the seconds that change while one looks."""
    for name in ("RateLimit", "RateLimit-Policy"):
        assert len(answer.headers.getlist(name)) == 1
    return str(answer.headers["RateLimit"].partition("t=")[0])


def test_a_player_has_only_so_many_matches_that_are_not_over(parlor: Services, settings: Settings) -> None:
    few = parlor._replace(matches=type(parlor.matches)(parlor.matches.store, open_matches=3))
    client = create_app(few, settings).test_client()
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    playing, first = table([ann, bob]), opening(ann).get_json()["id"]
    assert opening(ann).status_code == 201
    told = problem(opening(ann), 409, "too_many_matches")
    assert told["detail"].startswith("3 matches") and "rule" not in told
    assert opening(bob).status_code == 201  # he sits in one of hers, and has opened none
    assert ann.post(f"/v1/matches/{first}/cancel").status_code == 200
    assert opening(ann).status_code == 201
    problem(opening(ann), 409, "too_many_matches")
    assert bob.post(f"/v1/matches/{playing}/resign").status_code == 200
    assert opening(ann).status_code == 201


def test_bad_tokens_shut_an_address_for_all_tokens_but_those_that_were_good_before(
    limited: Limited, parlor: Services
) -> None:
    client = limited(rate_bad_tokens="3/minute")
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    assert ann.get("/v1/me").status_code == 200

    def guess(path: str = "/v1/me", **elsewhere: str) -> Any:
        return client.get(path, headers={"Authorization": f"Bearer {uuid.uuid4()}"}, environ_overrides=elsewhere)

    assert [guess().status_code for _ in range(3)] == [401, 401, 401]
    answer = guess()
    problem(answer, 429, "too_many")
    assert 1 <= int(answer.headers["Retry-After"]) <= 60 and told(answer) == '"bad-tokens-minute";r=0;'
    assert guess("/v1/nowhere").status_code == 429
    assert ann.get("/v1/me").status_code == 200  # known here
    assert ben.get("/v1/me").status_code == 429  # not looked at, for now
    assert client.get("/v1/games").status_code == 200  # nobody is shut out who sends no token
    assert guess(REMOTE_ADDR="192.0.2.9").status_code == 401


def test_only_so_many_addresses_are_kept_shut(limited: Limited, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.rates.SHUT", 1)
    client = limited(rate_bad_tokens="1/day")

    def guess(address: str) -> int:
        return from_(client, address).get("/v1/me", headers={"Authorization": "Bearer nobody"}).status_code

    assert [guess(address) for address in ("192.0.2.21", "192.0.2.21")] == [401, 429]
    assert [guess(address) for address in ("192.0.2.22", "192.0.2.22")] == [401, 429]
    assert guess("192.0.2.21") == 401  # it has to be found out once more


def test_who_sends_no_token_at_all_is_not_counted_as_guessing(limited: Limited) -> None:
    client = limited(rate_bad_tokens="1/day")
    for _ in range(3):
        problem(client.get("/v1/me"), 401, "token_missing")
    problem(client.get("/v1/me", headers={"Authorization": "Bearer nobody"}), 401, "token_unknown")
    problem(client.get("/v1/me", headers={"Authorization": "Bearer nobody"}), 429, "too_many")


def test_each_process_judges_by_itself_while_redis_is_away(parlor: Services, settings: Settings) -> None:
    away = parlor._replace(redis=redis.Redis(port=free_port(), socket_connect_timeout=0.2))
    few = dataclasses.replace(settings, rate_sign_ups=rates("2/day"), rate_address=rates("1000/day"))
    for _ in range(2):
        client = create_app(away, few).test_client()
        answers = [sign_up(client) for _ in range(3)]
        assert [one.status_code for one in answers] == [201, 201, 429]
        assert wait_told(answers[2], 86400) == "sign-ups-day"


# ── Through the gate ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    limits = {"PARLOR_RATE_ADDRESS": "400/hour", "PARLOR_RATE_SIGN_UPS": "5/hour", "PARLOR_API_PROCESSES": "2"}
    nothing_was_counted(servers)
    with serving(servers, folder, PARLOR_TRUSTED_PROXIES="127.0.0.1", **limits) as made:
        yield made


def joining(server: Server, address: str) -> Got:
    told = {"Content_Type": "application/json", "X_Forwarded_For": address}
    return server.request("POST", "/v1/players", b'{"name": "Eve"}', **told)


def test_two_processes_have_one_limit_for_sign_ups_and_the_client_behind_a_proxy_counts(server: Server) -> None:
    found = [joining(server, "198.51.100.7") for _ in range(12)]
    assert [one.status for one in found] == [201] * 5 + [429] * 7
    assert found[-1].problem(429, "too_many") and int(found[-1].headers["retry-after"]) > 1
    assert joining(server, "198.51.100.8").status == 201
    assert joining(server, "2001:db8:5::1").status == 201


def test_two_processes_come_to_know_what_both_have_counted(server: Server) -> None:
    """400 an hour for all processes: both refuse once they have told one another, and neither lets 400 through alone."""

    def ask() -> int:
        return server.get("/v1/games/nowhere", X_Forwarded_For="198.51.100.20").status

    taken = 0
    while taken < 2 * 400 and (status := ask()) != 429:
        assert status == 404
        taken += 1
        time.sleep(0.005)  # some seconds in all, so that they have time to talk
    assert 400 <= taken < 2 * 400
    server.wait_until(lambda: all(ask() == 429 for _ in range(20)))


def test_a_request_that_has_waited_counts_once_and_tells_what_is_left(
    servers: Servers, client: Client, tmp_path: pathlib.Path
) -> None:
    ann = Person(client, "Ann")
    match = opening(ann).get_json()["id"]
    with serving(servers, tmp_path, PARLOR_RATE_TOKEN="9/day") as server:
        for left, query in ((8, "?wait=1&after=1"), (7, "?after=1"), (6, "/events?wait=1&after=1"), (5, "/legal")):
            got = server.get(f"/v1/matches/{match}{query}", Authorization=f"Bearer {ann.token}")
            assert got.headers["ratelimit"].startswith(f'"token-day";r={left};'), query


def test_a_refusal_of_a_request_for_the_head_alone_has_no_body(servers: Servers, tmp_path: pathlib.Path) -> None:
    """Else whoever asks next on the connection reads it as an answer of theirs."""
    asked = b"HEAD /v1/games HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 198.51.100.30\r\n\r\n"
    limits = {"PARLOR_TRUSTED_PROXIES": "127.0.0.1", "PARLOR_RATE_ADDRESS": "2/day"}
    with serving(servers, tmp_path, **limits) as server, server.open(asked) as wire:
        found = [wire.answer("HEAD")]
        for _ in range(3):
            wire.send(asked)
            found.append(wire.answer("HEAD"))
        assert [one.status for one in found] == [200, 200, 429, 429]
        assert int(found[-1].headers["content-length"]) > 0  # what GET would bring
        wire.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert wire.answer().status == 200


def test_the_terminal_waits_when_it_is_told_to(servers: Servers, tmp_path: pathlib.Path) -> None:
    with serving(servers, tmp_path, PARLOR_RATE_ADDRESS="5/second") as server:
        player = Player(f"http://127.0.0.1:{server.port}")
        assert all(player.games() for _ in range(12))
        player.sign_up("Ann")


# ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    ["none", "60", "0/minute", "-1/minute", "60/fortnight", "60 per minute", "6/minute,", "1/day, 2/day", "1.5/day"],
)
def test_rates_that_are_none_are_refused_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match="PARLOR_RATE_TOKEN must be `off` or rates"):
        settings({"PARLOR_RATE_TOKEN": text})


def test_rates_are_read_as_they_are_written() -> None:
    found = settings({"PARLOR_RATE_TOKEN": "10/second,600/hour", "PARLOR_RATE_ADDRESS": "off"})
    assert found.rate_token == (Rate(10, "second"), Rate(600, "hour")) and found.rate_address == ()
