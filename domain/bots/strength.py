"""How strong each level is, as it was measured: what `python -m bench.arena --write` found.

The file has a list of rows for every game, one for each pair of levels, size of table and kind of search.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

FILE: Final = "strength.json"


class Strength(NamedTuple):
    """What came of many hands that a level played against another one, which held all other sides."""

    level: str
    version: int  # of the level: what it finds changes only with that
    against: str
    against_version: int
    seats: int
    sides: int  # equals would win one hand in so many
    iterations: int  # of each search; a worker has time for more
    all_seeing: bool  # whether the search was shown the true table: a bound, no bot
    hands: int  # or games, where there are no hands; at Backgammon matches
    lead: float  # in points of the bot's own count, on average over the hands
    error: float  # the standard error of the lead
    won: float  # the share of the hands that it won; a hand that several win counts in parts


@cache
def measured() -> Mapping[str, Sequence[Strength]]:
    """What was measured, by the slug of the game."""
    return read(resources.files("domain.bots").joinpath(FILE).read_text(encoding="ascii"))


def read(text: str) -> Mapping[str, Sequence[Strength]]:
    stored: dict[str, list[dict[str, Any]]] = json.loads(text)
    return {slug: [Strength(**row) for row in rows] for slug, rows in stored.items()}


def written(rows: Mapping[str, Sequence[Strength]]) -> str:
    """The text of the file: a line a row, the games and their rows in order, so that a new figure is a line that
    changes.

    >>> read(written(measured())) == measured()
    True
    """
    games = [
        f"{json.dumps(slug)}: [\n" + ",\n".join(json.dumps(row._asdict()) for row in sorted(rows[slug])) + "\n]"
        for slug in sorted(rows)
    ]
    return "{\n" + ",\n".join(games) + "\n}\n"
