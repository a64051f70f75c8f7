"""Self-play: a network plays both sides by its own judgement and learns from what came of it, TD(λ).

A network judges a position for the side that is about to throw. Its inputs are, for each side and place, four numbers
that depend on how many men stand there, and the points each side has still to go. Two networks share the work: one for
positions in which the sides have still to pass one another, and one for the race after that.

What it foresees, for Backgammon: a win, a double and a triple one, a double and a triple loss. For Acey-Ducey: a win,
and how many men are left to the loser, of fifteen, if it is won or if it is lost.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from domain.kit.points import BAR, HAND, HOME, OFF
from train.men import ACEY_DUCEY, MOST, PLACES, SIDES, after_throw, compiled, touching, turned

UNITS: Final = 4
MEN: Final = 15
OUTPUTS: Final = (5, 3)  # by kind of game
PIPS: Final = 100.0  # by which pips are divided
LONGEST: Final = 4000  # turns of a game
STEPS: Final = 256  # of the table of the sigmoid, for each unit of its argument
REACH: Final = 16
SIGMOID: Final = (1.0 / (1.0 + np.exp(-np.arange(-REACH * STEPS, REACH * STEPS + 1) / STEPS))).astype(np.float32)


def unit_table() -> Any:
    """The four numbers for each place and count of men."""
    table = np.zeros((PLACES, MEN + 1, UNITS), np.float32)
    for count in range(1, MEN + 1):
        table[1:BAR, count] = (count == 1, count == 2, count >= 3, max(0, count - 3) / 2)
        table[BAR, count] = (1, count >= 2, count >= 3, max(0, count - 3) / 2)
        for place in (OFF, HAND):
            table[place, count] = (1, *(min(max(count - low, 0), 5) / 5 for low in (0, 5, 10)))
    return table


class Net(NamedTuple):
    men: Any  # side, place, unit, hidden
    pips: Any  # side, hidden
    bias: Any  # hidden
    out: Any  # output, hidden
    out_bias: Any  # output


def fresh(rng: Any, hidden: int, outputs: int) -> Net:
    def some(*shape: int, size: float) -> Any:
        return rng.uniform(-size, size, shape).astype(np.float32)

    return Net(
        some(SIDES, PLACES, UNITS, hidden, size=0.2),
        some(SIDES, hidden, size=0.2),
        np.zeros(hidden, np.float32),
        some(outputs, hidden, size=0.2),
        np.full(outputs, -1.0, np.float32),
    )


# ── One position ────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def sigmoid(x: float, table: Any) -> Any:
    at = int(x * STEPS + REACH * STEPS + 0.5)
    return table[min(max(at, 0), 2 * REACH * STEPS)]


@compiled
def judge(net: Net, men: Any, units: Any, table: Any, hidden: Any, outputs: Any) -> None:
    """Fills in the hidden layer and the outputs for the side on roll."""
    size = hidden.shape[0]
    for h in range(size):
        hidden[h] = net.bias[h]
    for side in range(SIDES):
        pips = 0
        for place in range(PLACES):
            count = men[side, place]
            if count > 0:
                pips += min(place, BAR) * count
                for unit in range(UNITS):
                    x = units[place, count, unit]
                    if x != 0:
                        row = net.men[side, place, unit]
                        for h in range(size):
                            hidden[h] += x * row[h]
        share = np.float32(pips / PIPS)
        row = net.pips[side]
        for h in range(size):
            hidden[h] += share * row[h]
    for h in range(size):
        hidden[h] = sigmoid(hidden[h], table)
    for o in range(outputs.shape[0]):
        total = net.out_bias[o]
        for h in range(size):
            total += net.out[o, h] * hidden[h]
        outputs[o] = sigmoid(total, table)


@compiled
def learn(
    net: Net, men: Any, units: Any, table: Any, hidden: Any, outputs: Any, wanted: Any, rate: float, back: Any
) -> None:
    """One step towards what was wanted for this position."""
    judge(net, men, units, table, hidden, outputs)
    size = hidden.shape[0]
    for h in range(size):
        back[h] = 0
    for o in range(outputs.shape[0]):
        step = np.float32(rate * (wanted[o] - outputs[o]))
        net.out_bias[o] += step
        for h in range(size):
            back[h] += step * net.out[o, h]
            net.out[o, h] += step * hidden[h]
    for h in range(size):
        back[h] *= hidden[h] * (1 - hidden[h])
        net.bias[h] += back[h]
    for side in range(SIDES):
        pips = 0
        for place in range(PLACES):
            count = men[side, place]
            if count > 0:
                pips += min(place, BAR) * count
                for unit in range(UNITS):
                    x = units[place, count, unit]
                    if x != 0:
                        row = net.men[side, place, unit]
                        for h in range(size):
                            row[h] += x * back[h]
        share = np.float32(pips / PIPS)
        row = net.pips[side]
        for h in range(size):
            row[h] += share * back[h]


@compiled
def result(men: Any, kind: int, outputs: Any) -> bool:
    """Whether the game is over, and what came of it for side 0."""
    if men[0, OFF] < MEN and men[1, OFF] < MEN:
        return False
    won = men[0, OFF] == MEN
    loser = men[1] if won else men[0]
    for o in range(outputs.shape[0]):
        outputs[o] = 0
    outputs[0] = 1 if won else 0
    if kind == ACEY_DUCEY:
        outputs[1 if won else 2] = (MEN - loser[OFF]) / MEN
    elif loser[OFF] == 0:
        outputs[1 if won else 3] = 1
        for place in range(BAR - HOME, BAR + 1):
            if loser[place] > 0:
                outputs[2 if won else 4] = 1
    return True


@compiled
def for_the_other(outputs: Any, kind: int, found: Any) -> None:
    found[0] = 1 - outputs[0]
    if kind == ACEY_DUCEY:
        found[1], found[2] = outputs[2], outputs[1]
    else:
        found[1], found[2], found[3], found[4] = outputs[3], outputs[4], outputs[1], outputs[2]


@compiled
def equity(outputs: Any, kind: int) -> Any:
    """What it plays for: the points of Backgammon; at Acey-Ducey to win, and a little for the men left."""
    if kind == ACEY_DUCEY:
        return 2 * outputs[0] - 1 + 0.05 * (outputs[1] - outputs[2])
    return 2 * outputs[0] - 1 + outputs[1] + outputs[2] - outputs[3] - outputs[4]


# ── A game ──────────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def below(luck: Any, k: int) -> int:
    """SplitMix64."""
    luck[0] += np.uint64(0x9E3779B97F4A7C15)
    x = luck[0]
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((x ^ (x >> np.uint64(31))) >> np.uint64(33)) % k


@compiled
def best_of(
    nets: Any, kind: int, ends: Any, low: int, high: int, again: bool, units: Any, table: Any, work: Any, best: Any
) -> tuple[int, float]:
    """The end of a throw that is best for the thrower; `best` gets what is foreseen there for the next to throw."""
    view, outputs, contact, race = work
    chosen, most = low, -1e9
    for at in range(low, high):
        if again:
            view[:] = ends[at]
        else:
            turned(ends[at], view)
        if not result(view, kind, outputs):
            if touching(view):
                judge(nets[0], view, units, table, contact, outputs)
            else:
                judge(nets[1], view, units, table, race, outputs)
        value = equity(outputs, kind)
        if not again:
            value = -value
        if value > most:
            chosen, most = at, value
            best[:] = outputs
    return chosen, most


@compiled
def turn(
    nets: Any, kind: int, men: Any, first: int, second: int, units: Any, table: Any, room: Any, work: Any, best: Any
) -> bool:
    """Plays a throw: `men` becomes the position for the next to throw. Whether that is the same side once more."""
    ends, marks = room
    acey_ducey = kind == ACEY_DUCEY and first != second and first + second == 3
    low, high = after_throw(men, first, second, kind, ends, marks)
    at, _ = best_of(nets, kind, ends, low, high, acey_ducey, units, table, work, best)
    men[:] = ends[at]
    if not acey_ducey:
        held = men.copy()
        turned(held, men)
        return False
    if men[0, OFF] == MEN:
        return True
    chosen, most = men.copy(), -1e9
    found = best.copy()
    for number in range(1, 7):
        low, high = after_throw(men, number, number, kind, ends, marks)
        at, value = best_of(nets, kind, ends, low, high, True, units, table, work, found)
        if value > most:
            chosen[:], most = ends[at], value
            best[:] = found
    men[:] = chosen
    return True


@compiled
def play_and_learn(
    nets: Any, kind: int, start: Any, games: int, luck: Any, trust: float, rate: float, units: Any, table: Any,
    room: Any, work: Any, seen: Any, again: Any, foreseen: Any, back: Any,
) -> int:  # fmt: skip
    """So many games, each learned from backwards when it is over. How many turns they took."""
    _, outputs, contact, race = work
    size = outputs.shape[0]
    best, wanted, other = np.empty(size, np.float32), np.empty(size, np.float32), np.empty(size, np.float32)
    men = np.empty((SIDES, PLACES), np.int8)
    turns = 0
    for _ in range(games):
        men[:] = start
        length = 0
        while length < LONGEST and not result(men, kind, outputs):
            seen[length] = men
            again[length] = turn(
                nets, kind, men, 1 + below(luck, 6), 1 + below(luck, 6), units, table, room, work, best
            )
            foreseen[length] = best  # for whoever throws next
            length += 1
        turns += length
        wanted[:] = foreseen[length - 1]
        for at in range(length - 1, -1, -1):
            for o in range(size):
                wanted[o] = trust * wanted[o] + (1 - trust) * foreseen[at, o]
            if not again[at]:
                for_the_other(wanted, kind, other)
                wanted[:] = other
            if touching(seen[at]):
                learn(nets[0], seen[at], units, table, contact, outputs, wanted, rate, back)
            else:
                learn(nets[1], seen[at], units, table, race, outputs, wanted, rate, back)
    return turns


@compiled
def duel(
    nets: Any, others: Any, kind: int, start: Any, games: int, luck: Any, units: Any, table: Any, room: Any, work: Any
) -> tuple[float, float]:
    """So many games between two networks; mean and sum of squares of what the first wins, in what it plays for."""
    outputs = work[1]
    best = np.empty(outputs.shape[0], np.float32)
    men = np.empty((SIDES, PLACES), np.int8)
    total, squares = 0.0, 0.0
    for game in range(games):
        men[:] = start
        mine = game % 2 == 0  # whose turn it is
        length = 0
        while length < LONGEST and not result(men, kind, outputs):
            first, second = 1 + below(luck, 6), 1 + below(luck, 6)
            if mine:
                once_more = turn(nets, kind, men, first, second, units, table, room, work, best)
            else:
                once_more = turn(others, kind, men, first, second, units, table, room, work, best)
            if not once_more:
                mine = not mine
            length += 1
        result(men, kind, outputs)
        gained = equity(outputs, kind) * (1 if mine else -1)
        total += gained
        squares += gained * gained
    return total, squares


class Room(NamedTuple):
    """Arrays to work in, made once."""

    room: Any
    work: Any
    seen: Any
    again: Any
    foreseen: Any
    back: Any


def make_room(kind: int, sizes: tuple[int, int]) -> Room:
    outputs = OUTPUTS[kind]
    return Room(
        (np.empty((MOST + 1, SIDES, PLACES), np.int8), np.empty(MOST + 1, np.uint64)),
        (
            np.empty((SIDES, PLACES), np.int8),
            np.empty(outputs, np.float32),
            np.empty(sizes[0], np.float32),
            np.empty(sizes[1], np.float32),
        ),
        np.empty((LONGEST, SIDES, PLACES), np.int8),
        np.empty(LONGEST, np.bool_),
        np.empty((LONGEST, outputs), np.float32),
        np.empty(max(sizes), np.float32),
    )
