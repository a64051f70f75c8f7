"""`python -m bench.arena`: how much better each level plays than the one below it.

The unit is a hand (or a game, where there are none): it is played from an empty table to the first count, and judged by
what the table is then worth to each side. The challenger holds one side, the others are of the level below; sides are
rotated, seeds are fixed. `--all-seeing` shows how much there is to gain at all: the same search on the true table.
"""

from __future__ import annotations

import csv
import math
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from domain.bots.levels import LEVELS
from domain.bots.rollouts import answer
from domain.bots.thinking import at_once
from domain.bots.turn import Turn
from domain.game import CHANCE, CLOCK, Dice, Game, Pick, Shuffle, TimeUp
from domain.games import BY_SLUG, GAMES

LONGEST: Final = 5_000  # steps of a hand; what takes longer is judged as it stands
LADDER: Final = (("steady", "random"), ("strong", "steady"), ("strong", "random"))
SURE: Final = 2.576  # standard errors: p < 0.01


class Setting(NamedTuple):
    slug: str
    seats: int
    challenger: str
    others: str
    iterations: int
    all_seeing: bool = False


class Score(NamedTuple):
    """What came of one hand: the lead of the challenger in points, and whether that won it."""

    lead: float
    won: float


def table_sizes(game: Game[Any]) -> tuple[int, ...]:
    """A small table and a larger one, where there is a choice."""
    usual = list(game.usual_seats)
    return (usual[0],) if len(usual) == 1 else (usual[min(1, len(usual) - 2)], usual[min(3, len(usual) - 1)])


def hand(setting: Setting, number: int) -> Score:
    """One hand, with the challenger on the side whose turn it is.

    What the level of the others makes of the same cards in the same seats is taken off, so that good cards are no
    merit. By itself that comes to nothing, for no seat is better than another. Random players make anything of
    their cards, which would only add to the noise.
    """
    played = _played(setting, number, setting.challenger)
    if setting.others == "random":
        return played
    return Score(played.lead - _played(setting, number, setting.others).lead, played.won)


def _played(setting: Setting, number: int, challenger: str) -> Score:
    game = BY_SLUG[setting.slug]
    name = f"arena {setting.slug} {setting.seats} {number}"
    luck, rng = random.Random(name), random.Random(f"{name} bots")
    table = game.new_table({}, setting.seats)
    sides = game.sides(table)
    ours = frozenset(sides[number % len(sides)])
    for _ in range(LONGEST):
        if game.outcome(table) is not None:
            break
        acting = sorted(game.to_act(table))
        if CHANCE in acting:
            seat, command = CHANCE, answer(game.chance(table), luck.randrange)
        elif not acting:
            seat, command = CLOCK, TimeUp()
        else:
            seat = acting[0]
            command = _chosen(setting, game, table, seat, challenger if seat in ours else setting.others, rng)
        events = game.decide(table, seat, command)
        if isinstance(events, Shuffle | Dice | Pick):
            events = game.decide(table, CHANCE, answer(events, luck.randrange))
        for event in events:
            table = game.evolve(table, event)
        if any(isinstance(event, game.bot.ends) for event in events):
            break
    return _score(game.bot.worth(table), ours)


def _chosen(setting: Setting, game: Game[Any], table: Any, seat: int, level: str, rng: random.Random) -> Any:
    legal = game.legal(table, seat)
    commands = [command for command in legal if not isinstance(command, game.asides)] or legal
    seeing = setting.all_seeing and level == setting.challenger
    turn = Turn(
        game,
        seat,
        game.view(table, seat),
        commands,
        (lambda below: table) if seeing else (lambda below: game.imagine(table, seat, below)),
        rng.randrange,
        lambda iterations: iterations >= setting.iterations,
    )
    return at_once(LEVELS[level].search(turn)).command


def _score(worth: Sequence[int], ours: frozenset[int]) -> Score:
    mine = [points for seat, points in enumerate(worth) if seat in ours]
    theirs = [points for seat, points in enumerate(worth) if seat not in ours]
    lead = sum(mine) / len(mine) - sum(theirs) / len(theirs)
    best = max(worth)
    winners = [seat for seat, points in enumerate(worth) if points == best]
    return Score(lead, sum(seat in ours for seat in winners) / len(winners))


class Result(NamedTuple):
    setting: Setting
    hands: int
    lead: float
    error: float
    won: float

    @property
    def verdict(self) -> str:
        return "better" if self.lead > SURE * self.error else "worse" if self.lead < -SURE * self.error else "open"


def summed(setting: Setting, scores: Sequence[Score]) -> Result:
    count = len(scores)
    mean = sum(score.lead for score in scores) / count
    spread = sum((score.lead - mean) ** 2 for score in scores) / max(1, count - 1)
    return Result(setting, count, mean, math.sqrt(spread / count), sum(score.won for score in scores) / count)


def settings(games: Sequence[Game[Any]], iterations: int, all_seeing: bool) -> Iterator[Setting]:
    ladder = (("strong", "random"),) if all_seeing else LADDER
    for game in games:
        for seats in table_sizes(game):
            for challenger, others in ladder:
                yield Setting(game.slug, seats, challenger, others, iterations, all_seeing)


@click.command()
@click.option("--game", "slugs", multiple=True, type=click.Choice(sorted(BY_SLUG)), help="Only this game; repeatable.")
@click.option("--hands", default=400, show_default=True, help="Hands for each pair of levels and size of table.")
@click.option("--iterations", default=24, show_default=True, help="Of a search; a worker has time for more.")
@click.option("--all-seeing", is_flag=True, help="How much there is to gain: `strong` sees all cards.")
@click.option("--pair", help="Only this pair of levels, such as strong-steady.")
@click.option("--csv", "file", type=click.Path(dir_okay=False), help="Write the figures to a file as well.")
def main(
    slugs: Sequence[str], hands: int, iterations: int, all_seeing: bool, pair: str | None, file: str | None
) -> None:
    """Let the levels play each other."""
    console = Console()
    games = [BY_SLUG[slug] for slug in slugs] or list(GAMES)
    wanted = [
        one for one in settings(games, iterations, all_seeing) if pair in (None, f"{one.challenger}-{one.others}")
    ]
    results = []
    began = time.monotonic()
    with (
        ProcessPoolExecutor(os.cpu_count()) as pool,
        Progress(console=console, disable=not sys.stderr.isatty()) as progress,
    ):
        task = progress.add_task("hands", total=len(wanted) * hands)
        for setting in wanted:
            progress.update(task, description=f"{setting.slug}, {setting.seats} seats, {setting.challenger}")
            scores = []
            for score in pool.map(hand, [setting] * hands, range(hands), chunksize=4):
                scores.append(score)
                progress.advance(task)
            results.append(summed(setting, scores))
            console.print(line(results[-1]))
    console.print(report(results, f"{hands} hands each, {iterations} iterations, {time.monotonic() - began:.0f} s"))
    if file is not None:
        write(file, results)


def line(result: Result) -> str:
    setting = result.setting
    return (
        f"{setting.slug}, {setting.seats} seats: {setting.challenger} against {setting.others} leads by "
        f"{result.lead:+.2f} ± {SURE * result.error:.2f}, wins {result.won:.0%}: {result.verdict}"
    )


def report(results: Sequence[Result], title: str) -> Table:
    found = Table(title=title)
    for heading in ("game", "seats", "challenger", "others", "lead", "± (99 %)", "wins", ""):
        found.add_column(heading, justify="right" if heading in ("seats", "lead", "± (99 %)", "wins") else "left")
    for result in results:
        setting = result.setting
        seeing = " (all-seeing)" if setting.all_seeing else ""
        found.add_row(
            setting.slug,
            str(setting.seats),
            setting.challenger + seeing,
            setting.others,
            f"{result.lead:+.2f}",
            f"{SURE * result.error:.2f}",
            f"{result.won:.0%}",
            result.verdict,
        )
    return found


def write(file: str, results: Sequence[Result]) -> None:
    rows: list[Mapping[str, Any]] = [
        {
            **result.setting._asdict(),
            "hands": result.hands,
            "lead": result.lead,
            "error": result.error,
            "won": result.won,
        }
        for result in results
    ]
    with open(file, "w", newline="") as target:
        writer = csv.DictWriter(target, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
