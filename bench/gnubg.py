"""Backgammon against GNU Backgammon at 0-ply: it takes the play after which its own network likes the position best.

Single games for points, a triple game counting three, without the cube; both play as at the beginning of a long match.
GNU Backgammon is asked over a socket (its `external` command) what it foresees at positions; to which positions a throw
can lead is found by our rules. That a board means the same to both is tried before anything is played: GNU Backgammon
names the plays that it would make itself, and they have to be those that are made for it here.

Most of what is won is luck, and luck can be taken out without favour. Before a throw GNU Backgammon's network tells
what the best play of each of the 21 throws is worth to the thrower. The throw that came is worth so much more or less
than all of them on average; over many games these differences come to nothing, whoever throws and however well the
network judges. What is left when they are subtracted is the same on average, with a much smaller spread.
"""

from __future__ import annotations

import math
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import Progress

from bench.openspiel import thought
from domain.bots.backgammon import rules_of
from domain.bots.points import after_throw, ends
from domain.bots.throws import THROWS, WAYS
from domain.game import CHANCE, Dice, Rolled
from domain.games import BY_SLUG
from domain.games.backgammon.game import MOVES, SET_UP, Roll
from domain.games.backgammon.stakes import Accept
from domain.kit.points import BAR, OFF, Men

NAME: Final = "gnubg"
PROGRAM: Final = shutil.which("gnubg") or shutil.which("/usr/games/gnubg")
MISSING: Final = "GNU Backgammon is not installed; Debian has it as `gnubg`"
OPTIONS: Final = {"target": 25, "triple_game": True, "opening": "adopt"}
SETTINGS: Final = (
    "set threads 1",
    "set evaluation chequerplay evaluation plies 0",
    "set evaluation chequerplay evaluation cubeful off",
)
PATIENCE: Final = 20.0  # seconds until it listens
KEPT: Final = 1 << 17  # positions
ALIKE: Final = 1e-5  # points: a difference that is none
SURE: Final = 1.96  # standard errors: 95 %
Position = tuple[Men, Men]  # the thrower's men first


class Score(NamedTuple):
    """What a game brought, in points, and how much of it was luck."""

    points: int
    luck: float


def match(games: int, iterations: int, jobs: int, console: Console) -> str:
    """So many games, seats in turn."""
    if PROGRAM is None:
        return MISSING
    scores: list[Score] = []
    with ProcessPoolExecutor(jobs) as pool, Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("games", total=games)
        for score in pool.map(game_score, range(games), [iterations] * games):
            scores.append(score)
            progress.advance(task)
            if len(scores) % 20 == 0 and not console.is_terminal:
                console.print(told(scores, iterations))
    return told(scores, iterations)


def told(scores: Sequence[Score], iterations: int) -> str:
    raw, fair = ([score.points - share * score.luck for score in scores] for share in (0, 1))
    won = sum(score.points > 0 for score in scores)
    return (
        f"backgammon: strong ({iterations} iterations) against GNU Backgammon (0-ply), {len(scores)} games, {won} won: "
        f"{_mean(raw)} points a game, with luck taken out {_mean(fair)} (95 %)"
    )


def _mean(points: Sequence[float]) -> str:
    mean = sum(points) / len(points)
    spread = sum((x - mean) ** 2 for x in points) / max(1, len(points) - 1)
    return f"{mean:+.3f} ± {SURE * math.sqrt(spread / len(points)):.3f}"


# ── A game ──────────────────────────────────────────────────────────────────────────────────────────────────────


def game_score(number: int, iterations: int) -> Score:
    rival, game, ours = player(), BY_SLUG["backgammon"], number % 2
    dice, rng = random.Random(f"gnubg {number}"), random.Random(f"bot {number}")
    table = game.new_table(OPTIONS, 2)
    luck = 0.0
    while not any(table.score):
        (seat,) = game.to_act(table)
        before = table.turn, table.men
        if seat == CHANCE:
            command: Any = Rolled((dice.randint(1, 6), dice.randint(1, 6)))
        elif seat == ours:
            command = thought(game, table, seat, rng, iterations)
        else:
            command = rival.command(table)
        events = game.decide(table, seat, command)
        if isinstance(events, Dice):
            command = Rolled((dice.randint(1, 6), dice.randint(1, 6)))
            events = game.decide(table, CHANCE, command)
        for event in events:
            table = game.evolve(table, event)
        if isinstance(command, Rolled) and (table.phase == "play" or seat != CHANCE):
            thrower, men = (table.turn, table.men) if seat == CHANCE else before
            gained = rival.luck((men[thrower], men[1 - thrower]), command.dice, opening=seat == CHANCE)
            luck += gained if thrower == ours else -gained
    return Score(table.score[ours] - table.score[1 - ours], luck)


class Player:
    """GNU Backgammon, running beside this process."""

    def __init__(self) -> None:
        if PROGRAM is None:
            raise RuntimeError(MISSING)
        self.rules = rules_of(BY_SLUG["backgammon"].options(**OPTIONS))
        self._known: dict[Position, float] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="gnubg-")
        at = Path(self._folder.name)
        (at / "commands").write_text("\n".join([*SETTINGS, f"external {at / 'socket'}", ""]))
        self._process = subprocess.Popen(
            [PROGRAM, "--tty", "--quiet", "--no-rc", "--commands", str(at / "commands")],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        Finalize(None, self.close, exitpriority=1)  # a process of a pool ends without `atexit`
        self._stream = _connected(at / "socket").makefile("rw", encoding="ascii")

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def command(self, table: Any) -> Any:
        """What it plays at this table."""
        if table.stakes.offer == "concession":
            return Accept()
        if table.phase == "roll":
            return Roll()
        men = table.men[table.turn], table.men[1 - table.turn]
        found = ends(self.rules.choices(False), *men, table.numbers, None).first
        values = self.worth(list(found))
        step = found[max(found, key=lambda end: values[end])]
        assert step is not None
        return MOVES[step]

    def luck(self, men: Position, dice: Sequence[int], *, opening: bool) -> float:
        """How much better this throw is for the thrower than throws are on average. Before the opening throw nobody is
        ahead: it decides who begins as well."""
        throw = max(dice), min(dice)
        wanted = [throw] if opening else THROWS
        after = [[end for end, _ in after_throw(self.rules, *men, *one)] for one in wanted]
        values = self.worth([end for found in after for end in found])
        best = dict(zip(wanted, (max(values[end] for end in found) for found in after), strict=True))
        mean = 0.0 if opening else sum(ways * best[one] for ways, one in zip(WAYS, THROWS, strict=True)) / sum(WAYS)
        return best[throw] - mean

    def worth(self, found: Sequence[Position]) -> dict[Position, float]:
        """What each position after a throw is worth to the thrower, in points."""
        if len(self._known) > KEPT:
            self._known.clear()
        for end in found:
            if end not in self._known:
                mine, theirs = end
                answer = self._asked(f"evaluation fibsboard {fibs(theirs, mine)} plies 0")
                win, double, triple, lose_double, lose_triple, _ = map(float, answer.split())
                self._known[end] = 1 - 2 * win - double - triple + lose_double + lose_triple
        return {end: self._known[end] for end in found}

    def named(self, men: Position, dice: tuple[int, int]) -> Position:
        """The position after the play that it makes by itself."""
        mine, theirs = map(list, men)
        for play in self._asked(fibs(*men, dice)).split():
            start, end = (_place(part) for part in play.rstrip("*").split("/"))
            mine[start] -= 1
            mine[end] += 1
            if end != OFF and theirs[BAR - end] == 1:
                theirs[BAR - end] -= 1
                theirs[BAR] += 1
        return tuple(mine), tuple(theirs)

    def agrees(self, men: Position, dice: tuple[int, int]) -> bool:
        """Whether its own play is one of those that are found here, and the best."""
        values = self.worth([end for end, _ in after_throw(self.rules, *men, max(dice), min(dice))])
        return values.get(self.named(men, dice), -math.inf) > max(values.values()) - ALIKE

    def _asked(self, line: str) -> str:
        """One at a time: what is sent before it has answered is lost."""
        self._stream.write(f"{line}\n")
        self._stream.flush()
        return self._stream.readline()


@cache
def player() -> Player:
    """One for each process."""
    found = Player()
    for dice in THROWS:
        if not found.agrees((SET_UP, SET_UP), dice):
            raise RuntimeError(f"GNU Backgammon plays {dice} otherwise than it was understood")
    return found


def _connected(path: Path) -> socket.socket:
    found = socket.socket(socket.AF_UNIX)
    until = time.monotonic() + PATIENCE
    while True:
        try:
            found.connect(str(path))
            return found
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


def _place(name: str) -> int:
    return BAR if name == "bar" else OFF if name == "off" else int(name)


def fibs(mine: Men, theirs: Men, dice: tuple[int, int] = (0, 0)) -> str:
    """The position in the notation of FIBS: my men are above zero and go down from 24, and I am about to throw or, with
    dice, to play. The game is for money.

    >>> fibs(SET_UP, SET_UP).split(":")[6:32]  # doctest: +NORMALIZE_WHITESPACE
    ['0', '-2', '0', '0', '0', '0', '5', '0', '3', '0', '0', '0', '-5',
     '5', '0', '0', '0', '-3', '0', '-5', '0', '0', '0', '0', '2', '0']
    """
    track = [mine[place] - theirs[BAR - place] for place in range(1, BAR)]
    board = [-theirs[BAR], *track, mine[BAR]]
    cube = [1, 1, 1, 0]  # its value, who may turn it, and whether somebody does
    colours = [1, -1, OFF, BAR]  # mine, the way I go, my home and my bar
    numbers = [*board, 1, *dice, 0, 0, *cube, *colours, mine[OFF], theirs[OFF], mine[BAR], theirs[BAR], 0, 0, 0, 0]
    return ":".join(map(str, ("board:I:it:9999:0:0", *numbers)))
