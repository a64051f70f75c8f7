"""Workers make themselves known: who is at work, how much was played, and what each is thinking about.

It is written to Redis from a thread of its own, once a second, under a key that expires: whoever dies is forgotten, no
turn waits for it, and when it is lost the next second brings it back. Nothing is decided by it.
"""

from __future__ import annotations

import collections
import contextlib
import datetime as dt
import os
import socket
import threading
import time
from typing import Any, Final, NamedTuple, Protocol

import orjson
import redis

from workers.bell import connect

PREFIX: Final = "parlor:worker:"
EVERY: Final = 1.0
EXPIRES: Final = 5  # seconds
PATIENCE: Final = 0.5
RATE_OVER: Final = 10  # of these beats


class Thinking(NamedTuple):
    """A turn that a worker is at."""

    match: str
    game: str
    seat: int
    level: str
    since: dt.datetime


class Sight(NamedTuple):
    """A worker as others see it."""

    name: str
    began: dt.datetime
    turns: int  # played since then
    rate: float  # turns a second, lately
    thinking: tuple[Thinking, ...]  # the turn that was interrupted first, then what interrupted it


class Busy(Protocol):
    """What there is to tell of a worker."""

    played: int
    thoughts: list[Thinking]


class Presence:
    def __init__(self, url: str, worker: Busy) -> None:
        self._redis, self._worker = connect(url, patience=PATIENCE), worker
        self._name = f"{socket.gethostname()}:{os.getpid()}"
        self._began = dt.datetime.now(dt.UTC)
        self._beats: collections.deque[tuple[float, int]] = collections.deque(maxlen=RATE_OVER)
        self._stop = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, name="presence", daemon=True).start()

    def _run(self) -> None:
        while True:
            with contextlib.suppress(redis.RedisError):
                self.tell()
            if self._stop.wait(EVERY):
                return

    def stop(self) -> None:
        self._stop.set()

    def tell(self) -> None:
        played = self._worker.played
        self._beats.append((time.monotonic(), played))
        (first, before), (last, after) = self._beats[0], self._beats[-1]
        told = {
            "name": self._name,
            "began": self._began,
            "turns": played,
            "rate": (after - before) / (last - first) if last > first else 0.0,
            "thinking": [one._asdict() for one in tuple(self._worker.thoughts)],
        }
        self._redis.set(f"{PREFIX}{self._name}", orjson.dumps(told), ex=EXPIRES)


def workers(connection: redis.Redis) -> list[Sight]:
    """Those who have told of themselves within the last seconds, by name."""
    keys = list(connection.scan_iter(f"{PREFIX}*", count=1000))
    found = connection.mget(keys) if keys else []
    return sorted(_read(raw) for raw in found if raw is not None)


def _read(raw: bytes | str) -> Sight:
    told = orjson.loads(raw)
    began = dt.datetime.fromisoformat(told.pop("began"))
    return Sight(**told | {"began": began, "thinking": tuple(map(_thinking, told["thinking"]))})


def _thinking(told: dict[str, Any]) -> Thinking:
    return Thinking(**told | {"since": dt.datetime.fromisoformat(told["since"])})
