"""Goat: obvious play, by rule of thumb and at `strong`."""

from __future__ import annotations

import pytest

from domain.bots.goat import ORDERS
from domain.games.goat import GAME
from domain.games.goat.books import grouped
from domain.games.goat.events import LayDown, PassCard
from domain.games.goat.game import Table
from domain.kit.cards import FULL_PACK, Card
from tests.domain.bots.choosing import by_thumb
from tests.domain.bots.positions import thought
from tests.domain.story import hand


def table_with(mine: str, seats: int) -> Table:
    """The first seat has such a hand, and the rest of the pack is with the others."""
    own = grouped(hand(mine))
    rest = [card for card in FULL_PACK if card not in own]
    others = [grouped(rest[seat :: seats - 1]) for seat in range(seats - 1)]
    hands = (own, *others)
    table: Table = GAME.open_table({"first_dealer": 0}, seats)
    return table._replace(phase="passing", hand_no=1, hands=hands, since=(0,) * seats, dealt=hands)


def chosen(mine: str, seats: int = 4) -> PassCard | LayDown:
    command = by_thumb(GAME, table_with(mine, seats), 0)
    assert isinstance(command, PassCard | LayDown)
    return command


def given(mine: str, seats: int = 4) -> str:
    command = chosen(mine, seats)
    assert isinstance(command, PassCard)
    return command.card


def test_a_book_is_laid_down_at_once() -> None:
    assert chosen("C-3 R-3 O-3 W-3 C-10 R-10 O-10 W-9") == LayDown(3, 1)


def test_of_two_books_the_dearer_one_goes_first() -> None:
    assert chosen("C-3 R-3 O-3 W-3 C-10 R-10 O-10 W-10") == LayDown(10, 1)


def test_a_single_card_is_given_rather_than_one_of_three() -> None:
    assert given("C-3 R-3 O-3 C-8 R-8 W-9") == "W-9"


def test_a_single_ten_is_kept_longer_than_three_of_a_plain_number() -> None:
    assert given("C-3 R-3 O-3 C-10") != "C-10"


def test_of_two_players_nobody_gives_the_fourth_card_to_the_other() -> None:
    assert given("C-3 R-3 O-3 C-8 R-8 W-9", seats=2) != "W-9"


# ── Strong ──────────────────────────────────────────────────────────────────────────────────────────────────────

measured = pytest.mark.parametrize("seats", sorted(ORDERS))


def strong_gives(table: Table) -> Card:
    command = thought(GAME, table, 0, "strong").command
    assert isinstance(command, PassCard)
    return command.card


def after_round(table: Table, *cards: str) -> Table:
    """Every seat gives one of these, the first seat the first."""
    for seat, card in enumerate(cards):
        for event in GAME.decide(table, seat, PassCard(Card(card), table.round_no)):
            table = GAME.evolve(table, event)
    return table


@measured
def test_strong_lays_a_book_down_at_once_and_the_dearer_first(seats: int) -> None:
    table = table_with("C-3 R-3 O-3 W-3 C-5 R-5 O-5 W-5 C-10 R-10", seats)
    assert thought(GAME, table, 0, "strong").command == LayDown(5, 1)


@measured
def test_strong_gives_a_second_ten_before_anything_else(seats: int) -> None:
    assert strong_gives(table_with("C-10 R-10 C-5 C-3 R-3 C-8 R-8 O-8 W-9 W-1", seats)).number == 10


@measured
def test_strong_keeps_its_last_ten_and_its_last_five_while_it_has_anything_else(seats: int) -> None:
    for rest in ("C-3", "C-3 R-3", "C-3 R-3 O-3", "C-3 R-8 O-9"):
        assert strong_gives(table_with(f"C-10 C-5 {rest}", seats)).number not in (5, 10)


@measured
def test_strong_parts_with_its_last_five_before_its_last_ten(seats: int) -> None:
    assert strong_gives(table_with("C-5 C-10", seats)) == "C-5"


def test_of_three_strong_passes_on_what_has_just_come_and_keeps_one_of_every_number() -> None:
    table = table_with("C-1 C-2 C-3 C-4 C-6 C-7 C-8 C-10", 3)
    came = next(card for card in table.hands[2] if card.number == 13)
    table = after_round(table, "C-1", table.hands[1][0], came)
    assert strong_gives(table) == came


def test_of_five_strong_goes_on_giving_the_number_that_it_has_begun_to_give() -> None:
    table = table_with("C-1 R-1 C-3 R-3 C-8 C-10 C-5", 5)
    came = next(card for card in table.hands[4] if card.number == 13)
    table = after_round(table, "C-1", *[hand[0] for hand in table.hands[1:4]], came)
    assert strong_gives(table) == "R-1"


def test_of_five_strong_breaks_up_an_old_pair_and_keeps_one_that_has_just_come_about() -> None:
    table = table_with("C-1 C-3 R-3 O-8 C-10 C-5", 5)
    came = next(card for card in table.hands[4] if card.number == 8)
    table = after_round(table, "C-1", *[hand[0] for hand in table.hands[1:4]], came)
    assert strong_gives(table).number == 3


def test_at_tables_of_other_sizes_strong_goes_by_the_rules_of_thumb() -> None:
    table = table_with("C-10 R-10 C-5 C-3 R-3 C-8 R-8 O-8 W-9 W-1", 4)
    assert strong_gives(table).number in (1, 9)
    assert strong_gives(table_with("C-10 R-10 C-5 C-3 R-3 C-8 R-8 O-8 W-9", 4)) == given(
        "C-10 R-10 C-5 C-3 R-3 C-8 R-8 O-8 W-9", 4
    )
