"""What is new in many matches at once, for those who follow them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from eventstore.chain import Stored
from eventstore.db import Database
from eventstore.store import EVENT_COLUMNS, Head, read_head, read_stored

MOST: Final = 200  # events of a match that are read at once

HEADS: Final = "SELECT match_id, version FROM matches WHERE match_id = ANY (%s::uuid[])"

# The event that is known comes with those that follow it: if its hash is another one, so is the log.
SINCE: Final = f"""
SELECT m.match_id, m.version, m.game, m.status, m.seed, m.wakes, m.hooked,
       {", ".join(f"e.{column}" for column in EVENT_COLUMNS.split(", "))}
FROM unnest(%(ids)s::text::uuid[], %(known)s::text::integer[]) AS w (match_id, version)
JOIN matches m ON m.match_id = w.match_id AND m.version > w.version
JOIN events e ON e.match_id = m.match_id AND e.version BETWEEN w.version AND least(m.version, w.version + {MOST})
ORDER BY m.match_id, e.version
"""


# Of the matches that are over, the one that ended last speaks for all.
STIRRED: Final = """
SELECT w.player_id FROM unnest(%(players)s::uuid[]) AS w (player_id)
WHERE EXISTS (
    SELECT FROM match_players p JOIN matches m ON m.match_id = p.match_id
    WHERE p.player_id = w.player_id AND p.ended_tx IS NULL AND m.updated_at > %(since)s
) OR (
    SELECT m.updated_at FROM match_players p JOIN matches m ON m.match_id = p.match_id
    WHERE p.player_id = w.player_id AND p.ended_tx IS NOT NULL ORDER BY p.ended_in DESC, p.ended_tx DESC LIMIT 1
) > %(since)s
"""


class Since(NamedTuple):
    """What has happened in a match since a version."""

    head: Head
    before: bytes | None  # the hash of the event that was known, if there still is one
    events: list[Stored]


class Tidings:
    def __init__(self, database: Database) -> None:
        self._db = database

    def heads(self, matches: Collection[str]) -> dict[str, int]:
        """The newest version of each of these matches."""
        return {str(match_id): version for match_id, version in self._db.run(HEADS, (list(matches),))}

    def since(self, known: Mapping[str, int]) -> dict[str, Since]:
        """What is new in those of these matches that have gone beyond the version that is known."""
        # Arrays as text: psycopg takes longer to find out what is in a list than PostgreSQL to read it.
        ids, versions = ("{" + ",".join(map(str, those)) + "}" for those in (known, known.values()))
        rows = self._db.run(SINCE, {"ids": ids, "known": versions})
        found: dict[str, Since] = {}
        for match_id, *row in rows:
            its_id, one = str(match_id), read_stored(row[6:])
            there = found.get(its_id)
            if there is None:
                there = found[its_id] = Since(read_head(its_id, row[:6]), None, [])
            if one.version > known[its_id]:
                there.events.append(one)
            else:
                found[its_id] = there._replace(before=one.hash)
        return found

    def stirred(self, players: Collection[str], since: dt.datetime) -> list[str]:
        """Those of these players in whose matches something has happened since a time."""
        return [str(player) for (player,) in self._db.run(STIRRED, {"players": list(players), "since": since})]
