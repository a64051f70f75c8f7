"""Strangers at the gate: whatever they do with their connections, others are served, and they are shown out in time."""

from __future__ import annotations

import json
import pathlib
import time
from collections.abc import Iterator
from typing import NamedTuple

import flask.testing
import pytest

from api.app import Services
from domain.match import Place
from eventstore.players import hash_of
from tests.api.people import Person
from tests.api.served import Got, Server, all_open, serving
from tests.conftest import Servers

MANY = 200
SOON = 3.0  # seconds; generous: answers take milliseconds, and whoever is held up waits for ever
JSON = b"Host: x\r\nContent-Type: application/json\r\n"
BODY_LIMIT = 65_536


class Table(NamedTuple):
    """A match with a long log."""

    id: str
    token: str
    version: int


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    impatient = {"PARLOR_REQUEST_SECONDS": "2", "PARLOR_READER_SECONDS": "2", "PARLOR_IDLE_SECONDS": "3"}
    with serving(servers, folder, **impatient) as made:
        yield made


@pytest.fixture(scope="module")
def long_table(parlor: Services) -> Table:
    players = [parlor.players.sign_up(name) for name in ("Ann", "Ben")]
    ann, token = players[0]
    places = [Place("human", one["id"], None, "") for one, _ in players]
    match = parlor.matches.open("check-and-double-check", host=ann["id"], seats=places, options={"target": 1000})
    parlor.matches.start(match.id, ann["id"], hash_of(token))
    version = 0
    while version < 3000:
        view, version = parlor.matches.look(match.id, ann["id"])
        mover = view["to_act"][0]
        roll = {"type": "roll"}
        version = parlor.matches.play(match.id, players[mover][0]["id"], roll, token=hash_of(players[mover][1])).version
    return Table(match.id, token, version)


def others_are_served(server: Server, table: Table) -> None:
    for _ in range(3):
        began = time.monotonic()
        assert server.get("/healthz").status == 200
        command = command_of(server, table)
        # Ann's roll is accepted or it is not her turn: either way the rules have answered.
        assert command.status in (200, 409), command
        assert time.monotonic() - began < SOON


def command_of(server: Server, table: Table, content_type: str = "application/json", **headers: str) -> Got:
    path = f"/v1/matches/{table.id}/commands"
    told = {"Authorization": f"Bearer {table.token}", "Content_Type": content_type, **headers}
    return server.request("POST", path, b'{"type": "roll"}', **told)


# ── Connections that stall ──────────────────────────────────────────────────────────────────────────────────────


STALLED = {
    "headers and one byte of the body": b"POST /v1/players HTTP/1.1\r\n" + JSON + b"Content-Length: 50\r\n\r\n{",
    "half a chunk": b"POST /v1/players HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "half a head": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ",
}


@pytest.mark.parametrize("sent", STALLED.values(), ids=STALLED.keys())
def test_requests_that_never_become_whole_hold_nobody_up(server: Server, long_table: Table, sent: bytes) -> None:
    with all_open(MANY, lambda: server.open(sent)) as stalled:
        others_are_served(server, long_table)
        for wire in stalled:
            wire.answer().problem(408, "too_slow")
            assert wire.is_closed()


def test_a_head_that_comes_a_byte_at_a_time_is_not_given_more_time(server: Server) -> None:
    with server.open(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ") as wire:
        for _ in range(25):
            time.sleep(0.1)
            wire.send(b"a")
        wire.answer().problem(408, "too_slow")


def test_silent_connections_hold_nobody_up(server: Server, long_table: Table) -> None:
    with all_open(1100, server.open) as silent:
        others_are_served(server, long_table)
        assert all(wire.is_closed() for wire in silent)


def test_aborted_uploads_over_http_2_hold_nobody_up(server: Server, long_table: Table) -> None:
    def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
        return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload

    head = b"\x83\x86\x04\x0b/v1/players\x01\x01x\x0f\x0d\x0550000"  # POST, http, path, authority, content-length
    begun = frame(4, 0, 0, b"") + frame(1, 4, 1, head) + frame(0, 0, 1, b"{")
    with all_open(32, lambda: server.open(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + begun)) as uploads:
        for wire in uploads:
            wire.send(frame(3, 0, 1, (8).to_bytes(4, "big")))
        others_are_served(server, long_table)
        for wire in uploads:
            wire.answer().problem(505, "http_version")
            assert wire.is_closed()


# ── Readers that do not read ────────────────────────────────────────────────────────────────────────────────────


def asking(table: Table, path: str, **headers: str) -> bytes:
    told = {"Host": "x", "Authorization": f"Bearer {table.token}", **headers}
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {text}" for name, text in told.items()), "", ""]
    return "\r\n".join(lines).encode()


@pytest.mark.parametrize("kind", ["a long log", "a large page", "a file"])
def test_slow_readers_hold_nobody_up_and_cost_little(server: Server, long_table: Table, kind: str) -> None:
    log = f"/v1/matches/{long_table.id}/events"
    request = {
        "a long log": asking(long_table, log, Accept="application/x-ndjson"),
        "a large page": asking(long_table, f"{log}?limit=1000"),
        "a file": asking(long_table, "/docs/swagger-ui-bundle.js"),
    }[kind]
    before = server.memory()
    with all_open(MANY, lambda: server.open(request, buffer=4096)) as readers:
        others_are_served(server, long_table)
        for wire in readers[::20]:
            assert wire.read(15) == b"HTTP/1.1 200 OK"
        others_are_served(server, long_table)
        assert server.memory() - before < 150 * 2**20
        # They never read on, so the server lets them go: it has taken back what it kept for them.
        server.wait_until(lambda: connections(server) == 0)


def connections(server: Server) -> int:
    """How many the server has open, as the system sees it."""
    port, established = f":{server.port:04X}", "01"
    lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(line[1].endswith(port) and line[3] == established for line in lines)


def test_who_does_not_read_cannot_send_more_and_more(server: Server, long_table: Table) -> None:
    before = server.memory()
    pipelined = asking(long_table, "/openapi.json") * 100
    with all_open(20, lambda: server.open(pipelined, buffer=4096)):
        others_are_served(server, long_table)
        assert server.memory() - before < 100 * 2**20


def test_a_long_log_is_whole_however_slowly_it_is_read(server: Server, long_table: Table) -> None:
    path = f"/v1/matches/{long_table.id}/events"
    with server.open(asking(long_table, path, Accept="application/x-ndjson"), buffer=4096) as reader:
        time.sleep(0.5)
        lines = reader.answer().body.splitlines()
    events = [json.loads(line) for line in lines]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    assert len(events) >= long_table.version
    page = json.loads(server.get(f"{path}?after=2500&limit=10", Authorization=f"Bearer {long_table.token}").body)
    assert page["events"] == events[2500:2510]


def test_a_log_for_http_1_0_ends_with_the_connection(server: Server, long_table: Table) -> None:
    path = f"/v1/matches/{long_table.id}/events"
    raw = asking(long_table, path, Accept="application/x-ndjson").replace(b"HTTP/1.1", b"HTTP/1.0")
    got = server.say(raw)
    assert "transfer-encoding" not in got.headers and got.headers["connection"] == "close"
    assert got.body.count(b"\n") >= long_table.version


# ── One request after another ───────────────────────────────────────────────────────────────────────────────────


HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def test_requests_sent_ahead_are_answered_in_order_up_to_the_first_that_is_none(
    server: Server, long_table: Table
) -> None:
    garbage = b"GET /v1/games HTTP/1.1\r\nHost: x\r\n\r\n" + HEALTH + b"\x00\x01garbage\r\n\r\n" + HEALTH
    with all_open(MANY, lambda: server.open(garbage)) as rude:
        others_are_served(server, long_table)
        for wire in rude:
            assert b"games" in wire.answer().body
            assert wire.answer().body == b'{"status":"ok"}'
            wire.answer().problem(505, "http_version")
            assert wire.is_closed()


def test_a_connection_is_kept_for_the_next_request_and_closed_when_none_comes(server: Server) -> None:
    with server.open() as wire:
        for _ in range(3):
            wire.send(HEALTH)
            assert wire.answer().status == 200
        assert wire.is_closed()


def test_who_asks_to_close_is_answered_and_closed(server: Server) -> None:
    with server.open(HEALTH.replace(b"Host", b"Connection: close\r\nHost")) as wire:
        assert wire.answer().headers["connection"] == "close"
        assert wire.is_closed()


def test_who_will_send_no_more_still_gets_the_answer(server: Server) -> None:
    with server.open(HEALTH) as wire:
        wire.send_no_more()
        assert wire.answer().status == 200


def test_who_asks_before_sending_the_body_is_told_to_go_on(server: Server) -> None:
    head = b"POST /v1/players HTTP/1.1\r\n" + JSON + b"Expect: 100-continue\r\nContent-Length: 15\r\n\r\n"
    with server.open(head) as wire:
        assert wire.read(25) == b"HTTP/1.1 100 Continue\r\n\r\n"
        wire.send(b'{"name": "Ann"}')
        assert wire.answer().status == 201


def test_newcomers_take_the_place_of_whoever_was_silent_longest(servers: Servers, folder: pathlib.Path) -> None:
    with (
        serving(servers, folder, PARLOR_CONNECTIONS="20") as small,
        all_open(60, small.open) as silent,
    ):
        assert small.get("/healthz").status == 200
        assert all(wire.is_closed() for wire in silent[:30])
        silent[-1].send(HEALTH)
        assert silent[-1].answer().status == 200


def test_newcomers_take_the_place_of_readers_that_do_not_read(servers: Servers, folder: pathlib.Path) -> None:
    asking = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n"
    with (
        serving(servers, folder, PARLOR_CONNECTIONS="20") as small,
        all_open(20, lambda: small.open(asking, buffer=4096)) as readers,
    ):
        assert all(wire.read(15) == b"HTTP/1.1 200 OK" for wire in readers)
        for _ in range(30):
            assert small.get("/healthz").status == 200


# ── Limits ──────────────────────────────────────────────────────────────────────────────────────────────────────


def post(headers: bytes, body: bytes = b"") -> bytes:
    return b"POST /v1/players HTTP/1.1\r\n" + JSON + b"X-Request-ID: abc123\r\n" + headers + b"\r\n" + body


def chunks(*parts: bytes) -> bytes:
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (*parts, b""))


CHUNKED = b"Transfer-Encoding: chunked\r\n"
LONG_NAME = b'{"name": "' + b"x" * BODY_LIMIT + b'"}'
LIMITS = {
    "a large header": (post(b"X-Large: " + b"a" * 20_000 + b"\r\n"), 431, "headers_too_large"),
    "a large Content-Type": (
        b"POST /v1/players HTTP/1.1\r\nContent-Type: " + b"a;" * 150_000,
        431,
        "headers_too_large",
    ),
    "many headers": (post(b"".join(b"X-%d: a\r\n" % n for n in range(150))), 431, "headers_too_large"),
    "a long address": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
    "an address without end": (b"GET /" + b"a" * 100_000, 414, "uri_too_long"),
    "a large body announced": (post(b"Content-Length: 65537\r\n"), 413, "too_large"),
    "a large body sent": (post(b"Content-Length: %d\r\n" % len(LONG_NAME), LONG_NAME), 413, "too_large"),
    "large chunks": (post(CHUNKED, chunks(LONG_NAME)), 413, "too_large"),
    "chunks without end": (post(CHUNKED, chunks(b'{"name": "Ann"}' + b" " * 30_000)[:-5] * 10), 413, "too_large"),
    "chunks full of nothing": (post(CHUNKED, b"1;" + b"a" * 600_000 + b"\r\n"), 413, "too_large"),
    "two lengths of different kinds": (post(CHUNKED + b"Content-Length: 5\r\n", b"0\r\n\r\n"), 400, "bad_request"),
    "two lengths": (post(b"Content-Length: 15\r\nContent-Length: 16\r\n", b'{"name": "Ann"}'), 400, "bad_request"),
    "a length that is none": (post(b"Content-Length: +15\r\n", b'{"name": "Ann"}'), 400, "bad_request"),
    "a chunk that is none": (post(CHUNKED, b"what\r\n"), 400, "bad_request"),
    "another encoding": (post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n"), 400, "bad_request"),
    "an upgrade with chunks": (post(CHUNKED + b"Connection: Upgrade\r\nUpgrade: h2c\r\n"), 400, "bad_request"),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400, "bad_request"),
    "two Hosts": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_request"),
    "a folded header": (b"GET /healthz HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400, "bad_request"),
    "lines without returns": (b"GET /healthz HTTP/1.1\nHost: a\n\nGET / HTTP/1.1\r\n\r\n", 400, "bad_request"),
    "a space in the address": (b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
    "an old version": (b"GET /healthz HTTP/0.9\r\nHost: x\r\n\r\n", 505, "http_version"),
    "another protocol": (b"DESCRIBE / RTSP/1.0\r\nHost: x\r\n\r\n", 505, "http_version"),
    "a method that is none": (b"FOO /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unknown_method"),
    "an address that is none": (b"GET http://x:99999999/ HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"),
    "a tunnel": (b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n", 501, "unknown_method"),
}


@pytest.mark.parametrize(("raw", "status", "code"), LIMITS.values(), ids=LIMITS.keys())
def test_what_goes_beyond_the_limits_is_refused_as_a_problem(
    server: Server, raw: bytes, status: int, code: str
) -> None:
    began = time.monotonic()
    with server.open(raw) as wire:
        got = wire.answer()
        assert wire.is_closed()
    got.problem(status, code)
    guards = ("x-content-type-options", "x-frame-options", "content-security-policy", "referrer-policy")
    assert all(name in got.headers for name in guards)
    assert got.headers["cache-control"] == "no-store" and got.headers["x-request-id"].isalnum()
    assert time.monotonic() - began < SOON


def test_a_refusal_has_the_id_that_the_request_came_with(server: Server) -> None:
    assert server.say(post(b"Content-Length: 65537\r\n")).headers["x-request-id"] == "abc123"


def test_bodies_up_to_the_limit_are_taken_in_one_piece_and_in_chunks(server: Server) -> None:
    body = b'{"name": "Ann"}'
    body += b" " * (BODY_LIMIT - len(body))
    assert server.say(post(b"Content-Length: %d\r\n" % len(body), body)).status == 201
    in_chunks = chunks(*(body[at : at + 1000] for at in range(0, len(body), 1000)))
    assert server.say(post(CHUNKED, in_chunks)).status == 201
    with server.open(post(CHUNKED, chunks(b'{"name": "Ann"}'))) as wire:
        assert wire.answer().status == 201
        wire.send(HEALTH)
        assert wire.answer().status == 200


def test_trailers_are_no_headers(server: Server) -> None:
    sneaked = b'f\r\n{"name": "Ann"}\r\n0\r\nContent-Type: text/plain\r\nAuthorization: Bearer x\r\n\r\n'
    assert server.say(post(CHUNKED, sneaked)).status == 201


def test_a_length_that_is_too_small_leaves_the_rest_as_no_request(server: Server) -> None:
    with server.open(post(b"Content-Length: 15\r\n", b'{"name": "Ann"}garbage\r\n\r\n')) as wire:
        assert wire.answer().status == 201
        assert wire.answer().status == 505
        assert wire.is_closed()


# ── Both ways, and odd addresses ────────────────────────────────────────────────────────────────────────────────


def test_a_command_has_the_same_headers_on_its_short_way_and_through_flask(server: Server, long_table: Table) -> None:
    def kept(got: Got) -> tuple[int, dict[str, str]]:
        return got.status, {name: text for name, text in got.headers.items() if name not in ("date", "content-length")}

    told = {"Idempotency_Key": "twice", "X_Request_ID": "abc"}
    command = {"If_Match": '"1"', **told}  # refused: too old
    plain, by_flask = (
        kept(command_of(server, long_table, kind, **command))
        for kind in ("application/json", "application/json; charset=utf-8")
    )
    assert plain == by_flask and plain[0] == 412 and plain[1]["x-request-id"] == "abc"


ODD = (
    "/v1//games",
    "//",
    "//v1/games",
    "/v1/games//",
    "/%00",
    "/v1/games/%00",
    "/docs/%00",
    "/%ff%fe",
    "/v1/games/%ff",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/docs/..%2f..%2fapp.py",
    "/docs/%5c..%5capp.py",
    "/v1/matches/%0d%0aX:1",
    "/;",
    "http://example.org/v1//games",
    "http://example.org/nowhere",
    "/v1/games/\u00e9".encode().decode("latin-1"),
)


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "PURGE", "TRACE"])
def test_odd_addresses_get_problems_and_never_html(server: Server, method: str) -> None:
    for address in ODD:
        with server.open(f"{method} {address} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1")) as wire:
            got = wire.answer(method)
        if got.status == 204:
            assert method == "OPTIONS" and "content-type" not in got.headers, (address, got)
            continue
        assert got.status in (400, 401, 404, 405), (address, got)
        assert got.headers["content-type"] == "application/problem+json", (address, got)


def test_the_whole_address_may_stand_in_the_request(server: Server) -> None:
    assert server.say(b"GET http://example.org/healthz?x=1 HTTP/1.1\r\nHost: example.org\r\n\r\n").status == 200


def test_methods_are_told_without_html(server: Server) -> None:
    told = server.request("OPTIONS", "/v1/games")
    assert told.status == 204 and "GET" in told.headers["allow"] and "content-type" not in told.headers
    server.request("POST", "/v1/games").problem(405, "method_not_allowed")
    server.say(b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n").problem(404, "not_found")
    head = server.request("HEAD", "/v1/games")
    assert head.status == 200 and head.body == b"" and int(head.headers["content-length"]) > 100
    front = server.request("HEAD", "/")
    assert front.status == 200 and front.body == b"" and front.headers["content-type"].startswith("text/html")


def test_no_body_is_read_for_who_has_no_token(client: flask.testing.FlaskClient) -> None:
    asked = 0
    for rule in client.application.url_map.iter_rules():
        for method in (rule.methods or set()) & {"POST", "PUT", "PATCH", "DELETE"}:
            if rule.rule in ("/v1/players", "/v1/recover"):
                continue  # where tokens come from
            path = rule.rule
            for argument in rule.arguments:
                path = path.replace(f"<uuid:{argument}>", "00000000-0000-0000-0000-000000000000")
            for content_type in ("application/json", "application/json; charset=utf-8", "text/plain"):
                got = client.open(path, method=method, data=b"{", content_type=content_type)
                assert (got.status_code, got.get_json()["code"]) == (401, "token_missing"), (method, path)
                asked += 1
    assert asked > 20


def test_a_person_plays_through_the_gate_as_through_the_test_client(
    server: Server, client: flask.testing.FlaskClient
) -> None:
    """Headers with `_` cannot pass for others, and a repeated header is not two chances."""
    ann = Person(client, "Ann")
    bearer = f"Bearer {ann.token}"
    assert server.get("/v1/me", Authorization=bearer).status == 200
    sneaky = f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization_: x\r\nauthorization: {bearer}\r\n\r\n".encode()
    assert server.say(sneaky).status == 200
    twice = f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: {bearer}\r\nAuthorization: {bearer}\r\n\r\n".encode()
    assert server.say(twice).status == 401
