"""Trix, rule by rule."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise, permutations
from typing import Any

import pytest

from domain.game import ALL, CHANCE, Outcome, Refused, Secret, Shuffle, Shuffled, each_its_own, hidden, shown
from domain.games.trix import GAME
from domain.games.trix.game import (
    FULL,
    PACKS,
    CardDrawn,
    CardPlayed,
    Cards,
    DealCardsDrawn,
    Draw,
    HandDealt,
    HandScored,
    LeftoverAwarded,
    PlayCard,
    SetTaken,
    Table,
    in_order,
    taking,
    worth,
)
from domain.kit.trixcards import TrixCard, trix_pack
from domain.wire import names, read_command
from tests.domain.playing import Deal, random_match
from tests.domain.retelling import Telling, places, recounted, retell
from tests.domain.story import Story, refuses_idle, refuses_table, table
from tests.golden.matches import Golden

QUICK = {"scoring": "progressive", "pack": "short"}
NEEDS = {"target": {"scoring": "points"}}
GOLDEN = Golden(
    seats=3,
    options={"pack": "short"},
    moment="a single hand wins the game, and its left-over card counts",
    shows=lambda events: (
        any(isinstance(e, LeftoverAwarded) and e.trix_points.value for e in events)
        and sum(isinstance(e, HandScored) for e in events) == 1
    ),
)


def whole(s: Table) -> Iterable[Any]:
    return PACKS[s.options.pack]


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    return [*s.reserve, *s.on_table, *(card for pile in (*s.hands, *s.taken) for card in pile)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("TX-R2", range(2, 11))
OPTIONS = {
    "sides": ("TX-R7", "usual", ("usual", "single", "pairs", "two_sides", "three_pairs", "four_pairs")),
    "scoring": ("TX-19", "points", ("points", "progressive")),
    "target": ("TX-R10", 100, range(100, 1001)),
    "pack": ("TX-R6", "full", ("full", "short", "short_sum")),
    "odd_reserve": ("TX-R3", "draw", ("draw", "leave")),
    "hide_totals": ("TX-R13", False, bool),
    "max_seats": ("TX-R2", 8, range(2, 11)),
}
REFUSALS = {
    "TX-01": {"not_in_hand"},
    "TX-03": {"wrong_phase"},
    "TX-05": {"not_your_turn"},
    "TX-06": {"not_in_hand"},
    "TX-07": {"draw_is_automatic"},
    "TX-14": {"wrong_phase"},
    "TX-21": {"not_in_hand"},
}
# TX-11
HIGHEST_DOUBLE_FIRST = (15, 10, 5, 14, 13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1, 0)
DOUBLES = [f"{n}-{n}" for n in HIGHEST_DOUBLE_FIRST]


@cache
def total(card: str) -> int:
    high, low = card.split("-")
    return int(high) + int(low)


@cache
def counts_for(card: str) -> int:
    """TX-13, TX-R4"""
    return total(card) if total(card) in (5, 10, 15, 20, 25, 30) else 0


def by_total(hand: Iterable[str]) -> list[str]:
    return sorted(hand, key=lambda card: (total(card), int(card.split("-")[0])))


@cache
def cards_in(pack: str) -> set[str]:
    """TX-01, TX-21, TX-R6"""
    every = {f"{high}-{low}" for high in range(16) for low in range(high + 1)}
    below = {
        "full": set[str](),
        "short": {card for card in every if int(card.split("-")[0]) < 10},
        "short_sum": {card for card in every if total(card) < 10},
    }[pack]
    return {card for card in every if counts_for(card) or card in DOUBLES or card not in below}


def number_of_sides(options: Any, seats: int) -> int:
    """TX-R7: partners sit as far apart as can be, so the seats of a side are so many places from one another."""
    usual = 2 if seats == 4 else seats
    return {"usual": usual, "single": seats, "pairs": 2, "two_sides": 2, "three_pairs": 3, "four_pairs": 4}[
        options.sides
    ]


def next_dealer(events: Iterable[Any], options: Any, seats: int) -> int | None:
    """TX-02, TX-20, TX-R11, TX-R12: the smallest sum, drawn for until one is alone; then the deal goes to the left."""
    dealer = None
    for event in events:
        if isinstance(event, DealCardsDrawn) and len(event.smallest) == 1:
            dealer = event.smallest[0]
        elif isinstance(event, HandScored) and dealer is not None:
            dealer = (dealer + 1) % seats
    return dealer


def deal_map(deal: Deal) -> Iterable[Any]:
    """TX-02, TX-03, TX-R12: cards for the deal; or four each, one at a time from the dealer's left, and the Reserve."""
    if next_dealer(deal.events, deal.options, deal.seats) is None:
        drawers = deal.events[-1].smallest if deal.events else tuple(range(deal.seats))
        drawn = dict(zip(drawers, deal.deck, strict=False))
        least = min(total(card) for card in drawn.values())
        smallest = tuple(seat for seat in drawers if total(drawn[seat]) == least)
        yield DealCardsDrawn(drawers, tuple(drawn.values()), smallest)
        return
    hands: list[list[str]] = [[] for _ in range(deal.seats)]
    rest = list(deal.deck)
    for _ in range(4):
        for place in range(deal.seats):
            hands[(deal.dealer + 1 + place) % deal.seats].append(rest.pop(0))
    secrets = tuple(Secret(tuple(by_total(hand)), (seat,)) for seat, hand in enumerate(hands))
    yield HandDealt(deal.hand_no, deal.dealer, len(rest), secrets, Secret(tuple(rest), ()))  # type: ignore[arg-type]


class TrixTold(Telling):
    """Trix as the rule page tells it."""

    def __init__(self, options: Any, seats: int) -> None:
        super().__init__(options, seats)
        self.sides = number_of_sides(options, seats)
        self.side_of = [seat % self.sides for seat in range(seats)]
        self.drawing = tuple(range(seats))
        self.dealer: int | None = None
        self.hand_no, self.set_no, self.runs = 0, 0, False
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        self.taken: list[list[str]] = [[] for _ in range(seats)]
        self.reserve: list[str] = []
        self.on_table: list[tuple[int, str]] = []
        self.scores = [0] * self.sides
        self.hands_won = 0

    def all_held(self) -> list[str]:
        return [card for hand in self.hands for card in hand]

    def side_totals(self) -> list[int]:
        """TX-12, TX-13, TX-R14"""
        piles = [sum(counts_for(card) for card in pile) for pile in self.taken]
        return [sum(piles[side :: self.sides]) for side in range(self.sides)]

    def covered(self, value: Any) -> Secret[Any]:
        """TX-R13"""
        return Secret(value, () if self.options.hide_totals else None)

    def thrown(self, answer: Any) -> None:
        if isinstance(answer, Shuffled):
            dealer = next_dealer(self.events, self.options, self.seats)
            events = tuple(self.events)
            self.due = [*deal_map(Deal(answer.cards, dealer or 0, self.hand_no + 1, self.seats, self.options, events))]

    def may_happen(self, event: Any) -> None:
        match event:
            case DealCardsDrawn(seats):
                assert self.dealer is None and seats == self.drawing
            case HandDealt(hand_no):
                assert self.dealer is not None and not self.runs and hand_no == self.hand_no + 1
            case CardPlayed(seat, card):
                assert self.refusal(seat, PlayCard(card)) is None
            case _:
                raise AssertionError(f"{event} comes by itself")

    def happens(self, event: Any) -> None:
        match event:
            case DealCardsDrawn(_, _, smallest):
                self.drawing, self.dealer = smallest, smallest[0] if len(smallest) == 1 else None
            case HandDealt(hand_no, dealer, _, hands, reserve):
                self.hand_no, self.dealer, self.set_no, self.runs = hand_no, dealer, 1, True
                self.hands, self.reserve = [list(kept.value) for kept in hands], list(reserve.value)
                self.taken = [[] for _ in range(self.seats)]
                assert Counter([*self.all_held(), *self.reserve]) == Counter(cards_in(self.options.pack))
                self.begin_set((dealer + 1) % self.seats)
            case CardPlayed(seat, card):
                """TX-05, TX-07"""
                self.hands[seat].remove(card)
                self.on_table.append((seat, str(card)))
                self.turn = (seat + 1) % self.seats
                if self.draws:
                    self.due = [CardDrawn(seat, len(self.reserve) - 1, Secret(TrixCard(self.reserve[0]), (seat,)))]
                else:
                    self.end_of_set()
            case CardDrawn(seat):
                self.draws -= 1
                self.hands[seat] = by_total([*self.hands[seat], self.reserve.pop(0)])
                self.end_of_set()
            case SetTaken(_, seat):
                self.set_no += 1
                self.begin_set(seat)
            case HandScored(_, side, _, scores):
                self.scores, self.runs = list(scores), False
                self.hands_won += side is not None

    def begin_set(self, leader: int) -> None:
        """TX-04, TX-12, TX-R3: each draws in this set, or the first few, or with `leave` nobody."""
        self.turn, self.on_table = leader, []
        self.draws = min(self.seats, len(self.reserve))
        if self.options.odd_reserve == "leave" and self.draws < self.seats:
            self.draws = 0

    def end_of_set(self) -> None:
        """TX-08 to TX-11, TX-14, TX-15"""
        if len(self.on_table) < self.seats:
            return
        doubles = [card for _, card in self.on_table if card in DOUBLES]
        if doubles:
            best = min(doubles, key=DOUBLES.index)
        else:
            best = next(c for _, c in self.on_table if total(c) == max(total(card) for _, card in self.on_table))
        taker = next(seat for seat, card in self.on_table if card == best)
        self.due = [SetTaken(self.set_no, taker, *self.gathered(taker, [card for _, card in self.on_table]))]
        if all(self.hands):
            return
        left = by_total([*self.all_held(), *self.reserve])
        if left:
            left_cards = tuple(TrixCard(card) for card in left)
            self.due.append(LeftoverAwarded(taker, left_cards, *self.gathered(taker, left)))
            self.hands, self.reserve = [[] for _ in range(self.seats)], []
        self.due.append(self.count())

    def gathered(self, taker: int, some: list[str]) -> tuple[Secret[int], Secret[tuple[int, ...]]]:
        self.taken[taker] += some
        return self.covered(sum(map(counts_for, some))), self.covered(tuple(self.side_totals()))

    def count(self) -> HandScored:
        """TX-16, TX-17, TX-19, TX-R8"""
        totals, scores = self.side_totals(), list(self.scores)
        assert sum(totals) == 420
        best, second = sorted(totals, reverse=True)[:2]
        if best == second:
            return HandScored(tuple(totals), None, 0, tuple(scores))
        side, gain = totals.index(best), 1 if self.options.scoring == "progressive" else best - second
        scores[side] += gain
        return HandScored(tuple(totals), side, gain, tuple(scores))

    def outcome(self) -> Outcome | None:
        """TX-18, TX-19, TX-R9, TX-R10"""
        best = max(self.scores)
        if self.options.scoring == "points":
            over, reason = best >= self.options.target, "target"
        else:
            over, reason = best == 3 or (self.hands_won >= 5 and self.scores.count(best) == 1), "most_hands"
        if self.runs or not over:
            return None
        each = self.seats // self.sides
        return Outcome(tuple(places(self.scores) * each), tuple(self.scores * each), reason)

    def to_act(self) -> set[int]:
        return {self.turn} if self.runs else set() if self.outcome() else {CHANCE}

    def asked_of_chance(self) -> Shuffle:
        return Shuffle(tuple(cards_in(self.options.pack)))

    def phase(self) -> str:
        if self.runs:
            return "playing"
        if self.outcome():
            return "finished"
        return "dealer_draw" if self.dealer is None else "awaiting_deal"

    def view(self, seat: int | None) -> dict[str, Any]:
        covered = self.runs and self.options.hide_totals
        return {
            "phase": self.phase(),
            "hand_no": self.hand_no,
            "dealer": self.dealer,
            "turn": self.turn if self.runs else None,
            "hand": None if seat is None else self.hands[seat],
            "hand_counts": [len(hand) for hand in self.hands],
            "hands": None,
            "stock": None,
            "stock_count": len(self.reserve),
            "trick_no": self.set_no,
            "trick": [{"seat": player, "card": card} for player, card in self.on_table],
            "taken": None if covered else self.taken,
            "side_of": self.side_of,
            "side_hand_points": None if covered else self.side_totals(),
            "side_totals": self.scores,
        }

    def legal(self, seat: int) -> list[Any]:
        possible = [PlayCard(TrixCard(card)) for card in self.hands[seat]]
        return [command for command in possible if self.refusal(seat, command) is None]

    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        if command == Draw():
            return "TX-07", "draw_is_automatic"
        if not self.runs:
            return ("TX-14" if self.hand_no else "TX-03"), "wrong_phase"
        if seat != self.turn:
            return "TX-05", "not_your_turn"
        if command.card in self.hands[seat]:
            return None
        if command.card not in cards_in("full"):
            return "TX-01", "not_in_hand"
        return ("TX-06" if command.card in cards_in(self.options.pack) else "TX-21"), "not_in_hand"

    def any_command(self, rng: random.Random) -> Any:
        card = TrixCard(f"{rng.randrange(17)}-{rng.randrange(16)}")
        held = TrixCard(rng.choice(self.all_held() or ["0-0"]))
        return rng.choice([PlayCard(card), PlayCard(held), Draw()])


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    return recounted(TrixTold, events, options, seats)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"hide_totals": True}),
        (2, {"scoring": "progressive", "pack": "short_sum"}),
        (3, {"scoring": "progressive", "pack": "short", "odd_reserve": "leave"}),
        (3, {"target": 200}),
        (4, {"sides": "single", "scoring": "progressive", "pack": "short"}),
        (4, {"pack": "short_sum", "target": 250}),
        (5, {"hide_totals": True, "odd_reserve": "leave"}),
        (6, {"sides": "two_sides", "scoring": "progressive"}),
        (6, {"sides": "three_pairs", "scoring": "progressive", "pack": "short"}),
        (7, {"scoring": "progressive", "pack": "short_sum", "odd_reserve": "leave"}),
        (7, {}),
        (8, {"sides": "four_pairs", "target": 150}),
        (8, {"sides": "two_sides", "pack": "short", "odd_reserve": "leave"}),
        (9, {"max_seats": 9, "scoring": "progressive", "hide_totals": True}),
        (10, {"max_seats": 10, "pack": "short_sum"}),
    ],
)
def test_a_whole_match_goes_as_the_rule_page_tells_it(seats: int, options: dict[str, Any]) -> None:
    """TX-01 to TX-21, TX-R1, TX-R3, TX-R7 to TX-R14: to the end, at tables of every size and with every way to play."""
    assert retell(TrixTold, GAME, seats, options, 4000) is not None


@pytest.mark.parametrize("seats", range(2, 11))
def test_covered_totals_go_as_the_rule_page_tells_it(seats: int) -> None:
    """TX-R13: for two hands and more at every table."""
    options = {"hide_totals": True, "pack": "short", "scoring": "progressive", "max_seats": 10}
    retell(TrixTold, GAME, seats, options, 220)


def cards(text: str) -> Cards:
    return tuple(TrixCard(word) for word in text.split())


def play(card: str) -> PlayCard:
    return PlayCard(TrixCard(card))


def dealt(*hands: str, reserve: str = "", hand_no: int = 1, **options: Any) -> Story:
    """The last seat has dealt, so seat 0 leads."""
    held, rest = [cards(text) for text in hands], cards(reserve)
    event = HandDealt(hand_no, len(hands) - 1, len(rest), each_its_own(held), hidden(rest))
    return table(GAME, len(hands), **options).given(event)


def one_set(*played: str, **options: Any) -> Story:
    """Seat 0 leads the first of these cards, the others follow; each seat keeps a card of no account."""
    idle = [card for card in ("1-0", "2-0", "3-0", "3-1", "4-0", "4-2") if card not in played]
    story = dealt(*[f"{card} {other}" for card, other in zip(played, idle, strict=False)], **options)
    for seat, card in enumerate(played):
        story = story.when(seat, play(card))
    return story


def stacked(first: str, pack: Sequence[TrixCard] = FULL) -> Shuffled:
    """The pack with these cards on top."""
    top = cards(first)
    return Shuffled((*top, *(card for card in pack if card not in top)))


# ── Cards and packs ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_pack_has_136_cards_and_420_points_TX_E1() -> None:
    """TX-01, TX-13, TX-R4, TX-E1"""
    assert len(FULL) == len(set(FULL)) == 136
    assert {(card.high, card.low) for card in FULL} == {(a, b) for a in range(16) for b in range(a + 1)}
    trix = Counter(worth(card) for card in FULL if worth(card))
    assert trix == {5: 3, 10: 6, 15: 8, 20: 6, 25: 3, 30: 1}
    assert sum(trix.values()) == 27 and sum(points * count for points, count in trix.items()) == 420
    assert GAME.chance(table(GAME, 4).table) == Shuffle(FULL)


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("7-3", 10),
        ("10-5", 15),
        ("5-5", 10),
        ("10-10", 20),
        ("15-15", 30),
        ("0-0", 0),
        ("14-14", 0),
        ("6-2", 0),
        ("4-1", 5),
    ],
)
def test_a_trix_card_counts_its_sum(card: str, points: int) -> None:
    """TX-13, TX-R4, TX-R5: the double blank, like other doubles, counts nothing."""
    assert worth(TrixCard(card)) == points


def test_the_numbers_of_a_card_are_read_in_either_order() -> None:
    """TX-01: `3-7` is 7-3."""
    command = read_command(names(GAME.commands), {"type": "play_card", "card": "3-7"})
    assert command == play("7-3") and str(command.card) == "7-3"
    assert (command.card.high, command.card.low, command.card.sum) == (7, 3, 10)
    assert len(trix_pack(7)) == 36


def test_the_short_pack_keeps_100_cards_and_all_points_TX_E15() -> None:
    """TX-21, TX-R6, TX-E15"""
    short = PACKS["short"]
    assert len(short) == 100 and sum(map(worth, short)) == 420
    assert not set(cards("9-8 4-2 1-0")) & set(short) and set(cards("9-6 4-1 7-7 10-0 11-2 0-0")) <= set(short)
    by_sum = PACKS["short_sum"]
    assert len(by_sum) == 114 and sum(map(worth, by_sum)) == 420
    assert not set(cards("9-0 4-2 1-0")) & set(by_sum) and set(cards("9-8 8-4 4-1 0-0")) <= set(by_sum)
    assert GAME.chance(table(GAME, 4, pack="short").table) == Shuffle(short)
    assert GAME.chance(table(GAME, 4, pack="short_sum").table) == Shuffle(by_sum)


# ── Taking ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("played", "taker", "points"),
    [
        ("3-2 6-2 7-3 10-5", 3, 30),  # TX-E2
        ("3-2 6-2 7-3 6-5", 3, 15),  # TX-E3
        ("9-6 15-0 8-7 2-1", 0, 45),  # TX-E4
        ("6-4 10-0 5-5 7-3", 2, 40),  # TX-E5
        ("9-6 0-0 15-14", 1, 15),  # TX-E6
        ("5-5 14-14", 0, 10),  # TX-E7
        ("14-14 5-5", 1, 10),
        ("14-14 5-5 10-10 15-15", 3, 60),
        ("9-9 11-11 1-1 15-14", 1, 0),  # TX-E8
        ("15-10 14-11 13-12 12-11", 0, 75),  # TX-E9
    ],
)
def test_who_takes_a_set_and_what_it_counts(played: str, taker: int, points: int) -> None:
    """TX-08, TX-09, TX-10, TX-12, TX-E2, TX-E3, TX-E4, TX-E5, TX-E6, TX-E7, TX-E8, TX-E9"""
    story = one_set(*played.split(), sides="single")
    totals = tuple(points if seat == taker else 0 for seat in range(len(played.split())))
    assert story.last(SetTaken) == SetTaken(1, taker, shown(points), shown(totals))
    assert set(story.table.taken[taker]) == set(cards(played))
    assert GAME.to_act(story.table) == {taker}  # leads the next set


def test_the_doubles_rank_15_10_5_then_by_number() -> None:
    """TX-10, TX-11, TX-R5: each takes before the next, and the last before every other card."""
    order = [15, 10, 5, 14, 13, 12, 11, 9, 8, 7, 6, 4, 3, 2, 1, 0]
    doubles = [TrixCard(f"{n}-{n}") for n in order]
    for better, worse in pairwise(doubles):
        assert taking((better, worse)) == 0 and taking((worse, better)) == 1
    others = [card for card in FULL if card.high != card.low]
    assert len(others) == 120 and all(taking((card, TrixCard("0-0"))) == 1 for card in others)


def test_trix_cards_are_laid_apart() -> None:
    """TX-12, TX-R13"""
    view = GAME.view(one_set("3-2", "6-2", "7-3", "10-5").table, None)
    assert view["taken"][3] == cards("3-2 6-2 7-3 10-5")
    assert view["side_hand_points"] == (0, 30)


# ── The deal ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_smallest_sum_deals_first() -> None:
    """TX-02"""
    drawn = table(GAME, 3).when(CHANCE, stacked("9-8 1-0 2-2"))
    drawn.then(DealCardsDrawn((0, 1, 2), cards("9-8 1-0 2-2"), (1,)))
    assert drawn.when(CHANCE, stacked("")).last(HandDealt).dealer == 1


def test_the_tied_draw_again() -> None:
    """TX-R12: only they, until one is alone."""
    tied = table(GAME, 4).when(CHANCE, stacked("4-0 9-8 2-2 3-1"))
    tied.then(DealCardsDrawn((0, 1, 2, 3), cards("4-0 9-8 2-2 3-1"), (0, 2, 3)))
    again = tied.when(CHANCE, stacked("5-0 3-2 15-15")).then(DealCardsDrawn((0, 2, 3), cards("5-0 3-2 15-15"), (0, 2)))
    last = again.when(CHANCE, stacked("15-0 14-0")).then(DealCardsDrawn((0, 2), cards("15-0 14-0"), (2,)))
    assert last.table.dealer == 2


@pytest.mark.parametrize("seats", range(2, 11))
def test_four_cards_each_from_the_dealers_left_and_one_reserve(seats: int) -> None:
    """TX-03, TX-22: nobody sees the Reserve."""
    story = table(GAME, seats, max_seats=10).given(DealCardsDrawn(tuple(range(seats)), FULL[:seats], (0,)))
    event = story.when(CHANCE, Shuffled(FULL)).last(HandDealt)
    assert event.dealer == 0 and event.reserve_size == 136 - 4 * seats
    assert event.reserve == hidden(FULL[4 * seats :])
    eldest = event.hands[1 % seats]
    assert eldest.to == (1 % seats,) and set(eldest.value) == {FULL[n * seats] for n in range(4)}
    assert set(event.hands[0].value) == {FULL[n * seats + seats - 1] for n in range(4)}


def test_the_player_at_the_dealers_left_leads_any_card() -> None:
    """TX-04, TX-06"""
    story = table(GAME, 3).given(DealCardsDrawn((0, 1, 2), FULL[:3], (1,))).when(CHANCE, Shuffled(FULL))
    assert GAME.to_act(story.table) == {2}
    story.allows(2, *(PlayCard(card) for card in story.table.hands[2])).allows(0).allows(1)


# ── Play ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_card_each_in_turn_to_the_left() -> None:
    """TX-05, and the refusals TX-X1 and TX-X3"""
    story = dealt("3-2 9-8", "6-2 9-7", "7-3 9-5")
    story.refuses(1, play("6-2"), "TX-05").refuses(2, play("7-3"), "TX-05")
    led = story.when(0, play("3-2")).then(CardPlayed(0, TrixCard("3-2")))
    led.refuses(0, play("9-8"), "TX-05").refuses(2, play("7-3"), "TX-05")
    assert GAME.to_act(led.table) == {1}
    assert GAME.view(led.table, 2)["trick"] == [{"seat": 0, "card": "3-2"}]


def test_nobody_has_to_beat() -> None:
    """TX-06"""
    dealt("9-6 9-8", "15-15 1-0").when(0, play("9-6")).allows(1, play("15-15"), play("1-0"))


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """TX-06, and the refusal TX-X2: another hand, the Reserve and a taken pile cannot be probed."""
    story = dealt("9-6 9-8", "2-1 1-0", reserve="8-1 7-1 15-2 14-2").when(0, play("9-6")).when(1, play("2-1"))
    texts = set()
    for card in ("1-0", "15-2", "2-1", "13-1"):
        story.refuses(0, play(card), "TX-06")
        with pytest.raises(Refused) as refusal:
            GAME.decide(story.table, 0, play(card))
        texts.add(str(refusal.value).replace(card, "X"))
    assert len(texts) == 1


def test_cards_that_are_not_in_the_pack_are_refused() -> None:
    """TX-01, TX-21, and the refusal TX-X4"""
    story = dealt("9-6 10-8", "15-15 10-0")
    story.refuses(0, play("16-2"), "TX-01").refuses(0, play("2-99"), "TX-01").refuses(0, play("9-8"), "TX-06")
    short = dealt("9-6 10-8", "15-15 10-0", pack="short")
    short.refuses(0, play("9-8"), "TX-21").refuses(0, play("16-2"), "TX-01").refuses(0, play("10-0"), "TX-06")
    by_sum = dealt("9-6 10-8", "15-15 10-0", pack="short_sum")
    by_sum.refuses(0, play("4-2"), "TX-21").refuses(0, play("9-8"), "TX-06")


def test_who_has_played_draws_the_top_card_at_once() -> None:
    """TX-07"""
    story = dealt("3-2 9-8 9-7 9-5", "6-2 8-6 8-5 8-4", reserve="15-15 0-0").when(0, play("3-2"))
    story.then(CardPlayed(0, TrixCard("3-2")), CardDrawn(0, 1, Secret(TrixCard("15-15"), (0,))))
    assert set(story.table.hands[0]) == set(cards("9-8 9-7 9-5 15-15"))
    assert GAME.view(story.table, 1)["hand_counts"] == [4, 4] and GAME.view(story.table, 1)["stock_count"] == 1
    taken = story.when(1, play("6-2"))
    assert [type(event) for event in taken.events] == [CardPlayed, CardDrawn, SetTaken]
    assert taken.when(1, play("0-0")).events == (CardPlayed(1, TrixCard("0-0")),)  # the Reserve is empty


def test_drawing_by_hand_is_refused() -> None:
    """TX-07, and the refusal TX-X7: at any time and for every seat."""
    story = dealt("3-2 9-8", "6-2 8-6", reserve="15-15 0-0")
    story.refuses(0, Draw(), "TX-07").refuses(1, Draw(), "TX-07")
    table(GAME, 2).refuses(0, Draw(), "TX-07")
    assert read_command(names(GAME.commands), {"type": "draw"}) == Draw()


def test_nothing_can_be_played_before_the_deal_or_after_the_last_set() -> None:
    """TX-03, TX-14, and the refusals TX-X5 and TX-X6"""
    table(GAME, 2).refuses(0, play("1-0"), "TX-03")
    table(GAME, 2).given(DealCardsDrawn((0, 1), cards("1-0 2-0"), (0,))).refuses(1, play("1-0"), "TX-03")
    over = dealt("3-2", "1-0").when(0, play("3-2")).when(1, play("1-0"))
    over.refuses(0, play("3-2"), "TX-14").refuses(1, play("1-0"), "TX-14").allows(0)
    hand_ends((300, 120)).refuses(0, play("1-0"), "TX-14")


def lowest(s: Table) -> PlayCard:
    """Plays the smallest sum that is not a double, so that doubles stay behind."""
    held = s.hands[s.turn]
    return PlayCard(next((card for card in held if card.high != card.low), held[0]))


def whole_hand(seats: int, deck: Cards, player: Callable[[Table], PlayCard], **options: Any) -> list[tuple[Table, Any]]:
    """Every event of one hand with the table after it; seat 0 leads."""
    options = {"max_seats": 10, "sides": "single", **options}
    s = GAME.evolve(GAME.open_table(options, seats), DealCardsDrawn((), (), (seats - 1,)))
    steps: list[tuple[Table, Any]] = []
    events = GAME.decide(s, CHANCE, Shuffled(deck))
    while True:
        assert not isinstance(events, Shuffle)
        for event in events:
            s = GAME.evolve(s, event)
            steps.append((s, event))
        if not s.playing:
            return steps
        events = GAME.decide(s, s.turn, player(s))


def test_three_players_leave_one_card_to_the_last_taker_TX_E13() -> None:
    """TX-14, TX-15, TX-R3, TX-E13: the last card of the Reserve is 15-15; who draws it keeps it to the end."""
    deck = (*(card for card in FULL if card != "15-15"), TrixCard("15-15"))
    steps = whole_hand(3, deck, lowest)
    assert steps[0][1].reserve_size == 124
    after_41 = next(s for s, event in steps if isinstance(event, SetTaken) and event.set_no == 41)
    assert len(after_41.reserve) == 1
    drawn = [(s, event) for s, event in steps if isinstance(event, CardDrawn)][-1]
    assert drawn[1].seat == after_41.turn and drawn[1].card.value == "15-15" and drawn[0].set_no == 42
    taken = [event for _, event in steps if isinstance(event, SetTaken)]
    assert len(taken) == 45
    left = steps[-2][1]
    before = taken[-1].side_totals.value
    totals = tuple(total + 30 * (seat == taken[-1].seat) for seat, total in enumerate(before))
    assert left == LeftoverAwarded(taken[-1].seat, cards("15-15"), shown(30), shown(totals))
    assert steps[-1][1].side_totals == totals and sum(totals) == 420


def test_seven_players_leave_three_cards_TX_E14() -> None:
    """TX-14, TX-15, TX-R1, TX-R3, TX-E14"""
    steps = whole_hand(7, FULL, lowest)
    assert steps[0][1].reserve_size == 108
    after_15 = next(s for s, event in steps if isinstance(event, SetTaken) and event.set_no == 15)
    assert len(after_15.reserve) == 3
    in_16 = [event.seat for s, event in steps if isinstance(event, CardDrawn) and s.set_no == 16]
    assert in_16 == [(after_15.turn + n) % 7 for n in range(3)]
    assert sum(isinstance(event, SetTaken) for _, event in steps) == 19
    assert len(steps[-2][1].cards) == 3


@pytest.mark.parametrize("odd_reserve", ["draw", "leave"])
@pytest.mark.parametrize(
    ("seats", "pack", "sets", "left"),
    [(2, "full", 68, 0), (3, "full", 45, 1), (4, "full", 34, 0), (5, "full", 27, 1), (6, "full", 22, 4),
     (7, "full", 19, 3), (8, "full", 17, 0), (9, "full", 15, 1), (10, "full", 13, 6),
     (4, "short", 25, 0), (3, "short", 33, 1), (4, "short_sum", 28, 2)],
)  # fmt: skip
def test_how_many_sets_a_hand_has_and_what_is_left(
    seats: int, pack: str, sets: int, left: int, odd_reserve: str
) -> None:
    """TX-14, TX-15, TX-R1, TX-R3, TX-R6, TX-E15: left-over cards stay in hands, or undrawn with `leave`; all 420
    points are counted either way."""
    rng = random.Random(seats)
    deck = tuple(rng.sample(PACKS[pack], len(PACKS[pack])))
    steps = whole_hand(seats, deck, lambda s: PlayCard(rng.choice(s.hands[s.turn])), pack=pack, odd_reserve=odd_reserve)
    taken = [(s, event) for s, event in steps if isinstance(event, SetTaken)]
    assert len(taken) == sets
    end, last = taken[-1]
    if odd_reserve == "draw":
        assert not end.reserve and sum(map(len, end.hands)) == left
        assert sorted(set(map(len, end.hands))) == ([0, 1] if left else [0])
    else:
        assert len(end.reserve) == left and not any(end.hands)
        assert all(len(set(map(len, s.hands))) == 1 for s, _ in taken)  # all hands are equal after every set
    awarded = [event for _, event in steps if isinstance(event, LeftoverAwarded)]
    assert [(event.seat, len(event.cards)) for event in awarded] == ([(last.seat, left)] if left else [])
    final, scored = steps[-1]
    assert sum(scored.side_totals) == 420 and sum(map(len, final.taken)) == len(PACKS[pack])
    assert [sum(map(worth, pile)) for pile in final.taken] == list(scored.side_totals)


def test_four_are_held_until_the_reserve_is_empty() -> None:
    """TX-07, TX-R3"""
    for s, event in whole_hand(5, FULL, lowest):
        if isinstance(event, SetTaken) and s.reserve:
            assert [len(hand) for hand in s.hands] == [4] * 5


# ── Sides ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seats", "way", "together"),
    [
        (4, "usual", ((0, 2), (1, 3))),
        (4, "pairs", ((0, 2), (1, 3))),
        (4, "single", ((0,), (1,), (2,), (3,))),
        (2, "usual", ((0,), (1,))),
        (6, "usual", ((0,), (1,), (2,), (3,), (4,), (5,))),
        (6, "two_sides", ((0, 2, 4), (1, 3, 5))),
        (6, "three_pairs", ((0, 3), (1, 4), (2, 5))),
        (8, "usual", tuple((seat,) for seat in range(8))),
        (8, "two_sides", ((0, 2, 4, 6), (1, 3, 5, 7))),
        (8, "four_pairs", ((0, 4), (1, 5), (2, 6), (3, 7))),
        (5, "single", ((0,), (1,), (2,), (3,), (4,))),
    ],
)
def test_who_plays_with_whom(seats: int, way: str, together: Any) -> None:
    """TX-R7"""
    s = table(GAME, seats, sides=way).table
    assert GAME.sides(s) == GAME.sides(s._replace(hand_no=3)) == together
    assert all(seat in together[s.side_of[seat]] for seat in range(seats))


def test_sides_that_do_not_fit_the_table_are_refused() -> None:
    """TX-R7, and the refusal TX-X8"""
    fits = {"pairs": {4}, "two_sides": {6, 8}, "three_pairs": {6}, "four_pairs": {8}}
    for way, sizes in fits.items():
        for seats in set(range(2, 11)) - sizes:
            with pytest.raises(Refused, match=f"{seats} seats cannot play as {way}") as wrong:
                GAME.open_table({"sides": way, "max_seats": 10}, seats)
            assert (wrong.value.rule, wrong.value.code) == ("TX-R7", "wrong_sides")
    refuses_table(GAME, 4, "TX-R7", sides="triples")


def test_one_and_eleven_seats_are_refused_and_nine_need_an_agreement() -> None:
    """TX-R2, and the refusal TX-X8"""
    for seats in (1, 9, 10, 11):
        refuses_table(GAME, seats, "TX-R2")
    refuses_table(GAME, 11, "TX-R2", max_seats=10)
    refuses_table(GAME, 10, "TX-R2", max_seats=9)
    refuses_table(GAME, 4, "TX-R2", max_seats=11)
    assert GAME.open_table({"max_seats": 10}, 10).seats == 10
    assert GAME.open_table({}, 8).seats == 8


def test_partners_count_together_but_do_not_see_each_others_cards() -> None:
    """TX-R14: the left-over cards count for the side of the last taker too."""
    story = one_set("3-2", "6-2", "7-3", "6-5")
    assert story.last(SetTaken).side_totals == shown((0, 15))
    assert GAME.view(story.table, 0)["hand"] == story.table.hands[0] != story.table.hands[2]
    hidden_from_partner = story.table.hands[2][0]
    assert hidden_from_partner not in repr(GAME.view(story.table, 0))
    last = dealt("3-2", "1-0", "2-0", "3-1", reserve="15-15 10-5", odd_reserve="leave", pack="short_sum")
    last = last.but(side_totals=(7, 9))
    for seat, card in enumerate(("3-2", "1-0", "2-0", "3-1")):
        last = last.when(seat, play(card))
    assert last.last(LeftoverAwarded) == LeftoverAwarded(0, cards("10-5 15-15"), shown(45), shown((57, 9)))
    assert last.last(HandScored).scored == 48 and last.last(HandScored).side == 0


@pytest.mark.parametrize("covered", [False, True])
def test_taken_cards_and_totals_lie_open_or_covered(covered: bool) -> None:
    """TX-R13"""
    story = one_set("3-2", "6-2", "7-3", "10-5", hide_totals=covered)
    wrap: Any = hidden if covered else shown
    assert story.last(SetTaken) == SetTaken(1, 3, wrap(30), wrap((0, 30)))
    for seat in (None, 0, 3):
        view = GAME.view(story.table, seat)
        assert (view["taken"] is None) == (view["side_hand_points"] is None) == covered
    end = story
    for _ in range(4):
        end = end.when(end.table.turn, GAME.legal(end.table, end.table.turn)[0])
    assert end.last(HandScored).side_totals == (0, 30)
    view = GAME.view(end.table, 0)
    assert view["side_hand_points"] == (0, 30) and view["taken"][3]


def test_whoever_may_see_everything_sees_covered_piles_hands_and_the_reserve() -> None:
    """TX-R13"""
    story = dealt("3-2 1-0", "7-3 2-0", reserve="15-15 4-4", hide_totals=True).when(0, play("3-2")).when(1, play("7-3"))
    seen = GAME.view(story.table, ALL)
    assert seen["hand"] is None and seen["hands"] == (cards("1-0 15-15"), cards("2-0 4-4"))
    assert seen["stock"] == () and seen["taken"] == ((), cards("3-2 7-3")) and seen["side_hand_points"] == (0, 15)
    assert GAME.view(story.table, 0)["taken"] is None and GAME.view(story.table, 0)["stock"] is None


def test_a_seat_imagines_every_other_hand_and_reserve_equally_often() -> None:
    """TX-06, TX-07: nobody has to play this card rather than that, so all deals of what it has not seen fit."""
    story = dealt("3-2 1-0", "7-3 2-0", reserve="15-15 4-4").when(0, play("3-2"))
    rng = random.Random(3)
    imagined = [GAME.imagine(story.table, 0, rng.randrange) for _ in range(3000)]
    found = Counter((one.hands[1], one.reserve) for one in imagined)
    assert {one.hands[0] for one in imagined} == {cards("1-0 15-15")}
    assert set(found) == {(in_order(cards(f"{a} {b}")), cards(c)) for a, b, c in permutations(("7-3", "2-0", "4-4"))}
    assert all(850 < count < 1150 for count in found.values())


def test_left_over_points_are_covered_too() -> None:
    """TX-R13: until the hand is scored, in the same step."""
    story = dealt("3-2", "1-0", "2-0", reserve="15-15", odd_reserve="leave", hide_totals=True)
    for seat, card in enumerate(("3-2", "1-0", "2-0")):
        story = story.when(seat, play(card))
    left = story.last(LeftoverAwarded)
    assert left.trix_points == hidden(30) and left.side_totals == hidden((35, 0, 0))
    assert story.last(HandScored).side_totals == (35, 0, 0)


# ── The count, and the end ──────────────────────────────────────────────────────────────────────────────────────


def hand_ends(totals: tuple[int, ...], scores: tuple[int, ...] | None = None, seats: int = 0, **options: Any) -> Story:
    """A last set without points closes a hand with these totals; `scores` is how the game stood before."""
    idle = ["1-0", "2-0", "2-1", "3-0", "3-1", "4-0", "4-2", "5-1", "6-0", "6-1"][: seats or len(totals)]
    story = dealt(*idle, **options).but(side_totals=totals)
    if scores:
        story = story.but(game_scores=scores)
    for seat, card in enumerate(idle):
        story = story.when(seat, play(card))
    return story


@pytest.mark.parametrize(
    ("seats", "totals", "scored"),
    [
        (4, (240, 180), HandScored((240, 180), 0, 60, (60, 0))),  # TX-E10
        (3, (100, 150, 170), HandScored((100, 150, 170), 2, 20, (0, 0, 20))),  # TX-E11
        (4, (210, 210), HandScored((210, 210), None, 0, (0, 0))),  # TX-E12
        (3, (170, 170, 80), HandScored((170, 170, 80), None, 0, (0, 0, 0))),  # TX-E12
        (2, (170, 250), HandScored((170, 250), 1, 80, (0, 80))),
        (3, (80, 180, 160), HandScored((80, 180, 160), 1, 20, (0, 20, 0))),
    ],
)
def test_the_best_side_scores_its_lead_over_the_second(seats: int, totals: tuple[int, ...], scored: HandScored) -> None:
    """TX-16, TX-17, TX-R8, TX-E10, TX-E11, TX-E12"""
    assert hand_ends(totals, seats=seats).last(HandScored) == scored


def test_the_first_side_with_100_points_wins() -> None:
    """TX-18, TX-R10"""
    short = hand_ends((240, 180), (39, 90), seats=4)
    assert GAME.outcome(short.table) is None and GAME.to_act(short.table) == {CHANCE}
    won = hand_ends((240, 180), (40, 90), seats=4)
    result = GAME.outcome(won.table)
    assert result is not None and result.winners == (0, 2)
    assert result.places == (1, 2, 1, 2) and result.scores == (100, 90, 100, 90)
    assert GAME.to_act(won.table) == frozenset() and GAME.view(won.table, None)["phase"] == "finished"


def test_the_target_may_be_higher() -> None:
    """TX-18, TX-R10"""
    assert GAME.outcome(hand_ends((240, 180), (439, 90), target=500).table) is None
    won = GAME.outcome(hand_ends((240, 180), (440, 90), target=500).table)
    assert won is not None and won.winners == (0,)
    refuses_table(GAME, 2, "TX-R10", target=99)
    refuses_table(GAME, 2, "TX-R10", target=1001)


def test_after_a_hand_all_cards_are_shuffled_and_the_deal_goes_left() -> None:
    """TX-20, TX-R11"""
    story = hand_ends((240, 180, 0))
    assert GAME.view(story.table, None)["phase"] == "awaiting_deal" and GAME.chance(story.table) == Shuffle(FULL)
    second = story.when(CHANCE, Shuffled(FULL))
    assert (second.last(HandDealt).dealer, second.last(HandDealt).hand_no) == (0, 2)
    assert second.table.side_totals == (0, 0, 0) and not any(second.table.taken) and second.table.set_no == 1
    assert second.table.game_scores == (60, 0, 0) and GAME.to_act(second.table) == {1}


def progressive(*hands: tuple[int, ...]) -> Story:
    """A progressive game in which the hands end with these totals."""
    story = hand_ends(hands[0], scoring="progressive", sides="single")
    for totals in hands[1:]:
        assert GAME.to_act(story.table) == {CHANCE}
        story = hand_ends(totals, story.table.game_scores, scoring="progressive", sides="single")
    return story


def test_three_points_out_of_five_win_the_progressive_game_TX_E16() -> None:
    """TX-19, TX-R8, TX-R9, TX-E16: A, B, A, tie, A; four hands counted."""
    a, b, tie = (300, 120), (100, 320), (210, 210)
    assert progressive(a).last(HandScored) == HandScored(a, 0, 1, (1, 0))
    before = progressive(a, b, a, tie)
    assert before.last(HandScored) == HandScored(tie, None, 0, (2, 1)) and GAME.outcome(before.table) is None
    result = GAME.outcome(progressive(a, b, a, tie, a).table)
    assert result is not None and result.winners == (0,) and result.scores == (3, 1)
    assert GAME.outcome(progressive(a, b, b, a).table) is None
    refuses_table(GAME, 2, "TX-19", scoring="rubber")


def test_among_more_than_two_sides_the_most_points_after_five_hands_win() -> None:
    """TX-R9: the first to three wins at once; a tie plays one more."""
    a, b, c, tie = (200, 120, 100), (120, 200, 100), (100, 120, 200), (200, 200, 20)
    quick = GAME.outcome(progressive(a, a, a).table)
    assert quick is not None and quick.winners == (0,)
    assert GAME.outcome(progressive(a, a, b, c).table) is None
    level = progressive(a, a, b, b, c)
    assert GAME.outcome(level.table) is None and GAME.to_act(level.table) == {CHANCE}
    sixth = GAME.outcome(progressive(a, a, b, b, c, b).table)
    assert sixth is not None and sixth.winners == (1,)
    assert GAME.outcome(progressive(a, a, b, b, c, tie).table) is None
    # Among four, two points can be the most of five hands.
    four = {seat: tuple(200 if s == seat else 70 for s in range(4)) for seat in range(4)}
    most = GAME.outcome(progressive(four[0], four[0], four[1], four[2], four[3]).table)
    assert most is not None and most.winners == (0,) and most.places == (1, 2, 2, 2)


@pytest.mark.parametrize(
    ("rule", "options"),
    [("TX-R3", {"odd_reserve": "burn"}), ("TX-R6", {"pack": "long"}), ("TX-19", {"scoring": "net"})],
)
def test_other_options_are_refused_by_their_ruling(rule: str, options: dict[str, Any]) -> None:
    """TX-R3, TX-R6, TX-19"""
    refuses_table(GAME, 4, rule, **options)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {}),
        (3, {"pack": "short_sum", "hide_totals": True}),
        (4, {"target": 200}),
        (6, {"sides": "three_pairs", "odd_reserve": "leave"}),
        (8, {"sides": "four_pairs", "pack": "short"}),
    ],
)
def test_every_hand_gives_420_points(seats: int, options: dict[str, Any]) -> None:
    """TX-13, TX-16, TX-18: in whole random games; only the best side scores, and the game ends at the target."""
    before: tuple[int, ...] = ()
    for moment in random_match(GAME, seats, options, random.Random(seats)):
        for event in moment.events:
            if isinstance(event, HandScored):
                assert sum(event.side_totals) == 420
                before = before or (0,) * len(event.game_scores)
                assert sum(event.game_scores) - sum(before) == event.scored
                assert max(before) < options.get("target", 100)
                before = event.game_scores
    assert max(before) >= options.get("target", 100)


def test_options_that_change_nothing_are_refused() -> None:
    """TX-R2, TX-R3, TX-R7, TX-R10"""
    for seats in range(2, 11):
        more = {"max_seats": seats} if seats > 8 else {}
        refuses_idle(GAME, seats, "target", 100, scoring="progressive", **more)
        GAME.new_table({"target": 200, **more}, seats)
        if seats <= 8:
            refuses_idle(GAME, seats, "max_seats", 9)
        if seats in (4, 6, 8):
            GAME.new_table({"sides": "single", **more}, seats)
        else:
            refuses_idle(GAME, seats, "sides", "single", **more)


@pytest.mark.parametrize(("pack", "even"), [("full", {2, 4, 8}), ("short", {2, 4, 5, 10}), ("short_sum", {2, 3, 6})])
def test_the_odd_reserve_is_asked_about_where_there_is_one(pack: str, even: set[int]) -> None:
    """TX-R3, TX-R6: not where 136, 100 or 114 cards go round evenly."""
    for seats in range(2, 11):
        more = {"max_seats": seats, "pack": pack} if seats > 8 else {"pack": pack}
        if seats in even:
            refuses_idle(GAME, seats, "odd_reserve", "leave", **more)
        else:
            GAME.new_table({"odd_reserve": "leave", **more}, seats)


@pytest.mark.parametrize("seats", range(2, 11))
def test_equal_best_totals_score_nothing_at_every_table(seats: int) -> None:
    """TX-16, TX-17, TX-R8, TX-20: also for the last seats, and in later hands; who is third counts for nothing."""
    more: dict[str, Any] = {"max_seats": 10, "sides": "single", "hand_no": 3}
    low, before = (20,) * (seats - 2), tuple(range(seats))
    tied = hand_ends((*low, 150, 150), before, **more)
    assert tied.last(HandScored) == HandScored((*low, 150, 150), None, 0, before)
    assert GAME.outcome(tied.table) is None and GAME.to_act(tied.table) == {CHANCE}
    assert (tied.table.hand_no, tied.when(CHANCE, Shuffled(FULL)).last(HandDealt).dealer) == (3, 0)
    ahead = hand_ends((*low, 150, 180), before, **more)
    assert ahead.last(HandScored) == HandScored((*low, 150, 180), seats - 1, 30, (*before[:-1], seats - 1 + 30))


@pytest.mark.parametrize("seats", range(3, 11))
def test_a_level_progressive_game_goes_on_until_one_side_leads(seats: int) -> None:
    """TX-R8, TX-R9: at every table of more than two sides; a hand that nobody won is not counted."""
    more: dict[str, Any] = {"max_seats": 10, "sides": "single", "scoring": "progressive", "hand_no": 7}
    others = (0,) * (seats - 3)

    def after_a_hand_of_seat_0(*before: int, won: bool = True) -> Outcome | None:
        totals = (160 if won else 100, *(100,) * (seats - 1))
        return GAME.outcome(hand_ends(totals, (*before, *others), **more).table)

    assert after_a_hand_of_seat_0(1, 1, 1) is None  # 2 : 1 : 1 after four hands
    assert after_a_hand_of_seat_0(1, 2, 1) is None  # 2 : 2 : 1 after five
    assert after_a_hand_of_seat_0(2, 1, 1, won=False) is None  # four hands, and one that is not counted
    sixth = after_a_hand_of_seat_0(2, 2, 1)
    assert sixth is not None and sixth.winners == (0,) and sixth.reason == "most_hands"
    if seats > 3:
        others = (1, *(0,) * (seats - 4))
        fifth = after_a_hand_of_seat_0(1, 1, 1)  # 2 : 1 : 1 : 1
        assert fifth is not None and fifth.winners == (0,)


def test_a_large_table_is_told_how_it_is_had() -> None:
    """TX-R2: nine and ten seats need the option, and the refusal names it."""
    assert GAME.usual_seats == range(2, 9)
    for seats in (9, 10, 11):
        with pytest.raises(Refused, match="max_seats"):
            GAME.new_table({}, seats)
    assert GAME.new_table({"max_seats": 9}, 9).seats == 9


def test_an_absent_player_gives_neither_trix_cards_nor_doubles_away() -> None:
    """TX-08, TX-13: 0-0 and 1-1 take a set, and 4-1 counts."""
    story = dealt("0-0 1-1 4-1 7-2", "1-0")
    assert [str(command.card) for command in GAME.legal(story.table, 0)] == ["7-2", "0-0", "1-1", "4-1"]
    for seats in range(2, 11):
        idle = ["1-0"] * (seats - 1)
        last = dealt(*idle, "15-15 9-8 10-5 3-1 5-5 2-1", max_seats=10, hand_no=2).but(turn=seats - 1)
        offered = [str(command.card) for command in GAME.legal(last.table, seats - 1)]
        assert offered == ["2-1", "3-1", "9-8", "5-5", "10-5", "15-15"]
