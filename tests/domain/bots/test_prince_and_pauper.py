"""Prince and Pauper: obvious play."""

from __future__ import annotations

from domain.games.prince_and_pauper import GAME
from domain.games.prince_and_pauper.game import PACK
from domain.kit.cards import Card
from domain.kit.tricks import TrickCard
from tests.domain.bots.choosing import card_by_thumb
from tests.domain.story import hand


def played(mine: str, trick: str = "", *, seat: int = 3, gone: str = "PAUPER") -> Card:
    """The card that this seat of four plays from its hand to this trick, C being trumps."""
    lying, own, taken = hand(trick), hand(mine), hand(gone)
    rest = [card for card in PACK if card not in (*own, *lying, *taken)]
    hands = [tuple(rest[n::3][: len(own)]) for n in range(3)]
    hands.insert(seat, own)
    table = GAME.open_table({}, 4)._replace(
        playing=True,
        hand_no=1,
        dealer=0,
        turned=Card("C-6"),
        owner=0,
        trump="C",
        trick_no=2,
        hands=tuple(hands),
        trick=tuple(TrickCard(seat - len(lying) + place, card) for place, card in enumerate(lying)),
        turn=seat,
        taken=(taken, (), (), ()),
    )
    return card_by_thumb(GAME, table, seat)


def test_the_pauper_goes_as_soon_as_it_can() -> None:
    assert played("C-12 O-2 PAUPER", "R-6 R-7 W-2", gone="") == "PAUPER"


def test_a_trick_with_the_pauper_in_it_is_left_to_others() -> None:
    assert played("O-4 O-12", "O-6 O-7 PAUPER", gone="") == "O-4"


def test_a_ten_is_caught_by_the_last_to_play() -> None:
    assert played("O-4 O-12", "O-6 O-10 O-7") == "O-12"


def test_the_lowest_card_that_takes_a_trick_takes_it() -> None:
    assert played("O-11 O-12 O-13", "O-6 O-10 O-7") == "O-11"


def test_no_ten_is_given_to_somebody_elses_trick() -> None:
    assert played("O-2 O-10", "O-6 O-12 O-7") == "O-2"


def test_a_set_of_13_is_not_made_under_the_eyes_of_the_pauper() -> None:
    """With two cards adding up to 13 the next seat could let it go, and the trick would be ours."""
    assert played("W-11 W-13", "W-3 W-2", seat=2, gone="") == "W-13"
