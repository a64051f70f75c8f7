"""A figure of the benchmarks: what was measured against what, whether the goal is met, as a table and as JSON lines."""

from __future__ import annotations

import datetime as dt
import os
import pathlib
import platform
import statistics
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import orjson
from rich.markup import escape
from rich.table import Table

Comparison = Literal["at least", "at most", "report"]
Tell = Callable[[str], None]  # gets a line for every step that takes long

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Part(NamedTuple):
    """A raw number that a figure was made from."""

    label: str
    value: float
    unit: str


@dataclass(frozen=True)
class Figure:
    """One row of the report. `report` means that the goal is shown and nothing hangs on it.

    A ratio has its numerator and its denominator as the first two parts; what follows them explains.
    """

    name: str
    value: float | None  # None: it could not be measured, and `note` says why
    unit: str  # `ratio`, or what `value` counts
    goal: float | None
    comparison: Comparison
    parts: tuple[Part, ...] = ()
    note: str = ""

    @property
    def met(self) -> bool | None:
        if self.value is None or self.goal is None:
            return None
        return self.value <= self.goal if self.comparison == "at most" else self.value >= self.goal


def skipped(name: str, goal: float | None, comparison: Comparison, why: str) -> Figure:
    return Figure(name, None, "ratio", goal, comparison, note=why)


# ── Measuring two things on one machine ─────────────────────────────────────────────────────────────────────────


class Round(NamedTuple):
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def in_turns(ours: Callable[[], float], theirs: Callable[[], float], rounds: int) -> list[Round]:
    """One after the other, again and again: whatever else the machine does meanwhile falls on both."""
    return [Round(ours(), theirs()) for _ in range(rounds)]


def ratio(
    name: str,
    rounds: Sequence[Round],
    labels: tuple[str, str],
    unit: str,
    goal: float,
    comparison: Comparison = "at least",
    more: Sequence[Part] = (),
    note: str = "",
) -> Figure:
    """The round in the middle speaks for all, so that the ratio is that of the two numbers beside it."""
    ordered = sorted(rounds, key=lambda one: one.ratio)
    middle = ordered[len(ordered) // 2]
    parts = (Part(labels[0], middle.ours, unit), Part(labels[1], middle.theirs, unit), *more)
    if len(ordered) > 1:
        spread = f"{len(ordered)} rounds from {ordered[0].ratio:.2f} to {ordered[-1].ratio:.2f}"
        note = f"{spread}; {note}" if note else spread
    return Figure(name, middle.ratio, "ratio", goal, comparison, parts, note)


def median_ms(seconds: Iterable[float]) -> float:
    return statistics.median(seconds) * 1000


# ── Showing and keeping ─────────────────────────────────────────────────────────────────────────────────────────


def shown(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2f}"


def table(figures: Sequence[Figure]) -> Table:
    found = Table(title="Parlor in ratios, all from one run on one machine", title_justify="left", show_lines=True)
    found.add_column("figure", ratio=3)
    found.add_column("value", justify="right", no_wrap=True)
    found.add_column("goal", justify="right", no_wrap=True)
    found.add_column("met", no_wrap=True)
    found.add_column("from", ratio=4)
    for figure in figures:
        found.add_row(*_row(figure))
    return found


def _row(figure: Figure) -> tuple[str, str, str, str, str]:
    unit = "" if figure.unit == "ratio" else f" {figure.unit}"
    value = "skipped" if figure.value is None else f"{shown(figure.value)}{unit}"
    goal = "" if figure.goal is None else f"{'≤' if figure.comparison == 'at most' else '≥'} {shown(figure.goal)}"
    met = {None: "", True: "[green]yes[/]", False: "[red]no[/]"}[figure.met]
    if met and figure.comparison == "report":
        met += " [dim](report)[/]"
    lines = [f"{part.label}: {shown(part.value)} {part.unit}" for part in figure.parts]
    lines += [figure.note] if figure.note else []
    return escape(figure.name), value, goal, met, escape("\n".join(lines))


def keep(figures: Iterable[Figure], path: pathlib.Path) -> None:
    """One line a figure, with all that is needed to compare it with a later one."""
    around = {"machine": machine(), "commit": commit(), "at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds")}
    with path.open("ab") as file:
        for figure in figures:
            file.write(orjson.dumps({**_line(figure), **around}, option=orjson.OPT_APPEND_NEWLINE))


def _line(figure: Figure) -> dict[str, Any]:
    is_ratio = figure.unit == "ratio"
    numerator, denominator = figure.parts[:2] if is_ratio and len(figure.parts) > 1 else (None, None)
    return {
        "name": figure.name,
        "ratio" if is_ratio else "value": figure.value,
        "numerator": numerator and numerator._asdict(),
        "denominator": denominator and denominator._asdict(),
        "goal": figure.goal,
        "comparison": figure.comparison,
        "met": figure.met,
        "unit": figure.unit,
        "more": [part._asdict() for part in figure.parts[2 if numerator else 0 :]],
        "note": figure.note,
    }


def machine() -> dict[str, Any]:
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
    }


def _processor() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def commit() -> str:
    """The commit that was measured, marked when files differ from it."""
    try:
        return subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
