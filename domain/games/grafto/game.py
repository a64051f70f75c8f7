"""Grafto (Crown Cards, 1911): say what your hand is worth, then take four of the seven tricks.

Everybody gets seven cards, and the next card of the pack is turned up: its suit is trump. The 5 of trumps is the best
card of all, C-1 comes next whatever the trump, and then 13 down to 1. A turned-up Five may be taken by the dealer in
exchange for a card of his hand; a player who was dealt the Five must give it up for the turned-up card. Either exchange
is called a graft.

From the dealer's left each seat speaks once: it passes, or bids from 1 to 15 points and more than all before it. A
higher bid does not cancel a lower one, and 15 ends the bidding. The dealer's left leads, then whoever took the last
trick; a player follows the suit led or trumps, as he likes. The player who takes four tricks scores his bid and a point
for each further trick, and all others who bid lose theirs; a 15 lost by the first to speak goes to whoever took the
four, even if he had passed. If nobody takes four, the hand is killed and costs nothing; if nobody bids, it is thrown in
and does not count. After seven hands with a bid the most points win.
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
    flag,
    hidden,
    number,
    ranked,
    record,
    shown,
)
from domain.games.grafto.events import (
    Bid,
    BiddingClosed,
    BidMade,
    BidPassed,
    Bids,
    Command,
    DeclineGraft,
    Event,
    Graft,
    GraftDeclined,
    Grafted,
    GraftOffered,
    HandDealt,
    HandScored,
    HandThrownIn,
    PassBid,
)
from domain.kit.cards import FULL_PACK, SUITS, Card, Cards, in_order, without
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.plays import PLAYS, CardPlayed, PlayCard, TrickTaken, with_card_played
from domain.kit.refusals import must_follow, not_in_hand, not_your_turn
from domain.kit.scores import leads_alone
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, plus, put

CARDS_EACH: Final = 7
ENOUGH_TRICKS: Final = 4  # more than half of seven, so that one seat at most can have them
HIGHEST_BID: Final = 15

# ── The cards ───────────────────────────────────────────────────────────────────────────────────────────────────

C_1: Final = Card("C-1")
FIVE: Final = {suit: Card(f"{suit}-5") for suit in SUITS}


def trumps(suit: str) -> Cards:
    """Thirteen or fourteen trumps, the best one first."""
    natural = [Card(f"{suit}-{n}") for n in range(13, 0, -1) if n != 5]
    return (FIVE[suit], *natural) if suit == C_1.suit else (FIVE[suit], C_1, *natural)


TRUMPS: Final = {suit: trumps(suit) for suit in SUITS}
STRENGTH: Final = {suit: {card: 100 - place for place, card in enumerate(TRUMPS[suit])} for suit in SUITS}


def suit_of(card: Card, trump: str) -> str:
    """The suit a card counts as when suits are followed: C-1 is a trump and nothing else."""
    return trump if card is C_1 else card.suit


def taker(trick: Trick, trump: str) -> Seat:
    """The highest trump takes, else the highest card of the suit led."""
    led, strength = trick[0].card.suit, STRENGTH[trump]
    return max(trick, key=lambda p: strength.get(p.card) or (p.card.number if p.card.suit == led else 0)).seat


# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    hands: int = number(7, 1, 21, rule="GR-34", text="How many hands with a bid make a match.")
    first_dealer: str | int = first_dealer("GR-R01")
    forced_graft: str = choice("five_out", "any_out", rule="GR-R05", text="What a dealt Five's holder puts out.")
    fifteen_credit: str = choice("eldest", "any", rule="GR-R11", text="Whose lost 15 goes to the taker of four tricks.")
    dealer_must_bid: bool = flag(False, rule="GR-R13", text="Whether the dealer must bid when all others passed.")
    tie_break: str = choice("share", "extra_hand", rule="GR-R12", text="What a tie for the most points means.")


Phase = Literal["awaiting_deal", "grafting", "bidding", "playing"]


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hands: tuple[Cards, ...]
    bids: Bids
    tricks: tuple[int, ...]
    totals: tuple[int, ...]
    hand_no: int = 0
    bid_hands: int = 0  # the hands that count: those in which somebody bid
    phase: Phase = "awaiting_deal"
    turn: Seat = 0
    trump: str = ""
    turn_up: Card | None = None
    stock: Cards = ()  # the rest of the pack; what a graft puts out goes under it
    graft: Grafted | None = None
    trick: Trick = ()
    played: Cards = ()  # the cards of finished tricks
    voids: Voids = ()  # C-1 is of the trump suit


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    zero = (0,) * seats
    return Table(options, seats, dealer, ((),) * seats, (None,) * seats, zero, zero, voids=no_voids(seats))


def eldest(s: Table) -> Seat:
    """Speaks first and leads first."""
    assert s.dealer is not None
    return left_of(s.dealer, s.seats)


def highest_bid(s: Table) -> int:
    return max(bid or 0 for bid in s.bids)


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.phase != "awaiting_deal":
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


DECLINE: Final = DeclineGraft()
PASS: Final = PassBid()
GRAFTS: Final = {card: Graft(card) for card in FULL_PACK}
SPEECHES: tuple[Command, ...] = (PASS, *(Bid(points) for points in range(1, HIGHEST_BID + 1)))


def weakest_first(s: Table, seat: Seat) -> Sequence[Card]:
    """An absent player parts with plain cards before trumps, and with C-1 and the Five last of all."""
    return sorted(s.hands[seat], key=lambda card: (STRENGTH[s.trump].get(card, 0), card.number))


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if seat != s.turn:
        return ()
    candidates: Sequence[Command] = ()
    match s.phase:
        case "playing":
            candidates = [PLAYS[card] for card in weakest_first(s, seat)]
        case "bidding":
            candidates = SPEECHES
        case "grafting":
            candidates = [DECLINE, *(GRAFTS[card] for card in weakest_first(s, seat))]
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if s.phase == "awaiting_deal":
        if is_over(s):
            return Refused("GR-34", "wrong_phase", "the last hand has been played")
        return Refused("GR-05", "wrong_phase", "the cards have not been dealt")
    if isinstance(command, PlayCard):
        return objection_to_card(s, seat, command.card)
    if isinstance(command, Bid | PassBid):
        return objection_to_speech(s, seat, command)
    return objection_to_graft(s, seat, command)


def objection_to_graft(s: Table, seat: Seat, command: Graft | DeclineGraft) -> Refused | None:
    five = FIVE[s.trump]
    if s.phase != "grafting":
        if s.graft or s.phase == "playing":
            return Refused("GR-11", "wrong_phase", "the time for a graft is over")
        if s.turn_up is five:
            return Refused("GR-08", "wrong_phase", f"the dealer declined {five}, and nobody else may have it")
        return Refused("GR-10", "wrong_phase", f"{five} is neither turned up nor in a hand, so there is no graft")
    rule = "GR-07" if s.turn_up is five else "GR-09"
    if seat != s.turn:
        return Refused(rule, "not_your_turn", f"the graft is offered to seat {s.turn}")
    if isinstance(command, DeclineGraft):
        if s.turn_up is five:
            return None
        return Refused("GR-09", "must_graft", f"who was dealt {five} must graft")
    if command.discard is five:
        return Refused("GR-R16", "five_stays", f"a graft keeps {five}, so another card must be put out")
    if command.discard not in s.hands[seat]:
        return not_in_hand("GR-07", command.discard)
    return None


def objection_to_speech(s: Table, seat: Seat, command: Bid | PassBid) -> Refused | None:
    if s.phase == "grafting":
        return Refused("GR-R03", "wrong_phase", f"seat {s.turn} has to settle the graft before anybody bids")
    if s.phase == "playing":
        if HIGHEST_BID in s.bids:
            return Refused("GR-18", "wrong_phase", f"a bid of {HIGHEST_BID} has ended the bidding")
        return Refused("GR-16", "wrong_phase", "every seat has spoken")
    if seat != s.turn:
        return Refused("GR-16", "not_your_turn", f"it is for seat {s.turn} to speak")
    highest = highest_bid(s)
    if isinstance(command, PassBid):
        if s.options.dealer_must_bid and seat == s.dealer and not highest:
            return Refused("GR-R13", "must_bid", "all others have passed, so the dealer must bid")
        return None
    if not 1 <= command.points <= HIGHEST_BID:
        return Refused("GR-16", "bid_out_of_range", f"a bid is from 1 to {HIGHEST_BID} points, not {command.points}")
    if command.points <= highest:
        return Refused("GR-17", "bid_too_low", f"the highest bid is {highest}, so {command.points} is not enough")
    return None


def objection_to_card(s: Table, seat: Seat, card: Card) -> Refused | None:
    if s.phase == "bidding":
        return Refused("GR-21", "wrong_phase", "the first card is led when the bidding is over")
    if s.phase == "grafting":
        return Refused("GR-11", "wrong_phase", f"seat {s.turn} has to settle the graft before a card is played")
    if seat != s.turn:
        return not_your_turn("GR-22", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("GR-22", card)
    if not s.trick:
        return None
    trump = s.trump
    led = suit_of(s.trick[0].card, trump)
    if suit_of(card, trump) in (led, trump):
        return None
    for held in hand:
        if suit_of(held, trump) == led:
            rule = "GR-26" if led == trump else "GR-24"
            return must_follow(rule, held, card)
    return None


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return deal(s, deck)
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case PlayCard(card=card):
            return play_card(s, seat, card)
        case Bid(points=points):
            return speak(s, seat, points)
        case PassBid():
            return speak(s, seat, 0)
        case Graft(discard=discard):
            assert s.turn_up is not None
            return [Grafted(seat, s.turn_up, s.turn_up is not FIVE[s.trump], Secret(discard, (seat,)))]
        case DeclineGraft():
            return [GraftDeclined(seat)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> Sequence[Event]:
    """Seven to each and one turned up; then the graft, which is the holder's duty but the dealer's choice."""
    dealer = next_dealer(s)
    hands = dealt(deck, dealer, s.seats, CARDS_EACH)
    turn_up, *stock = deck[CARDS_EACH * s.seats :]
    five = FIVE[turn_up.suit]
    kept = each_its_own([in_order(hand) for hand in hands])
    events: list[Event] = [
        HandDealt(s.hand_no + 1, dealer, turn_up, turn_up.suit, len(stock), kept, hidden(tuple(stock)))
    ]
    holder = next((seat for seat, hand in enumerate(hands) if five in hand), None)
    if turn_up is five:
        events.append(GraftOffered(dealer, five))
    elif holder is not None and s.options.forced_graft == "any_out":
        events.append(GraftOffered(holder, five))
    elif holder is not None:
        events.append(Grafted(holder, turn_up, True, shown(five)))
    return events


def speak(s: Table, seat: Seat, points: int) -> Sequence[Event]:
    """A bid, or a pass when it names no points. The limit, or the last seat to speak, closes the bidding."""
    spoken = BidMade(seat, points) if points else BidPassed(seat)
    bids = put(s.bids, seat, points)
    if points == HIGHEST_BID:
        return [spoken, BiddingClosed(bids, "limit", eldest(s))]
    if None in bids:
        return [spoken]
    return [spoken, BiddingClosed(bids, "round", eldest(s)) if any(bids) else HandThrownIn(eldest(s))]


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    played = CardPlayed(seat, card)
    if len(s.trick) < s.seats - 1:
        return [played]
    winner = taker((*s.trick, TrickCard(seat, card)), s.trump)
    taken = TrickTaken(sum(s.tricks) + 1, winner)
    if len(s.hands[seat]) > 1:
        return [played, taken]
    return [played, taken, score(s, put(s.tricks, winner, s.tricks[winner] + 1))]


def score(s: Table, tricks: tuple[int, ...]) -> HandScored:
    """The taker of four tricks scores his own bid and overtricks; every other bidder loses his bid."""
    maker = next((seat for seat, count in enumerate(tricks) if count >= ENOUGH_TRICKS), None)
    if maker is None:
        return HandScored(s.bids, tricks, None, "killed", (0,) * s.seats, s.totals)
    own_bid, credit = s.bids[maker], credit_for(s, maker)
    delta = [-(bid or 0) for bid in s.bids]
    delta[maker] = credit + (own_bid + tricks[maker] - ENOUGH_TRICKS if own_bid else 0)
    result: Literal["made", "credit", "set"] = "made" if own_bid else "credit" if credit else "set"
    return HandScored(s.bids, tricks, maker, result, tuple(delta), plus(s.totals, delta))


def credit_for(s: Table, maker: Seat) -> int:
    """The 15 that another seat bid and lost, if it was eldest; at some tables whoever it was."""
    if HIGHEST_BID not in s.bids:
        return 0
    bidder = s.bids.index(HIGHEST_BID)
    due = bidder == eldest(s) or s.options.fifteen_credit == "any"
    return HIGHEST_BID if due and bidder != maker else 0


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            return with_card_played(s._replace(voids=shown_voids(s, seat, card)), seat, card)
        case TrickTaken(seat=seat):
            tricks = put(s.tricks, seat, s.tricks[seat] + 1)
            return s._replace(trick=(), played=s.played + cards_of(s.trick), tricks=tricks, turn=seat)
        case BidMade(seat=seat, points=points):
            return s._replace(bids=put(s.bids, seat, points), turn=left_of(seat, s.seats))
        case BidPassed(seat=seat):
            return s._replace(bids=put(s.bids, seat, 0), turn=left_of(seat, s.seats))
        case BiddingClosed(leader=leader):
            return s._replace(phase="playing", turn=leader)
        case HandThrownIn():
            return s._replace(phase="awaiting_deal")
        case HandScored(totals=totals):
            return s._replace(phase="awaiting_deal", bid_hands=s.bid_hands + 1, totals=totals)
        case HandDealt(dealer=dealer, turn_up=turn_up, hands=hands, stock=stock):
            return setup(s.options, s.seats)._replace(
                dealer=dealer,
                hands=unsealed(hands),
                totals=s.totals,
                hand_no=event.hand_no,
                bid_hands=s.bid_hands,
                phase="bidding",
                turn=left_of(dealer, s.seats),
                trump=event.trump,
                turn_up=turn_up,
                stock=stock.value,
            )
        case GraftOffered(seat=seat):
            return s._replace(phase="grafting", turn=seat)
        case Grafted(seat=seat, took=took, discard=Secret(value=discard)):
            return s._replace(
                phase="bidding",
                turn=eldest(s),
                hands=put(s.hands, seat, in_order((*without(s.hands[seat], discard), took))),
                stock=(*s.stock, discard),
                graft=event,
            )
        case GraftDeclined():
            return s._replace(phase="bidding", turn=eldest(s))
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


def shown_voids(s: Table, seat: Seat, card: Card) -> Voids:
    """A seat that neither follows nor trumps has none of the suit led, and all have seen that."""
    if not s.trick:
        return s.voids
    led = suit_of(s.trick[0].card, s.trump)
    if suit_of(card, s.trump) in (led, s.trump) or led in s.voids[seat]:
        return s.voids
    return put(s.voids, seat, s.voids[seat] | {led})


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    if s.phase != "awaiting_deal" or s.bid_hands < s.options.hands:
        return False
    return s.options.tie_break == "share" or leads_alone(s.totals)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals), s.totals, "most_points") if is_over(s) else None
