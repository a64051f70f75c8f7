"""Quenette: obvious play."""

from __future__ import annotations

from domain.games.quenette import GAME
from domain.kit.cards import FULL_PACK, Card
from domain.kit.tricks import TrickCard
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.story import hand


def played(mine: str, trick: str = "", gone: str = "") -> Card:
    """The card that seat 2 of three plays from its hand to this trick, when these cards have been taken."""
    lying = hand(trick)
    own = hand(mine)
    taken = hand(gone)
    rest = [card for card in FULL_PACK if card not in (*own, *lying, *taken)]
    first = 2 - len(lying)
    table = GAME.open_table({}, 3)._replace(
        playing=True,
        hand_no=1,
        dealer=0,
        trick_no=2,
        hands=(tuple(rest[: len(own)]), tuple(rest[-len(own) :]), own),
        trick=tuple(TrickCard(first + place, card) for place, card in enumerate(lying)),
        turn=2,
        taken=(taken, (), ()),
    )
    return card_by_thumb(GAME, table, 2)


def test_o_5_goes_on_somebody_elses_trick() -> None:
    assert played("C-13 O-13 O-5 W-12", "R-4 R-9") == "O-5"


def test_of_a_trick_that_costs_a_point_the_highest_card_under_it_is_played() -> None:
    assert played("R-2 R-8 R-11", "R-9 O-2") == "R-8"


def test_a_trick_that_costs_nothing_is_taken_with_the_highest_card() -> None:
    assert played("R-10 R-13 O-5", "R-4 R-9") == "R-13"


def test_a_trick_with_o_5_is_ducked() -> None:
    assert played("R-2 R-13", "R-9 O-5") == "R-2"


def test_low_cards_are_led_when_others_are_likely_to_be_out_of_the_suit() -> None:
    gone = "C-2 C-3 C-4 C-5 C-6 C-7 C-8 C-9 C-10 C-11"
    assert played("C-12 C-13 R-2", gone=gone) == "R-2"


def test_o_is_led_low() -> None:
    assert played("O-1 O-12 O-13") == "O-1"
