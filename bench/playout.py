"""Random playouts through the contract, domain only: `python -m bench.playout [SLUG ...]`.

A step is one turn of the loop that every search bot runs: who is to act, the legal list, a choice, decide, evolve.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from domain.game import CHANCE, Answer, Dice, Game, Lot, Pick, Picked, Rolled, Shuffle, Shuffled, Template
from domain.games import BY_SLUG


def answer(rng: random.Random, wanted: Lot) -> Answer:
    match wanted:
        case Shuffle(cards):
            return Shuffled(tuple(rng.sample(cards, len(cards))))
        case Dice(dice, faces):
            return Rolled(tuple([int(rng.random() * faces) + 1 for _ in range(dice)]))
        case Pick(of):
            return Picked(rng.randrange(of))


def playout(game: Game[Any], seats: int, options: dict[str, Any], rng: random.Random) -> int:
    """Plays one match to its end and returns the number of steps."""
    table = game.open_table(options, seats)
    steps = 0
    while game.outcome(table) is None:
        acting = game.to_act(table)
        if CHANCE in acting:
            events = game.decide(table, CHANCE, answer(rng, game.chance(table)))
        else:
            seat = min(acting) if len(acting) == 1 else rng.choice(sorted(acting))
            commands = game.legal(table, seat)
            if game.asides:
                commands = [command for command in commands if type(command) not in game.asides] or commands
            command = commands[int(rng.random() * len(commands))]
            if isinstance(command, Template):
                command = command.sample(rng.randrange)
            events = game.decide(table, seat, command)
            if isinstance(events, Shuffle | Dice | Pick):
                events = game.decide(table, CHANCE, answer(rng, events))
        for event in events:
            table = game.evolve(table, event)
        steps += 1
    return steps


def usual_seats(game: Game[Any]) -> int:
    return 4 if 4 in game.seats else game.seats[0]


def steps_per_second(game: Game[Any], seconds: float = 2.0) -> float:
    rng = random.Random(game.slug)
    seats = usual_seats(game)
    playout(game, seats, {}, rng)  # warm
    steps, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        steps += playout(game, seats, {}, rng)
    return steps / (time.perf_counter() - start)


if __name__ == "__main__":
    for slug in sys.argv[1:] or BY_SLUG:
        print(f"{slug:24} {usual_seats(BY_SLUG[slug])} seats {steps_per_second(BY_SLUG[slug]):>10,.0f} steps/s")
