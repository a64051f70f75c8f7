"""The arena: what it finds out about levels, and what it keeps of it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from click.testing import CliRunner

from bench import arena, openspiel
from bench.hands import Score, Setting, hand, has_choices, summed
from bench.page import BEGIN, END, tables, with_figures
from domain.bots.levels import LEVELS
from domain.bots.strength import Strength, measured, read, written
from domain.games import BY_SLUG

STEADY = Setting("kid-o", 3, "steady", "random", 0)


def row(level: str = "steady", *, seats: int = 3, hands: int = 400, lead: float = 1.0, **more: int) -> Strength:
    known = {"version": LEVELS[level].version, "against_version": 1, "sides": 3, "iterations": 0} | more
    return Strength(
        level=level,
        against="random",
        seats=seats,
        all_seeing=False,
        hands=hands,
        lead=lead,
        error=0.1,
        won=0.5,
        **known,
    )


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of figures that has one row."""
    file = tmp_path / "strength.json"
    file.write_text(written({"kid-o": [row(lead=7.0)]}))
    monkeypatch.setattr(arena, "KEPT", file)
    monkeypatch.setattr(arena, "PAGE", tmp_path / "bots.md")
    arena.PAGE.write_text(f"before\n{BEGIN}old figures\n{END}after\n")
    return file


def run(*arguments: str) -> str:
    result = CliRunner().invoke(arena.main, [*arguments, "--jobs", "1"])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_hand_with_the_same_number_is_the_same_hand() -> None:
    assert [hand(STEADY, n) for n in range(3)] == [hand(STEADY, n) for n in range(3)]


def test_rules_of_thumb_beat_none_at_all() -> None:
    found = summed(STEADY, [hand(STEADY, n) for n in range(60)])
    assert (found.level, found.against, found.hands, found.sides) == ("steady", "random", 60, 3)
    assert arena.verdict(found) == "better"
    assert found.won > 1 / found.sides


def test_levels_that_are_the_same_lead_by_nothing() -> None:
    alike = STEADY._replace(others="steady")
    assert all(score.lead == score.luck for score in (hand(alike, n) for n in range(5)))


def test_where_nobody_has_a_choice_there_is_nothing_to_measure() -> None:
    games = [BY_SLUG[slug] for slug in ("nix", "check-and-double-check", "kid-o")]
    assert [has_choices(game.slug, 4) for game in games] == [False, False, True]
    assert {setting.slug for setting in arena.settings(games, 24, all_seeing=False)} == {"kid-o"}


def test_any_size_of_table_can_be_asked_for_and_one_that_is_none_is_refused() -> None:
    assert {one.seats for one in arena.settings([BY_SLUG["goat"]], 24, all_seeing=False, size=8)} == {8}
    refused = CliRunner().invoke(arena.main, ["--game", "goat", "--seats", "14"])
    assert refused.exit_code == 2
    assert "no such table" in refused.output


def test_luck_is_taken_out_of_the_lead() -> None:
    lucky = [Score(lead=1.0 + luck, won=1.0, luck=luck) for luck in (-3.0, -1.0, 1.0, 3.0)]
    found = summed(STEADY, lucky)
    assert (found.lead, found.error) == (1.0, 0.0)


def test_a_lead_is_called_better_only_beyond_chance() -> None:
    assert arena.verdict(row(lead=0.26)) == "better"
    assert arena.verdict(row(lead=0.25)) == "open"
    assert arena.verdict(row(lead=-0.26)) == "worse"


def test_a_row_that_was_measured_takes_the_place_of_the_one_about_the_same(kept: Path) -> None:
    run("--game", "kid-o", "--seats", "5", "--pair", "steady-random", "--hands", "4", "--write")
    rows = read(kept.read_text())["kid-o"]
    assert [one.seats for one in rows] == [3, 5]
    assert rows[0] == row(lead=7.0), "the row about another table stays"
    run("--game", "kid-o", "--seats", "3", "--pair", "steady-random", "--hands", "5", "--write", "--again")
    assert [(one.seats, one.hands) for one in read(kept.read_text())["kid-o"]] == [(3, 5), (5, 4)]


def test_what_was_found_so_far_is_kept_unless_more_is_known(kept: Path) -> None:
    arena.keep("kid-o", row(hands=80), so_far=True)
    assert read(kept.read_text()) == {"kid-o": [row(lead=7.0)]}
    arena.keep("kid-o", row("strong", hands=80), so_far=True)
    arena.keep("kid-o", row("strong", hands=160), so_far=True)
    assert [(one.level, one.hands) for one in read(kept.read_text())["kid-o"]] == [("steady", 400), ("strong", 160)]
    assert arena.kept(Setting("kid-o", 3, "strong", "random", 0), 400) is None, "it is not what was asked for"


def test_what_is_kept_is_not_measured_again(kept: Path) -> None:
    told = run("--game", "kid-o", "--seats", "3", "--pair", "steady-random", "--hands", "5", "--write")
    assert "1 rows are kept already, 0 are to be measured" in told
    assert read(kept.read_text()) == {"kid-o": [row(lead=7.0)]}


@pytest.mark.parametrize(
    "old",
    [row(hands=4), row(version=LEVELS["steady"].version - 1), row(against_version=0)],
    ids=["too few hands", "another version of the level", "another version of the others"],
)
def test_what_was_measured_otherwise_is_measured_again(kept: Path, old: Strength) -> None:
    kept.write_text(written({"kid-o": [old]}))
    run("--game", "kid-o", "--seats", "3", "--pair", "steady-random", "--hands", "5", "--write")
    (found,) = read(kept.read_text())["kid-o"]
    assert (found.hands, found.version, found.against_version) == (5, LEVELS["steady"].version, 1)


def test_a_search_with_fewer_iterations_is_measured_again(kept: Path) -> None:
    setting = Setting("kid-o", 3, "strong", "random", 24)
    for iterations, known in ((16, False), (24, True)):
        kept.write_text(written({"kid-o": [row("strong", iterations=iterations)]}))
        assert (arena.kept(setting, 400) is not None) == known


def test_without_write_nothing_is_kept(kept: Path) -> None:
    run("--game", "kid-o", "--seats", "5", "--pair", "steady-random", "--hands", "4")
    assert read(kept.read_text()) == {"kid-o": [row(lead=7.0)]}


def test_the_page_about_bots_has_the_figures_of_the_file() -> None:
    page = arena.PAGE.read_text(encoding="utf-8")
    assert with_figures(page, measured()) == page, "it is written by `python -m bench.arena --write`"


def test_figures_are_written_to_the_page_with_the_file(kept: Path) -> None:
    arena.keep("kid-o", row("strong", lead=2.0, hands=100))
    page = arena.PAGE.read_text(encoding="utf-8")
    assert page.startswith(f"before\n{BEGIN}") and page.endswith(f"{END}after\n") and "old figures" not in page
    assert "| Kid-O | 3 | `strong` | `random` | 100 | 0 | +2.00 ± 0.26 | 50% (38 to 62) | 33% |" in page


def test_figures_of_a_search_that_sees_all_tell_the_share_of_each_level() -> None:
    seeing = row("strong", lead=4.0)._replace(all_seeing=True)
    told = tables({"kid-o": [seeing, row(lead=1.0), row("strong", lead=2.0), row(seats=5, lead=3.0)]})
    assert "| Kid-O | 3 | 400 | +4.00 ± 0.26 | 25% | 50% |\n" in told


def test_the_figures_of_the_release_are_about_games_and_levels_that_it_has() -> None:
    for slug, rows in measured().items():
        for one in rows:
            assert one.seats in BY_SLUG[slug].usual_seats
            assert {one.level, one.against} <= set(LEVELS)
            assert 0 <= one.won <= 1
            assert one.error >= 0
            assert one.hands > 0


@pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="open_spiel is not installed")
def test_checkers_is_played_to_the_end_against_another_program() -> None:
    assert openspiel.game_points(0, iterations=1) in (0.0, 0.5, 1.0)
