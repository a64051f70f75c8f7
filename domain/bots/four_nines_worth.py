"""A learned evaluation of Four Nines with one die, in whole numbers throughout: how likely each seat is to win.

Every seat gets a score from a small network, the same for all, which is told where its discs stand and what they have
to fear and to hope for from the others. The scores are exponents, and their powers share the certainty among the seats.
Matrices are multiplied in floating point, but they hold whole numbers only, none of which comes near to one that would
be rounded. `train` makes the weights.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.bots.four_nines_throws import ARMS, EMPTY, PLACES, TURNS, Positions, alone, circles
from domain.games.four_nines.cross import ENTRY, WAITING, Cross

Numbers = NDArray[np.int64]
Told = NDArray[np.int32]

# ── What is told of a disc ──────────────────────────────────────────────────────────────────────────────────────

KNOTS: Final = 8  # the road is told in so many stretches
PART: Final = 16  # what counts as one disc at a knot
COLUMN: Final = 8  # spaces before Home that are told one by one
KINDS: Final = KNOTS + 1 + COLUMN + 4


@cache
def places(on: Cross) -> Told:
    """By the progress of a disc: between two knots of the road it belongs to both in part, the last spaces are told one
    by one; then whether it waits, is Home, is safe on a circle, or stands where it entered."""
    found = np.zeros((on.home + 3, KINDS), np.int32)
    for progress in range(on.gate + 1):
        knot, rest = divmod(progress * KNOTS, on.gate)
        further = PART * rest // on.gate
        found[progress, knot] = PART - further
        if further:
            found[progress, knot + 1] = further
        found[progress, -2] = progress in on.safe and progress != ENTRY
    for progress in range(on.home - COLUMN, on.home):
        found[progress, KNOTS + on.home - progress] = 1
    found[WAITING, -4] = found[on.home, -3] = found[ENTRY, -1] = 1
    return found


# ── What is told of a seat among the others ─────────────────────────────────────────────────────────────────────

MARKS: Final = 38
LONG: Final = 30  # spaces behind a disc from which it is followed
NEAR: Final = 12  # and from which a six can bring a disc past it
ENTERED: Final = 14  # what it is worth in spaces to have a disc on the road at all
ENTRIES: Final = 6  # of 36 throws, those that enter
MOST_LEAD: Final = 150
OTHERS: Final = ~np.eye(PLACES, dtype=np.bool_)
# Whether the place of the column throws before that of the row.
SOONER: Final = np.array(TURNS)[:, None] > np.array(TURNS)


def chance(distance: int) -> int:
    """In how many of 36 cases one throw, or a six and another one, comes so far."""
    if 1 <= distance <= 5:
        return 7
    return 6 if distance == 12 else int(12 < distance < 18 or distance == 24)


# What a disc means to one that stands ahead of it, packed into one number so that it is looked up and summed once.
FOLLOWS, CLOSE, ENTERS = 8, 16, 24
BYTE: Final = 255


@cache
def meetings(on: Cross) -> Told:
    """By the space of a disc (the last: not on the road), and by place and progress of the other one."""
    found = np.zeros((on.track + 1, PLACES, on.home + 3), np.int32)
    for place in range(PLACES):
        for space in range(on.track):
            met = (space - on.quarter * place) % on.track
            if met == ENTRY:
                found[space, place, WAITING - EMPTY] = 1 << ENTERS
            elif met <= on.gate:
                for progress in range(met):
                    distance = met - progress
                    follows, close = max(0, LONG - distance), int(distance <= NEAR)
                    found[space, place, progress - EMPTY] = chance(distance) + (follows << FOLLOWS) + (close << CLOSE)
    return found.reshape(-1)


def added(values: NDArray[Any], axis: int = -1) -> Told:
    """The sum over an axis of four, which numpy finds sooner like this."""
    first, second, third, fourth = np.moveaxis(values, axis, 0)
    found: Told = np.add(first, second, dtype=np.int32) + third + fourth
    return found


@cache
def homeward(on: Cross) -> Told:
    """By the progress of a disc: the number that brings it Home, as a bit."""
    found = np.zeros(on.home + 3, np.int32)
    for bit, number in enumerate((1, 2, 3, 4, 5, 12)):
        found[on.home - number] = 1 << bit
    return found


BITS: Final = np.array([n.bit_count() for n in range(1 << 6)], np.int32)


def exact(on: Cross, positions: Positions) -> Told:
    """How many numbers bring a disc Home."""
    bits = homeward(on)[positions]
    found: Told = BITS[bits[..., 0] | bits[..., 1] | bits[..., 2] | bits[..., 3]]
    return found


def marks(on: Cross, positions: Positions) -> Told:
    """Rows; places; marks."""
    count, width = len(positions), on.home + 3
    road, lone = (positions >= ENTRY) & (positions <= on.gate), alone(positions)
    single, pairs = road & lone, road & ~lone
    exposed = single & (~circles(on)[positions] | (positions == ENTRY))
    space = np.where(road, (positions + on.quarter * ARMS[:, None]) % on.track, on.track).astype(np.int32)
    code = (positions - EMPTY + width * ARMS[:, None]).astype(np.int32)
    index = space.reshape(count, 16, 1) * (PLACES * width) + code.reshape(count, 1, 16)
    each = meetings(on).take(index).reshape(count, 4, 4, 4, 4)
    met = added(each) * OTHERS[:, None, :]  # rows; place and disc that is met; place of those who come
    enters = met >> ENTERS > 0
    cases = (met & BYTE) * exposed[..., None] + ENTRIES * (enters & single[..., None])
    price = (positions + ENTERED).astype(np.int32)
    loss, hits = added(cases * price[..., None], axis=2), added(cases, axis=2)
    followed = added((met >> FOLLOWS & BYTE) * price[..., None], axis=2)
    held = added((met >> CLOSE & BYTE) * pairs[..., None], axis=2)
    shut = added(enters & pairs[..., None], axis=2) > 0

    there = positions[:, :, 0] != EMPTY
    waiting, home = added(positions == WAITING), added(positions == on.home)
    before = there[:, TURNS].cumsum(axis=1)[:, TURNS] - 1
    seats = np.repeat(there.sum(axis=1)[:, None], PLACES, axis=1)
    way = np.where(there, added(np.maximum(positions, 0)), -1)
    ranked = np.sort(way, axis=1)
    best_other = np.where(way == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:])
    found = [
        *(added(part, axis) for axis in (2, 1) for one in (loss, hits) for part in (one * SOONER, one * ~SOONER)),
        *(added(one, axis) for one in (followed, held) for axis in (2, 1)),
        added(pairs) // 2,
        *(before == n for n in range(4)),
        *(seats == n for n in range(2, 5)),
        *(home == n for n in range(1, 5)),
        *(waiting == n for n in range(1, 5)),
        (added(positions == ENTRY) == 2) & (waiting > 0),
        np.where(positions < on.home, np.maximum(positions, 0), 0).max(axis=2),
        added(positions > on.gate) - home,
        added(exposed),
        added(exposed * price),
        way,
        np.clip(way - best_other, -MOST_LEAD, MOST_LEAD),
        exact(on, positions),
        added(shut),
        added(shut, axis=1),
    ]
    return np.stack(found, axis=2).astype(np.int32)


INPUTS: Final = KINDS + MARKS
WAY: Final = KINDS + 33  # the input that says how far the discs of a seat have come


def told(on: Cross, positions: Positions) -> Told:
    """The inputs of the network: rows; places; what is told of each seat."""
    discs = places(on).take(positions, axis=0, mode="wrap")
    return np.concatenate([added(discs, axis=2), marks(on, positions)], axis=2)


# ── The network ─────────────────────────────────────────────────────────────────────────────────────────────────

ONE: Final = 1 << 20  # certain
SUM_BITS: Final = 24  # what counts as 1 in the sums of the hidden layer, and for a score
HIDDEN_BITS: Final = 12  # what counts as 1 for a hidden unit and for the weights behind it
STEP_BITS: Final = 6  # the powers are stored for so many binary places of the exponent
REACH: Final = 20  # who is farther behind than this exponent has no chance at all
POWER_BITS: Final = 30
# exp(-1/64), with 60 binary places; its powers are then whole numbers that any machine finds alike.
STEP, DEEP = 1135047113432355401, 60
MOST_TOLD: Final = 1 << 17  # no input can be larger: four discs, followed by all of the others
EXACT: Final = 1 << 53  # whole numbers below this are exact in double precision


@cache
def powers() -> Numbers:
    """e to the power of minus each step."""
    found, power = [], 1 << DEEP
    for _ in range((REACH << STEP_BITS) + 2):
        found.append(power >> (DEEP - POWER_BITS))
        power = power * STEP >> DEEP
    return np.array(found, np.int64)


class Network(NamedTuple):
    weights: NDArray[np.float64]  # inputs; hidden, and last what leads straight to the score
    bias: NDArray[np.float64]
    out: NDArray[np.float64]

    def judge(self, on: Cross, positions: Positions) -> Numbers:
        """How likely each place is to win, a row for each position; the first place is about to throw."""
        found = np.empty((len(positions), PLACES), np.int64)
        if not len(positions):
            return found
        sums = told(on, positions).reshape(-1, INPUTS) @ self.weights + self.bias
        hidden = np.maximum(sums[:, :-1].astype(np.int64) >> (SUM_BITS - HIDDEN_BITS), 0)
        score = (hidden @ self.out).astype(np.int64) + sums[:, -1].astype(np.int64)
        return shares(score.reshape(-1, PLACES), positions[:, :, 0] != EMPTY)


def shares(score: Numbers, there: NDArray[np.bool_]) -> Numbers:
    """The certainty, divided by the powers of the scores."""
    behind = np.where(there, score, score.min() - (REACH << SUM_BITS))
    behind = behind.max(axis=1, keepdims=True) - behind
    behind = np.minimum(behind, REACH << SUM_BITS)
    step, rest = behind >> (SUM_BITS - STEP_BITS), behind & ((1 << (SUM_BITS - STEP_BITS)) - 1)
    high, low = powers()[step], powers()[step + 1]
    power = np.where(there, high - ((high - low) * rest >> (SUM_BITS - STEP_BITS)), 0)
    found: Numbers = (power * ONE) // power.sum(axis=1, keepdims=True)
    return found


def unfolded(stored: dict[str, Any]) -> Network:
    net = Network(*(np.array(stored[name], np.float64) for name in Network._fields))
    largest = np.abs(net.weights).sum(axis=0).max() * MOST_TOLD + np.abs(net.bias).max()
    behind = largest / (1 << (SUM_BITS - HIDDEN_BITS)) * np.abs(net.out).sum()
    if max(largest, behind) >= EXACT:
        raise ValueError("the weights are too large to be added up exactly")
    return net


@cache
def network() -> Network:
    text = resources.files("domain.bots").joinpath("nets", "four_nines.json").read_text(encoding="ascii")
    return unfolded(json.loads(text))
