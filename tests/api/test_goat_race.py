"""Thirteen clients play Goat at once, over a real socket: simultaneous passing, races, and a log that tells it all."""

from __future__ import annotations

import collections
import http.client
import json
import random
import threading
from collections.abc import Iterator
from typing import Any

import flask
import pytest
from werkzeug.serving import make_server

from api.app import Services
from domain import log, match
from domain.games import BY_SLUG
from domain.wire import Parts
from eventstore.chain import verify
from eventstore.service import Matches

SEATS = 13


@pytest.fixture
def port(app: flask.Flask) -> Iterator[int]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()


class News:
    """That somebody has played, for those who have nothing to do until then."""

    def __init__(self) -> None:
        self.count, self.over = 0, False
        self._told = threading.Condition()

    def tell(self, over: bool = False) -> None:
        with self._told:
            self.count, self.over = self.count + 1, over or self.over
            self._told.notify_all()

    def wait(self, known: int) -> None:
        with self._told:
            self._told.wait_for(lambda: self.count > known, timeout=1)


class Client:
    """A player with a connection of its own. It collects what it has most of, and answers every race at once."""

    def __init__(self, port: int, name: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Content-Type": "application/json"}
        self._rng = random.Random(name)
        self.refused: collections.Counter[str] = collections.Counter()
        token = self.send("POST", "/v1/players", {"name": name})[1]["token"]
        self._headers["Authorization"] = f"Bearer {token}"

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        raw = None if body is None else json.dumps(body)
        self._connection.request(method, path, raw, self._headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")

    def play(self, match_id: str, news: News) -> None:
        path = f"/v1/matches/{match_id}"
        while not news.over:
            known = news.count
            view = self.send("GET", path)[1]
            if view["status"] == "over":
                news.tell(over=True)
            legal = self.send("GET", f"{path}/legal")[1]["commands"]
            command = self.choose(legal, view["table"]["hand"] or [])
            if command is None:
                news.wait(known)
                continue
            status, answer = self.send("POST", f"{path}/commands", command)
            if status == 409:
                self.refused[answer["rule"]["id"]] += 1
            else:
                assert status == 200, answer
                news.tell()

    def choose(self, legal: list[dict[str, Any]], hand: list[str]) -> dict[str, Any] | None:
        down = [command for command in legal if command["type"] == "lay_down" and "fill" not in command]
        if down:
            return down[0]
        passes = [command for command in legal if command["type"] == "pass_card"]
        if not passes:
            return None
        if self._rng.random() < 0.1:
            return self._rng.choice(passes)
        sizes = collections.Counter(card.split("-")[1] for card in hand)
        return min(passes, key=lambda command: (sizes[command["card"].split("-")[1]], self._rng.random()))


def test_thirteen_clients_race_and_the_log_replays_to_the_same_result(port: int, parlor: Services) -> None:
    """GO-06, GO-08, GO-15, GO-16, GO-17"""
    clients = [Client(port, f"Player {n}") for n in range(SEATS)]
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (SEATS - 1)]
    body = {"game": "goat", "seats": seats, "options": {"hands": 1, "stall_limit": 60}}
    match_id = clients[0].send("POST", "/v1/matches", body)[1]["id"]
    for client in clients[1:]:
        assert client.send("POST", f"/v1/matches/{match_id}/join", {})[0] == 200
    assert clients[0].send("POST", f"/v1/matches/{match_id}/start")[0] == 200
    news = News()
    threads = [threading.Thread(target=client.play, args=(match_id, news)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert news.over, "the match did not end"

    final = clients[0].send("GET", f"/v1/matches/{match_id}")[1]
    stored = parlor.matches.store.read(match_id)
    assert [one.version for one in stored] == list(range(1, len(stored) + 1))
    kinds = collections.Counter(one.parts.type for one in stored)
    assert kinds["race_opened"] and kinds["laid_down"] and kinds["round_passed"]
    assert set().union(*(client.refused for client in clients)) <= {
        "GO-07",
        "GO-08",
        "GO-13",
        "GO-15",
        "GO-16",
        "GO-24",
        "GO-32",
    }

    game = BY_SLUG["goat"]
    happened = [log.read(match.event_classes(game), Parts(*one.parts), one.actor) for one in stored]
    replayed = match.fold(match.opened(game, happened[0].event), happened[1:])
    names = {seat["player"]: seat["name"] for seat in final["seats"]}
    assert json.loads(json.dumps({**match.view(replayed, 0, names), "board_href": None})) == final
    for seat in (0, 5, 12):
        page = clients[seat].send("GET", f"/v1/matches/{match_id}/events?limit=1000")[1]["events"]
        assert verify(page).hex() == page[-1]["hash"]
    races = [one.parts.public for one in stored if one.parts.type == "book_put_away" and one.parts.public["order"]]
    assert races and all(
        len(set(race["order"])) == len(race["order"]) and race["goat"] == race["order"][-1] for race in races
    )


def phase(matches: Matches, match_id: str) -> str:
    table = matches.fresh(match_id).match.game.view(matches.fresh(match_id).match.table, None)
    return str(table["phase"])


def test_a_race_that_nobody_answers_is_ended_by_the_clock_and_needs_no_clock_to_replay(parlor: Services) -> None:
    """GO-20: the time-out is an event like any other."""
    import datetime as dt
    import uuid

    now = dt.datetime.now(dt.UTC)
    matches = Matches(parlor.matches.store, now=lambda: now)
    people = [str(uuid.uuid4()) for _ in range(3)]
    places = tuple(match.Place("human", person, None, "") for person in people)
    for _ in range(200):  # until somebody is dealt a book or gets one
        opened = matches.open("goat", host=people[0], seats=places, options={"hands": 1, "stall_limit": 10})
        matches.start(opened.id, people[0], None)
        while phase(matches, opened.id) == "passing":
            for person in people:
                legal = matches.legal(opened.id, person).commands
                books = [command for command in legal if command["type"] == "lay_down"]
                if legal:
                    matches.play(opened.id, person, (books or legal)[0])
                if books:
                    break
        if phase(matches, opened.id) == "race":
            break
    assert not matches.time_up(opened.id)
    late = matches.look(opened.id, people[0])[0]["to_act"]
    if len(late) > 2:
        matches.play(opened.id, people[late[0]], {"type": "lay_down"})
    now += dt.timedelta(seconds=11)  # counted from the opening of the race, not from the last answer
    assert matches.time_up(opened.id)
    events = list(matches.events(opened.id, people[0])[0])
    assert any(event["actor"] == "clock" for event in events)
    assert Matches(parlor.matches.store).look(opened.id, people[1]) == matches.look(opened.id, people[1])
