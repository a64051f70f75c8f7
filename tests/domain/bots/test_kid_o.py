"""Kid-O: obvious play."""

from __future__ import annotations

from domain.games.kid_o import GAME
from domain.games.kid_o.game import Taken
from domain.kit.cards import FULL_PACK, Card
from domain.kit.tricks import TrickCard
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.story import hand


def played(mine: str, trick: str = "", *, trick_no: int, shown: str = "O-9") -> Card:
    """The card that seat 2 of three plays from its hand to this trick; the card shown went to seat 0."""
    lying, own, first_card = hand(trick), hand(mine), Card(shown)
    rest = [card for card in FULL_PACK if card not in (*own, *lying) and card.suit != "O"]
    first = 2 - len(lying)
    table = GAME.open_table({}, 3)._replace(
        playing=True,
        hand_no=1,
        dealer=2,
        eldest=0,
        first_card=first_card,
        trick_no=trick_no,
        hands=((first_card, *rest[1 : len(own)]), tuple(rest[-len(own) :]), own),
        trick=tuple(TrickCard(first + place, card) for place, card in enumerate(lying)),
        turn=2,
        tricks=(Taken(0, (), 0),) * (trick_no - 1),
    )
    return card_by_thumb(GAME, table, 2)


def test_a_free_trick_is_taken_with_the_highest_card() -> None:
    assert played("C-2 C-12 R-4 R-6", "C-5 C-9", trick_no=3) == "C-12"


def test_a_trick_that_costs_a_point_is_ducked() -> None:
    assert played("C-2 C-8 C-12 R-4 R-6", "C-5 C-9", trick_no=2) == "C-8"


def test_what_must_be_the_kid_o_card_is_thrown_away() -> None:
    assert played("R-13 O-13 O-2", "C-5 C-9", trick_no=4) == "O-13"


def test_a_free_trick_in_which_the_kid_o_card_lies_is_ducked() -> None:
    assert played("C-2 C-12 R-4", "C-9 O-13", trick_no=3) == "C-2"


def test_what_must_be_the_kid_o_card_is_not_led() -> None:
    assert played("R-4 O-13", trick_no=5) == "R-4"
