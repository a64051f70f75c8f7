"""Bots in the background: how soon a person's bot answers, idle and beside matches that keep all workers busy, how many
turns a second are played, and how long a search goes on before it looks up."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.simulating import Asked, one_match
from bench import slices
from bench.figures import ROOT, Figure, Part, Round, Tell, ratio
from bench.stage import PATIENCE, Stage, end
from domain.games import GAMES
from domain.match import Place
from eventstore.service import Matches
from workers.bell import Bell

WORKERS = 2
CROWD = 40
STRONG_CROWD = 200
GOAL_P99_MS, GOAL_SLOWER, GOAL_TURNS = 200.0, 6.0, 0.7
GOAL_IDLE_MS, GOAL_BESIDE_STRONG_MS, GOAL_P99_BESIDE_STRONG_MS = 25.0, 50.0, 500.0
GOAL_STRONG_MS, GOAL_LOOK_MS, GOAL_OF_MEMORY = 700.0, 50.0, 0.3
ANSWER = "p99 of a person's bot, commit to commit"
MEDIAN = "median of a person's bot, commit to commit"
TURNS = f"bot turns/s with {CROWD} matches of bots alone against {WORKERS}, one a worker"
LONG = {"target": 1000}  # Check and Double Check that does not end while we look
BOT, STRONG = (Place("bot", None, level, "") for level in ("random", "strong"))


def figures(on: Stage, tell: Tell, seconds: float, answers: int) -> list[Figure]:
    matches = Matches(on.store, ring=Bell(on.redis_url), bot_matches=STRONG_CROWD)
    return [
        *_beside_random(on, matches, tell, seconds, answers),
        *_beside_strong(on, matches, tell, answers),
        *_against_memory(on, matches, tell, seconds),
        *_looks(tell, seconds),
    ]


def _beside_random(on: Stage, matches: Matches, tell: Tell, seconds: float, answers: int) -> list[Figure]:
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
    names = (f"median beside {CROWD} matches of bots", "median idle")
    medians = Round(_share(busy, 0.5), _share(idle, 0.5))
    return [
        _late(f"{ANSWER}, idle", idle),
        Figure(f"{MEDIAN}, idle", _share(idle, 0.5), "ms", GOAL_IDLE_MS, "at most"),
        _late(f"{ANSWER}, beside {CROWD} matches of bots alone", busy),
        ratio("median of a person's bot, busy against idle", [medians], names, "ms", GOAL_SLOWER, "at most"),
        ratio(TURNS, [Round(many, few)], (f"{CROWD} matches", f"{WORKERS} matches"), "turns/s", GOAL_TURNS, "report"),
    ]


def _beside_strong(on: Stage, matches: Matches, tell: Tell, answers: int) -> list[Figure]:
    """All games by turns, so that every search is among those that are to be interrupted."""
    with _workers(on):
        tell(f"bots: {answers // 8} answers of a strong bot, nothing else to do")
        thoughts = _answers(matches, answers // 8, STRONG, "checkers", {})
        tell(f"bots: {answers} answers of a person's bot beside {STRONG_CROWD} matches at strong")
        for n in range(STRONG_CROWD):
            game = GAMES[n % len(GAMES)]
            _start(matches, (STRONG,) * game.usual_seats[0], game.slug, {})
        beside = _answers(matches, answers)
    name = f"beside {STRONG_CROWD} matches of bots alone at strong"
    return [
        Figure(f"{MEDIAN}, {name}", _share(beside, 0.5), "ms", GOAL_BESIDE_STRONG_MS, "at most"),
        _late(f"{ANSWER}, {name}", beside, GOAL_P99_BESIDE_STRONG_MS),
        _late("p99 of a strong bot's answer, idle", thoughts, GOAL_STRONG_MS),
    ]


def _against_memory(on: Stage, matches: Matches, tell: Tell, seconds: float) -> Iterator[Figure]:
    """The same play without a database, on one core."""
    for count in range(1, WORKERS + 1):
        with _workers(on, count):
            started = [_start(matches, (BOT, BOT))[0] for _ in range(4 * count)]
            for match in started:
                _until_it_moves(matches, match, matches.store.head(match).version)  # the workers are there
            stored = _turns_per_second(on, tell, seconds)
        name = (
            f"bot turns/s at random, bots alone, {count} worker{'s' if count > 1 else ''}, against memory on one core"
        )
        tell("bots: the same play in memory")
        rounds = [Round(stored, _turns_in_memory(seconds / 2))]
        yield ratio(name, rounds, ("stored", "in memory"), "turns/s", GOAL_OF_MEMORY, "report")


def _turns_in_memory(seconds: float) -> float:
    asked = Asked("check-and-double-check", ("random", "random"), {}, 1, "bench")
    turns, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        turns += one_match(asked, turns).turns
    return turns / (time.perf_counter() - began)


def _looks(tell: Tell, seconds: float) -> list[Figure]:
    tell("bots: how long searches go on without looking up")
    found = [slices.longest(game, size, seconds / 4) for game in GAMES for size in slices.table_sizes(game)]
    worst = sorted(found, key=lambda one: -one.look)
    parts = tuple(Part(f"{one.slug}, {one.seats} seats", one.look, "ms") for one in worst[:5])
    name = "longest that a search of any game goes on without a look at who else waits"
    return [Figure(name, worst[0].look, "ms", GOAL_LOOK_MS, "at most", parts)]


@contextlib.contextmanager
def _workers(on: Stage, count: int = WORKERS) -> Iterator[None]:
    environment = {**os.environ, "DATABASE_URL": on.database_url, "REDIS_URL": on.redis_url}
    environment |= {"PARLOR_LOG_LEVEL": "warning"}
    with contextlib.ExitStack() as stack:
        for part in (*["worker"] * count, "reconcile"):
            command = [sys.executable, "-m", "api.cli", part]
            stack.callback(end, subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True))
        yield
    on.database.run("DELETE FROM bot_turns")  # what is measured next has the machine to itself


def _start(
    matches: Matches,
    places: Sequence[Place],
    game: str = "check-and-double-check",
    options: Mapping[str, Any] = LONG,
) -> tuple[str, str]:
    host = str(places[0].player or uuid.uuid4())
    match = matches.open(game, host=host, seats=places, options=options)
    matches.start(match.id, host, None)
    return match.id, host


def _answers(
    matches: Matches,
    count: int,
    bot: Place = BOT,
    game: str = "check-and-double-check",
    options: Mapping[str, Any] = LONG,
) -> list[float]:
    """Milliseconds from a person's commit to that of the bot which follows."""
    person = Place("human", str(uuid.uuid4()), None, "")
    match, host = _start(matches, (person, bot), game, options)
    times: list[float] = []
    sent: int | None = None
    while len(times) <= count:
        view, version = matches.look(match, host)
        if view["status"] != "playing":
            (match, host), sent = _start(matches, (person, bot), game, options), None
            continue
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


def _late(name: str, times: Sequence[float], goal: float = GOAL_P99_MS) -> Figure:
    parts = (Part("median", _share(times, 0.5), "ms"), Part("workers", WORKERS, ""), Part("answers", len(times), ""))
    return Figure(name, _share(times, 0.99), "ms", goal, "at most", parts)


def _share(times: Sequence[float], share: float) -> float:
    return sorted(times)[math.ceil(share * len(times)) - 1]
