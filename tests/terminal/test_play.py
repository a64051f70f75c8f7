"""People play every game in the terminal, against bots, on a server that runs."""

from __future__ import annotations

import http.client
import json
import pathlib
import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from domain.game import Game
from domain.games import GAMES
from tests.api.served import Server, free_port, serving
from tests.conftest import Servers
from tests.domain import playing
from tests.terminal.driver import Terminal, play_at_random
from tests.workers.crew import Crew


class House(NamedTuple):
    """A server with a worker for its bots."""

    server: Server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.port}"

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def sign_up(self, name: str = "Ann") -> str:
        return self.call("POST", "/v1/players", {"name": name})["token"]  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def house(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    crew = Crew(servers)
    with serving(servers, tmp_path_factory.mktemp("served")) as server:
        try:
            crew.start("worker")
            yield House(server)
        finally:
            crew.stop()


def quick(game: Game[Any]) -> list[str]:
    """Options that make a match short, as they are typed."""
    given = dict(getattr(playing.module(game), "QUICK", {}))
    return [word for name, value in given.items() for word in ("--option", f"{name}={json.dumps(value)}")]


def commands_of(house: House, token: str, match: str) -> list[Any]:
    events = house.call("GET", f"/v1/matches/{match}/events?limit=1000", token=token)["events"]
    return [event for event in events if event["actor"] == "seat:0"]


def resumed(text: str) -> tuple[str, str]:
    """The match and the token that the last words name."""
    found = re.search(r"parlor play --match (\S+) --token (\S+)", text)
    assert found, text[-2000:]
    return found[1], found[2]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_somebody_plays_it_against_bots(game: Game[Any], house: House) -> None:
    arguments = [game.slug, "--server", house.url, *quick(game)]
    with Terminal(*arguments) as terminal:
        play_at_random(terminal, random.Random(f"play {game.slug}"), fill=Filler(house), steps=8)
        terminal.type("q")
        status, last = terminal.end()
        assert status == 0
        match, token = resumed(last) if "parlor play" in last else ("", "")
        assert match and commands_of(house, token, match)
        assert "Refused" not in terminal.text and "Traceback" not in terminal.text


class Filler:
    """Fills in what a legal list only describes."""

    def __init__(self, house: House) -> None:
        self._house = house

    def __call__(self, question: str) -> str:
        return ""
