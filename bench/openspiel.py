"""Checkers against OpenSpiel's Monte Carlo tree search, by the rules that both know: jumps are compulsory."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from typing import Any, Final

from api.simulating import interval
from bench.boards import LIKE_OPEN_SPIEL
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once
from domain.bots.turn import Turn
from domain.game import Game
from domain.games import BY_SLUG

NAME: Final = "openspiel-mcts"
SIMULATIONS: Final = 1000
EXPLORATION: Final = 1.414  # what its own example plays Checkers with
MEGABYTES: Final = 256


def match(games: int, iterations: int, jobs: int) -> str:
    """So many games, colors in turn. A draw is half a point."""
    with ProcessPoolExecutor(jobs) as pool:
        points = list(pool.map(game_points, range(games), [iterations] * games))
    won, drawn, lost = (points.count(result) for result in (1.0, 0.5, 0.0))
    low, high = interval(sum(points), games)
    return (
        f"checkers: strong ({iterations} iterations) against OpenSpiel's MCTS ({SIMULATIONS} simulations), "
        f"{games} games: {won} won, {drawn} drawn, {lost} lost: {sum(points) / games:.0%} of the points "
        f"(95 %: {low:.0%} to {high:.0%})"
    )


def game_points(number: int, iterations: int) -> float:
    import pyspiel

    theirs = pyspiel.load_game("checkers")
    evaluator = pyspiel.RandomRolloutEvaluator(1, number)
    rival = pyspiel.MCTSBot(theirs, evaluator, EXPLORATION, SIMULATIONS, MEGABYTES, True, number, False)
    ours = number % 2
    game = BY_SLUG["checkers"]
    table, state = game.new_table(LIKE_OPEN_SPIEL, 2), theirs.new_initial_state()
    rng = random.Random(f"openspiel {number}")
    while game.outcome(table) is None and not state.is_terminal():
        seat = table.turn
        if seat == ours:
            command = thought(game, table, seat, rng, iterations)
            for action in _actions(command, state):
                state.apply_action(action)
        else:
            path = []
            while not state.is_terminal() and state.current_player() == seat:
                action = rival.step(state)
                path.append(state.action_to_string(action))
                state.apply_action(action)
            command = _command(game, table, seat, path)
        for event in game.decide(table, seat, command):
            table = game.evolve(table, event)
    outcome = game.outcome(table)
    if outcome is not None:
        return {(1, 2): 1.0, (2, 1): 0.0}.get((outcome.places[ours], outcome.places[1 - ours]), 0.5)
    return float((state.player_return(ours) + 1) / 2)


def thought(game: Game[Any], table: Any, seat: int, rng: random.Random, iterations: int) -> Any:
    """What `strong` does at a table where everything lies open."""
    commands = [command for command in game.legal(table, seat) if not isinstance(command, game.asides)]
    turn = Turn(
        game,
        seat,
        game.view(table, seat),
        commands,
        lambda below: table,
        rng.randrange,
        lambda done: done >= iterations,
    )
    return at_once(LEVELS["strong"].search(turn)).command


def cell(square: int) -> str:
    """Where a square of ours lies on their board: Dark's first row is row 1, and square 1 its right-hand corner.

    >>> cell(1), cell(4), cell(9), cell(32)
    ('g1', 'a1', 'g3', 'b8')
    """
    row, place = divmod(square - 1, 4)
    return f"{'gecahfdb'[4 * (row % 2) + place]}{row + 1}"


def _actions(command: Any, state: Any) -> Iterator[int]:
    for start, end in pairwise(map(cell, (command.from_, *command.path))):
        yield next(action for action in state.legal_actions() if state.action_to_string(action)[:4] == start + end)


def _command(game: Game[Any], table: Any, seat: int, path: list[str]) -> Any:
    cells = [path[0][:2], *(step[2:4] for step in path)]
    return next(
        command
        for command in game.legal(table, seat)
        if [cell(square) for square in (command.from_, *command.path)] == cells
    )
