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


def leads_home(card: Card, own: Set[int], theirs: Set[int]) -> bool:
    """Whether a number of one's own can come after this card, over more of theirs where needed. Closing takes an own.

    >>> leads_home(Card("C-11"), own={9}, theirs={10}), leads_home(Card("C-10"), own={2}, theirs={9, 8})
    (True, False)
    """
    way = way_of(card)
    following = card.number + STEP[way]
    while following not in own:
        if following == CLOSING[way] or following not in theirs:
            return False
        following += STEP[way]
    return True
