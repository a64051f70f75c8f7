"""How the four plays of a double are divided, against all ways to play them that there are."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import pytest

from domain.games.acey_ducey import divisions
from domain.kit import points
from domain.kit.points import HAND, Law, Men

Way = tuple[int, ...]


def every_way(law: Law, origin: Men, enemy: Men, number: int) -> list[Way]:
    """The places played from, in every order that is possible."""
    ways: list[Way] = [()]
    for _ in range(4):
        ways = [
            (*way, start)
            for way in ways
            for start in points.starts(law.leaving, divisions.after(origin, number, way), enemy, number)
        ]
    return ways


def goes_on(law: Law, origin: Men, enemy: Men, number: int, made: Way, way: Way) -> bool:
    """Whether these plays are some of that way, and the rest of it can still be played."""
    if Counter(made) - Counter(way):
        return False
    left = (Counter(way) - Counter(made)).elements()
    return any(divisions.is_possible(law, origin, enemy, number, (*made, *order)) for order in permutations(left))


@pytest.mark.parametrize("leaving", [points.or_below, points.or_highest])
def test_a_beginning_fits_if_it_can_end_in_a_way_that_has_a_listed_reading(leaving: object) -> None:
    """AD-R2"""
    rng = random.Random(repr(leaving).split()[1])
    law = Law(leaving, points.any_number)  # type: ignore[arg-type]
    fitting, spoiled = 0, 0
    for _ in range(60):
        number, top = rng.randint(1, 6), rng.choice((6, 12, 24))
        mine, theirs = [0] * 27, [0] * 27
        for place in rng.choices([*range(1, top + 1), HAND], k=rng.choice((2, 3, 5))):
            mine[place] += 1
        for place in rng.sample(range(1, 25), 8):
            theirs[25 - place] = 0 if mine[place] else 2
        origin, enemy = tuple(mine), tuple(theirs)
        readings: dict[Way, set[Way]] = {}
        ways = every_way(law, origin, enemy, number)
        for way in ways:
            readings.setdefault(tuple(sorted(way)), set()).update(divisions.readings(origin, number, way))
        listed = [way for way, found in readings.items() if found & divisions.LISTED]
        for way in rng.sample(ways, min(12, len(ways))):
            for made in (way[:1], way[:2], way[:3], way):
                fits = any(goes_on(law, origin, enemy, number, made, other) for other in listed)
                assert divisions.can_become_listed(law, origin, enemy, number, made) == fits
                fitting, spoiled = fitting + fits, spoiled + (not fits)
    assert fitting > 100 and spoiled > 100
