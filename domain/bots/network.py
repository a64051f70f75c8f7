"""A learned evaluation of men on the track of 24 points, in whole numbers throughout.

Positions are judged many at a time, by products of matrices. A machine multiplies matrices quickly only in floating
point; these hold nothing but whole numbers, and no sum can come near to one that would be rounded, so that the result
is the same on every machine. `train` makes the weights.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.bots.marks import MARKS, farthest, marks
from domain.kit.points import BAR, HAND, OFF, TO_GO, Men

Numbers = NDArray[np.int64]
Position = tuple[Men, Men]  # the side that is about to throw, and the other one
ONE: Final = 1 << 20  # certain
MEN: Final = 15
PLACES: Final = HAND + 1
COUNTS: Final = MEN + 1
UNIT: Final = 10  # the inputs of the network times this are whole numbers
STEPS: Final = 64  # of the sigmoid that is stored, for each unit of its argument
SUM_BITS: Final = 14  # what counts as 1 in the sums of the hidden layer
HIDDEN_BITS: Final = 10  # what counts as 1 for a hidden unit and for the weights behind it
MOST_PIPS: Final = MEN * BAR
EXACT: Final = 1 << 24  # whole numbers below this are exact in single precision
BACKGAMMON: Final = 5  # to win at all, double, triple; to lose double, triple
FINER: Final = 4  # how much finer the hidden layer looks at the sigmoid
LOOK_BITS: Final = SUM_BITS - 8
assert STEPS * FINER << LOOK_BITS == 1 << SUM_BITS


def inputs(place: int, count: int) -> tuple[int, int, int, int]:
    """What the network is told of a place with so many men, times ten."""
    if not count:
        return 0, 0, 0, 0
    if place in (OFF, HAND):
        return UNIT, *(2 * min(max(count - low, 0), 5) for low in (0, 5, 10))  # type: ignore[return-value]
    more = 5 * max(0, count - 3)
    if place == BAR:
        return UNIT, UNIT * (count >= 2), UNIT * (count >= 3), more
    return UNIT * (count == 1), UNIT * (count == 2), UNIT * (count >= 3), more


UNITS: Final = np.array([[inputs(place, count) for count in range(COUNTS)] for place in range(PLACES)], np.float32)
PARTS: Final = [mark.parts().astype(np.float32) for mark in MARKS]


class Layer(NamedTuple):
    """One network."""

    marked: bool  # whether it is told the marks
    weights: NDArray[np.float32]  # inputs; hidden
    bias: NDArray[np.float32]
    out: NDArray[np.float64]
    out_bias: Numbers


def unfolded(stored: dict[str, Any]) -> Layer:
    weights = np.array([*stored["men"], *stored["marks"], *stored["pips"]], np.float32)
    layer = Layer(
        bool(stored["marks"]),
        weights,
        np.array(stored["bias"], np.float32),
        np.array(stored["out"], np.float64).T.copy(),
        np.array(stored["out_bias"], np.int64),
    )
    if largest_sum(layer) >= EXACT:
        raise ValueError("the weights are too large to be added up exactly")
    return layer


def largest_sum(layer: Layer) -> float:
    """No sum that comes up on the way to a hidden unit is larger than this, whatever is added first."""
    weights = np.abs(layer.weights.astype(np.float64))
    men = weights[: 2 * PLACES * 4].reshape(2, PLACES, 4, -1)
    total = np.einsum("pcu,spuh->spch", UNITS, men).max(axis=2).sum(axis=(0, 1))
    if layer.marked:
        told = weights[2 * PLACES * 4 : -2].reshape(2, len(MARKS), 2, -1)
        total += sum((part @ told[:, kind]).max(axis=1).sum(axis=0) for kind, part in enumerate(PARTS))
    total += MOST_PIPS * weights[-2:].sum(axis=0) + np.abs(layer.bias)
    return float(total.max())


def make_possible(found: Numbers, borne: NDArray[np.bool_]) -> None:
    """No side loses double once it has borne a man, and nothing comes more often than what it is a part of."""
    found[borne[:, 0], 3] = 0
    found[borne[:, 1], 1] = 0
    np.minimum(found[:, 1], found[:, 0], out=found[:, 1])
    np.minimum(found[:, 3], ONE - found[:, 0], out=found[:, 3])
    np.minimum(found[:, 2], found[:, 1], out=found[:, 2])
    np.minimum(found[:, 4], found[:, 3], out=found[:, 4])


class Network(NamedTuple):
    contact: Layer  # while the sides have still to pass one another
    race: Layer
    curve: Numbers  # the sigmoid from its lowest to its highest argument
    hidden_curve: NDArray[np.float64]  # the same, finer in its argument and coarser in its values

    def judge(self, positions: Sequence[Position]) -> Numbers:
        """What is foreseen for the side that is about to throw, a row for each position; none may be over."""
        flat = b"".join([bytes(side) for position in positions for side in position])
        return self.judge_men(np.frombuffer(flat, np.uint8).reshape(len(positions), 2, PLACES))

    def judge_men(self, men: NDArray[np.uint8]) -> Numbers:
        """The same for positions in rows."""
        far = farthest(men)
        touching = far.sum(axis=1) > BAR
        found = np.empty((len(men), len(self.contact.out_bias)), np.int64)
        for layer, which in ((self.contact, touching), (self.race, ~touching)):
            if which.any():
                found[which] = self._judged(layer, men[which], far[which])
        if found.shape[1] == BACKGAMMON:
            make_possible(found, men[:, :, OFF] > 0)
        return found

    def _judged(self, layer: Layer, men: NDArray[np.uint8], far: Numbers) -> Numbers:
        sums = told(layer.marked, men, far) @ layer.weights + layer.bias
        looked_up = (sums.astype(np.int32) >> LOOK_BITS) + len(self.hidden_curve) // 2
        hidden = self.hidden_curve.take(looked_up, mode="clip")
        total = (hidden @ layer.out).astype(np.int64) + layer.out_bias
        return between(self.curve, total, 2 * HIDDEN_BITS)


PLACE: Final = np.arange(0, PLACES * COUNTS, COUNTS)
FLAT_UNITS: Final = UNITS.reshape(PLACES * COUNTS, 4)


def told(marked: bool, men: NDArray[np.uint8], far: Numbers) -> NDArray[np.float32]:
    """The inputs of a network, a row for each position."""
    count = len(men)
    places, values = 2 * PLACES * 4, 2 * len(MARKS) * 2 if marked else 0
    found = np.empty((count, places + values + 2), np.float32)
    found[:, :places] = FLAT_UNITS.take(men + PLACE, axis=0).reshape(count, -1)
    if marked:
        into = found[:, places:-2].reshape(count, 2, len(MARKS), 2)
        seen = marks(men, far)
        for kind, part in enumerate(PARTS):
            into[:, :, kind] = part.take(seen[:, :, kind], axis=0)
        found[:, places:-2] = into.reshape(count, -1)
    found[:, -2:] = men @ np.array(TO_GO, np.int64)
    return found


def between(curve: Numbers, x: Numbers, bits: int) -> Numbers:
    """The value of the curve at x, where `1 << bits` counts as 1: on the line between two steps."""
    finer = bits - STEPS.bit_length() + 1
    middle = len(curve) // 2
    x = np.clip(x, -middle << finer, (middle << finer) - 1)
    low, rest = (x >> finer) + middle, x & ((1 << finer) - 1)
    found: Numbers = curve[low] + (((curve[low + 1] - curve[low]) * rest) >> finer)
    return found


NETWORKS: Final = ("acey_ducey", "backgammon")


@cache
def network(name: str) -> Network:
    text = resources.files("domain.bots").joinpath("nets", f"{name}.json").read_text(encoding="ascii")
    stored = json.loads(text)
    upper = np.array(stored["sigmoid"], np.int64)
    curve = np.concatenate([ONE - upper[:0:-1], upper])
    reach = len(upper) * FINER - FINER
    x = np.arange(-reach, reach, dtype=np.int64) << (2 * HIDDEN_BITS - 8)
    hidden_curve = (between(curve, x, 2 * HIDDEN_BITS) >> HIDDEN_BITS).astype(np.float64)
    return Network(unfolded(stored["contact"]), unfolded(stored["race"]), curve, hidden_curve)
