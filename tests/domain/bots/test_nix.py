"""Nix: obvious play."""

from __future__ import annotations

from domain.games.nix import GAME
from domain.games.nix.events import Draw, PlayCard
from domain.kit.trixcards import TrixCard
from tests.domain.bots.choosing import by_thumb


def chosen(mine: str, wanted: str) -> PlayCard | Draw:
    """What the first of three seats does where cards may be held back."""
    own = tuple(map(TrixCard, mine.split()))
    table = GAME.open_table({"may_hold_back": True}, 3)._replace(
        playing=True, hand_no=1, dealer=0, hands=(own, (TrixCard("7-1"),), (TrixCard("0-0"),)), wanted=TrixCard(wanted)
    )
    command = by_thumb(GAME, table, 0)
    assert isinstance(command, PlayCard | Draw)
    return command


def test_a_set_that_can_be_completed_is_completed() -> None:
    assert chosen("5-4 5-5 6-1", "5-4") == PlayCard(TrixCard("5-4"))


def test_the_double_is_not_freed_for_somebody_else() -> None:
    assert chosen("5-4 6-1 7-2", "5-4") == Draw()


def test_an_early_card_of_a_set_is_played() -> None:
    assert chosen("5-1 6-1 7-2", "5-1") == PlayCard(TrixCard("5-1"))


def test_nix_counts_for_whoever_holds_it() -> None:
    table = GAME.open_table({}, 3)._replace(playing=True, hands=((), (TrixCard("7-1"),), (TrixCard("0-0"),)))
    assert list(GAME.bot.worth(table)) == [0, 0, 3]
