"""A match as a sheet of scores: a row for each hand or game, as CSV that spreadsheets read."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from domain.game import Game, Logged
from domain.wire import wire_name

Row = list[Any]


def exports_of(game: Game[Any]) -> Mapping[str, Callable[[Sequence[Logged], Sequence[str]], str]]:
    """All texts that can be had of a match of this game, by the usual ending of such files."""
    return {**game.exports, "csv": partial(score_sheet, game)}


def score_sheet(game: Game[Any], events: Sequence[Logged], names: Sequence[str]) -> str:
    """What each seat gained with each event that scores, and its total after it; in the last row the places.

    A name stands behind the number of its seat, so that none is taken for a formula and equal ones are told apart.
    """
    called = [f"{seat} {' '.join(name.split())}" for seat, name in enumerate(names)]
    written = io.StringIO()
    sheet = csv.writer(written, lineterminator="\n")
    sheet.writerow(["row", "event", *called, *(f"{one} total" for one in called), *(f"{one} place" for one in called)])
    sheet.writerows(rows(game, events, len(names)))
    return written.getvalue()


def rows(game: Game[Any], events: Sequence[Logged], seats: int) -> Iterator[Row]:
    scoring = {wire_name(cls): score for cls, score in game.scores.items()}
    options: Mapping[str, Any] = {}
    sides: Sequence[Sequence[int]] = ()
    totals: list[Any] = []
    blank: Row = [""] * seats
    number = 0
    for kind, public in events:
        if kind == "match_opened":
            options = public["options"]
            table = game.open_table(options, seats)
            sides, seen = game.sides(table), game.view(table, None)
            totals = by_seat(seen["totals"] if "totals" in seen else seen["side_totals"], sides, seats)
        elif kind in scoring:
            number += 1
            found = by_seat(scoring[kind](public, options, totals), sides, seats)
            yield [number, kind, *(now - before for now, before in zip(found, totals, strict=True)), *found, *blank]
            totals = found
        elif kind == "match_ended":
            yield ["", f"{kind}: {public['reason']}", *blank, *totals, *public["places"]]


def by_seat(points: Sequence[Any], sides: Sequence[Sequence[int]], seats: int) -> list[Any]:
    """Points of sides are those of every seat of the side."""
    if len(points) == seats:
        return list(points)
    return [next(points[side] for side, members in enumerate(sides) if seat in members) for seat in range(seats)]
