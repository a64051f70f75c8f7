"""What a worker does for one ring of the bell."""

from __future__ import annotations

import datetime as dt
import logging
import time
from typing import Final

from eventstore.db import Database
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.store import EventStore
from workers.bell import SECONDS_A_JOB
from workers.bots import think

log = logging.getLogger("parlor.jobs")

STARTS_BEFORE_FALLING_BACK: Final = 4
SHARE_OF_A_JOB: Final = 0.5  # then the next job goes on, so that no match keeps a worker to itself

_matches: Matches | None = None


def matches_for_workers(database_url: str, settings: Settings) -> Matches:
    grace = dt.timedelta(milliseconds=settings.bot_grace_ms)
    return Matches(EventStore(Database(database_url), bot_grace=grace), cache_size=settings.cache)


def prepare(matches: Matches) -> None:
    """A worker process serves many jobs with one set of connections and warm states."""
    global _matches
    _matches = matches


def play_bots(match_id: str) -> None:
    """Plays all bot turns of a match that follow one another. Running it twice, or half, does no harm."""
    assert _matches is not None, "the worker was not prepared"
    starts = _matches.store.begin_turn(match_id, dt.datetime.now(dt.UTC))
    until = time.monotonic() + SECONDS_A_JOB * SHARE_OF_A_JOB
    fall_back = starts > STARTS_BEFORE_FALLING_BACK
    if fall_back:
        log.error("bot in match %s failed %d times and falls back", match_id, starts - 1)
    while _matches.bot_turn(match_id, think, fall_back=fall_back):
        fall_back = False
        if time.monotonic() > until:
            return
