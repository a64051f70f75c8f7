"""Board games against other engines in the same run: `python -m bench.boards [checkers ...] [--depth N]`.

What cannot be imported is left out. Times are CPU seconds of this process, so that a busy machine spoils no ratio.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.playout import playout
from domain.game import Game
from domain.games import BY_SLUG
from domain.kit import draughts

SECONDS = 3.0  # for everything that is counted per second


class Rate(NamedTuple):
    """So many things done in so many CPU seconds."""

    done: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.done / self.seconds


def timed(work: Callable[[], int]) -> Rate:
    start = time.process_time()
    done = work()
    return Rate(done, max(time.process_time() - start, 1e-9))


def repeated(work: Callable[[], Any]) -> Rate:
    """How often this can be done in a few seconds, after a first time to warm up."""
    work()
    done, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        work()
        done += 1
    return Rate(done, time.process_time() - start)


def report(what: str, rate: Rate, unit: str, other: Rate | None = None, other_name: str = "") -> None:
    against = f"   {rate.per_second / other.per_second:8.2f} x {other_name}" if other else ""
    print(f"  {what:44} {rate.per_second:>14,.0f} {unit}{against}")


# ── Checkers ────────────────────────────────────────────────────────────────────────────────────────────────────

MODERN = {"capture_rule": "mandatory", "games": 1, "draw_repetition": 0}
LIKE_OPEN_SPIEL = {**MODERN, "draw_no_progress": 40}


def checkers(depth: int) -> None:
    """Perft counts the last ply without playing it, here and in pydraughts alike."""
    game = BY_SLUG["checkers"]
    generator = timed(lambda: draughts.perft(draughts.START, draughts.DARK, depth))
    contract = timed(lambda: perft_by_contract(game, game.open_table(MODERN, 2), depth))
    theirs = timed(lambda: perft_by_pydraughts(depth)) if can_import("draughts") else None
    for other in (contract, theirs):
        assert other is None or other.done == generator.done, "the engines disagree about the number of lines"
    report(f"perft {depth} by the generator", generator, "lines/s", theirs, "pydraughts")
    report(f"perft {depth} by legal, decide, evolve", contract, "lines/s", theirs, "pydraughts")
    if theirs:
        report(f"perft {depth} by pydraughts", theirs, "lines/s")
    rng = random.Random("checkers")
    spiel = open_spiel_playouts("checkers", rng) if can_import("pyspiel") else None
    modern = repeated(lambda: playout(game, 2, LIKE_OPEN_SPIEL, rng))
    report("random games, jumps compulsory", modern, "games/s", spiel, "OpenSpiel")
    report("random games with the huff", repeated(lambda: playout(game, 2, {"games": 1}, rng)), "games/s")
    if spiel:
        report("random games by OpenSpiel (C++ from Python)", spiel, "games/s")


def perft_by_contract(game: Game[Any], table: Any, depth: int) -> int:
    """The same tree as any client walks it: the legal list, and each command decided and folded."""
    (seat,) = game.to_act(table)
    commands = game.legal(table, seat)
    if depth == 1:
        return len(commands)
    lines = 0
    for command in commands:
        after = table
        for event in game.decide(table, seat, command):
            after = game.evolve(after, event)
        if game.outcome(after) is None:
            lines += perft_by_contract(game, after, depth - 1)
    return lines


def perft_by_pydraughts(depth: int) -> int:
    import draughts as pydraughts

    board = pydraughts.Board(variant="english", fen="startpos")

    def lines(depth: int) -> int:
        moves = list(board.legal_moves())
        if depth == 1:
            return len(moves)
        found = 0
        for move in moves:
            board.push(move)
            found += lines(depth - 1)
            board.pop()
        return found

    return lines(depth)


# ── Engines that may be there ───────────────────────────────────────────────────────────────────────────────────


def can_import(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        print(f"  ({name} is not installed: no comparison with it)")
        return False
    return True


def open_spiel_playouts(name: str, rng: random.Random) -> Rate:
    """Random games of OpenSpiel, which plays each jump of a long one as an action of its own."""
    import pyspiel

    game = pyspiel.load_game(name)

    def one() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            state.apply_action(actions[int(rng.random() * len(actions))])

    return repeated(one)


BENCHES: dict[str, Callable[[int], None]] = {"checkers": checkers}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*BENCHES, []], default=[])
    parser.add_argument("--depth", type=int, default=6, help="plies of perft")
    given = parser.parse_args()
    for slug in given.games or BENCHES:
        print(slug)
        BENCHES[slug](given.depth)
