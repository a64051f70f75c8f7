"""Aviation, rule by rule. U is the ascension from 1 to 7, D the descent from 13 to 8."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Pick, Picked, Refused, Secret, Shuffle, Shuffled
from domain.games.aviation import GAME
from domain.games.aviation.events import (
    CardPlayed,
    CardsGiven,
    DrawFrom,
    EndTurn,
    HandDealt,
    HandEnded,
    LayReserve,
    PileTaken,
    PlayCard,
    ReserveLaid,
)
from domain.games.aviation.flights import Centre
from domain.games.aviation.game import Table
from domain.kit.cards import FULL_PACK, Card
from domain.kit.dealing import DealerChosen
from domain.wire import names, read_command, write_event
from tests.domain.playing import Deal, random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.golden.matches import Golden


def chained(events: list[Any]) -> bool:
    """Two draws in a row on an opponent, and an own card after them."""
    built = [e for e in events if isinstance(e, CardPlayed)]
    return any(
        one.owner != one.seat and two.owner != two.seat and three.owner == three.seat == one.seat == two.seat
        for one, two, three in zip(built, built[1:], built[2:], strict=False)
    )


QUICK = {"must_build": True}
GOLDEN = Golden(
    seats=2,
    options={"must_build": True, "drome_size": 8},
    moment="a seat draws two opponent's cards in a chain and follows them with its own, in a match of few hands",
    shows=lambda events: chained(events) and sum(isinstance(e, HandDealt) for e in events) <= 4,
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    return [
        *s.stock,
        *s.centre.up,
        *s.centre.down,
        *(c for pile in (*s.hands, *s.dromes, *s.reserves, *s.taken) for c in pile),
    ]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("AV-01", range(2, 5, 2))
OPTIONS = {
    "first_dealer": ("AV-R1", "random", "seat"),
    "drome_size": ("AV-R3", 4, range(4, 9)),
    "partner_mode": ("AV-R5", "side", ("side", "player")),
    "direction": ("AV-R6", "refuse", ("refuse", "annul")),
    "reserve": ("AV-R8", "spread", ("spread", "pile")),
    "must_build": ("AV-R9", False, bool),
}
REFUSALS = {
    "AV-03": {"wrong_phase"},
    "AV-04": {"not_on_top"},
    "AV-09": {"wrong_direction"},
    "AV-10": {"wrong_number"},
    "AV-11": {"not_in_hand", "not_there", "partners_card"},
    "AV-12": {"not_your_turn", "must_build"},
    "AV-15": {"no_opponent"},
    "AV-16": {"same_direction"},
    "AV-17": {"nothing_follows", "own_card_due"},
    "AV-18": {"closing_card"},
    "AV-19": {"not_in_hand", "reserve_due"},
    "AV-24": {"wrong_direction"},
    "AV-25": {"wrong_phase"},
    "AV-R8": {"covered"},
}
UP, DOWN = [1, 2, 3, 4, 5, 6, 7], [13, 12, 11, 10, 9, 8]


def by_letter(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: ("CROW".index(card[0]), int(card[2:]))))


def deal_map(deal: Deal) -> Iterable[Any]:
    """AV-03 to AV-06, AV-R1, AV-R2: dromes in packets from the dealer's left, then hands of four; the rest is stock."""
    assert sorted(deal.deck) == sorted(f"{letter}-{n}" for letter in "CROW" for n in range(1, 14))
    cards, order = list(deal.deck), [(deal.dealer + n) % deal.seats for n in range(1, deal.seats + 1)]
    dromes: dict[int, tuple[Card, ...]] = {}
    hands: dict[int, tuple[Card, ...]] = {}
    for piles, size in ((dromes, deal.options.drome_size), (hands, 4)):
        for seat in order:
            piles[seat] = tuple(cards[:size])
            del cards[:size]
    seats = range(deal.seats)
    yield HandDealt(
        deal.hand_no,
        deal.dealer,
        len(cards),
        tuple(dromes[seat][-1] for seat in seats),
        Secret(tuple(dromes[seat][:-1] for seat in seats), ()),
        tuple(Secret(by_letter(hands[seat]), (seat,)) for seat in seats),
        Secret(tuple(cards), ()),
    )


class Field:
    """A hand told once more: what lies where, and who may do what with it."""

    def __init__(self, dealt: HandDealt, options: Any, ways: list[str]) -> None:
        self.options, self.seats, self.ways = options, len(dealt.hands), ways
        self.hands = [list(kept.value) for kept in dealt.hands]
        self.dromes = [[*below, top] for below, top in zip(dealt.dromes_below.value, dealt.drome_tops, strict=True)]
        self.reserves: list[list[Card]] = [[] for _ in dealt.hands]
        self.stock = list(dealt.stock.value)
        self.piles: dict[str, list[Card]] = {"U": [], "D": []}
        self.turn, self.owes = (dealt.dealer + 1) % self.seats, False

    def open_cards(self, seat: int) -> Iterator[tuple[str, Card]]:
        yield from (("drome", card) for card in self.dromes[seat][-1:])
        usable = self.reserves[seat] if self.options.reserve == "spread" else self.reserves[seat][-1:]
        yield from (("reserve", card) for card in usable)

    def own_cards(self, seat: int) -> list[tuple[str, Card]]:
        return [*(("hand", card) for card in self.hands[seat]), *self.open_cards(seat)]

    def wanted(self, way: str) -> int:
        return (UP if way == "U" else DOWN)[len(self.piles[way])]

    def fits(self, seat: int, card: str) -> bool:
        """AV-09, AV-10, AV-24"""
        way = "U" if int(card[2:]) <= 7 else "D"
        return int(card[2:]) == self.wanted(way) and (way == self.ways[seat] or self.options.direction == "annul")

    def opponents(self, seat: int) -> list[int]:
        """AV-16, AV-R7"""
        return [at for at in range(self.seats) if (at + seat) % 2 and self.ways[at] != self.ways[seat]]

    def draws(self, seat: int) -> set[tuple[int, str, Card]]:
        """AV-15 to AV-18, AV-R11"""
        numbers = UP if self.ways[seat] == "U" else DOWN
        shown = [(at, *place) for at in self.opponents(seat) for place in self.open_cards(at)]
        own = {int(card[2:]) for _, card in self.own_cards(seat)}
        theirs = {int(card[2:]) for _, _, card in shown}
        found = set()
        for at, source, card in shown:
            number = int(card[2:])
            if number != self.wanted(self.ways[seat]) or number == numbers[-1]:
                continue
            after = numbers[numbers.index(number) + 1 :]
            first_own = next((n for n in after if n in own), None)
            if first_own is not None and all(n in theirs for n in after[: after.index(first_own)]):
                found.add((at, source, card))
        return found

    def may_end(self, seat: int) -> bool:
        """AV-17, AV-R9"""
        wanted = self.wanted(self.ways[seat])
        held_back = any(int(card[2:]) == wanted for _, card in self.own_cards(seat))
        return not self.owes and not (self.options.must_build and held_back)

    def legal(self) -> set[Any]:
        seat = self.turn
        found: set[Any] = {PlayCard(c, source) for source, c in self.own_cards(seat) if self.fits(seat, c)}  # type: ignore[arg-type]
        found |= {DrawFrom(*place) for place in self.draws(seat)}  # type: ignore[arg-type]
        if self.may_end(seat):
            found |= {LayReserve(card) for card in self.hands[seat]} or {EndTurn()}
        return found

    def refill(self, seat: int) -> Any:
        """AV-20"""
        return CardsGiven(seat, 4, Secret(by_letter(self.stock[:4]), (seat,)))

    def build(self, event: CardPlayed) -> None:
        seat, owner, source, card = event.seat, event.owner, event.source, event.card
        assert seat == self.turn
        if owner == seat:
            assert (source, card) in self.own_cards(seat) and self.fits(seat, card)
        else:
            assert (owner, source, card) in self.draws(seat)
        {"hand": self.hands, "drome": self.dromes, "reserve": self.reserves}[source][owner].remove(card)
        assert event.uncovered == (self.dromes[owner][-1] if source == "drome" and self.dromes[owner] else None)
        way = "U" if int(card[2:]) <= 7 else "D"
        self.piles[way].append(card)
        if way == self.ways[seat]:
            self.owes = owner != seat

    def follow(self, event: Any) -> None:
        """What an event does to the cards; `recount` says whether it may."""
        match event:
            case CardPlayed():
                self.build(event)
            case PileTaken(_, pile, _, _, directions):
                self.piles[pile], self.ways = [], list(directions)
            case CardsGiven(seat, _, cards):
                assert not self.hands[seat]
                self.hands[seat] = list(cards.value)
                del self.stock[:4]
            case ReserveLaid(seat, card):
                assert seat == self.turn and self.may_end(seat)
                self.hands[seat].remove(card)
                self.reserves[seat].append(card)
                self.turn = (seat + 1) % self.seats


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """AV-08 to AV-25: every card on its way, the points and directions of both sides, and the end."""
    totals, ways, last = [0, 0], ["U"] * seats, None
    for event, following in pairwise([*events, None]):
        if isinstance(event, HandDealt):
            field = Field(event, options, ways)
        elif not isinstance(event, DealerChosen):
            field.follow(event)
        match event:
            case CardPlayed(seat, _, source, card):
                pile, closing = ("U", 7) if int(card[2:]) <= 7 else ("D", 8)
                if int(card[2:]) == closing:
                    right = pile == ways[seat]
                    turning = {seat} if options.partner_mode == "player" else set(range(seat % 2, seats, 2))
                    totals[seat % 2] += 5 * right
                    ways = ["DU"[way == "D"] if right and at in turning else way for at, way in enumerate(ways)]
                    assert following == PileTaken(seat, pile, 5 * right, tuple(totals), tuple(ways))  # type: ignore[arg-type]
                elif source == "hand" and not field.hands[seat] and field.stock:
                    assert following == field.refill(seat)
                else:
                    assert not isinstance(following, PileTaken | CardsGiven)
            case PileTaken(seat):
                due = field.stock and not field.hands[seat] and max(totals) < 50
                assert following == field.refill(seat) if due else not isinstance(following, CardsGiven)
            case ReserveLaid(seat):
                end = field.refill(seat) if field.stock else HandEnded(tuple(totals), tuple(ways))  # type: ignore[arg-type]
                assert following == end if not field.hands[seat] else not isinstance(following, CardsGiven | HandEnded)
            case HandEnded(points, directions):
                ended_by = last.seat if isinstance(last, ReserveLaid) else field.turn
                assert not field.stock and not field.hands[ended_by]
                assert isinstance(last, ReserveLaid) or field.may_end(ended_by)
                assert (list(points), list(directions)) == (totals, ways)
        last = event
    if max(totals) < 50:
        return None
    won = totals.index(50)
    return Outcome(
        tuple(1 if seat % 2 == won else 2 for seat in range(seats)),
        tuple(totals[seat % 2] for seat in range(seats)),
        "fifty_points",
    )


def told(events: Iterable[Any], seat: int | None) -> dict[str, Any]:
    """The view of a seat, put together from what the events told it and from nothing else."""
    totals: tuple[int, ...] = (0, 0)
    ways: tuple[str, ...] = ()
    turn: int | None
    drome_tops: list[Card | None]
    reserves: list[tuple[Card, ...]]
    taken: list[tuple[Card, ...]]
    for event in events:
        match event:
            case HandDealt(hand_no, dealer, stock, tops, below, hands):
                seats = len(hands)
                phase, turn, owes, counts = "playing", (dealer + 1) % seats, False, [4] * seats
                drome_tops, drome_counts = list(tops), [1 + len(under) for under in below.value]
                reserves, taken = [() for _ in hands], [() for _ in hands]
                piles: dict[str, tuple[Card, ...]] = {"U": (), "D": ()}
                ways = ways or ("U",) * seats
                hand = () if seat is None else hands[seat].value
            case CardPlayed(player, owner, source, card, uncovered):
                pile = "U" if int(card[2:]) <= 7 else "D"
                piles[pile] += (card,)
                owes = owner != player if pile == ways[player] else owes
                if source == "drome":
                    drome_tops[owner] = uncovered
                    drome_counts[owner] -= 1
                elif source == "reserve":
                    reserves[owner] = tuple(held for held in reserves[owner] if held != card)
                else:
                    counts[owner] -= 1
                    hand = tuple(held for held in hand if held != card) if owner == seat else hand
            case PileTaken(player, pile, _, totals, ways):
                taken[player] += piles[pile]
                piles[pile] = ()
                phase, turn = ("playing", turn) if max(totals) < 50 else ("finished", None)
            case CardsGiven(player, count, cards):
                counts[player], stock = count, stock - count
                hand = cards.value if seat in (cards.to or ()) else hand
            case ReserveLaid(player, card):
                counts[player] -= 1
                reserves[player] += (card,)
                hand = tuple(held for held in hand if held != card) if player == seat else hand
                turn = (player + 1) % seats
            case HandEnded():
                phase, turn = "awaiting_deal", None
    return {
        "phase": phase, "hand_no": hand_no, "dealer": dealer, "turn": turn, "owes": owes,
        "hand": None if seat is None else hand,
        "hand_counts": counts, "hands": None, "stock_count": stock, "stock": None, "drome_tops": drome_tops,
        "drome_counts": drome_counts, "dromes": None, "reserves": tuple(reserves), "ascension": piles["U"],
        "descent": piles["D"], "wanted_up": 1 + len(piles["U"]), "wanted_down": 13 - len(piles["D"]),
        "taken": tuple(taken), "directions": ways, "side_totals": totals,
    }  # fmt: skip


def at(
    *hands: str,
    dromes: tuple[str, ...] = (),
    reserves: tuple[str, ...] = (),
    up: int = 0,
    down: int = 14,
    ways: str = "",
    turn: int = 0,
    stock: str = "",
    totals: tuple[int, int] = (0, 0),
    **options: Any,
) -> Story:
    """A hand in which the ascension stands at `up` and the descent at `down`, both built with C cards."""
    seats = len(hands)
    empty = ("",) * seats
    return table(GAME, seats, **options).but(
        dealer=0,
        hand_no=1,
        playing=True,
        hands=tuple(hand(h) for h in hands),
        dromes=tuple(hand(d) for d in dromes or empty),
        reserves=tuple(hand(r) for r in reserves or empty),
        centre=Centre(
            tuple(Card(f"C-{n}") for n in range(1, up + 1)), tuple(Card(f"C-{n}") for n in range(13, down - 1, -1))
        ),
        directions=tuple(ways or "U" * seats),
        turn=turn,
        stock=hand(stock),
        totals=totals,
    )


def play(card: str, source: Any = "hand") -> PlayCard:
    return PlayCard(Card(card), source)


def draw(seat: int, card: str, source: Any = "drome") -> DrawFrom:
    return DrawFrom(seat, source, Card(card))


def lay(card: str) -> LayReserve:
    return LayReserve(Card(card))


def plays(story: Story, seat: int, *cards: str) -> Story:
    for card in cards:
        story = story.when(seat, play(card))
    return story


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        GAME.decide(story.table, seat, command)
    return caught.value


# ── Deal ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_or_four_play() -> None:
    """AV-01, AV-R3: three are refused, and dromes of eight at a table of four."""
    for seats in (1, 3, 5):
        refuses_table(GAME, seats, "AV-01")
    refuses_table(GAME, 4, "AV-R3", drome_size=8)
    refuses_table(GAME, 2, "AV-R3", drome_size=6)
    refuses_table(GAME, 2, "AV-R3", drome_size=9)
    assert GAME.sides(table(GAME, 4).table) == ((0, 2), (1, 3))
    assert GAME.sides(table(GAME, 2).table) == ((0,), (1,))


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """AV-02, AV-03, AV-R1"""
    story = table(GAME, 4)
    assert GAME.chance(story.table) == Pick(4)
    first = story.when(CHANCE, Picked(3)).then(DealerChosen(3))
    assert GAME.chance(first.table) == Shuffle(FULL_PACK) and len(set(FULL_PACK)) == 52
    dealt = first.when(CHANCE, Shuffled(FULL_PACK))
    assert dealt.last(HandDealt).dealer == 3 and GAME.to_act(dealt.table) == {0}
    second = dealt.given(HandEnded((0, 0), ("U",) * 4)).when(CHANCE, Shuffled(FULL_PACK))
    assert (second.last(HandDealt).dealer, second.last(HandDealt).hand_no) == (0, 2)
    assert table(GAME, 2, first_dealer=1).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1


@pytest.mark.parametrize(
    ("seats", "size", "dromes", "hands", "stock"), [(2, 4, 8, 8, 36), (2, 8, 16, 8, 28), (4, 4, 16, 16, 20)]
)
def test_dromes_then_hands_are_counted_out_in_packets_AV_E1(
    seats: int, size: int, dromes: int, hands: int, stock: int
) -> None:
    """AV-04, AV-05, AV-06, AV-R1, AV-R2, AV-R3, AV-E1"""
    story = table(GAME, seats, first_dealer=0, drome_size=size).when(CHANCE, Shuffled(FULL_PACK))
    s, event = story.table, story.last(HandDealt)
    assert sum(map(len, s.dromes)) == dromes and sum(map(len, s.hands)) == hands
    assert len(s.stock) == stock == event.stock_count and stock % 4 == 0
    assert s.dromes[1] == FULL_PACK[:size] and s.dromes[0] == FULL_PACK[dromes - size : dromes]
    assert s.hands[1] == FULL_PACK[dromes : dromes + 4] and s.stock == FULL_PACK[dromes + hands :]
    assert event.drome_tops[1] == FULL_PACK[size - 1]
    assert event.dromes_below.to == event.stock.to == ()
    assert [kept.to for kept in event.hands] == [(seat,) for seat in range(seats)]


def test_a_drome_shows_its_top_card_only_even_to_its_owner() -> None:
    """AV-04, AV-R2: and nobody sees the stock or another's hand."""
    story = at("C-1 R-9", "O-9 W-12", dromes=("R-11 R-3", "O-8"), stock="W-1 W-2 W-3 W-4")
    for seat in (0, 1, None):
        view = GAME.view(story.table, seat)
        assert (view["drome_tops"], view["drome_counts"], view["dromes"]) == (["R-3", "O-8"], [2, 1], None)
        assert "R-11" not in str(view) and "W-1'" not in str(view) and view["stock_count"] == 4
        assert view["hand_counts"] == [2, 2]
    assert GAME.view(story.table, 0)["hand"] == hand("C-1 R-9") and GAME.view(story.table, None)["hand"] is None


# ── Building ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_turn_AV_E2() -> None:
    """AV-07, AV-10, AV-11, AV-12, AV-19, AV-E2: 1 and 2 from the hand, 3 from the drome, 9 as reserve."""
    story = at("C-1 R-2 O-5 W-9", "R-13 R-12", dromes=("R-11 O-3", "W-8"), stock="W-1 W-2 W-3 W-4")
    built = plays(story, 0, "C-1", "R-2").when(0, play("O-3", "drome"))
    built.then(CardPlayed(0, 0, "drome", Card("O-3"), Card("R-11")))
    view = GAME.view(built.table, 1)
    assert view["ascension"] == hand("C-1 R-2 O-3") and (view["wanted_up"], view["wanted_down"]) == (4, 13)
    assert (view["drome_tops"][0], view["drome_counts"][0]) == ("R-11", 1)
    ended = built.when(0, lay("W-9")).then(ReserveLaid(0, Card("W-9")))
    assert ended.table.hands[0] == hand("O-5") and ended.table.reserves[0] == hand("W-9")
    assert GAME.to_act(ended.table) == {1} and len(ended.table.stock) == 4


def test_a_turn_may_be_ended_without_building() -> None:
    """AV-12, AV-R9, AV-R15: also where a card fits; and the first legal command is to lay a reserve card."""
    story = at("C-1 R-9", "R-13 O-2")
    story.allows(0, play("C-1"), lay("C-1"), lay("R-9"))
    assert GAME.legal(story.table, 0)[0] == lay("C-1")
    story.when(0, lay("C-1")).allows(1, lay("R-13"), lay("O-2"))


@pytest.mark.parametrize(("ways", "up", "down", "card", "rule"), [
    ("UU", 3, 14, "R-5", "AV-10"),
    ("UU", 3, 14, "R-3", "AV-10"),
    ("UU", 3, 14, "R-13", "AV-09"),
    ("DU", 0, 14, "R-1", "AV-09"),
    ("DU", 0, 14, "R-12", "AV-10"),
    ("DU", 0, 11, "R-11", "AV-10"),
])  # fmt: skip
def test_only_the_next_number_of_the_own_direction_fits(ways: str, up: int, down: int, card: str, rule: str) -> None:
    """AV-09, AV-10, AV-R6"""
    at(f"{card} W-9", "O-9", up=up, down=down, ways=ways).refuses(0, play(card), rule)


def test_suits_do_not_matter() -> None:
    """AV-10: any 4 follows a 3, and any 12 a 13."""
    at("R-4 O-4 W-4", "C-9", up=3).allows(0, *[f(c) for c in ("R-4", "O-4", "W-4") for f in (play, lay)])
    assert plays(at("R-12 W-9", "C-9", down=13, ways="DU"), 0, "R-12").table.centre.down == hand("C-13 R-12")


def test_who_finishes_another_seats_pile_takes_it_AV_E3() -> None:
    """AV-08, AV-13, AV-E3: B scores and turns to the descent; A still ascends and needs a new 1."""
    story = at("R-1 W-2", "O-7 R-13 R-12 W-9 W-11", up=6, turn=1).when(1, play("O-7"))
    story.then(CardPlayed(1, 1, "hand", Card("O-7"), None), PileTaken(1, "U", 5, (0, 5), ("U", "D")))
    assert len(story.table.taken[1]) == 7 and story.table.centre.up == ()
    going_on = plays(story, 1, "R-13", "R-12")  # AV-E4
    assert going_on.table.centre.down == hand("R-13 R-12")
    next_turn = going_on.when(1, lay("W-9"))
    next_turn.allows(0, play("R-1"), lay("R-1"), lay("W-2"))


def test_the_turn_goes_on_in_the_other_direction_AV_E4() -> None:
    """AV-13, AV-14, AV-E4: and the descent that follows makes a flight of ten."""
    story = at("O-7 R-13 W-9", "C-9", up=6).when(0, play("O-7"))
    story.allows(0, play("R-13"), lay("R-13"), lay("W-9"))
    flight = at("R-8 R-1 W-9", "C-9", down=9, ways="DU", totals=(5, 0)).when(0, play("R-8"))
    assert flight.last(PileTaken) == PileTaken(0, "D", 5, (10, 0), ("U", "U"))
    assert len(flight.table.taken[0]) == 6
    flight.allows(0, play("R-1"), lay("R-1"), lay("W-9"))


def test_own_cards_come_from_hand_drome_and_reserve() -> None:
    """AV-11, AV-R8: each is named with its place, and no other card will do."""
    story = at("R-4 W-9", "O-9", dromes=("R-2 O-4", "O-2"), reserves=("W-4 C-12", "C-10"), up=3)
    lays = [lay("R-4"), lay("W-9")]
    story.allows(0, play("R-4"), play("O-4", "drome"), play("W-4", "reserve"), *lays)
    story.refuses(0, play("R-4", "reserve"), "AV-11").refuses(0, play("O-4"), "AV-11")
    story.refuses(0, play("R-2", "drome"), "AV-04")  # it lies under the top
    story.refuses(0, play("O-2", "drome"), "AV-11").refuses(0, play("C-10", "reserve"), "AV-11")
    used = story.when(0, play("W-4", "reserve")).then(CardPlayed(0, 0, "reserve", Card("W-4"), None))
    assert used.table.reserves[0] == hand("C-12")


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """AV-11, AV-04, AV-19: a hand, a covered drome card and the stock cannot be probed."""
    story = at("R-4 W-9", "O-9", dromes=("R-2 O-4", "O-3 C-9"), stock="R-11 R-12 R-13 R-10")
    hidden_cards = ("O-9", "R-2", "O-3", "R-11", "PRINCE")
    for make in (play, lay, lambda card: play(card, "drome")):
        told = {str(refusal(story, 0, make(card))).replace(card, "X") for card in hidden_cards}
        assert len(told) == 1


def test_in_a_reserve_kept_as_a_pile_only_the_last_card_is_of_use() -> None:
    """AV-R8"""
    sources: dict[str, Any] = {"reserves": ("W-4 C-12", "R-12 O-4"), "up": 3}
    story = at("W-9", "O-9", **sources, reserve="pile")
    story.allows(0, lay("W-9")).refuses(0, play("W-4", "reserve"), "AV-R8")
    at("W-9", "O-9", reserves=("C-12 W-4", ""), up=3, reserve="pile").allows(0, lay("W-9"), play("W-4", "reserve"))
    drawing = at("R-5 W-9", "O-9", **sources, ways="UD", reserve="pile")
    drawing.allows(0, lay("R-5"), lay("W-9"), draw(1, "O-4", "reserve"))
    drawing.but(reserves=(hand(""), hand("O-4 R-12"))).refuses(0, draw(1, "O-4", "reserve"), "AV-R8")


# ── Drawing on the opponents ────────────────────────────────────────────────────────────────────────────────────


def test_a_draw_must_be_followed_by_an_own_card_AV_E5() -> None:
    """AV-15, AV-17, AV-R10, AV-E5"""
    story = at("R-9 R-2 R-5", "W-9", dromes=("", "O-5 O-10"), down=11, ways="DU")
    drawn = story.when(0, draw(1, "O-10")).then(CardPlayed(0, 1, "drome", Card("O-10"), Card("O-5")))
    assert drawn.table.owes and drawn.table.hands[0] == hand("R-9 R-2 R-5")
    assert drawn.table.centre.down == hand("C-13 C-12 C-11 O-10")
    drawn.allows(0, play("R-9")).refuses(0, lay("R-2"), "AV-17")
    followed = drawn.when(0, play("R-9"))
    followed.allows(0, lay("R-2"), lay("R-5"))
    at("R-8 R-2 R-5", "W-9", dromes=("", "O-10"), down=11, ways="DU").refuses(0, draw(1, "O-10"), "AV-17")


def test_the_card_that_follows_may_lie_open_but_not_covered() -> None:
    """AV-17, AV-R11: own drome top and own reserve count, what is under a drome does not."""
    at("R-2", "W-9", dromes=("R-9", "O-10"), down=11, ways="DU").when(0, draw(1, "O-10"))
    at("R-2", "W-9", dromes=("", "O-10"), reserves=("R-9", ""), down=11, ways="DU").when(0, draw(1, "O-10"))
    covered = at("R-2", "W-9", dromes=("R-9 R-5", "O-9 O-10"), down=11, ways="DU")
    covered.refuses(0, draw(1, "O-10"), "AV-17")


def test_a_chain_of_draws_ends_with_an_own_card_AV_E6() -> None:
    """AV-17, AV-R10, AV-R11, AV-E6"""
    story = at("R-9 R-2", "W-9", dromes=("", "O-11"), reserves=("", "W-10"), down=12, ways="DU")
    first = story.when(0, draw(1, "O-11"))
    first.allows(0, draw(1, "W-10", "reserve")).refuses(0, lay("R-2"), "AV-17")
    second = first.when(0, draw(1, "W-10", "reserve"))
    second.allows(0, play("R-9"))
    assert second.when(0, play("R-9")).table.centre.down == hand("C-13 C-12 O-11 W-10 R-9")
    without = at("R-8 R-2", "W-9", dromes=("", "O-11"), reserves=("", "W-10"), down=12, ways="DU")
    without.refuses(0, draw(1, "O-11"), "AV-17")


def test_the_closing_card_is_always_an_own_one_AV_E7() -> None:
    """AV-18, AV-R12, AV-E7"""
    story = at("R-8 R-2", "W-9", dromes=("", "O-9"), down=10, ways="DU").when(0, draw(1, "O-9"))
    assert story.when(0, play("R-8")).last(PileTaken).totals == (5, 0)
    at("R-2", "W-9", dromes=("", "O-9"), reserves=("", "W-8"), down=10, ways="DU").refuses(0, draw(1, "O-9"), "AV-17")
    at("R-2", "W-9", dromes=("", "O-8"), down=9, ways="DU").refuses(0, draw(1, "O-8"), "AV-18")
    at("R-8", "W-9", dromes=("", "O-7"), up=6, ways="UD").refuses(0, draw(1, "O-7"), "AV-18")


def test_the_example_of_the_sheet_AV_E8() -> None:
    """AV-15, AV-16, AV-18, AV-E8: B ascends while A descends."""
    story = at("W-9", "R-4 R-9", reserves=("O-3", ""), up=2, ways="DU", turn=1)
    assert story.when(1, draw(0, "O-3", "reserve")).when(1, play("R-4")).table.centre.up[-1] == "R-4"
    story.but(directions=("U", "U")).refuses(1, draw(0, "O-3", "reserve"), "AV-16")
    story.but(hands=(hand("W-9"), hand("R-5 R-9"))).refuses(1, draw(0, "O-3", "reserve"), "AV-17")
    closing = at("W-9", "R-7 R-9", reserves=("O-6 O-7", ""), up=5, ways="DU", turn=1)
    done = closing.when(1, draw(0, "O-6", "reserve"))
    done.refuses(1, draw(0, "O-7", "reserve"), "AV-18")
    assert done.when(1, play("R-7")).last(PileTaken).seat == 1


def test_what_cannot_be_drawn() -> None:
    """AV-04, AV-09, AV-10, AV-11, AV-15, AV-16, AV-R7"""
    story = at("R-9 R-2", "W-9", "W-5", "W-6", dromes=("O-10", "O-5 W-10", "C-10", ""), reserves=("", "R-11 O-1", "R-10", ""),
               down=11, ways="DUDU")  # fmt: skip
    story.allows(0, lay("R-9"), lay("R-2"), play("O-10", "drome"), draw(1, "W-10"))
    story.refuses(0, draw(2, "C-10"), "AV-11").refuses(0, draw(2, "R-10", "reserve"), "AV-11")  # the partner's
    story.refuses(0, play("C-10", "drome"), "AV-11").refuses(0, play("R-10", "reserve"), "AV-11")
    story.refuses(0, draw(0, "O-10"), "AV-15").refuses(0, draw(4, "O-10"), "AV-15").refuses(
        0, draw(-1, "O-10"), "AV-15"
    )
    story.refuses(0, draw(1, "R-11", "reserve"), "AV-10").refuses(0, draw(1, "O-1", "reserve"), "AV-09")
    story.refuses(0, draw(1, "O-5"), "AV-04").refuses(0, draw(3, "R-13"), "AV-04").refuses(0, draw(3, "W-10"), "AV-11")
    story.refuses(0, draw(3, "W-10", "reserve"), "AV-11")
    story.but(directions=tuple("DDDD")).refuses(0, draw(1, "W-10"), "AV-16")
    story.refuses(1, draw(0, "O-10"), "AV-12")


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("ways", ["DUDU", "UUUU", "UDDU"])
def test_no_seat_draws_on_its_partner_whichever_way_he_builds(seat: int, ways: str) -> None:
    """AV-11, AV-R7: nor plays his cards; the refusal speaks of the partner, and not of directions."""
    story = at("", "", "", "", dromes=("O-1", "W-1", "R-1", "C-1"), ways=ways, turn=seat, partner_mode="player")
    partner, top = (seat + 2) % 4, ("O-1", "W-1", "R-1", "C-1")[(seat + 2) % 4]
    story.refuses(seat, draw(partner, top), "AV-11").refuses(seat, play(top, "drome"), "AV-11")
    assert refusal(story, seat, draw(partner, top)).code == "partners_card"


def test_draws_on_both_opponents_may_be_chained() -> None:
    """AV-15, AV-R10: four seats, seat 0 ascends against two that descend."""
    story = at("R-3 R-9", "W-9", "W-10", "W-11", dromes=("", "O-1", "", "O-2"), ways="UDUD")
    story = story.when(0, draw(1, "O-1")).when(0, draw(3, "O-2")).when(0, play("R-3"))
    assert story.table.centre.up == hand("O-1 O-2 R-3") and not story.table.owes


# ── End of a turn, refill, end of a hand ────────────────────────────────────────────────────────────────────────


def test_what_ends_a_turn_and_what_does_not() -> None:
    """AV-12, AV-19: not an own drome card, not `end_turn` with cards in hand, not twice."""
    story = at("R-9 R-2", "W-9", dromes=("O-10", ""))
    story.refuses(0, lay("O-10"), "AV-19").refuses(0, EndTurn(), "AV-19").refuses(1, lay("W-9"), "AV-12")
    after = story.when(0, lay("R-9"))
    for command in (lay("R-2"), play("R-2"), EndTurn(), draw(1, "W-9")):
        after.refuses(0, command, "AV-12")


def test_an_empty_hand_is_refilled_at_once_AV_E9() -> None:
    """AV-20, AV-R13, AV-E9: in play the turn goes on, after a reserve card it passes."""
    stock = "W-5 W-9 R-13 R-12 O-1 O-2 O-3 O-5"
    played = at("R-4", "W-10", up=3, stock=stock).when(0, play("R-4"))
    given = CardsGiven(0, 4, Secret(hand("R-12 R-13 W-5 W-9"), (0,)))
    played.then(CardPlayed(0, 0, "hand", Card("R-4"), None), given)
    assert len(played.table.stock) == 4 and GAME.to_act(played.table) == {0}
    assert play("W-5") in GAME.legal(played.table, 0)
    laid = at("O-12", "W-10", up=3, stock=stock).when(0, lay("O-12"))
    laid.then(ReserveLaid(0, Card("O-12")), given)
    assert GAME.to_act(laid.table) == {1} and len(laid.table.hands[0]) == 4


def test_a_drome_or_drawn_card_gives_no_refill() -> None:
    """AV-04, AV-20: only the hand is refilled, and only when it is empty."""
    story = at("R-9", "W-10", dromes=("O-4", ""), up=3, stock="W-5 W-9 R-13 R-12")
    story.when(0, play("O-4", "drome")).then(CardPlayed(0, 0, "drome", Card("O-4"), None))


def test_the_end_of_a_hand_AV_E11() -> None:
    """AV-21, AV-22, AV-R14, AV-E11: 6 from the hand, 7 from the drome, and the turn ends without a reserve card."""
    story = at("R-6", "W-10 W-11", dromes=("O-9 O-7", ""), up=5).when(0, play("R-6"))
    story.then(CardPlayed(0, 0, "hand", Card("R-6"), None))
    story.allows(0, EndTurn(), play("O-7", "drome"))
    taken = story.when(0, play("O-7", "drome"))
    assert taken.last(PileTaken).totals == (5, 0)
    taken.allows(0, EndTurn()).refuses(0, lay("O-9"), "AV-19")
    over = taken.when(0, EndTurn()).then(HandEnded((5, 0), ("D", "U")))
    assert GAME.to_act(over.table) == {CHANCE} and over.table.totals == (5, 0)
    over.refuses(0, EndTurn(), "AV-03").refuses(1, lay("W-10"), "AV-03").allows(1)


def test_the_last_card_laid_as_reserve_ends_the_hand_too() -> None:
    """AV-22, AV-R14: what the others still hold counts nothing."""
    story = at("R-9", "W-10 W-11", totals=(5, 10)).when(0, lay("R-9"))
    story.then(ReserveLaid(0, Card("R-9")), HandEnded((5, 10), ("U", "U")))
    assert GAME.outcome(story.table) is None


def test_with_an_empty_hand_a_debt_must_be_paid_before_the_turn_ends() -> None:
    """AV-17, AV-21"""
    story = at("", "W-10", dromes=("R-5", "O-4"), up=3, ways="UD").when(0, draw(1, "O-4"))
    story.refuses(0, EndTurn(), "AV-17").when(0, play("R-5", "drome")).allows(0, EndTurn())


def test_points_and_directions_are_carried_over_AV_E10() -> None:
    """AV-08, AV-14, AV-23, AV-R15, AV-E10: 15 points after one hand, and the next begins with a descent."""
    story = at("R-7", "W-10", up=6, totals=(10, 0), stock="").when(0, play("R-7")).when(0, EndTurn())
    assert story.table.totals == (15, 0)
    deck = list(FULL_PACK)
    for place, card in ((8, "R-1"), (9, "O-13"), (12, "W-1"), (13, "W-12")):  # hands begin at the ninth card
        other = deck.index(Card(card))
        deck[place], deck[other] = deck[other], deck[place]
    dealt = story.when(CHANCE, Shuffled(tuple(deck)))
    s = dealt.table
    assert s.directions == ("D", "U") and s.totals == (15, 0) and s.centre == Centre()
    assert s.reserves == s.taken == ((), ()) and s.turn == 0 and len(s.stock) == 36
    dealt.refuses(0, play("R-1"), "AV-09")
    assert play("O-13") in GAME.legal(s, 0)
    second_flight = at("R-8 W-9", "W-10", down=9, ways="DU", totals=(15, 0)).when(0, play("R-8"))
    assert second_flight.last(PileTaken).totals == (20, 0)


def test_fifty_points_win_at_once_AV_E12() -> None:
    """AV-25, AV-E12: without a reserve card, and without a refill."""
    story = at("R-8", "W-10", down=9, ways="DU", totals=(45, 20), stock="W-1 W-2 W-3 W-4").when(0, play("R-8"))
    story.then(CardPlayed(0, 0, "hand", Card("R-8"), None), PileTaken(0, "D", 5, (50, 20), ("U", "U")))
    result = GAME.outcome(story.table)
    assert result is not None and result.winners == (0,) and result.scores == (50, 20)
    assert GAME.to_act(story.table) == frozenset()
    story.refuses(0, EndTurn(), "AV-25").refuses(1, lay("W-10"), "AV-25")
    assert GAME.outcome(at("R-8", "W-10", down=9, ways="DU", totals=(40, 45)).when(0, play("R-8")).table) is None


# ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_ascension_in_a_row_is_refused_or_annulled_AV_E13() -> None:
    """AV-09, AV-24, AV-R6, AV-E13"""
    cards = "R-1 R-2 R-3 R-4 R-5 R-6 R-7 W-13"
    at(cards, "W-10", ways="DU", totals=(5, 0)).refuses(0, play("R-1"), "AV-09")
    story = at(cards, "W-10", ways="DU", totals=(5, 0), direction="annul")
    story = plays(story, 0, *cards.split()[:7])
    assert story.last(PileTaken) == PileTaken(0, "U", 0, (5, 0), ("D", "U"))
    assert story.table.centre.up == () and len(story.table.taken[0]) == 7
    story.allows(0, play("W-13"), lay("W-13"))


def test_a_descent_before_the_first_ascension_is_annulled_too() -> None:
    """AV-24: and the pile of the right kind scores as ever."""
    story = at("R-8 R-7 W-9", "W-10", up=6, down=9, direction="annul")
    annulled = story.when(0, play("R-8"))
    assert annulled.last(PileTaken) == PileTaken(0, "D", 0, (0, 0), ("U", "U"))
    assert annulled.when(0, play("R-7")).last(PileTaken).points == 5


def test_draws_go_the_right_way_where_wrong_building_is_annulled() -> None:
    """AV-24, AV-17: and a card on the other pile does not pay what a draw owes."""
    story = at(
        "R-5 R-12 W-9", "W-10", dromes=("", "O-4"), reserves=("", "O-12"), up=3, down=13, ways="UD", direction="annul"
    )
    story.refuses(0, draw(1, "O-12", "reserve"), "AV-24")
    astray = story.when(0, draw(1, "O-4")).when(0, play("R-12"))
    astray.refuses(0, lay("W-9"), "AV-17").when(0, play("R-5")).allows(0, lay("W-9"))


def four(partner_mode: str) -> Story:
    story = at("R-7 R-13 W-9", "W-10", "O-13 O-1", "W-11", up=6, partner_mode=partner_mode, totals=(5, 10))
    return story.when(0, play("R-7"))


def test_partners_share_direction_and_points() -> None:
    """AV-01, AV-08, AV-13, AV-R5: the side turns round as one."""
    story = four("side").then(
        CardPlayed(0, 0, "hand", Card("R-7"), None), PileTaken(0, "U", 5, (10, 10), ("D", "U", "D", "U"))
    )
    partner = story.but(turn=2)
    partner.refuses(2, play("O-1"), "AV-09")
    assert play("O-13") in GAME.legal(partner.table, 2)
    won = GAME.outcome(at("R-7", "W-1", "W-2", "W-3", up=6, totals=(45, 20)).when(0, play("R-7")).table)
    assert won is not None and won.places == (1, 2, 1, 2) and won.scores == (50, 20, 50, 20)


def test_each_partner_may_have_a_direction_of_his_own() -> None:
    """AV-R5, AV-16, AV-24: points are added in any case, and 50 win."""
    story = four("player")
    assert story.last(PileTaken) == PileTaken(0, "U", 5, (10, 10), ("D", "U", "U", "U"))
    partner = story.but(turn=2)
    partner.refuses(2, play("O-13"), "AV-09")
    assert play("O-1") in GAME.legal(partner.table, 2)
    mixed = at("R-2 R-9", "W-9", "W-10", "W-11", dromes=("", "O-1", "", "W-1"), ways="UDDU", partner_mode="player")
    mixed.refuses(0, draw(3, "W-1"), "AV-16").when(0, draw(1, "O-1")).when(0, play("R-2"))
    mixed.refuses(0, draw(2, "W-10", "reserve"), "AV-11")
    won = at("R-8", "W-1", "W-2", "W-3", down=9, ways="DUUU", totals=(45, 0), partner_mode="player").when(
        0, play("R-8")
    )
    result = GAME.outcome(won.table)
    assert result is not None and result.winners == (0, 2)


def test_a_table_may_make_building_compulsory() -> None:
    """AV-R9, AV-12: own cards from all places, never draws."""
    for places in ({"dromes": ("O-4", "")}, {"reserves": ("O-4", "")}):
        at("R-9", "W-10", up=3, must_build=True, **places).refuses(0, lay("R-9"), "AV-12")  # type: ignore[arg-type]
    story = at("R-4 R-9", "W-10", up=3, must_build=True)
    story.allows(0, play("R-4")).refuses(0, lay("R-9"), "AV-12")
    story.when(0, play("R-4")).allows(0, lay("R-9"))
    at("", "W-10", dromes=("O-4", ""), up=3, must_build=True).refuses(0, EndTurn(), "AV-12")
    free = at("R-5 R-9", "W-10", dromes=("", "O-4"), up=3, ways="UD", must_build=True)
    free.allows(0, lay("R-5"), lay("R-9"), draw(1, "O-4"))
    wrong_way = at("R-13", "W-10", must_build=True, direction="annul")
    wrong_way.allows(0, lay("R-13"), play("R-13"))


TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {"must_build": False}),
    (2, {}),
    (2, {"drome_size": 8, "reserve": "pile"}),
    (2, {"direction": "annul"}),
    (4, {"must_build": False, "direction": "annul"}),
    (4, {}),
    (4, {"partner_mode": "player"}),
    (4, {"partner_mode": "player", "direction": "annul", "reserve": "pile"}),
]


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_whatever_the_cards_allow_is_legal_and_a_view_shows_what_was_told(seats: int, options: dict[str, Any]) -> None:
    """AV-09 to AV-12, AV-15 to AV-19, AV-R2: all through a match, for every seat and a spectator."""
    events: list[Any] = []
    field = None
    match = random_match(GAME, seats, {"must_build": True, **options}, random.Random(repr((seats, options))))
    for number, moment in enumerate(islice(match, 500)):
        events += moment.events
        s = moment.after
        for event in moment.events:
            if isinstance(event, HandDealt):
                field = Field(event, s.options, list(s.directions))
            elif field:
                field.follow(event)
        if field and s.playing:
            legal = GAME.legal(s, field.turn)
            assert len(legal) == len(set(legal)) and set(legal) == field.legal()
            assert not any(GAME.legal(s, seat) for seat in range(seats) if seat != field.turn)
            ways_to_end = [command for command in legal if isinstance(command, LayReserve | EndTurn)]
            assert list(legal[: len(ways_to_end)]) == ways_to_end
        if field and (number % 6 == 0 or not s.playing):
            for seat in (None, *range(seats)):
                assert GAME.view(s, seat) == told(events, seat)


# ── Before and after, on the wire, and always ───────────────────────────────────────────────────────────────────


def test_nothing_is_played_before_the_deal() -> None:
    """AV-03"""
    table(GAME, 2).refuses(0, play("C-1"), "AV-03").refuses(1, EndTurn(), "AV-03")
    for hand_no in (1, 2, 5):
        between = at("R-9", "W-10").but(hand_no=hand_no).when(0, lay("R-9"))
        between.refuses(0, play("C-1"), "AV-03").refuses(1, lay("W-10"), "AV-03")


def test_commands_and_covered_cards_on_the_wire() -> None:
    """AV-R2, AV-15: `from` is a field of the commands, and what a drome hides goes to nobody."""
    body = {"type": "draw_from", "seat": 1, "from": "reserve", "card": "O-3"}
    assert read_command(names(GAME.commands), body) == draw(1, "O-3", "reserve")
    dealt = table(GAME, 2, first_dealer=0).when(CHANCE, Shuffled(FULL_PACK))
    parts = write_event(dealt.last(HandDealt))
    assert set(parts.secret) == {"table", "0", "1"} and set(parts.secret["table"]) == {"dromes_below", "stock"}


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (2, {"drome_size": 8}), (4, {"reserve": "pile"})])
def test_what_holds_in_every_match(seats: int, options: dict[str, Any]) -> None:
    """AV-07, AV-08, AV-22, AV-25, AV-R4: fifty points are made U, D, U, D …, and a hand has so many turns at the most."""
    piles: tuple[list[str], list[str]] = ([], [])
    turns, most = 0, 44 if seats == 2 and not options else 36
    for moment in random_match(GAME, seats, {"must_build": True, **options}, random.Random(seats)):
        s = moment.after
        assert len(s.stock) % 4 == 0
        for event in moment.events:
            match event:
                case HandDealt():
                    turns = 0
                case ReserveLaid():
                    turns += 1
                    assert turns <= most and not s.owes
                case PileTaken(seat, pile):
                    piles[seat % 2].append(pile)
                    assert s.directions[seat] == "UD"[len(piles[seat % 2]) % 2]
        assert s.totals == tuple(5 * len(done) for done in piles)
    best = max(piles, key=len)
    assert best == ["U", "D"] * 5


def test_no_card_is_ever_lost() -> None:
    """AV-02: 52 cards wherever they lie, in all modes at once."""
    options = {"direction": "annul", "partner_mode": "player", "must_build": True}
    for moment in random_match(GAME, 4, options, random.Random(9)):
        assert not moment.after.hand_no or sorted(pieces(moment.after)) == sorted(FULL_PACK)


def test_options_for_another_number_of_seats_are_refused() -> None:
    """AV-R3, AV-R5"""
    for mode in ("side", "player"):
        refuses_idle(GAME, 2, "partner_mode", mode)
        GAME.new_table({"partner_mode": mode}, 4)
    refuses_idle(GAME, 4, "drome_size", 4)


# ── What is told to those who may see everything, and what a seat can imagine ───────────────────────────────────


def test_whoever_may_see_everything_sees_covered_cards_and_the_stock() -> None:
    """AV-R2, AV-06"""
    story = at("C-1 R-9", "O-9 W-12", dromes=("R-11 R-3", "O-8"), stock="W-1 W-2 W-3 W-4")
    view = GAME.view(story.table, ALL)
    assert (view["hand"], view["hands"]) == (None, story.table.hands)
    assert (view["dromes"], view["stock"]) == ((hand("R-11 R-3"), hand("O-8")), hand("W-1 W-2 W-3 W-4"))


def imagined(story: Story, seat: int, times: int = 300) -> list[Table]:
    rng = random.Random(5)
    return [GAME.imagine(story.table, seat, rng.randrange) for _ in range(times)]


def numbers(cards: Iterable[Card]) -> set[int]:
    return {card.number for card in cards}


def test_a_drawn_card_tells_that_its_drawer_holds_one_to_follow() -> None:
    """AV-17: an own 9 or 8, since the 9 that lies open could be drawn too."""
    stock = "W-1 W-2 W-3 W-4 O-1 O-2 O-3 O-4"
    story = at("R-8 R-2 R-3", "O-12", dromes=("R-4", "W-9 O-10"), reserves=("", "O-9"), down=11, ways="DU", stock=stock)
    drawn = story.when(0, draw(1, "O-10"))
    worlds = imagined(drawn, 1)
    assert all(numbers(world.hands[0]) & {8, 9} for world in worlds)
    assert {card for world in worlds for card in world.hands[0]} == set(hand(f"R-8 R-2 R-3 {stock}"))
    # Once the card has been played, nothing more is known of the rest.
    paid = drawn.when(0, draw(1, "O-9", "reserve")).when(0, play("R-8"))
    assert not all(numbers(world.hands[0]) & {8, 9} for world in imagined(paid, 1))


def test_a_draw_that_an_open_card_explains_tells_nothing_of_the_hand() -> None:
    """AV-17: the follower lies in the reserve."""
    story = at(
        "R-2 R-3", "O-12", dromes=("", "O-10"), reserves=("R-9", ""), down=11, ways="DU", stock="W-9 W-2 W-3 W-4"
    )
    held = [numbers(world.hands[0]) for world in imagined(story.when(0, draw(1, "O-10")), 1)]
    assert any(9 in one for one in held) and any(9 not in one for one in held)


def test_a_follower_that_was_not_needed_after_all_is_still_known_to_be_there() -> None:
    """AV-17: the 10 or the 9 that allowed the first draw stays in the hand, since what was uncovered led past it."""
    stock = "W-1 W-2 W-3 W-4 O-1 O-2 O-3 O-4"
    dromes, reserves = ("", "O-9 O-11"), ("R-8", "W-10")
    story = at("R-10 R-2", "O-12", dromes=dromes, reserves=reserves, down=12, ways="DU", stock=stock)
    past = story.when(0, draw(1, "O-11")).when(0, draw(1, "W-10", "reserve")).when(0, draw(1, "O-9"))
    past = past.when(0, play("R-8", "reserve"))
    assert all(numbers(world.hands[0]) & {9, 10} for world in imagined(past, 1))
    assert not all(numbers(world.hands[0]) & {9, 10} for world in imagined(past.when(0, lay("R-10")), 1))


def test_where_building_is_compulsory_a_reserve_card_tells_what_its_owner_does_not_hold() -> None:
    """AV-R9: until the hand is filled again."""
    story = at("R-9 R-11", "W-10 W-12", up=3, must_build=True, stock="W-4 O-4 W-2 W-3")
    laid = story.when(0, lay("R-9"))
    assert not any(4 in numbers(world.hands[0]) for world in imagined(laid, 1))
    filled = laid.when(1, lay("W-10")).when(0, lay("R-11"))
    assert any(4 in numbers(world.hands[0]) for world in imagined(filled, 1))
    free = at("R-9 R-11", "W-10 W-12", up=3, stock="W-4 O-4 W-2 W-3").when(0, lay("R-9"))
    assert any(4 in numbers(world.hands[0]) for world in imagined(free, 1))
