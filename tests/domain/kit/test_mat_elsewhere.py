"""Matches of backgammon as GNU Backgammon reads them: every game must have the winner and the points it had here."""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import subprocess
from typing import Any, Final, NamedTuple

import pytest

from domain import match
from domain.games.backgammon import GAME
from domain.games.backgammon.mat import whole_match
from domain.games.backgammon.stakes import Concede, Double, Drop
from domain.wire import write_event
from tests.domain import playing

GNUBG: Final = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
pytestmark = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed: nobody else reads the files")

SEED: Final = bytes(32)
NAMES: Final = (("Ann", "Bob"), ("A" * 40, "B: 3  :"), ("Zoë", "two words"), ("Bot 0 (steady)", "-"))
TABLES: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"target": 1},
    {"cube": True},
    {"cube": True, "target": 11},
    {"cube": True, "target": 9, "touch_move": True},
    {"games": 3},
    {"games": 3, "cube": True},
    {"triple_game": True},
    {"triple_game": True, "cube": True, "target": 15, "crawford": False},
    {"higher_die": False, "opening": "adopt"},
)
ROUNDS: Final = 6  # matches at each table

READ: Final = """
import gnubg, json, sys
gnubg.command("set confirm new off")
gnubg.command("set confirm save off")
found = []
for path in {paths}:
    gnubg.command('import mat "' + path + '"')
    read = gnubg.match(analysis=0, boards=0, statistics=0, verbose=0)
    games = [game["info"] for game in read["games"]]
    found.append([
        read["match-info"]["match-length"],
        [[[info["score-X"], info["score-O"]], "XO".index(info["winner"]) if info["winner"] else None, info["points-won"]]
         for info in games],
    ])
open({out}, "w").write(json.dumps(found))
"""


class Played(NamedTuple):
    text: str
    target: int
    games: list[
        list[Any]
    ]  # the score before each, who won it, and for how much; of a match that was given up not the last
    given_up_to: int | None  # the winner of a match that was resigned


def played(options: dict[str, Any], number: int) -> Played:
    """A match of random plays. In each third of them somebody gives up, and games are conceded more often than usual."""
    rng = random.Random(f"{options} {number}")
    seats = (match.Place("human", "a", None, ""), match.Place("human", "b", None, ""))
    step = match.open_match(GAME, "m-1", host="a", seats=seats, options=options, seed=SEED)
    events, now = [*step.happened], step.match
    step = match.start(now, "a", rng.randbytes(32))
    patience = rng.randrange(60, 400) if number % 3 == 2 else None
    while True:
        events += step.happened
        now = step.match
        if now.status == "over":
            break
        if patience is not None and len(events) > patience:
            step = match.resign(now, rng.randrange(2), SEED)
            continue
        seat, command = playing.choose(GAME, now.table, rng)
        legal = GAME.legal(now.table, seat)
        rare = [one for one in legal if isinstance(one, Concede | Double)]
        if rare and rng.random() < 0.01:
            command = rng.choice(rare)
        elif isinstance(command, Drop | Double) and rng.random() < 0.5:
            command = next(one for one in legal if type(one) is not type(command))
        step = match.play(now, seat, command, rng.randbytes(32))
    logged = [write_event(one.event)[:2] for one in events]
    score, games = [0, 0], []
    for kind, event in logged:
        if kind == "game_won":
            games.append([score, event["seat"], event["points"]])
            score = list(event["totals"])
    assert now.ended is not None
    winner = now.ended.places.index(1) if now.ended.reason == "resigned" else None
    return Played(
        whole_match(logged, NAMES[number % len(NAMES)]),
        0 if options.get("games") else options.get("target", 5),
        games,
        winner,
    )


def read_elsewhere(texts: list[str], folder: pathlib.Path) -> list[Any]:
    paths = []
    for n, text in enumerate(texts):
        path = folder / f"{n}.mat"
        path.write_text(text)
        paths.append(str(path))
    script, out = folder / "read.py", folder / "read.json"
    script.write_text(READ.format(paths=paths, out=repr(str(out))))
    assert GNUBG is not None
    done = subprocess.run(
        [GNUBG, "-t", "-q", "-p", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd=folder,
        env={"HOME": str(folder), "LANG": "C.UTF-8"},
        timeout=300,
        check=False,
    )
    assert out.exists(), done.stdout[-2000:] + done.stderr[-2000:]
    found: list[Any] = json.loads(out.read_text())
    return found


def test_every_game_has_its_winner_and_its_points_elsewhere(tmp_path: pathlib.Path) -> None:
    """BG-28, BG-32, BG-36, BG-37, BG-R7: single, double and triple games, the cube, drops, concessions, resignations."""
    matches = [(options, played(options, number)) for options in TABLES for number in range(ROUNDS)]
    read = read_elsewhere([one.text for _, one in matches], tmp_path)
    for (options, ours), (target, games) in zip(matches, read, strict=True):
        told = f"{options}\n{ours.text}\nread as {games}, played {ours.games}"
        assert target == ours.target, told
        assert games[: len(ours.games)] == ours.games, told
        last = games[len(ours.games) :]
        if ours.given_up_to is None:
            assert last == [], told
        else:
            assert [winner for _, winner, _ in last] == [ours.given_up_to], told
    everything = [game for _, one in matches for game in one.games]
    assert {points for _, _, points in everything} >= {1, 2, 3, 4}
    assert any(one.given_up_to is not None for _, one in matches)


def test_a_game_that_was_counted_otherwise_would_be_noticed(tmp_path: pathlib.Path) -> None:
    ours = played({}, 0)
    changed = ours.text.replace("Wins 1 point\n", "Wins 2 points\n").replace("Wins 2 points\n", "Wins 1 point\n", 1)
    assert changed != ours.text
    ((_, games),) = read_elsewhere([changed], tmp_path)
    assert games != ours.games
