"""Dealing anew what a seat has not seen: every deal that fits what it knows is equally likely.

A place (a hand, a stock, a packet) takes a certain number of cards and may refuse some of them: a hand that did not
follow a suit holds none of it. It may also need some: a seat that did what takes a certain card has one. Cards that are
the same to all places are of one class. How many ways there are to fill the
places is counted by class, and the deal is drawn by these counts, so that no deal has to be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import comb, factorial, prod
from typing import Any, NamedTuple, TypeVar

from domain.game import Seat, record
from domain.kit.cards import Card, Cards, in_order
from domain.kit.tricks import Voids

C = TypeVar("C", bound=Hashable)
Below = Callable[[int], int]  # below(k): a number from 0 to k - 1
Counts = tuple[int, ...]  # of the cards of each class
Sorts = tuple[tuple[bool, ...], ...]  # of a class, by place: whether it is accepted, and which needs it meets


class Unseen(NamedTuple):
    """A place whose cards a seat cannot see: how many they are, which they cannot be, and which must be among them."""

    size: int
    refuses: Callable[[Any], bool] | None = None  # None: it can hold anything
    needs: tuple[Callable[[Any], bool], ...] = ()  # of each of these kinds it has one card at least

    @property
    def choosy(self) -> bool:
        return self.size > 0 and (self.refuses is not None or self.needs != ())


def letter_of(card: Card) -> str:
    return card.suit


def unseen_hands(
    hands: Sequence[Cards], voids: Voids, seat: Seat, suit_of: Callable[[Card], str] = letter_of
) -> list[Unseen]:
    """The other hands as places, each without the suits that it has shown not to hold; one's own takes nothing."""
    return [
        Unseen(0) if other == seat else Unseen(len(hand), OutOf(none, suit_of) if none else None)
        for other, (hand, none) in enumerate(zip(hands, voids, strict=True))
    ]


@record
class OutOf:
    """Refuses the cards of these suits. Equal by what it refuses, so that places can be compared."""

    suits: frozenset[str]
    suit_of: Callable[[Card], str]

    def __call__(self, card: Card) -> bool:
        return self.suit_of(card) in self.suits


def hands_anew(
    hands: Sequence[Cards],
    voids: Voids,
    seat: Seat,
    below: Below,
    *,
    shown: Card | None = None,
    piles: Sequence[Cards] = (),
    suit_of: Callable[[Card], str] = letter_of,
    order: Callable[[Sequence[Card]], Cards] = in_order,
) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """The other hands, in the order in which they are held, and the piles that nobody sees, all dealt anew.

    A card that was `shown` to all before it was taken into a hand stays in that hand.
    """
    kept = [hand if other == seat else tuple(c for c in hand if c is shown) for other, hand in enumerate(hands)]
    rest = [() if other == seat else tuple(c for c in hand if c is not shown) for other, hand in enumerate(hands)]
    places = [*unseen_hands(rest, voids, seat, suit_of), *(Unseen(len(pile)) for pile in piles)]
    found = dealt_anew(in_order(card for cards in (*rest, *piles) for card in cards), places, below)
    return (
        tuple(order((*own, *more)) if more else own for own, more in zip(kept, found[: len(hands)], strict=True)),
        found[len(hands) :],
    )


def dealt_anew(cards: Sequence[C], places: Sequence[Unseen], below: Below) -> tuple[tuple[C, ...], ...]:
    """These cards, spread over these places; the cards of each place in random order.

    >>> dealt_anew("AB", [Unseen(1), Unseen(1, lambda card: card == "A")], lambda k: 0)
    (('A',), ('B',))
    >>> dealt_anew("ABC", [Unseen(2), Unseen(1, needs=("C".__eq__,))], lambda k: 0)
    (('A', 'B'), ('C',))
    """
    if sum(place.size for place in places) != len(cards):
        raise ValueError("the places do not take these cards")
    # Places that can hold anything come last: they share what is left, and need no counting.
    choosy = [n for n, place in enumerate(places) if place.choosy]
    found: list[tuple[C, ...]] = [()] * len(places)
    rest = list(cards)
    if choosy:
        rest = _filled([places[n] for n in choosy], rest, below, choosy, found)
    rest = shuffled(rest, below)
    for n, place in enumerate(places):
        if not place.choosy:
            found[n], rest = tuple(rest[: place.size]), rest[place.size :]
    return tuple(found)


def _filled(
    places: Sequence[Unseen], cards: Sequence[C], below: Below, where: Sequence[int], found: list[tuple[C, ...]]
) -> list[C]:
    """Fills the choosy places, and gives back what is left over for the others."""
    classes = _classes(places, cards)
    sorts = tuple(sorted(classes))
    left = [shuffled(classes[sort], below) for sort in sorts]
    ways = _Ways.known(sorts, tuple(place.size for place in places))
    for n, place in enumerate(where):
        counts = tuple(len(some) for some in left)
        chosen = below_large(below, ways.from_place(n, counts))
        for taken, many, _ in ways.choices(n, counts):
            chosen -= many
            if chosen < 0:
                own = [some.pop() for some, k in zip(left, taken, strict=True) for _ in range(k)]
                found[place] = tuple(shuffled(own, below))
                break
    return [card for some in left for card in some]


def _classes(places: Sequence[Unseen], cards: Sequence[C]) -> dict[Sorts, list[C]]:
    """The cards by what they are to these places."""
    found: dict[Sorts, list[C]] = {}
    for card in cards:
        sort = tuple(
            (place.refuses is None or not place.refuses(card), *(need(card) for need in place.needs))
            for place in places
        )
        found.setdefault(sort, []).append(card)
    return found


def ways(cards: Sequence[C], places: Sequence[Unseen]) -> int:
    """In how many ways these cards can be spread over these places, whatever their order there.

    >>> ways("ABCD", [Unseen(2), Unseen(2)]), ways("ABCD", [Unseen(2, lambda card: card == "A"), Unseen(2)])
    (6, 3)
    """
    choosy = [place for place in places if place.choosy]
    classes = _classes(choosy, cards)
    sorts = tuple(sorted(classes))
    counted = _Ways.known(sorts, tuple(place.size for place in choosy))
    in_some_order = counted.from_place(0, tuple(len(classes[sort]) for sort in sorts))
    return in_some_order // prod(factorial(place.size) for place in places if not place.choosy)


def weighted(weights: Sequence[int], below: Below) -> int:
    """The place of one of these weights, drawn as often as it weighs."""
    number = below_large(below, sum(weights))
    return next(place for place, reached in enumerate(accumulate(weights)) if number < reached)


class _Ways:
    """How many ways there are to fill places, by what they accept and need and how much they hold. Whoever imagines one
    table a thousand times has it counted once."""

    def __init__(self, sorts: tuple[Sorts, ...], sizes: Counts) -> None:
        self._sorts, self._sizes = sorts, sizes
        self._from: dict[tuple[int, Counts], int] = {}
        self._choices: dict[tuple[int, Counts], list[tuple[Counts, int, Counts]]] = {}

    @staticmethod
    @lru_cache(maxsize=256)
    def known(sorts: tuple[Sorts, ...], sizes: Counts) -> _Ways:
        return _Ways(sorts, sizes)

    def from_place(self, n: int, counts: Counts) -> int:
        """To fill the places from n on, and the places that can hold anything with the rest."""
        if n == len(self._sizes):
            return factorial(sum(counts))
        if (n, counts) not in self._from:
            self._from[n, counts] = sum(many for _, many, _ in self.choices(n, counts))
        return self._from[n, counts]

    def choices(self, n: int, counts: Counts) -> list[tuple[Counts, int, Counts]]:
        """What place n may take of each class, in how many ways all the rest can follow, and what then remains."""
        if (n, counts) not in self._choices:
            self._choices[n, counts] = list(self._listed(n, counts))
        return self._choices[n, counts]

    def _listed(self, n: int, counts: Counts) -> Iterator[tuple[Counts, int, Counts]]:
        size = self._sizes[n]
        limits = [min(count, size) if sort[n][0] else 0 for count, sort in zip(counts, self._sorts, strict=True)]
        for taken in product(*(range(limit + 1) for limit in limits[:-1])):
            last = size - sum(taken)
            own = (*taken, last)
            if 0 <= last <= limits[-1] and self._has_what_it_needs(n, own):
                after = tuple(count - some for count, some in zip(counts, own, strict=True))
                many = prod(comb(count, some) for count, some in zip(counts, own, strict=True))
                yield own, many * self.from_place(n + 1, after), after

    def _has_what_it_needs(self, n: int, own: Counts) -> bool:
        met = [sort[n][1:] for sort, some in zip(self._sorts, own, strict=True) if some]
        return all(map(any, zip(*met, strict=True)))


def below_large(below: Below, k: int) -> int:
    """A number from 0 to k - 1, however large k is, from numbers of sixteen bits."""
    if not k:
        raise ValueError("no deal fits what is known")
    while True:
        value, reach = 0, 1
        while reach < k:
            value, reach = value * 65536 + below(65536), reach * 65536
        if value < reach - reach % k:
            return value % k


def shuffled(cards: Sequence[C], below: Below) -> list[C]:
    found = list(cards)
    for last in range(len(found) - 1, 0, -1):
        other = below(last + 1)
        found[last], found[other] = found[other], found[last]
    return found
