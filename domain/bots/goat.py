"""Goat at `strong`: which card is given first, from what the seat holds and from what has come and gone.

Tens and fives hardly ever become a book, since everybody keeps them. One of each is enough to see that nobody else gets
them. What is more than one goes to the left at once: there it is kept, and takes the room of something that could be a
book.

The orders of giving were found by playing the same deals against `steady` again and again, each time with one of the
numbers changed. They are another at three seats, where a single card that is given makes a book for the left too often.
There is no search: what the others hold is so uncertain that playouts do not see the few hundredths of a point by which
one card is better than another. Where no order is known, the rules of thumb of the game are all there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from domain.bots.rollouts import listed
from domain.bots.turn import Search, Thought, Turn
from domain.game import NEVER
from domain.games.goat.events import PassCard
from domain.games.goat.hearsay import Seen
from domain.kit.cards import Cards

Wishes = tuple[int, int, int]  # to give a card of a number, by how many of it the seat holds: one, two or three


class Order(NamedTuple):
    """What is given first: the card with the highest number."""

    old: Wishes  # all that is neither of these
    went: Wishes  # of a number that the seat gave, and none has come since
    new: Wishes  # of the number that came in the last round


# One card of every number is kept, so that nobody else has four.
BLOCKING: Final = Order(old=(1, 5, 2), went=(1, 5, 2), new=(3, 6, 4))
# What comes to a pair may have more behind it, a pair to which nothing comes is broken up, and who has begun to give a
# number gives all of it.
COLLECTING: Final = Order(old=(4, 5, 3), went=(7, 6, 1), new=(5, 2, 1))
SPARE: Final = 8
LAST: Final = {5: 0, 10: -1}  # the only five, the only ten

# By the number of seats, where an order is known to be better than the rules of thumb.
ORDERS: Final[Mapping[int, Order]] = {3: BLOCKING, 5: COLLECTING, 7: COLLECTING, 8: COLLECTING, 9: COLLECTING}


def search(turn: Turn) -> Search:
    commands = listed(turn.commands, turn.below)
    order = ORDERS.get(len(turn.view["hand_counts"]))
    scores: Sequence[int]
    if order is not None and all(isinstance(command, PassCard) for command in commands):
        scores = wishes(order, turn.remembered(), turn.view["hand"], commands)
    else:
        scores = turn.game.bot.rate(turn.view, commands)  # a book is laid down at once
    best = max(scores)
    found = [command for command, score in zip(commands, scores, strict=True) if score == best]
    weighed = sorted(zip(commands, scores, strict=True), key=lambda pair: -pair[1])
    return Thought(found[turn.below(len(found))], 0, tuple(weighed))
    yield


def wishes(order: Order, seen: Seen, hand: Cards, commands: Sequence[PassCard]) -> list[int]:
    counts = [0] * 14
    for card in hand:
        counts[card.number] += 1
    moved = came_and_went(order, seen)
    tried: set[int] = set()
    found = []
    for command in commands:
        number = command.card.number
        held = counts[number]
        if number in tried:
            found.append(NEVER)  # the letter makes no difference
        elif number in LAST:
            found.append(SPARE if held > 1 else LAST[number])
        else:
            found.append(moved.get(number, order.old)[held - 1])
        tried.add(number)
    return found


def came_and_went(order: Order, seen: Seen) -> dict[int, Wishes]:
    """The numbers that moved, by what they did last."""
    found: dict[int, Wishes] = {}
    new = None
    for look in seen.looks:
        if look.gave is not None and look.got is not None:
            new = look.got.number
            found[new] = order.old
            found[look.gave.number] = order.went
    if new is not None:
        found[new] = order.new
    return found
