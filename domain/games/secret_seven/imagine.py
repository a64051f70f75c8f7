"""What a seat of Secret Seven could imagine: other hands, the cards over, and a packet that the dealer could choose."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from domain.game import Seat
from domain.games.secret_seven.game import Table
from domain.games.secret_seven.sevens import can_recur, holds_numbers, numbers_of, sevens
from domain.games.secret_seven.view import knows_packet
from domain.kit.cards import Card, Cards, in_order
from domain.kit.tricks import cards_of, no_voids
from domain.kit.unseen import Below, Unseen, dealt_anew, unseen_hands, ways, weighted


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """Every deal, with every choice of the dealer that fits what the seat has seen, is equally likely."""
    if s.phase == "selecting":
        return s
    now = s
    if s.phase == "awaiting_deal":
        # What lies about is from the hand before; the packet was chosen from the whole pack.
        now = s._replace(taken=(), turned=None, voids=no_voids(s.seats))
    knows = knows_packet(s, seat)
    seen = {*now.hands[seat], now.turned, *cards_of(now.trick), *(card for trick in now.taken for card in trick.cards)}
    seen |= set(s.packet if knows else ())
    unseen = tuple([card for card in s.pack if card not in seen])
    closed = [tuple([card for card in hand if card is not now.turned]) for hand in now.hands]
    places = [*unseen_hands(closed, now.voids, seat), Unseen(len(s.over))]
    size = 0 if knows else s.packet_size
    places.append(Unseen(len(unseen) - size - sum(place.size for place in places)))  # what is not dealt yet
    found: Sequence[Cards]
    if knows:
        found = dealt_anew(unseen, places, below)
    else:
        closed_packet = ClosedPacket(
            unseen=unseen,
            places=tuple(places),
            size=size,
            suits=s.seats,
            must_recur=s.options.require_possible,
            # A dealer may let the secret pass, so that a trick tells something only where the table calls by itself.
            passed=tuple([trick.cards for trick in now.taken]) if s.options.auto_call else (),
        )
        seven, rest, *found = drawn_secret(closed_packet, below)
        s = s._replace(packet=in_order(seven + rest), combo=numbers_of(seven))
    *drawn, over, _ = found
    # All have seen the card that was turned up, and know the dealer to hold it until it is played.
    shown = [tuple([card for card in hand if card is now.turned]) for hand in s.hands]
    hands = [in_order(cards + known) for cards, known in zip(drawn, shown, strict=True)]
    hands[seat] = s.hands[seat]
    return s._replace(hands=tuple(hands), over=over)


class ClosedPacket(NamedTuple):
    """All that the chances of a packet depend on, for a seat that has not seen it."""

    unseen: Cards
    places: tuple[Unseen, ...]  # where the unseen cards lie that are not in the packet
    size: int
    suits: int
    must_recur: bool  # the rest of the pack has the secret numbers once more
    passed: tuple[Cards, ...]  # tricks that are known not to hold the secret


def drawn_secret(known: ClosedPacket, below: Below) -> Sequence[Cards]:
    """The Secret Seven, the rest of the packet, and the cards of all other places."""
    found, weights = likely_sevens(known)
    while True:
        seven = found[weighted(weights, below)]
        rest, *others = dealt_anew(without_cards(known.unseen, seven), with_rest(known, seven), below)
        # A packet is drawn again if its other cards have made the secret impossible, which is rare.
        if not known.must_recur or can_recur(seven + rest, seven, known.suits):
            return (seven, rest, *others)


@lru_cache(maxsize=64)
def likely_sevens(known: ClosedPacket) -> tuple[Sequence[Cards], Sequence[int]]:
    """What the Secret Seven could be, and in how many ways all other cards could then lie. Whoever imagines one table a
    thousand times has it counted once."""
    found = [
        seven
        for seven in sevens(known.unseen, known.size)
        if (not known.must_recur or can_recur(seven, seven, known.suits))
        and not any(holds_numbers(trick, numbers_of(seven)) for trick in known.passed)
    ]
    return found, [ways(without_cards(known.unseen, seven), with_rest(known, seven)) for seven in found]


def with_rest(known: ClosedPacket, seven: Cards) -> Sequence[Unseen]:
    return [Unseen(known.size - len(seven)), *known.places]


def without_cards(cards: Cards, gone: Cards) -> Sequence[Card]:
    return [card for card in cards if card not in gone]
