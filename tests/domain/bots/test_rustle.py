"""Rustle: obvious play."""

from __future__ import annotations

from domain.games.rustle import GAME
from domain.games.rustle.game import PACK
from domain.kit.cards import Card
from domain.kit.tricks import TrickCard
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.story import hand


def played(mine: str, trick: str = "", gone: str = "") -> Card:
    """The card that seat 3 of four plays from its hand to this trick, C being trumps."""
    lying, own, taken = hand(trick), hand(mine), hand(gone)
    rest = [card for card in PACK if card not in (*own, *lying, *taken)]
    first = 3 - len(lying)
    others = [tuple(rest[n::3][: len(own)]) for n in range(3)]
    table = GAME.open_table({}, 4)._replace(
        playing=True,
        hand_no=1,
        dealer=0,
        turned=Card("C-6"),
        trump="C",
        packet_no=1,
        trick_no=2,
        hands=(*others, own),
        trick=tuple(TrickCard(first + place, card) for place, card in enumerate(lying)),
        turn=3,
        taken=(taken, (), (), ()),
    )
    return card_by_thumb(GAME, table, 3)


def test_the_trump_10_is_brought_home_by_the_last_to_play() -> None:
    assert played("C-10 C-7 O-6", "R-13 R-7 R-6") == "C-10"


def test_the_trump_10_is_not_thrown_away() -> None:
    assert played("C-10 W-6 O-8", "R-13 C-11 R-6") in ("W-6", "O-8")


def test_the_trump_10_of_somebody_else_is_caught() -> None:
    assert played("C-1 C-8", "C-7 C-10 C-6") == "C-1"


def test_a_trick_is_taken_with_the_lowest_card_that_takes_it() -> None:
    assert played("R-9 R-12 R-1", "R-8 R-7 R-6") == "R-9"


def test_a_trick_that_is_lost_gets_the_lowest_card() -> None:
    assert played("R-7 R-13", "R-8 R-1 R-6") == "R-7"


def test_winning_the_match_counts_for_more_than_points() -> None:
    table = GAME.open_table({}, 2)
    close, won = table._replace(totals=(71, 60)), table._replace(totals=(72, 61))
    assert GAME.bot.worth(won)[0] - GAME.bot.worth(won)[1] > GAME.bot.worth(close)[0] - GAME.bot.worth(close)[1]
