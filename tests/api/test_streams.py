"""Live streams: everything once and in order, to those who may have it, and an end that can be told from a break."""

from __future__ import annotations

import contextlib
import pathlib
import signal
from collections.abc import Iterator
from typing import Any

import flask.testing
import pytest

from tests.api.followed import NDJSON, SSE, Message, follow
from tests.api.people import Person, play_on, problem, table
from tests.api.served import Server, serving
from tests.conftest import Servers


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_STREAMS="8") as made:
        yield made


@pytest.fixture(scope="module")
def elsewhere(app: flask.Flask) -> flask.testing.FlaskClient:
    """Another process, as far as the server is concerned: it hears of what happens here through Redis."""
    return app.test_client()


@pytest.fixture
def people(elsewhere: flask.testing.FlaskClient) -> list[Person]:
    return [Person(elsewhere, name) for name in ("Ann", "Ben", "Cem")]


def is_end(message: Message) -> bool:
    return message.kind == "end"


def versions(messages: list[Message]) -> list[int]:
    return [one.body["event"]["version"] for one in messages if one.kind == "event"]


def log_of(person: Person, match: str) -> list[dict[str, Any]]:
    told = person.get(f"/v1/matches/{match}/events?words=1&limit=1000").get_json()
    return told["events"]  # type: ignore[no-any-return]


# ── The messages ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("accept", [SSE, NDJSON])
def test_a_stream_is_the_view_then_every_event_once_then_the_end(
    server: Server, people: list[Person], accept: str
) -> None:
    match = table(people, hands=1)
    before = people[0].view(match)
    with follow(server, match, people[0].token, "?follow=1", accept) as stream:
        assert stream.status == 200 and stream.headers["Content-Type"].startswith(accept)
        first = stream.next()
        assert first.kind == "view" and first.body["view"] == before
        over = play_on(people, match)
        rest = stream.until(is_end)
        assert stream.read() is None
    assert versions(rest) == list(range(before["version"] + 1, over["version"] + 1))
    assert rest[-1].body == {"version": over["version"], "result": over["result"]}
    if accept == SSE:
        assert first.id == str(before["version"])
        assert [one.id for one in rest[:-1]] == [str(version) for version in versions(rest)]


def test_each_message_says_whom_the_table_waits_for_and_what_one_may_do(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(follow(server, match, person.token)) for person in people]
        views = [stream.next().body["view"] for stream in streams]
        for _ in range(5):
            acting = people[0].view(match)["to_act"]
            mover = next(p for p, view in zip(people, views, strict=True) if view["you"] in acting)
            mover.play(match, mover.legal(match)[0])
            now = people[0].view(match)
            for person, stream, view in zip(people, streams, views, strict=True):
                told = stream.up_to(now["version"])
                assert all(one.body["to_act"] == [] and "legal" not in one.body for one in told[:-1])
                assert told[-1].body["to_act"] == now["to_act"]
                if view["you"] in now["to_act"]:
                    assert told[-1].body["legal"] == person.legal(match) != []
                else:
                    assert "legal" not in told[-1].body


def test_who_wants_to_see_the_match_anew_gets_the_view_with_the_last_event_of_each_command(
    server: Server, people: list[Person]
) -> None:
    match = table(people, hands=1)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(follow(server, match, person.token, "?view=1")) for person in people]
        plain = stack.enter_context(follow(server, match, people[0].token))
        for stream in (*streams, plain):
            stream.next()
        since = people[0].view(match)["version"]
        for _ in range(4):
            mover = next(person for person in people if person.legal(match))
            mover.play(match, mover.legal(match)[0])
            now = people[0].view(match)["version"]
            for person, stream in zip(people, streams, strict=True):
                *before, last = stream.up_to(now)
                assert last.body["view"] == person.view(match) and not any("view" in one.body for one in before)
        assert not any("view" in one.body for one in plain.up_to(now))
    with follow(server, match, people[1].token, "?view=1", Last_Event_ID=str(since)) as stream:
        told = stream.up_to(now)
    assert [one.body["view"] for one in told if "view" in one.body] == [people[1].view(match)]
    problem(people[0].get(f"/v1/matches/{match}/events?view=1"), 422, "does_not_fit")


def test_the_first_message_has_what_one_may_do_too(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    (mover,) = people[0].view(match)["to_act"]
    for person in people:
        with follow(server, match, person.token) as stream:
            first = stream.next().body
        assert first["to_act"] == [mover]
        assert first.get("legal", []) == person.legal(match)


def test_messages_tell_until_when_each_seat_has_time(server: Server, people: list[Person]) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    body = {"game": "quenette", "seats": seats, "turn_seconds": 300}
    match = people[0].post("/v1/matches", json=body).get_json()["id"]
    for person in people[1:]:
        person.post(f"/v1/matches/{match}/join", json={})
    with follow(server, match, people[0].token) as stream:
        assert stream.next().body["deadlines"] == {}
        people[0].post(f"/v1/matches/{match}/start")
        version = people[0].view(match)["version"]
        last = stream.up_to(version)[-1].body
    (seat,) = last["to_act"]
    assert list(last["deadlines"]) == [str(seat)] and last["deadlines"][str(seat)] > last["event"]["at"]


def test_a_seat_is_told_what_it_may_read_in_the_log_and_nothing_else(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(follow(server, match, person.token, "?after=0")) for person in people]
        play_on(people, match, 7)
        for person, stream in zip(people, streams, strict=True):
            log = log_of(person, match)
            told = stream.up_to(log[-1]["event"]["version"])
            assert [{"event": one.body["event"], "words": one.body["words"]} for one in told] == log
            seat = person.view(match)["you"]
            parts = [(audience, part) for one in told for audience, part in one.body["event"]["secret"].items()]
            assert {audience for audience, part in parts if "part" in part} == {str(seat)}
            others = [other.view(match)["table"]["hand"] for other in people if other is not person]
            seen = stream.raw.decode()
            for card in {card for hand in others for card in hand or ()}:
                assert f'"{card}"' not in seen


# ── Going on ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["header", "query", "both"])
def test_a_stream_goes_on_right_after_what_one_has(server: Server, people: list[Person], how: str) -> None:
    match = table(people, hands=1)
    with follow(server, match, people[0].token) as stream:
        stream.next()
        play_on(people, match, 4)
        known = int(stream.next().id or "")
    play_on(people, match, 2)
    query = {"header": "", "query": f"?after={known}", "both": "?after=1"}[how]
    headers = {} if how == "query" else {"Last_Event_ID": str(known)}
    with follow(server, match, people[0].token, query, **headers) as stream:
        newest = play_on(people, match, 2)["version"]
        told = stream.up_to(newest)
    assert versions(told) == list(range(known + 1, newest + 1))


def test_a_stream_goes_on_after_a_restart_and_at_another_server(
    servers: Servers, folder: pathlib.Path, server: Server, people: list[Person]
) -> None:
    match = table(people, hands=1)
    told: list[Message] = []
    for _ in range(2):
        with serving(servers, folder) as other, follow(other, match, people[0].token, f"?after={len(told)}") as stream:
            newest = play_on(people, match, 2)["version"]
            told += stream.up_to(newest)
    with follow(server, match, people[0].token, f"?after={len(told)}") as stream:
        over = play_on(people, match)
        told += stream.until(is_end)
    assert versions(told) == list(range(1, over["version"] + 1))


def test_whoever_comes_late_gets_the_whole_log_and_misses_nothing_meanwhile(
    server: Server, people: list[Person]
) -> None:
    match = table(people, game="check-and-double-check", target=200)
    play_on(people, match, 150)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(follow(server, match, people[n % 3].token, f"?after={n}")) for n in range(6)]
        newest = play_on(people, match, 20)["version"]
        for n, stream in enumerate(streams):
            told = stream.up_to(newest)
            assert versions(told) == list(range(n + 1, newest + 1))


def test_the_end_is_told_as_often_as_one_asks(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    over = play_on(people, match)
    with follow(server, match, people[0].token) as stream:
        assert [one.kind for one in stream.rest()] == ["view", "end"]
    with follow(server, match, people[0].token, f"?after={over['version'] - 2}") as stream:
        assert [one.kind for one in stream.rest()] == ["event", "event", "end"]
    with follow(server, match, people[0].token, Last_Event_ID=str(over["version"])) as stream:
        assert [(one.kind, one.id) for one in stream.rest()] == [("end", str(over["version"]))]


def test_anybody_follows_what_is_published(server: Server, people: list[Person]) -> None:
    ann, ben, cem = people
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "checkers", "seats": seats, "published": True}).get_json()["id"]
    ben.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/start")
    with follow(server, match, cem.token) as stream:
        stream.problem(404, "not_found")
    ann.post(f"/v1/matches/{match}/resign")
    for token in (cem.token, None):
        with follow(server, match, token) as stream:
            assert [one.kind for one in stream.rest()] == ["view", "end"]
        with follow(server, match, token, "?after=3") as stream:
            assert [one.kind for one in stream.rest()][-1] == "end"


@pytest.mark.parametrize("accept", [f"{NDJSON}, application/json", "*/*", ""])
def test_who_asks_for_a_stream_and_takes_any_form_gets_lines(server: Server, people: list[Person], accept: str) -> None:
    match = table(people, hands=1)
    with follow(server, match, people[0].token, "?follow=1", accept) as stream:
        assert stream.status == 200 and stream.headers["Content-Type"].startswith(NDJSON)
        assert stream.next().kind == "view"


@pytest.mark.parametrize("given", ["-1", "seven", "1.5", "9" * 30, "1 2", "٣"])
def test_an_id_that_is_no_version_is_refused(server: Server, people: list[Person], given: str) -> None:
    match = table(people, hands=1)
    with follow(server, match, people[0].token, Last_Event_ID=given.encode().decode("latin-1")) as stream:
        assert stream.problem(422, "does_not_fit")["errors"].keys() == {"Last-Event-ID"}


def test_an_empty_id_says_nothing(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    newest = people[0].view(match)["version"]
    with follow(server, match, people[0].token, Last_Event_ID="") as stream:
        assert stream.next().kind == "view"
    with follow(server, match, people[0].token, f"?after={newest - 1}", Last_Event_ID="") as stream:
        assert (one := stream.next()).kind == "event" and one.id == str(newest)


@pytest.mark.parametrize("path", ["/v1/matches/{match}/events", "/v1/events"])
def test_the_head_of_a_stream_has_no_length(server: Server, people: list[Person], path: str) -> None:
    match = table(people, hands=1)
    told = {"Accept": SSE, "Authorization": f"Bearer {people[0].token}"}
    head = server.request("HEAD", path.format(match=match), None, **told)
    assert head.status == 200 and head.headers["content-type"].startswith(SSE)
    assert "content-length" not in head.headers


def test_an_id_beyond_the_end_of_the_log_is_refused(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    newest = people[0].view(match)["version"]
    with follow(server, match, people[0].token, Last_Event_ID=str(newest + 1)) as stream:
        assert stream.problem(422, "no_such_version")["version"] == newest
    with follow(server, match, people[0].token, f"?after={newest + 1}") as stream:
        stream.problem(422, "no_such_version")
    with follow(server, match, people[0].token, "?after=-1") as stream:
        stream.problem(422, "does_not_fit")


@pytest.mark.parametrize(("query", "accept"), [("?follow=1", "application/json"), ("?limit=5", SSE), ("?wait=5", SSE)])
def test_what_does_not_go_with_a_stream_is_refused(
    server: Server, people: list[Person], query: str, accept: str
) -> None:
    match = table(people, hands=1)
    with follow(server, match, people[0].token, query, accept) as stream:
        stream.problem(422, "does_not_fit")


# ── Who may follow ──────────────────────────────────────────────────────────────────────────────────────────────


def test_strangers_and_bad_tokens_get_no_stream(
    server: Server, elsewhere: flask.testing.FlaskClient, people: list[Person]
) -> None:
    match = table(people, hands=1)
    with follow(server, match, Person(elsewhere, "Eve").token) as stream:
        stream.problem(404, "not_found")
    with follow(server, match, "nonsense") as stream:
        stream.problem(401, "token_unknown")
    with follow(server, match, people[0].with_token("match:create").token) as stream:
        stream.problem(403, "scope_missing")


def test_a_revoked_token_ends_its_streams(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    other = people[0].with_token("match:read")
    with follow(server, match, other.token) as revoked, follow(server, match, people[0].token) as good:
        first = revoked.next()
        assert people[0].delete(f"/v1/tokens/{other.token_id}").status_code == 204
        last = revoked.next()
        assert (last.kind, last.body) == ("bye", {"reason": "token", "after": int(first.id or "")})
        assert revoked.read() is None
        good.next()
        play_on(people, match, 1)
        assert good.next().kind == "event"


def test_who_leaves_a_private_table_follows_it_no_longer(server: Server, people: list[Person]) -> None:
    """Whoever declines a seat that was kept for him may look on only while he could join."""
    seats = [{"kind": "me"}, {"kind": "player", "player": people[1].id}]
    match = people[0].post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    with follow(server, match, people[1].token) as stream:
        stream.next()
        people[1].post(f"/v1/matches/{match}/decline")
        assert stream.next().kind == "event"  # the seat is open to all, so also to him
        people[2].post(f"/v1/matches/{match}/join", json={})
        last = stream.next()
        assert (last.kind, last.body["reason"]) == ("bye", "not_yours")
        assert stream.read() is None


def test_a_spectator_who_sits_down_is_told_as_a_seat_from_then_on(server: Server, people: list[Person]) -> None:
    body = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "bot"}], "spectators": True}
    match = people[0].post("/v1/matches", json=body).get_json()["id"]
    with follow(server, match, people[1].token) as ben, follow(server, match, people[2].token) as cem:
        people[1].post(f"/v1/matches/{match}/join", json={})
        people[0].post(f"/v1/matches/{match}/start")
        parts = []
        for stream in (ben, cem):
            dealt = stream.until(lambda one: one.kind == "event" and one.body["event"]["type"] == "hand_dealt")[-1]
            parts.append({key for key, part in dealt.body["event"]["secret"].items() if "part" in part})
    assert parts == [{"1"}, set()]


def test_a_player_has_only_so_many_streams(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(follow(server, match, people[0].token)) for _ in range(8)]
        for stream in streams:
            stream.next()
        refused = stack.enter_context(follow(server, match, people[0].token))
        assert refused.headers["Retry-After"]
        refused.problem(429, "too_many_streams")
        assert stack.enter_context(follow(server, match, people[1].token)).next().kind == "view"
        streams[0].__exit__()
        server.wait_until(lambda: _has_room(server, match, people[0].token))


def _has_room(server: Server, match: str, token: str) -> bool:
    with follow(server, match, token) as stream:
        return stream.status == 200


# ── Staying, and stopping ───────────────────────────────────────────────────────────────────────────────────────


def test_a_silent_stream_is_kept_alive(server: Server, people: list[Person]) -> None:
    match = table(people, hands=1)
    with (
        follow(server, match, people[0].token) as sse,
        follow(server, match, people[0].token, "?follow=1", NDJSON) as nd,
    ):
        for stream in (sse, nd):
            stream.next()
        for stream, word in ((sse, b":\n"), (nd, b"\n")):
            assert stream._answer.readline() == word


def test_a_stopping_server_says_goodbye_and_where_to_go_on(
    servers: Servers, folder: pathlib.Path, people: list[Person]
) -> None:
    match = table(people, hands=1)
    with serving(servers, folder) as mortal, follow(mortal, match, people[0].token) as stream:
        version = int(stream.next().id or "")
        asked = f"GET /v1/matches/{match}?wait=60&after={version} HTTP/1.1\r\nHost: x\r\n"
        waiting = mortal.open(f"{asked}Authorization: Bearer {people[0].token}\r\n\r\n".encode())
        mortal.get("/healthz")
        mortal.process.send_signal(signal.SIGTERM)
        last = stream.next()
        assert (last.kind, last.id, last.body) == ("bye", str(version), {"reason": "stopping", "after": version})
        assert b"retry: " in stream.raw.rpartition(b"\n\n")[0].rpartition(b"\n\n")[2] and stream.read() is None
        assert waiting.answer().status == 304
        assert mortal.process.wait(20) == 0


def test_everything_is_told_without_redis(servers: Servers, folder: pathlib.Path, people: list[Person]) -> None:
    nowhere = "redis://127.0.0.1:1/0"
    match = table(people, hands=1)
    with (
        serving(servers, folder, REDIS_URL=nowhere) as deaf,
        follow(deaf, match, people[0].token, "?after=0") as stream,
    ):
        over = play_on(people, match)
        assert versions(stream.until(is_end)) == list(range(1, over["version"] + 1))
