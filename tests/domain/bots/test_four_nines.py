"""Four Nines: obvious play by rule of thumb, and what `strong` sees beyond it."""

from __future__ import annotations

import pytest

from domain.bots import rollouts
from domain.bots.four_nines import DEEPEST
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.games.four_nines import GAME
from domain.games.four_nines.bot import board_of
from domain.games.four_nines.cross import CROSSES, Discs
from domain.games.four_nines.events import Command, EndPlay, Enter, Move
from domain.games.four_nines.game import Table
from domain.games.four_nines.pips import NumbersInHand
from tests.domain.bots.choosing import by_thumb
from tests.domain.bots.positions import positions, thought, turn_at


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


# ── What `strong` sees ──────────────────────────────────────────────────────────────────────────────────────────


def thrown(discs: tuple[Discs, ...], number: int) -> Table:
    """The first seat has thrown this number with one die."""
    return GAME.open_table({}, len(discs))._replace(
        phase="play", discs=discs, entered=(True,) * len(discs), hand=NumbersInHand((number,), (number,), 1), throw_no=1
    )


def searched(table: Table, iterations: int) -> Command:
    command = thought(GAME, table, 0, "strong", iterations).command
    assert isinstance(command, Move | Enter | EndPlay)
    return command


@pytest.mark.parametrize("iterations", range(1, DEEPEST + 1))
def test_the_game_is_won_when_it_can_be(iterations: int) -> None:
    assert searched(thrown(((68, 71, 71, 71), (71, 71, 71, 59), (8, 9, -1, -1)), 3), iterations) == Move(0, 3)


@pytest.mark.parametrize("iterations", range(1, DEEPEST))
def test_whoever_is_about_to_win_is_captured_rather_than_whoever_has_come_farthest(iterations: int) -> None:
    # Seat 1 is met at 43 by its only disc, which has come 60 spaces; seat 2 at 54 by its last one, three being Home.
    table = thrown(((41, 52, -1, -1), (60, -1, -1, -1), (71, 71, 71, 20)), 2)
    assert by_thumb(GAME, table, 0) == Move(0, 2)
    assert searched(table, iterations) == Move(1, 2)


@pytest.mark.parametrize("iterations", [3, 4])
@pytest.mark.parametrize(("own", "number", "better"), [((68, 67), 1, 0), ((69, 68), 1, 0), ((68, 65), 2, 1)])
def test_the_last_discs_wait_for_different_numbers(
    own: tuple[int, int], number: int, better: int, iterations: int
) -> None:
    """To the rules of thumb one is as good as the other."""
    table = thrown(((*own, 71, 71), (71, 71, 66, 60)), number)
    rated = GAME.bot.rate(GAME.view(table, 0), [Move(0, number), Move(1, number)])
    assert rated[0] == rated[1]
    assert searched(table, iterations) == Move(better, number)


def test_an_iteration_is_a_throw_further_ahead_up_to_the_deepest() -> None:
    table = thrown(((20, 31, -1, -1), (5, 44, -1, -1), (71, 12, 30, -1)), 3)
    found = [thought(GAME, table, 0, "strong", iterations) for iterations in (0, 1, 2, 3, DEEPEST + 9)]
    assert [one.iterations for one in found] == [1, 1, 2, 3, DEEPEST]
    assert found[0] == found[1]
    assert len({one.weighed for one in found[1:]}) == 4


def test_a_turn_is_found_again_without_the_same_random_numbers() -> None:
    one_die = [(table, seat) for table, seat in positions(GAME, 12) if table.options.dice == 1]
    assert one_die
    for table, seat in one_die:
        found = {at_once(LEVELS["strong"].search(turn_at(GAME, table, seat, 2, seed))) for seed in ("this", "that")}
        assert len(found) == 1


def test_a_long_search_stops_again_and_again() -> None:
    table = thrown(((20, 31, 40, -1), (5, 44, -1, -1), (71, 12, 30, -1)), 3)
    stops = sum(1 for _ in LEVELS["strong"].search(turn_at(GAME, table, 0, 4)))
    assert stops >= 8


def test_a_look_ahead_that_takes_too_long_is_given_up() -> None:
    """What it had found before is played, and found again by the number of iterations."""
    table = thrown(((20, 31, 40, -1), (5, 44, -1, -1), (71, 12, 30, -1)), 3)
    asked = 0

    def over(iterations: int) -> bool:
        nonlocal asked
        asked += iterations == 3
        return asked > 1

    found = at_once(LEVELS["strong"].search(turn_at(GAME, table, 0, 0)._replace(enough=over)))
    assert asked == 2
    assert found == thought(GAME, table, 0, "strong", 3)


def test_with_two_dice_the_general_search_plays() -> None:
    two_dice = [(table, seat) for table, seat in positions(GAME, 12) if table.options.dice == 2]
    assert two_dice
    for table, seat in two_dice:
        turn = turn_at(GAME, table, seat, 2)
        assert thought(GAME, table, seat, "strong", 2) == at_once(rollouts.search(turn))
