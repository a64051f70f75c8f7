"""Nix by rule of thumb: play what is wanted, unless the set would then go to somebody else.

There is a choice only where cards may be held back. Who holds the wanted card but not those after it, up to the double,
can keep it once: that makes two draws of one, and the double may be among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.game import Thumbs
from domain.games.nix.events import Command, Draw, HandScored
from domain.games.nix.game import NIX, NIX_POINTS, Table


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    wanted, hand = view["wanted"], view["hand"]
    if len(commands) == 1 or wanted is None:
        return [0] * len(commands)
    runs_to_the_double = all(f"{wanted.high}-{low}" in hand for low in range(wanted.low, wanted.high + 1))
    hold = not runs_to_the_double and wanted.low >= wanted.high - 1
    return [int(isinstance(command, Draw) == hold) for command in commands]


def worth(s: Table) -> Sequence[int]:
    """Points; in mid-round also the sets so far and where Nix is."""
    points = list(s.totals)
    if s.playing:
        for seat in s.sets:
            points[seat] += 1
        for seat, hand in enumerate(s.hands):
            if NIX in hand:
                points[seat] += NIX_POINTS
    if s.options.sides == "alternate":
        return [sum(points[seat % 2 :: 2]) for seat in range(s.seats)]
    return points


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
