"""Rustle (Crown Cards, 1911): take tricks, catch the trump honours, and take more cards than anybody else.

Thirty-six cards are used: the 1, which is the highest of its suit, and 13 down to 6. All are dealt, and the last one
shows the trump suit. Four or more take up their whole hand; two or three get packets of six and play the packet dealt
last, while the others lie face down, unseen even by their owner, until the packet in hand is played out. Follow suit
if you can, else trump or throw away as you like. The trump 10 counts ten, 1, 13, 12 and 11 count four, three, two and
one; the taker of the most cards gets a point for each card above the number dealt to a seat. Seventy-two points win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from domain.kit.cards import Card, Cards, pack
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken, legal_plays, with_card_played, with_trick_taken
from domain.kit.refusals import no_hand, not_in_hand, not_your_turn
from domain.kit.scores import reached_alone
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, plus, put

# ── The pack ────────────────────────────────────────────────────────────────────────────────────────────────────

LOW_TO_HIGH: Final = (6, 7, 8, 9, 10, 11, 12, 13, 1)
PACK: Final = pack(LOW_TO_HIGH)
RANK: Final = {card: place for place, card in enumerate(PACK)}
HONOURS: Final = {1: 4, 13: 3, 12: 2, 11: 1, 10: 10}

# So many sixes stay out that the rest divides evenly; no honour is ever among them.
LEFT_OUT: Final = {5: pack([6], "W"), 7: pack([6], "W"), 8: pack([6])}
PACKS: Final = {seats: tuple(card for card in PACK if card not in LEFT_OUT.get(seats, ())) for seats in range(2, 10)}
PACKETS: Final = {2: 3, 3: 2}  # with more seats each hand is one packet


def by_suit_and_rank(cards: Sequence[Card]) -> Cards:
    """A hand as a player of this game holds it: the 1 stands above the 13."""
    return tuple(sorted(cards, key=RANK.__getitem__))


# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(72, 1, 500, rule="RU-R08", text="Points that win the match.")
    first_dealer: str | int = first_dealer("RU-R02")
    cards_tie: str = choice("none", "each", rule="RU-R07", text="Who scores for cards when most cards are shared.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    turned: Card | None
    trump: str
    packet_no: int  # of the packet in hand; they are played from the last dealt down to the first
    hands: tuple[Cards, ...]
    face_down: tuple[tuple[Cards, ...], ...]  # the packets below, first dealt first, each with a part for every seat
    trick_no: int
    trick: Trick
    voids: Voids  # of the packets in hand: they say nothing of those that lie below
    turn: Seat
    taken: tuple[Cards, ...]
    totals: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    nothing: tuple[Cards, ...] = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        dealer=dealer,
        hand_no=0,
        playing=False,
        turned=None,
        trump="",
        packet_no=0,
        hands=nothing,
        face_down=(),
        trick_no=0,
        trick=(),
        voids=no_voids(seats),
        turn=0,
        taken=nothing,
        totals=(0,) * seats,
    )


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats == 2, "cards_tie", "two players who tie have taken as many cards as they were dealt, and score nothing"),
    )


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class HandDealt:
    """The cards are dealt; the packets dealt last are taken up, and nobody sees those under them."""

    hand_no: int
    dealer: Seat
    each: int  # cards dealt to a seat, all its packets together
    packets: int
    left_out: Cards
    turned: Card  # the last card dealt, which is in the dealer's hand
    trump: str
    hands: tuple[Secret[Cards], ...]
    face_down: Secret[tuple[tuple[Cards, ...], ...]]


@record
class PacketsTakenUp:
    """Every seat takes up its next packet and sees it for the first time."""

    packet_no: int
    hands: tuple[Secret[Cards], ...]


@record
class HandScored:
    """The hand is counted: trump honours taken, and the most cards."""

    honours: tuple[int, ...]
    cards_taken: tuple[int, ...]
    cards_points: tuple[int, ...]
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | CardPlayed | TrickTaken | PacketsTakenUp | HandScored

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, PACKS[s.seats])


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    """Plain cards first and trump honours last, so that an absent player gives none away."""
    return sorted(legal_plays(s, seat, objection), key=lambda play: worth(play.card, s.trump))


def worth(card: Card, trump: str) -> tuple[int, bool, int]:
    is_trump = card.suit == trump
    return HONOURS.get(card.number, 0) if is_trump else 0, is_trump, LOW_TO_HIGH.index(card.number)


def objection(s: Table, seat: Seat, card: Card) -> Refused | None:
    """Why this card may not be played, or nothing. The one source of legality."""
    if not s.playing:
        return no_hand("RU-27" if is_over(s) else "RU-14")
    if seat != s.turn:
        return not_your_turn("RU-16", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_held(s, card)
    return objection_to_following("RU-17", hand, s.trick, card)


def not_held(s: Table, card: Card) -> Refused:
    """Which cards are in use is known to all; where one of these lies is not, so they are refused alike."""
    if card not in RANK:
        return not_in_hand("RU-02", card)
    if card in LEFT_OUT.get(s.seats, ()):
        return not_in_hand("RU-07", card)
    return not_in_hand("RU-16", card)


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
    """Packet by packet, one card at a time from eldest; so the last card of the pack is the dealer's."""
    dealer = next_dealer(s)
    each = len(deck) // s.seats
    packets = PACKETS.get(s.seats, 1)
    size = each // packets
    layers = [dealt(deck[start:], dealer, s.seats, size) for start in range(0, len(deck), size * s.seats)]
    return HandDealt(
        hand_no=s.hand_no + 1,
        dealer=dealer,
        each=each,
        packets=packets,
        left_out=LEFT_OUT.get(s.seats, ()),
        turned=deck[-1],
        trump=deck[-1].suit,
        hands=each_its_own([by_suit_and_rank(packet) for packet in layers[-1]]),
        face_down=hidden(tuple(layers[:-1])),
    )


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    if len(s.trick) < s.seats - 1:
        return events
    trick = (*s.trick, TrickCard(seat, card))
    winner = taker(trick, s.trump, RANK.__getitem__)
    events.append(TrickTaken(s.trick_no, winner))
    if len(s.hands[seat]) > 1:
        return events
    if s.face_down:
        events.append(PacketsTakenUp(s.packet_no - 1, each_its_own([by_suit_and_rank(p) for p in s.face_down[-1]])))
    else:
        events.append(score(s, put(s.taken, winner, s.taken[winner] + cards_of(trick))))
    return events


def score(s: Table, taken: tuple[Cards, ...]) -> HandScored:
    """Honours to whoever took them; for the cards above those dealt, only to the seat with most."""
    honours = tuple(sum(HONOURS.get(card.number, 0) for card in pile if card.suit == s.trump) for pile in taken)
    counts = tuple(len(pile) for pile in taken)
    most, each = max(counts), sum(counts) // s.seats
    scores_cards = counts.count(most) == 1 or s.options.cards_tie == "each"
    cards = tuple(most - each if scores_cards and count == most else 0 for count in counts)
    delta = plus(honours, cards)
    return HandScored(honours, counts, cards, delta, plus(s.totals, delta))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            voids = shown_voids(s.voids, s.trick, seat, card)
            return with_card_played(s if voids is s.voids else s._replace(voids=voids), seat, card)
        case TrickTaken(seat=seat):
            return with_trick_taken(s, seat)
        case PacketsTakenUp(packet_no=packet_no, hands=hands):
            return s._replace(
                packet_no=packet_no, hands=unsealed(hands), face_down=s.face_down[:-1], voids=no_voids(s.seats)
            )
        case HandScored(totals=totals):
            return s._replace(playing=False, totals=totals)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                playing=True,
                turned=event.turned,
                trump=event.trump,
                packet_no=event.packets,
                hands=unsealed(event.hands),
                face_down=event.face_down.value,
                trick_no=1,
                voids=no_voids(s.seats),
                turn=left_of(event.dealer, s.seats),
                taken=((),) * s.seats,
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    return reached_alone(s.totals, s.options.target)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals), s.totals, "target") if is_over(s) else None
