"""Looking back in the terminal, and playing a position out: from files and through pipes, as people use them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from api import recorded
from api.terminal.client import Json
from api.terminal.replaying import Recorded, look_back, moved
from api.terminal.screen import Screen
from domain.games import GAMES
from domain.match.story import remarkable

ROOT = pathlib.Path(__file__).parent.parent.parent
LOG = ROOT / "docs" / "example-match.ndjson"
WORDS = "Seat 0 throws 2 and 5: the number is 7."


def parlor(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "api.cli", *words]
    quiet = {**os.environ, "PARLOR_LOG_LEVEL": "warning"}
    return subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, timeout=300, check=False)


def test_through_a_pipe_a_log_is_told_in_sentences() -> None:
    lines = parlor("replay", str(LOG)).stdout.splitlines()
    assert len(lines) == len(LOG.read_text().splitlines())
    assert lines[7].split(maxsplit=1) == ["8", WORDS]


def test_one_version_is_drawn_with_the_eyes_that_are_asked_for() -> None:
    closed, opened = (parlor("replay", str(LOG), "--at", "6", *more).stdout for more in ((), ("--as", "table")))
    assert "version 6 of" in closed and "version 6 of" in opened
    assert len(opened.split()) > len(closed.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("replay", str(LOG), "--at", "99"), "no version 99"),
        (("replay", str(LOG), "--as", "7"), "no seat 7"),
        (("replay", str(ROOT / "README.md")), "no log of a match"),
        (("what-if", str(LOG), "99"), "versions 1 to"),
        (("what-if", str(LOG), "1"), "nothing to go on with"),
        (("what-if", str(LOG), "7", "--levels", "clever"), "'clever' is none of"),
        (("what-if", str(LOG), "7", "--levels", "random,random,random"), "2 seats"),
    ],
)
def test_what_cannot_be_shown_is_told_in_a_sentence(words: tuple[str, ...], told: str) -> None:
    found = parlor(*words)
    assert found.returncode != 0 and told in found.stderr and "Traceback" not in found.stderr


def test_a_log_with_closed_parts_waits_for_the_end(tmp_path: pathlib.Path) -> None:
    events = [json.loads(line) for line in LOG.read_text().splitlines()]
    for event in events:
        event["secret"] = {key: {"commitment": kept["commitment"]} for key, kept in event["secret"].items()}
    path = tmp_path / "closed.ndjson"
    path.write_text("\n".join(map(json.dumps, events)))
    assert "when the match is over" in parlor("replay", str(path)).stderr


def test_a_log_of_later_rules_says_that_it_is_one(tmp_path: pathlib.Path) -> None:
    first, *rest = LOG.read_text().splitlines()
    opened = json.loads(first)
    opened["public"]["rules_version"] = 77
    path = tmp_path / "later.ndjson"
    path.write_text("\n".join([json.dumps(opened), *rest]))
    assert "by rules 77 is of a later release" in parlor("replay", str(path)).stderr


def test_the_next_remarkable_moment_is_found_and_after_the_last_the_end() -> None:
    steps: list[Json] = [{"remarkable": n in (3, 5)} for n in range(8)]
    assert [moved(steps, place, "m") for place in (0, 3, 5)] == [3, 5, 7]
    assert (moved(steps, 7, ""), moved(steps, 0, "b"), moved(steps, 0, "x")) == (7, 0, None)


def test_every_game_has_remarkable_moments_of_its_own() -> None:
    shared = frozenset.intersection(*map(remarkable, GAMES))
    assert {"match_ended", "bot_took_over", "draw_offered"} <= shared
    plain = [game.slug for game in GAMES if remarkable(game) == shared]
    assert set(plain) <= {game.slug for game in GAMES if not game.ends_game and not game.bot.ends}


def test_at_a_terminal_one_walks_to_and_fro(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["", "b", "6", "s 1", "m", "s 9", "q"])
    shown: list[tuple[int, Any]] = []
    found = recorded.from_file(LOG)
    monkeypatch.setattr(Screen, "live", True)
    monkeypatch.setattr(Screen, "ask", lambda self, question: next(typed))
    monkeypatch.setattr(Screen, "redraw", lambda self, *drawn: None)
    monkeypatch.setattr(Screen, "show", lambda self, *drawn: None)
    monkeypatch.setattr(
        "api.terminal.replaying._draw",
        lambda found, screen, steps, place: shown.append((place + 1, steps[place]["view"]["you"])),
    )
    look_back(Recorded(*found), Screen(source=0), None, None)
    last = len(LOG.read_text().splitlines())
    assert shown[:5] == [(1, None), (2, None), (1, None), (6, None), (6, 1)]
    assert shown[5][0] > 6 and shown[6] == shown[5] and shown[5][0] <= last


def test_a_position_is_played_out_the_same_with_the_same_seed() -> None:
    wanted = recorded.position(recorded.kept(LOG), 7, ["random"], 1, "seed")
    first = [recorded.played_out(wanted, number) for number in range(3)]
    assert first == [recorded.played_out(wanted, number) for number in range(3)]
    assert len({one.events for one in first}) > 1
    assert all(sorted(one.places) == [1, 2] and one.reason != "too_long" for one in first)


def test_what_if_shows_how_often_each_seat_wins() -> None:
    told = parlor("what-if", str(LOG), "7", "--times", "4", "--levels", "random", "--seed", "x", "--jobs", "2").stdout
    assert "4 times from version 7" in told and "seat 1, final scores:" in told and "#" in told
