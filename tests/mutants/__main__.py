"""`make mutants GAME=quenette`: how many small faults in a game's rules do its tests find?

Each fault is put in alone, and the game's tests are run until one fails. Survivors are listed with their place. Those
that are no fault stand in `survivors/<slug>.toml` with the reason. mutmut and cosmic-ray were weighed for this: neither
knows of secrets and audiences, and with a test session for each mutant a game takes half an hour instead of minutes.

Without a name all games are measured, and the parts of the kit that several games share (`kit`). The exit code is 1
if the tests of a game find less than nine in ten.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
import traceback
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tests.mutants import targets
from tests.mutants.operators import Mutant
from tests.mutants.running import Result, measure
from tests.mutants.survivors import accepted, stanza

ENOUGH = 0.9
console = Console()


class Tally(NamedTuple):
    slug: str
    mutants: int
    killed: int
    accepted: int
    seconds: float

    @property
    def share(self) -> float:
        return self.killed / self.mutants if self.mutants else 1.0


def fair_sample(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """So many mutants, the same for the same seed, and no function twice before all had their turn."""
    rng = random.Random(seed)
    by_function: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in rng.sample(mutants, len(mutants)):
        by_function.setdefault((mutant.module, mutant.function), []).append(mutant)
    rounds = [
        mutant
        for turn in range(max(map(len, by_function.values()), default=0))
        for group in by_function.values()
        for mutant in group[turn : turn + 1]
    ]
    chosen = set(map(id, rounds[:count]))
    return [mutant for mutant in mutants if id(mutant) in chosen]


def one_game(slug: str, wanted: argparse.Namespace) -> Tally:
    target, known = targets.target(slug), accepted(slug)
    started = time.monotonic()
    believed: list[Result] = []  # survivors with a reason are not tried again

    def choose(mutants: list[Mutant]) -> list[Mutant]:
        if wanted.function:
            mutants = [mutant for mutant in mutants if mutant.function in wanted.function]
        if not wanted.function and not wanted.sample:
            for stale in (one for one in known if not any(one.covers(mutant) for mutant in mutants)):
                console.print(f"no such mutant any more: {stale.function}: {stale.before}", markup=False)
        if wanted.sample:
            mutants = fair_sample(mutants, wanted.sample, wanted.seed)
        for mutant in mutants if not wanted.doubt else ():
            if any(one.covers(mutant) for one in known):
                believed.append(Result(mutant, False, "its reason", 0))
        trusted = {id(result.mutant) for result in believed}
        return [mutant for mutant in mutants if id(mutant) not in trusted]

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # No thread of its own for the bar: a process with threads is not for forking.
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        bar = progress.add_task(f"{slug}: the tests without a fault", total=None)

        def report(count: int, result: Result | None) -> None:
            if result is None:
                progress.update(bar, total=count, description=slug)
            else:
                progress.update(bar, completed=count)
                if not console.is_terminal and count % 50 == 0:
                    print(f"{slug}: {count} of {progress.tasks[bar].total:.0f}", file=sys.stderr, flush=True)
            progress.refresh()

        results = measure(target, choose, report, wanted.jobs, wanted.budget or float("inf")) + believed
    results.sort(key=lambda result: (result.mutant.module, result.mutant.line))
    excused = show_survivors(results, known, wanted)
    if wanted.json:
        write(wanted.json, slug, results)
    killed = sum(result.killed for result in results)
    return Tally(slug, len(results), killed, excused, time.monotonic() - started)


def show_survivors(results: list[Result], known: list[Any], wanted: argparse.Namespace) -> int:
    """Lists those without a reason, and says how many have one."""
    excused = 0
    for mutant, killed, by, _ in results:
        reason = next((one.reason for one in known if one.covers(mutant)), None)
        if killed and reason is not None:
            console.print(f"found after all, by {by}: {mutant.function}: {mutant.before}", markup=False)
        if killed:
            continue
        if reason is not None:
            excused += 1
        elif wanted.stanzas:
            print(stanza(mutant))
        else:
            place = f"{mutant.module.replace('.', '/')}.py:{mutant.line}"
            unseen = "" if by else "  (no test comes by)"
            print(f"\n{place}  {mutant.function}{unseen}\n  - {mutant.before}\n  + {mutant.after}")
    return excused


def write(path: str, slug: str, results: list[Result]) -> None:
    with open(path, "a") as out:
        for mutant, killed, by, seconds in results:
            line = {"game": slug, "module": mutant.module, "function": mutant.function, "line": mutant.line}
            line |= {
                "before": mutant.before,
                "after": mutant.after,
                "killed": killed,
                "by": by,
                "seconds": round(seconds, 2),
            }
            out.write(json.dumps(line) + "\n")


def in_a_process(slug: str, wanted: argparse.Namespace) -> Tally | None:
    """Each game in a process of its own: one imports and bends what the next wants unbent."""
    with tempfile.TemporaryFile("w+") as kept:
        sys.stdout.flush()
        pid = os.fork()
        if not pid:
            status = 1
            try:
                json.dump(one_game(slug, wanted), kept)
                kept.flush()
                status = 0
            except SystemExit as failure:
                print(f"{slug}: {failure}", file=sys.stderr)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                os._exit(status)
        os.waitpid(pid, 0)
        kept.seek(0)
        found = kept.read()
    return Tally(*json.loads(found)) if found else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("games", nargs="*", help="slugs, or `kit`; all without any")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="so many mutants only, fair over functions")
    parser.add_argument("--seed", type=int, default=1911, help="of the sample")
    parser.add_argument("--function", action="append", default=[], help="only faults in this function")
    parser.add_argument("--budget", type=float, default=10, metavar="S", help="processor seconds a mutant; 0 for all")
    parser.add_argument("--doubt", action="store_true", help="tries survivors with a reason too")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", metavar="FILE", help="adds every mutant and its fate to this file")
    parser.add_argument("--stanzas", action="store_true", help="prints survivors as entries of a list of survivors")
    wanted = parser.parse_args()
    tallies = [in_a_process(slug, wanted) for slug in wanted.games or [*targets.slugs(), targets.THE_KIT]]
    table = Table("game", *(("mutants", "killed", "survived", "of these no fault", "share", "seconds")))
    for tally in filter(None, tallies):
        numbers = (tally.mutants, tally.killed, tally.mutants - tally.killed, tally.accepted)
        table.add_row(tally.slug, *map(str, numbers), f"{tally.share:.1%}", f"{tally.seconds:.0f}")
    console.print(table)
    sys.exit(not all(tally is not None and tally.share >= ENOUGH for tally in tallies))


if __name__ == "__main__":
    main()
