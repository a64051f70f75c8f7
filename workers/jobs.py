"""What a worker does when the bell rings."""

from __future__ import annotations

import datetime as dt
import logging
from functools import partial
from typing import Final

from domain.bots.network import NETWORKS, network
from eventstore.db import Database
from eventstore.errors import Unavailable
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.states import News, Warm
from eventstore.store import EventStore, concerned
from workers.bell import Bell
from workers.bots import think
from workers.turns import Turns

log = logging.getLogger("parlor.jobs")

SECONDS_OF_PLAY: Final = 10.0  # then RQ may look after its worker, and the next job goes on

_turns: Turns | None = None
_bell: Bell | None = None


def matches_for_workers(database_url: str, settings: Settings, bell: Bell) -> Matches:
    database = Database(database_url, settings.db_timeout_ms / 1000)

    def moved(warm: Warm, news: News) -> None:
        bell.moved(warm.match.id, warm.match.version, concerned(warm.match))

    return Matches(
        EventStore(database), ring=bell, moved=moved, cache_size=settings.cache, thinking_ms=settings.thinking_ms
    )


def prepare(matches: Matches, settings: Settings, bell: Bell) -> Turns:
    """A worker process serves many jobs with one set of connections and warm states."""
    global _turns, _bell
    for name in NETWORKS:
        network(name)  # read now, and not in the middle of somebody's turn
    lease = dt.timedelta(milliseconds=settings.bot_grace_ms)
    thinker = partial(think, most_ms=settings.thinking_ms)
    _turns, _bell = Turns(matches, thinker, lease=lease, call_another=bell), bell
    return _turns


def play_bots() -> None:
    """Plays for all bots that are to act, the most urgent first. Running it twice, or half, does no harm."""
    assert _turns is not None and _bell is not None, "the worker was not prepared"
    try:
        if _turns.play(SECONDS_OF_PLAY):
            _bell()
    except Unavailable as error:
        # Nothing is lost: turns come due again when their leases end, and the reconciler rings for them.
        log.warning("bots wait: %s", error)
