"""Log lines: whose address stands in them, and that nobody writes them but us."""

from __future__ import annotations

import logging
import pathlib
import re
from collections.abc import Iterator

import pytest

from api.gate.proxies import client
from api.logs import Lines
from eventstore.settings import SettingsError, settings
from tests.api.served import Server, serving
from tests.conftest import Servers

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (INFO|ERROR|WARNING) parlor\.\w+ .*")


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_TRUSTED_PROXIES="10.0.0.0/8, 127.0.0.2") as made:
        yield made


@pytest.fixture(scope="module")
def behind_proxy(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_TRUSTED_PROXIES="127.0.0.0/8") as made:
        yield made


def line_of(server: Server, request_id: str) -> str:
    server.wait_until(lambda: request_id in server.log.read_text())
    (line,) = [line for line in server.log.read_text().split("\n") if request_id in line]
    return line


@pytest.mark.parametrize(
    ("number", "path"),
    list(
        enumerate(
            [
                "/v1/%0a2026-01-01%2000:00:00,000%20INFO%20parlor.api%20forged",
                "/v1/%0d%0aforged",
                "/v1/%1b[31mred%1b[0m",
                "/v1/%c2%9b31m",
                "/v1/%e2%80%a8forged",
                "/v1/%00%7f%ff",
                "/v1/a%20404%200.1ms",
            ]
        )
    ),
)
def test_a_path_cannot_forge_a_line(server: Server, number: int, path: str) -> None:
    assert server.get(path, X_Request_ID=f"forger{number}").status == 404
    line = line_of(server, f"forger{number}")
    assert LINE.fullmatch(line) and line.isprintable() and line.isascii()
    assert len(line.split(" ")) == 10, line  # date, time, level, name, id, address, method, path, status, time taken


def test_every_line_of_the_log_is_one_of_ours(server: Server) -> None:
    for raw in (b"GET /a\x1b[31m HTTP/1.1\r\nHost: x\r\n\r\n", b"\x1b[31m\r\n\r\n", b"GET /\nforged HTTP/1.1\r\n\r\n"):
        assert server.say(raw).status in (400, 505)
    lines = server.log.read_text().splitlines()
    assert lines and all(LINE.fullmatch(line) for line in lines), lines


def test_an_exception_cannot_forge_a_line() -> None:
    try:
        raise ValueError("\n2026-01-01 00:00:00,000 INFO parlor.api forged \x1b[31m")
    except ValueError as error:
        failure = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("parlor.api", logging.ERROR, "", 0, "%s failed\n", ("a\x1bb",), failure)
    first, *others = Lines().format(record).split("\n")
    assert first.endswith("a\\x1bb failed\\n") and len(others) >= 4
    assert all(line.startswith("    ") and "\x1b" not in line for line in others)


# ── Whose address counts ────────────────────────────────────────────────────────────────────────────────────────


def test_a_stranger_cannot_choose_an_address(server: Server) -> None:
    spoofed = {"X_Forwarded_For": "6.6.6.6", "Forwarded": "for=6.6.6.6;proto=https", "X_Forwarded_Proto": "https"}
    assert server.get("/v1/nowhere", X_Request_ID="spoofed1", **spoofed).status == 404
    assert " 127.0.0.1 GET /v1/nowhere " in line_of(server, "spoofed1")


def test_a_trusted_proxy_names_the_client(behind_proxy: Server) -> None:
    assert behind_proxy.get("/v1/nowhere", X_Request_ID="named1", X_Forwarded_For="6.6.6.6, 7.7.7.7").status == 404
    assert " 7.7.7.7 GET /v1/nowhere " in line_of(behind_proxy, "named1")
    assert behind_proxy.get("/" + "a" * 9000, X_Forwarded_For="8.8.8.8").status == 414
    raw = b"POST /v1/players HTTP/1.1\r\nHost: x\r\nX-Request-ID: named2\r\nX-Forwarded-For: 8.8.8.8\r\n"
    assert behind_proxy.say(raw + b"Content-Length: 99999\r\n\r\n").status == 413
    assert " 8.8.8.8 POST /v1/players 413" in line_of(behind_proxy, "named2")


TRUSTED = settings({"PARLOR_TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8"}).trusted_proxies


@pytest.mark.parametrize(
    ("peer", "headers", "address", "scheme"),
    [
        ("9.9.9.9", {}, "9.9.9.9", "http"),
        ("9.9.9.9", {"X_FORWARDED_FOR": "1.1.1.1", "X_FORWARDED_PROTO": "https"}, "9.9.9.9", "http"),
        ("10.0.0.1", {}, "10.0.0.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "1.1.1.1", "X_FORWARDED_PROTO": "https"}, "1.1.1.1", "https"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "6.6.6.6, 1.1.1.1"}, "1.1.1.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "6.6.6.6, 1.1.1.1, 10.2.3.4"}, "1.1.1.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "10.9.9.9"}, "10.9.9.9", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "1.1.1.1:443"}, "1.1.1.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "unknown"}, "10.0.0.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": "<script>, 10.0.0.7"}, "10.0.0.7", "http"),
        ("10.0.0.1", {"X_FORWARDED_FOR": ""}, "10.0.0.1", "http"),
        ("10.0.0.1", {"X_FORWARDED_PROTO": "gopher"}, "10.0.0.1", "http"),
        ("10.0.0.1", {"FORWARDED": 'for="[2001:db8::1]:80";proto=https'}, "2001:db8::1", "https"),
        ("10.0.0.1", {"FORWARDED": "For=6.6.6.6, for=1.1.1.1;by=10.0.0.1"}, "1.1.1.1", "http"),
        ("10.0.0.1", {"FORWARDED": 'for="6.6.6.6, for=1.1.1.1'}, "1.1.1.1", "http"),
        ("10.0.0.1", {"FORWARDED": "for=1.1.1.1", "X_FORWARDED_FOR": "1.1.1.1"}, "1.1.1.1", "http"),
        ("10.0.0.1", {"FORWARDED": "for=6.6.6.6", "X_FORWARDED_FOR": "1.1.1.1"}, "10.0.0.1", "http"),
        ("fd00::1", {"X_FORWARDED_FOR": "2001:db8::2"}, "2001:db8::2", "http"),
        ("::ffff:10.0.0.1", {"X_FORWARDED_FOR": "1.1.1.1"}, "1.1.1.1", "http"),
    ],
)
def test_the_nearest_hop_that_is_no_proxy_of_ours_is_the_client(
    peer: str, headers: dict[str, str], address: str, scheme: str
) -> None:
    given = {f"HTTP_{name}": text for name, text in headers.items()}
    assert client(peer, given, TRUSTED) == (address, scheme)
    assert given == {}  # nothing behind the gate can believe them


@pytest.mark.parametrize("text", ["nobody", "10.0.0.0/99", "10.0.0.1/8", "10.0.0.0/8;1.1.1.1", ",", "*"])
def test_proxies_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="PARLOR_TRUSTED_PROXIES must list"):
        settings({"PARLOR_TRUSTED_PROXIES": text})


def test_a_short_token_for_the_metrics_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingsError, match="PARLOR_METRICS must be") as told:
        settings({"PARLOR_METRICS": "hunter2"})
    assert "hunter2" not in str(told.value)
