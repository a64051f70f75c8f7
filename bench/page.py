"""The figures of `domain/bots/strength.json` as tables for the page about bots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from api.simulating import interval
from domain.bots.levels import LEVELS
from domain.bots.strength import Strength
from domain.games import BY_SLUG

BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
SURE: Final = 2.576  # standard errors: 99 %
ORDER: Final = (("steady", "random"), ("strong", "steady"), ("strong", "random"))
Rows = Mapping[str, Sequence[Strength]]


def with_figures(page: str, rows: Rows) -> str:
    """The page with these figures in the place of those that it had."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{tables(rows)}{END}{after}"


def tables(rows: Rows) -> str:
    current = {
        slug: sorted((row for row in found if is_current(slug, row)), key=_place)
        for slug, found in sorted(rows.items())
    }
    lines = [
        "| game | seats | level | against | hands | iterations | lead, ± 99 % | won, 99 % | equals |",
        "|---|--:|---|---|--:|--:|--:|--:|--:|",
        *(_line(slug, row) for slug, found in current.items() for row in found if not row.all_seeing),
    ]
    bounds = [line for slug, found in current.items() for line in _bounds(slug, found)]
    if bounds:
        lines += [
            "",
            "How much there is to gain: the lead over `random` of a search that sees all cards, on the same deals,",
            "and how much of it each level gets.",
            "",
            "| game | seats | hands | all-seeing, ± 99 % | `steady` | `strong` |",
            "|---|--:|--:|--:|--:|--:|",
            *bounds,
        ]
    return "\n".join(["", *lines, "", ""])


def is_current(slug: str, row: Strength) -> bool:
    played = (row.level, row.version), (row.against, row.against_version)
    return all(LEVELS[level].version_at(slug) == version for level, version in played)


def _line(slug: str, row: Strength) -> str:
    low, high = interval(row.won * row.hands, row.hands, SURE)
    searched = str(row.iterations) if LEVELS[row.level].slow else ""
    return (
        f"| {BY_SLUG[slug].title} | {row.seats} | `{row.level}` | `{row.against}` | {row.hands} | {searched} "
        f"| {_lead(row)} | {row.won:.0%} ({100 * low:.0f} to {100 * high:.0f}) | {1 / row.sides:.0%} |"
    )


def _lead(row: Strength) -> str:
    return f"{row.lead:+.2f} ± {SURE * row.error:.2f}"


def _bounds(slug: str, rows: Sequence[Strength]) -> Iterator[str]:
    for bound in rows:
        if not bound.all_seeing:
            continue
        shares = {
            row.level: f"{row.lead / bound.lead:.0%}"
            for row in rows
            if row.seats == bound.seats and row.against == bound.against and not row.all_seeing
        }
        steady, strong = (shares.get(level, "") for level in ("steady", "strong"))
        yield f"| {BY_SLUG[slug].title} | {bound.seats} | {bound.hands} | {_lead(bound)} | {steady} | {strong} |"


def _place(row: Strength) -> tuple[int, bool, int]:
    return row.seats, row.all_seeing, ORDER.index((row.level, row.against))
