"""The bots' thinking in a worker: for as long as it may take, and in slices, so that others need not wait."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from domain.bots.thinking import thinking
from domain.bots.turn import Thought
from domain.game import Seat
from domain.match import Match
from eventstore.changes import USUAL_THINKING_MS

STUCK: Final = 2.0  # seconds of computing without a sign of life


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
    budget = min(m.thinking_ms or most_ms, most_ms) / 1000

    def enough(iterations: int) -> bool:
        return time.monotonic() - began >= budget

    search = thinking(m, seat, seed, enough)
    while True:
        try:
            with _watched():
                next(search)
        except StopIteration as end:
            thought: Thought = end.value
            return thought
        began += between()


@contextmanager
def _watched() -> Iterator[None]:
    """Stops what never returns. Only time of the processor counts, so that a busy machine stops nobody."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, STUCK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(signal_number: int, frame: FrameType | None) -> None:
    raise Stuck(f"no sign of life for {STUCK} s")
