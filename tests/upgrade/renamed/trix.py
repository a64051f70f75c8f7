"""Trix, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any

PHASES = {"play": "playing", "deal": "awaiting_deal", "hand_over": "awaiting_deal", "game_over": "finished"}


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The Reserve is the `stock` and a set a `trick`, piles are not sorted, and `side_totals` are those of the match."""
    gone = ("phase", "reserve_size", "set_no", "set", "taken", "side_totals", "game_scores")
    found = {name: value for name, value in table.items() if name not in gone}
    found |= {
        "phase": PHASES.get(table["phase"], table["phase"]),
        "stock_count": table["reserve_size"],
        "trick_no": table["set_no"],
        "trick": table["set"],
        "side_totals": table["game_scores"],
    }
    if over and table["side_totals"] is None:
        return found  # covered then, and shown now
    return found | {"side_hand_points": table["side_totals"]}
