"""Grafto: which card to play by rule of thumb, and what becomes of a hand if all play by it.

A card is a bit here, and cards are the bits of a number: whoever plays a hand out some hundred times a turn has no time
for tables, views and lists. The bits of a hand, from the lowest up, are its cards from the weakest up, in the order in
which they are listed as legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final

from domain.game import Seat
from domain.games.grafto.events import Bids
from domain.games.grafto.game import CARDS_EACH, ENOUGH_TRICKS, FIVE, STRENGTH, Table, score
from domain.kit.cards import FULL_PACK, SUITS, Card

# ── Cards as bits ───────────────────────────────────────────────────────────────────────────────────────────────

LOWEST_TRUMP: Final = 4 * 13  # plain cards come before, by number and then by suit
PLACE: Final = {
    suit: {
        card: LOWEST_TRUMP + STRENGTH[suit][card] - 87
        if card in STRENGTH[suit]
        else 4 * (card.number - 1) + SUITS.index(card.suit)
        for card in FULL_PACK
    }
    for suit in SUITS
}
BITS: Final = {suit: {card: 1 << place for card, place in PLACE[suit].items()} for suit in SUITS}
PACK: Final = {suit: sum(BITS[suit].values()) for suit in SUITS}
PLACES: Final = LOWEST_TRUMP + 14
TRUMPS: Final = sum(1 << place for place in range(LOWEST_TRUMP, PLACES))
PLAIN: Final = tuple(sum(1 << place for place in range(suit, LOWEST_TRUMP, 4)) for suit in range(4))


def _better(place: int) -> int:
    higher = -1 << (place + 1)
    return TRUMPS & higher if place >= LOWEST_TRUMP else TRUMPS | PLAIN[place % 4] & higher


BETTER: Final = tuple(_better(place) for place in range(PLACES))  # the cards that beat this one where it is led
TRUMP_LED: Final = -1


def as_bits(cards: Iterable[Card], trump: str) -> int:
    bits = BITS[trump]
    return sum([bits[card] for card in cards])


def places(cards: int) -> list[int]:
    """Of each of these cards, the weakest first."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


# ── What a card is worth now, and what it is worth later ────────────────────────────────────────────────────────

TRICK: Final = 1000
LEAD: Final = 310  # to a seat that has nothing to gain by the trick itself
# A trump takes a trick some time, the best one at any time: it is spent where nothing less will do. Each better one
# that is still about takes something off.
BEST_TRUMP: Final = 1090
LESS_EACH: Final = 160
ANY_TRUMP: Final = 250
TRUMP_KEPT: Final = tuple(max(ANY_TRUMP, BEST_TRUMP - LESS_EACH * better) for better in range(14))
LED_BY_BIDDER: Final = 250  # a trump that is led draws others: who needs tricks likes that, who stops him does not
LED_BY_OTHERS: Final = 510
PLAIN_CARD: Final = 4  # for each of its points
HURRY: Final = 65  # percent of all that, to a bidder who needs every trick that is left


def so_far(trick: Iterable[tuple[Seat, int]]) -> tuple[int | None, int, Seat | None]:
    """The suit led, the place of the best card and the seat that has played it."""
    led: int | None = None
    best, winning = -1, None
    for seat, place in trick:
        if led is None:
            led = TRUMP_LED if place >= LOWEST_TRUMP else place % 4
        if place > best and (place >= LOWEST_TRUMP or place % 4 == led):
            best, winning = place, seat
    return led, best, winning


class Standing:
    """How it stands before a trick."""

    __slots__ = ("bids", "hopeful", "left", "open", "tricks")

    def __init__(self, bids: Bids, tricks: Sequence[int]) -> None:
        self.bids, self.tricks = bids, tricks
        self.left = CARDS_EACH - sum(tricks)
        self.open = [count + self.left >= ENOUGH_TRICKS for count in tricks]  # may yet have four
        self.hopeful = [bool(bid) and may for bid, may in zip(bids, self.open, strict=True)]


def wanted(standing: Standing, seat: Seat, winning: Seat | None, behind: int) -> int:
    """What it is worth to take this trick from the seat that has it so far.

    A bidder wants it. The others stop him, and do not mind who of them does; but one that has two or three tricks had
    rather come to four itself, for then the bidders lose. Whoever has bid in vain stops everybody who can come to four.
    """
    bid, own = standing.bids[seat], standing.tricks[seat]
    if standing.hopeful[seat] or (not bid and standing.open[seat] and own >= ENOUGH_TRICKS - 2):
        return TRICK
    if winning is None:
        return LEAD
    rivals = standing.open if bid else standing.hopeful
    seats = len(rivals)
    if rivals[winning] or any(rivals[n % seats] for n in range(seat + 1, seat + 1 + behind)):
        return TRICK
    return 0


@lru_cache(maxsize=4096)
def chances(away: int, total: int) -> tuple[int, ...]:
    """By the number of better cards: how likely it is, in thousandths, that nobody behind has one of them."""
    return tuple(TRICK * away**better // total**better for better in range(len(FULL_PACK)))


def rated(
    cards: Sequence[int],
    hand: int,
    unseen: int,
    led: int | None,
    best: int,
    standing: Standing,
    seat: Seat,
    winning: Seat | None,
    behind: int,
) -> list[int]:
    """A number for each of these cards of a hand, by their places: what it gains now, less what it could later."""
    bids = standing.hopeful[seat]
    want = wanted(standing, seat, winning, behind)
    total = max(1, unseen.bit_count())
    chance = chances(max(0, total - behind * hand.bit_count()), total)
    lead = LED_BY_BIDDER if bids else LED_BY_OTHERS
    hurry = bids and standing.tricks[seat] + standing.left <= ENOUGH_TRICKS
    found = []
    for place in cards:
        better = (unseen & BETTER[place]).bit_count()
        if place < LOWEST_TRUMP:
            keep = PLAIN_CARD * (place // 4 + 1)
        elif led is None:
            keep = lead + place - LOWEST_TRUMP
        else:
            keep = TRUMP_KEPT[better] + place - LOWEST_TRUMP
        if hurry:
            keep = keep * HURRY // 100
        if place > best and (place >= LOWEST_TRUMP or led is None or place % 4 == led):
            found.append(want * chance[better] // TRICK - keep)
        else:
            found.append(-keep)
    return found


# ── The rest of a hand ──────────────────────────────────────────────────────────────────────────────────────────


def to_the_end(s: Table, below: Callable[[int], int]) -> Sequence[int]:
    """The totals after a hand if from here on all play their cards by rule of thumb."""
    trump, seats, bids, bits = s.trump, s.seats, s.bids, BITS[s.trump]
    hands = [as_bits(hand, trump) for hand in s.hands]
    about = PACK[trump] & ~as_bits(s.played, trump) & ~as_bits([play.card for play in s.trick], trump)
    # What all know to be out of play; what was put out face down is known to the seat that did it.
    out = [0] * seats
    if s.graft is None:
        assert s.turn_up is not None
        about &= ~(bits[s.turn_up] | bits[FIVE[trump]])
    elif s.graft.discard.to is None:
        about &= ~bits[s.graft.discard.value]
    else:
        out[s.graft.seat] = bits[s.graft.discard.value]
    tricks = list(s.tricks)
    turn, lying = s.turn, len(s.trick)
    led, best, winning = so_far([(play.seat, PLACE[trump][play.card]) for play in s.trick])
    while True:
        standing = Standing(bids, tricks)
        if not standing.left or _is_settled(standing):
            return score(s, tuple(tricks)).totals
        for behind in range(seats - 1 - lying, -1, -1):
            hand = hands[turn]
            legal = hand
            if led == TRUMP_LED:
                legal = hand & TRUMPS or hand
            elif led is not None and hand & PLAIN[led]:
                legal = hand & (PLAIN[led] | TRUMPS)
            if legal & (legal - 1):
                cards = places(legal)
                unseen = about & ~hand & ~out[turn]
                scores = rated(cards, hand, unseen, led, best, standing, turn, winning, behind)
                most = max(scores)
                if scores.count(most) == 1:
                    place = cards[scores.index(most)]
                else:
                    equal = [place for place, number in zip(cards, scores, strict=True) if number == most]
                    place = equal[below(len(equal))]
            else:
                place = legal.bit_length() - 1
            hands[turn] = hand ^ 1 << place
            about ^= 1 << place
            if led is None:
                led = TRUMP_LED if place >= LOWEST_TRUMP else place % 4
                best, winning = place, turn
            elif place > best and (place >= LOWEST_TRUMP or place % 4 == led):
                best, winning = place, turn
            turn = turn + 1 if turn + 1 < seats else 0
        assert winning is not None
        tricks[winning] += 1
        turn, lying, led, best, winning = winning, 0, None, -1, None


def _is_settled(standing: Standing) -> bool:
    """Whether nothing more can come of it: nobody can have four any more, or somebody has that gets no more for it."""
    return not any(standing.open) or any(
        count >= ENOUGH_TRICKS and not bid for count, bid in zip(standing.tricks, standing.bids, strict=True)
    )
