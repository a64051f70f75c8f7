"""Kid-O (Crown Cards, 1911): six tricks a hand, three of which cost a point, and one card costs five.

Six cards are dealt to each seat, the rest stays unseen. The very first card dealt is shown: its suit is the Kid-O
suit, and the highest card of that suit among all cards dealt is the Kid-O card. Nobody says which card that is before
the hand is over; the players must guess it from what falls. Suit must be followed, there are no trumps. Tricks 2, 4
and 6 are a point each against their takers, the Kid-O card is five, in whichever trick it falls. After seven hands the
fewest points win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

from domain.game import (
    Lot,
    Outcome,
    Picked,
    Refused,
    Seat,
    Secret,
    Shuffled,
    choice,
    each_its_own,
    first_dealer,
    hidden,
    number,
    ranked,
    record,
)
from domain.kit.cards import FULL_PACK, Card, Cards, in_order
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.plays import CardPlayed, PlayCard, legal_plays, with_card_played
from domain.kit.refusals import no_hand, not_in_hand, not_your_turn
from domain.kit.scores import leads_alone
from domain.kit.tricks import (
    Trick,
    TrickCard,
    Voids,
    by_number,
    cards_of,
    no_voids,
    objection_to_following,
    shown_voids,
    taker,
)
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, plus, put

CARDS_EACH: Final = 6
KID_O_POINTS: Final = 5

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    hands: int = number(7, 1, 21, rule="KO-21", text="How many hands make a match.")
    first_dealer: str | int = first_dealer("KO-R01")
    tie_break: str = choice("share", "extra_hand", rule="KO-R05", text="What a tie for the lowest total means.")


class Taken(NamedTuple):
    """A trick that was taken, with the point that it costs by itself."""

    seat: Seat
    cards: Cards
    points: int


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    hands: tuple[Cards, ...]
    undealt: Cards  # face down, out of play
    eldest: Seat | None
    first_card: Card | None  # shown by eldest; its suit is the Kid-O suit
    kid_o_card: Card | None  # unknown here too until the hand is counted, so that no view can give it away
    trick_no: int
    trick: Trick
    voids: Voids
    turn: Seat
    tricks: tuple[Taken, ...]
    totals: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    return Table(
        options=options,
        seats=seats,
        dealer=dealer,
        hand_no=0,
        playing=False,
        hands=((),) * seats,
        undealt=(),
        eldest=None,
        first_card=None,
        kid_o_card=None,
        trick_no=0,
        trick=(),
        voids=no_voids(seats),
        turn=0,
        tricks=(),
        totals=(0,) * seats,
    )


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """Six cards are dealt to each seat; the very first is shown to all before it joins eldest's hand."""

    hand_no: int
    dealer: Seat
    eldest: Seat
    first_card: Card
    kid_o_suit: str
    undealt_count: int
    hands: tuple[Secret[Cards], ...]
    undealt: Secret[Cards]


@record
class TrickTaken:
    """A trick is complete and goes to its taker; tricks 2, 4 and 6 cost a point."""

    trick_no: int
    seat: Seat
    points: int  # for the trick itself; the Kid-O card is not counted yet


@record
class HandScored:
    """The hand is counted, and the Kid-O card is named."""

    kid_o_card: Card
    kid_o_trick: int
    kid_o_taker: Seat
    even_tricks: tuple[Seat, ...]  # who took tricks 2, 4 and 6
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | CardPlayed | TrickTaken | HandScored

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    return legal_plays(s, seat, objection)


def objection(s: Table, seat: Seat, card: Card) -> Refused | None:
    """Why this card may not be played, or nothing. The one source of legality."""
    if not s.playing:
        return no_hand("KO-21" if is_over(s) else "KO-12")
    if seat != s.turn:
        return not_your_turn("KO-13", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("KO-13" if card in FULL_PACK else "KO-02", card)
    return objection_to_following("KO-14", hand, s.trick, card)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: PlayCard | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case PlayCard(card=card):
            if refusal := objection(s, seat, card):
                raise refusal
            return play_card(s, seat, card)
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return [deal(s, deck)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    dealer = next_dealer(s)
    hands = dealt(deck, dealer, s.seats, CARDS_EACH)
    undealt = deck[CARDS_EACH * s.seats :]
    return HandDealt(
        hand_no=s.hand_no + 1,
        dealer=dealer,
        eldest=left_of(dealer, s.seats),
        first_card=deck[0],
        kid_o_suit=deck[0].suit,
        undealt_count=len(undealt),
        hands=each_its_own([in_order(hand) for hand in hands]),
        undealt=hidden(undealt),
    )


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    played = CardPlayed(seat, card)
    if len(s.trick) < s.seats - 1:
        return [played]
    winner = taker((*s.trick, TrickCard(seat, card)))
    taken = TrickTaken(s.trick_no, winner, 1 if s.trick_no % 2 == 0 else 0)
    if len(s.hands[seat]) > 1:
        return [played, taken]
    return [played, taken, score(evolve(evolve(s, played), taken))]


def score(s: Table) -> HandScored:
    """The count after the last trick, when all the cards that were dealt lie open and the Kid-O card can be told."""
    assert s.first_card is not None
    suit = s.first_card.suit
    kid_o = max((card for trick in s.tricks for card in trick.cards if card.suit == suit), key=by_number)
    trick_no, victim = next((no, trick.seat) for no, trick in enumerate(s.tricks, start=1) if kid_o in trick.cards)
    points = trick_points(s)
    delta = put(points, victim, points[victim] + KID_O_POINTS)
    even_tricks = tuple(trick.seat for trick in s.tricks if trick.points)
    return HandScored(kid_o, trick_no, victim, even_tricks, delta, plus(s.totals, delta))


def trick_points(s: Table) -> tuple[int, ...]:
    """What the tricks taken so far cost each seat, the Kid-O card left aside."""
    return tuple(sum(trick.points for trick in s.tricks if trick.seat == seat) for seat in range(s.seats))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            voids = shown_voids(s.voids, s.trick, seat, card)
            return with_card_played(s if voids is s.voids else s._replace(voids=voids), seat, card)
        case TrickTaken(seat=seat, points=points):
            tricks = (*s.tricks, Taken(seat, cards_of(s.trick), points))
            return s._replace(trick=(), trick_no=s.trick_no + 1, tricks=tricks, turn=seat)
        case HandScored(kid_o_card=kid_o_card, totals=totals):
            return s._replace(playing=False, kid_o_card=kid_o_card, totals=totals)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                playing=True,
                hands=unsealed(event.hands),
                undealt=event.undealt.value,
                eldest=event.eldest,
                first_card=event.first_card,
                kid_o_card=None,
                trick_no=1,
                voids=no_voids(s.seats),
                turn=event.eldest,
                tricks=(),
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    if s.hand_no < s.options.hands or s.playing:
        return False
    return s.options.tie_break == "share" or leads_alone(s.totals, low_wins=True)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals, low_wins=True), s.totals, "fewest_points") if is_over(s) else None
