"""Check and Double Check, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The Discard lies in fields of its own, the dice are `faces`, and the counters received are called so."""
    gone = ("discard", "dice", "points", "phase")
    found = {name: value for name, value in table.items() if name not in gone}
    return found | {
        "phase": {"deal": "awaiting_deal", "game_over": "finished"}.get(table["phase"], table["phase"]),
        "discard": table["discard"]["seen"],
        "discard_count": table["discard"]["height"],
        "discard_under_count": table["discard"]["unseen"],
        "faces": table["dice"],
        "received": table["points"],
    }
