"""Players who are no more: their account was deleted, or closed by the operator. The ids stay in the logs."""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections.abc import Collection
from typing import Final

from domain import match
from eventstore import notes
from eventstore.changes import TRIES, Changes
from eventstore.db import Database, among, array
from eventstore.errors import Conflict, NotFound, StoreError, Unavailable
from eventstore.operators import NOBODY

log = logging.getLogger("parlor.departures")

DELETED: Final = "deleted player"
CLOSED: Final = "closed player"
# A statement that saw a good token may still be under way when the account ends: none takes this long.
SETTLED: Final = dt.timedelta(seconds=15)

END: Final = """
UPDATE players SET name = %(called)s, recovery_hash = NULL, ended_at = %(now)s, vacate_at = %(now)s
WHERE player_id = %(player)s AND player_id <> %(operator)s AND ended_at IS NULL RETURNING 1
"""
# What a token is called may tell something about its owner, so it goes too.
REVOKE: Final = """
UPDATE tokens SET revoked_at = coalesce(revoked_at, %(now)s), label = ''
WHERE player_id = %(player)s AND (revoked_at IS NULL OR label <> '') RETURNING 1
"""
UNHOOK: Final = """
WITH gone AS (
    DELETE FROM webhooks WHERE player_id = %(player)s RETURNING webhook_id
)
DELETE FROM deliveries USING gone WHERE deliveries.webhook_id = gone.webhook_id
"""
NOTED: Final = "SELECT DISTINCT match_id FROM notes WHERE player_id = %(player)s"
TABLES: Final = """
SELECT m.match_id FROM match_players p JOIN matches m ON m.match_id = p.match_id
WHERE p.player_id = %(player)s AND m.status <> 'over'
"""
DUE: Final = """
SELECT player_id, ended_at FROM players WHERE vacate_at <= %(now)s ORDER BY vacate_at LIMIT 10
"""
GONE: Final = f"SELECT player_id FROM players WHERE player_id {among('uuid')} AND ended_at IS NOT NULL"
SEEN_OFF: Final = "UPDATE players SET vacate_at = %(again)s WHERE player_id = %(player)s"


def end(database: Database, player: str, called: str, now: dt.datetime) -> None:
    """From here on nobody can act as this player, and nobody is told the name. The tables are left by `see_off`."""
    given = {"player": player, "operator": NOBODY, "called": called, "now": now}
    if not database.run(END, given):
        raise NotFound(player)
    _clear(database, player, now)


def _clear(database: Database, player: str, now: dt.datetime) -> None:
    # A token that is being made at this moment is not yet seen by the first statement, but by the next.
    while database.run(REVOKE, {"player": player, "now": now}):
        pass
    database.run(UNHOOK, {"player": player})
    for (match_id,) in database.run(NOTED, {"player": player}):
        notes.erase(database, str(match_id), player)


def gone(database: Database, players: Collection[str]) -> set[str]:
    """Those of these players whose accounts have ended."""
    return {str(player) for (player,) in database.run(GONE, (array(players),))}


class Departures(Changes):
    def depart(self, player: str, called: str) -> None:
        """Ends an account. Whatever cannot be done at once, the reconciler does."""
        now = self.now()
        end(self.store.database, player, called, now)
        self.store.names.forget(player)
        try:
            self._see_off(player, now)
        except StoreError as error:
            log.warning("the tables of a player who is gone are left later: %s", error)

    def see_off(self) -> None:
        """Leaves the tables of those who are gone, and again when nothing of theirs can still be under way."""
        for player, ended_at in self.store.database.run(DUE, {"now": self.now()}):
            self._see_off(str(player), ended_at)

    def _see_off(self, player: str, ended_at: dt.datetime) -> None:
        now = self.now()
        _clear(self.store.database, player, now)
        for (match_id,) in self.store.database.run(TABLES, {"player": player}):
            try:
                self._leave(str(match_id), player)
            except Unavailable:
                raise
            except Exception:
                log.exception("match %s cannot be left for a player who is gone", match_id)
        settled = ended_at + SETTLED
        self.store.database.run(SEEN_OFF, {"player": player, "again": settled if now < settled else None})

    def _leave(self, match_id: str, player: str) -> None:
        for _ in range(TRIES):
            warm = self.fresh(match_id)
            step = match.depart(warm.match, player, warm.seed)
            if step is None:
                return
            try:
                self.append(warm, step, str(uuid.uuid4()))
                return
            except Conflict:
                continue
