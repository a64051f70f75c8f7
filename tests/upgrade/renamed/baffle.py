"""Baffle, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The card turned up and its taker stand beside each other, the tricks in order are `tricks_taken`, and of a match
    that is over nothing is anybody's own."""
    gone = ("turn_up", "taken", *(("laid_down", "trump_missed") if over else ()))
    found = {name: value for name, value in table.items() if name not in gone}
    return found | {
        "turned": table["turn_up"]["card"],
        "turned_by": table["turn_up"]["taken_by"],
        "tricks_taken": table["taken"],
    }
