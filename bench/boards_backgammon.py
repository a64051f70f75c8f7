"""Random games of backgammon a second, ours and OpenSpiel's: `python -m bench.boards_backgammon`.

Ours runs through the contract: every man is a command of its own, judged, decided and folded. OpenSpiel's C++ core is
driven from Python and takes a whole turn as one action. It is measured only where `pyspiel` can be imported.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bench.playout import playout
from domain.games import BY_SLUG

ROUNDS, SECONDS = 3, 2.0


def our_game(rng: random.Random) -> None:
    playout(BY_SLUG["backgammon"], 2, {"target": 1}, rng)


def open_spiels_game() -> Callable[[random.Random], None] | None:
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("backgammon")

    def play(rng: random.Random) -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, odds)[0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(rng.random() * len(actions))])

    return play


def games_per_second(play: Callable[[random.Random], None], rng: random.Random) -> float:
    games, start = 0, time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        play(rng)
        games += 1
    return games / (time.perf_counter() - start)


def backgammon() -> None:
    """The best of a few rounds, taken in turns so that both meet the same machine."""
    rng = random.Random("backgammon")
    theirs = open_spiels_game()
    rounds = [
        (games_per_second(our_game, rng), games_per_second(theirs, rng) if theirs else 0.0) for _ in range(ROUNDS)
    ]
    ours = max(one for one, _ in rounds)
    print(f"parlor     {ours:>8,.1f} games/s")
    if theirs:
        best = max(other for _, other in rounds)
        print(f"open_spiel {best:>8,.1f} games/s\nratio      {ours / best:>8.3f}")


if __name__ == "__main__":
    backgammon()
