"""`make chaos`: real processes are killed, frozen and made to forget, again and again, and no match may notice.

The exit code is 1 if anything was lost or doubled, or took longer than it may. Everything that was counted is in seconds.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from tests.chaos import trials
from tests.chaos.house import House, house
from tests.chaos.trials import Tell, Trial
from tests.conftest import Servers


class Row(NamedTuple):
    name: str
    trial: Trial | None
    most: float | None  # seconds that the slowest may take; None: only told
    failure: str = ""

    @property
    def passed(self) -> bool:
        return not self.failure and (
            self.most is None or self.trial is None or max(self.trial.seconds, default=0) <= self.most
        )


class Planned(NamedTuple):
    name: str
    steps: int
    run: Callable[[House, Tell], Sequence[Trial]]
    counted: tuple[tuple[str, float | None], ...]  # what each trial counts, and how long it may take
    api: bool = True


def plan(servers: Servers, given: argparse.Namespace) -> list[Planned]:
    def away(how: str) -> Planned:
        return Planned(
            f"Redis {how} for {given.away} s",
            given.away,
            lambda house, tell: trials.redis_away(house, servers, given.away, how, tell),  # type: ignore[arg-type]
            (("a command of a person meanwhile", 2.0), ("a bot's answer afterwards", 10.0)),
        )

    def faulty(fault: str) -> Planned:
        return Planned(
            f"a bot that {fault}",
            trials.TRIES,
            lambda house, tell: trials.faulty_bot(house, fault, tell),  # type: ignore[arg-type]
            (("until it fell back", 60.0), ("another bot's answer meanwhile", 2.0)),
        )

    return [
        Planned(
            f"kill -9 in mid-turn, {given.kills} times",
            given.kills,
            lambda house, tell: [trials.killed_workers(house, given.kills, tell)],
            (("until the turn is played", 5.0),),
        ),
        Planned(
            f"FLUSHALL {given.flushes} times, {given.matches} matches waiting",
            given.flushes,
            lambda house, tell: [trials.flushed(house, given.flushes, tell, count=given.matches)],
            (("until all have gone on", 10.0),),
            api=False,
        ),
        away("stopped"),
        away("killed"),
        faulty("raises"),
        faulty("hangs"),
    ]


def run(planned: Planned, servers: Servers, folder: pathlib.Path, progress: Progress) -> list[Row]:
    bar = progress.add_task(planned.name, total=planned.steps)
    here = pathlib.Path(tempfile.mkdtemp(dir=folder))
    try:
        with house(servers, here) as made:
            made.redis.flushall()
            made.start_reconciler()
            if planned.api:
                made.start_api()
            found = planned.run(made, lambda done: progress.update(bar, completed=done))
    except (AssertionError, OSError) as error:
        traceback.print_exc()
        return [Row(planned.name, None, None, f"{type(error).__name__}: {error}")]
    progress.update(bar, completed=planned.steps)
    rows = zip(planned.counted, found, strict=True)
    return [Row(f"{planned.name}: {what}", trial, most) for (what, most), trial in rows]


def line(row: Row) -> str:
    slowest = f"slowest {max(row.trial.seconds):.2f} s" if row.trial and row.trial.seconds else row.failure
    return f"{'ok    ' if row.passed else 'failed'} {row.name}: {slowest}"


def summary(rows: Sequence[Row]) -> Table:
    found = Table("trial", "counted", "median", "slowest", "may take", "", "note", title="Chaos, in seconds")
    for n in (1, 2, 3, 4):
        found.columns[n].justify = "right"
    for row in rows:
        verdict = "[green]ok[/]" if row.passed else "[red]failed[/]"
        if row.trial is None or not row.trial.seconds:
            found.add_row(row.name, "0", "", "", "", verdict, row.failure)
            continue
        ordered = sorted(row.trial.seconds)
        most = "" if row.most is None else f"{row.most:g}"
        middle = ordered[len(ordered) // 2]
        found.add_row(row.name, str(len(ordered)), f"{middle:.2f}", f"{ordered[-1]:.2f}", most, verdict, row.trial.note)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--flushes", type=int, default=20)
    parser.add_argument("--matches", type=int, default=1000, help="that wait when Redis is flushed")
    parser.add_argument("--away", type=int, default=30, metavar="SECONDS", help="that Redis is away")
    parser.add_argument("--only", default="", metavar="WORDS", help="only trials whose name has these words")
    given = parser.parse_args()
    console, began = Console(), time.monotonic()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # all that was started is ended, as at the end
    # Short, because the path of a socket may not be long; readable, because PostgreSQL does not run as root.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-chaos-", dir="/tmp"))
    folder.chmod(0o755)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    rows: list[Row] = []
    try:
        servers = Servers(Postgres(folder / "postgres"), Valkey(folder / "valkey"))
        try:
            migrate(servers.postgres.url)
            with Progress(*columns, console=console) as progress:
                for planned in plan(servers, given):
                    if given.only in planned.name:
                        found = run(planned, servers, folder, progress)
                        rows += found
                        for row in found:
                            progress.console.print(line(row), highlight=False)
        finally:
            servers.valkey.stop()
            servers.postgres.stop("immediate")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    console.print(summary(rows))
    console.print(f"{time.monotonic() - began:.0f} s")
    sys.exit(not rows or not all(row.passed for row in rows))


if __name__ == "__main__":
    main()
