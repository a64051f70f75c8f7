"""Aviation: obvious play."""

from __future__ import annotations

from domain.games.aviation import GAME
from tests.domain.bots.choosing import by_thumb
from tests.domain.games.test_aviation import at, draw, lay, play


def test_a_pile_that_can_be_completed_is_built() -> None:
    assert by_thumb(GAME, at("C-7 R-6 R-9", "", up=5).table, 0) == play("R-6")
    assert by_thumb(GAME, at("C-7 R-9", "", up=6).table, 0) == play("C-7")


def test_a_pile_is_not_brought_near_its_end_for_a_rival() -> None:
    assert by_thumb(GAME, at("R-6 R-9", "", up=5).table, 0) == lay("R-9")


def test_a_pile_that_nobody_else_builds_goes_on() -> None:
    assert by_thumb(GAME, at("R-6 R-9", "", up=5, ways="UD").table, 0) == play("R-6")


def test_the_card_of_an_opponent_is_drawn_on_the_way_to_a_pile() -> None:
    story = at("R-7 R-9", "", dromes=("", "W-6"), up=5, ways="UD")
    assert by_thumb(GAME, story.table, 0) == draw(1, "W-6")


def test_a_card_that_nobody_can_draw_is_laid_open() -> None:
    assert by_thumb(GAME, at("R-8 R-11 R-12", "", up=5, ways="UD").table, 0) == lay("R-8")
