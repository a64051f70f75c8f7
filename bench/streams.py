"""A thousand open streams: does anything get lost, how soon does it come, and what do commands pay for it?"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from typing import Any, Final, NamedTuple

import orjson
import psutil

from bench.figures import ROOT, Figure, Part, Round, Tell, ratio, skipped
from bench.http import WRK, write_pool, wrk
from bench.stage import Rolling, Stage, end, serving

MATCHES: Final = 200
STREAMS: Final = 1000
THREADS: Final = 16
NAME: Final = f"commands/s with {STREAMS:,} open streams over {MATCHES} matches, against none"
GOAL, GOAL_MS = 0.8, 50.0


def figures(on: Stage, tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    if shutil.which("wrk") is None:
        return [skipped(NAME, GOAL, "at least", WRK)]
    tell(f"opening {MATCHES} matches")
    tables = [Rolling(on) for _ in range(MATCHES)]
    with serving(on, "api.cli", "api") as port:
        pool = on.folder / "streams.txt"

        def play() -> Played:
            write_pool(pool, tables)
            before = _processor_seconds()
            load = wrk("play", port, pool, THREADS, seconds)
            return Played(load.per_second, (_processor_seconds() - before) * 1000 / load.accepted)

        tell("streams: warming up")
        play()
        measured, heard, cost = [], [], []
        memory, lost = 0.0, 0
        alone = play()
        for number in range(rounds):
            tell(f"streams: round {number + 1} of {rounds}, {seconds:g} s with and without streams")
            before = _memory()
            with Listeners(port, tables) as listeners:
                memory = memory or (_memory() - before) / STREAMS
                followed = play()
                heard.append(listeners.stop())
                lost += heard[-1]["missed"] + _short(on, heard[-1])
            # Against what came right before and right after: a machine can become slower or faster in between.
            earlier, alone = alone, play()
            measured.append(Round(followed.per_second, (earlier.per_second + alone.per_second) / 2))
            cost.append((followed.processor_ms, (earlier.processor_ms + alone.processor_ms) / 2))
    twice = sum(one["repeated"] for one in heard)
    delivery = statistics.median(one["median_ms"] for one in heard)
    slow = Part("99th percentile", statistics.median(one["p99_ms"] for one in heard), "ms")
    count = Part("messages heard", sum(one["heard"] for one in heard), "")
    return [
        ratio(NAME, measured, ("with streams", "without"), "/s", GOAL, more=_costs(cost)),
        Figure("time from the decision to the reader, median", delivery, "ms", GOAL_MS, "at most", (slow, count)),
        Figure("messages that were missed or repeated", lost + twice, "", 0, "at most", (count,)),
        Figure("memory of the server for an open stream", memory / 1024, "kB", None, "report"),
    ]


class Played(NamedTuple):
    """A load of commands: how many a second, and what each cost the server, streams included."""

    per_second: float
    processor_ms: float


def _costs(cost: list[tuple[float, float]]) -> list[Part]:
    followed, alone = (statistics.median(column) for column in zip(*cost, strict=True))
    return [
        Part("processor time of the API a command, with streams", followed, "ms"),
        Part("without", alone, "ms"),
    ]


def _short(on: Stage, heard: dict[str, Any]) -> int:
    """Versions that are in the log and were not heard at the end."""
    newest = {match: on.store.head(match).version for match in {match for match, _ in heard["versions"]}}
    return sum(newest[match] - version for match, version in heard["versions"])


def _servers() -> list[psutil.Process]:
    return [one for one in psutil.Process().children(recursive=True) if "api.cli" in one.cmdline()]


def _memory() -> float:
    """Bytes that the processes of the server have to themselves."""
    return float(sum(one.memory_full_info().uss for one in _servers()))


def _processor_seconds() -> float:
    return float(sum(sum(one.cpu_times()[:2]) for one in _servers()))


class Listeners:
    """The readers, in a process of their own."""

    def __init__(self, port: int, tables: list[Rolling]) -> None:
        each = STREAMS // MATCHES
        streams = [(table.id, table.players[n % 2].token) for table in tables for n in range(each)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.listeners"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._say(orjson.dumps({"port": port, "streams": streams}) + b"\n")
        if self._hear() != b"ready\n":
            raise RuntimeError("the streams did not open")

    def __enter__(self) -> Listeners:
        return self

    def __exit__(self, *_: object) -> None:
        end(self._process)

    def stop(self) -> dict[str, Any]:
        self._say(b"stop\n")
        return orjson.loads(self._hear())  # type: ignore[no-any-return]

    def _say(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _hear(self) -> bytes:
        assert self._process.stdout is not None
        return self._process.stdout.readline()
