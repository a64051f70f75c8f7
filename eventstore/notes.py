"""Notes that those at a table leave each other. They are no part of the match's log."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any, Final, NamedTuple

import psycopg

from domain.game import Refused, Seat
from eventstore.db import Database
from eventstore.errors import TooSoon

MOST: Final = 200  # of a player in one match
AT_ONCE: Final = 10  # of a player in one match
WITHIN: Final = dt.timedelta(minutes=1)
TRIES: Final = 20

# Two notes of a player at once get the same number; one of them is refused, and tried again.
LEAVE: Final = """
WITH mine AS (
    SELECT count(*) AS number, count(*) FILTER (WHERE at > %(since)s) AS fresh,
           min(at) FILTER (WHERE at > %(since)s) AS first
    FROM notes WHERE match_id = %(match)s AND player_id = %(player)s
), left_now AS (
    INSERT INTO notes (match_id, player_id, number, note_id, seat, text, at)
    SELECT %(match)s, %(player)s, mine.number + 1, %(id)s, %(seat)s::smallint, %(text)s, %(now)s
    FROM mine WHERE mine.number < %(most)s AND mine.fresh < %(at_once)s
)
SELECT number, fresh, first FROM mine
"""
READ: Final = """
SELECT note_id, player_id, seat, text, at FROM notes
WHERE match_id = %(match)s AND (at, note_id) > (%(at)s, %(note)s) ORDER BY at, note_id LIMIT %(limit)s
"""
ERASE: Final = "DELETE FROM notes WHERE match_id = %(match)s AND player_id = %(player)s"
BEFORE_ALL: Final = dt.datetime.min.replace(tzinfo=dt.UTC), str(uuid.UUID(int=0))


class Note(NamedTuple):
    id: str
    player: str
    seat: Seat | None
    text: str
    at: dt.datetime


def erase(database: Database, match_id: str, player: str) -> None:
    """All that a player has left in a match. The numbers begin anew, so this is for those who leave no more."""
    database.run(ERASE, {"match": match_id, "player": player})


class Notes:
    def __init__(self, database: Database) -> None:
        self._db = database

    def leave(self, match_id: str, player: str, seat: Seat | None, text: str, now: dt.datetime) -> Note:
        note = Note(str(uuid.uuid4()), player, seat, text, now)
        bounds = {"since": now - WITHIN, "most": MOST, "at_once": AT_ONCE}
        given = {**note._asdict(), **bounds, "match": match_id, "now": now}
        number, fresh, first = self._numbered(given)
        if number >= MOST:
            raise Refused("PM-19", "notes_full", f"you have left {MOST} notes in this match, which is all there may be")
        if fresh >= AT_ONCE:
            raise TooSoon(f"{AT_ONCE} notes a minute are enough", (first + WITHIN - now).total_seconds())
        return note

    def _numbered(self, given: dict[str, Any]) -> tuple[Any, ...]:
        for _ in range(TRIES):
            try:
                return self._db.run(LEAVE, given)[0]
            except psycopg.errors.UniqueViolation:
                continue
        raise TooSoon("too many notes of yours at once", 1)

    def read(self, match_id: str, after: tuple[dt.datetime, str] | None, limit: int) -> list[Note]:
        at, note = after or BEFORE_ALL
        rows = self._db.run(READ, {"match": match_id, "at": at, "note": note, "limit": limit})
        return [Note(str(row[0]), str(row[1]), *row[2:]) for row in rows]
