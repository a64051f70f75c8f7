"""Matches as files, for the operator."""

from __future__ import annotations

import io
import pathlib
import uuid
from typing import Any

import click
import pytest
from rich.console import Console

from api import exporting
from domain.match import Place
from eventstore.service import Matches

ANN, BOB = str(uuid.uuid4()), str(uuid.uuid4())


def opened(matches: Matches, game: str, over: bool, **options: Any) -> str:
    seats = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    match_id = matches.open(game, host=ANN, seats=seats, options=options).id
    matches.start(match_id, ANN, None)
    if over:
        matches.resign(match_id, ANN, None)
    return match_id


def test_all_finished_matches_are_written_once(matches: Matches, tmp_path: pathlib.Path) -> None:
    said = io.StringIO()
    done, running = opened(matches, "backgammon", True), opened(matches, "backgammon", False)
    odd = opened(matches, "backgammon", True, bearing="first")
    exporting.everything(matches, tmp_path, None, Console(file=said))
    sheet, moves = (tmp_path / "backgammon" / f"{done}.{ending}" for ending in ("csv", "mat"))
    assert "match_ended: resigned" in sheet.read_text() and "and the match" in moves.read_text()
    assert not list(tmp_path.rglob(f"*{running}*")) and not list(tmp_path.rglob(".*"))
    assert [path.suffix for path in tmp_path.rglob(f"{odd}*")] == [".csv"] and f"{odd}.mat: BG-22" in said.getvalue()
    moves.unlink()
    sheet.write_text("mine")
    told = exporting.everything(matches, tmp_path, None, Console(file=said))
    assert told["written"] == 1 and moves.exists() and sheet.read_text() == "mine"


def test_one_match_is_written_while_it_is_on(matches: Matches) -> None:
    running = opened(matches, "backgammon", False)
    assert exporting.one(matches, running, "mat").startswith(" 5 point match")
    for match_id, ending in ((running, "pdn"), (str(uuid.uuid4()), "csv")):
        with pytest.raises(click.ClickException):
            exporting.one(matches, match_id, ending)
