"""Secret Seven, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The tricks in order are `tricks_taken`, those with a seven are told by their numbers, and the points are
    `side_totals`. Of a match that is over the packet lies open, and nothing is anybody's own."""
    gone = ("taken", "totals", "packet", *(("pack",) if over else ()))
    found = {name: value for name, value in table.items() if name not in gone}
    packet = {"count": table["packet"]["count"]}
    if not over:
        packet |= {"cards": table["packet"]["cards"], "secret": table["packet"]["numbers"]}
    return found | {
        "packet": packet,
        "tricks_taken": [{"seat": trick["seat"], "cards": trick["cards"]} for trick in table["taken"]],
        "seven_tricks": [no for no, trick in enumerate(table["taken"], start=1) if trick["seven"]],
        "side_totals": table["totals"],
    }
