"""How Four Nines is learned: a lesson in small."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from domain.bots.four_nines_throws import EMPTY, PLACES
from domain.bots.four_nines_worth import ONE, unfolded
from domain.games.four_nines.cross import CROSSES
from domain.games.four_nines.cross import PLACES as SEATED
from train import four_nines
from train.four_nines import Lesson, Pupil, fresh, looked_back, played, written

ON = CROSSES["cross68"]


def lesson(seats: int, games: int = 2) -> Lesson:
    rng = np.random.default_rng(7)
    return played(ON, unfolded(written(fresh(rng))), seats, games, rng)


@pytest.mark.parametrize("seats", SEATED)
def test_a_position_is_worth_something_to_those_who_sit_there_alone(seats: int) -> None:
    positions, wanted = lesson(seats)
    there = positions[:, :, 0] != EMPTY
    assert len(positions) > 50
    assert (there.sum(axis=1) == seats).all()
    assert there[:, 0].all()
    assert (wanted[~there] == 0).all()
    assert np.allclose(wanted.sum(axis=1), 1, atol=0.001)


def test_what_came_of_a_position_is_told_from_the_place_that_throws() -> None:
    """One game of two throws, which place 2 wins; before the last throw its chance was said to be a half."""
    first, last = np.zeros((1, PLACES, 4), np.int16), np.ones((1, PLACES, 4), np.int16)
    said = np.array([[0.5, 0, 0.5, 0]])
    steps = [(first, said, np.array([0]), np.array([0])), (last, said, np.array([2]), np.array([0]))]
    end = np.array([[False, False, True, False]])
    found = looked_back(steps, end, always())
    assert found.positions[:, 0, 0].tolist() == [1, 0]
    half = (1 - four_nines.TRUST) / 2
    assert np.allclose(found.wanted, np.array([[1, 0, 0, 0], [half, 0, 1 - half, 0]]))


def always() -> np.random.Generator:
    """A generator whose first numbers let every position be taken."""
    for seed in range(1000):
        if (np.random.default_rng(seed).random(2) < four_nines.TAKEN).all():
            return np.random.default_rng(seed)
    raise AssertionError


def test_a_lesson_surprises_less_each_time() -> None:
    """That it is always the thrower who wins is soon learned."""
    rng = np.random.default_rng(1)
    positions = lesson(2).positions
    one = Lesson(positions, np.tile([1.0, 0, 0, 0], (len(positions), 1)))
    pupil = Pupil(fresh(rng))
    surprises = [pupil.learn(ON, one, 0.01, rng) for _ in range(8)]
    assert surprises == sorted(surprises, reverse=True)
    assert surprises[-1] < surprises[0] - 0.2


def test_what_is_stored_says_the_same_as_what_was_learned() -> None:
    rng = np.random.default_rng(1)
    weights = fresh(rng)
    positions = lesson(3).positions[:200]
    stored = unfolded(written(weights)).judge(ON, positions) / ONE
    assert np.abs(stored - four_nines.foreseen(ON, weights, positions).found).max() < 0.001


def test_the_same_seed_leads_to_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(four_nines, "GAMES", 2)
    monkeypatch.setattr(four_nines, "SEATED", {2: SEATED[2]})
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        result = CliRunner().invoke(four_nines.main, ["--rounds", "1", "--file", str(file)])
        assert result.exit_code == 0, result.output
    assert files[0].read_bytes() == files[1].read_bytes()
