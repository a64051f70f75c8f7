"""Secret Seven: obvious play."""

from __future__ import annotations

import random

from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.bots.turn import Turn
from domain.games.secret_seven import GAME
from domain.games.secret_seven.events import CallSecret, ProveNeglect
from tests.domain.bots.choosing import by_thumb, card_by_thumb
from tests.domain.games.test_secret_seven import dealt, one_trick, played, played_out, tricks, with_dealer


def test_the_last_to_play_takes_a_trick_with_a_seven() -> None:
    story = dealt("C-9 C-2 R-3", "C-3 C-8 R-8", "C-4 C-11 R-11", combo=(6, 1), packet="R-6 O-1 R-2 O-3")
    assert card_by_thumb(GAME, played(story, "C-3 C-4").table, 0) == "C-9"


def test_the_dealer_leaves_the_secret_to_others() -> None:
    story = dealt("C-9 C-4 R-3", "C-5 C-8 R-8", "C-2 C-11 R-11", combo=(5, 2), packet="C-1 R-5 O-2 C-3")
    assert card_by_thumb(GAME, played(story, "C-5 C-2").table, 0) == "C-4"


def test_a_seven_is_given_to_ones_partner_and_not_to_the_others() -> None:
    def answer(led: str, partner: str, third: str) -> str:
        """What the dealer plays last, with a 4 that makes a seven with the 3 that lies there."""
        story = dealt(
            "C-4 C-8 W-7", f"{led} W-4", f"{partner} W-5", f"{third} W-6", combo=(6, 1), packet="R-6 R-1 R-2 R-3"
        )
        return card_by_thumb(GAME, played(story, f"{led} {partner} {third}").table, 0)

    assert answer("C-3", "C-12", "C-10") == "C-4"
    assert answer("C-12", "C-3", "C-10") == "C-8"


def test_the_secret_is_called_and_a_neglect_proven() -> None:
    assert isinstance(by_thumb(GAME, one_trick("C-5 C-2 C-9 C-10", combo=(5, 2)).table, 0), CallSecret)
    story = played_out([(1, "C-5 R-2 C-9 C-10"), *tricks((10, 2, "C-8 R-9 O-10 W-11"))], combo=(5, 2))
    assert isinstance(by_thumb(GAME, story.table, 1), ProveNeglect)


def test_a_secret_of_two_numbers_is_chosen() -> None:
    story, below = with_dealer(4), random.Random(1).randrange
    legal, view = GAME.legal(story.table, 0), GAME.view(story.table, 0)
    turn = Turn(GAME, 0, view, legal, lambda _: story.table, below, lambda n: True)
    chosen = at_once(LEVELS["steady"].search(turn)).command
    assert len(chosen.combo) == 2
    assert len({card.number for card in chosen.cards} - {card.number for card in chosen.combo}) == 2
