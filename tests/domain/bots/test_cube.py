"""What points are worth in a match, and the judgement of the cube."""

from __future__ import annotations

from typing import Any

import pytest

from domain.bots.cube import Chances, Terms, doubles, match_sight, match_worth, series_worth, take_point, takes, worth
from domain.bots.network import ONE

LONG = Terms(25, 0, True, True, False)
WITHOUT_CUBE = Terms(25, 0, False, True, False)


def chances(win: int, double_games: int = 0) -> Chances:
    """In parts of a hundred: of winning, and of the games won by either side those that are double."""
    won, lost = ONE * win // 100, ONE * (100 - win) // 100
    return Chances(won, won * double_games // 100, 0, lost * double_games // 100, 0)


def chance(terms: Terms, mine: int, theirs: int, crawford_over: bool = False) -> int:
    """To win the match, in parts of a hundred."""
    return 50 + 50 * match_worth(terms, mine, theirs, crawford_over) // ONE


def test_a_match_is_even_at_even_scores_and_mirrored_at_others() -> None:
    for mine in range(1, 12):
        assert match_worth(LONG, mine, mine, False) == 0
        for theirs in range(1, 12):
            assert match_worth(LONG, mine, theirs, False) == -match_worth(LONG, theirs, mine, False)


@pytest.mark.parametrize("terms", [LONG, WITHOUT_CUBE], ids=["cube", "no cube"])
def test_every_point_helps_to_win_the_match(terms: Terms) -> None:
    for mine in range(1, 20):
        for theirs in range(1, 20):
            assert match_worth(terms, mine, theirs, False) <= match_worth(terms, mine, theirs + 1, False)


def test_a_point_from_the_match_against_two_is_counted_right() -> None:
    # The other side wins half of the games, 27 of 100 of them double: 13.5 + half of 36.5.
    assert chance(LONG, 1, 2) == chance(WITHOUT_CUBE, 1, 2) == 68


def test_the_free_double_after_crawford_costs_the_side_ahead() -> None:
    assert chance(LONG, 1, 2, crawford_over=True) < 60 < chance(LONG, 1, 2)


def test_far_from_the_end_one_takes_with_a_fifth_of_the_chances_and_more_where_double_games_threaten() -> None:
    sight = match_sight(LONG, 25, 25, False, False)
    assert ONE * 19 // 100 < take_point(sight, chances(50), 1) < ONE * 22 // 100
    assert take_point(sight, chances(50, 30), 1) > ONE * 24 // 100


@pytest.mark.parametrize(
    ("win", "double", "take"), [(50, False, True), (72, True, True), (90, True, False)], ids=["even", "good", "won"]
)
def test_a_double_is_offered_in_time_and_dropped_in_time(win: int, double: bool, take: bool) -> None:
    sight = match_sight(LONG, 25, 25, False, False)
    assert doubles(sight, chances(win, 15), 1, owned=False) is double
    assert takes(sight, chances(100 - win, 15), 1) is take


def test_a_game_that_promises_more_than_its_single_value_is_played_on() -> None:
    sight = match_sight(LONG, 25, 25, False, False)
    assert not doubles(sight, chances(98, 60), 1, owned=False)


def test_who_owns_the_cube_is_better_off_than_who_does_not() -> None:
    sight = match_sight(LONG, 15, 15, False, False)
    for win in range(20, 81, 10):
        values: list[Any] = [
            worth(sight, chances(win), 2, *has) for has in ((True, False), (True, True), (False, True))
        ]
        assert values[0] > values[2]
        assert values[0] >= values[1] >= values[2]


def test_in_the_crawford_game_the_cube_is_dead() -> None:
    sight = match_sight(LONG, 1, 4, True, False)
    assert not sight.may_double(0, 1)
    assert not sight.may_double(1, 1)
    assert worth(sight, chances(60), 1, True, True) == worth(sight, chances(60), 1, False, False)


def test_in_the_last_game_of_a_series_only_the_lead_counts() -> None:
    assert series_worth(1, 0) == series_worth(9, 0) == ONE
    assert series_worth(0, 0) == 0
    assert 0 < series_worth(1, 3) < series_worth(1, 1)
