"""Aviation (Crown Cards, 1911): build up from 1 to 7, then down from 13 to 8, and up again.

Two piles in the centre belong to everybody: the ascension and the descent. A side builds on one of them only, the
ascension first, and changes over whenever it completes a pile; that is worth 5, whoever laid the earlier cards. A seat
builds from its hand, from the top of its drome (a face-up pile of four) and from its reserve cards. While an opponent
builds the other way, it may draw on his drome and reserve too, if it can follow with a card of its own. A turn ends
with a hand card laid open as reserve; an empty hand is filled with four new cards. Fifty points win.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    flag,
    hidden,
    number,
    record,
)
from domain.games.aviation.events import (
    CardPlayed,
    CardsGiven,
    Command,
    DrawFrom,
    EndTurn,
    Event,
    HandDealt,
    HandEnded,
    LayReserve,
    PileTaken,
    PlayCard,
    ReserveLaid,
    Shown,
    Source,
)
from domain.games.aviation.flights import CLOSING, NAME, Centre, Way, followers, other_way, way_of
from domain.kit.cards import FULL_PACK, Card, Cards, in_order, without
from domain.kit.dealing import DealerChosen, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.refusals import not_in_hand, not_your_turn
from domain.kit.sides import side_of, side_outcome
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, put

HAND_SIZE: Final = 4
PILE_POINTS: Final = 5
WINNING: Final = 50

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    first_dealer: str | int = first_dealer("AV-R1")
    drome_size: int = number(4, 4, 8, rule="AV-R3", text="Cards in a drome: 4, or 8 at a table of two.")
    partner_mode: str = choice("side", "player", rule="AV-R5", text="Who has a direction: a side, or each seat.")
    direction: str = choice("refuse", "annul", rule="AV-R6", text="What happens to a card built the wrong way.")
    reserve: str = choice(
        "spread", "pile", rule="AV-R8", text="Which reserve cards can be used: all, or the last only."
    )
    must_build: bool = flag(False, rule="AV-R9", text="Whether a turn may end only when no own card fits.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    playing: bool
    stock: Cards  # next card first
    hands: tuple[Cards, ...]
    dromes: tuple[Cards, ...]  # bottom to top; only the top is seen
    reserves: tuple[Cards, ...]  # in the order they were laid
    centre: Centre
    taken: tuple[Cards, ...]
    turn: Seat
    owes: bool  # a card was drawn, and one's own has yet to follow
    directions: tuple[Way, ...]  # of each seat
    totals: tuple[int, ...]  # of each side
    # What all have learnt of the hands since they were last filled, by seat: numbers that are not there, and sets of
    # numbers of which one is.
    lacking: tuple[frozenset[int], ...]
    holding: tuple[tuple[frozenset[int], ...], ...]


def setup(options: Options, seats: int) -> Table:
    if options.drome_size not in ((4, 8) if seats == 2 else (4,)):
        raise Refused("AV-R3", "option_refused", "a drome has four cards, or eight at a table of two")
    dealer = named_dealer(options.first_dealer)
    none: tuple[Cards, ...] = ((),) * seats
    ascent: Way = "U"
    return Table(
        options=options,
        seats=seats,
        dealer=dealer,
        hand_no=0,
        playing=False,
        stock=(),
        hands=none,
        dromes=none,
        reserves=none,
        centre=Centre(),
        taken=none,
        turn=0,
        owes=False,
        directions=(ascent,) * seats,
        totals=(0, 0),
        lacking=(frozenset(),) * seats,
        holding=((),) * seats,
    )


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats == 4, "drome_size", "at a table of four every drome has four cards"),
        (seats == 2, "partner_mode", "at a table of two nobody has a partner"),
    )


# ── Whose turn ──────────────────────────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


# ── What lies where ─────────────────────────────────────────────────────────────────────────────────────────────


def on_show(s: Table, seat: Seat) -> Iterator[tuple[Shown, Card]]:
    """The cards before a seat that can be used: the top of the drome, and the reserve or its last card."""
    if s.dromes[seat]:
        yield "drome", s.dromes[seat][-1]
    for card in s.reserves[seat] if s.options.reserve == "spread" else s.reserves[seat][-1:]:
        yield "reserve", card


def own_cards(s: Table, seat: Seat) -> list[PlayCard]:
    held = [PLAYS["hand", card] for card in s.hands[seat]]
    return held + [PLAYS[source, card] for source, card in on_show(s, seat)]


def reverse(s: Table, seat: Seat) -> list[Seat]:
    """The opponents that can be drawn on: those who build the other way."""
    return [other for other in range(1 - side_of(seat), s.seats, 2) if s.directions[other] != s.directions[seat]]


def can_follow(s: Table, seat: Seat, card: Card) -> bool:
    """Whether an own card can come after this one, with further draws between where needed."""
    own = {play.card.number for play in own_cards(s, seat)}
    return not own.isdisjoint(followers_of(s, seat, card))


def followers_of(s: Table, seat: Seat, card: Card) -> frozenset[int]:
    """The numbers of which the seat must have one if it draws this card."""
    return followers(card, {shown.number for other in reverse(s, seat) for _, shown in on_show(s, other)})


# ── What may be done ────────────────────────────────────────────────────────────────────────────────────────────


PLAYS: Final = {(source, card): PlayCard(card, source) for source in ("hand", "drome", "reserve") for card in FULL_PACK}
SHOWN: Final = [(seat, source, card) for seat in range(4) for source in ("drome", "reserve") for card in FULL_PACK]
DRAWS: Final = {place: DrawFrom(*place) for place in SHOWN}
LAYS: Final = {card: LayReserve(card) for card in FULL_PACK}
END_TURN: Final = EndTurn()


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    """Ways to end the turn first, since they suit a seat that is absent; then building, then drawing."""
    if not s.playing or seat != s.turn:
        return ()
    wanted = (s.centre.wanted("U"), s.centre.wanted("D"))
    shown = [(other, source, card) for other in reverse(s, seat) for source, card in on_show(s, other)]
    candidates: list[Command] = [LAYS[card] for card in s.hands[seat]] or [END_TURN]
    candidates += [play for play in own_cards(s, seat) if play.card.number in wanted]
    candidates += [DRAWS[place] for place in shown if place[2].number in wanted]
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if not s.playing:
        return Refused("AV-25" if is_over(s) else "AV-03", "wrong_phase", "no hand is being played")
    if seat != s.turn:
        return not_your_turn("AV-12", s.turn)
    match command:
        case PlayCard(card=card, from_=source):
            return objection_to_place(s, seat, source, card) or objection_to_number(s, seat, card)
        case DrawFrom(seat=owner, from_=source, card=card):
            no = objection_to_owner(s, seat, owner) or objection_to_place(s, owner, source, card)
            return no or objection_to_draw(s, seat, card)
        case LayReserve(card=card):
            if card not in s.hands[seat]:
                return not_in_hand("AV-19", card)
        case EndTurn():
            if s.hands[seat]:
                return Refused("AV-19", "reserve_due", "you hold cards, so the turn ends with one of them as reserve")
        case _:
            assert_never(command)
    if s.owes:
        return Refused("AV-17", "own_card_due", "you drew on an opponent, so a card of your own must follow")
    if s.options.must_build:
        wanted = s.centre.wanted(s.directions[seat])
        if any(play.card.number == wanted for play in own_cards(s, seat)):
            return Refused("AV-12", "must_build", f"at this table your {wanted} must be played before the turn ends")
    return None


def objection_to_place(s: Table, owner: Seat, source: Source, card: Card) -> Refused | None:
    """A card that is not there is refused in words that do not tell where it lies, unless everybody sees it."""
    match source:
        case "hand":
            return None if card in s.hands[owner] else not_in_hand("AV-11", card)
        case "drome":
            tops = [drome[-1] if drome else None for drome in s.dromes]
            if card in tops and tops[owner] != card:
                where = tops.index(card)
                return Refused("AV-11", "not_there", f"{card} lies on the drome of seat {where}, not of seat {owner}")
            if tops[owner] != card:
                return Refused("AV-04", "not_on_top", f"{card} is not the top card of the drome of seat {owner}")
        case "reserve":
            if card not in s.reserves[owner]:
                return Refused("AV-11", "not_there", f"{card} is not among the reserve cards of seat {owner}")
            if s.options.reserve == "pile" and card != s.reserves[owner][-1]:
                return Refused("AV-R8", "covered", f"{s.reserves[owner][-1]} lies over {card} in the reserve")
    return None


def objection_to_number(s: Table, seat: Seat, card: Card) -> Refused | None:
    way = way_of(card)
    if way != s.directions[seat] and s.options.direction == "refuse":
        return Refused("AV-09", "wrong_direction", f"{card} does not belong to {NAME[s.directions[seat]]} you build")
    if card.number != (wanted := s.centre.wanted(way)):
        return Refused("AV-10", "wrong_number", f"{NAME[way]} waits for a {wanted}, not for {card}")
    return None


def objection_to_owner(s: Table, seat: Seat, owner: Seat) -> Refused | None:
    if not 0 <= owner < s.seats or owner == seat:
        return Refused("AV-15", "no_opponent", f"seat {owner} is no opponent of yours")
    if side_of(owner) == side_of(seat):
        return Refused("AV-11", "partners_card", f"seat {owner} is your partner, whose cards are not yours to use")
    if owner not in reverse(s, seat):
        return Refused("AV-16", "same_direction", f"seat {owner} builds {NAME[s.directions[seat]]} as you do")
    return None


def objection_to_draw(s: Table, seat: Seat, card: Card) -> Refused | None:
    if way_of(card) != s.directions[seat] and s.options.direction == "annul":
        return Refused("AV-24", "wrong_direction", f"a draw helps only {NAME[s.directions[seat]]}, your own pile")
    if refusal := objection_to_number(s, seat, card):
        return refusal
    if card.number == CLOSING[way_of(card)]:
        return Refused("AV-18", "closing_card", f"{card} would complete the pile, which only an own card may do")
    if not can_follow(s, seat, card):
        return Refused("AV-17", "nothing_follows", f"you have no card of your own to follow {card}")
    return None


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
        case PlayCard(card=card, from_=source):
            return play_card(s, seat, card, source)
        case DrawFrom(seat=owner, from_=source, card=card):
            return [build(s, seat, owner, source, card)]
        case LayReserve(card=card):
            laid = ReserveLaid(seat, card)
            if len(s.hands[seat]) > 1:
                return [laid]
            return [laid, refill(s, seat) if s.stock else HandEnded(s.totals, s.directions)]
        case EndTurn():
            return [HandEnded(s.totals, s.directions)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    """Packets from the dealer's left: the dromes first, whose last card lies on top, then hands of four."""
    dealer = next_dealer(s)
    size = s.options.drome_size
    dromes: list[Cards] = [()] * s.seats
    hands: list[Cards] = [()] * s.seats
    rest = size * s.seats
    for place, seat in enumerate(around(left_of(dealer, s.seats), s.seats)):
        dromes[seat] = deck[size * place : size * (place + 1)]
        hands[seat] = in_order(deck[rest : rest + HAND_SIZE])
        rest += HAND_SIZE
    tops = tuple(drome[-1] for drome in dromes)
    below = hidden(tuple(drome[:-1] for drome in dromes))
    stock = deck[rest:]
    return HandDealt(s.hand_no + 1, dealer, len(stock), tops, below, each_its_own(hands), hidden(stock))


def play_card(s: Table, seat: Seat, card: Card, source: Source) -> Sequence[Event]:
    events: list[Event] = [build(s, seat, seat, source, card)]
    if card.number == CLOSING[way_of(card)]:
        taken = take_pile(s, seat, way_of(card))
        events.append(taken)
        if max(taken.totals) >= WINNING:
            return events
    if source == "hand" and len(s.hands[seat]) == 1 and s.stock:
        events.append(refill(s, seat))
    return events


def build(s: Table, seat: Seat, owner: Seat, source: Source, card: Card) -> CardPlayed:
    uncovered = s.dromes[owner][-2] if source == "drome" and len(s.dromes[owner]) > 1 else None
    return CardPlayed(seat, owner, source, card, uncovered)


def take_pile(s: Table, seat: Seat, pile: Way) -> PileTaken:
    """Five points and a new direction; a pile of the wrong kind gives five and takes them away."""
    if pile != s.directions[seat]:
        return PileTaken(seat, pile, 0, s.totals, s.directions)
    side = side_of(seat)
    together = s.options.partner_mode == "side"
    turning = [at for at in range(s.seats) if at == seat or (together and side_of(at) == side)]
    directions = tuple(other_way(way) if at in turning else way for at, way in enumerate(s.directions))
    return PileTaken(seat, pile, PILE_POINTS, put(s.totals, side, s.totals[side] + PILE_POINTS), directions)


def refill(s: Table, seat: Seat) -> CardsGiven:
    return CardsGiven(seat, HAND_SIZE, Secret(in_order(s.stock[:HAND_SIZE]), (seat,)))


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, owner=owner, source=source, card=card):
            s = moved(drawing_tells(s, seat, card) if owner != seat else s, owner, source, card)
            # A debt is paid on the pile that was drawn for.
            return s._replace(owes=owner != seat) if way_of(card) == s.directions[seat] else s
        case ReserveLaid(seat=seat, card=card):
            if s.options.must_build:
                wanted = s.centre.wanted(s.directions[seat])
                s = s._replace(lacking=put(s.lacking, seat, s.lacking[seat] | {wanted}))
            s = out_of_hand(s, seat, card)
            return s._replace(reserves=put(s.reserves, seat, (*s.reserves[seat], card)), turn=left_of(seat, s.seats))
        case CardsGiven(seat=seat, count=count, cards=cards):
            s = s._replace(hands=put(s.hands, seat, cards.value), stock=s.stock[count:])
            return s._replace(lacking=put(s.lacking, seat, frozenset()), holding=put(s.holding, seat, ()))
        case PileTaken(seat=seat, pile=pile, totals=totals, directions=directions):
            taken = put(s.taken, seat, s.taken[seat] + s.centre.pile(pile))
            s = s._replace(centre=s.centre.cleared(pile), taken=taken)
            return s._replace(totals=totals, directions=directions, playing=max(totals) < WINNING)
        case HandEnded():
            return s._replace(playing=False)
        case HandDealt():
            none: tuple[Cards, ...] = ((),) * s.seats
            dromes = zip(event.dromes_below.value, event.drome_tops, strict=True)
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                playing=True,
                turn=left_of(event.dealer, s.seats),
                hands=unsealed(event.hands),
                stock=event.stock.value,
                dromes=tuple((*under, top) for under, top in dromes),
                reserves=none,
                centre=Centre(),
                taken=none,
                lacking=(frozenset(),) * s.seats,
                holding=((),) * s.seats,
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


def moved(s: Table, owner: Seat, source: Source, card: Card) -> Table:
    """A card goes from its owner to the centre."""
    match source:
        case "hand":
            s = out_of_hand(s, owner, card)
        case "drome":
            s = s._replace(dromes=put(s.dromes, owner, s.dromes[owner][:-1]))
        case "reserve":
            s = s._replace(reserves=put(s.reserves, owner, without(s.reserves[owner], card)))
    return s._replace(centre=s.centre.built(card))


def out_of_hand(s: Table, seat: Seat, card: Card) -> Table:
    """A hand without this card. Where it was known to hold such a number, this may have been the one."""
    s = s._replace(hands=put(s.hands, seat, without(s.hands[seat], card)))
    if not s.holding[seat]:
        return s
    left = tuple(numbers for numbers in s.holding[seat] if card.number not in numbers)
    return s._replace(holding=put(s.holding, seat, left))


def drawing_tells(s: Table, seat: Seat, card: Card) -> Table:
    """Only a seat that has a card to follow may draw: if no such card lies open before it, it holds one."""
    numbers = followers_of(s, seat, card)
    if any(shown.number in numbers for _, shown in on_show(s, seat)):
        return s
    return s._replace(holding=put(s.holding, seat, (*s.holding[seat], numbers)))


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    return max(s.totals) >= WINNING


def outcome(s: Table) -> Outcome | None:
    return side_outcome(s.totals, s.seats, "fifty_points") if is_over(s) else None
