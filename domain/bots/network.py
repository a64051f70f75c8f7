"""A learned evaluation of men on the track of 24 points, in whole numbers throughout.

What each place with so many men adds to the hidden layer is known beforehand, so that a position is judged by adding up
54 rows of a table: no product, no rounding, and the same result on every machine. `train` makes the weights.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.kit.points import BAR, HAND, OFF, TO_GO, Men

Numbers = NDArray[np.int64]
Position = tuple[Men, Men]  # the side that is about to throw, and the other one
ONE: Final = 1 << 20  # certain
MEN: Final = 15
PLACES: Final = HAND + 1
COUNTS: Final = MEN + 1
UNIT: Final = 10  # the inputs of the network times this are whole numbers
PIP_FINER: Final = 64
STEPS: Final = 64  # of the sigmoid that is stored, for each unit of its argument
SUM_BITS: Final = 12  # what counts as 1 in the sums of the hidden layer
HIDDEN_BITS: Final = 10  # what counts as 1 for a hidden unit and for the weights behind it
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


class Layer(NamedTuple):
    """One network, unfolded."""

    table: NDArray[np.int32]  # side, place, count in one; hidden
    bias: NDArray[np.int32]
    out: Numbers
    out_bias: Numbers


def unfolded(stored: dict[str, Any]) -> Layer:
    units = np.array([[inputs(place, count) for count in range(COUNTS)] for place in range(PLACES)], np.int64)
    men = np.array(stored["men"], np.int64).reshape(2, PLACES, 4, -1)
    pips = np.array(stored["pips"], np.int64)
    to_go = np.outer(TO_GO, range(COUNTS))
    table = np.einsum("pcu,spuh->spch", units, men) + to_go[None, :, :, None] * pips[:, None, None, :] // PIP_FINER
    rows = table.reshape(2 * PLACES * COUNTS, -1).astype(np.int32)
    bias = np.array(stored["bias"], np.int32)
    return Layer(rows, bias, np.array(stored["out"], np.int64).T.copy(), np.array(stored["out_bias"], np.int64))


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
    hidden_curve: NDArray[np.int64]  # the same, finer in its argument and coarser in its values

    def judge(self, positions: Sequence[Position]) -> Numbers:
        """What is foreseen for the side that is about to throw, a row for each position; none may be over."""
        flat = b"".join([bytes(side) for position in positions for side in position])
        men = np.frombuffer(flat, np.uint8).reshape(len(positions), 2, PLACES)
        occupied = men[:, :, :0:-1] > 0  # from the hand down to place 1
        farthest = np.minimum(HAND - occupied.argmax(axis=2), BAR)
        touching = farthest.sum(axis=1) > BAR
        at = men.reshape(len(positions), -1) + np.arange(0, 2 * PLACES * COUNTS, COUNTS)
        found = np.empty((len(positions), len(self.contact.out_bias)), np.int64)
        for layer, which in ((self.contact, touching), (self.race, ~touching)):
            if which.any():
                found[which] = self._judged(layer, at[which].T.copy())
        if found.shape[1] == BACKGAMMON:
            make_possible(found, men[:, :, OFF] > 0)
        return found

    def _judged(self, layer: Layer, at: NDArray[np.intp]) -> Numbers:
        sums = layer.table[at[0]] + layer.bias
        for column in at[1:]:
            sums += layer.table.take(column, axis=0)
        looked_up = (sums >> LOOK_BITS) + len(self.hidden_curve) // 2
        hidden = self.hidden_curve.take(looked_up, mode="clip")
        total = hidden @ layer.out + layer.out_bias
        return between(self.curve, total, 2 * HIDDEN_BITS)


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
    hidden_curve = between(curve, x, 2 * HIDDEN_BITS) >> HIDDEN_BITS
    return Network(unfolded(stored["contact"]), unfolded(stored["race"]), curve, hidden_curve)
