"""Acey-Ducey, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any

PHASES = {"start": "start_throw", "match_over": "finished"}


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The men are `pieces` by cell and the points `side_totals`; whose side is whose stands beside the table."""
    found = {name: value for name, value in table.items() if name not in ("colours", "phase")}
    return found | {
        "pieces": [piece for side, men in enumerate(table["colours"]) for piece in pieces(side, men)],
        "side_totals": [side["score"] for side in table["colours"]],
        "phase": PHASES.get(table["phase"], table["phase"]),
    }


def pieces(side: int, men: dict[str, Any]) -> list[dict[str, Any]]:
    """Each colour counted its own spaces; cells have the numbers of the first. The last space comes first."""
    spaces = [(str(25 - space if side else space), count) for space, count in enumerate(men["spaces"], 1)]
    waiting = [(f"centre-{side}", men["centre"]), (f"hand-{side}", men["hand"])]
    all_places = [(f"off-{side}", men["off"]), *reversed(spaces), *waiting]
    return [{"cell": cell, "side": side, "kind": "man", "count": count} for cell, count in all_places if count]
