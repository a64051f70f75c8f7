"""The bots' thinking in a worker: for as long as it may take, and interrupted often, so that others need not wait."""

from __future__ import annotations

import functools
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

from domain.bots.thinking import thinking
from domain.bots.turn import Search, Thought
from domain.game import Seat
from domain.match import Match
from eventstore.changes import USUAL_THINKING_MS, thinking_time_ms

STUCK: Final = 2.0  # seconds of computing without a sign of life
GLANCE: Final = 0.015  # seconds of computing, then a look at who else waits


class Stuck(Exception):
    """A bot has been computing for too long without coming up for air."""


def think(
    m: Match,
    seat: Seat,
    seed: bytes,
    *,
    most_ms: int = USUAL_THINKING_MS,
    between: Callable[[], float] = float,
) -> Thought:
    """What the bot in this seat does, in the time that the table gives it, or else the server. `between` is called
    often; the seconds that it takes do not count."""
    began = time.monotonic()
    budget = thinking_time_ms(m, most_ms) / 1000

    def enough(iterations: int) -> bool:
        return time.monotonic() - began >= budget

    def look_up() -> None:
        nonlocal began
        began += between()

    search: Search | None = None

    def go_on() -> None:
        nonlocal search
        search = search or thinking(m, seat, seed, enough)
        next(search)

    while True:
        try:
            _interrupted(go_on, look_up)
        except StopIteration as end:
            thought: Thought = end.value
            return thought
        look_up()


# ── Interruptions ───────────────────────────────────────────────────────────────────────────────────────────────


class _Step:
    """A part of a search that is being computed."""

    __slots__ = ("began", "look_up", "running")

    def __init__(self, look_up: Callable[[], None]) -> None:
        self.look_up, self.running = look_up, False
        self.began = time.process_time()


_steps: list[_Step] = []  # the one that was interrupted first, then what is computed meanwhile


def _interrupted(compute: Callable[[], None], look_up: Callable[[], None]) -> None:
    """Looks up now and then while something computes, and stops what never returns.

    A search stops by itself between two steps, but a step may take long. It is a computation and nothing else, so that
    it can be left anywhere and gone on with: no statement is under way, nothing is locked. Only time of the processor
    counts, so that a busy machine stops nobody.
    """
    if threading.current_thread() is not threading.main_thread():
        compute()
        return
    _listen()
    step = _Step(look_up)
    _steps.append(step)
    try:
        step.running = True
        signal.setitimer(signal.ITIMER_PROF, GLANCE)
        try:
            compute()
        finally:
            step.running = False
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        _steps.pop()


@functools.cache
def _listen() -> None:
    """Once and for good: a signal that comes late, when nobody waits for it, must find somebody who ignores it."""
    signal.signal(signal.SIGPROF, _time_passed)


def _time_passed(number: int, frame: FrameType | None) -> None:
    if not _steps or not (step := _steps[-1]).running:
        return
    spent = time.process_time() - step.began
    if spent >= STUCK:
        raise Stuck(f"no sign of life for {STUCK} s")
    step.running = False
    try:
        step.look_up()
    finally:
        # Whatever was played meanwhile had a time of its own.
        step.began, step.running = time.process_time() - spent, True
        signal.setitimer(signal.ITIMER_PROF, GLANCE)
