"""The feed: all events of all matches in one order, for those who follow what happens wherever it happens.

Transactions commit in any order, but their numbers are given before they commit. Whoever reads by number, and only
below the oldest transaction that is still running, misses nothing: what was handed out is never followed by something
older.
The numbers are a cluster's own. Epochs tell one cluster's from the next one's, so that a position outlives a dump and
restore; and a position has a place for each node, because on a sharded database each counts for itself.
"""

from __future__ import annotations

import base64
import heapq
import itertools
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from eventstore.chain import Stored
from eventstore.db import Database
from eventstore.errors import LostPosition, UnreadablePosition
from eventstore.store import EVENT_COLUMNS, read_stored

LONGEST: Final = 4096  # characters of a position that anybody may send
NOWHERE: Final = str(uuid.UUID(int=0))


class Place(NamedTuple):
    """Where an event stands among those of its node. Version 0 stands before all events of the transaction."""

    epoch: int
    tx: int
    match_id: str
    version: int


START: Final = Place(-1, 0, NOWHERE, 0)


class Entry(NamedTuple):
    """An event, and what there is to know of its match by now."""

    place: Place
    match_id: str
    game: str
    status: str
    newest: int  # version of the match
    acting: int  # the seats that are to act at that version, a bit for each
    seats: Sequence[Mapping[str, Any]]
    seed: bytes
    stored: Stored


class Item(NamedTuple):
    """An entry of the feed. `position` is where to go on from."""

    position: str
    entry: Entry


class Node(Protocol):
    """Where some of the matches are, each with all of its events."""

    name: str

    def read(self, after: Place, limit: int) -> list[Entry]:
        """Events in order. None that is still to come will stand before one of these."""

    def ends(self, after: Place, limit: int) -> list[Entry]:
        """The same, of the ends of matches alone."""

    def concerning(self, player: str, after: Place, limit: int) -> list[Entry]:
        """The same, of those matches that concern a player."""

    def end(self) -> Place:
        """Nothing that is committed from now on will stand before it."""

    def knows(self, place: Place) -> bool:
        """Whether the log is the one in which this place was given out, or goes on from it."""


# ── Positions ───────────────────────────────────────────────────────────────────────────────────────────────────


def write_position(places: Mapping[str, Place]) -> str:
    """Opaque, since what it takes to find a place may change."""
    plain = ",".join(
        f"{name}:{p.epoch}.{p.tx}.{uuid.UUID(p.match_id).hex}.{p.version}" for name, p in sorted(places.items())
    )
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def read_position(text: str | None) -> dict[str, Place]:
    """The place on each node. No position is before everything."""
    if text is None:
        return {}
    try:
        if len(text) > LONGEST:
            raise ValueError
        plain = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True).decode("ascii")
        places = dict(_read_place(one) for one in plain.split(","))
    except ValueError:
        raise UnreadablePosition("this is no position of the feed: send one back as it was given") from None
    if write_position(places) != text:
        raise UnreadablePosition("this is no position of the feed: send one back as it was given")
    return places


def _read_place(text: str) -> tuple[str, Place]:
    name, _, place = text.partition(":")
    epoch, tx, match_id, version = place.split(".")
    found = Place(int(epoch), int(tx), str(uuid.UUID(hex=match_id)), int(version))
    if not (-1 <= found.epoch < 2**31 and 0 <= found.tx < 2**64 and 0 <= found.version < 2**31):
        raise ValueError(text)
    return name, found


# ── One PostgreSQL ──────────────────────────────────────────────────────────────────────────────────────────────

_ENTRY: Final = f"""
SELECT e.epoch, e.tx::text, m.match_id, m.game, m.status, m.version, m.acting, m.seats, m.seed,
       {", ".join(f"e.{column}" for column in EVENT_COLUMNS.split(", "))}
"""
_ORDER: Final = " ORDER BY e.epoch, e.tx, e.match_id, e.version LIMIT %(limit)s"
_AFTER: Final = "(%(epoch)s::integer, %(tx)s::text::xid8, %(match_id)s::uuid, %(version)s::integer)"
# Of epochs that are over nothing is still to come.
_SETTLED: Final = "(e.epoch < feed_epoch() OR e.tx < pg_snapshot_xmin(pg_current_snapshot()))"

_FOLLOWING: Final = f"""{_ENTRY}
FROM events e JOIN matches m ON m.match_id = e.match_id
WHERE (e.epoch, e.tx, e.match_id, e.version) > {_AFTER} AND {_SETTLED}"""
READ: Final = _FOLLOWING + _ORDER
ENDS: Final = f"{_FOLLOWING} AND e.type = 'match_ended'{_ORDER}"

# In each match the events after a place are the last ones, and they are looked for from the end. LIMIT 1 has each head
# row looked up by its key: the planner cannot know how few there will be, and would read all of them.
CONCERNING: Final = f"""
WITH mine AS (
    SELECT match_id FROM match_players WHERE player_id = %(player)s::uuid AND ended_tx IS NULL
    UNION ALL
    SELECT match_id FROM match_players WHERE player_id = %(player)s::uuid AND ended_tx IS NOT NULL
       AND (ended_in, ended_tx) >= (%(epoch)s::integer, %(tx)s::text::xid8)
), e AS MATERIALIZED (
    SELECT e.* FROM mine CROSS JOIN LATERAL (
        SELECT e.* FROM events e WHERE e.match_id = mine.match_id AND {_SETTLED} AND e.version > coalesce((
            SELECT known.version FROM events known
            WHERE known.match_id = mine.match_id AND (known.epoch, known.tx, known.match_id, known.version) <= {_AFTER}
            ORDER BY known.version DESC LIMIT 1
        ), 0) ORDER BY e.version LIMIT %(limit)s
    ) e{_ORDER}
)
{_ENTRY}
FROM e CROSS JOIN LATERAL (SELECT * FROM matches WHERE matches.match_id = e.match_id LIMIT 1) m{_ORDER}
"""

END: Final = "SELECT feed_epoch(), pg_snapshot_xmin(pg_current_snapshot())::text"

# An event is still there, or the log was set back behind it, in this epoch or in one that is over. A place between
# events cannot be looked up: of an epoch that is over it is believed.
KNOWN: Final = """
SELECT CASE WHEN %(version)s > 0 THEN EXISTS (
    SELECT FROM events WHERE match_id = %(match_id)s::uuid AND version = %(version)s
       AND epoch = %(epoch)s AND tx = %(tx)s::text::xid8
) ELSE %(epoch)s < feed_epoch()
    OR %(epoch)s = feed_epoch() AND %(tx)s::text::xid8 <= pg_snapshot_xmax(pg_current_snapshot())
END
"""


class PostgresNode:
    """A PostgreSQL with one counter of transactions."""

    def __init__(self, database: Database, name: str = "0") -> None:
        self._db, self.name = database, name

    def read(self, after: Place, limit: int) -> list[Entry]:
        return self._entries(READ, {**_params(after), "limit": limit})

    def ends(self, after: Place, limit: int) -> list[Entry]:
        return self._entries(ENDS, {**_params(after), "limit": limit})

    def concerning(self, player: str, after: Place, limit: int) -> list[Entry]:
        return self._entries(CONCERNING, {**_params(after), "player": player, "limit": limit})

    def end(self) -> Place:
        epoch, tx = self._db.run(END)[0]
        return Place(epoch, int(tx), NOWHERE, 0)

    def knows(self, place: Place) -> bool:
        return bool(self._db.run(KNOWN, _params(place))[0][0])

    def _entries(self, query: str, params: Mapping[str, Any]) -> list[Entry]:
        return [_entry(row) for row in self._db.run(query, params)]


def _params(place: Place) -> dict[str, Any]:
    return place._asdict() | {"tx": str(place.tx)}


def _entry(row: Sequence[Any]) -> Entry:
    epoch, tx, match_id, game, status, newest, acting, seats, seed, *event = row
    stored = read_stored(event)
    place = Place(epoch, int(tx), str(match_id), stored.version)
    return Entry(place, str(match_id), game, status, newest, acting, seats, seed, stored)


# ── All of them ─────────────────────────────────────────────────────────────────────────────────────────────────


class Feed:
    """The feed of all nodes. There is no order between matches of different nodes, and none is needed."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = nodes

    def read(self, after: str | None = None, limit: int = 500) -> list[Item]:
        """The events that follow a position, each at least once, none of them before one that is still to come."""
        return self._merged(after, limit, lambda node, place: node.read(place, limit))

    def ends(self, after: str | None = None, limit: int = 500) -> list[Item]:
        """The same of the ends of matches alone."""
        return self._merged(after, limit, lambda node, place: node.ends(place, limit))

    def concerning(self, player: str, after: str | None = None, limit: int = 500) -> list[Item]:
        """The same of the matches that concern a player: where he sits, is invited, or is the host."""
        return self._merged(after, limit, lambda node, place: node.concerning(player, place, limit))

    def end(self) -> str:
        """The position from which only what happens from now on follows, and perhaps a little of what just did."""
        return write_position({node.name: node.end() for node in self._nodes})

    def check(self, position: str | None) -> None:
        """Refuses a position that this log never gave out, as after a return to an old copy of the database: whoever
        went on from it would miss what is written meanwhile."""
        places = read_position(position)
        known = {node.name: node for node in self._nodes}
        if not all(name in known and known[name].knows(place) for name, place in places.items()):
            raise LostPosition("the log does not reach to this position: it was set back. Begin anew, without one")

    def _merged(self, after: str | None, limit: int, page: Callable[[Node, Place], list[Entry]]) -> list[Item]:
        """By the clock, so that no node waits for another. Within a node the order stays."""
        places = read_position(after)
        pages = [[(node.name, one) for one in page(node, places.get(node.name, START))] for node in self._nodes]
        items = []
        for name, entry in itertools.islice(heapq.merge(*pages, key=lambda one: one[1].stored.at), limit):
            places[name] = entry.place
            items.append(Item(write_position(places), entry))
        return items
