"""Flique, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The reserve is the stock, and games won are the points of the match."""
    found = {name: value for name, value in table.items() if name not in ("reserve_count", "wins")}
    return found | {"stock_count": table["reserve_count"], "totals": table["wins"]}
