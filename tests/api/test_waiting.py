"""`?wait`: a request that is answered when there is something to say, and holds no thread until then."""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Iterator

import flask.testing
import pytest

from tests.api.people import Person, play_on, table
from tests.api.served import Got, Server, Wire, all_open, serving
from tests.conftest import Servers

LONG = "60"


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_API_THREADS="2") as made:
        yield made


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Ben", "Cem")]


def asking(server: Server, person: Person, path: str, more: str = "") -> Wire:
    head = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {person.token}\r\n{more}\r\n"
    return server.open(head.encode())


def asked(server: Server, person: Person, path: str, **headers: str) -> Got:
    return server.get(path, Authorization=f"Bearer {person.token}", **headers)


@pytest.mark.parametrize("by", ["after", "tag"])
def test_a_look_waits_for_the_next_version(server: Server, people: list[Person], by: str) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    query, more = (f"&after={version}", "") if by == "after" else ("", f'If-None-Match: "{version}"\r\n')
    with asking(server, people[0], f"/v1/matches/{match}?wait={LONG}{query}", more) as wire:
        server.get("/healthz")
        play_on(people, match, 1)
        got = wire.answer()
    assert got.status == 200 and json.loads(got.body) == people[0].view(match)


def test_a_page_waits_for_its_first_event(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    with asking(server, people[0], f"/v1/matches/{match}/events?wait={LONG}&after={version}") as wire:
        server.get("/healthz")
        play_on(people, match, 1)
        page = json.loads(wire.answer().body)
    assert page["events"][0]["version"] == version + 1


def test_nothing_new_is_said_when_the_time_is_up(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    began = time.monotonic()
    look = asked(server, people[0], f"/v1/matches/{match}?wait=1&after={version}")
    assert look.status == 304 and look.headers["etag"] == f'"{version}"'
    page = asked(server, people[0], f"/v1/matches/{match}/events?wait=1&after={version}")
    assert page.status == 200 and json.loads(page.body)["events"] == []
    assert time.monotonic() - began >= 2.0


def test_what_is_there_already_is_not_waited_for(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    assert asked(server, people[0], f"/v1/matches/{match}?wait={LONG}&after={version - 1}").status == 200
    page = asked(server, people[0], f"/v1/matches/{match}/events?wait={LONG}&after={version - 1}")
    assert len(json.loads(page.body)["events"]) == 1
    over = play_on(people, match)["version"]
    assert asked(server, people[0], f"/v1/matches/{match}?wait={LONG}&after={over}").status == 304
    assert asked(server, people[0], f"/v1/matches/{match}/events?wait={LONG}&after={over}").status == 200


def test_many_that_wait_hold_no_thread(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    path = f"/v1/matches/{match}?wait={LONG}&after={version}"
    with all_open(40, lambda: asking(server, people[0], path)) as waiting:
        assert asked(server, people[0], f"/v1/matches/{match}").status == 200
        play_on(people, match, 1)
        assert [wire.answer().status for wire in waiting] == [200] * 40


def test_a_token_revoked_while_it_waits_gets_nothing(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    other = people[0].with_token("match:read")
    with asking(server, other, f"/v1/matches/{match}?wait={LONG}&after={version}") as wire:
        server.get("/healthz")
        people[0].delete(f"/v1/tokens/{other.token_id}")
        play_on(people, match, 1)
        wire.answer().problem(401, "token_unknown")


def test_a_token_revoked_while_it_waits_is_told_so_within_seconds(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    version = people[0].view(match)["version"]
    other = people[0].with_token("match:read")
    waits = f"/v1/matches/{match}?wait={LONG}&after={version}"
    began = time.monotonic()
    with asking(server, other, waits) as revoked, asking(server, people[0], waits) as good:
        server.get("/healthz")
        people[0].delete(f"/v1/tokens/{other.token_id}")
        revoked.answer().problem(401, "token_unknown")
        assert time.monotonic() - began < int(LONG)
        play_on(people, match, 1)
        assert good.answer().status == 200


@pytest.mark.parametrize(
    "query",
    ["?wait=61&after=1", "?wait=-1&after=1", "?wait=x&after=1", "?wait=5", "?wait=5&after=1&at=1", "?after=-1"],
)
def test_waiting_for_nothing_in_particular_is_refused(server: Server, people: list[Person], query: str) -> None:
    match = table(people, hands=1)
    asked(server, people[0], f"/v1/matches/{match}{query}").problem(422, "does_not_fit")


def test_a_version_that_is_not_there_cannot_be_waited_from(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    for path in ("", "/events"):
        asked(server, people[0], f"/v1/matches/{match}{path}?wait=5&after=99999").problem(422, "no_such_version")
