"""Goat, as 0.1.0 showed it."""

from __future__ import annotations

from typing import Any


def as_today(table: dict[str, Any], *, over: bool) -> dict[str, Any]:
    """Books are lists of numbers by seat, beside how many they are; so is how often each seat was the goat."""
    found = {name: value for name, value in table.items() if name not in ("books", "goats")}
    if over:
        del found["choice"]
        found["race"] = {name: value for name, value in table["race"].items() if name != "claim"}
    return found | {
        "book_counts": [books["count"] for books in table["books"]],
        "goat_counts": table["goats"],
        **({} if over else {"books": [books["numbers"] for books in table["books"]]}),
    }
