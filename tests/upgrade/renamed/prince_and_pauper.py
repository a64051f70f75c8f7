"""Prince and Pauper, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The card turned up and its owner stand side by side; tricks that are counted are `trick_counts`."""
    gone = ("turned", "crowned", "tricks")
    return {name: value for name, value in table.items() if name not in gone} | {
        "turned": table["turned"]["card"],
        "turned_by": table["turned"]["owner"],
        "pauper_taker": table["crowned"],
        "trick_counts": table["tricks"],
    }
