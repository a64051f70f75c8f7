"""What is to be done later: turns of bots, and the clock's.

Every statement that writes names one match and the state it was decided on, so that it can be lost to another process
and runs the same where matches are spread over several machines. All times are worked out here and not in the database.
"""

from __future__ import annotations

import datetime as dt
import types
import uuid
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import orjson

from domain.match import Match
from eventstore.db import Database

WITH_PEOPLE, BOTS_ALONE, ABANDONED = range(3)  # the ranks of matches in which a bot waits, the most urgent first

LONGEST_PAUSE: Final = dt.timedelta(minutes=10)  # after failures
# No bot takes this long by itself. What lies further ahead was written by a clock that has been set back since.
FAR_AHEAD: Final = dt.timedelta(seconds=15)


# What the clock of a match waits for, by name, each with its instant.
Deadlines = Mapping[str, dt.datetime]
NO_DEADLINES: Final[Deadlines] = types.MappingProxyType({})


def written(deadlines: Deadlines) -> dict[str, Any]:
    """As parameters of a statement."""
    return {
        "wake_at": min(deadlines.values(), default=None),
        "wakes": orjson.dumps(deadlines).decode() if deadlines else None,
    }


def rank(match: Match) -> int:
    if any(chair.kind != "bot" for chair in match.chairs):
        return WITH_PEOPLE
    return ABANDONED if any(chair.player is not None for chair in match.chairs) else BOTS_ALONE


class Turn(NamedTuple):
    """Bots are to act in a match at a version. `attempt` counts the workers that have taken it on."""

    match_id: str
    version: int
    attempt: int
    rank: int
    ready: tuple[int, ...] = ()  # the seats whose bots may act now, once it is taken


class Waiting(NamedTuple):
    """A row of the outbox as a commit writes it."""

    seat: int
    ready_at: dt.datetime
    paused: bool
    slow: bool


class Deadline(NamedTuple):
    match_id: str
    at: dt.datetime


DUE = """
SELECT match_id, version, attempt, rank FROM bot_turns
WHERE ready_at <= %(now)s AND due_at <= %(now)s ORDER BY rank, ready_at LIMIT %(limit)s
"""
# What need not wait for somebody who is thinking: turns that are played at once, and all that are more urgent.
MEANWHILE = """
SELECT match_id, version, attempt, rank FROM bot_turns
WHERE ready_at <= %(now)s AND due_at <= %(now)s AND (NOT slow OR rank < %(rank)s)
ORDER BY rank, ready_at LIMIT %(limit)s
"""
TAKE = """
UPDATE bot_turns SET attempt = %(next)s, due_at = %(until)s
WHERE match_id = %(id)s AND version = %(version)s AND attempt = %(attempt)s
RETURNING seat, ready_at
"""
PUT_OFF = """
UPDATE bot_turns SET due_at = %(at)s WHERE match_id = %(id)s AND version = %(version)s AND attempt = %(attempt)s
"""
BRING_BACK = """
UPDATE bot_turns SET due_at = %(at)s, ready_at = %(at)s
WHERE match_id = %(id)s AND version = %(version)s AND attempt = %(attempt)s
"""
FORGET = "DELETE FROM bot_turns WHERE match_id = %(id)s AND version = %(version)s AND attempt = %(attempt)s"
STRANDED = """
SELECT match_id, version, attempt, rank FROM bot_turns
WHERE ready_at > %(far)s OR due_at > %(farthest)s LIMIT %(limit)s
"""
# Everybody's first comes before anybody's second: whoever has a thousand deadlines at once delays nobody else's.
OVERDUE = """
SELECT match_id, wake_at FROM (
    SELECT match_id, wake_at, row_number() OVER (PARTITION BY host ORDER BY wake_at) AS n
    FROM matches WHERE wake_at <= %(now)s
) AS due ORDER BY n, wake_at LIMIT %(limit)s
"""
NEXT_DEADLINE = "SELECT wake_at FROM matches WHERE wake_at > %(now)s ORDER BY wake_at LIMIT 1"
PUT_OFF_DEADLINE = "UPDATE matches SET wake_at = %(later)s WHERE match_id = %(id)s AND wake_at = %(at)s"
SET_DEADLINES = """
UPDATE matches SET wake_at = %(wake_at)s, wakes = %(wakes)s::jsonb WHERE match_id = %(id)s AND version = %(version)s
"""
# The commit that set the deadline lies ahead of us, too.
FROM_THE_FUTURE = """
SELECT match_id FROM matches WHERE wake_at > %(far)s AND updated_at > %(far)s AND match_id > %(after)s
ORDER BY match_id LIMIT %(limit)s
"""


# Matches that have not started, and at which nothing has happened since.
STALE = """
SELECT match_id FROM matches WHERE status = 'open' AND opened_at < %(before)s AND updated_at < %(before)s
ORDER BY opened_at LIMIT %(limit)s
"""


class Outbox:
    def __init__(self, database: Database) -> None:
        self._db = database

    # ── Turns of bots ───────────────────────────────────────────────────────────────────────────────────────────

    def due(self, now: dt.datetime, limit: int) -> list[Turn]:
        """Turns that a worker may take now, the most urgent first."""
        rows = self._db.run(DUE, {"now": now, "limit": limit})
        return list(dict.fromkeys(Turn(str(row[0]), *row[1:]) for row in rows))

    def due_meanwhile(self, now: dt.datetime, rank: int, limit: int) -> list[Turn]:
        """Turns that a worker may take while it thinks about one of this rank."""
        rows = self._db.run(MEANWHILE, {"now": now, "rank": rank, "limit": limit})
        return list(dict.fromkeys(Turn(str(row[0]), *row[1:]) for row in rows))

    def take(self, turn: Turn, now: dt.datetime, until: dt.datetime) -> Turn | None:
        """Takes a turn on for a while; nothing if another worker was faster."""
        rows = self._db.run(TAKE, {**_named(turn), "next": turn.attempt + 1, "until": until})
        if not rows:
            return None
        ready = tuple(sorted(seat for seat, ready_at in rows if ready_at <= now))
        return turn._replace(attempt=turn.attempt + 1, ready=ready)

    def put_off(self, turn: Turn, at: dt.datetime) -> None:
        self._db.run(PUT_OFF, {**_named(turn), "at": at})

    def forget(self, turn: Turn) -> None:
        """Of a row whose match has no bot to act."""
        self._db.run(FORGET, _named(turn))

    def stranded(self, now: dt.datetime, limit: int = 10_000) -> list[Turn]:
        """Turns further ahead than any pause or lease could put them: the clock was set back."""
        given = {"far": now + FAR_AHEAD, "farthest": now + LONGEST_PAUSE + FAR_AHEAD, "limit": limit}
        rows = self._db.run(STRANDED, given)
        return list(dict.fromkeys(Turn(str(row[0]), *row[1:]) for row in rows))

    def bring_back(self, turn: Turn, at: dt.datetime) -> None:
        self._db.run(BRING_BACK, {**_named(turn), "at": at})

    # ── The clock ───────────────────────────────────────────────────────────────────────────────────────────────

    def overdue(self, now: dt.datetime, limit: int) -> list[Deadline]:
        """Matches in which the clock is to act, by their deadlines and fairly between those who opened them."""
        return [Deadline(str(row[0]), row[1]) for row in self._db.run(OVERDUE, {"now": now, "limit": limit})]

    def next_deadline(self, now: dt.datetime) -> dt.datetime | None:
        rows = self._db.run(NEXT_DEADLINE, {"now": now})
        return rows[0][0] if rows else None

    def stale_tables(self, before: dt.datetime, limit: int = 200) -> list[str]:
        """Tables that nobody has joined or left since."""
        return [str(row[0]) for row in self._db.run(STALE, {"before": before, "limit": limit})]

    def put_off_deadline(self, deadline: Deadline, later: dt.datetime) -> None:
        """Only when the match is looked at is moved; what is due in it stays as it is."""
        self._db.run(PUT_OFF_DEADLINE, {"id": deadline.match_id, "at": deadline.at, "later": later})

    def set_deadlines(self, match_id: str, version: int, deadlines: Deadlines) -> None:
        self._db.run(SET_DEADLINES, {"id": match_id, "version": version, **written(deadlines)})

    def from_the_future(self, now: dt.datetime, limit: int = 200) -> Iterator[str]:
        """Matches whose deadlines were set by a clock which has been set back since."""
        after = str(uuid.UUID(int=0))
        while rows := self._db.run(FROM_THE_FUTURE, {"far": now + FAR_AHEAD, "after": after, "limit": limit}):
            yield from (str(row[0]) for row in rows)
            after = str(rows[-1][0])


def _named(turn: Turn) -> dict[str, object]:
    return {"id": turn.match_id, "version": turn.version, "attempt": turn.attempt}
