"""How it stands with the bots and the post: what waits, how long, and what has failed. Reads alone, for those who look
after a server."""

from __future__ import annotations

import datetime as dt
from typing import Final, NamedTuple

from eventstore.db import Database
from eventstore.outbox import ABANDONED, BOTS_ALONE, WITH_PEOPLE

RANKS: Final = {WITH_PEOPLE: "with people", BOTS_ALONE: "bots alone", ABANDONED: "abandoned"}

# A turn of several bots is one.
QUEUES: Final = """
SELECT rank, count(*) FILTER (WHERE waits), count(*) FILTER (WHERE NOT waits AND attempt > 0),
       count(*) FILTER (WHERE attempt > 1), min(ready_at) FILTER (WHERE waits)
FROM (
    SELECT match_id, rank, max(attempt) AS attempt, min(ready_at) AS ready_at,
           min(ready_at) <= %(now)s AND min(due_at) <= %(now)s AS waits
    FROM bot_turns GROUP BY match_id, rank
) AS turns GROUP BY rank
"""
FALLEN_BACK: Final = """
SELECT count(*), count(*) FILTER (WHERE at > %(since)s) FROM events WHERE type = 'bot_fell_back'
"""
DEAD_LETTERS: Final = "SELECT count(*) FROM deliveries WHERE state = 'dead'"
LATELY: Final = dt.timedelta(hours=1)


class Queue(NamedTuple):
    """The turns of one rank."""

    name: str
    waiting: int  # that a worker could take now
    taken: int  # by a worker, or put off after it failed
    retried: int  # of all these: that have failed before, or whose worker died
    oldest: float  # seconds that the first of those waiting has waited


class Overview(NamedTuple):
    queues: tuple[Queue, ...]
    fallen_back: int  # bots that could not decide and had it done for them, ever
    fallen_back_lately: int
    dead_letters: int

    @property
    def oldest(self) -> float:
        return max(queue.oldest for queue in self.queues)


def overview(database: Database, now: dt.datetime) -> Overview:
    rows = {rank: row for rank, *row in database.run(QUEUES, {"now": now})}
    ever, lately = database.run(FALLEN_BACK, {"since": now - LATELY})[0]
    (dead,) = database.run(DEAD_LETTERS)[0]
    return Overview(tuple(_queue(name, rows.get(rank), now) for rank, name in RANKS.items()), ever, lately, dead)


def _queue(name: str, row: list[object] | None, now: dt.datetime) -> Queue:
    if row is None:
        return Queue(name, 0, 0, 0, 0.0)
    waiting, taken, retried, since = row
    assert isinstance(waiting, int) and isinstance(taken, int) and isinstance(retried, int)
    oldest = max(0.0, (now - since).total_seconds()) if isinstance(since, dt.datetime) else 0.0
    return Queue(name, waiting, taken, retried, oldest)
