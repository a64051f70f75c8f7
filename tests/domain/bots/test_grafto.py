"""Grafto: obvious play."""

from __future__ import annotations

from domain.games.grafto import GAME
from domain.games.grafto.events import Bid, Graft, PassBid
from domain.kit.cards import Card
from tests.domain.bots.choosing import by_thumb, card_by_thumb
from tests.domain.games.test_grafto import deal, dealt, playing
from tests.domain.story import Story

PLAIN = "R-2 R-3 R-4 W-2 W-3 W-4 C-2"
FAIR = "O-13 O-11 O-8 W-13 R-2 R-3 C-2"


def led(story: Story, *cards: tuple[int, str]) -> Story:
    for seat, card in cards:
        story = story.when(seat, next(c for c in GAME.legal(story.table, seat) if c.card == card))
    return story


def test_a_hand_of_high_trumps_bids_all_there_is() -> None:
    story = dealt(PLAIN, "C-1 O-13 O-12 O-11 R-13 W-13 C-13", PLAIN, dealer=0)
    assert by_thumb(GAME, story.table, 1) == Bid(15)


def test_a_hand_without_trumps_passes() -> None:
    story = dealt(PLAIN, "R-2 R-3 R-4 W-2 W-3 W-4 C-2", PLAIN, dealer=0)
    assert by_thumb(GAME, story.table, 1) == PassBid()


def test_the_dealer_takes_the_Five_for_the_weakest_card() -> None:
    story = deal("O-9 O-2 C-1 R-13 W-13 C-2 R-7", "", "", turn_up="O-5", dealer=0)
    assert by_thumb(GAME, story.table, 0) == Graft(Card("C-2"))


def test_the_last_to_play_takes_with_the_lowest_card_that_does() -> None:
    story = playing("O-3 O-9 O-13", "W-9 W-2 W-3", "W-10 W-4 W-5", bids=(1, 0, 0), dealer=0)
    story = led(story, (1, "W-9"), (2, "W-10"))
    assert card_by_thumb(GAME, story.table, 0) == "O-3"


def test_a_trick_that_another_opponent_of_the_bidder_has_is_left_to_him() -> None:
    story = playing("W-2 O-13 O-3", "W-9 W-4 W-3", "W-13 W-5 W-7", bids=(0, 1, 0), dealer=0)
    story = led(story, (1, "W-9"), (2, "W-13"))
    assert card_by_thumb(GAME, story.table, 0) == "W-2"


def test_the_more_seats_there_are_the_better_a_hand_has_to_be_to_bid() -> None:
    few = dealt(PLAIN, FAIR, PLAIN, PLAIN, dealer=0)
    many = dealt(PLAIN, FAIR, PLAIN, PLAIN, PLAIN, PLAIN, dealer=0)
    assert by_thumb(GAME, few.table, 1) == Bid(15)
    assert by_thumb(GAME, many.table, 1) == PassBid()


def test_the_dealer_bids_on_less_than_the_others() -> None:
    story = dealt(FAIR, PLAIN, PLAIN, PLAIN, PLAIN, PLAIN, dealer=0)
    for seat in range(1, 6):
        story = story.when(seat, PassBid())
    assert by_thumb(GAME, story.table, 0) == Bid(15)


def test_a_bidder_keeps_his_best_trump_for_a_trick_that_takes_it() -> None:
    hands = "C-13 C-11 C-8 C-7 W-8 W-5 R-3", "W-2 W-3 W-4 R-2 R-4 R-5 R-6", "O-2 O-3 O-4 O-6 O-7 O-8 O-9"
    story = playing(hands[1], "W-1 R-7 R-8 R-9 R-10 R-11 O-1", *hands[::2], turn_up="C-2", bids=(0, 0, 15, 0))
    assert card_by_thumb(GAME, led(story, (1, "W-1")).table, 2) in {"W-5", "W-8"}


def test_a_seat_with_three_tricks_takes_the_fourth_from_a_friend_so_that_the_bidder_loses() -> None:
    story = playing("O-9 W-3", "W-9 R-2", "W-10 R-3", "W-2 R-4", bids=(0, 0, 0, 15), dealer=3)
    story = story.but(tricks=(3, 0, 1, 1), turn=1)
    story = led(story, (1, "W-9"), (2, "W-10"), (3, "W-2"))
    assert card_by_thumb(GAME, story.table, 0) == "O-9"


def test_whoever_has_bid_in_vain_takes_the_fourth_trick_from_another() -> None:
    story = playing("O-9 W-3", "W-9 R-2", "W-10 R-3", "W-2 R-4", bids=(15, 0, 0, 0), dealer=3)
    story = story.but(tricks=(0, 1, 3, 1), turn=1)
    story = led(story, (1, "W-9"), (2, "W-10"), (3, "W-2"))
    assert card_by_thumb(GAME, story.table, 0) == "O-9"
