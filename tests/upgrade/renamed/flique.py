"""Flique, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The reserve is the stock, games won are the points of the match, and the end shows a drawn card to all."""
    gone = ("reserve_count", "wins", "drawn") if over else ("reserve_count", "wins")
    found = {name: value for name, value in table.items() if name not in gone}
    return found | {"stock_count": table["reserve_count"], "totals": table["wins"]}
