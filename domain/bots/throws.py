"""Every end of every throw, for many positions at once.

The rules are those of `domain.kit.points`, once more and for speed only: the command that a bot makes is found by the
rules of its game, and a test plays both side by side. A position is a row of two sides by 27 places, the thrower first.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.kit.points import BAR, HAND, HOME, OFF, Law, exactly, higher_number, or_below

Rows = NDArray[np.uint8]
Index = NDArray[np.int64]
THROWS: Final = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
WAYS: Final = tuple(1 if high == low else 2 for high, low in THROWS)  # of 36
MEN: Final = 15
PLACES: Final = HAND + 1
PLACE: Final = np.arange(PLACES)
# For each number and start: where the other side counts the end, and whether it is on the board.
ENDS: Final = np.array([[min(BAR, n + BAR - min(p, BAR)) for p in range(PLACES)] for n in range(7)])
ON_BOARD: Final = np.array([[min(p, BAR) > n for p in range(PLACES)] for n in range(7)])


class Orders(NamedTuple):
    """The numbers of each throw in the orders in which they can be played."""

    throw: Index
    numbers: Index  # up to four, then noughts
    lower_first: NDArray[np.bool_]


@cache
def orders() -> Orders:
    found = [
        (throw, numbers, numbers[0] < numbers[1])
        for throw, (high, low) in enumerate(THROWS)
        for numbers in (((high,) * 4 + (0,),) if high == low else ((high, low, 0, 0, 0), (low, high, 0, 0, 0)))
    ]
    throws, numbers, lower = zip(*found, strict=True)
    return Orders(np.array(throws), np.array(numbers), np.array(lower))


@cache
def weights() -> NDArray[np.uint64]:
    """Random numbers by which a position is told from others: for each side and place, and for what it belongs to."""
    state, found = 1, []
    for _ in range(2 * PLACES + 1):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        found.append(state ^ (state >> 29) | 1)
    return np.array(found, np.uint64)


class Spread(NamedTuple):
    """The ends of all throws: those of position n and throw t stand from `starts[21 * n + t]` on."""

    men: Rows
    starts: Index


def spread(law: Law, positions: Rows) -> Spread:
    """Every end of every throw at each position. As much of a throw is played as any order of it allows."""
    ways, count = orders(), len(positions)
    per = len(ways.throw)
    group = (np.arange(count)[:, None] * len(THROWS) + ways.throw).reshape(-1)
    order = np.tile(np.arange(per), count)
    men = np.repeat(positions, per, axis=0)
    marks = group.astype(np.uint64) * weights()[-1]
    # Among throws of which only one number can be played, those with the higher one come before the others.
    lower = ways.lower_first if law.only_one is higher_number else np.zeros(per, np.bool_)
    kept: list[tuple[Rows, NDArray[np.uint64], Index, Index]] = []
    for used in range(5):
        number = ways.numbers[order, used]
        over = (number == 0) | (men[:, 0, OFF] == MEN)
        rows, start = plays(law, men, np.where(over, 0, number), ~over)
        stuck = np.ones(len(men), np.bool_)
        stuck[rows] = False
        rank = np.where(over, 8, 2 * used - lower[order])[stuck]
        kept.append((men[stuck], marks[stuck], group[stuck], rank))
        if not len(rows):
            break
        group, order = group[rows], order[rows]
        men, marks = played(men[rows], marks[rows], start, number[rows])
        if used:
            _, first = np.unique(marks, return_index=True)
            men, marks, group, order = men[first], marks[first], group[first], order[first]
    men, marks, group, rank = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    best = np.zeros(count * len(THROWS), np.int64) - 1
    np.maximum.at(best, group, rank)
    last = np.flatnonzero(rank == best[group])
    _, first = np.unique(marks[last], return_index=True)
    last = last[first]
    last = last[np.argsort(group[last], kind="stable")]
    return Spread(men[last], np.searchsorted(group[last], np.arange(count * len(THROWS))))


def plays(law: Law, men: Rows, number: Index, on: NDArray[np.bool_]) -> tuple[Index, Index]:
    """The rows and places from which a man can be played by the number of the row."""
    mine, theirs = men[:, 0], men[:, 1]
    enemies = np.take_along_axis(theirs, ENDS[number], axis=1)
    found = (mine > 0) & ON_BOARD[number] & (enemies < 2)
    waiting = mine[:, BAR] > 0
    found[waiting, :BAR] = False
    found[waiting, HAND] = False
    home = np.flatnonzero(~mine[:, HOME + 1 :].any(axis=1))
    if len(home):
        inner, die = mine[home, : HOME + 1] > 0, number[home]
        reachable = inner & (PLACE[: HOME + 1] <= die[:, None])
        reachable[:, OFF] = False
        place = HOME - reachable[:, ::-1].argmax(axis=1)
        leaves = reachable.any(axis=1)
        if law.leaving is exactly:
            leaves &= place == die
        elif law.leaving is not or_below:
            leaves &= (place == die) | ~(inner & (PLACE[: HOME + 1] > die[:, None])).any(axis=1)
        found[home[leaves], place[leaves]] = True
    found[~on] = False
    rows, start = np.nonzero(found)
    return rows, start


def played(men: Rows, marks: NDArray[np.uint64], start: Index, number: Index) -> tuple[Rows, NDArray[np.uint64]]:
    """The rows after one man of each was played. The men that come are changed."""
    rows, weight = np.arange(len(men)), weights()
    end = np.maximum(np.minimum(start, BAR) - number, OFF)
    men[rows, 0, start] -= 1
    men[rows, 0, end] += 1
    hit = (end > OFF) & (men[rows, 1, BAR - end] == 1)
    struck, at = rows[hit], BAR - end[hit]
    men[struck, 1, at] = 0
    men[struck, 1, BAR] += 1
    marks = marks + weight[end] - weight[start]
    marks[struck] += weight[PLACES + BAR] - weight[PLACES + at]
    return men, marks
