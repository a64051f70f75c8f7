"""Self-play: a network plays both sides by its own judgement and learns from what came of it, TD(λ).

A network judges a position for the side that is about to throw. Its inputs are, for each side and place, four numbers
that depend on how many men stand there, and the points each side has still to go. Two networks share the work: one for
positions in which the sides have still to pass one another, which is told the marks of each side as well, and one for
the race after that.

What it foresees, for Backgammon: a win, a double and a triple one, a double and a triple loss. For Acey-Ducey: a win,
and how many men are left to the loser, of fifteen, if it is won or if it is lost.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from domain.kit.points import BAR, HAND, HOME, OFF
from train.marks import KINDS, PARTS, marks, part_table
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
    marks: Any  # side, mark, part, hidden; of the race none
    pips: Any  # side, hidden
    bias: Any  # hidden
    out: Any  # output, hidden
    out_bias: Any  # output


class Tables(NamedTuple):
    """What does not change."""

    units: Any
    parts: Any
    sigmoid: Any


TABLES: Final = Tables(unit_table(), part_table(), SIGMOID)


def fresh(rng: Any, hidden: int, outputs: int, kinds: int) -> Net:
    def some(*shape: int, size: float) -> Any:
        return rng.uniform(-size, size, shape).astype(np.float32)

    return Net(
        some(SIDES, PLACES, UNITS, hidden, size=0.2),
        some(SIDES, kinds, PARTS, hidden, size=0.2),
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


class Scratch(NamedTuple):
    """A position as a network sees it."""

    men: Any
    marks: Any
    pips: Any
    sums: Any


@compiled
def add_row(sums: Any, row: Any, x: Any) -> None:
    for h in range(sums.shape[0]):
        sums[h] += x * row[h]


@compiled
def look(net: Net, men: Any, tables: Tables, seen: Scratch, base: Scratch, near: bool) -> None:
    """Adds up what is seen of a position; if it is near to another one, only what has changed since."""
    sums = seen.sums
    sums[:] = base.sums if near else net.bias
    for side in range(SIDES):
        pips = 0
        for place in range(PLACES):
            count = men[side, place]
            pips += min(place, BAR) * count
            before = base.men[side, place] if near else 0
            if count != before:
                for unit in range(UNITS):
                    x = tables.units[place, count, unit] - tables.units[place, before, unit]
                    if x != 0:
                        add_row(sums, net.men[side, place, unit], x)
        seen.pips[side] = pips
        add_row(sums, net.pips[side], np.float32((pips - (base.pips[side] if near else 0)) / PIPS))
    if net.marks.shape[1] > 0:
        marks(men, seen.marks)
        for side in range(SIDES):
            for kind in range(KINDS):
                value = seen.marks[side, kind]
                before = base.marks[side, kind] if near else 0
                if value != before:
                    for part in range(PARTS):
                        x = tables.parts[kind, value, part] - tables.parts[kind, before, part]
                        if x != 0:
                            add_row(sums, net.marks[side, kind, part], x)


@compiled
def conclude(net: Net, tables: Tables, sums: Any, hidden: Any, outputs: Any) -> None:
    for h in range(sums.shape[0]):
        hidden[h] = sigmoid(sums[h], tables.sigmoid)
    for o in range(outputs.shape[0]):
        total = net.out_bias[o]
        for h in range(hidden.shape[0]):
            total += net.out[o, h] * hidden[h]
        outputs[o] = sigmoid(total, tables.sigmoid)


@compiled
def judge(net: Net, men: Any, tables: Tables, seen: Scratch, hidden: Any, outputs: Any) -> None:
    """Fills in the hidden layer and the outputs for the side on roll."""
    look(net, men, tables, seen, seen, False)
    conclude(net, tables, seen.sums, hidden, outputs)


@compiled
def learn(
    net: Net, men: Any, tables: Tables, seen: Scratch, hidden: Any, outputs: Any, wanted: Any, rate: float, back: Any
) -> None:
    """One step towards what was wanted for this position."""
    judge(net, men, tables, seen, hidden, outputs)
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
    back = back[:size]
    for side in range(SIDES):
        for place in range(PLACES):
            count = men[side, place]
            if count > 0:
                for unit in range(UNITS):
                    x = tables.units[place, count, unit]
                    if x != 0:
                        add_row(net.men[side, place, unit], back, x)
        add_row(net.pips[side], back, np.float32(seen.pips[side] / PIPS))
        for kind in range(net.marks.shape[1]):
            for part in range(PARTS):
                x = tables.parts[kind, seen.marks[side, kind], part]
                if x != 0:
                    add_row(net.marks[side, kind, part], back, x)


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


class Work(NamedTuple):
    """Arrays to work in, made once. Of two, the first is for positions that touch and the second for the race."""

    ends: Any
    prints: Any
    men: Any
    outputs: Any
    hidden: Any
    seen: Any
    base: Any


@compiled
def best_of(nets: Any, kind: int, low: int, high: int, again: bool, tables: Tables, work: Work, best: Any) -> Any:
    """The end of a throw that is best for the thrower; `best` gets what is foreseen there for the next to throw. All
    ends of a throw are near to the first of them."""
    view, outputs = work.men, work.outputs
    chosen, most = low, -1e9
    near_contact, near_race = False, False
    for at in range(low, high):
        if again:
            view[:] = work.ends[at]
        else:
            turned(work.ends[at], view)
        if not result(view, kind, outputs):
            if touching(view):
                look(nets[0], view, tables, work.seen[0], work.base[0], near_contact)
                conclude(nets[0], tables, work.seen[0].sums, work.hidden[0], outputs)
                if not near_contact:
                    keep(view, work.seen[0], work.base[0])
                    near_contact = True
            else:
                look(nets[1], view, tables, work.seen[1], work.base[1], near_race)
                conclude(nets[1], tables, work.seen[1].sums, work.hidden[1], outputs)
                if not near_race:
                    keep(view, work.seen[1], work.base[1])
                    near_race = True
        value = equity(outputs, kind)
        if not again:
            value = -value
        if value > most:
            chosen, most = at, value
            best[:] = outputs
    return chosen, most


@compiled
def keep(men: Any, seen: Scratch, base: Scratch) -> None:
    base.men[:] = men
    base.marks[:] = seen.marks
    base.pips[:] = seen.pips
    base.sums[:] = seen.sums


@compiled
def turn(nets: Any, kind: int, men: Any, first: int, second: int, tables: Tables, work: Work, best: Any) -> bool:
    """Plays a throw: `men` becomes the position for the next to throw. Whether that is the same side once more."""
    acey_ducey = kind == ACEY_DUCEY and first != second and first + second == 3
    low, high = after_throw(men, first, second, kind, work.ends, work.prints)
    at, _ = best_of(nets, kind, low, high, acey_ducey, tables, work, best)
    men[:] = work.ends[at]
    if not acey_ducey:
        held = men.copy()
        turned(held, men)
        return False
    if men[0, OFF] == MEN:
        return True
    chosen, most = men.copy(), -1e9
    found = best.copy()
    for number in range(1, 7):
        low, high = after_throw(men, number, number, kind, work.ends, work.prints)
        at, value = best_of(nets, kind, low, high, True, tables, work, found)
        if value > most:
            chosen[:], most = work.ends[at], value
            best[:] = found
    men[:] = chosen
    return True


class Game(NamedTuple):
    """What is remembered of a game until it is over."""

    seen: Any
    again: Any
    foreseen: Any
    back: Any


@compiled
def play_and_learn(
    nets: Any, kind: int, start: Any, games: int, luck: Any, trust: float, rate: float, tables: Tables, work: Work,
    game: Game,
) -> int:  # fmt: skip
    """So many games, each learned from backwards when it is over. How many turns they took."""
    outputs = work.outputs
    size = outputs.shape[0]
    best, wanted, other = np.empty(size, np.float32), np.empty(size, np.float32), np.empty(size, np.float32)
    men = np.empty((SIDES, PLACES), np.int8)
    turns = 0
    for _ in range(games):
        men[:] = start
        length = 0
        while length < LONGEST and not result(men, kind, outputs):
            game.seen[length] = men
            game.again[length] = turn(nets, kind, men, 1 + below(luck, 6), 1 + below(luck, 6), tables, work, best)
            game.foreseen[length] = best  # for whoever throws next
            length += 1
        turns += length
        wanted[:] = game.foreseen[length - 1]
        for at in range(length - 1, -1, -1):
            for o in range(size):
                wanted[o] = trust * wanted[o] + (1 - trust) * game.foreseen[at, o]
            if not game.again[at]:
                for_the_other(wanted, kind, other)
                wanted[:] = other
            if touching(game.seen[at]):
                learn(nets[0], game.seen[at], tables, work.seen[0], work.hidden[0], outputs, wanted, rate, game.back)
            else:
                learn(nets[1], game.seen[at], tables, work.seen[1], work.hidden[1], outputs, wanted, rate, game.back)
    return turns


@compiled
def duel(nets: Any, others: Any, kind: int, start: Any, games: int, luck: Any, tables: Tables, work: Work) -> Any:
    """So many games between two networks; mean and sum of squares of what the first wins, in what it plays for."""
    outputs = work.outputs
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
                once_more = turn(nets, kind, men, first, second, tables, work, best)
            else:
                once_more = turn(others, kind, men, first, second, tables, work, best)
            if not once_more:
                mine = not mine
            length += 1
        result(men, kind, outputs)
        gained = equity(outputs, kind) * (1 if mine else -1)
        total += gained
        squares += gained * gained
    return total, squares


def scratch(hidden: int) -> Scratch:
    return Scratch(
        np.zeros((SIDES, PLACES), np.int8),
        np.zeros((SIDES, KINDS), np.int64),
        np.zeros(SIDES, np.int64),
        np.zeros(hidden, np.float32),
    )


def make_work(kind: int, sizes: tuple[int, int]) -> Work:
    return Work(
        np.empty((MOST + 1, SIDES, PLACES), np.int8),
        np.empty(MOST + 1, np.uint64),
        np.empty((SIDES, PLACES), np.int8),
        np.empty(OUTPUTS[kind], np.float32),
        (np.empty(sizes[0], np.float32), np.empty(sizes[1], np.float32)),
        (scratch(sizes[0]), scratch(sizes[1])),
        (scratch(sizes[0]), scratch(sizes[1])),
    )


def make_game(kind: int, sizes: tuple[int, int]) -> Game:
    return Game(
        np.empty((LONGEST, SIDES, PLACES), np.int8),
        np.empty(LONGEST, np.bool_),
        np.empty((LONGEST, OUTPUTS[kind]), np.float32),
        np.empty(max(sizes), np.float32),
    )
