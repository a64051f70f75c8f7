"""The centre of Aviation: an ascension built from 1 to 7 and a descent built from 13 to 8, common to all."""

from __future__ import annotations

from collections.abc import Set
from typing import Final, Literal, NamedTuple

from domain.kit.cards import Card, Cards

Way = Literal["U", "D"]
STEP: Final[dict[Way, int]] = {"U": 1, "D": -1}
CLOSING: Final[dict[Way, int]] = {"U": 7, "D": 8}
NAME: Final[dict[Way, str]] = {"U": "the ascension", "D": "the descent"}


def way_of(card: Card) -> Way:
    """The number of a card says which pile it belongs to."""
    return "U" if card.number <= 7 else "D"


def other_way(way: Way) -> Way:
    return "D" if way == "U" else "U"


class Centre(NamedTuple):
    up: Cards = ()
    down: Cards = ()

    def pile(self, way: Way) -> Cards:
        return self.up if way == "U" else self.down

    def wanted(self, way: Way) -> int:
        """The number that comes next."""
        return len(self.up) + 1 if way == "U" else 13 - len(self.down)

    def built(self, card: Card) -> Centre:
        return self._replace(up=(*self.up, card)) if way_of(card) == "U" else self._replace(down=(*self.down, card))

    def cleared(self, way: Way) -> Centre:
        return self._replace(up=()) if way == "U" else self._replace(down=())


def followers(card: Card, theirs: Set[int]) -> frozenset[int]:
    """The numbers of one's own that can come after this card, over more of theirs where needed. Closing takes an own.

    >>> sorted(followers(Card("C-11"), theirs={10})), sorted(followers(Card("C-10"), theirs={9, 8}))
    ([9, 10], [8, 9])
    """
    way = way_of(card)
    following = card.number + STEP[way]
    found = {following}
    while following in theirs and following != CLOSING[way]:
        following += STEP[way]
        found.add(following)
    return frozenset(found)
