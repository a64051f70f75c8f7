"""Spectators who follow a match live: without a token where the table allows it, late where it wants so, and not without end."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import flask.testing
import pytest

from tests.api.followed import NDJSON, Followed, follow
from tests.api.people import Person, play_on
from tests.api.served import Server, all_open, serving
from tests.api.test_spectators import watched
from tests.conftest import Servers

DELAY = 2


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_STREAMS="8") as made:
        yield made


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Ben", "Eve")]


def started(people: list[Person], game: str = "quenette", **more: Any) -> str:
    match = watched(people, game, **more)
    assert people[0].post(f"/v1/matches/{match}/start").status_code == 200
    return match


def bearing(person: Person | None) -> dict[str, str]:
    return {} if person is None else {"Authorization": f"Bearer {person.token}"}


def late_enough(event: dict[str, Any]) -> bool:
    """Whether an event that is told now is as old as the table wants it."""
    return dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(event["at"]) >= dt.timedelta(seconds=DELAY)


# ── Without a token ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_stream_without_a_token_tells_what_a_spectator_is_told(server: Server, people: list[Person]) -> None:
    match = started(people, options={"hands": 1}, open_to_all=True)
    with (
        follow(server, match, None) as nobody,
        follow(server, match, people[2].token) as eve,
        follow(server, match, None, "?follow=1&after=0", NDJSON) as log,
    ):
        first = nobody.next()
        assert first == eve.next() and first.body["view"]["you"] is None and "legal" not in first.body
        play_on(people[:2], match, 3)
        before_the_end = [nobody.next() for _ in range(3)]
        assert b'"part"' not in nobody.raw, "no card is shown before the end"
        over = play_on(people[:2], match)
        rest = [*before_the_end, *nobody.rest()]
        assert rest == list(eve.rest()) and rest[-1].kind == "end"
        told = [one for one in log.rest() if one.kind == "event"]
        assert [one.body["event"]["version"] for one in told] == list(range(1, over["version"] + 1))


def test_without_a_token_only_what_is_open_to_all_is_followed(server: Server, people: list[Person]) -> None:
    nowhere = "00000000-0000-4000-8000-000000000000"
    for absent in (started(people), nowhere):
        for query, accept in (("", "text/event-stream"), ("?follow=1", NDJSON)):
            with follow(server, absent, None, query, accept) as refused:
                refused.problem(401, "token_missing")
        server.get(f"/v1/matches/{absent}?wait=1&after=1").problem(401, "token_missing")
    with Followed(server.port, "/v1/events", None) as refused:
        refused.problem(401, "token_missing")
    match = started(people, open_to_all=True)
    with follow(server, match, "nonsense") as refused:
        refused.problem(401, "token_unknown")


def test_those_without_a_token_share_the_streams_of_their_address(server: Server, people: list[Person]) -> None:
    match = started(people, open_to_all=True)
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            assert stack.enter_context(follow(server, match, None)).next().kind == "view"
        refused = stack.enter_context(follow(server, match, None))
        assert refused.headers["Retry-After"]
        refused.problem(429, "too_many_streams")
        assert stack.enter_context(follow(server, match, people[2].token)).next().kind == "view"


def test_who_waits_without_a_token_is_answered_when_something_happens(server: Server, people: list[Person]) -> None:
    match = started(people, open_to_all=True)
    version = people[0].view(match)["version"]
    head = f"GET /v1/matches/{match}?wait=60&after={version} HTTP/1.1\r\nHost: x\r\n\r\n"
    with server.open(head.encode()) as wire:
        server.get("/healthz")
        play_on(people[:2], match, 1)
        got = wire.answer()
    assert got.status == 200 and json.loads(got.body) == people[2].view(match)


# ── Late ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_stream_tells_a_spectator_nothing_that_is_not_old_enough(server: Server, people: list[Person]) -> None:
    match = started(people, open_to_all=True, spectator_delay=3600)
    newest = people[0].view(match)["version"]
    with (
        follow(server, match, people[2].token) as eve,
        follow(server, match, None, "?follow=1", NDJSON) as nobody,
        follow(server, match, None, "?after=0") as from_the_start,
        follow(server, match, people[0].token, f"?after={newest}") as ann,
    ):
        for stream in (eve, nobody):
            seen = stream.next().body["view"]
            assert (seen["version"], seen["status"]) == (2, "open")
        assert [from_the_start.next().body["event"]["type"] for _ in range(2)] == ["match_opened", "seat_taken"]
        play_on(people[:2], match, 3)
        people[0].post(f"/v1/matches/{match}/resign")
        assert list(ann.rest())[-1].kind == "end", "whoever plays is told at once"
        assert eve.says_nothing() and nobody.says_nothing() and from_the_start.says_nothing()
    for after in (3, newest):
        with follow(server, match, people[2].token, f"?after={after}") as early:
            assert early.problem(422, "no_such_version")["version"] == 2


@pytest.mark.parametrize("who", ["somebody", "nobody"])
def test_a_stream_tells_a_spectator_everything_when_it_is_old_enough(
    server: Server, people: list[Person], who: str
) -> None:
    match = started(people, open_to_all=True, spectator_delay=DELAY, options={"hands": 1})
    with follow(server, match, people[2].token if who == "somebody" else None, "?after=0") as stream:
        over = play_on(people[:2], match)
        versions = []
        while (told := stream.next()).kind == "event":
            event = told.body["event"]
            assert event["type"] in ("match_opened", "seat_taken") or late_enough(event), event["type"]
            versions.append(event["version"])
    assert told.kind == "end" and versions == list(range(1, over["version"] + 1))


@pytest.mark.parametrize("who", ["somebody", "nobody"])
def test_who_waits_is_answered_when_it_is_old_enough(server: Server, people: list[Person], who: str) -> None:
    far, near = (started(people, open_to_all=True, spectator_delay=delay) for delay in (3600, DELAY))
    headers = bearing(people[2] if who == "somebody" else None)
    unchanged = server.get(f"/v1/matches/{far}?wait=1&after=2", **headers)
    assert (unchanged.status, unchanged.headers["etag"]) == (304, '"2"')
    assert json.loads(server.get(f"/v1/matches/{far}/events?wait=1&after=2", **headers).body)["events"] == []
    server.get(f"/v1/matches/{far}?wait=1&after=3", **headers).problem(422, "no_such_version")
    look = json.loads(server.get(f"/v1/matches/{near}?wait=60&after=2", **headers).body)
    assert look["status"] == "playing"
    play_on(people[:2], near, 1)
    page = json.loads(server.get(f"/v1/matches/{near}/events?wait=60&after={look['version']}", **headers).body)
    assert page["events"] and all(late_enough(event) for event in page["events"])


# ── Bounds ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_streams_and_waits_count_as_requests(servers: Servers, folder: pathlib.Path, people: list[Person]) -> None:
    match = started(people)
    version = people[0].view(match)["version"]
    with serving(servers, folder, PARLOR_RATE_TOKEN="4/day") as strict:
        for left in (3, 2):
            with follow(strict, match, people[0].token) as stream:
                assert stream.next().kind == "view"
                assert stream.headers["RateLimit"].startswith(f'"token-day";r={left};')
        # A request that waits is asked twice or more, and counts once.
        assert strict.get(f"/v1/matches/{match}?wait=1&after={version}", **bearing(people[0])).status == 304
        assert strict.get(f"/v1/matches/{match}", **bearing(people[0])).status == 200
        for query, accept in (("", "text/event-stream"), ("?follow=1", NDJSON)):
            with follow(strict, match, people[0].token, query, accept) as refused:
                assert int(refused.headers["Retry-After"]) >= 1
                refused.problem(429, "too_many")
        with Followed(strict.port, "/v1/events", people[0].token) as refused:
            refused.problem(429, "too_many")
        with follow(strict, match, people[1].token) as other:
            assert other.next().kind == "view"


def test_ten_thousand_streams_of_which_nobody_takes_anything_hold_nobody_up(
    servers: Servers, folder: pathlib.Path, people: list[Person]
) -> None:
    match = started(people)
    head = f"GET /v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
    whole, half = f"{head}Authorization: Bearer {people[2].token}\r\n\r\n".encode(), head.encode()
    sent = iter([whole, half] * 5_000)
    with serving(servers, folder, PARLOR_CONNECTIONS="400", PARLOR_REQUEST_SECONDS="2") as server:
        memory = server.memory()
        with all_open(10_000, lambda: server.open(next(sent), buffer=4096)):
            # Connections that came while the system had no room for more are tried again by it, after seconds.
            # Whoever has sent them all stands behind all of them: when he is answered, there are places again.
            server.wait_until(
                lambda: server.get(f"/v1/matches/{match}", **bearing(people[2])).status == 200, seconds=120
            )
            with follow(server, match, people[0].token) as stream:
                first = stream.next()
                assert first.kind == "view"
                play_on(people[:2], match, 2)
                told = stream.up_to(people[0].view(match)["version"])
                assert told[0].id == str(int(first.id or "") + 1)
            assert server.files() < 600 and server.memory() - memory < 100_000_000
        server.wait_until(lambda: server.files() < 100)
