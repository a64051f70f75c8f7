"""What is used for learning against what is played with: the compiled rules against those of the games, which lead
from a position to the same positions; the marks of these positions; and the network in fractions against the stored one
in whole numbers."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from domain.bots import marks
from domain.bots.network import ONE, network
from domain.games.acey_ducey import game as acey_ducey
from domain.games.backgammon import game as backgammon
from domain.kit.points import OFF, PLAYS, Law, Men, Numbers, playable, played, without
from train.marks import marks as compiled_marks
from train.men import ACEY_DUCEY, MOST, PLACES, SIDES, after_throw, touching
from train.selfplay import OUTPUTS, TABLES, Net, judge, scratch

MEN = 15
STARTS = ((backgammon.SET_UP, backgammon.SET_UP), (acey_ducey.IN_HAND, acey_ducey.IN_HAND))


def law(kind: int, doubles: bool) -> Law:
    if kind == ACEY_DUCEY:
        return acey_ducey.law(acey_ducey.Options(), doubles)
    return backgammon.law(backgammon.Options())


def ends_by_the_game(rules: Law, mine: Men, theirs: Men, numbers: Numbers) -> set[tuple[Men, Men]]:
    if not numbers or mine[OFF] == MEN:
        return {(mine, theirs)}
    plays = playable(rules, mine, theirs, numbers)
    if not plays:
        return {(mine, theirs)}
    ends: set[tuple[Men, Men]] = set()
    for step in plays:
        after = played(mine, theirs, PLAYS[step.start][step.number])
        ends |= ends_by_the_game(rules, *after, without(numbers, step.number))
    return ends


def compare(kind: int, turns: int, seed: int) -> int:
    """Plays so many turns at random and compares after each throw. How many positions there were."""
    rng = random.Random(seed)
    ends, marks = np.empty((MOST + 1, SIDES, PLACES), np.int8), np.empty(MOST + 1, np.uint64)
    mine, theirs = STARTS[kind]
    positions = 0
    for _ in range(turns):
        first, second = rng.randint(1, 6), rng.randint(1, 6)
        numbers = (first,) * 4 if first == second else (max(first, second), min(first, second))
        expected = ends_by_the_game(law(kind, first == second), mine, theirs, numbers)
        low, high = after_throw(np.array([mine, theirs], np.int8), first, second, kind, ends, marks)
        found = {as_men(ends[at]) for at in range(low, high)}
        if any(end[0][OFF] == MEN for end in expected & found):
            expected, found = ({end for end in ends if end[0][OFF] == MEN} for ends in (expected, found))
            found |= expected  # one way to win is as good as another
        if found != expected:
            raise AssertionError(f"{mine} against {theirs} with {numbers}: {found ^ expected}")
        positions += len(found)
        compare_marks(ends[low:high])
        after = rng.choice(sorted(found))
        mine, theirs = STARTS[kind] if after[0][OFF] == MEN else (after[1], after[0])
    return positions


def compare_marks(positions: Any) -> None:
    """Those of the compiled rules against those of the network that is played with."""
    positions = positions[(positions[:, :, OFF] < MEN).all(axis=1)]
    expected = marks.marks(positions.astype(np.uint8), marks.farthest(positions))
    found = np.empty(expected.shape[1:], np.int64)
    for position, row in zip(positions, expected, strict=True):
        compiled_marks(position, found)
        if (found != row).any():
            raise AssertionError(f"{as_men(position)}: {found.tolist()} for {row.tolist()}")


def as_men(position: Any) -> tuple[Men, Men]:
    return tuple(map(int, position[0])), tuple(map(int, position[1]))


def rounding(name: str, kind: int, nets: tuple[Net, Net], positions: Any) -> float:
    """The largest difference, over these positions, between what was learned and what was stored of it."""
    network.cache_clear()
    stored = network(name).judge([as_men(position) for position in positions]) / ONE
    outputs, largest = np.empty(OUTPUTS[kind], np.float32), 0.0
    for position, row in zip(positions, stored, strict=True):
        net = nets[0] if touching(position) else nets[1]
        hidden = net.bias.shape[0]
        judge(net, position, TABLES, scratch(hidden), np.empty(hidden, np.float32), outputs)
        largest = max(largest, float(np.abs(outputs - row).max()))
    return largest
