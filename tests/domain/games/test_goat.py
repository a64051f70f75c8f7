"""Goat, rule by rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from domain.game import (
    ALL,
    CHANCE,
    CLOCK,
    Alarm,
    Outcome,
    Pick,
    Picked,
    Refused,
    Secret,
    Shuffle,
    Shuffled,
    TimeUp,
    each_its_own,
    read_options,
)
from domain.games.goat import GAME
from domain.games.goat.books import grouped
from domain.games.goat.events import (
    BookPutAway,
    HandDealt,
    HandScored,
    LaidDown,
    LayDown,
    PassCard,
    PassChosen,
    RaceOpened,
    RoundPassed,
)
from domain.games.goat.game import Table, points
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, SUITS, Card
from domain.kit.dealing import DealerChosen
from tests.domain.playing import Deal, Moment, random_match
from tests.domain.story import Story, hand, refuses_idle, refuses_table, table
from tests.domain.telling.worlds import History, visible
from tests.golden.matches import Golden

QUICK = {"hands": 1, "stall_limit": 10}
SEVERAL = {"hands": 3, "stall_limit": 10}
GOLDEN = Golden(
    seats=3,
    options={"hands": 1, "stall_limit": 10, "goat_penalty": 1},
    moment="a seat voids its own choice by laying down, and the clock makes the goat of a race",
    shows=lambda events: (
        any(isinstance(e, RaceOpened) and e.seat in e.voided_seats for e in events)
        and any(isinstance(e, LaidDown) and e.auto for e in events)
        and len(events) < 250
    ),
)


def whole(s: Table) -> Iterable[Any]:
    return FULL_PACK


def pieces(s: Table) -> Iterable[Any]:
    if not s.hand_no:
        return ()
    booked = [Card(f"{suit}-{book}") for books in s.books for book in books for suit in SUITS]
    return [*booked, *(card for held in s.hands for card in held)]


# ── What the rule page says, for the common tests ────────────────────────────────────────────────────────────────

SEATS = ("GO-01", range(2, 14))
OPTIONS = {
    "hands": ("GO-R13", 5, range(1, 21)),
    "first_dealer": ("GO-R02", "random", "seat"),
    "race": ("GO-R10", "arrival", ("arrival", "off")),
    "race_timeout_ms": ("GO-R10", 10_000, range(86_400_001)),
    "goat_penalty": ("GO-R11", 0, range(6)),
    "books_shown": ("GO-R12", False, bool),
    "stall_limit": ("GO-R14", 40, range(10, 501)),
    "tie_break": ("GO-R15", "share", ("share", "fewest_goats", "extra_hand")),
}
REFUSALS = {
    "GO-05": {"wrong_phase"},
    "GO-06": {"not_in_hand"},
    "GO-07": {"already_chosen"},
    "GO-08": {"stale_round", "round_missing"},
    "GO-09": {"out_of_cards"},
    "GO-13": {"no_book"},
    "GO-15": {"race_open"},
    "GO-16": {"already_down"},
    "GO-20": {"wrong_phase"},
    "GO-24": {"out_of_cards"},
    "GO-32": {"wrong_phase"},
}


def as_held(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Equal numbers together, C before R before O before W."""
    return tuple(sorted(cards, key=lambda card: (int(card[2:]), "CROW".index(card[0]))))


def deal_map(deal: Deal) -> Iterable[Any]:
    """GO-03, GO-05: the whole pack, one card at a time from eldest."""
    hands: list[list[Card]] = [[] for _ in range(deal.seats)]
    receiver = deal.dealer
    for card in deal.deck:
        receiver = (receiver + 1) % deal.seats
        hands[receiver].append(card)
    secrets = tuple(Secret(as_held(cards), (seat,)) for seat, cards in enumerate(hands))
    yield HandDealt(deal.hand_no, deal.dealer, tuple(map(len, hands)), secrets)


class Recount:
    """A match of Goat counted once more, event by event."""

    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.round_no, self.hands_counted, self.runs = 1, 0, False
        self.totals, self.goat_totals = [0] * seats, [0] * seats

    def with_cards(self) -> list[int]:
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def new_round(self) -> None:
        self.round_no += 1
        self.chosen: dict[int, Card] = {}
        self.race: list[int] = []

    def hear(self, event: Any) -> None:
        match event:
            case HandDealt(_, dealer, _, hands):
                self.runs, self.ending, self.quiet, self.dealer = True, "", 0, dealer
                self.chosen, self.race = {}, []
                self.hands = [set(kept.value) for kept in hands]
                self.books: list[list[int]] = [[] for _ in range(self.seats)]
                self.goats = [0] * self.seats
            case PassChosen(seat, Secret(card, to)):
                """GO-06, GO-07, GO-11"""
                assert not self.ending and not self.race and seat not in self.chosen
                assert card in self.hands[seat] and to == (seat,)
                self.chosen[seat] = card
            case RoundPassed(number, seats, cards):
                self.pass_on(number, seats, cards)
            case RaceOpened(seat, Secret(number, to), voided):
                """GO-12, GO-13, GO-15"""
                assert not self.ending and to == (seat,) and self.holds(seat, number)
                assert list(voided) == sorted(self.chosen) and self.options.race == "arrival"
                self.chosen, self.race, self.claimed = {}, [seat], number
            case LaidDown(seat, place, _):
                """GO-16"""
                assert self.hands[seat] and seat not in self.race
                self.race.append(seat)
                assert place == len(self.race)
            case BookPutAway(seat, Secret(number, to), order, goat, voided):
                self.put_away(seat, number, to, order, goat, voided)
            case HandScored():
                self.score(event)

    def holds(self, seat: int, number: int) -> bool:
        return {f"{letter}-{number}" for letter in "CROW"} <= self.hands[seat]

    def pass_on(self, number: int, seats: Any, cards: Any) -> None:
        """GO-06, GO-08, GO-09, GO-11: from each seat with cards to the next such seat on its left."""
        givers = self.with_cards()
        receivers = givers[1:] + givers[:1]
        assert (number, list(seats), sorted(self.chosen)) == (self.round_no, givers, givers)
        for giver, receiver, card in zip(givers, receivers, cards, strict=True):
            assert card == Secret(self.chosen[giver], tuple(sorted({giver, receiver})))
            self.hands[giver].remove(card.value)
        for receiver, card in zip(receivers, cards, strict=True):
            self.hands[receiver].add(card.value)
        self.quiet += 1
        if self.quiet == self.options.stall_limit:
            self.ending = "stall"  # GO-28
        self.new_round()

    def put_away(self, seat: int, number: int, to: Any, order: Any, goat: Any, voided: Any) -> None:
        """GO-17 to GO-19, GO-22 to GO-27"""
        assert self.holds(seat, number)
        assert to == (None if self.options.books_shown else (seat,))
        if self.race:
            last = [other for other in self.with_cards() if other not in self.race]
            assert len(last) == 1 and (seat, number) == (self.race[0], self.claimed)
            assert list(order) == self.race + last and goat == last[0] and not voided
            self.goats[goat] += 1
        else:
            # Without a race only where the table has none, or where the books are gathered at the end of a hand.
            assert self.ending or self.options.race == "off"
            assert (list(order), goat, list(voided)) == ([], None, sorted(self.chosen))
        self.hands[seat] -= {Card(f"{letter}-{number}") for letter in "CROW"}
        self.books[seat].append(number)
        self.quiet = 0
        if not self.ending and len(self.with_cards()) == 1:
            self.ending = "all_booked"
        elif not self.ending and max(map(len, self.hands)) < 4:
            self.ending = "no_four"
        self.new_round()

    def score(self, scored: HandScored) -> None:
        """GO-28 to GO-31, GO-R11"""
        assert scored.reason == self.ending
        assert not any(self.holds(seat, number) for seat in range(self.seats) for number in range(1, 14))
        assert scored.books == tuple(map(tuple, self.books))
        assert scored.dead_cards == tuple(map(as_held, self.hands))
        worth = {number: {5: 6, 10: 11}.get(number, 1) for number in range(1, 14)}
        won = [sum(worth[number] for number in numbers) for numbers in self.books]
        delta = [points - self.options.goat_penalty * times for points, times in zip(won, self.goats, strict=True)]
        self.totals = [had + got for had, got in zip(self.totals, delta, strict=True)]
        self.goat_totals = [had + got for had, got in zip(self.goat_totals, self.goats, strict=True)]
        told = (scored.goats, scored.goat_totals, scored.delta, scored.totals)
        assert told == tuple(map(tuple, (self.goats, self.goat_totals, delta, self.totals)))
        self.hands_counted, self.runs = self.hands_counted + 1, False

    def outcome(self) -> Outcome | None:
        """GO-32, GO-33, GO-R15"""
        extra_hands = self.hands_counted - self.options.hands
        if self.runs or extra_hands < 0:
            return None
        tied = self.totals.count(max(self.totals)) > 1
        if self.options.tie_break == "extra_hand" and tied and extra_hands < 20:
            return None
        fewest = self.options.tie_break == "fewest_goats"
        merit = [(total, -goats if fewest else 0) for total, goats in zip(self.totals, self.goat_totals, strict=True)]
        places = tuple(1 + len([other for other in merit if other > mine]) for mine in merit)
        return Outcome(places, tuple(self.totals), "largest_total")


def recount(events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    book_keeper = Recount(options, seats)
    for event in events:
        book_keeper.hear(event)
    return book_keeper.outcome()


def dealt(*hands: str, dealer: int = 0, hand_no: int = 1, **options: Any) -> Story:
    held = [grouped(hand(text)) for text in hands]
    event = HandDealt(hand_no, dealer, tuple(len(h) for h in held), each_its_own(held))
    return table(GAME, len(hands), **options).given(event)


def give(card: str, round_no: int = 1) -> PassCard:
    return PassCard(Card(card), round_no)


def choices(story: Story, *cards: str) -> Story:
    """Every seat that is to act gives the card named for it, seat by seat."""
    for seat, card in enumerate(cards):
        if card:
            story = story.when(seat, PassCard(Card(card), story.table.round_no))
    return story


def book(number: int) -> str:
    return " ".join(f"{suit}-{number}" for suit in SUITS)


def refusal(story: Story, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        GAME.decide(story.table, seat, command)
    return refused.value


# ── Pack and deal ───────────────────────────────────────────────────────────────────────────────────────────────


def test_tables_of_1_and_14_seats_are_refused() -> None:
    """GO-01, GO-R01"""
    refuses_table(GAME, 1, "GO-01")
    refuses_table(GAME, 14, "GO-01")
    assert GAME.open_table({}, 2) and GAME.open_table({}, 13)


def test_the_pack_is_52_cards_without_prince_and_pauper() -> None:
    """GO-02"""
    assert GAME.chance(table(GAME, 4, first_dealer=0).table) == Shuffle(FULL_PACK)
    assert len(FULL_PACK) == 52 and not {PRINCE, PAUPER} & set(FULL_PACK)


def test_chance_names_the_first_dealer_then_the_deal_goes_left() -> None:
    """GO-03, GO-04, GO-R02: each hand is dealt once, by chance, for the next dealer."""
    story = table(GAME, 3)
    assert GAME.chance(story.table) == Pick(3)
    first = story.when(CHANCE, Picked(2)).then(DealerChosen(2)).when(CHANCE, Shuffled(FULL_PACK))
    assert (first.last(HandDealt).dealer, first.last(HandDealt).hand_no) == (2, 1)
    assert CHANCE not in GAME.to_act(first.table)
    zero = (0, 0, 0)
    scored = first.given(HandScored("stall", ((), (), ()), ((), (), ()), zero, zero, zero, zero))
    second = scored.when(CHANCE, Shuffled(FULL_PACK))
    assert (second.last(HandDealt).dealer, second.last(HandDealt).hand_no) == (0, 2)
    assert table(GAME, 3, first_dealer=1).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt).dealer == 1


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (2, [26, 26]),
        (3, [17, 18, 17]),
        (4, [13] * 4),
        (5, [10, 11, 11, 10, 10]),  # GO-E1
        (6, [8, 9, 9, 9, 9, 8]),
        (7, [7, 8, 8, 8, 7, 7, 7]),
        (8, [6, 7, 7, 7, 7, 6, 6, 6]),
        (9, [5, *[6] * 7, 5]),
        (10, [5, 6, 6, *[5] * 7]),
        (11, [4, *[5] * 8, 4, 4]),
        (12, [4, *[5] * 4, *[4] * 7]),
        (13, [4] * 13),
    ],
)
def test_the_whole_pack_is_dealt_from_eldest(seats: int, counts: list[int]) -> None:
    """GO-05, GO-E1: with dealer 0 the first seats from seat 1 may hold one card more."""
    event = table(GAME, seats, first_dealer=0).when(CHANCE, Shuffled(FULL_PACK)).last(HandDealt)
    assert list(event.counts) == [len(held.value) for held in event.hands] == counts
    assert [held.to for held in event.hands] == [(seat,) for seat in range(seats)]
    assert FULL_PACK[0] in event.hands[1].value and FULL_PACK[seats] in event.hands[1].value
    assert FULL_PACK[seats - 1] in event.hands[0].value


def test_nothing_can_be_done_before_the_deal() -> None:
    """GO-05"""
    story = table(GAME, 3, first_dealer=0)
    story.refuses(0, give("C-1"), "GO-05").refuses(0, LayDown(1, 1), "GO-05").refuses(0, LayDown(), "GO-05").allows(0)


# ── Passing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def three_near_the_end(**options: Any) -> Story:
    story = dealt("C-3 R-3 O-9 C-7 R-7", "C-9 W-3", "O-3 W-9 R-9 O-7 W-7", **options)
    return story.but(books=((1, 2, 4, 5), (6, 8, 10), (11, 12, 13)))


def test_all_cards_move_to_the_left_at_the_same_moment_GO_E2() -> None:
    """GO-06, GO-08, GO-10, GO-E2"""
    story = three_near_the_end()
    two = story.when(0, give("O-9")).when(1, give("W-3"))
    assert two.table.hands == story.table.hands  # nothing moves before the last choice
    passed = two.when(2, give("O-7"))
    passed.then(
        PassChosen(2, Secret(Card("O-7"), (2,))),
        RoundPassed(
            1, (0, 1, 2), (Secret(Card("O-9"), (0, 1)), Secret(Card("W-3"), (1, 2)), Secret(Card("O-7"), (0, 2)))
        ),
    )
    assert [set(held) for held in passed.table.hands] == [
        set(hand("C-3 R-3 C-7 R-7 O-7")),
        set(hand("C-9 O-9")),
        set(hand("O-3 W-3 W-9 R-9 W-7")),
    ]
    assert passed.table.round_no == 2 and GAME.to_act(passed.table) == {0, 1, 2}


def test_a_card_just_received_cannot_be_passed_on_in_the_same_round() -> None:
    """GO-08: before the round is resolved nobody holds a card that was chosen for him."""
    story = three_near_the_end().when(0, give("O-9"))
    story.refuses(1, give("O-9"), "GO-06").when(1, give("C-9")).refuses(1, give("O-9"), "GO-07")


def test_there_is_no_turn_and_any_card_of_the_hand_may_be_passed() -> None:
    """GO-06: the public list is the seats that have not chosen."""
    story = three_near_the_end()
    assert GAME.to_act(story.table) == {0, 1, 2}
    story.allows(1, give("C-9"), give("W-3"))
    after = story.when(2, give("R-9"))
    assert GAME.to_act(after.table) == {0, 1}
    after.allows(2).allows(1, give("C-9"), give("W-3"))


def test_a_choice_is_binding() -> None:
    """GO-07, GO-R03"""
    story = three_near_the_end().when(0, give("O-9")).then(PassChosen(0, Secret(Card("O-9"), (0,))))
    story.refuses(0, give("C-3"), "GO-07").refuses(0, give("O-9"), "GO-07")


def test_a_choice_is_secret() -> None:
    """GO-07: the table sees who has chosen, only the chooser sees what."""
    story = three_near_the_end().when(0, give("O-9"))
    views = [GAME.view(story.table, seat) for seat in (0, 1, 2, None)]
    assert [view["choice"] for view in views] == ["O-9", None, None, None]
    assert [view["chosen"] for view in views] == [[0]] * 4


def test_a_choice_for_another_round_is_refused() -> None:
    """GO-08"""
    story = choices(three_near_the_end(), "O-9", "W-3", "O-7")
    story.refuses(1, give("C-9", 1), "GO-08").refuses(1, give("C-9", 3), "GO-08").refuses(1, give("C-9", 0), "GO-08")
    story.when(1, give("C-9", 2)).refuses(1, give("O-9", 1), "GO-08")


def test_round_numbers_run_on_from_hand_to_hand() -> None:
    """GO-08: a choice from the last hand cannot fall into a round of the next one."""
    story = choices(three_near_the_end(), "O-9", "W-3", "O-7").when(CHANCE, Shuffled(FULL_PACK))
    card = story.table.hands[0][0]
    story.refuses(0, PassCard(card, 1), "GO-08").when(0, PassCard(card, 2))


def test_a_card_elsewhere_is_refused_in_the_same_words_wherever_it_lies() -> None:
    """GO-06: another hand, a book put away and a card of no pack cannot be told apart."""
    story = three_near_the_end()
    texts = set()
    for card in ("W-7", "C-5", "C-1", "PRINCE", "W-14"):
        story.refuses(0, give(card), "GO-06")
        texts.add(str(refusal(story, 0, give(card))).replace(card, "X"))
    assert len(texts) == 1


def test_seats_without_cards_are_jumped_over_GO_E10() -> None:
    """GO-09, GO-24, GO-R04, GO-E10: seat 2 of seven has put away its two books; seat 1 now passes to seat 3."""
    sevens = [f"{suit}-{number}" for number in range(3, 11) for suit in SUITS]
    hands = [" ".join(sevens[at::6]) for at in range(6)]
    story = dealt(hands[0], hands[1], book(1), *hands[2:]).but(books=((), (), (2,), (), (), (), ()))
    for seat in (None, 0, 1, 3, 4, 5):
        story = story.when(2, LayDown(1, 1)) if seat is None else story.when(seat, LayDown())
    assert story.table.books[2] == (2, 1) and not story.table.hands[2]
    assert GAME.to_act(story.table) == {0, 1, 3, 4, 5, 6}
    story.refuses(2, give("C-1", 2), "GO-09").refuses(2, LayDown(1, 2), "GO-24").refuses(2, LayDown(), "GO-24").allows(
        2
    )
    given = [held[0] if held else "" for held in story.table.hands]
    sizes = [len(held) for held in story.table.hands]
    passed = choices(story, *given)
    assert passed.last(RoundPassed).seats == (0, 1, 3, 4, 5, 6)
    assert given[1] in passed.table.hands[3] and given[6] in passed.table.hands[0]
    assert [len(held) for held in passed.table.hands] == sizes


def test_a_seat_that_is_out_has_no_part_in_a_race() -> None:
    """GO-16, GO-24: the race is over when all but one of those with cards are down."""
    story = dealt(f"{book(2)} C-9", "R-9 C-3", "", "O-9 R-3").when(0, LayDown(2, 1))
    assert GAME.to_act(story.table) == {1, 3}
    story.refuses(2, LayDown(), "GO-24").refuses(2, give("C-1"), "GO-09")
    assert story.when(3, LayDown()).last(BookPutAway).order == (0, 3, 1)


def test_a_single_card_is_passed_round() -> None:
    """GO-10"""
    story = dealt("C-1", f"{book(2)} C-9", "R-1").allows(0, give("C-1"))
    passed = choices(story, "C-1", "C-9", "R-1")
    assert [len(held) for held in passed.table.hands] == [1, 5, 1]
    assert passed.table.hands[0] == hand("R-1") and passed.table.hands[2] == hand("C-9")


def test_with_two_seats_cards_are_exchanged() -> None:
    """GO-06"""
    passed = choices(dealt("C-1 C-2 C-3 C-4", "R-1 R-2 R-3 R-4"), "C-1", "R-4")
    assert passed.table.hands == (hand("C-2 C-3 C-4 R-4"), hand("C-1 R-1 R-2 R-3"))
    assert [card.to for card in passed.last(RoundPassed).cards] == [(0, 1), (0, 1)]


def test_a_passed_card_is_known_to_giver_and_receiver_only() -> None:
    """GO-11"""
    moved = choices(three_near_the_end(), "O-9", "W-3", "O-7").last(RoundPassed)
    assert [set(card.to) for card in moved.cards] == [{0, 1}, {1, 2}, {2, 0}]


# ── Books and races ─────────────────────────────────────────────────────────────────────────────────────────────


def four_with_books(**options: Any) -> Story:
    """Seat 0 holds the eights, seat 3 the nines; two cards of no account each."""
    return dealt(
        f"{book(8)} C-1 C-2", "C-3 C-4 C-5 C-6 C-7 C-10", "R-3 R-4 R-5 R-6 R-7 R-10", f"{book(9)} R-1 R-2", **options
    )


def test_a_book_made_by_passing_may_be_laid_down_GO_E3() -> None:
    """GO-12, GO-13, GO-29, GO-E3: seat 1 gives C-2, gets O-9 and has four nines; a point at the count."""
    story = dealt("O-9 C-1", "C-9 R-9 W-9 C-2").refuses(1, LayDown(9, 1), "GO-13")
    made = choices(story, "O-9", "C-2")
    assert LayDown(9, 2) in GAME.legal(made.table, 1)
    scored = made.when(1, LayDown(9, 2)).last(HandScored)
    assert scored.delta == (0, 1) and scored.books == ((), (9,))


def test_laying_down_is_never_forced() -> None:
    """GO-12: who holds a book may pass a card of it instead."""
    story = four_with_books()
    story.allows(0, *(give(card) for card in f"{book(8)} C-1 C-2".split()), LayDown(8, 1))
    assert GAME.legal(story.table, 0)[0] == give("C-1")  # what is done for an absent seat
    story.when(0, give("C-8")).then(PassChosen(0, Secret(Card("C-8"), (0,))))


def test_a_book_in_the_deal_may_be_laid_down_before_any_pass_GO_E11() -> None:
    """GO-12, GO-14, GO-16, GO-19, GO-R05, GO-R07, GO-R09, GO-E11: both claim at once; the second claim is an answer in
    the first race, and opens its own race afterwards."""
    story = four_with_books().when(0, LayDown(8, 1)).then(RaceOpened(0, Secret(8, (0,)), ()))
    story = story.when(3, LayDown(9, 1)).then(LaidDown(3, 2, False))
    story = story.when(2, LayDown())
    story.then(LaidDown(2, 3, False), BookPutAway(0, Secret(8, (0,)), (0, 3, 2, 1), 1, ()))
    assert set(hand(book(9))) < set(story.table.hands[3])
    assert story.when(3, LayDown(9, 2)).last(RaceOpened).seat == 3


@pytest.mark.parametrize("command", [LayDown(), LayDown(7), LayDown(7, 1), LayDown(14, 99), LayDown(None, 5)])
def test_in_a_race_the_number_is_not_looked_at(command: LayDown) -> None:
    """GO-19"""
    four_with_books().when(0, LayDown(8, 1)).when(1, command).then(LaidDown(1, 2, False))


def test_a_seat_with_two_books_lays_down_twice() -> None:
    """GO-14, GO-R07: each book has a race and a goat of its own."""
    story = dealt(f"{book(2)} {book(3)} C-9", "C-1 R-1 R-9", "O-1 W-1 O-9").when(0, LayDown(3, 1)).when(1, LayDown())
    assert story.table.books[0] == (3,) and set(hand(book(2))) < set(story.table.hands[0])
    again = story.when(0, LayDown(2, 2)).when(2, LayDown())
    assert again.last(HandScored).goats == (0, 1, 1)


def test_a_lay_down_voids_the_choices_already_made_GO_E4() -> None:
    """GO-15, GO-22, GO-R08, GO-E4: no card has moved, and after the race all four choose anew."""
    story = dealt("C-1 C-2 C-3 C-4 C-5 C-6", "R-1 R-2 R-3 R-4 R-5 R-6", f"{book(9)} W-1 W-2", "O-1 O-2 O-3 O-4 O-5 O-6")
    before = story.table.hands
    chosen = choices(story, "C-1", "R-1", "", "O-1")
    opened = chosen.when(2, LayDown(9, 1)).then(RaceOpened(2, Secret(9, (2,)), (0, 1, 3)))
    assert opened.table.hands == before and opened.table.choices == (None,) * 4
    opened.refuses(0, give("C-1"), "GO-15").refuses(2, give("W-1"), "GO-15")
    over = opened.when(0, LayDown()).when(3, LayDown())
    assert over.table.round_no == 2 and GAME.to_act(over.table) == {0, 1, 2, 3}
    over.refuses(0, give("C-1", 1), "GO-08").when(0, give("C-1", 2))
    assert over.table.hands == (before[0], before[1], hand("W-1 W-2"), before[3])


def test_a_seat_may_lay_down_after_its_own_choice_and_only_it_knows() -> None:
    """GO-12, GO-15: its own choice is void too; the public list does not say who could still lay down."""
    story = four_with_books().when(0, give("C-8")).when(1, give("C-3"))
    assert GAME.to_act(story.table) == {2, 3}
    story.allows(0, LayDown(8, 1)).allows(1)
    opened = story.when(0, LayDown(8, 1))
    assert opened.last(RaceOpened).voided_seats == (0, 1)
    assert set(hand(book(8))) <= set(opened.table.hands[0])


@pytest.mark.parametrize("number", [7, 8, 0, 14, -1, None])
def test_a_false_lay_down_is_refused_without_penalty(number: int | None) -> None:
    """GO-13, GO-R06, GO-R16: three sevens are no book, nor are four cards of one letter."""
    story = dealt("C-7 R-7 O-7 C-8 C-9 C-10", "W-7 R-8 R-9 R-10")
    story.refuses(0, LayDown(number, 1), "GO-13").refuses(0, LayDown(number), "GO-13")
    assert refusal(story, 0, LayDown(number)).code == "no_book"


def test_a_claim_names_its_round_and_the_right_one_GO_08() -> None:
    """A claim without a round could fall into a later one."""
    four_with_books().when(0, LayDown(8, 1)).then(RaceOpened(0, Secret(8, (0,)), ()))
    four_with_books().refuses(0, LayDown(8, 2), "GO-08").refuses(0, LayDown(8), "GO-08")
    assert refusal(four_with_books(), 0, LayDown(8)).code == "round_missing"


def race_of_four(**options: Any) -> Story:
    others = ["C-1 C-2 C-3 C-4 C-5", "R-1 R-2 R-3 R-4 R-5", f"{book(9)} W-1", "O-1 O-2 O-3 O-4 O-5"]
    return dealt(*others, **options).when(2, LayDown(9, 1))


def test_the_last_to_lay_down_is_the_goat_GO_E5() -> None:
    """GO-16, GO-17, GO-21, GO-22, GO-E5: seat 1 need not send anything."""
    story = race_of_four()
    assert GAME.to_act(story.table) == {0, 1, 3}
    story = story.when(0, LayDown()).then(LaidDown(0, 2, False))
    story.refuses(0, LayDown(), "GO-16").refuses(2, LayDown(), "GO-16").refuses(2, LayDown(9, 1), "GO-16")
    story.allows(0).allows(2)
    closed = story.when(3, LayDown())
    closed.then(LaidDown(3, 3, False), BookPutAway(2, Secret(9, (2,)), (2, 0, 3, 1), 1, ()))
    assert closed.table.goats == (0, 1, 0, 0) and closed.table.totals == (0, 0, 0, 0)
    assert closed.table.phase == "passing" and closed.table.hands[2] == hand("W-1")


def test_in_a_race_every_seat_that_stands_has_an_answer() -> None:
    """GO-16, GO-19: the plain answer stands first; any number may be named with it."""
    plain, form = GAME.legal(race_of_four().table, 1)
    assert plain == LayDown() and form.command is LayDown and form.sample(lambda k: 0) == LayDown()


def test_of_two_seats_the_second_is_goat_at_once() -> None:
    """GO-18, GO-17"""
    story = dealt(f"{book(2)} C-1", "C-3 R-3 O-3 R-1").when(0, LayDown(2, 1))
    story.then(RaceOpened(0, Secret(2, (0,)), ()), BookPutAway(0, Secret(2, (0,)), (0, 1), 1, ()))
    assert story.table.goats == (0, 1)


def test_the_clock_lays_down_clockwise_from_the_opener_GO_E6() -> None:
    """GO-20, GO-R10, GO-E6: opener 0, only seat 2 down; seat 1 is laid down, seat 3 is the goat."""
    story = dealt(f"{book(9)} W-1", "C-1 C-2 C-3 C-4", "R-1 R-2 R-3 R-4", "O-1 O-2 O-3 O-4")
    story = story.when(0, LayDown(9, 1)).when(2, LayDown()).when(CLOCK, TimeUp())
    story.then(LaidDown(1, 3, True), BookPutAway(0, Secret(9, (0,)), (0, 2, 1, 3), 3, ()))
    late = race_of_four().when(CLOCK, TimeUp())
    assert late.last(BookPutAway).order == (2, 3, 0, 1) and late.last(BookPutAway).goat == 1


def test_the_time_counts_from_the_opening_of_the_race() -> None:
    """GO-20, GO-R10: one name for one race, another for the next."""
    story = race_of_four(race_timeout_ms=2500)
    first = GAME.alarm(story.table)
    assert first is not None and first.after_ms == 2500
    assert GAME.alarm(story.when(0, LayDown()).table) == first
    over = story.when(CLOCK, TimeUp())
    assert GAME.alarm(over.table) is None
    assert refusal(over, CLOCK, TimeUp()).rule == "GO-20"
    second = GAME.alarm(four_with_books().when(0, LayDown(8, 1)).when(CLOCK, TimeUp()).when(3, LayDown(9, 2)).table)
    assert isinstance(second, Alarm) and second.name != first.name and second.after_ms == 10_000


def test_without_a_timeout_a_race_waits() -> None:
    """GO-R10"""
    story = race_of_four(race_timeout_ms=0)
    assert GAME.alarm(story.table) is None
    assert refusal(story, CLOCK, TimeUp()).rule == "GO-20"


def test_bots_in_a_race_take_as_long_as_people_GO_16() -> None:
    """Also where the clock is quick, a bot answers before it rings."""
    for timeout, longest in ((10_000, 2500), (0, 2500), (1000, 250)):
        story = dealt(f"{book(9)} C-2", "C-3 R-3", "C-4 R-4", race_timeout_ms=timeout)
        assert GAME.pause(story.table, 1) == (0, 0)
        race = story.when(0, LayDown(9, 1))
        assert race.table.phase == "race"
        assert GAME.pause(race.table, 1)[1] == longest
        assert 0 < GAME.pause(race.table, 1)[0] < longest


def test_a_stand_in_may_not_always_pass_the_same_card_GO_11() -> None:
    assert GAME.hidden_choices == (PassCard,)


def test_no_race_no_alarm() -> None:
    """GO-20"""
    assert GAME.alarm(four_with_books().table) is None
    assert GAME.alarm(table(GAME, 3).table) is None


def test_a_late_lay_down_is_told_what_happened() -> None:
    """GO-13, GO-17: the race was closed before the command came."""
    over = race_of_four().when(0, LayDown()).when(CLOCK, TimeUp())
    over.refuses(1, LayDown(), "GO-13").refuses(3, LayDown(), "GO-13").refuses(1, LayDown(4, 1), "GO-08")
    assert "seat 2 opened is over, and you are the goat" in refusal(over, 1, LayDown()).text
    assert "seat 2 opened is over, and your place is 3" in refusal(over, 3, LayDown()).text
    assert "and you are the goat" in refusal(over, 1, LayDown(4, 1)).text
    assert "your place is 2" in refusal(over, 0, give("C-1", 1)).text
    assert "race" not in refusal(four_with_books(), 1, LayDown()).text


@pytest.mark.parametrize(("shown", "audience", "seen"), [(False, (2,), [2]), (True, None, [None, 0, 1, 2, 3])])
def test_the_number_of_a_book_is_its_owners_secret(shown: bool, audience: Any, seen: list[Any]) -> None:
    """GO-23, GO-R12"""
    race = race_of_four(books_shown=shown)
    assert race.last(RaceOpened).number.to == (2,)
    assert [seat for seat in (None, 0, 1, 2, 3) if GAME.view(race.table, seat)["race"]["claim"]] == [2]
    story = race.when(0, LayDown()).when(1, LayDown())
    assert story.last(BookPutAway).number.to == audience
    views = {seat: GAME.view(story.table, seat)["books"][2] for seat in (None, 0, 1, 2, 3)}
    assert [seat for seat, books in views.items() if books == (9,)] == seen
    assert all(GAME.view(story.table, seat)["book_counts"] == [0, 0, 1, 0] for seat in views)


def test_all_books_are_shown_when_the_hand_is_scored() -> None:
    """GO-23"""
    story = dealt(f"{book(2)} C-1", "C-3 R-3 O-3").when(0, LayDown(2, 1))
    assert story.last(HandScored).books == ((2,), ()) and story.last(HandScored).dead_cards[1] == hand("C-3 R-3 O-3")
    assert GAME.view(story.table, 1)["books"][0] == (2,)
    assert GAME.view(story.table, None)["dead_cards"] == (hand("C-1"), hand("C-3 R-3 O-3"))


def test_without_a_race_a_book_goes_away_at_once() -> None:
    """GO-R10, GO-15: the choices are void all the same; there is no goat and no alarm."""
    story = four_with_books(race="off").when(0, give("C-8")).when(1, give("C-3"))
    before = story.table.hands
    story = story.when(0, LayDown(8, 1)).then(BookPutAway(0, Secret(8, (0,)), (), None, (0, 1)))
    assert story.table.phase == "passing" and story.table.round_no == 2 and GAME.alarm(story.table) is None
    assert story.table.hands[1:] == before[1:] and story.table.goats == (0, 0, 0, 0)
    assert GAME.to_act(story.table) == {0, 1, 2, 3}
    story.refuses(1, LayDown(), "GO-13").when(3, LayDown(9, 2)).then(BookPutAway(3, Secret(9, (3,)), (), None, ()))


# ── The end of a hand, and the count ────────────────────────────────────────────────────────────────────────────


def test_a_hand_goes_on_after_a_book() -> None:
    """GO-22, GO-25, GO-R13"""
    story = race_of_four().when(0, LayDown()).when(1, LayDown())
    assert story.table.hand_no == 1 and not [e for e in story.events if isinstance(e, HandScored)]


def test_the_hand_ends_when_nobody_has_four_cards() -> None:
    """GO-27, GO-R14: three cards are dead, four are not."""
    ended = dealt(f"{book(2)} C-1 C-3 C-4", "R-1 R-3 R-4").when(0, LayDown(2, 1)).last(HandScored)
    assert ended.reason == "no_four" and ended.dead_cards == (hand("C-1 C-3 C-4"), hand("R-1 R-3 R-4"))
    assert ended.delta == (1, 0)
    going_on = dealt(f"{book(2)} C-1 C-3 C-4", "R-1 R-3 R-4 R-5").when(0, LayDown(2, 1))
    assert GAME.to_act(going_on.table) == {0, 1}


def test_eight_seats_end_with_twenty_dead_cards_GO_E9() -> None:
    """GO-27, GO-E9: after the eighth book the sizes are 3, 3, 3, 3, 2, 2, 2, 2."""
    rest = [f"{suit}-{number}" for number in range(9, 14) for suit in SUITS]
    hands = [" ".join(rest[3 * seat : 3 * seat + 3]) for seat in range(4)]
    hands += [" ".join(rest[12 + 2 * seat : 14 + 2 * seat]) for seat in range(4)]
    hands[0] += " " + book(8)
    story = dealt(*hands, race="off").but(books=tuple((seat,) if seat else () for seat in range(8)))
    scored = story.when(0, LayDown(8, 1)).last(HandScored)
    assert [len(held) for held in scored.dead_cards] == [3, 3, 3, 3, 2, 2, 2, 2]
    assert scored.reason == "no_four" and sum(map(len, scored.books)) == 8


def test_the_last_seats_book_is_put_away_for_it_GO_E14() -> None:
    """GO-18, GO-26, GO-E14: thirteen books, 28 points; the last book has no race and no goat."""
    others = [number for number in range(1, 14) if number not in (4, 9)]
    story = dealt(book(4), book(9), *[""] * 11).but(books=((), (), *((number,) for number in others)))
    story = story.when(1, LayDown(9, 1))
    story.then(
        RaceOpened(1, Secret(9, (1,)), ()),
        BookPutAway(1, Secret(9, (1,)), (1, 0), 0, ()),
        BookPutAway(0, Secret(4, (0,)), (), None, ()),
        story.last(HandScored),
    )
    scored = story.last(HandScored)
    assert scored.reason == "all_booked" and sum(scored.delta) == 28 and sum(map(len, scored.books)) == 13
    assert scored.goats == (1, *[0] * 12) and not any(scored.dead_cards)


def test_forty_rounds_without_a_lay_down_end_the_hand_GO_E12() -> None:
    """GO-28, GO-R14, GO-E12"""
    story = dealt("C-1 C-2 C-3 C-4", "R-1 R-2 R-3 R-4")
    for _ in range(40):
        assert story.table.phase == "passing"
        story = choices(story, story.table.hands[0][0], story.table.hands[1][0])
    scored = story.last(HandScored)
    assert scored.reason == "stall" and scored.delta == (0, 0)
    assert [len(held) for held in scored.dead_cards] == [4, 4]


def test_a_lay_down_starts_the_count_of_quiet_rounds_anew() -> None:
    """GO-28"""
    story = dealt(f"{book(2)} C-1 C-3 C-4 C-5", "R-1 R-3 R-4 R-5", stall_limit=10)
    for _ in range(9):
        story = choices(story, "C-1", "R-1") if "C-1" in story.table.hands[0] else choices(story, "R-1", "C-1")
    story = story.when(0, LayDown(2, 10))
    for _ in range(9):
        story = choices(story, story.table.hands[0][0], story.table.hands[1][0])
        assert story.table.phase == "passing"
    assert choices(story, story.table.hands[0][0], story.table.hands[1][0]).last(HandScored).reason == "stall"


def test_on_a_stall_complete_books_count_for_their_holders() -> None:
    """GO-28: without race or goat, also a book that the last pass completed."""
    story = dealt(f"{book(2)} {book(3)} O-5 C-9", "C-5 R-5 W-5 C-7", "R-9 O-9", stall_limit=10, goat_penalty=3)
    story = choices(story.but(quiet_rounds=9), "O-5", "C-7", "R-9")
    story.then(
        story.events[0],
        story.events[1],
        BookPutAway(0, Secret(2, (0,)), (), None, ()),
        BookPutAway(0, Secret(3, (0,)), (), None, ()),
        BookPutAway(1, Secret(5, (1,)), (), None, ()),
        story.last(HandScored),
    )
    scored = story.last(HandScored)
    assert scored.delta == (2, 6, 0) and scored.goats == (0, 0, 0) and scored.reason == "stall"
    assert scored.dead_cards == (hand("C-9 R-9"), (), hand("C-7 O-9"))


@pytest.mark.parametrize(
    ("books", "total"),
    [((3, 5, 10), 18), ((5,), 6), ((10,), 11), ((1, 13, 6), 3), ((), 0), (tuple(range(1, 14)), 28)],
)
def test_a_book_is_a_point_and_fives_and_tens_are_more(books: tuple[int, ...], total: int) -> None:
    """GO-29, GO-30, GO-E7: threes, fives and tens are 1 + 6 + 11."""
    assert sum(points(number) for number in books) == total


def last_book(totals: tuple[int, ...], goats: tuple[int, ...] | None = None, **options: Any) -> Story:
    """The last book of the fifth hand; `totals` are the totals after it. Seat 0 makes it, seat 1 is the goat."""
    rest = [f"R-{9 + seat}" for seat in range(1, len(totals))]
    story = dealt(f"{book(2)} C-1", *rest, hand_no=5, **options).but(totals=(totals[0] - 1, *totals[1:]))
    if goats:
        story = story.but(goat_totals=(goats[0], goats[1] - 1, *goats[2:]))
    story = story.when(0, LayDown(2, 1))
    for seat in range(2, len(totals)):
        story = story.when(seat, LayDown())
    assert story.table.totals == totals or options.get("goat_penalty")
    return story


def test_points_go_to_the_seat_that_put_the_book_away() -> None:
    """GO-31"""
    story = last_book((4, 7, 2))
    assert story.last(HandScored).delta == (1, 0, 0) and story.last(HandScored).totals == (4, 7, 2)


@pytest.mark.parametrize(("penalty", "delta"), [(0, (1, 0, 0)), (2, (1, -2, 0)), (5, (1, -5, 0))])
def test_the_goat_pays_only_by_agreement(penalty: int, delta: tuple[int, ...]) -> None:
    """GO-21, GO-R11: totals may be negative."""
    story = last_book((1, 0, 0), goat_penalty=penalty)
    assert story.last(HandScored).delta == delta and story.table.totals == delta
    assert story.last(HandScored).goats == (0, 1, 0)


def test_after_five_hands_the_largest_total_wins() -> None:
    """GO-32, GO-R13"""
    story = last_book((41, 33, 12))
    result = GAME.outcome(story.table)
    assert (
        result is not None and result.winners == (0,) and result.places == (1, 2, 3) and result.scores == (41, 33, 12)
    )
    assert GAME.to_act(story.table) == frozenset()
    story.refuses(0, give("C-1", 2), "GO-32").refuses(0, LayDown(), "GO-32").refuses(1, LayDown(2, 2), "GO-32")
    assert GAME.outcome(last_book((41, 33, 12), hands=6).table) is None
    assert GAME.to_act(last_book((41, 33, 12), hands=6).table) == {CHANCE}


def test_equal_totals_share_or_fewest_goats_decides_GO_E13() -> None:
    """GO-33, GO-R15, GO-E13: 41, 33, 41; with goats 22, 21, 17 seat 2 wins alone."""
    shared = GAME.outcome(last_book((41, 33, 41)).table)
    assert shared is not None and shared.winners == (0, 2) and shared.places == (1, 3, 1)
    fewest = GAME.outcome(last_book((41, 33, 41), (22, 21, 17), tie_break="fewest_goats").table)
    assert fewest is not None and fewest.winners == (2,) and fewest.places == (2, 3, 1)
    equal = GAME.outcome(last_book((41, 33, 41), (22, 21, 22), tie_break="fewest_goats").table)
    assert equal is not None and equal.winners == (0, 2)


def test_an_extra_hand_is_played_until_one_seat_leads_alone() -> None:
    """GO-R15"""
    story = last_book((41, 33, 41), tie_break="extra_hand")
    assert GAME.outcome(story.table) is None
    sixth = story.when(CHANCE, Shuffled(FULL_PACK))
    assert sixth.last(HandDealt).hand_no == 6
    alone = GAME.outcome(last_book((42, 33, 41), tie_break="extra_hand").table)
    assert alone is not None and alone.winners == (0,)


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("GO-R02", {"first_dealer": 4}),
        ("GO-R10", {"race": "dice"}),
        ("GO-R10", {"race_timeout_ms": -1}),
        ("GO-R11", {"goat_penalty": 6}),
        ("GO-R13", {"hands": 0}),
        ("GO-R13", {"hands": 21}),
        ("GO-R14", {"stall_limit": 9}),
        ("GO-R14", {"stall_limit": 501}),
        ("GO-R15", {"tie_break": "cut"}),
    ],
)
def test_other_options_are_refused_by_their_ruling(rule: str, options: dict[str, Any]) -> None:
    """GO-R02, GO-R10, GO-R11, GO-R13, GO-R14, GO-R15"""
    refuses_table(GAME, 4, rule, **options)


# ── Whole hands ─────────────────────────────────────────────────────────────────────────────────────────────────


def collected(seats: int, seed: int, **options: Any) -> Iterator[tuple[Table, Any]]:
    """A hand between players who keep their largest groups, claim at once and answer races in random order."""
    rng = random.Random(seed)
    s = GAME.open_table({"hands": 1, "stall_limit": 500, **options}, seats)
    while GAME.outcome(s) is None:
        acting = GAME.to_act(s)
        if CHANCE in acting:
            wanted = GAME.chance(s)
            answer = Shuffled(tuple(rng.sample(FULL_PACK, 52))) if isinstance(wanted, Shuffle) else Picked(0)
            events = GAME.decide(s, CHANCE, answer)
        else:
            claims = [(seat, c) for seat in acting for c in GAME.legal(s, seat) if isinstance(c, LayDown)]
            command: PassCard | LayDown | None
            seat, command = rng.choice(claims or [(min(acting), None)])
            if command is None:
                held = [card.number for card in s.hands[seat]]
                weight = {card: held.count(card.number) + rng.random() for card in s.hands[seat]}
                card = min(weight, key=weight.__getitem__) if rng.random() < 0.9 else rng.choice(s.hands[seat])
                command = PassCard(card, s.round_no)
            events = GAME.decide(s, seat, command)
        assert not isinstance(events, Pick)
        for event in events:
            s = GAME.evolve(s, event)
            yield s, event


@pytest.mark.parametrize("seats", range(2, 14))
@pytest.mark.parametrize(
    "options",
    [{"goat_penalty": 2}, {"race": "off", "books_shown": True}, {"stall_limit": 10, "tie_break": "fewest_goats"}],
)
def test_matches_between_collectors_are_counted_alike_at_every_table(seats: int, options: dict[str, Any]) -> None:
    """GO-06 to GO-34: three hands with books, races and goats, to which random players seldom come."""
    given = {"hands": 3, "stall_limit": 40, **options}
    book_keeper = Recount(read_options(GAME.options, given, seats), seats)
    moments: list[tuple[tuple[int, bool], int]] = []
    for s, event in collected(seats, 7, **given):
        book_keeper.hear(event)
        if not book_keeper.runs or book_keeper.ending:
            continue
        racing = bool(book_keeper.race)
        first = book_keeper.race[0] if racing else (book_keeper.dealer + 1) % seats
        assert list(GAME.order(s)) == [(first + step) % seats for step in range(seats)]  # GO-20, and eldest first
        assert GAME.alarm(s) == (Alarm(f"race of round {book_keeper.round_no}", 10_000) if racing else None)
        assert [GAME.pause(s, seat) for seat in range(seats)] == [(700, 2500) if racing else (0, 0)] * seats
        moments.append(((book_keeper.round_no, racing), GAME.round(s)))
    assert book_keeper.hands_counted == 3 and book_keeper.outcome() == GAME.outcome(s)
    # A deadline runs within a round or a race, and neither goes on with the time of the last one.
    assert len(set(moments)) == len({where for where, _ in moments}) == len({number for _, number in moments})
    assert [number for _, number in moments] == sorted(number for _, number in moments)


def test_a_hand_goes_on_while_somebody_has_four_cards() -> None:
    """GO-27: in every hand of the match."""
    for hand_no in (1, 2, 3):
        story = dealt(f"{book(5)} C-1", "C-2 R-3 O-4 W-6", "C-7 R-8", hand_no=hand_no, race="off")
        story.when(0, LayDown(5, 1)).then(BookPutAway(0, Secret(5, (0,)), (), None, ()))
        ended = dealt(f"{book(5)} C-1", "C-2 R-3 O-4", "C-7 R-8", hand_no=hand_no, race="off").when(0, LayDown(5, 1))
        assert ended.last(HandScored).reason == "no_four"


def test_latecomers_are_told_their_place_at_every_table() -> None:
    """GO-16, GO-17: while the race runs, and after it."""
    numbers = (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 1)
    for seats in range(3, 14):
        story = dealt(f"{book(9)} {book(10)}", *[f"C-{n} R-{n}" for n in numbers[: seats - 1]])
        story = story.when(0, LayDown(9, 1))
        for place, seat in enumerate(range(seats - 1, 1, -1), start=2):
            story = story.when(seat, LayDown())
            if story.table.phase == "race":
                assert f"place {place}" in refusal(story, seat, LayDown()).text
            else:
                assert f"your place is {place}" in refusal(story, seat, PassCard(Card("C-1"), 1)).text
        assert "you are the goat" in refusal(story, 1, PassCard(Card("C-1"), 1)).text


def test_four_seats_can_play_to_the_last_four_cards_GO_E8() -> None:
    """GO-27, GO-34, GO-E8: twelve books, 27 points, or 22 or 17 when the fives or tens are left."""
    seen = set()
    for seed in range(60):
        *_, (_, scored) = collected(4, seed)
        assert isinstance(scored, HandScored)
        if scored.reason == "no_four":
            assert [len(held) for held in scored.dead_cards] == [1] * 4
            (left,) = {held[0].number for held in scored.dead_cards}
            assert sum(scored.delta) == {5: 22, 10: 17}.get(left, 27)
            seen.add(sum(scored.delta))
    assert seen == {27, 22, 17}


MOST_BOOKS = {2: 12, 3: 12, 4: 12, 5: 10, 6: 12, 7: 10, 8: 8, 9: 9, 10: 10, 11: 11, 12: 12, 13: 13}


@pytest.mark.parametrize("seats", MOST_BOOKS)
def test_books_and_cards_are_conserved(seats: int) -> None:
    """GO-34, GO-10, GO-R11: 52 cards at every moment, never more books than possible, every sum as it must be."""
    sizes: list[int] = []
    for s, event in collected(seats, seats, goat_penalty=2):
        if isinstance(event, RoundPassed):
            assert [len(held) for held in s.hands] == sizes
        sizes = [len(held) for held in s.hands]
        if s.hand_no:
            assert sum(sizes) + 4 * sum(map(len, s.books)) == 52
    assert isinstance(event, HandScored)
    booked = [number for numbers in event.books for number in numbers]
    assert 0 < len(booked) <= MOST_BOOKS[seats] and len(set(booked)) == len(booked)
    total = len(booked) + 5 * (5 in booked) + 10 * (10 in booked)
    assert sum(event.delta) == total - 2 * sum(event.goats) and total <= 28


def test_what_only_a_race_needs_is_refused_without_one() -> None:
    """GO-R10, GO-R11, GO-R15"""
    refuses_idle(GAME, 4, "goat_penalty", 1, race="off")
    refuses_idle(GAME, 4, "goat_penalty", 0, race="off")
    refuses_idle(GAME, 4, "race_timeout_ms", 5000, race="off")
    refuses_idle(GAME, 2, "race_timeout_ms", 5000)
    refuses_idle(GAME, 4, "tie_break", "fewest_goats", race="off")
    GAME.new_table({"tie_break": "extra_hand", "race": "off"}, 4)


def test_after_twenty_extra_hands_a_tie_is_shared() -> None:
    """GO-R15: eleven careless players make no book in a hundred hands, and nobody would ever lead."""
    tied = last_book((41, 33, 41), tie_break="extra_hand")
    assert GAME.outcome(tied.but(hand_no=24).table) is None
    shared = GAME.outcome(tied.but(hand_no=25).table)
    assert shared is not None and shared.winners == (0, 2)


def test_careless_players_who_never_lead_alone_come_to_an_end() -> None:
    """GO-R15"""
    options = {"hands": 1, "stall_limit": 10, "tie_break": "extra_hand"}
    for seed in range(3):
        *_, last = random_match(GAME, 11, options, random.Random(seed))
        assert last.after.hand_no <= 21


# ── What a seat could imagine ───────────────────────────────────────────────────────────────────────────────────


def led_to(history: History, seat: int, imagined: Table, rng: random.Random) -> bool:
    """Whether the log leads to this table if the others had those cards and chose as the table has it.

    The seat may have forgotten the beginning of a long hand; then the log is replayed from there on.
    """
    start = max(imagined.since)
    first = next(
        n for n, moment in enumerate(history.moments) if len(moment.after.steps) == start and moment.after.since
    )
    now = history.moments[first].after
    books = [len(numbers) for numbers in now.books]
    s = now._replace(
        hands=tuple(now.hands[n] if n == seat else held for n, held in enumerate(imagined.dealt)),
        books=tuple(numbers[:count] for numbers, count in zip(imagined.books, books, strict=True)),
        steps=imagined.steps[:start],
        since=imagined.since,
        dealt=imagined.dealt,
    )
    for moment in history.moments[first + 1 :]:
        command = moment.command
        if moment.seat not in (seat, CHANCE, CLOCK):
            command = as_imagined(s, moment, imagined)
        events = GAME.decide(s, moment.seat, command)
        assert not isinstance(events, Pick)
        if visible(events, seat) != visible(moment.events, seat):
            return False
        for event in events:
            s = GAME.evolve(s, event)
    return bool(s == imagined)


def as_imagined(s: Table, moment: Moment, imagined: Table) -> PassCard | LayDown:
    """What another seat does at this moment in the course of the hand that the table remembers."""
    command, giver = moment.command, moment.seat
    if isinstance(command, LayDown):
        if s.phase == "race" or command.number is None:
            return command
        put_away = len(s.books[giver])
        claimed = imagined.books[giver][put_away] if put_away < len(imagined.books[giver]) else imagined.claim
        return LayDown(claimed, command.round_no)
    if imagined.round_no == s.round_no and imagined.phase == "passing":
        card = imagined.choices[giver]
    elif len(imagined.steps) > len(s.steps) and len(imagined.steps[len(s.steps)].seats) > 1:
        step = imagined.steps[len(s.steps)]
        card = step.cards[step.seats.index(giver)]
    else:
        card = s.hands[giver][0]  # a book made this round void
    assert card is not None
    return PassCard(card, command.round_no)


def test_when_all_is_over_every_hand_choice_and_book_lies_open() -> None:
    story = dealt(f"{book(9)} C-1", "C-2 R-3 O-4 W-6", "C-7 R-8").when(1, give("C-2"))
    assert GAME.view(story.table, ALL)["choices"] == (None, "C-2", None)
    assert [GAME.view(story.table, seat)["choice"] for seat in (0, 1, ALL, None)] == [None, "C-2", None, None]
    race = story.when(0, LayDown(9, 1))
    assert [GAME.view(race.table, seat)["race"]["claim"] for seat in (0, 1, ALL, None)] == [9, None, 9, None]
    over = race.when(1, LayDown())
    assert GAME.view(over.table, ALL)["books"] == ((9,), (), ()) and GAME.view(over.table, 1)["books"] == [
        None,
        (),
        None,
    ]
    assert GAME.view(over.table, 1)["book_counts"] == [1, 0, 0]
