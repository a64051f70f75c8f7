"""Every end of every throw, found for many positions at once, against the rules of the game."""

from __future__ import annotations

import random

import numpy as np
import pytest

from domain.bots.points import as_position, as_rows, ends
from domain.bots.throws import THROWS, spread
from domain.games.backgammon.game import LAWS, SET_UP
from domain.kit.points import OFF, Law, Men, men, playable

Position = tuple[Men, Men]


def by_the_rules(law: Law, position: Position, throw: tuple[int, int]) -> set[Position]:
    high, low = throw
    numbers = (high,) * 4 if high == low else throw
    return set(ends(lambda mine, theirs, left, _: playable(law, mine, theirs, left), *position, numbers, None).first)


def at_once(law: Law, positions: list[Position]) -> list[list[Position]]:
    """For each position and throw the ends."""
    found, starts = spread(law, as_rows(positions))
    return [[as_position(row) for row in part] for part in np.split(found, starts[1:])]


@pytest.mark.parametrize("law", LAWS.values(), ids=map("-".join, [(bearing, str(high)) for bearing, high in LAWS]))
def test_all_throws_at_once_end_where_the_rules_let_them_end(law: Law) -> None:
    rng = random.Random(8)
    positions: list[Position] = []
    position: Position = (SET_UP, SET_UP)
    while len(positions) < 120:
        mine, theirs = rng.choice(sorted(by_the_rules(law, position, rng.choice(THROWS))))
        position = (SET_UP, SET_UP) if mine[OFF] == 15 else (theirs, mine)
        positions.append(position)
    found = at_once(law, positions)
    for at, ends_of in enumerate(found):
        position, throw = positions[at // len(THROWS)], THROWS[at % len(THROWS)]
        assert len(ends_of) == len(set(ends_of))
        assert set(ends_of) == by_the_rules(law, position, throw), (position, throw)


def test_of_two_numbers_only_one_of_which_can_be_played_the_higher_is_played() -> None:
    # One man, blocked after either number: by the higher one he must go, unless the table says otherwise.
    mine, theirs = men(off=14, p20=1), men(off=13, p14=2)
    throw = THROWS.index((5, 4))
    assert at_once(LAWS["second", True], [(mine, theirs)])[throw] == [(men(off=14, p15=1), theirs)]
    assert len(at_once(LAWS["second", False], [(mine, theirs)])[throw]) == 2
