"""Men on the track of 24 points by rule of thumb: how well they stand, and where a view shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.kit.pointboard import Cells
from domain.kit.points import BAR, HAND, HOME, OFF, Men, pips

# What holding a place is worth: one's own inner table and what lies before it, and a hold in the enemy's.
HELD: Final = (0, 4, 6, 10, 14, 18, 18, 14, 8, 5, 3, 2, 2, 2, 2, 2, 3, 3, 6, 6, 8, 12, 10, 6, 4)
BLOT: Final = 3  # a lone man in the reach of the enemy, and what he has come so far
REACH: Final = 11  # two dice
ON_THE_BAR: Final = 30
OFF_THE_BOARD: Final = 12


def read(cells: Cells, pieces: Sequence[Mapping[str, Any]]) -> tuple[Men, Men]:
    """The men of both sides from the pieces of a view."""
    sides = ([0] * (HAND + 1), [0] * (HAND + 1))
    at = [{cell: place for place, cell in enumerate(side)} for side in cells]
    for piece in pieces:
        side = piece["side"]
        sides[side][at[side][piece["cell"]]] = piece["count"]
    return tuple(sides[0]), tuple(sides[1])


def standing(mine: Men, theirs: Men, unfinished: bool = False) -> int:
    """How well my men stand after a play; with numbers left a lone man may still be covered."""
    score = 4 * (pips(theirs) - pips(mine)) + OFF_THE_BOARD * mine[OFF] + ON_THE_BAR * theirs[BAR]
    behind = [place for place in range(1, BAR + 1) if theirs[place]]  # as the enemy counts
    last = BAR - max(behind, default=0)  # where his last man stands, as I count
    if max((place for place in range(1, HAND + 1) if mine[place]), default=0) < last:
        return score  # a race
    for place in range(1, BAR):
        if mine[place] >= 2:
            score += HELD[place] - 3 * max(0, mine[place] - 3)
            score += 6 if place > 1 and mine[place - 1] >= 2 else 0
        elif mine[place] == 1:
            score -= _danger(place, theirs) * (BAR - place + 8) // (24 if unfinished else 12)
    return score - (ON_THE_BAR // 2) * mine[BAR]


def _danger(place: int, theirs: Men) -> int:
    """How many ways the enemy has to come to a place, roughly: his men in the reach of one die, or of two."""
    near = sum(1 for n in range(1, HOME + 1) if BAR - place + n <= BAR and theirs[BAR - place + n])
    far = sum(1 for n in range(HOME + 1, REACH + 1) if BAR - place + n <= BAR and theirs[BAR - place + n])
    return BLOT * (3 * min(near, 3) + min(far, 2))
