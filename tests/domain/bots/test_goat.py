"""Goat: obvious play."""

from __future__ import annotations

from domain.games.goat import GAME
from domain.games.goat.books import grouped
from domain.games.goat.events import LayDown, PassCard
from domain.kit.cards import FULL_PACK
from tests.domain.bots.choosing import by_thumb
from tests.domain.story import hand


def chosen(mine: str, seats: int = 4) -> PassCard | LayDown:
    """What the first seat does with such a hand, when the rest of the pack is with the others."""
    own = grouped(hand(mine))
    rest = [card for card in FULL_PACK if card not in own]
    others = [grouped(rest[seat :: seats - 1]) for seat in range(seats - 1)]
    hands = (own, *others)
    table = GAME.open_table({"first_dealer": 0}, seats)._replace(
        phase="passing", hand_no=1, hands=hands, since=(0,) * seats, dealt=hands
    )
    command = by_thumb(GAME, table, 0)
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
