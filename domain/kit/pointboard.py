"""The board of 24 points as it is drawn: two rows of twelve, what lies between them, and the men on it.

A game gives its names for the places of a side, from OFF on. Cells are called as side 0 calls them; a place that each
side has for itself, such as the bar, is a cell for each side.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Any, Final

from domain.kit.points import BAR, HAND, HOME, OFF, Men
from domain.telling.parts import Board, Cell, Piece

FARTHEST: Final = BAR - 1
HALF: Final = FARTHEST // 2
Names = Sequence[Any]  # how a side calls its places, from OFF on
Cells = tuple[tuple[str, ...], ...]  # for each side the cells of its places, from OFF on


def cells(names: Names) -> Cells:
    """
    >>> cells(("off", *range(1, 25), "bar"))[1][:2], cells(("off", *range(1, 25), "bar"))[1][-2:]
    (('off-1', '24'), ('1', 'bar-1'))
    """
    points = tuple(str(name) for name in names[1:BAR])
    return tuple(
        (f"{names[OFF]}-{side}", *ids, *(f"{name}-{side}" for name in names[BAR:]))
        for side, ids in ((0, points), (1, points[::-1]))
    )


def pieces(on: Cells, men: Sequence[Men]) -> list[Piece]:
    return [*_of_side(on[0], 0, men[0]), *_of_side(on[1], 1, men[1])]


@lru_cache(maxsize=64)  # a play moves the men of one side, so that of the other there is nothing new to tell
def _of_side(on: tuple[str, ...], side: int, men: Men) -> Sequence[Piece]:
    return tuple(
        {"cell": cell, "side": side, "kind": "man", "count": count}
        for cell, count in zip(compress(on, men), filter(None, men), strict=True)
    )


def board(names: Names, *, inner_left: bool = False) -> Board:
    """Side 0 sits below, with its home on the right unless it is to be on the left."""
    on = cells(names)
    width = HALF + 2 + (len(names) > HAND)
    own = [_own_place(names, on, side, place) for side in (0, 1) for place in (OFF, *range(BAR, len(names)))]
    drawn = [*(_point(names, on, place) for place in range(1, BAR)), *own]
    if inner_left:
        drawn = [cell._replace(x=width - 1 - cell.x) for cell in drawn]
    return Board(width, 2, tuple(drawn))


def _point(names: Names, on: Cells, place: int) -> Cell:
    """A point, by its place as side 0 counts: the first twelve lie below, the others above; the bar parts the rows."""
    below = place <= HALF
    along = HALF - place if below else place - HALF - 1
    ways = [on[0][place - 1], *([on[0][place + 1]] if place < FARTHEST else []), *([on[1][OFF]] * (place == FARTHEST))]
    return Cell(
        on[0][place],
        x=along + (along >= HALF // 2),
        y=int(below),
        label=on[0][place],
        links=tuple(ways),
        home=0 if place <= HOME else 1 if place >= BAR - HOME else None,
        names=(str(names[place]), str(names[BAR - place])),
        shape="point",
        stacks="up" if below else "down",
    )


def _own_place(names: Names, on: Cells, side: int, place: int) -> Cell:
    """Where men of one side have come home, or wait beside the table on which they come in."""
    name = str(names[place])
    return Cell(
        on[side][place],
        x={OFF: HALF + 1, BAR: HALF // 2, HAND: HALF + 2}[place],
        y=1 - side if place == OFF else side,
        label=name,
        links=() if place == OFF else (on[side][FARTHEST],),
        home=side,
        kind="home" if place == OFF else "wait",
        names=(name, "") if side == 0 else ("", name),
    )
