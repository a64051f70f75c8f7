"""The move generator against an exhaustive search: what is offered is exactly what a whole throw allows."""

from __future__ import annotations

import random

import pytest

from domain.kit.points import (
    BAR,
    HAND,
    HOME,
    Law,
    Men,
    Numbers,
    Step,
    any_number,
    exactly,
    higher_number,
    obstacle,
    or_below,
    or_highest,
    playable,
    played,
    shifted,
    starts,
    without,
)


def most(law: Law, mine: Men, theirs: Men, numbers: Numbers) -> int:
    """How many of the numbers can be played, found by trying every order. Without men none of them is missed."""
    if not any(mine[1:]):
        return len(numbers)
    best = 0
    for number in set(numbers):
        for start in starts(law.leaving, mine, theirs, number):
            after = played(mine, theirs, Step(start, number))
            best = max(best, 1 + most(law, *after, without(numbers, number)))
            if best == len(numbers):
                return best
    return best


def searched(law: Law, mine: Men, theirs: Men, numbers: Numbers) -> set[Step]:
    if not any(mine[1:]):
        return set()
    top = most(law, mine, theirs, numbers)
    first = [Step(start, n) for n in sorted(set(numbers)) for start in starts(law.leaving, mine, theirs, n)]
    good = tuple(
        play for play in first if 1 + most(law, *played(mine, theirs, play), without(numbers, play.number)) == top
    )
    return set(law.only_one(good) if top == 1 and len(set(numbers)) == 2 else good)


def random_sides(rng: random.Random) -> tuple[Men, Men]:
    """Crowded and empty boards, men at home, on the bar and in the hand; no point belongs to both."""
    sides = []
    for _ in range(2):
        men = [0] * (HAND + 1)
        at_home = rng.random() < 0.5
        for _ in range(rng.choice((2, 3, 4, 15, 15))):
            men[rng.randint(0, HOME + rng.randint(0, 2)) if at_home else rng.choice((*range(1, 27), BAR))] += 1
        sides.append(men)
    mine, theirs = sides
    for place in range(1, 25):
        if mine[place]:
            theirs[25 - place] = 0
    return tuple(mine), tuple(theirs)


def random_throw(rng: random.Random) -> tuple[Law, Numbers]:
    first, second = rng.randint(1, 6), rng.randint(1, 6)
    only_one = rng.choice((any_number, higher_number))
    if first == second or rng.random() < 0.3:
        return Law(rng.choice((exactly, or_highest, or_below)), only_one), (first,) * rng.randint(1, 4)
    return Law(rng.choice((exactly, or_highest)), only_one), (first, second)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_offered_is_what_an_exhaustive_search_finds(seed: int) -> None:
    """BG-10, BG-11, BG-25, BG-27, AD-14, AD-27: also that no order of equal numbers is shorter than another, and that
    a last man may go off by either number."""
    rng = random.Random(seed)
    for _ in range(1500):
        mine, theirs = random_sides(rng)
        law, numbers = random_throw(rng)
        offered = playable(law, mine, theirs, numbers)
        assert len(set(offered)) == len(offered)
        assert set(offered) == searched(law, mine, theirs, numbers), (law, mine, theirs, numbers)


def test_an_obstacle_is_named_for_exactly_the_plays_that_are_not_offered() -> None:
    """BG-10, AD-14"""
    rng = random.Random("obstacles")
    seen = set()
    for _ in range(1500):
        mine, theirs = random_sides(rng)
        law, numbers = random_throw(rng)
        offered = playable(law, mine, theirs, numbers)
        for start in range(1, HAND + 1):
            for number in set(numbers):
                found = obstacle(law, mine, theirs, numbers, Step(start, number))
                assert (found is None) == (Step(start, number) in offered)
                seen.add(found)
    assert len(seen) == 11  # every obstacle has come up, and none at all


def test_a_play_that_is_shifted_back_leaves_no_trace() -> None:
    """BG-N4"""
    rng = random.Random("back")
    for _ in range(300):
        mine, theirs = random_sides(rng)
        for play in playable(Law(or_highest, any_number), mine, theirs, (3,)):
            end = max(0, min(play.start, BAR) - 3)
            hit = played(mine, theirs, play)[1] != theirs
            for side, men in ((0, (mine, theirs)), (1, (theirs, mine))):
                there = shifted(men, side, play.start, end, hit)
                assert shifted(there, side, play.start, end, hit, -1) == men
