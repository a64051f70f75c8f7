"""Crown Baseball: obvious play."""

from __future__ import annotations

from domain.games.crown_baseball import GAME
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.games.test_crown_baseball import at_bat, play


def test_a_three_base_hit_is_led_for_with_the_card_that_cannot_be_beaten() -> None:
    assert card_by_thumb(GAME, at_bat(1, batting="R-2 O-5 O-9 W-4").table, 1) == "O-9"


def test_a_strike_out_is_left_to_the_dealer() -> None:
    assert card_by_thumb(GAME, at_bat(8, batting="R-1 O-8 W-9").table, 1) == "R-1"


def test_the_dealer_takes_what_would_be_a_hit_as_cheaply_as_possible() -> None:
    story = at_bat(5, fielding="R-7 R-9 R-2", batting="R-5 R-1 W-2").when(1, play("R-5"))
    assert card_by_thumb(GAME, story.table, 0) == "R-7"


def test_the_dealer_does_not_take_what_would_be_a_walk() -> None:
    story = at_bat(4, fielding="R-7 R-9 R-2", batting="R-5 R-1 W-2").when(1, play("R-5"))
    assert card_by_thumb(GAME, story.table, 0) == "R-2"
