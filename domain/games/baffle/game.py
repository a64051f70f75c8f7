"""Baffle (Crown Cards, 1911): stay in only if you will take a trick, and never hide a trump when you lead.

Six cards each, six more face down in the middle as the cop hand, and one card turned up for trump. In turn every seat
says whether it is content with its cards, takes the cop hand instead, or resigns for this hand. Those who stay play
six tricks. Everybody starts with 20 points and wants to be rid of them: a trick takes one off, the trick with the
lowest trump three. A player who stays and takes no trick (with the cop hand: fewer than two), or who leads another suit
while holding a trump, is baffled and gets five back. The first to be down to nothing wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
)
from domain.games.baffle.events import (
    CardPlayed,
    Cause,
    Choice,
    Command,
    CopTaken,
    Declare,
    Declared,
    Event,
    Exchange,
    ExchangeDeclined,
    HandDealt,
    HandScored,
    Keep,
    TurnUpExchanged,
    Walkover,
)
from domain.kit.cards import FULL_PACK, Card, Cards, in_order, without
from domain.kit.dealing import DealerChosen, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.plays import PLAYS, PlayCard, TrickTaken
from domain.kit.refusals import no_hand, not_in_hand, not_your_turn
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, plus, put

START: Final = 20
BAFFLED: Final = 5
CONCEDED: Final = 5
MOST_HANDS: Final = 1000
TRICKS: Final = 6
LOWEST_TRUMP: Final = 3  # what the trick with the lowest trump counts
Phase = Literal["awaiting_deal", "declaring", "exchanging", "playing"]

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    first_dealer: str | int = first_dealer("BA-R2")
    lone_player: str = choice(
        "walkover", "dealer_must_play", rule="BA-R5", text="When the dealer would leave one alone."
    )
    trump_lead: str = choice("penalty", "refuse", rule="BA-R6", text="What a lead past a held trump meets with.")
    baffle_per_cause: bool = flag(False, rule="BA-R9", text="Whether five points are due for each cause.")
    hand_limit: int = number(
        200, 1, MOST_HANDS, retired=(0,), rule="BA-R13", text="Hands after which the lowest score wins."
    )


class Taken(NamedTuple):
    """A trick that somebody took."""

    seat: Seat
    cards: Cards


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hands: tuple[Cards, ...]
    laid_down: tuple[Cards, ...]  # face down before each seat: resigned or set aside, and on top an exchanged card
    choices: tuple[Choice | None, ...]
    missed: tuple[bool, ...]  # who led another suit while holding a trump
    totals: tuple[int, ...]
    voids: Voids
    phase: Phase = "awaiting_deal"
    hand_no: int = 0
    cop: Cards = ()  # face down in the middle until somebody takes it
    turn_up: Card | None = None
    turn_up_taker: Seat | None = None
    trump: str = ""
    stock: Cards = ()
    turn: Seat = 0
    trick_no: int = 0
    trick: Trick = ()
    taken: tuple[Taken, ...] = ()
    walkover: Seat | None = None


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    nothing: tuple[Cards, ...] = ((),) * seats
    start = (START,) * seats
    return Table(options, seats, dealer, nothing, nothing, (None,) * seats, (False,) * seats, start, no_voids(seats))


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (
            options.trump_lead == "refuse",
            "baffle_per_cause",
            "with no trump lead to miss there is one cause at most",
        ),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.phase != "awaiting_deal":
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


EXCHANGES: Final = {card: Exchange(card) for card in FULL_PACK}
KEEP: Final = Keep()
# Resigning stands first because it can neither win nor lose, and asks nothing more of an absent player.
DECLARATIONS: Final = (Declare("resign"), Declare("content"), Declare("cop"), Declare("concede"))


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if s.phase == "awaiting_deal" or seat != s.turn:
        return ()
    hand = s.hands[seat]
    candidates: Sequence[Command]
    match s.phase:
        case "declaring":
            candidates = DECLARATIONS
        case "exchanging":
            candidates = [KEEP, *(EXCHANGES[card] for card in hand)]
        case _:
            # A lead that would baffle its player comes last.
            kept = sorted(hand, key=lambda card: card.suit != s.trump) if not s.trick and s.trick_no > 1 else hand
            candidates = [PLAYS[card] for card in kept]
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if s.phase == "awaiting_deal":
        return no_hand("BA-29" if is_over(s) else "BA-06")
    match command:
        case PlayCard(card=card):
            return objection_to_card(s, seat, card)
        case Declare(choice=chosen):
            return objection_to_choice(s, seat, chosen)
        case Exchange() | Keep():
            return objection_to_exchange(s, seat, command)
        case _:
            assert_never(command)


def objection_to_choice(s: Table, seat: Seat, chosen: Choice) -> Refused | None:
    if s.phase == "exchanging":
        return Refused("BA-11", "exchange_pending", f"seat {s.turn} has yet to exchange the turn-up or leave it")
    if s.choices[seat] is not None:
        return Refused("BA-08", "already_declared", f"you have declared {s.choices[seat]}, and that stands")
    if seat != s.turn:
        return Refused("BA-08", "not_your_turn", f"it is the turn of seat {s.turn} to declare")
    match chosen:
        case "cop" if not s.cop:
            return Refused("BA-10", "cop_taken", f"seat {s.choices.index('cop')} has taken the cop hand")
        case "resign" if is_forced(s, seat):
            return Refused("BA-13", "forced_seat", "all before you have resigned: play, or concede five to the dealer")
        case "concede" if not is_forced(s, seat):
            return Refused("BA-13", "not_forced", "only the dealer's right concedes, once all before it have resigned")
        case "resign" if s.options.lone_player == "dealer_must_play" and seat == s.dealer and len(staying(s)) == 1:
            return Refused("BA-15", "dealer_must_play", f"only seat {staying(s)[0]} stays, so the dealer must play")
    return None


def is_forced(s: Table, seat: Seat) -> bool:
    """The dealer's right is forced to play or concede when all who spoke before have resigned; of two, always."""
    return left_of(seat, s.seats) == s.dealer and s.choices.count("resign") == s.seats - 2


def staying(s: Table) -> tuple[Seat, ...]:
    """The seats that have declared to play this hand, from the dealer's left."""
    assert s.dealer is not None
    return tuple(seat for seat in around(left_of(s.dealer, s.seats), s.seats) if s.choices[seat] in ("content", "cop"))


def objection_to_exchange(s: Table, seat: Seat, command: Exchange | Keep) -> Refused | None:
    if s.phase != "exchanging":
        return Refused("BA-11", "wrong_phase", "the turn-up is exchanged right after the cop hand is taken, or never")
    if seat != s.turn:
        return Refused("BA-11", "not_your_turn", f"only seat {s.turn}, who took the cop hand, may exchange")
    if isinstance(command, Exchange) and command.discard not in s.hands[seat]:
        return not_in_hand("BA-11", command.discard)
    return None


def objection_to_card(s: Table, seat: Seat, card: Card) -> Refused | None:
    if s.choices[seat] == "resign":
        return Refused("BA-12", "resigned", "you have resigned this hand")
    if s.phase != "playing":
        return Refused("BA-17", "wrong_phase", "the first card is led when all have declared")
    if seat != s.turn:
        return not_your_turn("BA-20", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("BA-20", card)
    if s.trick:
        return objection_to_following("BA-18", hand, s.trick, card)
    if s.options.trump_lead == "refuse" and (trump := trump_missed(s, seat, card)):
        return Refused("BA-21", "must_lead_trump", f"you hold {trump}, so {card} cannot be led")
    return None


def trump_missed(s: Table, seat: Seat, card: Card) -> Card | None:
    """The trump that should have been led in place of this card: every lead but the first asks for one."""
    if s.trick or s.trick_no == 1 or card.suit == s.trump:
        return None
    return next((held for held in s.hands[seat] if held.suit == s.trump), None)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return [deal(s, deck)]
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case PlayCard(card=card):
            return play_card(s, seat, card)
        case Declare(choice=chosen):
            return declare(s, seat, chosen)
        case Exchange(discard=discard):
            assert s.turn_up is not None
            return [TurnUpExchanged(seat, s.turn_up, Secret(discard, (seat,)))]
        case Keep():
            return [ExchangeDeclined(seat)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    """Two rounds of three cards, the cop hand just before the dealer; the next card is turned up."""
    dealer = next_dealer(s)
    packets = s.seats + 1
    sixes = [in_order(deck[at : at + 3] + deck[at + 3 * packets :][:3]) for at in range(0, 3 * packets, 3)]
    cop = sixes.pop(s.seats - 1)
    hands = [sixes[(seat - dealer - 1) % s.seats] for seat in range(s.seats)]
    turn_up, *stock = deck[6 * packets :]
    return HandDealt(s.hand_no + 1, dealer, turn_up, len(stock), each_its_own(hands), hidden(cop), hidden(tuple(stock)))


def declare(s: Table, seat: Seat, chosen: Choice) -> Sequence[Event]:
    if chosen == "cop":
        return [CopTaken(seat, Secret(s.cop, (seat,)))]
    declared = Declared(seat, chosen)
    nothing = (0,) * s.seats
    if chosen == "concede":
        assert s.dealer is not None
        return [declared, count(s, nothing, put(nothing, s.dealer, CONCEDED))]
    if chosen == "content" or seat != s.dealer or len(left := staying(s)) > 1:
        return [declared]
    # A seat alone in the hand has all the tricks; a trump among its cards is the lowest that could be played.
    lone, cards = left[0], s.hands[left[0]]
    points = put(nothing, lone, TRICKS + (LOWEST_TRUMP - 1) * any(card.suit == s.trump for card in cards))
    return [declared, Walkover(lone, cards), count(s, put(nothing, lone, TRICKS), points)]


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    missed = trump_missed(s, seat, card) is not None
    events: list[Event] = [CardPlayed(seat, card, Secret(missed, (seat,)))]
    if len(s.trick) + 1 < s.choices.count("content") + s.choices.count("cop"):
        return events
    trick = (*s.trick, TrickCard(seat, card))
    winner = taker(trick, s.trump)
    events.append(TrickTaken(s.trick_no, winner))
    if s.trick_no == TRICKS:
        events.append(score(s, (*s.taken, Taken(winner, cards_of(trick)))))
    return events


def score(s: Table, taken: tuple[Taken, ...]) -> HandScored:
    """One point a trick, three for the one with the lowest trump that was played."""
    trumps = [(card.number, at) for at, trick in enumerate(taken) for card in trick.cards if card.suit == s.trump]
    lowest = min(trumps)[1] if trumps else None
    tricks, points = [0] * s.seats, [0] * s.seats
    for at, trick in enumerate(taken):
        tricks[trick.seat] += 1
        points[trick.seat] += LOWEST_TRUMP if at == lowest else 1
    return count(s, tuple(tricks), tuple(points), None if lowest is None else lowest + 1)


def count(s: Table, tricks: tuple[int, ...], points: tuple[int, ...], low_trump_trick: int | None = None) -> HandScored:
    """Points won come off the score; five are added to whoever is baffled."""
    baffled = tuple(causes(s.choices[seat], tricks[seat], s.missed[seat]) for seat in range(s.seats))
    charged = [len(found) if s.options.baffle_per_cause else min(len(found), 1) for found in baffled]
    delta = tuple(BAFFLED * times - won for times, won in zip(charged, points, strict=True))
    return HandScored(tricks, points, low_trump_trick, baffled, delta, plus(s.totals, delta))


def causes(chosen: Choice | None, tricks: int, missed: bool) -> tuple[Cause, ...]:
    """All that baffles a seat in one hand."""
    found: list[Cause] = []
    if chosen == "content" and tricks == 0:
        found.append("own_no_trick")
    if chosen == "cop" and tricks < 2:
        found.append("cop_under_two")
    if missed:
        found.append("trump_not_led")
    return tuple(found)


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card, trump_missed=missed):
            return s._replace(
                hands=put(s.hands, seat, without(s.hands[seat], card)),
                trick=(*s.trick, TrickCard(seat, card)),
                turn=next_in_play(s, seat),
                missed=put(s.missed, seat, True) if missed.value else s.missed,
                voids=seen_voids(s, seat, card),
            )
        case TrickTaken(seat=seat):
            taken = (*s.taken, Taken(seat, cards_of(s.trick)))
            return s._replace(trick=(), trick_no=s.trick_no + 1, taken=taken, turn=seat)
        case Declared(seat=seat, choice=chosen):
            s = s._replace(choices=put(s.choices, seat, chosen))
            if chosen == "resign":
                s = s._replace(laid_down=put(s.laid_down, seat, s.hands[seat]), hands=put(s.hands, seat, ()))
            return spoken(s, seat)
        case CopTaken(seat=seat, cards=cards):
            return s._replace(
                phase="exchanging",
                choices=put(s.choices, seat, "cop"),
                laid_down=put(s.laid_down, seat, s.hands[seat]),
                hands=put(s.hands, seat, cards.value),
                cop=(),
            )
        case TurnUpExchanged(seat=seat, took=took, discard=discard):
            hand = in_order((*without(s.hands[seat], discard.value), took))
            s = s._replace(
                hands=put(s.hands, seat, hand),
                laid_down=put(s.laid_down, seat, (*s.laid_down[seat], discard.value)),
                turn_up_taker=seat,
            )
            return spoken(s, seat)
        case ExchangeDeclined(seat=seat):
            return spoken(s, seat)
        case Walkover(seat=seat):
            return s._replace(walkover=seat)
        case HandScored(totals=totals):
            return s._replace(phase="awaiting_deal", totals=totals)
        case HandDealt(hand_no=hand_no, dealer=dealer, turn_up=turn_up, hands=hands, cop=cop, stock=stock):
            return setup(s.options, s.seats)._replace(
                phase="declaring",
                dealer=dealer,
                hand_no=hand_no,
                hands=unsealed(hands),
                cop=cop.value,
                turn_up=turn_up,
                trump=turn_up.suit,
                stock=stock.value,
                turn=left_of(dealer, s.seats),
                trick_no=1,
                totals=s.totals,
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


def seen_voids(s: Table, seat: Seat, card: Card) -> Voids:
    """Not to follow shows that a suit is out; so does a lead past trumps, where nobody is let off with one."""
    if s.options.trump_lead == "refuse" and not s.trick and s.trick_no > 1 and card.suit != s.trump:
        return put(s.voids, seat, s.voids[seat] | {s.trump})
    return shown_voids(s.voids, s.trick, seat, card)


def spoken(s: Table, seat: Seat) -> Table:
    """The next seat declares; after the dealer the first that stays leads."""
    if seat == s.dealer:
        return s._replace(phase="playing", turn=next_in_play(s, seat))
    return s._replace(phase="declaring", turn=left_of(seat, s.seats))


def next_in_play(s: Table, seat: Seat) -> Seat:
    turn = left_of(seat, s.seats)
    while s.choices[turn] == "resign":
        turn = left_of(turn, s.seats)
    return turn


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    """One seat alone has the lowest score, at nothing or below, or at whatever the last hand of the limit left."""
    if s.phase != "awaiting_deal" or s.totals.count(lowest := min(s.totals)) > 1:
        return False
    # Matches opened without a limit of their own end as well: penalties can outrun points for ever.
    return lowest <= 0 or s.hand_no >= (s.options.hand_limit or MOST_HANDS)


def outcome(s: Table) -> Outcome | None:
    if not is_over(s):
        return None
    reason = "reduced_to_nothing" if min(s.totals) <= 0 else "hand_limit"
    return Outcome(ranked(s.totals, low_wins=True), s.totals, reason)
