"""Rustle, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """Cards that lie face down are counted by seat; they were packets of six before each."""
    seats = len(table["hand_counts"])
    found = {name: value for name, value in table.items() if name != "packets_face_down"}
    return found | {"face_down_counts": [6 * table["packets_face_down"]] * seats}
