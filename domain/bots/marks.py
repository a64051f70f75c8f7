"""What the places of single men do not tell of a position: who can be hit, who is held back, and by how much.

Both the network that is played with and the one that learns are told these numbers. Here they are found for many
positions at once; `train.marks` finds them for one, compiled, and `train.check` compares the two. A side is a set of
bits, one for each place as that side counts; turned round it is the same set as the other side counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.kit.points import BAR, HAND, HOME, TO_GO

Bits = NDArray[np.uint32]
Values = NDArray[np.int64]
Counts = NDArray[np.int32]


class Mark(NamedTuple):
    """A number that is told of each side. Up to the knee it counts for itself, what is above it apart."""

    name: str
    knee: int
    most: int

    def parts(self) -> NDArray[np.int64]:
        """What the network is told for each value: how much of it lies below the knee, and how much above."""
        values = np.arange(self.most + 1)
        return np.stack([np.minimum(values, self.knee), np.maximum(values - self.knee, 0)], axis=1)


MARKS: Final = (
    Mark("shots", 12, 36),  # throws of 36 that hit a man of this side
    Mark("loss", 4, 24),  # points that these throws cost, on average over all
    Mark("held", 18, 36),  # throws that leave the last man where he is, as far as he has to play both numbers
    Mark("prime", 18, 36),  # the same for a man of the other side where this one holds him best
    Mark("blocked", 12, 60),  # how all men together are held
    Mark("behind", 3, 15),  # men that have still to pass a man of the other side
    Mark("closed", 9, 36),  # throws that do not bring a man of the other side in from the bar
    Mark("lead", 20, 100),  # points by which this side is ahead
)
SHOTS, LOSS, HELD, PRIME, BLOCKED, BEHIND, CLOSED, LEAD = range(len(MARKS))
AHEAD: Final = 12  # points that a man can be brought forward by two dice
HELD_BY: Final = 13  # from so many places on a side may hold a man best
FROM: Final = HOME + 1  # men on this place and behind it can be blocked
NINTHS: Final = 9  # of the throws, in which it is counted how men are blocked


def _escapes() -> NDArray[np.int64]:
    """For every set of held points among the next twelve: throws of 36 with which a man gets by."""
    held = np.arange(1 << AHEAD)
    found = np.zeros(1 << AHEAD, np.int64)
    for high in range(1, 7):
        for low in range(1, high + 1):
            stopped = ((held >> (high - 1)) & 1) & ((held >> (low - 1)) & 1) | (held >> (high + low - 1)) & 1
            found += (1 - stopped) * (1 if high == low else 2)
    return found


ESCAPES: Final = _escapes()
STOPPED: Final = (36 - ESCAPES).astype(np.uint8)
ON_BAR: Final = np.uint32(1 << BAR)


def bits(men: NDArray[np.bool_]) -> Bits:
    """One set for each row of 32 places."""
    packed: Bits = np.packbits(men, axis=-1, bitorder="little").view("<u4")[..., 0]
    return packed


def top(found: Bits) -> Counts:
    """The highest place of each set, 0 for none: the exponent of the number. No rounding can change it, since a side
    has fewer men than a fraction has bits."""
    exponent: Counts = found.astype(np.float32).view(np.int32) >> 23
    return np.maximum(exponent, 127) - 127


def farthest(men: NDArray[np.uint8]) -> Values:
    """The place of the farthest man of each side; one in hand enters like one on the bar."""
    occupied = men[:, :, :0:-1] > 0  # from the hand down to place 1
    found: Values = np.minimum(HAND - occupied.argmax(axis=2), BAR)
    return found


def marks(men: NDArray[np.uint8], far: Values) -> Values:
    """For each position, side and mark the value. The farthest man of each side comes with the men."""
    count = len(men)
    places = np.zeros((4, count, 2, 32), np.bool_)
    inner = men[:, :, 1:BAR]
    held, blots = inner > 1, inner == 1
    places[0, :, :, 1:BAR] = held
    places[1, :, :, 1:BAR] = held[:, ::-1, ::-1]
    places[2, :, :, 1:BAR] = blots[:, ::-1, ::-1]
    places[3, :, :, 1:BAR] = inner > 0
    places[3, :, :, BAR] = (men[:, :, BAR] > 0) | (men[:, :, HAND] > 0)
    holding, closed, targets, attackers = bits(places).reshape(4, -1)
    other = (slice(None), slice(None, None, -1))

    found = np.empty((count, 2, len(MARKS)), np.int64)
    shots, loss = shots_of(attackers, targets, ~closed, men[:, :, BAR].reshape(-1))
    found[:, :, SHOTS], found[:, :, LOSS] = shots.reshape(-1, 2)[other], loss.reshape(-1, 2)[other] // 36

    # From each place that the side counts from the far end of the track: throws that the side stops there.
    ahead = (holding >> np.arange(1, BAR + 1, dtype=np.uint32)[:, None]) & np.uint32((1 << AHEAD) - 1)
    stops = STOPPED.take(ahead).reshape(BAR, count, 2)
    found[:, :, PRIME] = stops[:HELD_BY].max(axis=0)
    met = stops[:, :, ::-1]
    rows, sides = np.ogrid[:count, :2]
    found[:, :, HELD] = met[BAR - far, rows, sides]
    # The places from the bar down to the last that counts, each with what is stopped there.
    waiting = men[:, :, BAR : FROM - 1 : -1].transpose(2, 0, 1).astype(np.uint16)
    blocked = (waiting * met[: BAR - FROM + 1]).sum(axis=0)
    found[:, :, BLOCKED] = np.minimum(blocked // NINTHS, MARKS[BLOCKED].most)
    reach = np.arange(HAND + 1) > BAR - far[:, ::-1, None]
    found[:, :, BEHIND] = (men * reach).sum(axis=2)
    home = held[:, :, :HOME].sum(axis=2)
    found[:, :, CLOSED] = home * home
    pips = men @ np.array(TO_GO, np.int64)
    found[:, :, LEAD] = np.clip(pips[:, ::-1] - pips, 0, MARKS[LEAD].most)
    return found


def shots_of(attackers: Bits, targets: Bits, free: Bits, on_bar: NDArray[np.uint8]) -> tuple[Counts, Counts]:
    """How many throws of 36 hit, and the points that the dearest hit of each costs, all added up. A side with a man on
    the bar enters first; with two of them it does nothing else."""
    shots, loss = np.zeros(len(attackers), np.int32), np.zeros(len(attackers), np.int32)
    waiting, aimed_at = on_bar > 0, targets > 0
    for rows in (np.flatnonzero(aimed_at & ~waiting), np.flatnonzero(aimed_at & waiting)):
        if not len(rows):
            continue
        men, aims, open_ = attackers[rows], targets[rows], free[rows]
        if waiting[rows[0]]:
            others = np.where(on_bar[rows] == 1, men & ~ON_BAR, np.uint32(0))
            unequal, equal = _entered(others, open_)
        else:
            unequal, equal = _reached(men, open_)
        for reached, ways in ((unequal, 2), (equal, 1)):
            hit = aims & reached
            shots[rows] += ways * (hit > 0).sum(axis=0, dtype=np.int32)
            loss[rows] += ways * top(hit).sum(axis=0, dtype=np.int32)
    return shots, loss


def _column(numbers: Iterable[int]) -> Bits:
    return np.array(list(numbers), np.uint32)[:, None]


HIGH, LOW = (_column(pair[n] for pair in combinations(range(6, 0, -1), 2)) for n in (0, 1))
DOUBLE: Final = _column(range(1, 7))


def _reached(men: Bits, free: Bits) -> tuple[Bits, Bits]:
    """All places to which a throw brings one of these men: by each throw of unequal numbers, by each of equal ones."""
    one, two = men >> HIGH, men >> LOW
    return one | two | ((one & free) >> LOW) | ((two & free) >> HIGH), _in_a_row(men, free, 4)


def _entered(others: Bits, free: Bits) -> tuple[Bits, Bits]:
    """The same when a man has to come in first, and then the others can be played, if there are any."""
    found = np.zeros((len(HIGH), len(others)), np.uint32)
    for first, second in ((HIGH, LOW), (LOW, HIGH)):
        entered = (ON_BAR >> first) & free
        found |= entered | ((_with_others(entered, others) >> second) & free)
    entered = (ON_BAR >> DOUBLE) & free
    return found, entered | _in_a_row(_with_others(entered, others), free, 3)


def _with_others(entered: Bits, others: Bits) -> Bits:
    return np.where((entered > 0) & (others > 0), others | entered, np.uint32(0))


def _in_a_row(men: Bits, free: Bits, times: int) -> Bits:
    found = at = (men >> DOUBLE) & free
    for _ in range(times - 1):
        at = (at >> DOUBLE) & free
        found = found | at
    return found
