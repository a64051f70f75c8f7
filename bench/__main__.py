"""`python -m bench`: the figures that Parlor is held to, each as a ratio, all in one run on one machine."""

from __future__ import annotations

import functools
import pathlib
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from typing import NamedTuple

import click
from rich.console import Console

from bench import boards, bots, hostile, http, playout, replay, store, streams
from bench.figures import ROOT, Figure, Part, Tell, keep, machine, table
from bench.stage import Stage, stage
from domain.games import GAMES
from eventstore import memory

STEPS_GOAL = 20_000


class Length(NamedTuple):
    """How long to measure."""

    seconds: float  # of one load
    rounds: int
    commands: int  # for a median


USUAL, QUICK = Length(8, 3, 400), Length(2, 3, 120)


def playouts(tell: Tell, seconds: float) -> Iterator[Figure]:
    for game in GAMES:
        tell(f"random playouts of {game.title}")
        steps = playout.steps_per_second(game, seconds)
        seats = Part("seats", playout.usual_seats(game), "")
        yield Figure(f"random playout of {game.slug}, one core", steps, "steps/s", STEPS_GOAL, "report", (seats,))


# In the order of the report. What needs no server comes last.
ON_STAGE: dict[str, Callable[[Stage, Tell, Length], list[Figure]]] = {
    "http": lambda on, tell, long: http.figures(on, tell, long.seconds, long.rounds),
    # In short turns, because there is nothing to warm up again, and a busy machine changes from second to second.
    "store": lambda on, tell, long: store.figures(on, tell, long.seconds / 4, 3 * long.rounds),
    "replay": lambda on, tell, long: replay.figures(on, tell, long.seconds / 8, 3 * long.rounds),
    "latency": lambda on, tell, long: http.latency_figures(on, tell, long.commands),
    # In short turns as well, though each round has to open its streams first.
    "streams": lambda on, tell, long: streams.figures(on, tell, long.seconds / 2, 3 * long.rounds),
    "bots": lambda on, tell, long: bots.figures(on, tell, long.seconds, long.commands),
    "hostile": lambda on, tell, long: hostile.figures(on, tell, long.seconds, long is USUAL),
}
ALONE: dict[str, Callable[[Tell, Length], list[Figure]]] = {
    "playout": lambda tell, long: list(playouts(tell, long.seconds / 4)),
    "boards": lambda tell, long: boards.figures(tell, long.seconds / 2, long.rounds),
}
GROUPS = (*ON_STAGE, *ALONE)


def measured(group: str, measure: Callable[[], list[Figure]]) -> list[Figure]:
    """A group that fails is a row like any other, and the others are measured all the same."""
    try:
        return measure()
    except Exception as error:
        traceback.print_exc()
        return [Figure(group, None, "ratio", None, "report", note=f"failed: {type(error).__name__}: {error}")]


def run(groups: tuple[str, ...], long: Length, tell: Tell) -> list[Figure]:
    found: list[Figure] = []
    memory.settle()  # as every process of a server does, for us and for those we compare with
    on_stage = [group for group in groups if group in ON_STAGE]
    if on_stage:
        with stage(tell) as on:
            for group in on_stage:
                found += measured(group, functools.partial(ON_STAGE[group], on, tell, long))
    for group in groups:
        if group in ALONE:
            found += measured(group, functools.partial(ALONE[group], tell, long))
    return found


@click.command()
@click.argument("groups", nargs=-1, type=click.Choice(GROUPS), metavar=f"[{'|'.join(GROUPS)}]...")
@click.option("--quick", is_flag=True, help="Short loads: for a first look, not for a comparison.")
@click.option("--out", default=ROOT / "bench-results.jsonl", type=click.Path(path_type=pathlib.Path), show_default=True)
def main(groups: tuple[str, ...], quick: bool, out: pathlib.Path) -> None:
    """Measure Parlor against other ways of doing the same, and show the ratios. Without GROUPS: all of them."""
    console = Console()
    began = time.monotonic()

    def tell(line: str) -> None:
        console.print(f"{time.monotonic() - began:6.0f} s  {line}", style="dim", highlight=False)

    # Asked to stop, we leave as at the end: every server is stopped, the folder is removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    facts = machine()
    console.print(
        f"{facts['processor']}, {facts['cores']} cores, {facts['memory_gb']} GB, Python {facts['python']}, "
        f"load {facts['load']} before the start",
        highlight=False,
    )
    try:
        found = run(tuple(dict.fromkeys(groups)) or GROUPS, QUICK if quick else USUAL, tell)
    except KeyboardInterrupt:
        console.print("stopped; nothing was kept")
        sys.exit(130)
    keep(found, out)
    console.print(table(found))
    console.print(f"kept in {out}", style="dim", highlight=False)
    if any(figure.note.startswith("failed: ") for figure in found):
        sys.exit(1)


if __name__ == "__main__":
    main(prog_name="python -m bench")
