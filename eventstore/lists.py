"""The lists of matches that the lobby shows: newest first, a page at a time, by index."""

from __future__ import annotations

import datetime as dt
from typing import Any, NamedTuple

from eventstore.db import Database


class Wanted(NamedTuple):
    """Which matches a list is to show."""

    player: str
    joinable: bool = False
    game: str | None = None
    status: str | None = None
    before: tuple[dt.datetime, str] | None = None  # where the page before ended
    my_turn: bool = False  # only those that are being played and wait for the player


_LISTED = "match_id, m.version, m.game, m.status, m.host, m.spectators, m.seats, m.opened_at, m.updated_at"


# A seat that a bot keeps for its player is not the player's to act from.
_TO_ACT = """ AND p.running AND EXISTS (
    SELECT FROM jsonb_array_elements(m.seats) WITH ORDINALITY AS s (chair, n)
    WHERE s.chair->>'player' = %(player)s::text AND s.chair->>'kind' <> 'bot' AND (m.acting >> (s.n::int - 1)) & 1 = 1
)"""


def listing(wanted: Wanted) -> str:
    """A page of a list, in the order of an index from where the page before ended."""
    if wanted.joinable:
        start, ordered = f"SELECT m.{_LISTED} FROM matches m WHERE m.open_seats", "m"
    else:
        start = f"SELECT p.{_LISTED} FROM match_players p JOIN matches m ON m.match_id = p.match_id "
        start, ordered = start + "WHERE p.player_id = %(player)s::uuid" + _TO_ACT * wanted.my_turn, "p"
    if wanted.game:
        start += " AND m.game = %(game)s"
    if wanted.status and not wanted.joinable:
        start += " AND m.status = %(status)s"
    if wanted.before:
        start += f" AND ({ordered}.opened_at, {ordered}.match_id) < (%(opened_at)s, %(last)s)"
    return start + f" ORDER BY {ordered}.opened_at DESC, {ordered}.match_id DESC LIMIT %(limit)s"


def page(database: Database, wanted: Wanted, limit: int) -> list[dict[str, Any]]:
    if wanted.joinable and wanted.status not in (None, "open"):
        return []  # whatever has open seats has not started
    opened_at, last = wanted.before or (None, None)
    params = {**wanted._asdict(), "opened_at": opened_at, "last": last, "limit": limit}
    rows = database.run(listing(wanted), params)
    names = ("id", "version", "game", "status", "host", "spectators", "seats", "opened_at", "updated_at")
    return [dict(zip(names, (str(row[0]), *row[1:4], str(row[4]), *row[5:]), strict=True)) for row in rows]
