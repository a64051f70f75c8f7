"""Every use of a throw of one die at Four Nines, for many positions at once.

The rules are those of the game, once more and for speed only: what a bot may do itself is found by the game, and a test
plays both side by side. A position is four places by four discs, each disc by its progress. The first place is that
of the thrower, the others follow in the direction of march; where nobody sits all discs are at `EMPTY`.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.games.four_nines.cross import DISCS, ENTRY, WAITING, Cross

Positions = NDArray[np.int16]
Index = NDArray[np.int64]
Flags = NDArray[np.bool_]
PLACES: Final = 4
EMPTY: Final = -2
STAY: Final = DISCS  # the last way to use a number: a disc enters, or nothing happens
WAYS: Final = DISCS + 1
ARMS: Final = np.arange(PLACES, dtype=np.int16)
EACH: Final = np.arange(DISCS)
OTHERS: Final = (PLACES - 1) * DISCS
NOWHERE: Final = -9
# Whoever throws after the first place: turns go against the direction of march.
TURNS: Final = [0, 3, 2, 1]


class Uses(NamedTuple):
    """What can be done with a number: a row for each position, four discs to move, and `STAY`."""

    positions: Positions  # rows; ways; places; discs
    open: Flags  # rows; ways


@cache
def circles(on: Cross) -> Flags:
    """Whether a disc is on a circle, by its progress; the last rows are for discs that are not on the road."""
    found = np.zeros(on.home + 3, np.bool_)
    found[[progress for progress in sorted(on.safe) if progress <= on.gate]] = True
    return found


def alone(positions: Positions) -> Flags:
    """Whether no other disc of its owner stands where a disc stands."""
    found = np.ones(positions.shape, np.bool_)
    for one, two in combinations(range(DISCS), 2):
        apart = positions[..., one] != positions[..., two]
        found[..., one] &= apart
        found[..., two] &= apart
    return found


def uses(on: Cross, positions: Positions, number: NDArray[np.int16], compulsory: bool = True) -> Uses:
    """Every way to use the number of each row; 12 for a six."""
    own, others = positions[:, 0], positions[:, 1:]
    lone, waiting = alone(positions), own == WAITING
    running = (own >= ENTRY) & (own < on.home)
    # The discs of the others, by the progress at which the thrower would meet them.
    met = (others + on.quarter * ARMS[1:, None]) % on.track
    there = (others >= ENTRY) & (others <= on.gate) & (met <= on.gate)
    safe = (circles(on)[others] & (others != ENTRY) & (met != ENTRY)).reshape(-1, OTHERS)
    met, paired = np.where(there, met, NOWHERE).reshape(-1, OTHERS), ~lone[:, 1:].reshape(-1, OTHERS)
    walls = np.where(paired, met, NOWHERE)

    to = own + number[:, None]
    same = to[:, :, None] == met[:, None, :]
    hit = same & ~(paired | safe)[:, None, :]
    shut = ~running | (to > on.home) | (same & safe[:, None, :]).any(axis=2)
    shut |= passed(own, to, walls) | passed(own, to, np.where(running & ~lone[:, 0], own, NOWHERE))
    room = ((own == ENTRY).sum(axis=1) < 2) & ~(walls == ENTRY).any(axis=1)
    entering = (number == 5) & waiting.any(axis=1) & room

    found = np.repeat(positions[:, None], WAYS, axis=1)
    found[:, EACH, 0, EACH] = to
    found[:, :DISCS, 1:][hit.reshape(-1, DISCS, PLACES - 1, DISCS)] = WAITING
    rows = np.flatnonzero(entering)
    found[rows, STAY, 0, waiting[rows].argmax(axis=1)] = ENTRY
    found[:, STAY, 1:][(entering[:, None] & (met == ENTRY)).reshape(-1, PLACES - 1, DISCS)] = WAITING
    moves = ~shut & ~entering[:, None]
    must = (moves & ~hit.any(axis=2)).any(axis=1) & compulsory
    return Uses(found, np.concatenate([moves, ~must[:, None]], axis=1))


def passed(own: Positions, to: Positions, walls: Positions) -> Flags:
    """Whether a disc would come to a wall, or past it."""
    between: Flags = (own[:, :, None] < walls[:, None, :]) & (walls[:, None, :] <= to[:, :, None])
    found: Flags = np.any(between, axis=2)
    return found


def forfeited(on: Cross, positions: Positions) -> Positions:
    """After the third six: the disc nearest Home goes back to wait."""
    own, rows = positions[:, 0], np.arange(len(positions))
    nearest = np.where(own < on.home, own, NOWHERE).argmax(axis=1)
    found = positions.copy()
    found[rows, 0, nearest] = np.minimum(own[rows, nearest], WAITING)
    return found


def next_thrower(positions: Positions) -> Index:
    """The place of whoever throws after the first one."""
    there = positions[:, :, 0] != EMPTY
    return np.where(there[:, 3], 3, np.where(there[:, 2], 2, 1))


def turned(positions: Positions, first: Index) -> Positions:
    """The same positions with another place as the first one."""
    found: Positions = positions[np.arange(len(positions))[:, None], (first[:, None] + ARMS) % PLACES]
    return found
