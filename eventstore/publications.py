"""Who has agreed that a match may be read by anybody."""

from __future__ import annotations

import datetime as dt
from typing import Final

from eventstore.db import Database

AGREE: Final = "INSERT INTO publications (match_id, player_id, at) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
# Whoever has deleted the account cannot be asked any more, and what was said before goes with it.
AGREED: Final = """
SELECT a.player_id FROM publications a JOIN players p ON p.player_id = a.player_id
WHERE a.match_id = %s AND p.ended_at IS NULL
"""


class Publications:
    def __init__(self, database: Database) -> None:
        self._db = database

    def agree(self, match_id: str, player: str, at: dt.datetime) -> None:
        self._db.run(AGREE, (match_id, player, at))

    def agreed(self, match_id: str) -> set[str]:
        return {str(player) for (player,) in self._db.run(AGREED, (match_id,))}
