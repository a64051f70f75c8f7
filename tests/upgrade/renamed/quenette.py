"""Quenette, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """Extras that nobody had taken when the match ended lie open."""
    if not over:
        return table
    return table | {"extras": {name: value for name, value in table["extras"].items() if name != "cards"}}
