"""Score sheets of whole matches."""

from __future__ import annotations

import csv
import pathlib

import pytest

from domain import log
from domain.telling.sheet import exports_of
from tests.golden import matches


@pytest.mark.parametrize("path", matches.FROZEN, ids=lambda path: path.stem)
def test_the_sheet_of_a_match_adds_up_to_its_end(path: pathlib.Path) -> None:
    steps = list(matches.read(path))
    now = steps[-1][0]
    assert now.ended is not None
    seats = len(now.chairs)
    events = [(parts.type, parts.public) for parts in (log.write(one) for _, one, _ in steps)]
    names = ["=1+1", 'A,"b"', *["x"] * seats][:seats]
    head, *rows, end = csv.reader(exports_of(now.game)["csv"](events, names).splitlines())
    assert head[2:4] == ["0 =1+1", '1 A,"b"'] and len(head) == 2 + 3 * seats and rows
    totals = None
    for row in rows:
        gained, after = [list(map(float, row[start : start + seats])) for start in (2, 2 + seats)]
        assert totals is None or after == [a + b for a, b in zip(totals, gained, strict=True)]
        totals = after
    assert totals == list(map(float, end[2 + seats : 2 + 2 * seats]))
    assert end[2 + 2 * seats :] == [str(place) for place in now.ended.places]
    if now.options.get("sides") != "alternate":  # there the seats have points, and the sides win
        worth = 2 if now.game.slug == "checkers" else 1  # a draw is half a point, and the log counts in halves
        assert totals == [score / worth for score in now.ended.scores]
