"""What is new in many matches at once, for those who follow them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Final

from eventstore.chain import Stored
from eventstore.db import Database, among, array
from eventstore.states import News
from eventstore.store import EVENT_COLUMNS, read_deadlines, read_stored

MOST: Final = 200  # events of a match that are read at once

HEADS: Final = f"SELECT match_id, version FROM matches WHERE match_id {among('uuid')}"

# The event that is known comes with those that follow it: if its hash is another one, so is the log.
SINCE: Final = f"""
SELECT m.match_id, m.version, m.wakes, m.hooked,
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


class Tidings:
    def __init__(self, database: Database) -> None:
        self._db = database

    def heads(self, matches: Collection[str]) -> dict[str, int]:
        """The newest version of each of these matches."""
        return {str(match_id): version for match_id, version in self._db.run(HEADS, (array(matches),))}

    def since(self, known: Mapping[str, int]) -> dict[str, News]:
        """What is new in those of these matches that have gone beyond the version that is known."""
        rows = self._db.run(SINCE, {"ids": array(known), "known": array(known.values())})
        found: dict[str, News] = {}
        events: dict[str, list[Stored]] = {}
        for match_id, version, wakes, hooked, *row in rows:
            its_id, one = str(match_id), read_stored(row)
            if its_id not in found:
                events[its_id] = []
                found[its_id] = News(version, None, events[its_id], read_deadlines(wakes), hooked)
            if one.version > known[its_id]:
                events[its_id].append(one)
            else:
                found[its_id] = found[its_id]._replace(before=one.hash)
        return found

    def stirred(self, players: Collection[str], since: dt.datetime) -> list[str]:
        """Those of these players in whose matches something has happened since a time."""
        return [str(player) for (player,) in self._db.run(STIRRED, {"players": list(players), "since": since})]
