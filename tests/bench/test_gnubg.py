"""Backgammon against GNU Backgammon, where it is installed."""

from __future__ import annotations

import random

import pytest

from bench import gnubg
from bench.gnubg import Score, told
from domain.bots.points import after_throw
from domain.bots.throws import THROWS, WAYS
from domain.games.backgammon.game import SET_UP
from domain.kit.points import OFF, men

installed = pytest.mark.skipif(gnubg.PROGRAM is None, reason=gnubg.MISSING)


@installed
def test_gnu_backgammon_sees_the_positions_as_we_do() -> None:
    rival, rng = gnubg.player(), random.Random(12)
    position = (SET_UP, SET_UP)
    for _ in range(60):
        high, low = rng.choice(THROWS)
        assert rival.agrees(position, (high, low)), (position, high, low)
        ends = [end for end, _ in after_throw(rival.rules, *position, high, low)]
        mine, theirs = rng.choice(sorted(ends))
        position = (SET_UP, SET_UP) if mine[OFF] == 15 else (theirs, mine)


@installed
def test_luck_comes_to_nothing_over_all_throws() -> None:
    rival, position = gnubg.player(), (men(p6=5, p5=4, p13=4, p24=2), SET_UP)
    luck = [rival.luck(position, throw, opening=False) for throw in THROWS]
    assert sum(ways * one for ways, one in zip(WAYS, luck, strict=True)) == pytest.approx(0, abs=1e-9)
    assert max(luck) > 0.2


@installed
def test_a_game_is_played_to_its_end_and_counts_no_more_than_three() -> None:
    score = gnubg.game_score(0, iterations=0)
    assert 1 <= abs(score.points) <= 3
    assert score == gnubg.game_score(0, iterations=0)


def test_what_is_left_without_luck_is_told_beside_the_points() -> None:
    line = told([Score(2, 2.5), Score(-1, -0.5), Score(-1, -0.5), Score(-2, -1.5)], 7)
    assert "strong (7 iterations)" in line
    assert "4 games, 1 won: -0.500 ± 1.697 points a game, with luck taken out -0.500 ± 0.000" in line
