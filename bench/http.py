"""Commands over HTTP: how many a second against a bare endpoint, and whether a long match makes them slower."""

from __future__ import annotations

import contextlib
import http.client
import os
import pathlib
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import orjson

from bench.figures import Figure, Part, Round, Tell, in_turns, median_ms, ratio, skipped
from bench.stage import ROLL, Rolling, Stage, serving

SCRIPT = pathlib.Path(__file__).parent / "commands.lua"
CONNECTIONS = 16
MATCHES_A_CONNECTION = 4
WRK = "wrk is missing: `apt-get install wrk` on Debian and Ubuntu or `brew install wrk` on macOS brings it"
GOAL, GOAL_LATENCY = 0.6, 1.2
YOUNG, OLD = 20, 2000
YOUNG_UNTIL = 40


class Load(NamedTuple):
    """What wrk saw. Only answers with status 200 are `accepted`."""

    accepted: int
    seconds: float
    others: Mapping[str, int]
    starved: int
    broken: int
    median_ms: float

    @property
    def per_second(self) -> float:
        return self.accepted / self.seconds


class Spread(NamedTuple):
    """How the matches lie over the server's processes."""

    name: str
    threads: int


# A thread of wrk with one connection keeps its matches on that connection, and so in one process, which has them warm.
# Many connections a thread let every match wander: as often as not, another process played the last command.
KEPT = Spread("commands/s over HTTP, each match on one connection", CONNECTIONS)
WANDERING = Spread("commands/s over HTTP, players on any connection", max(1, min(4, os.cpu_count() or 1)))


def figures(on: Stage, tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    wanted = (KEPT, WANDERING)
    if shutil.which("wrk") is None:
        return [skipped(spread.name, GOAL, "at least", WRK) for spread in wanted]
    with serving(on, "api.cli", "api") as ours, serving(on, "bench.bare") as bare:
        tell(f"opening {CONNECTIONS * MATCHES_A_CONNECTION} matches")
        tables = [Rolling(on) for _ in range(CONNECTIONS * MATCHES_A_CONNECTION)]
        return [_against_bare(on, tell, spread, tables, (ours, bare), seconds, rounds) for spread in wanted]


def _against_bare(
    on: Stage, tell: Tell, spread: Spread, tables: list[Rolling], ports: tuple[int, int], seconds: float, rounds: int
) -> Figure:
    pool = on.folder / "pool.txt"
    loads: list[Load] = []

    def play(seconds: float) -> float:
        write_pool(pool, tables)
        loads.append(wrk("play", ports[0], pool, spread.threads, seconds))
        return loads[-1].per_second

    def insert(seconds: float) -> float:
        return wrk("bare", ports[1], pool, spread.threads, seconds).per_second

    tell(f"{spread.name}: warming up")
    play(max(1.0, seconds / 4))
    insert(max(1.0, seconds / 4))
    loads.clear()
    tell(f"{spread.name}: {rounds} rounds of {seconds:g} s for each of the two")
    measured = in_turns(lambda: play(seconds), lambda: insert(seconds), rounds)
    return ratio(spread.name, measured, ("Parlor", "bare insert"), "/s", GOAL, note=_told(on, spread, loads))


def _told(on: Stage, spread: Spread, loads: list[Load]) -> str:
    """How it was measured, and every answer that was not counted."""
    others: dict[str, int] = {}
    for load in loads:
        for status, times in load.others.items():
            others[status] = others.get(status, 0) + times
    refused = ", ".join(f"{times} × {status}" for status, times in sorted(others.items())) or "none"
    lost = sum(load.broken + load.starved for load in loads)
    server = f"{on.settings.api_processes} processes × {on.settings.api_threads} threads"
    client = f"wrk with {spread.threads} threads, {CONNECTIONS} connections"
    return f"{server}; {client}; answers other than 200: {refused}" + (f"; {lost} requests lost" if lost else "")


def write_pool(path: pathlib.Path, tables: list[Rolling]) -> None:
    lines = []
    for table in tables:
        table.look()
        tokens = " ".join(player.token for player in table.players)
        lines.append(f"/v1/matches/{table.id}/commands {tokens} {table.seat}\n")
    path.write_text("".join(lines))


def wrk(mode: str, port: int, pool: pathlib.Path, threads: int, seconds: float) -> Load:
    # Keys are never used twice, or a retry would be answered instead of a command.
    arguments = [mode, str(pool), secrets.token_hex(6), str(threads)]
    command = ["wrk", f"-t{threads}", f"-c{CONNECTIONS}", f"-d{max(1, round(seconds))}s", "--timeout", "10s"]
    command += ["-s", str(SCRIPT), f"http://127.0.0.1:{port}", "--", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60).stdout
    line = next(line for line in told.splitlines() if line.startswith("{"))
    load = Load(**orjson.loads(line))
    if not load.accepted:
        raise RuntimeError(f"no answer had status 200, but {dict(load.others)}; {load.broken} connections broke")
    return load


# ── The length of a match ───────────────────────────────────────────────────────────────────────────────────────


def latency_figures(on: Stage, tell: Tell, commands: int) -> list[Figure]:
    """The time of a command at version 2,000 against version 20, both warm in the same process."""
    tell(f"latency: playing to version {OLD:,}")
    found = [_latency(on, tell, "through the service", commands, Rolling.roll)]
    with serving(on, "api.cli", "api") as port, _client(port) as roll:
        found.append(_latency(on, tell, "over HTTP", commands, roll))
    return found


@contextlib.contextmanager
def _client(port: int) -> Iterator[Callable[[Rolling], None]]:
    """Commands on one connection, which one process of the server keeps."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def roll(table: Rolling) -> None:
        headers = {
            "Authorization": f"Bearer {table.mover.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": table.next_key(),
        }
        connection.request("POST", f"/v1/matches/{table.id}/commands", orjson.dumps(ROLL), headers)
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"a roll was answered {answer.status}: {body[:300]!r}")
        done = orjson.loads(body)
        table.went(done["version"], done["events"])

    try:
        yield roll
    finally:
        connection.close()


def _latency(on: Stage, tell: Tell, way: str, commands: int, roll: Callable[[Rolling], None]) -> Figure:
    old = [Rolling(on).roll_to(OLD) for _ in range(2)]
    # A young match stays young for a few commands only, so there must be many of them.
    young = [Rolling(on).roll_to(YOUNG) for _ in range(2 + commands // 4)]
    tell(f"latency {way}: {commands} commands on old and on young matches in turns")
    for table in (*old, *young):
        roll(table)  # warm
    times: tuple[list[float], list[float]] = ([], [])
    at = 0
    for number in range(commands):
        times[0].append(_timed(roll, old[number % len(old)]))
        while young[at].version >= YOUNG_UNTIL:
            at += 1
        times[1].append(_timed(roll, young[at]))
    name = f"latency of a command at version {OLD:,} against {YOUNG}, {way}"
    medians = Round(median_ms(times[0]), median_ms(times[1]))
    more = [Part("commands measured at each", commands, "")]
    return ratio(name, [medians], (f"version {OLD:,}", f"version {YOUNG}"), "ms", GOAL_LATENCY, "at most", more)


def _timed(roll: Callable[[Rolling], None], table: Rolling) -> float:
    start = time.perf_counter()
    roll(table)
    return time.perf_counter() - start
