"""The lists of matches that the lobby shows: newest first, a page at a time, by index."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from domain.match import Names, called, of_seats
from eventstore.db import Database
from eventstore.names import Directory

Show = Literal["mine", "joinable", "watchable"]
NOBODY = str(uuid.UUID(int=0))


class Wanted(NamedTuple):
    """Which matches a list is to show."""

    player: str | None  # None: somebody without a token
    show: Show = "mine"
    of: str | None = None  # the matches of this player, as far as whoever asks may look at them
    game: str | None = None
    status: str | None = None
    before: tuple[dt.datetime, str] | None = None  # where the page before ended
    my_turn: bool = False  # only those that are being played and wait for the player
    now: dt.datetime = dt.datetime.max.replace(tzinfo=dt.UTC)


class Listed(NamedTuple):
    """A match in a list."""

    match_id: str
    version: int
    game: str
    status: str
    host: str
    spectators: bool
    open_to_all: bool
    spectator_delay: int
    private: bool
    seats: list[dict[str, Any]]
    to_act: list[int] | None  # None: the log alone knows
    deadlines: Mapping[int, dt.datetime]
    opened_at: dt.datetime
    updated_at: dt.datetime
    late: bool  # something has happened that whoever asks may not know yet

    def waits_for(self, player: str | None) -> bool:
        """Whether a player is to act here from a seat that no bot keeps."""
        return any(self.seats[n]["player"] == player and self.seats[n]["kind"] != "bot" for n in self.to_act or ())


_LISTED = """match_id, m.version, m.game, m.status, m.host, m.spectators, m.open_to_all, m.spectator_delay, m.private,
       m.seats, m.acting, m.wakes, m.opened_at, m.updated_at"""

# A seat that a bot keeps for its player is not the player's to act from. Below zero every bit is set: who is to act has
# not been written down yet.
_TO_ACT = """ AND p.running AND EXISTS (
    SELECT FROM jsonb_array_elements(m.seats) WITH ORDINALITY AS s (chair, n)
    WHERE s.chair->>'player' = %(player)s::text AND s.chair->>'kind' <> 'bot' AND (m.acting >> (s.n::int - 1)) & 1 = 1
)"""

# Once a match has started, it concerns those who play in it and who opened it. All others see it later where it is so.
# Asked for with `EXISTS`, the planner may want to read whom all matches concern.
_LATE = """m.spectator_delay > 0 AND m.started_at IS NOT NULL AND (
    SELECT p.player_id FROM match_players p WHERE p.match_id = m.match_id AND p.player_id = %(player)s::uuid
) IS NULL"""
_THEN = "%(now)s::timestamptz - make_interval(secs => m.spectator_delay)"
# A match may neither come into a list nor go from it before what made it so can be known.
_STATUS = f"""CASE WHEN NOT ({_LATE}) THEN m.status
    WHEN m.started_at > {_THEN} THEN 'open' WHEN m.updated_at > {_THEN} THEN 'playing' ELSE m.status END"""


_SEEN = """m.spectators AND NOT m.private OR m.open_seats OR EXISTS (
    SELECT FROM match_players o WHERE o.match_id = m.match_id AND o.player_id = %(player)s::uuid
)"""


def listing(wanted: Wanted) -> str:
    """A page of a list, in the order of an index from where the page before ended."""
    ordered, late, status = "m", "false", "m.status"
    if wanted.show == "joinable":
        start = "WHERE m.open_seats"
    elif wanted.of is not None:
        ordered = "p"
        start = f"JOIN match_players p ON p.match_id = m.match_id WHERE p.player_id = %(of)s::uuid AND ({_SEEN})"
        late, status = f"{_LATE} AND m.updated_at > {_THEN}", _STATUS
    elif wanted.show == "watchable":
        start = f"WHERE {'m.open_to_all' if wanted.player is None else 'm.spectators'} AND NOT m.private"
        late, status = f"{_LATE} AND m.updated_at > {_THEN}", _STATUS
    else:
        ordered = "p"
        start = "JOIN match_players p ON p.match_id = m.match_id WHERE p.player_id = %(player)s::uuid"
        start += _TO_ACT * wanted.my_turn
    if wanted.game:
        start += " AND m.game = %(game)s"
    if wanted.status and wanted.show != "joinable":
        start += f" AND {status} = %(status)s"
    if wanted.before:
        start += f" AND ({ordered}.opened_at, {ordered}.match_id) < (%(opened_at)s, %(last)s)"
    start = f"SELECT {ordered}.{_LISTED}, {late} FROM matches m {start}"
    return start + f" ORDER BY {ordered}.opened_at DESC, {ordered}.match_id DESC LIMIT %(limit)s"


def page(database: Database, names: Directory, wanted: Wanted, limit: int) -> list[Listed]:
    if wanted.show == "joinable" and wanted.status not in (None, "open"):
        return []  # whatever has open seats has not started
    opened_at, last = wanted.before or (None, None)
    params = {**wanted._asdict(), "opened_at": opened_at, "last": last, "limit": limit}
    params["player"] = wanted.player or NOBODY
    found = [_listed(row) for row in database.run(listing(wanted), params)]
    known = names.of(seat["player"] for one in found for seat in one.seats if seat["player"] is not None)
    return [one._replace(seats=with_names(one.seats, known)) for one in found]


def with_names(seats: list[dict[str, Any]], names: Names) -> list[dict[str, Any]]:
    """The seats of a list, as they are called today. Their fields have one order, wherever they were read from: from
    another one somebody could tell that there is more than is shown."""
    return [
        {
            "kind": seat["kind"],
            "player": seat["player"],
            "level": seat["level"],
            "name": called(n, seat["player"], seat["level"], names),
        }
        for n, seat in enumerate(seats)
    ]


def _listed(row: tuple[Any, ...]) -> Listed:
    *columns, acting, wakes, opened_at, updated_at, late = row
    _, _, _, status, _, *_, seats = columns
    to_act = [seat for seat in range(len(seats)) if acting >> seat & 1] if status == "playing" else []
    deadlines = {seat: dt.datetime.fromisoformat(at) for seat, at in of_seats(wakes or {}).items()}
    found = Listed._make([*columns, to_act if acting >= 0 else None, deadlines, opened_at, updated_at, late])
    return found._replace(match_id=str(found.match_id), host=str(found.host))
