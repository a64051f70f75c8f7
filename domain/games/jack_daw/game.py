"""Jack-Daw (Crown Cards, 1911): six cards in hand, a pack that lies face up, and four points to make in each hand.

Every seat gets six cards, and the rest of the pack is turned over: its first top card shows the trump suit. Follow
suit if you can; otherwise trump or throw away as you like. After each trick everybody draws the top card in turn, the
taker first, so the taker knows what is coming and all see who gets what; when the pack is gone the hands are played
out. The 13 (High), the 1 (Low) and the 5 (Jack-Daw) of trumps are worth a point each to the seat that takes them, and
Game is a point for the best count of all cards taken, in which the 10s weigh most. The points are booked in this
order, and the first seat to reach ten wins at that instant.
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
    hidden,
    number,
    ranked,
    record,
)
from domain.kit.cards import FULL_PACK, Card, Cards, in_order
from domain.kit.dealing import DealerChosen, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken, legal_plays, with_card_played, with_trick_taken
from domain.kit.refusals import no_hand, not_in_hand, not_your_turn
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, plus, put

Point = Literal["high", "low", "jack_daw", "game"]
TRUMP_POINTS: Final[tuple[tuple[Point, int], ...]] = (("high", 13), ("low", 1), ("jack_daw", 5))
POINT_CARDS: Final = frozenset(number for _, number in TRUMP_POINTS)
GAME_VALUES: Final = {13: 4, 12: 3, 11: 2, 10: 10, 5: 1}

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(10, 1, 50, rule="JD-R8", text="Points that win the match.")
    first_dealer: str | int = first_dealer("JD-R1")
    odd_card: str = choice(
        "trick_winner",
        "last_trick",
        rule="JD-R3",
        text="With three seats: who gets the card left over.",
    )


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    trump: str
    pack: Cards  # from the top, which all can see, to the bottom
    drawn: Cards  # the cards of this hand that all have seen being drawn
    hands: tuple[Cards, ...]
    trick_no: int
    trick: Trick
    voids: Voids
    turn: Seat
    taken: tuple[Cards, ...]
    totals: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    nothing: tuple[Cards, ...] = ((),) * seats
    return Table(
        options, seats, dealer, 0, False, "", (), (), nothing, 0, (), no_voids(seats), 0, nothing, (0,) * seats
    )


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats != 3, "odd_card", "a card is left over at a table of three only"),
    )


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


class Drawn(NamedTuple):
    """A card that a seat drew from the top of the pack."""

    seat: Seat
    card: Card


@record
class HandDealt:
    """Six cards are dealt to each seat; the rest lies face up, and its top card shows the trump suit."""

    hand_no: int
    dealer: Seat
    hands: tuple[Secret[Cards], ...]
    top: Card
    trump: str
    pack_count: int  # the top card included
    pack_under: Secret[Cards]


@record
class CardsDrawn:
    """Every seat draws one card, in this order and in full view; then the next card can be seen."""

    draws: tuple[Drawn, ...]
    top: Card | None
    pack_count: int


@record
class OddCardTaken:
    """The card that is left over joins the taken cards of this seat."""

    seat: Seat
    card: Card


@record
class HandScored:
    """The hand is counted: High, Low, Jack-Daw and Game, until somebody reaches the target."""

    high: Seat
    low: Seat
    jack_daw: Seat
    game: Seat | None  # nobody, if the best count is shared
    game_counts: tuple[int, ...]
    deciding: Point | None  # the point that reached the target: those after it were not booked
    delta: tuple[int, ...]
    totals: tuple[int, ...]


Event = DealerChosen | HandDealt | CardPlayed | TrickTaken | CardsDrawn | OddCardTaken | HandScored

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    """What counts for somebody comes last, so that an absent player gives nothing away."""
    return sorted(legal_plays(s, seat, objection), key=lambda play: worth(play.card, s.trump))


def worth(card: Card, trump: str) -> tuple[bool, int, bool, int]:
    """Cards of the trump points above all, then what counts for Game, then trumps."""
    is_trump = card.suit == trump
    return is_trump and card.number in POINT_CARDS, GAME_VALUES.get(card.number, 0), is_trump, card.number


def objection(s: Table, seat: Seat, card: Card) -> Refused | None:
    """Why this card may not be played, or nothing. The one source of legality."""
    if not s.playing:
        return no_hand("JD-21" if is_over(s) else "JD-06")
    if seat != s.turn:
        return not_your_turn("JD-09", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("JD-07" if card in FULL_PACK else "JD-01", card)
    return objection_to_following("JD-07", hand, s.trick, card)


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
    """Two rounds of three cards from the dealer's left; the rest is the pack, and its top card shows the trump suit."""
    dealer = next_dealer(s)
    a_round = 3 * s.seats
    hands: list[Cards] = [()] * s.seats
    for place, seat in enumerate(around(left_of(dealer, s.seats), s.seats)):
        first, second = 3 * place, 3 * place + a_round
        hands[seat] = in_order(deck[first : first + 3] + deck[second : second + 3])
    top, *under = deck[2 * a_round :]
    return HandDealt(
        hand_no=s.hand_no + 1,
        dealer=dealer,
        hands=each_its_own(hands),
        top=top,
        trump=top.suit,
        pack_count=1 + len(under),
        pack_under=hidden(tuple(under)),
    )


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    if len(s.trick) < s.seats - 1:
        return events
    trick = (*s.trick, TrickCard(seat, card))
    winner = taker(trick, s.trump)
    gained = cards_of(trick)
    last_trick = len(s.hands[seat]) == 1
    events.append(TrickTaken(s.trick_no, winner))
    if len(s.pack) >= s.seats:
        events.append(draw(s, winner))
    elif s.pack and (last_trick or s.options.odd_card == "trick_winner"):
        (odd_card,) = s.pack
        gained += (odd_card,)
        events.append(OddCardTaken(winner, odd_card))
    if last_trick:
        events.append(score(s, put(s.taken, winner, s.taken[winner] + gained)))
    return events


def draw(s: Table, winner: Seat) -> CardsDrawn:
    draws = tuple(Drawn(seat, card) for seat, card in zip(around(winner, s.seats), s.pack, strict=False))
    left = s.pack[s.seats :]
    return CardsDrawn(draws, left[0] if left else None, len(left))


def score(s: Table, taken: tuple[Cards, ...]) -> HandScored:
    """The points in the order of the list; counting stops when a seat has reached the target."""
    made: dict[Point, Seat] = {}
    for point, trump_number in TRUMP_POINTS:
        card = Card(f"{s.trump}-{trump_number}")
        made[point] = next(seat for seat, pile in enumerate(taken) if card in pile)
    counts = tuple(sum(GAME_VALUES.get(card.number, 0) for card in pile) for pile in taken)
    best = max(counts)
    if counts.count(best) == 1:
        made["game"] = counts.index(best)

    deciding: Point | None = None
    delta = [0] * s.seats
    for point, seat in made.items():
        delta[seat] += 1
        if s.totals[seat] + delta[seat] >= s.options.target:
            deciding = point
            break
    totals = plus(s.totals, delta)
    return HandScored(
        made["high"], made["low"], made["jack_daw"], made.get("game"), counts, deciding, tuple(delta), totals
    )


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            voids = shown_voids(s.voids, s.trick, seat, card)
            return with_card_played(s if voids is s.voids else s._replace(voids=voids), seat, card)
        case TrickTaken(seat=seat):
            return with_trick_taken(s, seat)
        case CardsDrawn(draws=draws):
            hands = list(s.hands)
            for seat, card in draws:
                hands[seat] = in_order((*hands[seat], card))
            drawn = s.drawn + s.pack[: len(draws)]
            return s._replace(hands=tuple(hands), pack=s.pack[len(draws) :], drawn=drawn)
        case OddCardTaken(seat=seat, card=card):
            return s._replace(pack=(), taken=put(s.taken, seat, (*s.taken[seat], card)))
        case HandScored(totals=totals):
            return s._replace(playing=False, totals=totals)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                playing=True,
                trump=event.trump,
                pack=(event.top, *event.pack_under.value),
                drawn=(),
                hands=unsealed(event.hands),
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
    return max(s.totals) >= s.options.target


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.totals), s.totals, "target") if is_over(s) else None
