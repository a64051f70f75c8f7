"""`GET /v1/events`: what concerns a player in whichever match it happens, once and resumable."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import flask.testing
import pytest

from tests.api.followed import NDJSON, SSE, Followed, Message
from tests.api.people import Person, play_on, table
from tests.api.served import Server, serving
from tests.conftest import Servers


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder) as made:
        yield made


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Ben")]


def listen(server: Server, person: Person, query: str = "", accept: str = SSE, **headers: str) -> Followed:
    return Followed(server.port, f"/v1/events{query}", person.token, accept, **headers)


def about(message: Message) -> tuple[str, str]:
    return message.kind, message.body["match"]


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_player_hears_of_all_his_matches(server: Server, people: list[Person], accept: str) -> None:
    ann, ben = people
    with listen(server, ben, "", accept) as stream:
        assert stream.status == 200 and stream.next().kind == "hello"
        seats = [{"kind": "me"}, {"kind": "player", "player": ben.id}]
        match = ann.post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
        assert about(stream.next()) == ("invited", match)
        ben.post(f"/v1/matches/{match}/join", json={})
        ann.post(f"/v1/matches/{match}/start")
        assert about(stream.next()) == ("started", match)
        other = table([ben, ann], game="checkers")
        assert stream.until(lambda one: about(one) == ("seat_taken", other))
        ann.post(f"/v1/matches/{match}/draw", json={"action": "offer"})
        assert stream.until(lambda one: about(one) == ("draw_offered", match))
        mover = next(p for p in people if p.view(match)["you"] in p.view(match)["to_act"])
        mover.play(match, mover.legal(match)[0])
        (ann if mover is ben else ben).view(match)
        if mover is ann:
            assert stream.until(lambda one: about(one) == ("your_turn", match))
        ann.post(f"/v1/matches/{other}/resign")
        assert stream.until(lambda one: about(one) == ("ended", other))


def test_a_stream_of_notices_goes_on_after_its_last_id(server: Server, people: list[Person]) -> None:
    ann, ben = people
    with listen(server, ben) as stream:
        begun = stream.next().id
        first = table([ann, ben], game="checkers")
        stream.until(lambda one: about(one) == ("started", first))
    assert begun
    second = table([ann, ben], game="checkers")
    play_on(people, second, 3)
    ann.post(f"/v1/matches/{second}/resign")
    with listen(server, ben, Last_Event_ID=begun) as stream:
        told = stream.until(lambda one: one.kind == "ended")
    kinds = [about(one) for one in told if one.kind != "hello"]
    assert ("started", first) in kinds and ("started", second) in kinds
    assert kinds.count(("started", second)) == 1 == kinds.count(("ended", second))
    middle = next(one for one in told if about(one) == ("started", second)) if told[0].kind != "hello" else told[-2]
    with listen(server, ben, f"?after={middle.id}") as stream:
        again = [about(one) for one in stream.until(lambda one: one.kind == "ended") if one.kind != "hello"]
    assert again == kinds[-len(again) :] and ("started", first) not in again


def test_nobody_hears_of_what_concerns_others(server: Server, people: list[Person]) -> None:
    ann, ben = people
    with listen(server, ben) as stream:
        stream.next()
        theirs = ann.post(
            "/v1/matches", json={"game": "checkers", "seats": [{"kind": "me"}, {"kind": "bot"}], "spectators": True}
        ).get_json()["id"]
        ann.post(f"/v1/matches/{theirs}/start")
        mine = table([ben, ann], game="checkers")
        told = stream.until(lambda one: about(one) == ("started", mine))
    assert {one.body["match"] for one in told} == {mine}


@pytest.mark.parametrize("given", ["-1", "99", "garbage!", "AAAA"])
def test_a_position_that_was_not_given_out_is_refused(server: Server, people: list[Person], given: str) -> None:
    with listen(server, people[0], Last_Event_ID=given) as stream:
        assert stream.problem(422, "does_not_fit")["errors"].keys() == {"Last-Event-ID"}
    with listen(server, people[0], f"?after={given}") as stream:
        assert stream.problem(422, "does_not_fit")["errors"].keys() == {"after"}


def test_a_revoked_token_hears_no_more(server: Server, people: list[Person]) -> None:
    other = people[0].with_token("match:read")
    with listen(server, other) as stream:
        stream.next()
        people[0].delete(f"/v1/tokens/{other.token_id}")
        last = stream.next()
        assert (last.kind, last.body["reason"]) == ("bye", "token") and stream.read() is None


def test_notices_come_without_redis(servers: Servers, folder: pathlib.Path, people: list[Person]) -> None:
    with serving(servers, folder, REDIS_URL="redis://127.0.0.1:1/0") as deaf, listen(deaf, people[1]) as stream:
        stream.next()
        match = table(people, game="checkers")
        assert stream.until(lambda one: about(one) == ("started", match))
