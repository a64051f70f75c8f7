"""Baffle: obvious play."""

from __future__ import annotations

from domain.games.baffle import GAME
from domain.games.baffle.events import Declare, Exchange
from domain.kit.cards import Card
from tests.domain.bots.choosing import by_thumb, card_by_thumb
from tests.domain.games.test_baffle import dealt, declared, played

HIGH = "O-13 O-12 O-11 C-13 R-13 W-13"
LOW = "C-2 C-3 R-2 R-3 W-2 W-3"


def test_a_good_hand_is_content() -> None:
    assert by_thumb(GAME, dealt(LOW, HIGH, LOW).table, 1) == Declare("content")


def test_a_bad_hand_is_changed_for_the_cop_hand_which_comes_with_a_trump() -> None:
    assert by_thumb(GAME, dealt(LOW, LOW, HIGH).table, 1) == Declare("cop")


def test_a_bad_hand_resigns_when_the_cop_hand_is_gone() -> None:
    story = declared(dealt(LOW, "C-4 C-5", LOW, LOW, dealer=0), "cop", "content")
    assert by_thumb(GAME, story.table, 3) == Declare("resign")


def test_the_turned_up_trump_is_taken_for_the_lowest_card() -> None:
    story = dealt(LOW, LOW, HIGH, cop="C-13 R-9 W-4 O-7 C-2 W-6").when(1, Declare("cop"))
    assert by_thumb(GAME, story.table, 1) == Exchange(Card("C-2"))


def test_a_trump_is_led_from_the_second_trick_on() -> None:
    story = declared(dealt("C-3 R-3", "C-13 R-13 O-3", "C-4 R-4", dealer=0), "content", "content", "content")
    assert card_by_thumb(GAME, played(story, "C-13 C-4 C-3").table, 1) == "O-3"


def test_the_last_to_play_takes_with_the_lowest_card_that_does() -> None:
    story = declared(dealt("C-10 C-12 C-13", "C-9 R-1 R-2", "C-4 R-4 R-5", dealer=0), "content", "content", "content")
    assert card_by_thumb(GAME, played(story, "C-9 C-4").table, 0) == "C-10"
