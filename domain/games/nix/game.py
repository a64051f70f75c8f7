"""Nix (Read & White, played with Trix cards): build the sets in order, and be left holding the double-blank.

The pack is dealt out. Set 1 is 1-0 and 1-1, set 2 is 2-0, 2-1 and 2-2, and so on: at any moment just one card is
wanted. The seat on turn plays it, and goes on for as long as it holds the next one. A seat that cannot play draws a
card unseen from its right neighbour, plays it if it is the wanted one, and otherwise keeps it and is done. Whoever
plays the double of a set has won the set, one point. Nix, 0-0, is never played: it is worth three to the seat that
holds it when all else is gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, assert_never

from domain.game import (
    Lot,
    Outcome,
    Pick,
    Picked,
    Refused,
    Seat,
    Secret,
    Shuffle,
    Shuffled,
    choice,
    each_its_own,
    every_seat_alone,
    flag,
    number,
    record,
    shown,
)
from domain.games.nix.events import (
    CardDrawn,
    CardPlayed,
    Cards,
    Command,
    DealCardsDrawn,
    Draw,
    Event,
    HandDealt,
    HandScored,
    PlayCard,
    SetCompleted,
)
from domain.kit.dealing import dealt, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.refusals import not_in_hand, not_your_turn, too_many_seats
from domain.kit.scores import reached_alone
from domain.kit.sides import side_outcome, two_sides
from domain.kit.trixcards import TrixCard, trix_pack
from domain.kit.turns import CHANCE_ACTS, NOBODY, only, plus, put

NIX: Final = TrixCard("0-0")
OPENING: Final = TrixCard("1-0")
SHORT_PACK: Final = trix_pack(7)
LONG_PACK: Final = trix_pack(10)
NIX_POINTS: Final = 3
USUAL_SEATS: Final = 8

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(15, 15, 100, rule="NX-R10", text="Points that win the game, looked at after each round.")
    max_seats: int = number(USUAL_SEATS, 3, 10, rule="NX-R3", text="A table of more than 8 seats needs this.")
    may_hold_back: bool = flag(False, rule="NX-R5", text="Whether a seat may draw although it holds the wanted card.")
    sides: str = choice("none", "alternate", rule="NX-R11", text="Each seat for itself, or every second seat together.")


class Move(NamedTuple):
    """A card that was played, or drawn from somebody."""

    seat: Seat
    victim: Seat | None
    card: TrixCard


class Table(NamedTuple):
    options: Options
    seats: int
    drawing_for_deal: tuple[Seat, ...]
    dealer: Seat | None
    hand_no: int
    playing: bool
    hands: tuple[Cards, ...]  # as the cards came: a blind draw counts from the first
    wanted: TrixCard | None  # nothing is wanted once the last double lies
    turn: Seat
    drew_wanted: bool  # the wanted card has just been drawn, and is played before anything else
    held_back: frozenset[Seat]  # the seats that have kept the wanted card back already
    passed: Seat | None  # the seat whose draw did not fit, so that the turn went on
    sets: tuple[Seat, ...]  # the seats that completed set 1, set 2 ...
    nix_holder: Seat | None  # unknown until the close
    totals: tuple[int, ...]
    dealt: tuple[Cards, ...]  # this hand as it was dealt,
    moves: tuple[Move, ...]  # and what has become of it: from both follows what each seat can know


def setup(options: Options, seats: int) -> Table:
    if seats > options.max_seats:
        raise too_many_seats("NX-R3", seats, options.max_seats)
    if options.sides == "alternate" and seats % 2:
        raise Refused("NX-R11", "uneven_sides", f"{seats} seats make no two equal sides")
    return Table(
        options=options,
        seats=seats,
        drawing_for_deal=tuple(range(seats)),
        dealer=None,
        hand_no=0,
        playing=False,
        hands=((),) * seats,
        wanted=None,
        turn=0,
        drew_wanted=False,
        held_back=NOBODY,
        passed=None,
        sets=(),
        nix_holder=None,
        totals=(0,) * seats,
        dealt=((),) * seats,
        moves=(),
    )


def pack(s: Table) -> Cards:
    return SHORT_PACK if s.seats <= 4 else LONG_PACK


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats % 2 == 1, "sides", f"{seats} seats make no two equal sides"),
        (seats <= USUAL_SEATS, "max_seats", f"a table of {seats} is open without it"),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return Shuffle(pack(s))


DRAW: Final = Draw()
PLAYS: Final = {card: PlayCard(card) for card in LONG_PACK}


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    """A draw is listed once: to name the place of the card or the right neighbour changes nothing."""
    if not s.playing or seat != s.turn or s.wanted is None:
        return ()
    candidates: tuple[Command, ...] = (PLAYS[s.wanted], DRAW)
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if not s.playing:
        return Refused("NX-18" if is_over(s) else "NX-03", "wrong_phase", "no round is being played")
    if not s.hands[seat]:
        return Refused("NX-12", "out", "you have no cards left and are out for this round")
    if isinstance(command, PlayCard):
        return objection_to_card(s, seat, command.card)
    return objection_to_draw(s, seat, command)


def objection_to_card(s: Table, seat: Seat, card: TrixCard) -> Refused | None:
    if seat != s.turn:
        return not_your_turn("NX-06", s.turn)
    if card == NIX:
        return Refused("NX-15", "nix_stays", "Nix belongs to no set and is never played")
    if card not in s.hands[seat]:
        return not_in_hand("NX-06", card)
    if card != s.wanted:
        return Refused("NX-04", "not_wanted", f"{s.wanted} is wanted, so {card} cannot be played")
    return None


def objection_to_draw(s: Table, seat: Seat, command: Draw) -> Refused | None:
    if seat != s.turn:
        if seat == s.passed:
            return Refused("NX-09", "not_your_turn", "your card did not fit, so the turn has passed")
        return not_your_turn("NX-07", s.turn)
    victim = right_with_cards(s.hands, seat)
    if s.wanted in s.hands[seat]:
        if not s.options.may_hold_back:
            return Refused("NX-R5", "must_play", f"you hold {s.wanted}, so you must play it")
        if s.drew_wanted:
            return Refused("NX-R5", "must_play", f"you have just drawn {s.wanted}, so you must play it")
        if seat in s.held_back:
            return Refused("NX-R5", "must_play", f"you have held {s.wanted} back once, so you must play it now")
        if victim == seat:
            return Refused("NX-R5", "nobody_to_draw_from", "no other seat has cards")
    if command.from_ not in (None, victim):
        return Refused("NX-07", "wrong_neighbour", f"the card comes from seat {victim}, at your right")
    size = len(s.hands[victim])
    if command.position is not None and not 1 <= command.position <= size:
        return Refused("NX-07", "no_such_position", f"seat {victim} holds {size} cards")
    return None


def in_order(cards: Iterable[TrixCard]) -> Cards:
    """A hand as a player would hold it: set by set."""
    return tuple(sorted(cards, key=_place))


def _place(card: TrixCard) -> tuple[int, int]:
    return card.high, card.low


def left_with_cards(hands: tuple[Cards, ...], seat: Seat) -> Seat:
    """The nearest seat to the left that has cards; after a full round the seat itself."""
    at = (seat + 1) % len(hands)
    while not hands[at] and at != seat:
        at = (at + 1) % len(hands)
    return at


def right_with_cards(hands: tuple[Cards, ...], seat: Seat) -> Seat:
    at = (seat - 1) % len(hands)
    while not hands[at] and at != seat:
        at = (at - 1) % len(hands)
    return at


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Picked | Shuffled) -> Sequence[Event] | Lot:
    match command:
        case Picked(index):
            return [draw_card(s, index)]
        case Shuffled(deck):
            return [draw_for_deal(s, deck) if s.dealer is None else deal(s, deck)]
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case PlayCard(card):
            return play_card(s, seat, card)
        case Draw():
            return Pick(len(s.hands[right_with_cards(s.hands, seat)]))
        case _:
            assert_never(command)


def draw_for_deal(s: Table, deck: Cards) -> DealCardsDrawn:
    cards = deck[: len(s.drawing_for_deal)]
    least = min(card.sum for card in cards)
    lowest = tuple(seat for seat, card in zip(s.drawing_for_deal, cards, strict=True) if card.sum == least)
    return DealCardsDrawn(s.drawing_for_deal, cards, lowest)


def deal(s: Table, deck: Cards) -> HandDealt:
    """All the cards, one at a time from the dealer's left; where they come out uneven the first seats have one more."""
    dealer = next_dealer(s)
    hands = dealt(deck, dealer, s.seats)
    leader = next(seat for seat, hand in enumerate(hands) if OPENING in hand)
    counts = tuple(len(hand) for hand in hands)
    return HandDealt(s.hand_no + 1, dealer, counts, leader, OPENING, each_its_own(hands))


def play_card(s: Table, seat: Seat, card: TrixCard) -> Sequence[Event]:
    following = wanted_after(s, card)
    if card.low < card.high:
        return [CardPlayed(seat, card, following)]
    events: list[Event] = [CardPlayed(seat, card, following), SetCompleted(card.high, seat)]
    if following is None:
        nix_holder = next(at for at, hand in enumerate(s.hands) if NIX in hand)
        winners = (*s.sets, seat)
        delta = tuple(winners.count(at) + NIX_POINTS * (at == nix_holder) for at in range(s.seats))
        events.append(HandScored(nix_holder, delta, plus(s.totals, delta)))
    return events


def wanted_after(s: Table, card: TrixCard) -> TrixCard | None:
    if card.low < card.high:
        return TrixCard(f"{card.high}-{card.low + 1}")
    return None if card == pack(s)[-1] else TrixCard(f"{card.high + 1}-0")


def draw_card(s: Table, index: int) -> CardDrawn:
    """A card that fits is open to all, for it has to be played; any other is between drawer and victim."""
    victim = right_with_cards(s.hands, s.turn)
    card = s.hands[victim][index]
    if card == s.wanted:
        return CardDrawn(s.turn, victim, True, shown(card))
    both = (s.turn, victim) if s.turn < victim else (victim, s.turn)  # an audience is kept in the order of the seats
    return CardDrawn(s.turn, victim, False, Secret(card, both))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardDrawn(seat=seat, victim=victim, fits=fits, card=drawn):
            card = drawn.value
            moves = (*s.moves, Move(seat, victim, card))
            changed = list(s.hands)
            changed[victim] = without(s.hands[victim], card)
            changed[seat] = (*s.hands[seat], card)
            hands = tuple(changed)
            if fits:
                return s._replace(hands=hands, drew_wanted=True, passed=None, moves=moves)
            return s._replace(
                hands=hands,
                turn=left_with_cards(hands, seat),
                held_back=s.held_back | {seat} if s.wanted in s.hands[seat] else s.held_back,
                passed=seat,
                moves=moves,
            )
        case CardPlayed(seat=seat, card=card, wanted=wanted):
            hands = put(s.hands, seat, without(s.hands[seat], card))
            return s._replace(
                hands=hands,
                wanted=wanted,
                turn=seat if hands[seat] else left_with_cards(hands, seat),
                drew_wanted=False,
                held_back=NOBODY,
                passed=None,
                moves=(*s.moves, Move(seat, None, card)),
            )
        case SetCompleted(seat=seat):
            return s._replace(sets=(*s.sets, seat))
        case HandScored(nix_holder=nix_holder, totals=totals):
            return s._replace(playing=False, nix_holder=nix_holder, totals=totals)
        case HandDealt(hand_no=hand_no, dealer=dealer, leader=leader, wanted=wanted, hands=secrets):
            hands = unsealed(secrets)
            return s._replace(
                dealer=dealer,
                hand_no=hand_no,
                playing=True,
                hands=hands,
                wanted=wanted,
                turn=leader,
                passed=None,
                sets=(),
                nix_holder=None,
                dealt=hands,
                moves=(),
            )
        case DealCardsDrawn(lowest=lowest):
            return s._replace(drawing_for_deal=lowest if len(lowest) > 1 else (), dealer=alone(lowest))
        case _:
            assert_never(event)


def without(hand: Cards, card: TrixCard) -> Cards:
    at = hand.index(card)
    return hand[:at] + hand[at + 1 :]


def alone(seats: tuple[Seat, ...]) -> Seat | None:
    return seats[0] if len(seats) == 1 else None


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def sides(s: Table) -> tuple[tuple[Seat, ...], ...]:
    return two_sides(s) if s.options.sides == "alternate" else every_seat_alone(s)


def scores(s: Table) -> tuple[int, ...]:
    """The points of each side."""
    return tuple(sum(s.totals[seat] for seat in side) for side in sides(s))


def is_over(s: Table) -> bool:
    if s.playing or s.hand_no == 0:
        return False
    points = scores(s)
    return reached_alone(points, s.options.target)


def outcome(s: Table) -> Outcome | None:
    return side_outcome(scores(s), s.seats, "target") if is_over(s) else None
