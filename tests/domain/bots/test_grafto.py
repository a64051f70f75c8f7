"""Grafto: obvious play."""

from __future__ import annotations

from domain.games.grafto import GAME
from domain.games.grafto.events import Bid, Graft, PassBid
from domain.kit.cards import Card
from tests.domain.bots.choosing import by_thumb, card_by_thumb
from tests.domain.games.test_grafto import deal, dealt, playing

PLAIN = "R-2 R-3 R-4 W-2 W-3 W-4 C-2"


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
    for seat, card in ((1, "W-9"), (2, "W-10")):
        story = story.when(seat, next(c for c in GAME.legal(story.table, seat) if c.card == card))
    assert card_by_thumb(GAME, story.table, 0) == "O-3"


def test_a_trick_that_another_opponent_of_the_bidder_has_is_left_to_him() -> None:
    story = playing("W-2 O-13 O-3", "W-9 W-4 W-3", "W-13 W-5 W-7", bids=(0, 1, 0), dealer=0)
    for seat, card in ((1, "W-9"), (2, "W-13")):
        story = story.when(seat, next(c for c in GAME.legal(story.table, seat) if c.card == card))
    assert card_by_thumb(GAME, story.table, 0) == "W-2"
