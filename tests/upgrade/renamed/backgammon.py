"""Backgammon, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any

PHASES = {"opening": "start_throw", "match_over": "finished"}


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The men are `pieces` by cell and `pips` by seat, and the points are `totals`."""
    found = {name: value for name, value in table.items() if name not in ("men", "score", "phase")}
    return found | {
        "pieces": [piece for side, men in enumerate(table["men"]) for piece in pieces(side, men)],
        "pips": [men["pips"] for men in table["men"]],
        "totals": table["score"],
        "phase": PHASES.get(table["phase"], table["phase"]),
    }


def pieces(side: int, men: dict[str, Any]) -> list[dict[str, Any]]:
    """Each side counted its own points; cells have the numbers of seat 0."""
    points = [(str(25 - place if side else place), count) for place, count in enumerate(men["points"], 1)]
    all_places = [(f"off-{side}", men["off"]), *points, (f"bar-{side}", men["bar"])]
    return [{"cell": cell, "side": side, "kind": "man", "count": count} for cell, count in all_places if count]
