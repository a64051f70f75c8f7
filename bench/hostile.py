"""What one hostile client gets done in a minute, without limits and with those that a server has by default."""

from __future__ import annotations

import http.client
import itertools
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import orjson

from bench.figures import Figure, Part, Tell
from bench.stage import Stage, serving
from eventstore.settings import RATES, Settings, variable

CONNECTIONS = 16
MINUTE = 60.0
OFF = {variable(name): "off" for name in RATES} | {"PARLOR_OPEN_MATCHES": "1000000"}
BY_DEFAULT = {variable(name): str(getattr(Settings(), name)) for name in RATES}
TABLE = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]}


class Wish(NamedTuple):
    """What it wants as many of as it can get."""

    name: str
    path: str
    body: Mapping[str, object]
    tokens: int  # that it has, and sends in turns; without any it sends none


SIGN_UPS = Wish("sign-ups", "/v1/players", {"name": "Eve"}, 0)
MATCHES = Wish("matches opened", "/v1/matches", TABLE, 50)
GUESSES = Wish("unknown tokens looked up", "/v1/tokens", {"label": "x", "scopes": []}, -1)


def figures(on: Stage, tell: Tell, seconds: float, whole: bool) -> list[Figure]:
    """Without limits a part of the minute tells the rest; with limits only the whole minute is one."""
    found = []
    for wish in (SIGN_UPS, MATCHES, GUESSES):
        tell(f"one hostile client: {wish.name}, without limits for {seconds:g} s")
        with serving(on, "api.cli", "api", **OFF) as port:
            before = _hammered(on, port, wish, seconds)
        length = MINUTE if whole else seconds
        tell(f"one hostile client: {wish.name}, with limits for {length:g} s")
        with serving(on, "api.cli", "api", **BY_DEFAULT) as port:
            after = _hammered(on, port, wish, length)
        parts = (
            Part("without limits, a minute", _done(before) * MINUTE / seconds, ""),
            Part(f"told to wait in {length:g} s", after[429], ""),
        )
        note = f"{CONNECTIONS} connections from one address"
        found.append(Figure(f"{wish.name} by one client in a minute", _done(after), "", None, "report", parts, note))
    return found


def _done(answers: Counter[int]) -> int:
    """Answers that made the database work."""
    return sum(times for status, times in answers.items() if status in (201, 401))


def _hammered(on: Stage, port: int, wish: Wish, seconds: float) -> Counter[int]:
    tokens = _tokens(on, wish.tokens)
    until = time.monotonic() + seconds
    lock, answers = threading.Lock(), Counter[int]()

    def hammer(_: int) -> None:
        found = _sent(port, wish, tokens, lambda: time.monotonic() < until)
        with lock:
            answers.update(found)

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(hammer, range(CONNECTIONS)))
    return answers


def _tokens(on: Stage, count: int) -> Iterator[str | None]:
    if count < 0:
        return map("nobody-{}".format, itertools.count())  # not a generator: many threads ask it
    return itertools.cycle([on.players.sign_up("Eve")[1] for _ in range(count)] or [None])


def _sent(port: int, wish: Wish, tokens: Iterator[str | None], more: Callable[[], bool]) -> Counter[int]:
    answers: Counter[int] = Counter()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    body = orjson.dumps(wish.body)
    while more():
        token = next(tokens)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request("POST", wish.path, body, headers)
        answer = connection.getresponse()
        answer.read()
        answers[answer.status] += 1
    connection.close()
    return answers
