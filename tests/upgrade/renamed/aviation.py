"""Aviation, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """A drome is told in its top card and its count, the numbers that come next stand apart, and points are a side's."""
    found = {name: value for name, value in table.items() if name not in ("dromes", "wanted", "totals")}
    return found | {
        "drome_tops": [drome["top"] for drome in table["dromes"]],
        "drome_counts": [drome["count"] for drome in table["dromes"]],
        "wanted_up": table["wanted"]["U"],
        "wanted_down": table["wanted"]["D"],
        "side_totals": table["totals"],
    }
