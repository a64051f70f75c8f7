"""Dealing anew: places that refuse some cards and need others, every deal that fits as often as any other."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import sqrt

import pytest

from domain.kit.unseen import Unseen, dealt_anew

CARDS = "ABCDEF"


def is_among(letters: str) -> Callable[[str], bool]:
    return lambda card: card in letters


PLACES = {
    "one need": [Unseen(2, needs=(is_among("A"),)), Unseen(4)],
    "one of several": [Unseen(2, needs=(is_among("AB"),)), Unseen(4)],
    "two needs that one card can meet": [Unseen(2, needs=(is_among("AB"), is_among("BC"))), Unseen(4)],
    "a need and a refusal": [Unseen(3, is_among("C"), (is_among("AC"),)), Unseen(3)],
    "two that need the same": [Unseen(2, needs=(is_among("AB"),)), Unseen(2, needs=(is_among("AB"),)), Unseen(2)],
}


@pytest.mark.parametrize("places", PLACES.values(), ids=PLACES)
def test_every_deal_that_fits_comes_up_as_often_as_it_should(places: list[Unseen]) -> None:
    rng = random.Random(7)
    should: set[tuple[tuple[str, ...], ...]] = set()
    for order in permutations(CARDS):
        cards = list(order)
        found = []
        for place in places:
            found.append(tuple(cards[: place.size]))
            del cards[: place.size]
        if all(fits(place, own) for place, own in zip(places, found, strict=True)):
            should.add(tuple(found))
    throws = 100 * len(should)
    have = Counter(dealt_anew(CARDS, places, rng.randrange) for _ in range(throws))
    assert set(have) == should
    assert all(abs(count - 100) <= 5 * sqrt(100) for count in have.values())


def fits(place: Unseen, own: tuple[str, ...]) -> bool:
    refused = place.refuses is not None and any(map(place.refuses, own))
    return not refused and all(any(map(need, own)) for need in place.needs)


def test_a_place_whose_need_nothing_meets_is_no_place() -> None:
    with pytest.raises(ValueError, match="no deal fits"):
        dealt_anew("AB", [Unseen(1, needs=(is_among("C"),)), Unseen(1)], random.Random(1).randrange)
