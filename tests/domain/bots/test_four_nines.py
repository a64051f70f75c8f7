"""Four Nines: obvious play."""

from __future__ import annotations

import pytest

from domain.games.four_nines import GAME
from domain.games.four_nines.bot import board_of
from domain.games.four_nines.cross import CROSSES
from domain.games.four_nines.events import Command, EndPlay, Enter, Move
from domain.games.four_nines.pips import NumbersInHand
from tests.domain.bots.choosing import by_thumb


def chosen(own: tuple[int, ...], theirs: tuple[int, ...], number: int, board: str = "cross68") -> Command:
    """What the first of two seats does with this number of one die."""
    die = 6 if number == 12 else number
    table = GAME.open_table({"board": board}, 2)._replace(
        phase="play", discs=(own, theirs), entered=(True, True), hand=NumbersInHand((die,), (number,), 0)
    )
    command = by_thumb(GAME, table, 0)
    assert isinstance(command, Move | Enter | EndPlay)
    return command


def test_a_disc_that_can_be_captured_is_captured() -> None:
    # The other entering circle is 34 spaces on: its disc at 6 is met at 40.
    assert chosen((37, 10, -1, -1), (6, -1, -1, -1), 3) == Move(0, 3)


def test_a_disc_goes_out_of_reach() -> None:
    # A disc at 20 with an enemy two spaces behind it leaves for the safe circle; the other one is in no danger.
    safe = min(progress for progress in CROSSES["cross68"].safe if progress > 20)
    enemy = (safe - 2 - 2 - 34) % 68
    assert chosen((safe - 2, 66, -1, -1), (enemy, -1, -1, -1), 2) == Move(0, 2)


def test_two_discs_that_protect_each_other_stay_together() -> None:
    assert chosen((41, 41, 65, -1), (4, -1, -1, -1), 2) == Move(2, 2)


def test_a_disc_that_reaches_home_goes_there() -> None:
    assert chosen((68, 66, -1, -1), (3, -1, -1, -1), 3) == Move(0, 3)


@pytest.mark.parametrize("board", CROSSES)
def test_the_board_is_known_by_where_the_discs_stand(board: str) -> None:
    home = CROSSES[board].home
    for progress in (0, 3, 40, home - 1, home):
        table = GAME.open_table({"board": board}, 2)._replace(discs=((-1,) * 4, (progress, -1, -1, -1)))
        found = board_of(GAME.view(table, 0))
        # Home and the column are named alike on both; there is nothing to tell them by, and nothing that hangs on it.
        assert found == board or progress > CROSSES["cross68"].gate
