"""Cards that add up to 7: in a trick, and in a packet that somebody chooses in secret."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from domain.kit.cards import Cards

Numbers = tuple[int, ...]


def holds_seven(cards: Cards) -> bool:
    """Whether two or more of these cards add up to 7; a 7 by itself does not.

    >>> from domain.kit.cards import Card
    >>> holds_seven((Card("C-3"), Card("R-3"), Card("O-1"), Card("W-12")))
    True
    >>> holds_seven((Card("C-7"), Card("R-10")))
    False
    """
    sums = 1  # bit n stands for a sum of n
    for card in cards:
        if card.number < 7:
            sums |= sums << card.number
    return bool(sums >> 7 & 1)


def holds_numbers(cards: Cards, wanted: Numbers) -> bool:
    """Whether these numbers are all on the cards, each as often as it is wanted; suits do not matter."""
    numbers = [card.number for card in cards]
    return all(numbers.count(n) >= wanted.count(n) for n in wanted)


def numbers_of(cards: Cards) -> Numbers:
    """The numbers of these cards, the highest first."""
    return tuple(sorted((card.number for card in cards), reverse=True))


def is_seven(cards: Cards) -> bool:
    """Two or more cards of pairwise different suits that add up to 7."""
    suits = {card.suit for card in cards}
    return len(cards) >= 2 and len(suits) == len(cards) and sum(card.number for card in cards) == 7


def sevens(cards: Cards, most: int) -> Iterator[Cards]:
    """Every seven among these cards, of two cards up to so many."""
    low = [card for card in cards if card.number < 7]
    for count in range(2, most + 1):
        for some in combinations(low, count):
            if is_seven(some):
                yield some


def packets(cards: Cards, size: int) -> Iterator[tuple[Cards, Cards]]:
    """Every way to take so many of these cards with a seven among them: the seven, and the other cards."""
    for seven in sevens(cards, size):
        rest = [card for card in cards if card not in seven]
        for others in combinations(rest, size - len(seven)):
            yield seven, others


def can_recur(packet: Cards, combo: Cards, suits: int) -> bool:
    """Whether the pack without the packet has the secret numbers once more: each number is there once a suit."""
    out, wanted = numbers_of(packet), numbers_of(combo)
    return all(suits - out.count(n) >= wanted.count(n) for n in wanted)
