"""`python -m bench.listeners`: a process that holds many streams open and notes when each event came.

It gets the port and the streams as a line of JSON, says `ready` when every stream has shown its view, and at the next
line waits until nothing more comes and tells what it heard. Readers are usually on machines of their own; these share
the processors with the server, and what they do there counts against it. So while commands flow they only note what
came and when: a sample of them every few milliseconds, to find out how soon it comes (the time until they look counts
as well), the others a few times a second. Every message of every stream is gone through when the load is over.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import resource
import select
import socket
import statistics
import sys
import time
from typing import Any, Final

import orjson

QUIET: Final = 2.0  # seconds without anything new, after which all has come
PATIENCE: Final = 60.0
PIECE: Final = 8192
NAP: Final = 0.004  # seconds between two looks at the sample
REST: Final = 0.25  # seconds between two looks at the others
SAMPLE: Final = 9  # of so many streams one; no divisor of the streams of a match, so that every seat is in it
SIGN_OF_LIFE: Final = 32  # bytes; every message has more
MESSAGE: Final = re.compile(rb"id: (\d+)\n(?:retry: \d+\n)?event: (\w+)\ndata: ([^\n]*)\n\n")


class Listener:
    def __init__(self, port: int, match: str, token: str, *, timed: bool) -> None:
        self.match, self.timed, self.socket = match, timed, socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.fileno()
        self.pieces: list[tuple[float, bytes]] = []
        self.version = 0
        self.missed = self.repeated = self.seen = 0
        self._rest = b""
        asked = f"GET /v1/matches/{match}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
        self.socket.sendall(f"{asked}Authorization: Bearer {token}\r\n\r\n".encode())
        self.socket.setblocking(False)

    def hear(self) -> bool:
        """Whether there was more to it than a sign of life."""
        data = os.read(self.file, PIECE)
        self.pieces.append((time.time(), data))
        return len(data) > SIGN_OF_LIFE

    def read(self, delays: list[float]) -> None:
        """Goes through all that came, in the order in which it came."""
        for at, piece in self.pieces:
            data, last = self._rest + piece, 0
            for found in MESSAGE.finditer(data):
                version, last = int(found[1]), found.end()
                if found[2] == b"event":
                    self._count(version, orjson.loads(found[3])["event"], at, delays)
                self.version = max(self.version, version)
            self._rest = data[last:]
        self.pieces.clear()

    def _count(self, version: int, event: dict[str, Any], at: float, delays: list[float]) -> None:
        if event["version"] != version:
            raise RuntimeError(f"version {event['version']} was told under the id {version}")
        self.seen += 1
        self.missed += max(0, version - self.version - 1)
        self.repeated += version <= self.version
        if self.timed:
            delays.append(at - dt.datetime.fromisoformat(event["at"]).timestamp())


def main() -> None:
    given = orjson.loads(sys.stdin.buffer.readline())
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, len(given["streams"]) + 200)), hard))
    delays: list[float] = []
    everybody = [
        Listener(given["port"], match, token, timed=number % SAMPLE == 0)
        for number, (match, token) in enumerate(given["streams"])
    ]
    by_file = {one.file: one for one in everybody}
    sample, others = select.epoll(), select.epoll()
    for number, one in by_file.items():
        (sample if one.timed else others).register(number, select.EPOLLIN)

    def hear(seconds: float) -> bool:
        heard = [by_file[number].hear() for watch in (sample, others) for number, _ in watch.poll(seconds)]
        return any(heard)

    until = time.monotonic() + PATIENCE
    while not all(one.version for one in everybody):
        if time.monotonic() > until:
            raise RuntimeError("not every stream has begun")
        hear(1.0)
        for one in everybody:
            one.read(delays)
    delays.clear()
    print("ready", flush=True)
    asked = sys.stdin.fileno()
    sample.register(asked, select.EPOLLIN)
    stopped, rested_until = False, 0.0
    while not stopped:
        ready = sample.poll(NAP)
        if time.monotonic() >= rested_until:
            ready += others.poll(0)
            rested_until = time.monotonic() + REST
        for number, _ in ready:
            if number == asked:
                stopped = True
            else:
                by_file[number].hear()
        time.sleep(NAP)
    sample.unregister(asked)
    quiet_at = time.monotonic() + QUIET
    while time.monotonic() < quiet_at:
        if hear(QUIET / 4):
            quiet_at = time.monotonic() + QUIET
    for one in everybody:
        one.read(delays)
    told = {
        "heard": sum(one.seen for one in everybody),
        "missed": sum(one.missed for one in everybody),
        "repeated": sum(one.repeated for one in everybody),
        "versions": [[one.match, one.version] for one in everybody],
        "median_ms": statistics.median(delays) * 1000,
        "p99_ms": sorted(delays)[int(len(delays) * 0.99)] * 1000,
    }
    print(orjson.dumps(told).decode(), flush=True)


if __name__ == "__main__":
    main()
