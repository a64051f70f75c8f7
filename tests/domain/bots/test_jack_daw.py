"""Jack-Daw: obvious play."""

from __future__ import annotations

from domain.games.jack_daw import GAME
from domain.kit.cards import FULL_PACK, Card
from domain.kit.tricks import TrickCard
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.story import hand


def played(mine: str, trick: str = "", top: str = "R-2") -> Card:
    """The card that seat 2 of three plays from its hand to this trick, C being trumps."""
    lying, own = hand(trick), hand(mine)
    rest = [card for card in FULL_PACK if card not in (*own, *lying, top)]
    first = 2 - len(lying)
    table = GAME.open_table({}, 3)._replace(
        playing=True,
        hand_no=1,
        dealer=0,
        trump="C",
        pack=(Card(top), *rest[20:]),
        trick_no=2,
        hands=(tuple(rest[:10:2]), tuple(rest[1:11:2]), own),
        trick=tuple(TrickCard(first + place, card) for place, card in enumerate(lying)),
        turn=2,
    )
    return card_by_thumb(GAME, table, 2)


def test_the_last_to_play_brings_the_jack_daw_home() -> None:
    assert played("C-5 C-9 O-2", "R-13 R-7") == "C-5"


def test_low_and_jack_daw_are_not_thrown_away() -> None:
    assert played("C-1 C-5 O-3", "R-7 C-9") == "O-3"


def test_low_is_caught() -> None:
    assert played("C-3 C-12", "C-7 C-1") == "C-12"


def test_a_ten_is_caught_with_the_lowest_card_that_does_it() -> None:
    assert played("R-2 R-11 R-13", "R-10 R-7") == "R-11"


def test_no_ten_is_given_to_somebody_elses_trick() -> None:
    assert played("R-2 R-10", "R-12 R-7") == "R-2"


def test_high_waits_when_there_is_nothing_to_catch() -> None:
    assert played("C-13 O-2 O-3", "R-3 R-4") in ("O-2", "O-3")
