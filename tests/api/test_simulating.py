"""`parlor simulate`: levels by seat, the same matches again, and what is written about them."""

from __future__ import annotations

import csv
import pathlib

import pytest
from click.testing import CliRunner, Result

from api.cli import parlor
from api.simulating import Asked, Played, interval, one_match, standing


def simulate(*arguments: str) -> Result:
    return CliRunner().invoke(parlor, ["simulate", "quenette", "--option", "hands=1", *arguments])


def rows(file: pathlib.Path) -> list[dict[str, str]]:
    with file.open(newline="") as source:
        return list(csv.DictReader(source))


def test_the_same_seed_plays_the_same_matches_on_however_many_cores(tmp_path: pathlib.Path) -> None:
    files = [tmp_path / name for name in ("one.csv", "two.csv", "other.csv")]
    for file, seed, jobs in zip(files, ("a", "a", "b"), ("1", "2", "1"), strict=True):
        done = simulate("--matches", "20", "--seed", seed, "--jobs", jobs, "--csv", str(file))
        assert done.exit_code == 0, done.output
    one, two, other = map(rows, files)
    assert one == two and one != other
    assert [row["match"] for row in one] == [str(n) for n in range(20) for _ in range(2)]


def test_levels_sit_where_they_were_put(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "out.csv"
    given = ("--seats", "3", "--level", "steady", "--seat", "1=random", "--seat", "2=strong", "--iterations", "1")
    done = simulate("--matches", "2", *given, "--jobs", "1", "--csv", str(file))
    assert done.exit_code == 0, done.output
    assert [row["level"] for row in rows(file)] == ["steady", "random", "strong"] * 2


def test_iterations_reach_the_search() -> None:
    few, many = (Asked("checkers", ("strong", "random"), {}, n, "a") for n in (1, 4))
    assert one_match(few, 0) == one_match(few, 0) != one_match(many, 0)


@pytest.mark.parametrize("wrong", ["2=random", "-1=random", "0", "0=best", "x=random", "0="])
def test_a_seat_or_level_that_there_is_not_is_told(wrong: str) -> None:
    done = simulate("--seat", wrong)
    assert done.exit_code == 2 and "SEAT=LEVEL" in done.output


def test_a_file_that_cannot_be_written_is_told_before_anything_is_played(tmp_path: pathlib.Path) -> None:
    done = simulate("--csv", str(tmp_path / "nowhere" / "out.csv"))
    assert done.exit_code == 1 and "there is no folder" in done.output


def test_what_a_seat_has_won_is_told_with_its_doubt() -> None:
    matches = [Played(n, (1, 2) if n < 3 else (2, 1), (n, 10), "", 5) for n in range(4)]
    first = standing(0, matches)
    assert first.won == 3 and first.mean == 1.5 and first.share == interval(3, 4)
    assert first.error == pytest.approx(1.96 * (5 / 3 / 4) ** 0.5)
    assert standing(1, matches).error == 0
    low, high = interval(50, 100)
    assert low == pytest.approx(0.4038, abs=1e-4) and high == pytest.approx(0.5962, abs=1e-4)
