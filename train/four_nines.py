"""Self-play of Four Nines with one die, many games at a time, and what is learned from it.

All seats play by the evaluation that is being learned, in whole numbers as at the table. After each round of games
every position is worth a little of what the evaluation said of the positions after it, and in the end of who won; the
evaluation is drawn towards that. The dice alone see to it that all kinds of positions come up. Nothing is compiled, so
that `python -m train.four_nines` needs no more than the server does.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np

from domain.bots.four_nines import FACES, Law, State, after_throw
from domain.bots.four_nines_throws import ARMS, EMPTY, PLACES, turned
from domain.bots.four_nines_worth import (
    HIDDEN_BITS,
    INPUTS,
    KINDS,
    KNOTS,
    ONE,
    PART,
    SUM_BITS,
    WAY,
    Network,
    told,
    unfolded,
)
from domain.games.four_nines.cross import CROSSES, DISCS, WAITING, Cross
from domain.games.four_nines.cross import PLACES as SEATED

FILE: Final = Path(__file__).resolve().parent.parent / "domain" / "bots" / "nets" / "four_nines.json"
SLUG: Final = "four-nines"
SEED: Final = 1943
ROUNDS: Final = 40
GAMES: Final = 200  # of each size of table in a round
IN_A_ROUND: Final = GAMES * len(SEATED)
HIDDEN: Final = 24
BATCH: Final = 512
TAKEN: Final = 0.35  # of the positions of a game: neighbours tell much the same
TRUST: Final = 0.95  # how much of what a position was worth is taken from what came of it later, throw by throw
DECAY: Final = 3e-5
FIRST_STEPS, LAST_STEPS = 0.002, 0.0002

# What counts as 1 for an input: the places of the discs, and then the marks.
SCALE: Final = np.array(
    [PART] * (KNOTS + 1)
    + [1] * (KINDS - KNOTS - 1)
    + [1000, 1000, 30, 30] * 2
    + [8000, 8000, 4, 4]
    + [1] * 17
    + [40, 1, 1, 60, 150, 100, 2, 1, 1],
    np.float32,
)
assert len(SCALE) == INPUTS


class Weights(NamedTuple):
    """The evaluation in fractions."""

    hidden: Any  # inputs; hidden
    bias: Any
    out: Any
    straight: Any  # inputs, to the score itself


def fresh(rng: np.random.Generator) -> Weights:
    """Weights of no meaning, but that it is good to have come far."""
    straight = np.zeros(INPUTS, np.float32)
    straight[WAY] = 2
    return Weights(
        rng.normal(0, 0.15, (INPUTS, HIDDEN)).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        rng.normal(0, 0.05, HIDDEN).astype(np.float32),
        straight,
    )


def whole(values: Any, scale: float) -> Any:
    return np.rint(np.asarray(values, np.float64) * scale).astype(np.int64).tolist()


def written(weights: Weights) -> dict[str, Any]:
    all_in = np.concatenate([weights.hidden, weights.straight[:, None]], axis=1) / SCALE[:, None]
    return {
        "weights": whole(all_in, 1 << SUM_BITS),
        "bias": whole([*weights.bias, 0], 1 << SUM_BITS),
        "out": whole(weights.out, 1 << HIDDEN_BITS),
    }


# ── Self-play ───────────────────────────────────────────────────────────────────────────────────────────────────


class Lesson(NamedTuple):
    positions: Any
    wanted: Any  # how likely each place is to win, as it turned out


def played(on: Cross, net: Network, seats: int, games: int, rng: np.random.Generator) -> Lesson:
    """So many games, from the empty board to the end."""
    law = Law(on, True, net)
    start = np.full((PLACES, DISCS), EMPTY, np.int16)
    start[list(SEATED[seats])] = WAITING
    owner = rng.choice(SEATED[seats], games)  # of the first place of each position
    state = State(turned(np.repeat(start[None], games, axis=0), owner), np.zeros(games, np.int64))
    game, winner = np.arange(games), np.zeros(games, np.int64)
    steps = []
    while len(game):
        thrown = after_throw(law, state, rng.integers(1, FACES + 1, len(game)))
        state, owner = thrown.state, (owner + thrown.moved) % PLACES
        won = (state.positions == on.home).all(axis=2)
        over = won.any(axis=1)
        winner[game[over]] = (owner[over] + won[over].argmax(axis=1)) % PLACES
        state = State(state.positions[~over], state.sixes[~over])
        game, owner = game[~over], owner[~over]
        steps.append((state.positions, thrown.values[~over] / ONE, owner, game))
    return looked_back(steps, winner[:, None] == ARMS, rng)


def looked_back(steps: list[tuple[Any, Any, Any, Any]], end: Any, rng: np.random.Generator) -> Lesson:
    """From the end of each game to its beginning: what came of the positions."""
    worth = end.astype(np.float64)  # by place, and not as the thrower sees it
    positions, wanted = [], []
    for found, values, owner, game in reversed(steps):
        rows, places = np.arange(len(game))[:, None], (owner[:, None] + ARMS) % PLACES
        kept = rng.random(len(game)) < TAKEN
        positions.append(found[kept])
        wanted.append(worth[game[:, None], places][kept])
        said = np.empty_like(values)
        said[rows, places] = values
        worth[game] = TRUST * worth[game] + (1 - TRUST) * said
    return Lesson(np.concatenate(positions), np.concatenate(wanted))


# ── Learning ────────────────────────────────────────────────────────────────────────────────────────────────────


class Foreseen(NamedTuple):
    inputs: Any
    hidden: Any
    found: Any  # how likely each place is to win


def foreseen(on: Cross, weights: Weights, positions: Any) -> Foreseen:
    """What the network finds for whole numbers, in fractions."""
    inputs = (told(on, positions) / SCALE).reshape(-1, INPUTS)
    hidden = np.maximum(inputs @ weights.hidden + weights.bias, 0)
    score = (hidden @ weights.out + inputs @ weights.straight).reshape(-1, PLACES)
    score = np.where(positions[:, :, 0] != EMPTY, score, -np.inf)
    power = np.exp(score - score.max(axis=1, keepdims=True))
    return Foreseen(inputs, hidden, power / power.sum(axis=1, keepdims=True))


class Pupil:
    """Weights on the way, with what Adam's method remembers of the steps so far."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.mean = [np.zeros_like(part) for part in weights]
        self.square = [np.zeros_like(part) for part in weights]
        self.steps = 0

    def learn(self, on: Cross, lesson: Lesson, size: float, rng: np.random.Generator) -> float:
        """One pass; how surprising the lesson was."""
        order, surprise = rng.permutation(len(lesson.positions)), 0.0
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            surprise += self._step(on, lesson.positions[rows], lesson.wanted[rows], size)
        return surprise / len(order)

    def _step(self, on: Cross, positions: Any, wanted: Any, size: float) -> float:
        weights = self.weights
        inputs, hidden, found = foreseen(on, weights, positions)
        slope = ((found - wanted) / len(positions)).reshape(-1).astype(np.float32)
        into = slope[:, None] * weights.out * (hidden > 0)
        slopes = (inputs.T @ into, into.sum(axis=0), hidden.T @ slope, inputs.T @ slope)
        self.steps += 1
        warm, warm_square = 1 - 0.9**self.steps, 1 - 0.999**self.steps
        for part, mean, square, raw in zip(weights, self.mean, self.square, slopes, strict=True):
            change = raw + DECAY * part
            mean += 0.1 * (change - mean)
            square += 0.001 * (change * change - square)
            part -= size * (mean / warm) / (np.sqrt(square / warm_square) + 1e-8)
        return float(-(wanted * np.log(np.maximum(found, 1e-9))).sum())


def learn_all(rounds: int, file: Path = FILE) -> None:
    rng = np.random.default_rng(SEED)
    on, pupil = CROSSES["cross68"], Pupil(fresh(rng))
    for done in range(rounds):
        net = unfolded(written(pupil.weights))
        lessons = [played(on, net, seats, GAMES, rng) for seats in SEATED]
        lesson = Lesson(*map(np.concatenate, zip(*lessons, strict=True)))
        size = FIRST_STEPS * (LAST_STEPS / FIRST_STEPS) ** (done / rounds)
        surprise = pupil.learn(on, lesson, size, rng)
        save(file, written(pupil.weights))
        click.echo(f"{done + 1:>3} of {rounds} rounds: {len(lesson.positions):,} positions, surprise {surprise:.4f}")


def save(file: Path, content: dict[str, Any]) -> None:
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps(content, separators=(",", ":")).replace("],", "],\n") + "\n", encoding="ascii")
    draft.replace(file)


@click.command(help=__doc__)
@click.option("--rounds", default=ROUNDS, show_default=True, help="How many rounds of games to play.")
@click.option("--file", default=FILE, type=click.Path(path_type=Path), help="Where to keep the evaluation.")
def main(rounds: int, file: Path) -> None:
    learn_all(rounds, file)


if __name__ == "__main__":
    main()
