"""Kid-O, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """The first card and eldest stand side by side, and of a trick that was taken there are its taker and cards."""
    found = {name: value for name, value in table.items() if name not in ("first_card", "tricks")}
    return found | {
        "first_card": table["first_card"]["card"],
        "eldest": table["first_card"]["owner"],
        "tricks_taken": [{"seat": trick["seat"], "cards": trick["cards"]} for trick in table["tricks"]],
    }
