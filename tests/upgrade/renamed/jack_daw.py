"""Jack-Daw, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The pack is `stock_count`, with its `top` card beside it."""
    found = {name: value for name, value in table.items() if name != "pack"}
    return found | {"stock_count": table["pack"]["count"], "top": table["pack"]["top"]}
