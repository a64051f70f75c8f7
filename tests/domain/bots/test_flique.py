"""Flique: obvious play."""

from __future__ import annotations

from domain.games.flique import GAME
from tests.domain.bots.choosing import by_thumb
from tests.domain.games.test_flique import at, drew, drop, place, take


def test_the_combination_that_wins_is_placed() -> None:
    story = drew("C-4", "C-3 C-5", placed=("R-1 R-2 R-3 R-4", "O-1 O-2 O-3 O-4"), other="W-1 W-3")
    assert by_thumb(GAME, story.table, 0) == place("C-3 C-5")


def test_a_discard_that_makes_a_combination_is_taken() -> None:
    assert by_thumb(GAME, at("C-3 C-4 R-6 O-8 W-2", discards="C-5", reserve="R-1").table, 0) == take("C-3 C-4")


def test_a_card_that_hangs_together_with_nothing_is_discarded() -> None:
    story = drew("C-5", "C-4 R-6 R-7 O-1 W-9 W-10", discards="O-2 O-3").when(0, place("C-4"))
    assert by_thumb(GAME, story.table, 0) == drop("O-1")


def test_no_five_twos_are_placed() -> None:
    placed = ("R-1 R-2", "O-1 O-2", "W-1 W-2", "C-9 C-10")
    story = drew("C-4", "C-3 R-8", placed=placed, other="W-4 W-6 O-4")
    assert by_thumb(GAME, story.table, 0) == drop("C-4")
