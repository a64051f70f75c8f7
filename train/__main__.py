"""Learn the evaluation of a game anew: python -m train backgammon

Everything comes from the seed: the first weights, the dice, and with them the games. The weights are written every
now and then, so that it can be stopped at any time; a whole course takes some minutes on one free core.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import numpy as np
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from domain.bots.marks import MARKS
from domain.bots.network import HIDDEN_BITS, ONE, SUM_BITS, UNIT
from train import four_nines
from train.check import STARTS, compare, rounding
from train.men import ACEY_DUCEY, BACKGAMMON
from train.selfplay import (
    OUTPUTS,
    PIPS,
    REACH,
    STEPS,
    TABLES,
    Net,
    duel,
    fresh,
    make_game,
    make_work,
    play_and_learn,
)

FOLDER: Final = Path(__file__).resolve().parent.parent / "domain" / "bots" / "nets"
BLOCK: Final = 500  # games between two looks at the clock and the schedule
CHECKED: Final = 3_000  # throws for which the compiled rules are compared with the game
DUEL: Final = 500
CLOSING: Final = 40  # positions of the last game for which the stored network is compared with the learned one


class Course(NamedTuple):
    kind: int
    sizes: tuple[int, int]  # hidden units: while the sides have to pass one another, and in the race
    marks: int  # told of each side while they have to pass one another
    games: int
    seed: int


COURSES: Final = {
    "backgammon": Course(BACKGAMMON, (128, 32), len(MARKS), 250_000, 1943),
    "acey-ducey": Course(ACEY_DUCEY, (64, 32), 0, 10_000, 1943),
}


def rate(done: float) -> float:
    """How large a step of learning is: it falls evenly by factors."""
    return float(0.05 * (0.0015 / 0.05) ** done)


def trust(done: float) -> float:
    """How much of what a position was worth is taken from what came of it later, and not from the next position."""
    return 0.7 * (1 - done) + 0.1 * done


# ── The file ────────────────────────────────────────────────────────────────────────────────────────────────────

SUMS: Final = 1 << SUM_BITS
OUT: Final = 1 << HIDDEN_BITS
SIGMOID_STEPS: Final = 64


def whole(values: Any, scale: float) -> Any:
    return np.rint(np.asarray(values, np.float64) * scale).astype(np.int64).tolist()


def written(net: Net) -> dict[str, Any]:
    hidden = net.bias.shape[0]
    told = np.array([(mark.knee, mark.most - mark.knee) for mark in MARKS])[: net.marks.shape[1], :, None]
    return {
        "men": whole(net.men.reshape(-1, hidden), SUMS / UNIT),
        "marks": whole((net.marks / told).reshape(-1, hidden), SUMS),
        "pips": whole(net.pips, SUMS / PIPS),
        "bias": whole(net.bias, SUMS),
        "out": whole(net.out, OUT),
        "out_bias": whole(net.out_bias, ONE),
    }


def file_name(slug: str) -> str:
    return slug.replace("-", "_")


def save(slug: str, nets: tuple[Net, Net], games: int) -> None:
    every = STEPS // SIGMOID_STEPS
    curve = 1 / (1 + np.exp(-np.arange(0, REACH * STEPS + 1, every) / STEPS))
    content = {"games": games, "sigmoid": whole(curve, ONE), "contact": written(nets[0]), "race": written(nets[1])}
    text = json.dumps(content, separators=(",", ":")).replace("],", "],\n") + "\n"
    path = FOLDER / f"{file_name(slug)}.json"
    draft = path.with_suffix(".draft")
    draft.write_text(text, encoding="ascii")
    draft.replace(path)


# ── The course ──────────────────────────────────────────────────────────────────────────────────────────────────


def copied(nets: tuple[Net, Net]) -> tuple[Net, Net]:
    return Net(*(part.copy() for part in nets[0])), Net(*(part.copy() for part in nets[1]))


@click.command(help=__doc__)
@click.argument("slug", type=click.Choice(sorted([*COURSES, four_nines.SLUG])))
@click.option("--games", type=int, help="How many games to play, if not as many as the course has.")
def main(slug: str, games: int | None) -> None:
    if slug == four_nines.SLUG:
        four_nines.learn_all(four_nines.ROUNDS if games is None else max(1, games // four_nines.IN_A_ROUND))
        return
    course = COURSES[slug]
    games = games or course.games
    with Progress(
        TextColumn("{task.description:<44}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task("Comparing the compiled rules with the game", total=games)
        positions = compare(course.kind, CHECKED, course.seed)
        progress.console.print(f"The compiled rules agree with the game on {positions:,} positions.")
        learn_all(slug, course, games, progress, task)


def learn_all(slug: str, course: Course, games: int, progress: Progress, task: Any) -> None:
    rng = np.random.default_rng(course.seed)
    kind, sizes, outputs = course.kind, course.sizes, OUTPUTS[course.kind]
    nets = (fresh(rng, sizes[0], outputs, course.marks), fresh(rng, sizes[1], outputs, 0))
    work, game = make_work(kind, sizes), make_game(kind, sizes)
    start = np.array(STARTS[kind], np.int8)
    luck = np.array([course.seed], np.uint64)
    before, stage = copied(nets), max(1, games // BLOCK // 10) * BLOCK
    for played in range(0, games, BLOCK):
        done = played / games
        block = min(BLOCK, games - played)
        turns = play_and_learn(nets, kind, start, block, luck, trust(done), rate(done), TABLES, work, game)
        progress.update(task, advance=block, description=f"Learning; {turns / block:.0f} turns a game")
        if (played + block) % stage == 0 or played + block >= games:
            save(slug, nets, played + block)
            other_luck = np.array([played], np.uint64)
            total, squares = duel(nets, before, kind, start, DUEL, other_luck, TABLES, work)
            mean = total / DUEL
            spread = 1.96 * (max(0.0, squares / DUEL - mean * mean) / DUEL) ** 0.5
            progress.console.print(
                f"{played + block:>9,} games: {mean:+.3f} ± {spread:.3f} points a game against the one before",
                highlight=False,
            )
            before = copied(nets)
    off_by = rounding(file_name(slug), kind, nets, game.seen[:CLOSING])
    progress.console.print(f"In whole numbers nothing is foreseen more than {off_by:.4f} otherwise.", highlight=False)


if __name__ == "__main__":
    main()
