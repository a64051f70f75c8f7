"""Bots in the background: how soon a person's bot answers while matches of bots alone keep all workers busy."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence

from bench.figures import ROOT, Figure, Part, Round, Tell, ratio
from bench.stage import PATIENCE, Stage, end
from domain.match import Place
from eventstore.service import Matches
from workers.bell import Bell

WORKERS = 2
CROWD = 40
GOAL_P99_MS, GOAL_SLOWER, GOAL_TURNS = 200.0, 6.0, 0.7
ANSWER = "p99 of a person's bot, commit to commit"
TURNS = f"bot turns/s with {CROWD} matches of bots alone against {WORKERS}, one a worker"
LONG = {"target": 1000}  # Check and Double Check that does not end while we look
BOT = Place("bot", None, "Bot", "random", "")


def figures(on: Stage, tell: Tell, seconds: float, answers: int) -> list[Figure]:
    matches = Matches(on.store, ring=Bell(on.redis_url), bot_matches=CROWD)
    with _workers(on):
        tell(f"bots: {answers} answers of a person's bot, nothing else to do")
        idle = _answers(matches, answers)
        for _ in range(WORKERS):
            _start(matches, (BOT, BOT))
        few = _turns_per_second(on, tell, seconds)
        for _ in range(CROWD - WORKERS):
            _start(matches, (BOT, BOT))
        many = _turns_per_second(on, tell, seconds)
        tell(f"bots: {answers} answers of a person's bot beside {CROWD} matches of bots alone")
        busy = _answers(matches, answers)
    on.database.run("DELETE FROM bot_turns")  # what is measured next has the machine to itself
    names = (f"median beside {CROWD} matches of bots", "median idle")
    medians = Round(_share(busy, 0.5), _share(idle, 0.5))
    return [
        _late(f"{ANSWER}, idle", idle),
        _late(f"{ANSWER}, beside {CROWD} matches of bots alone", busy),
        ratio("median of a person's bot, busy against idle", [medians], names, "ms", GOAL_SLOWER, "at most"),
        ratio(TURNS, [Round(many, few)], (f"{CROWD} matches", f"{WORKERS} matches"), "turns/s", GOAL_TURNS, "report"),
    ]


@contextlib.contextmanager
def _workers(on: Stage) -> Iterator[None]:
    environment = {**os.environ, "DATABASE_URL": on.database_url, "REDIS_URL": on.redis_url}
    environment |= {"PARLOR_LOG_LEVEL": "warning"}
    with contextlib.ExitStack() as stack:
        for part in (*["worker"] * WORKERS, "reconcile"):
            command = [sys.executable, "-m", "api.cli", part]
            stack.callback(end, subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True))
        yield


def _start(matches: Matches, places: Sequence[Place]) -> tuple[str, str]:
    host = str(places[0].player or uuid.uuid4())
    match = matches.open("check-and-double-check", host=host, seats=places, options=LONG)
    matches.start(match.id, host, None)
    return match.id, host


def _answers(matches: Matches, count: int) -> list[float]:
    """Milliseconds from a person's commit to that of the bot which follows."""
    person = Place("human", str(uuid.uuid4()), "Ada", None, "")
    match, host = _start(matches, (person, BOT))
    times: list[float] = []
    sent: int | None = None
    while len(times) <= count:
        view, version = matches.look(match, host)
        if view["to_act"] != [0]:
            if not _until_it_moves(matches, match, version):
                raise RuntimeError("no bot answered")
            continue
        if sent is not None:
            mine, *others = matches.store.read(match, sent - 1)
            times += [(event.at - mine.at).total_seconds() * 1000 for event in others if event.actor == "seat:1"][:1]
        answer = matches.play(match, host, matches.legal(match, host)[0][0])
        sent = answer.version
    return times[1:]  # the first waited until the workers had started


def _until_it_moves(matches: Matches, match: str, version: int) -> bool:
    until = time.monotonic() + PATIENCE
    while matches.store.head(match).version == version:
        if time.monotonic() > until:
            return False
        time.sleep(0.003)
    return True


def _turns_per_second(on: Stage, tell: Tell, seconds: float) -> float:
    tell(f"bots: turns a second for {seconds:g} s")
    time.sleep(1)
    began = dt.datetime.now(dt.UTC)
    time.sleep(seconds)
    until = dt.datetime.now(dt.UTC)
    query = (
        "SELECT count(DISTINCT (match_id, command_id)) FROM events "
        "WHERE at > %s AND at <= %s AND starts_with(command_id, 'bot/')"
    )
    return float(on.database.run(query, (began, until))[0][0]) / (until - began).total_seconds()


def _late(name: str, times: Sequence[float]) -> Figure:
    parts = (Part("median", _share(times, 0.5), "ms"), Part("workers", WORKERS, ""), Part("answers", len(times), ""))
    return Figure(name, _share(times, 0.99), "ms", GOAL_P99_MS, "at most", parts)


def _share(times: Sequence[float], share: float) -> float:
    return sorted(times)[math.ceil(share * len(times)) - 1]
