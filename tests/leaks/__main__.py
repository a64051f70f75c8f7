"""`make leaks`: ten thousand pairs of twins a game, at every size of table and with every option."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from domain.game import Game
from domain.games import GAMES
from tests.leaks.declaring import declaration
from tests.leaks.running import LONG, covered, hides, mixed, run, settings

STINT = 4  # tables that a process takes at a time
SHOWN = 3  # findings of a game that are printed
BY_SLUG = {game.slug: game for game in GAMES}


class Report(NamedTuple):
    slug: str
    tally: Counter[str]
    covered: set[str]
    findings: list[str]


def stint(slug: str, first: int, seed: str) -> Report:
    """Some tables: first those of the list, each value of each option for itself, then any options together."""
    game = BY_SLUG[slug]
    listed = settings(game)
    report = Report(slug, Counter(), set(), [])
    for number in range(first, first + STINT):
        rng = random.Random(f"{seed} {slug} {number}")
        lap, place = divmod(number, len(listed))
        setting = listed[place] if lap % 3 == 0 else mixed(game, rng.choice(game.seats), rng)
        report.covered.update(covered(setting))
        try:
            report.tally.update(run(game, setting, f"{seed} {slug} {number}", LONG).tally)
        except Exception as fault:  # whatever a game raises at a table is a finding, and the run goes on
            report.findings.append(f"{type(fault).__name__}: {fault}")
    return report


class Account:
    """How far a game has come."""

    def __init__(self, game: Game[Any], pairs: int) -> None:
        self.game = game
        self.report = Report(game.slug, Counter(), set(), [])
        self.tables = len(settings(game))  # all of them have their turn, however soon the pairs are there
        self.pairs = pairs if hides(declaration(game)) else 0
        self.next = 0

    def add(self, report: Report) -> None:
        self.report.tally.update(report.tally)
        self.report.covered.update(report.covered)
        self.report.findings.extend(report.findings)

    @property
    def goes_on(self) -> bool:
        return self.next < self.tables or self.report.tally["pairs"] < self.pairs

    @property
    def hopeless(self) -> bool:
        """Where every table fails there will never be pairs enough."""
        return len(self.report.findings) >= 50


def work(accounts: list[Account], seed: str, progress: Progress) -> None:
    bars = {
        account.game.slug: progress.add_task(account.game.slug, total=account.pairs or account.tables)
        for account in accounts
    }
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        running: dict[Future[Report], Account] = {}
        waiting = list(accounts)
        while waiting or running:
            while waiting and len(running) < 2 * (os.cpu_count() or 1):
                account = waiting[0]
                if account.goes_on and not account.hopeless:
                    running[pool.submit(stint, account.game.slug, account.next, seed)] = account
                    account.next += STINT
                else:
                    waiting.pop(0)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                account = running.pop(future)
                account.add(future.result())
                reached = account.report.tally["pairs"] if account.pairs else account.next
                progress.update(bars[account.game.slug], completed=reached)


def summary(accounts: list[Account]) -> Table:
    table = Table("game", title="What no seat may know")
    for heading in ("pairs", "positions", "refusals", "events", "seats x options", "findings"):
        table.add_column(heading, justify="right")
    for account in accounts:
        tally, found = account.report.tally, len(account.report.findings)
        figures = [*(tally[name] for name in ("pairs", "positions", "refusals", "events")), len(account.report.covered)]
        table.add_row(account.game.slug, *(f"{n:,}" for n in figures), f"[red]{found}" if found else "0")
    return table


@click.command()
@click.option("--game", type=click.Choice(sorted(BY_SLUG)), help="Only this game.")
@click.option("--pairs", default=10_000, show_default=True, help="Pairs of twins a game.")
@click.option("--seed", default="leaks", show_default=True, help="Another word makes another run.")
def main(game: str | None, pairs: int, seed: str) -> None:
    """Looks for anything that tells a seat, or a spectator, what it may not know."""
    console = Console()
    accounts = [Account(one, pairs) for one in GAMES if game in (None, one.slug)]
    columns = (TextColumn("{task.description:>24}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        work(accounts, seed, progress)
    console.print(summary(accounts))
    for account in accounts:
        for finding in account.report.findings[:SHOWN]:
            console.print(finding, markup=False)
    sys.exit(any(account.report.findings for account in accounts))


if __name__ == "__main__":
    main()
