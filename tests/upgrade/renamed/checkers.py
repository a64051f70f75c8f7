"""Checkers, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The board is `pieces` by cell, the points are `totals`, and a match that is over is `finished`."""
    gone = ("board", "points", "pending_offence", "phase")
    found = {name: value for name, value in table.items() if name not in gone}
    return found | {
        "totals": table["points"],
        "phase": "finished" if table["phase"] == "game_over" else table["phase"],
    }
