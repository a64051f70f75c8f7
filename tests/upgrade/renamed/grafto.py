"""Grafto, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The card turned up is `turned`, and how many tricks each seat has taken is `trick_counts`."""
    found = {name: value for name, value in table.items() if name not in ("turn_up", "tricks")}
    found |= {"turned": table["turn_up"], "trick_counts": table["tricks"]}
    if over and table["graft"] is not None:
        found["graft"] = {name: value for name, value in table["graft"].items() if name != "discard"}
    return found
