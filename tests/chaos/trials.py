"""What is done to a Parlor, and what must come of it all the same.

Every trial gives the seconds that were counted and checks what does not depend on how fast the machine is. How many
seconds there may be is for those who ask: see `__main__.py`.
"""

from __future__ import annotations

import functools
import os
import random
import signal
import time
import uuid
from collections.abc import Callable
from typing import Literal, NamedTuple

from domain.match import Place
from eventstore.service import Matches
from tests.chaos.house import PATIENCE, Guest, House, Midway, until
from tests.conftest import Servers
from workers.turns import ATTEMPTS_BEFORE_FALLING_BACK

TRIES = ATTEMPTS_BEFORE_FALLING_BACK + 1
Tell = Callable[[int], None]  # gets how many rounds are done
STRONG, STEADY, RANDOM = ({"kind": "bot", "level": level} for level in ("strong", "steady", "random"))


class Trial(NamedTuple):
    """What was counted, in seconds."""

    seconds: list[float]
    note: str = ""


# ── Workers that are killed ─────────────────────────────────────────────────────────────────────────────────────


def killed_workers(house: House, times: int, tell: Tell, *, standing_by: int = 2) -> Trial:
    """kill -9 on a worker in the middle of a turn: how soon is that turn played? Exactly once, as the log shows."""
    assert house.api is not None
    rng = random.Random(1911)
    guest = Guest(house.api)
    for _ in range(standing_by + 1):
        house.start_worker()
    seconds: list[float] = []
    played: list[tuple[str, int]] = []
    match = ""
    while len(seconds) < times:
        house.until_workers(standing_by + 1)
        if not match or guest.view(match)["status"] != "playing":
            match = guest.started("checkers", STRONG)
        if not guest.until_to_act(match):
            continue
        version = guest.move(match)
        if not guest.view(match)["to_act"]:
            continue  # the match ended with it
        midway = until(functools.partial(_begun_or_done, house, match, version))
        if not isinstance(midway, Midway):
            continue  # it was through before anybody saw it
        time.sleep(rng.random() * 0.4)
        house.kill(midway.process)
        killed = time.monotonic()
        house.start_worker()
        if house.version(match) != version or midway[1:] != (match, version):
            continue  # it was through already
        house.until_after(match, version)
        seconds.append(time.monotonic() - killed)
        played.append((match, version))
        tell(len(seconds))
    logs = {one: house.checked_log(one) for one in dict.fromkeys(match for match, _ in played)}
    for one, version in played:
        after = [event for event in logs[one] if event.version > version]
        assert after[0].command_id == f"bot/{version}", "the turn was played by somebody else"
    for one in logs:
        guest.verified(one)
    return Trial(seconds, f"{len(logs)} logs verified, each turn once")


def _begun_or_done(house: House, match: str, version: int) -> Midway | bool:
    return house.midway() or house.version(match) > version


# ── A Redis that forgets ────────────────────────────────────────────────────────────────────────────────────────


def flushed(house: House, times: int, tell: Tell, *, count: int) -> Trial:
    """FLUSHALL while bots are waited for in so many matches: how soon has each of them gone on?"""
    # Nobody rings: all wait until Redis was flushed.
    quiet = Matches(house.matches.store, cache_size=2 * count, open_matches=count)
    person = str(uuid.uuid4())
    places = (Place("human", person, None, ""), Place("bot", None, "random", ""))
    matches = []
    for _ in range(count):
        opened = quiet.open("check-and-double-check", host=person, seats=places, options={"target": 1000})
        quiet.start(opened.id, person, None)
        matches.append(opened.id)
    for _ in range(2):
        house.start_worker()
    house.until_workers(2)
    seconds: list[float] = []
    while len(seconds) < times:
        house.freeze()
        waiting = {match: _played_until_a_bot_is_to_act(quiet, match, person) for match in matches}
        house.redis.flushall()
        began = time.monotonic()
        house.thaw()
        until(functools.partial(_all_went_on, house, waiting), every=0.05)
        seconds.append(time.monotonic() - began)
        tell(len(seconds))
    for match in random.Random(1911).sample(matches, min(50, count)):
        house.checked_log(match)
    return Trial(seconds, f"{count} matches")


def _played_until_a_bot_is_to_act(matches: Matches, match: str, person: str) -> int:
    while matches.fresh(match).match.game.to_act(matches.fresh(match).match.table) == {0}:
        matches.play(match, person, {"type": "roll"})
    return matches.fresh(match).match.version


def _all_went_on(house: House, waiting: dict[str, int]) -> bool:
    query = "SELECT match_id, version FROM bot_turns WHERE match_id = ANY (%s::uuid[])"
    rows = house.database.run(query, [list(waiting)])
    return not any(waiting[str(match)] == version for match, version in rows)


# ── A Redis that is away ────────────────────────────────────────────────────────────────────────────────────────


def redis_away(
    house: House, servers: Servers, seconds: float, how: Literal["stopped", "killed"], tell: Tell
) -> tuple[Trial, Trial]:
    """For so long: people play on over HTTP, and how long does each of their commands take? Then: when do bots answer?"""
    assert house.api is not None
    ann, bob = Guest(house.api, "Ann"), Guest(house.api, "Bob")
    if not house.workers:
        house.start_worker()
    house.until_workers(1)
    two = ann.table("check-and-double-check", {"kind": "open"}, options={"target": 1000})
    bob.post(f"/v1/matches/{two}/join", program=False)
    ann.post(f"/v1/matches/{two}/start")
    against_bots = [ann.started("check-and-double-check", RANDOM, options={"target": 1000}) for _ in range(5)]
    for match in against_bots:
        ann.until_to_act(match)
    pid = servers.valkey.pid
    if how == "stopped":
        os.kill(pid, signal.SIGSTOP)
    else:
        os.kill(pid, signal.SIGKILL)
    try:
        began = time.monotonic()
        for match in against_bots:
            _moved_until_the_bot_is_to_act(ann, match)
        assert ann.get("/readyz")["redis"] == "away"
        took: list[float] = []
        while time.monotonic() - began < seconds:
            (seat,) = ann.view(two)["to_act"]
            sent = time.monotonic()
            (ann, bob)[seat].move(two)
            took.append(time.monotonic() - sent)
            tell(int(time.monotonic() - began))
        # A worker that was at play when Redis went looked for more without a bell, and may have answered some.
        waiting = {match: _moved_until_the_bot_is_to_act(ann, match) for match in against_bots}
    finally:
        if how == "stopped":
            os.kill(pid, signal.SIGCONT)
        else:
            servers.valkey.start()
    back = time.monotonic()
    answers = []
    for match, version in waiting.items():
        house.until_after(match, version)
        answers.append(time.monotonic() - back)
    for match in (two, *waiting):
        house.checked_log(match)
    return Trial(took, f"{len(took)} commands of people"), Trial(answers, "bots that had to wait")


def _moved_until_the_bot_is_to_act(guest: Guest, match: str) -> int:
    while (view := guest.view(match))["to_act"] == [0]:
        guest.move(match)
    return int(view["version"])


# ── Bots that fail ──────────────────────────────────────────────────────────────────────────────────────────────


def faulty_bot(
    house: House, fault: Literal["raises", "hangs"], tell: Tell, *, stuck: float | None = None
) -> tuple[Trial, Trial]:
    """A bot that raises, or never returns: how soon does it fall back? And how soon do other bots answer meanwhile, from
    the only worker there is?"""
    assert house.api is not None
    guest = Guest(house.api)
    house.start_worker(fault, *([] if stuck is None else [str(stuck)]))
    house.until_workers(1)
    other = guest.started("check-and-double-check", RANDOM, options={"target": 1000})
    guest.until_to_act(other)
    faulty = guest.started("quenette", STEADY, options={"hands": 1, "first_dealer": 0})
    began = time.monotonic()
    version, answers = guest.view(faulty)["version"], []
    attempts: set[int] = set()
    while house.version(faulty) == version:
        assert time.monotonic() - began < PATIENCE, "the bot did not fall back"
        at, sent = guest.move(other), time.monotonic()
        guest.until_to_act(other)
        if house.version(other) > at:
            answers.append(time.monotonic() - sent)
        rows = house.database.run("SELECT attempt FROM bot_turns WHERE match_id = %s", (faulty,))
        attempts |= {attempt for (attempt,) in rows}
        tell(max(attempts, default=0))
    took = time.monotonic() - began
    fallen = [event for event in house.checked_log(faulty) if event.version > version]
    assert fallen[0].parts.type == "bot_fell_back"
    assert {event.command_id for event in fallen} == {f"bot/{version}"}
    told = guest.get(f"/v1/matches/{faulty}/events?after={version}")["events"]
    assert told[0]["type"] == "bot_fell_back"
    assert len(attempts) > 1, "it was not tried again"
    house.checked_log(other)
    return Trial([took], f"tried {max(attempts)} times"), Trial(answers, "answers of another bot meanwhile")
