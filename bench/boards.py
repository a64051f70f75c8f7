"""Board games against other engines in the same run: pydraughts, and OpenSpiel's C++ core driven from Python."""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from typing import Any

from bench.figures import Figure, Tell, in_turns, ratio, skipped
from bench.playout import playout
from domain.game import Game
from domain.games import BY_SLUG
from domain.games.checkers import draughts

PERFT_DEPTH = 6
DEEP = {7: 179_740, 8: 845_931}  # known counts, too slow for the tests
GOAL_GENERATOR, GOAL_CONTRACT, GOAL_OPEN_SPIEL = 100, 20, 0.1
MODERN = {"capture_rule": "mandatory", "games": 1, "draw_repetition": 0}
LIKE_OPEN_SPIEL = {**MODERN, "draw_no_progress": 40}
OURS: dict[str, dict[str, Any]] = {"checkers": LIKE_OPEN_SPIEL, "backgammon": {"target": 1}}


def figures(tell: Tell, seconds: float, rounds: int) -> list[Figure]:
    found = perft_figures(tell)
    for slug, options in OURS.items():
        name = f"random games/s of {slug} against OpenSpiel"
        if importlib.util.find_spec("pyspiel") is None:
            found.append(skipped(name, GOAL_OPEN_SPIEL, "at least", "open_spiel is not installed"))
            continue
        tell(f"random games of {slug} against OpenSpiel: {rounds} rounds of {seconds:g} s for each of the two")
        rng = random.Random(slug)
        ours, theirs = random_games(BY_SLUG[slug], options, rng), open_spiel_games(slug, rng)
        measured = in_turns(lambda: per_second(ours, seconds), lambda: per_second(theirs, seconds), rounds)  # noqa: B023
        found.append(ratio(name, measured, ("through the contract", "OpenSpiel"), "games/s", GOAL_OPEN_SPIEL))
    return found


def per_second(work: Callable[[], Any], seconds: float) -> float:
    """In CPU seconds of this process: both sides run on one core."""
    done, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        work()
        done += 1
    return done / (time.process_time() - start)


def random_games(game: Game[Any], options: dict[str, Any], rng: random.Random) -> Callable[[], Any]:
    return lambda: playout(game, 2, options, rng)


def open_spiel_games(name: str, rng: random.Random) -> Callable[[], Any]:
    """Random games of OpenSpiel. It plays each jump of a long one, but a whole turn of backgammon, as one action."""
    import pyspiel

    game = pyspiel.load_game(name)

    def one() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])

    return one


# ── Perft ───────────────────────────────────────────────────────────────────────────────────────────────────────


def perft_figures(tell: Tell) -> list[Figure]:
    """Lines a second, counting the last ply without playing it, here and in pydraughts alike."""
    names = [
        f"checkers perft {PERFT_DEPTH} {how} against pydraughts" for how in ("by the generator", "by the contract")
    ]
    goals = (GOAL_GENERATOR, GOAL_CONTRACT)
    for depth, lines in DEEP.items():
        tell(f"checkers perft {depth}")
        assert draughts.perft(draughts.START, draughts.DARK, depth) == lines, f"perft {depth} is wrong"
    if importlib.util.find_spec("draughts") is None:
        return [
            skipped(name, goal, "at least", "pydraughts is not installed")
            for name, goal in zip(names, goals, strict=True)
        ]
    game = BY_SLUG["checkers"]
    tell(f"checkers perft {PERFT_DEPTH} by the generator, by the contract and by pydraughts")
    ours = (
        lambda: draughts.perft(draughts.START, draughts.DARK, PERFT_DEPTH),
        lambda: perft_by_contract(game, game.open_table(MODERN, 2), PERFT_DEPTH),
    )
    theirs = lines_per_second(lambda: perft_by_pydraughts(PERFT_DEPTH))
    found = []
    for name, goal, work in zip(names, goals, ours, strict=True):
        # pydraughts takes minutes where we take seconds, so it is asked once.
        measured = in_turns(lambda: lines_per_second(work), lambda: theirs, 1)  # noqa: B023
        found.append(ratio(name, measured, ("ours", "pydraughts"), "lines/s", goal))
    return found


def lines_per_second(work: Callable[[], int]) -> float:
    start = time.process_time()
    lines = work()
    return lines / max(time.process_time() - start, 1e-9)


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
