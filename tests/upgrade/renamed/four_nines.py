"""Four Nines, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any

PHASES = {"throw": "roll", "game_over": "finished"}


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The discs are `pieces` by cell, and how many of something there are is a count. The board stands elsewhere."""
    gone = ("phase", "board", "places", "road", "must_use", "captured_waiting", "scores")
    found = {name: value for name, value in table.items() if name not in gone}
    return found | {
        "phase": PHASES.get(table["phase"], table["phase"]),
        "must_use_count": table["must_use"],
        "captured_counts": table["captured_waiting"],
        "game_points": table["scores"],
        "pieces": [piece for side in range(len(table["places"])) for piece in pieces(side, table)],
    }


def pieces(side: int, table: dict[str, Any]) -> list[dict[str, Any]]:
    place, discs, road = (table[name][side] for name in ("places", "discs", "road"))
    gate, home = {"cross68": (63, 71), "cross76": (71, 80)}[table["board"]]
    found = []
    for disc, (progress, space) in enumerate(zip(discs, road, strict=True)):
        apart = f"wait-{place}" if progress < 0 else f"home-{place}" if progress == home else None
        cell = f"road-{space}" if space is not None else apart or f"column-{place}-{progress - gate}"
        found.append({"cell": cell, "side": side, "kind": "disc", "count": 1, "name": str(disc)})
    return found
