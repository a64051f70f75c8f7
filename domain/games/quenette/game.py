"""Quenette (Crown Cards, 1911): follow suit, and take as few O cards as you can.

The pack is dealt out as far as it goes evenly; what is left lies face down and falls to the taker of the first
trick. Each O card taken is a point against you, O-5 is five. After seven hands the smallest total wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, assert_never

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
from domain.kit.idle import idle
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken, legal_plays, with_card_played, with_trick_taken
from domain.kit.refusals import no_hand, not_in_hand, not_your_turn
from domain.kit.scores import leads_alone
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, plus, put

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    hands: int = number(7, 1, 21, rule="QU-18", text="How many hands make a match.")
    first_dealer: str | int = first_dealer("QU-R02")
    extras_view: str = choice("taker", "all", "none", rule="QU-R05", text="Who may look at the extra cards.")
    tie_break: str = choice("share", "extra_hand", rule="QU-R08", text="What a tie for the smallest total means.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    hands: tuple[Cards, ...]
    extras: Cards  # face down until the first trick is taken
    extras_taker: Seat | None
    trick_no: int
    trick: Trick
    voids: Voids
    turn: Seat
    taken: tuple[Cards, ...]
    totals: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    nothing: tuple[Cards, ...] = ((),) * seats
    return Table(options, seats, dealer, 0, False, nothing, (), None, 0, (), no_voids(seats), 0, nothing, (0,) * seats)


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats == 2 and options.hands % 2 == 1, "tie_break", f"two cannot tie over {options.hands} hands of 17 points"),
        (len(FULL_PACK) % seats == 0, "extras_view", f"dealt to {seats} seats the pack leaves no extra cards"),
    )


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """The cards are dealt; what cannot be dealt evenly is left over as extras."""

    hand_no: int
    dealer: Seat
    extras_count: int
    hands: tuple[Secret[Cards], ...]
    extras: Secret[Cards]


@record
class ExtrasTaken:
    """The extra cards go to the taker of the first trick."""

    seat: Seat
    count: int
    cards: Secret[Cards]


@record
class HandScored:
    """The hand is counted: one point against each O card, five against O-5."""

    extras: Cards
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | CardPlayed | TrickTaken | ExtrasTaken | HandScored

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
        return no_hand("QU-18" if is_over(s) else "QU-09")
    if seat != s.turn:
        return not_your_turn("QU-10", s.turn)
    if not card.suit:
        return not_in_hand("QU-02", card)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("QU-10", card)
    return objection_to_following("QU-11", hand, s.trick, card)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: PlayCard | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case PlayCard(card):
            if refusal := objection(s, seat, card):
                raise refusal
            return play_card(s, seat, card)
        case Picked(index):
            return [DealerChosen(index)]
        case Shuffled(deck):
            return [deal(s, deck)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    dealer = next_dealer(s)
    each, over = divmod(len(deck), s.seats)
    hands = dealt(deck, dealer, s.seats, each)
    extras = deck[len(deck) - over :]
    return HandDealt(s.hand_no + 1, dealer, over, each_its_own([in_order(hand) for hand in hands]), hidden(extras))


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    if len(s.trick) < s.seats - 1:
        return events
    trick = (*s.trick, TrickCard(seat, card))
    winner = taker(trick)
    events.append(TrickTaken(s.trick_no, winner))
    takes_extras = s.trick_no == 1 and bool(s.extras)
    if takes_extras:
        audience = {"taker": (winner,), "all": None, "none": ()}[s.options.extras_view]
        events.append(ExtrasTaken(winner, len(s.extras), Secret(s.extras, audience)))
    if len(s.hands[seat]) == 1:
        gained = cards_of(trick) + (s.extras if takes_extras else ())
        delta = tuple(penalty(pile) for pile in put(s.taken, winner, s.taken[winner] + gained))
        events.append(HandScored(s.extras, delta, plus(s.totals, delta)))
    return events


def penalty(taken: Cards) -> int:
    """One point for each O card, five for O-5."""
    return sum(5 if card.number == 5 else 1 for card in taken if card.suit == "O")


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            return with_card_played(s._replace(voids=shown_voids(s.voids, s.trick, seat, card)), seat, card)
        case TrickTaken(seat=seat):
            return with_trick_taken(s, seat)
        case ExtrasTaken(seat=seat, cards=cards):
            return s._replace(extras_taker=seat, taken=put(s.taken, seat, s.taken[seat] + cards.value))
        case HandScored(totals=totals):
            return s._replace(playing=False, totals=totals)
        case HandDealt(hand_no=hand_no, dealer=dealer, hands=hands, extras=extras):
            return s._replace(
                dealer=dealer,
                hand_no=hand_no,
                playing=True,
                hands=unsealed(hands),
                extras=extras.value,
                extras_taker=None,
                trick_no=1,
                voids=no_voids(s.seats),
                turn=left_of(dealer, s.seats),
                taken=((),) * s.seats,
            )
        case DealerChosen(seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    if s.hand_no < s.options.hands or s.playing:
        return False
    return s.options.tie_break == "share" or leads_alone(s.totals, low_wins=True)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals, low_wins=True), s.totals, "smallest_total") if is_over(s) else None
