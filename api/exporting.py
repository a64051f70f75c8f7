"""Matches as files, for the operator: straight from the database."""

from __future__ import annotations

import os
import pathlib
from collections import Counter

import click
from rich.console import Console
from rich.progress import Progress

from domain.game import Refused
from domain.games import BY_SLUG
from domain.telling.sheet import exports_of
from eventstore.db import Database
from eventstore.errors import NotFound, StoreError
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.store import EventStore

FINISHED = "SELECT match_id::text, game FROM matches WHERE status = 'over' ORDER BY match_id"


def matches_of(given: Settings, database_url: str) -> Matches:
    return Matches(EventStore(Database(database_url, given.db_timeout_ms / 1000)))


def one(matches: Matches, match_id: str, ending: str) -> str:
    """The text of a match, also while it is on."""
    try:
        return matches.written(matches.fresh(match_id).match, ending)
    except NotFound:
        raise click.ClickException(f"there is no match {match_id}, or none that is written as {ending}") from None
    except Refused as refusal:
        raise click.ClickException(refusal.text) from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def everything(matches: Matches, folder: pathlib.Path, ending: str | None, console: Console) -> Counter[str]:
    """A file for each finished match and each of its formats, `FOLDER/GAME/MATCH.ENDING`; what is there is left alone.

    A file gets its name when it is complete, so that the work can be broken off and taken up again at any time.
    """
    told: Counter[str] = Counter()
    found = matches.store._db.run(FINISHED)
    with Progress(console=console, transient=True) as progress:
        for match_id, game in progress.track(found, description="exporting"):
            for wanted in exports_of(BY_SLUG[game]) if ending is None else (ending,):
                if wanted in exports_of(BY_SLUG[game]):
                    told[_file(matches, match_id, wanted, folder / game / f"{match_id}.{wanted}", console)] += 1
    return told


def _file(matches: Matches, match_id: str, ending: str, path: pathlib.Path, console: Console) -> str:
    if path.exists():
        return "there already"
    try:
        text = matches.written(matches.fresh(match_id).match, ending)
    except (Refused, StoreError) as error:
        console.print(f"{match_id}.{ending}: {error}", highlight=False)
        return "not written"
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(path)
    return "written"
