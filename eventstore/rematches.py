"""Which match follows another."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from eventstore.db import Database


class Rematch(NamedTuple):
    """The match that follows another, and who asked for it first."""

    match_id: str
    host: str


class Rematches:
    def __init__(self, database: Database) -> None:
        self._db = database

    def agree(self, match_id: str, rematch_id: str, host: str, at: dt.datetime) -> Rematch:
        """The one rematch of a match: this one, unless it was asked for before."""
        query = "INSERT INTO rematches (match_id, rematch_id, host, at) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
        self._db.run(query, (match_id, rematch_id, host, at))
        return self.of(match_id) or Rematch(rematch_id, host)

    def of(self, match_id: str) -> Rematch | None:
        rows = self._db.run("SELECT rematch_id, host FROM rematches WHERE match_id = %s", (match_id,))
        return Rematch(str(rows[0][0]), str(rows[0][1])) if rows else None
