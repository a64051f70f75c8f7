"""Readers of streams that do not read: they are dropped with a word, or cut, and slow nobody."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from api.app import Services
from domain.match import Place
from eventstore.players import hash_of
from tests.api.followed import follow
from tests.api.served import Server, all_open, serving
from tests.conftest import Servers

HEAD = "GET /v1/matches/{match}/events{query} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer {token}\r\n\r\n"


class Table(NamedTuple):
    """A match in which two players roll dice for as long as one likes."""

    parlor: Services
    id: str
    players: list[tuple[str, str]]

    def roll(self, times: int) -> int:
        """The version after so many throws."""
        version = 0
        for _ in range(times):
            view, _ = self.parlor.matches.look(self.id, self.players[0][0])
            player, token = self.players[view["to_act"][0]]
            version = self.parlor.matches.play(self.id, player, {"type": "roll"}, token=hash_of(token)).version
        return version

    def asked(self, query: str = "") -> bytes:
        return HEAD.format(match=self.id, query=query, token=self.players[0][1]).encode()


@pytest.fixture
def rolling(parlor: Services) -> Table:
    signed = [parlor.players.sign_up(name) for name in ("Ann", "Ben")]
    players = [(str(one["id"]), token) for one, token in signed]
    places = [Place("human", player, None, "") for player, _ in players]
    match = parlor.matches.open("check-and-double-check", host=players[0][0], seats=places, options={"target": 1000})
    parlor.matches.start(match.id, players[0][0], hash_of(players[0][1]))
    return Table(parlor, match.id, players)


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    limits = {"PARLOR_READER_SECONDS": "4", "PARLOR_STREAMS": "1000", "PARLOR_CONNECTIONS": "200"}
    with serving(servers, folder, **limits) as made:
        yield made


def test_a_reader_that_stops_is_dropped_and_the_others_miss_nothing(server: Server, rolling: Table) -> None:
    rolling.roll(350)
    memory, files = server.memory(), server.files()
    with all_open(20, lambda: server.open(rolling.asked("?after=0"), buffer=4096)):
        with follow(server, rolling.id, rolling.players[1][1]) as good:
            first = int(good.next().id or "")
            newest = rolling.roll(40)
            told = good.up_to(newest)
            assert [one.body["event"]["version"] for one in told] == list(range(first + 1, newest + 1))
            assert server.files() > files + 10
        server.wait_until(lambda: server.files() <= files + 2)
        assert server.memory() - memory < 20 * 1_000_000


def test_a_slow_reader_is_told_where_to_go_on(servers: Servers, folder: pathlib.Path, rolling: Table) -> None:
    """It reads nothing while much happens, and then everything: up to a word that there is more."""
    with serving(servers, folder, PARLOR_READER_SECONDS="300") as server:
        _falls_behind(server, rolling)


def _falls_behind(server: Server, rolling: Table) -> None:
    with server.open(rolling.asked(), buffer=4096) as slow:
        newest = rolling.roll(600)
        answer = slow.answer()
    messages = [one for one in answer.body.decode().split("\n\n") if one and not one.startswith(":")]
    assert "event: bye" in messages[-1] and '"reason":"slow"' in messages[-1]
    ids = [int(one.split("id: ")[1].split("\n")[0]) for one in messages]
    assert ids[:-1] == list(range(ids[0], ids[-1] + 1)) and ids[-1] < newest
    with follow(server, rolling.id, rolling.players[0][1], f"?after={ids[-1]}") as again:
        told = again.up_to(newest)
        assert [one.body["event"]["version"] for one in told] == list(range(ids[-1] + 1, newest + 1))


def test_streams_take_only_half_of_the_connections_and_are_shared_out(server: Server, rolling: Table) -> None:
    """More streams than there is room for, of one player: others still play, and follow."""
    with all_open(300, lambda: server.open(rolling.asked())) as wires:
        for wire in wires:
            with contextlib.suppress(OSError):  # some have to make room before they could read why
                wire.read(1)
        server.wait_until(lambda: _begins(server, rolling, 1))
        with follow(server, rolling.id, rolling.players[1][1]) as other:
            assert other.next().kind == "view"
            rolling.roll(1)
            assert other.next().kind == "event"


def test_streams_whose_readers_are_gone_are_let_go(server: Server, rolling: Table) -> None:
    for _ in range(3):
        with contextlib.ExitStack() as stack:
            for _ in range(80):
                stack.enter_context(server.open(rolling.asked()))
    server.wait_until(lambda: _begins(server, rolling, 0))


def _begins(server: Server, rolling: Table, seat: int) -> bool:
    with follow(server, rolling.id, rolling.players[seat][1]) as stream:
        return stream.status == 200 and stream.next().kind == "view"
