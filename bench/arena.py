"""`python -m bench.arena`: how much better each level plays than the one below it.

`--all-seeing` shows how much there is to gain at all: the same search on the true table. `--write` keeps the figures in
`domain/bots/strength.json`, where the catalogue finds them; a row is written as soon as it is measured, and what the
file already has for the same versions of the levels is not measured again.
"""

from __future__ import annotations

import csv
import fcntl
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from bench import gnubg, openspiel, page
from bench.hands import Score, Setting, hand, has_choices, summed
from bench.page import ORDER, SURE, is_current
from domain.bots import strength
from domain.bots.levels import LEVELS
from domain.bots.strength import Strength
from domain.game import Game
from domain.games import BY_SLUG, GAMES

KEPT: Final = Path(strength.__file__).with_name(strength.FILE)
PAGE: Final = Path(page.__file__).parents[1] / "docs" / "bots.md"
WIDE: Final = 120  # columns, where the terminal does not say how many there are
TOLD: Final = 5  # times that a setting is told of and kept while it is measured
Row = tuple[str, Strength]  # of the game with this slug


def table_sizes(game: Game[Any]) -> tuple[int, ...]:
    """A small table and a larger one, where there is a choice."""
    usual = list(game.usual_seats)
    return (usual[0],) if len(usual) == 1 else (usual[min(1, len(usual) - 2)], usual[min(3, len(usual) - 1)])


def settings(
    games: Sequence[Game[Any]], iterations: int, all_seeing: bool, size: int | None = None
) -> Iterator[Setting]:
    """What there is to measure: nothing where nobody has a choice."""
    ladder = (("strong", "random"),) if all_seeing else ORDER
    for game in games:
        for seats in table_sizes(game) if size is None else (size,):
            if seats not in game.usual_seats or not has_choices(game.slug, seats):
                continue
            for challenger, others in ladder:
                yield Setting(game.slug, seats, challenger, others, iterations, all_seeing)


@click.command()
@click.option("--game", "slugs", multiple=True, type=click.Choice(sorted(BY_SLUG)), help="Only this game; repeatable.")
@click.option("--seats", type=int, help="Tables of this size, instead of a small and a larger one.")
@click.option("--pair", help="Only this pair of levels, such as strong-steady.")
@click.option("--hands", default=400, show_default=True, help="Hands for each pair of levels and size of table.")
@click.option("--iterations", default=24, show_default=True, help="Of a search; a worker has time for more.")
@click.option("--all-seeing", is_flag=True, help="How much there is to gain: `strong` sees all cards.")
@click.option(
    "--opponent",
    type=click.Choice([openspiel.NAME, gnubg.NAME]),
    help="Play Checkers or Backgammon against another program instead.",
)
@click.option("--jobs", default=os.cpu_count, type=click.IntRange(1), help="Processes; as many as there are cores.")
@click.option("--write", is_flag=True, help="Keep the figures where the catalogue finds them.")
@click.option("--again", is_flag=True, help="Measure what is kept already, too.")
@click.option("--csv", "file", type=click.Path(dir_okay=False), help="Write the figures to a file as well.")
def main(
    slugs: Sequence[str],
    seats: int | None,
    pair: str | None,
    hands: int,
    iterations: int,
    all_seeing: bool,
    opponent: str | None,
    jobs: int,
    write: bool,
    again: bool,
    file: str | None,
) -> None:
    """Let the levels play each other."""
    console = Console(width=None if sys.stdout.isatty() else WIDE)
    if opponent == openspiel.NAME:
        console.print(openspiel.match(games=hands, iterations=iterations, jobs=jobs))
        return
    if opponent == gnubg.NAME:
        console.print(gnubg.match(games=hands, iterations=iterations, jobs=jobs, console=console))
        return
    games = [BY_SLUG[slug] for slug in slugs] or list(GAMES)
    wanted = [
        one
        for one in settings(games, iterations, all_seeing, seats)
        if pair in (None, f"{one.challenger}-{one.others}")
    ]
    if not wanted:
        raise click.UsageError("There is no such table at which anybody has a choice.")
    began = time.monotonic()
    rows: list[Row] = []
    if write and not again:
        rows = [(one.slug, known) for one in wanted if (known := kept(one, hands)) is not None]
        wanted = [one for one in wanted if kept(one, hands) is None]
        console.print(f"{len(rows)} rows are kept already, {len(wanted)} are to be measured")
    for setting, scores in measured(wanted, hands, jobs, console):
        row = setting.slug, summed(setting, scores)
        so_far = len(scores) < hands
        if write:
            keep(*row, so_far=so_far)
        if not so_far:
            rows.append(row)
            console.print(line(*row))
        elif not console.is_terminal:
            console.print(f"  {len(scores)} of {hands}: {line(*row)}")
    console.print(report(rows, f"{hands} hands each, {iterations} iterations, {time.monotonic() - began:.0f} s"))
    if file is not None:
        to_csv(file, rows)


def measured(
    wanted: Sequence[Setting], hands: int, jobs: int, console: Console
) -> Iterator[tuple[Setting, Sequence[Score]]]:
    """The scores of each setting so far, now and then: whoever stops it has what was played."""
    with ProcessPoolExecutor(jobs) as pool, Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("hands", total=len(wanted) * hands)
        for setting in wanted:
            progress.update(task, description=f"{setting.slug}, {setting.seats} seats, {setting.challenger}")
            scores: list[Score] = []
            for score in pool.map(hand, [setting] * hands, range(hands), chunksize=4):
                scores.append(score)
                progress.advance(task)
                if len(scores) * TOLD // hands > (len(scores) - 1) * TOLD // hands:
                    yield setting, scores


# ── What is kept ────────────────────────────────────────────────────────────────────────────────────────────────


def kept(setting: Setting, hands: int) -> Strength | None:
    """The row that the file has for this setting, if the levels are still the same and it was measured as well."""
    for row in strength.read(KEPT.read_text(encoding="ascii")).get(setting.slug, ()):
        if _about(row) != (setting.challenger, setting.others, setting.seats, setting.all_seeing):
            continue
        searched = row.iterations >= setting.iterations or not LEVELS[row.level].slow
        return row if is_current(setting.slug, row) and searched and row.hands >= hands else None
    return None


def keep(slug: str, row: Strength, *, so_far: bool = False) -> None:
    """The row takes the place of the one about the same; all others stay, those of an arena beside this one too. What
    was found so far does not take the place of what rests on more."""
    folder = os.open(KEPT.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        rows = dict(strength.read(KEPT.read_text(encoding="ascii")))
        same = [other for other in rows.get(slug, ()) if _about(other) == _about(row)]
        if so_far and any(is_current(slug, other) and other.hands > row.hands for other in same):
            return
        rows[slug] = [*(other for other in rows.get(slug, ()) if other not in same), row]
        beside = KEPT.with_suffix(".new")
        beside.write_text(strength.written(rows), encoding="ascii")
        beside.replace(KEPT)
        PAGE.write_text(page.with_figures(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")
    finally:
        os.close(folder)


def _about(row: Strength) -> tuple[str, str, int, bool]:
    return row.level, row.against, row.seats, row.all_seeing


# ── What is told ────────────────────────────────────────────────────────────────────────────────────────────────


def verdict(row: Strength) -> str:
    return "better" if row.lead > SURE * row.error else "worse" if row.lead < -SURE * row.error else "open"


def line(slug: str, row: Strength) -> str:
    return (
        f"{slug}, {row.seats} seats: {row.level} against {row.against} leads by "
        f"{row.lead:+.2f} ± {SURE * row.error:.2f}, wins {row.won:.0%}: {verdict(row)}"
    )


def report(rows: Iterable[Row], title: str) -> Table:
    found = Table(title=title)
    for heading in ("game", "seats", "challenger", "others", "hands", "lead", "± (99 %)", "wins", "equals", ""):
        found.add_column(heading, justify="left" if heading in ("game", "challenger", "others", "") else "right")
    for slug, row in rows:
        found.add_row(
            slug,
            str(row.seats),
            row.level + (" (all-seeing)" if row.all_seeing else ""),
            row.against,
            str(row.hands),
            f"{row.lead:+.2f}",
            f"{SURE * row.error:.2f}",
            f"{row.won:.0%}",
            f"{1 / row.sides:.0%}",
            verdict(row),
        )
    return found


def to_csv(file: str, rows: Sequence[Row]) -> None:
    with open(file, "w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(("game", *Strength._fields))
        writer.writerows((slug, *row) for slug, row in rows)


if __name__ == "__main__":
    main()
