"""Crown Baseball, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The field pack is told in fields of its own, and the card shown for trumps is `turned`."""
    found = {name: value for name, value in table.items() if name not in ("field", "trump_card")}
    return found | {
        "field_turned": table["field"]["turned"],
        "field_count": table["field"]["face_down"],
        "turned": table["trump_card"],
    }
