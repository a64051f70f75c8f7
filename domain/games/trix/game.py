"""Trix (1903): play one card each, take the set with the highest sum, and gather the cards that count.

A card bears two numbers, like 7-3. Everybody plays any card of four and draws another from the Reserve; the highest sum
takes the set, of like sums the first, but a double takes before any other card, and 15-15, 10-10 and 5-5 before the
other doubles. Only Trix cards count, those with a sum of 5, 10, 15, 20, 25 or 30, and each counts its sum: 420 points
in all. The best side of a hand scores what it has more than the second, and the first side with 100 points wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, assert_never

from domain.game import (
    Outcome,
    Refused,
    Seat,
    Secret,
    Shuffle,
    Shuffled,
    choice,
    each_its_own,
    flag,
    hidden,
    number,
    record,
    shown,
    sides_in_turn,
)
from domain.kit.dealing import dealt, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.refusals import not_in_hand, not_your_turn, too_many_seats
from domain.kit.sides import side_outcome
from domain.kit.trixcards import TrixCard, trix_pack
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, put

Cards = tuple[TrixCard, ...]
Side = int
HAND_SIZE: Final = 4
USUAL_SEATS: Final = 8

# ── The cards ───────────────────────────────────────────────────────────────────────────────────────────────────

PRIZES: Final = (15, 10, 5, 14, 13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1, 0)  # the doubles, highest first
FULL: Final = trix_pack(15)
BY_SUM: Final = {card: (card.sum, card.high) for card in FULL}
# Every double stands above the highest other sum, the 29 of 15-14.
POWER: Final = {card: 50 - PRIZES.index(card.high) if card.high == card.low else card.sum for card in FULL}


def worth(card: TrixCard) -> int:
    """A Trix card counts its sum, the others nothing."""
    return card.sum if card.sum % 5 == 0 else 0


def taking(cards: Cards) -> int:
    """Which card of a set takes it; of like sums the one that was played first."""
    powers = [POWER[card] for card in cards]
    return powers.index(max(powers))


def in_order(cards: Sequence[TrixCard]) -> Cards:
    """A hand as a player would hold it: by sum."""
    return tuple(sorted(cards, key=BY_SUM.__getitem__))


def stays(card: TrixCard) -> bool:
    """Trix and Prize cards are in every pack."""
    return worth(card) > 0 or card.high == card.low


PACKS: Final = {
    "full": FULL,
    "short": tuple(card for card in FULL if card.high >= 10 or stays(card)),
    "short_sum": tuple(card for card in FULL if card.sum >= 10 or stays(card)),
}

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    sides: str = choice(
        *("usual", "single", "pairs", "two_sides", "three_pairs", "four_pairs"),
        rule="TX-R7",
        text="Who plays with whom; `usual` is pairs at a table of four, else every seat alone.",
    )
    scoring: str = choice("points", "progressive", rule="TX-19", text="Points to the target, or a point a hand.")
    target: int = number(100, 100, 1000, rule="TX-R10", text="Points that win the ordinary game.")
    pack: str = choice("full", "short", "short_sum", rule="TX-R6", text="All cards, or without those below the tens.")
    odd_reserve: str = choice("draw", "leave", rule="TX-R3", text="Whether a last incomplete round of draws is made.")
    hide_totals: bool = flag(False, rule="TX-R13", text="Whether taken cards and totals stay covered during a hand.")
    max_seats: int = number(USUAL_SEATS, 2, 10, rule="TX-R2", text="A table of more than 8 seats needs this.")


class Table(NamedTuple):
    options: Options
    seats: int
    side_of: tuple[Side, ...]
    drawing: tuple[Seat, ...]  # the seats still in the running for the first deal
    dealer: Seat | None
    hand_no: int
    playing: bool
    hands: tuple[Cards, ...]
    reserve: Cards  # top first
    set_no: int
    turn: Seat
    on_table: Cards  # the open set, from its leader on
    taken: tuple[Cards, ...]
    side_totals: tuple[int, ...]
    game_scores: tuple[int, ...]


# Which table sizes a way of playing together fits, and how many sides it makes. Partners sit evenly spread.
TOGETHER: Final = {"pairs": {4: 2}, "two_sides": {6: 2, 8: 2}, "three_pairs": {6: 3}, "four_pairs": {8: 4}}


def setup(options: Options, seats: int) -> Table:
    if seats > options.max_seats:
        raise too_many_seats("TX-R2", seats, options.max_seats)
    way = options.sides
    if way == "usual":
        way = "pairs" if seats == 4 else "single"
    if way != "single" and seats not in TOGETHER[way]:
        raise Refused("TX-R7", "wrong_sides", f"{seats} seats cannot play as {way}")
    sides = seats if way == "single" else TOGETHER[way][seats]
    side_of = tuple(seat % sides for seat in range(seats))
    nothing: tuple[Cards, ...] = ((),) * seats
    zero = (0,) * sides
    everybody = tuple(range(seats))
    return Table(options, seats, side_of, everybody, None, 0, False, nothing, (), 0, 0, (), nothing, zero, zero)


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (all(seats not in sizes for sizes in TOGETHER.values()), "sides", f"{seats} seats always play single"),
        (seats <= USUAL_SEATS, "max_seats", f"a table of {seats} is open without it"),
        (options.scoring == "progressive", "target", "the progressive game counts hands, not points"),
        (
            len(PACKS[options.pack]) % seats == 0,
            "odd_reserve",
            f"with this pack and {seats} seats no round of draws is incomplete",
        ),
    )


def sides(s: Table) -> tuple[tuple[Seat, ...], ...]:
    """The seats of each side."""
    return sides_in_turn(len(s.game_scores), s.seats)


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class PlayCard:
    """Play any card of your hand to the set."""

    card: TrixCard


@record
class Draw:
    """Draw from the Reserve: always refused, because the draw comes by itself after a card is played."""


Command = PlayCard | Draw


@record
class DealCardsDrawn:
    """Each seat that is still in the running for the deal draws a card; the smallest sum deals."""

    seats: tuple[Seat, ...]
    cards: Cards
    smallest: tuple[Seat, ...]


@record
class HandDealt:
    """Four cards are dealt to each seat; the rest is the Reserve."""

    hand_no: int
    dealer: Seat
    reserve_size: int
    hands: tuple[Secret[Cards], ...]
    reserve: Secret[Cards]


@record
class CardPlayed:
    """A card is played to the set."""

    seat: Seat
    card: TrixCard


@record
class CardDrawn:
    """A seat that has played draws the top card of the Reserve."""

    seat: Seat
    reserve_size: int
    card: Secret[TrixCard]


@record
class SetTaken:
    """A set is complete and goes to its taker."""

    set_no: int
    seat: Seat
    trix_points: Secret[int]
    side_totals: Secret[tuple[int, ...]]


@record
class LeftoverAwarded:
    """The cards that make no full set any more go to the taker of the last one."""

    seat: Seat
    cards: Cards
    trix_points: Secret[int]
    side_totals: Secret[tuple[int, ...]]


@record
class HandScored:
    """The hand is counted: the best side scores its lead over the second."""

    side_totals: tuple[int, ...]
    side: Side | None  # nobody when the best are equal
    scored: int
    game_scores: tuple[int, ...]


Event = DealCardsDrawn | HandDealt | CardPlayed | CardDrawn | SetTaken | LeftoverAwarded | HandScored

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Shuffle:
    """The pack is shuffled for the draw that names the first dealer, and for every deal."""
    return Shuffle(PACKS[s.options.pack])


PLAYS: Final = {card: PlayCard(card) for card in FULL}


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    if not s.playing or seat != s.turn:
        return ()
    # Cards that neither count nor take come first: an absent player gives nothing away.
    weakest_first = sorted(s.hands[seat], key=lambda card: (worth(card), POWER[card]))
    return [play for card in weakest_first if not objection(s, seat, play := PLAYS[card])]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if isinstance(command, Draw):
        return Refused("TX-07", "draw_is_automatic", "you draw by playing a card, as long as the Reserve lasts")
    if not s.playing:
        rule, text = ("TX-14", "the last set has been taken") if s.hand_no else ("TX-03", "no cards have been dealt")
        return Refused(rule, "wrong_phase", text)
    if seat != s.turn:
        return not_your_turn("TX-05", s.turn)
    card = command.card
    if card in s.hands[seat]:
        return None
    if card not in POWER:
        return not_in_hand("TX-01", card)
    return not_in_hand("TX-06" if card in PACKS[s.options.pack] else "TX-21", card)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Shuffled) -> Sequence[Event]:
    if isinstance(command, Shuffled):
        return [draw_for_deal(s, command.cards) if s.dealer is None else deal(s, command.cards)]
    if refusal := objection(s, seat, command):
        raise refusal
    assert isinstance(command, PlayCard)
    return play_card(s, seat, command.card)


def draw_for_deal(s: Table, deck: Cards) -> DealCardsDrawn:
    cards = deck[: len(s.drawing)]
    least = min(card.sum for card in cards)
    smallest = tuple(seat for seat, card in zip(s.drawing, cards, strict=True) if card.sum == least)
    return DealCardsDrawn(s.drawing, cards, smallest)


def deal(s: Table, deck: Cards) -> HandDealt:
    """Four each, one at a time from the dealer's left; the rest is the Reserve."""
    dealer = next_dealer(s)
    hands = [in_order(hand) for hand in dealt(deck, dealer, s.seats, HAND_SIZE)]
    reserve = deck[HAND_SIZE * s.seats :]
    return HandDealt(s.hand_no + 1, dealer, len(reserve), each_its_own(hands), hidden(reserve))


def play_card(s: Table, seat: Seat, card: TrixCard) -> Sequence[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    # The Reserve divides among the seats as the pack does, so what is odd in the one is odd in the other.
    odd = len(PACKS[s.options.pack]) % s.seats if s.options.odd_reserve == "leave" else 0
    if len(s.reserve) > odd:
        events.append(CardDrawn(seat, len(s.reserve) - 1, Secret(s.reserve[0], (seat,))))
    if len(s.on_table) < s.seats - 1:
        return events
    for event in events:
        s = evolve(s, event)
    return [*events, *take_set(s)]


def take_set(s: Table) -> Sequence[Event]:
    """The taker gets the set, and with the last one, after which some hand is empty, all that is left over."""
    seat = (s.turn + taking(s.on_table)) % s.seats
    points, totals = counted(s, seat, s.on_table)
    taken = SetTaken(s.set_no, seat, cover(s, points), cover(s, totals))
    if all(s.hands):
        return [taken]
    s = evolve(s, taken)
    left = in_order([card for hand in s.hands for card in hand] + [*s.reserve])
    if not left:
        return [taken, score(s, totals)]
    points, totals = counted(s, seat, left)
    return [taken, LeftoverAwarded(seat, left, cover(s, points), cover(s, totals)), score(s, totals)]


def counted(s: Table, seat: Seat, cards: Cards) -> tuple[int, tuple[int, ...]]:
    """The points of these cards, and the totals of the sides when this seat has them."""
    points = sum(map(worth, cards))
    side = s.side_of[seat]
    return points, put(s.side_totals, side, s.side_totals[side] + points)


def cover(s: Table, value: Any) -> Secret[Any]:
    return hidden(value) if s.options.hide_totals else shown(value)


def score(s: Table, totals: tuple[int, ...]) -> HandScored:
    """The best side scores its lead over the second, or one point in the progressive game."""
    second, best = sorted(totals)[-2:]
    if best == second:
        return HandScored(totals, None, 0, s.game_scores)
    side = totals.index(best)
    gain = 1 if s.options.scoring == "progressive" else best - second
    return HandScored(totals, side, gain, put(s.game_scores, side, s.game_scores[side] + gain))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            return s._replace(
                hands=put(s.hands, seat, tuple([held for held in s.hands[seat] if held is not card])),
                on_table=(*s.on_table, card),
                turn=left_of(seat, s.seats),
            )
        case CardDrawn(seat=seat, card=card):
            return s._replace(hands=put(s.hands, seat, in_order((*s.hands[seat], card.value))), reserve=s.reserve[1:])
        case SetTaken(set_no=set_no, seat=seat, side_totals=side_totals):
            taken = put(s.taken, seat, s.taken[seat] + s.on_table)
            return s._replace(on_table=(), set_no=set_no + 1, turn=seat, taken=taken, side_totals=side_totals.value)
        case LeftoverAwarded(seat=seat, cards=cards, side_totals=side_totals):
            return s._replace(
                hands=((),) * s.seats,
                reserve=(),
                taken=put(s.taken, seat, s.taken[seat] + cards),
                side_totals=side_totals.value,
            )
        case HandScored(game_scores=game_scores):
            return s._replace(playing=False, game_scores=game_scores)
        case HandDealt(hand_no=hand_no, dealer=dealer, hands=hands, reserve=reserve):
            return s._replace(
                dealer=dealer,
                hand_no=hand_no,
                playing=True,
                hands=unsealed(hands),
                reserve=reserve.value,
                set_no=1,
                turn=left_of(dealer, s.seats),
                taken=((),) * s.seats,
                side_totals=(0,) * len(s.side_totals),
            )
        case DealCardsDrawn(smallest=smallest):
            return s._replace(drawing=smallest, dealer=smallest[0] if len(smallest) == 1 else None)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    """A side is at the target, or, in the progressive game, at three points or alone ahead after five counted hands."""
    if s.playing or not s.hand_no:
        return False
    best = max(s.game_scores)
    if s.options.scoring == "points":
        return best >= s.options.target
    return best >= 3 or (sum(s.game_scores) >= 5 and s.game_scores.count(best) == 1)


def outcome(s: Table) -> Outcome | None:
    if not is_over(s):
        return None
    return side_outcome(s.game_scores, s.seats, "target" if s.options.scoring == "points" else "most_hands")
