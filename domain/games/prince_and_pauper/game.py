"""Prince and Pauper (Crown Cards, 1911): take tricks with fives and tens in them, and never the Pauper.

All 52 cards are dealt, and the last one, turned up, names the trumps. Suit must be followed, but it is the highest
suit of a trick that takes it: trumps, then C, R, O and W, so that a C-1 thrown on a led R-13 wins. The Prince is the
highest trump. The Pauper costs ten: its holder may slip it into a trick from the third place on when cards there add
up to 13; a player who is left with nothing else must play it, and then it takes the trick, even from the Prince.

Taken fives count 1, tens 2, the two of trumps 2, the Prince 3, the most tricks 3. The best total from 75 on wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, assert_never

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
    number,
    ranked,
    record,
)
from domain.kit.cards import PAUPER, PRINCE, Card, Cards, in_order, pack, without
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.plays import PlayCard, legal_plays, with_trick_taken
from domain.kit.refusals import must_follow, no_hand, not_in_hand, not_your_turn
from domain.kit.scores import reached_alone
from domain.kit.tricks import Trick, TrickCard, Voids, no_voids
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, plus, put

PACK: Final[Cards] = (
    *pack(range(1, 13), "C"),
    *pack(range(1, 14), "RO"),
    *pack(range(2, 14), "W"),
    PRINCE,
    PAUPER,
)


def ranking(trump: str) -> dict[Card, int]:
    """How high every card stands: by suit first, the trumps on top, then by number. The Pauper is below them all."""
    ladder = "WORC".replace(trump, "") + trump
    height = {card: 13 * ladder.index(card.suit) + card.number for card in PACK if card.suit}
    return {PAUPER: 0, **height, PRINCE: 13 * len(ladder) + 1}


RANKING: Final = {trump: ranking(trump) for trump in "CROW"}
# To their taker; the 2 of trumps counts 2 besides.
VALUES: Final = {card: {5: 1, 10: 2}.get(card.number, 0) for card in PACK} | {PRINCE: 3, PAUPER: -10}


def suit_of(card: Card, trump: str) -> str:
    """The Prince is a trump, for leading and for following. The Pauper has no suit."""
    return trump if card is PRINCE else card.suit


# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(75, 1, 500, rule="PP-R10", text="The total that ends the match when one seat alone leads.")
    first_dealer: str | int = first_dealer("PP-R01")
    turned_special: str = choice(
        "c_trump", "redeal", rule="PP-R02", text="What happens when the Prince or the Pauper is turned up."
    )
    most_tricks_tie: str = choice("none", "each", rule="PP-R09", text="Who scores the most tricks when seats tie.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    voided: bool  # the last deal came to nothing and is made again
    hands: tuple[Cards, ...]
    turned: Card | None
    owner: Seat | None  # of the card turned up
    trump: str  # empty while there is none
    trick_no: int
    trick: Trick
    crowned: Seat | None  # the seat that was left with the Pauper alone: the trick on the table is its own
    voids: Voids  # of the suits as they are followed, so that a seat without trumps has no Prince either
    turn: Seat
    tricks: tuple[int, ...]
    taken: tuple[Cards, ...]
    totals: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    nothing: tuple[Cards, ...] = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        dealer=named_dealer(options.first_dealer),
        hand_no=0,
        playing=False,
        voided=False,
        hands=nothing,
        turned=None,
        owner=None,
        trump="",
        trick_no=0,
        trick=(),
        crowned=None,
        voids=no_voids(seats),
        turn=0,
        tricks=(0,) * seats,
        taken=nothing,
        totals=(0,) * seats,
    )


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """All cards are dealt, and the last one is turned up for trumps; its owner plays it like any other."""

    hand_no: int
    dealer: Seat
    counts: tuple[int, ...]
    turned: Card
    owner: Seat
    trump: str | None
    basis: Literal["suit", "fallback", "void"]  # the suit of the card turned up, C in its stead, or no hand at all
    hands: tuple[Secret[Cards], ...]


@record
class HandVoided:
    """The hand comes to nothing, since the card turned up has no suit; the same dealer deals again."""

    reason: Literal["turned_special"]


@record
class CardPlayed:
    """A card is played to the trick."""

    seat: Seat
    card: Card
    pauper: Literal["disposed", "last"] | None


@record
class TrickTaken:
    """A trick is complete and goes to its taker."""

    trick_no: int
    seat: Seat
    next_lead: Seat | None  # not always the taker, who may be out of cards


class Tally(NamedTuple):
    """What one seat scores in a hand, item by item."""

    fives: int
    tens: int
    two_of_trumps: int
    prince: int
    pauper: int
    most_tricks: int


@record
class HandScored:
    """The hand is counted: fives, tens, the two of trumps, the Prince, the Pauper and the most tricks."""

    tallies: tuple[Tally, ...]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | HandVoided | CardPlayed | TrickTaken | HandScored

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, PACK)


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    """The Pauper first, if it can go, and what counts last, so that an absent player is not the worse for it."""
    return sorted(legal_plays(s, seat, objection), key=lambda play: worth(play.card, s.trump))


def worth(card: Card, trump: str) -> tuple[int, int]:
    """What the card counts to its taker, then how high it stands."""
    points = 2 if card.number == 2 and card.suit == trump else VALUES.get(card, 0)
    return points, RANKING[trump][card]


def objection(s: Table, seat: Seat, card: Card) -> Refused | None:
    """Why this card may not be played, or nothing. The one source of legality."""
    if not s.playing:
        return no_hand("PP-31" if is_over(s) else "PP-15")
    if seat != s.turn:
        return not_your_turn("PP-16", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("PP-16" if card in PACK else "PP-02", card)
    if card is PAUPER:
        return objection_to_pauper(s.trick, hand)
    if not s.trick:
        return None
    led = suit_of(s.trick[0].card, s.trump)  # no suit when the Pauper was led: nothing fits, and all play freely
    if suit_of(card, s.trump) != led:
        fitting = next((held for held in hand if suit_of(held, s.trump) == led), None)
        if fitting is not None:
            return must_follow("PP-19", fitting, card)
    return None


def objection_to_pauper(trick: Trick, hand: Cards) -> Refused | None:
    """The Pauper goes as the last card of its holder, or into a trick that holds a set of 13."""
    if len(hand) == 1:
        return None
    if not trick:
        return Refused("PP-17", "pauper_led", "the PAUPER can be led only as your last card")
    if len(trick) < 2:
        return Refused("PP-21", "pauper_too_early", "the PAUPER waits until two cards lie in the trick")
    if makes_13(trick):
        return None
    numbered = [play.card for play in trick if play.card.number]
    if len(numbered) < 2 or any(card.number == 13 for card in numbered):
        return Refused("PP-22", "no_set_of_13", "neither a 13 by itself nor the PRINCE makes a set of 13")
    return Refused("PP-21", "no_set_of_13", "no two or more cards of this trick add up to 13")


def makes_13(trick: Trick) -> bool:
    """Whether some two or more of these cards add up to 13, whatever their suits."""
    sums = {0}
    for play in trick:
        # A 13 is too much for a set of two; PRINCE has no number to add.
        if 0 < play.card.number < 13:
            sums |= {total + play.card.number for total in sums}
    return 13 in sums


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
            return deal(s, deck)
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> Sequence[Event]:
    """All the cards, one at a time from eldest; the last one is turned up and names the trumps."""
    assert s.dealer is not None
    hand_no, dealer = (s.hand_no, s.dealer) if s.voided else (s.hand_no + 1, next_dealer(s))
    hands = dealt(deck, dealer, s.seats)
    counts = tuple(len(hand) for hand in hands)
    turned, owner = deck[-1], (dealer + len(deck)) % s.seats
    secret = each_its_own([in_order(hand) for hand in hands])
    if turned.suit:
        return [HandDealt(hand_no, dealer, counts, turned, owner, turned.suit, "suit", secret)]
    if s.options.turned_special == "c_trump":
        return [HandDealt(hand_no, dealer, counts, turned, owner, "C", "fallback", secret)]
    return [HandDealt(hand_no, dealer, counts, turned, owner, None, "void", secret), HandVoided("turned_special")]


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    left_with_it = card is PAUPER and len(s.hands[seat]) == 1
    played = CardPlayed(seat, card, "last" if left_with_it else "disposed" if card is PAUPER else None)
    if next_to_play(s, seat) != leader(s):
        return [played]
    crowned = seat if left_with_it else s.crowned
    winner = highest((*s.trick, TrickCard(seat, card)), s.trump) if crowned is None else crowned
    holding = [other for other in around(winner, s.seats) if len(s.hands[other]) > (other == seat)]
    if holding:
        return [played, TrickTaken(s.trick_no, winner, holding[0])]
    taken = TrickTaken(s.trick_no, winner, None)
    tallies = count(evolve(evolve(s, played), taken))
    delta = tuple(sum(tally) for tally in tallies)
    return [played, taken, HandScored(tallies, delta, plus(s.totals, delta))]


def leader(s: Table) -> Seat:
    return s.trick[0].seat if s.trick else s.turn


def next_to_play(s: Table, seat: Seat) -> Seat:
    """The next seat with cards after this one, which is playing; the leader when the trick is full."""
    first = leader(s)
    turn = left_of(seat, s.seats)
    while turn != first and not s.hands[turn]:
        turn = left_of(turn, s.seats)
    return turn


def highest(trick: Trick, trump: str) -> Seat:
    """The highest card of the highest suit takes the trick; the suit led gives no advantage."""
    height = RANKING[trump]
    return max(trick, key=lambda play: height[play.card]).seat


def count(s: Table) -> tuple[Tally, ...]:
    """What every seat scores for the cards and tricks it has taken."""
    most = max(s.tricks)
    shared = s.tricks.count(most) > 1 and s.options.most_tricks_tie == "none"
    return tuple(
        Tally(
            fives=sum(card.number == 5 for card in taken),
            tens=2 * sum(card.number == 10 for card in taken),
            two_of_trumps=2 * (Card(f"{s.trump}-2") in taken),
            prince=3 * (PRINCE in taken),
            pauper=-10 * (PAUPER in taken),
            most_tricks=3 * (tricks == most and not shared),
        )
        for taken, tricks in zip(s.taken, s.tricks, strict=True)
    )


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card, pauper=pauper):
            return s._replace(
                hands=put(s.hands, seat, without(s.hands[seat], card)),
                trick=(*s.trick, TrickCard(seat, card)),
                crowned=seat if pauper == "last" else s.crowned,
                voids=shown_voids(s, seat, card),
                turn=next_to_play(s, seat),
            )
        case TrickTaken(seat=seat, next_lead=next_lead):
            return with_trick_taken(s, seat)._replace(
                crowned=None,
                turn=seat if next_lead is None else next_lead,
                tricks=put(s.tricks, seat, s.tricks[seat] + 1),
            )
        case HandScored(totals=totals):
            return s._replace(playing=False, totals=totals)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                playing=event.basis != "void",
                voided=False,
                hands=unsealed(event.hands),
                turned=event.turned,
                owner=event.owner,
                trump=event.trump or "",
                trick_no=1,
                voids=no_voids(s.seats),
                turn=left_of(event.dealer, s.seats),
                tricks=(0,) * s.seats,
                taken=((),) * s.seats,
            )
        case HandVoided():
            return s._replace(voided=True, hands=((),) * s.seats)
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


def shown_voids(s: Table, seat: Seat, card: Card) -> Voids:
    """A card that does not follow shows that its player has none of the suit led; the Pauper need not follow."""
    if not s.trick or card is PAUPER:
        return s.voids
    led = suit_of(s.trick[0].card, s.trump)
    if not led or suit_of(card, s.trump) == led or led in s.voids[seat]:
        return s.voids
    return put(s.voids, seat, s.voids[seat] | {led})


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    return not s.playing and reached_alone(s.totals, s.options.target)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals), s.totals, "target") if is_over(s) else None
