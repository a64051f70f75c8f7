"""`parlor explain`: how a bot came to its command, from the log of a match that is over or from our own database."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from domain import log, match
from domain.bots.explaining import Explained, explained
from domain.editions import edition
from domain.games import BY_SLUG
from domain.upcast import upcast
from domain.wire import Parts, write_command
from eventstore.chain import verify
from eventstore.errors import NotFound, StoreError
from eventstore.settings import Settings

PATIENCE = 30.0


def from_server(server: str, token: str, match_id: str, version: int) -> Explained:
    """Worked out here from the log alone, which opens when the match is over: the server is not believed."""
    wanted = urllib.request.Request(
        f"{server.rstrip('/')}/v1/matches/{match_id}/events",
        headers={"Authorization": f"Bearer {token}", "Accept": "application/x-ndjson"},
    )
    try:
        with urllib.request.urlopen(wanted, timeout=PATIENCE) as answer:
            events = [json.loads(line) for line in answer]
    except urllib.error.HTTPError as error:
        raise click.ClickException(f"the server answers {error.code}: {_told(error)}") from None
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        raise click.ClickException(f"the log cannot be read: {error}") from None
    return from_log(events, version)


def _told(error: urllib.error.HTTPError) -> str:
    try:
        return str(json.load(error)["detail"])
    except (ValueError, KeyError):
        return error.reason


def from_log(events: Sequence[dict[str, Any]], version: int) -> Explained:
    if not events or events[-1]["type"] != "match_ended":
        raise click.ClickException("a bot's thoughts stay its own until the match is over")
    verify(events)
    if not 2 <= version <= len(events):
        raise click.ClickException(f"the log has the versions 1 to {len(events)}")
    game = edition(BY_SLUG[events[0]["public"]["game"]], events[0]["public"]["rules_version"])
    classes = match.event_classes(game)
    happened = [log.read(classes, _parts(game.slug, event), event["actor"]) for event in events]
    now = match.fold(match.opened(game, happened[0].event), happened[1 : version - 1])
    command = events[version - 1]["command_id"]
    together = [one for one, event in zip(happened, events, strict=True) if event["command_id"] == command]
    seed = bytes.fromhex(events[-1]["public"]["server_seed"])
    found = explained(now, together, seed)
    if found is None or happened[version - 1] is not together[0]:
        raise click.ClickException(f"no command of a bot begins at version {version}")
    return found


def _parts(game: str, event: dict[str, Any]) -> Parts:
    secret = {key: kept["part"] for key, kept in event["secret"].items()}
    return upcast(game, Parts(event["type"], event["public"], secret), event["schema"])


def from_database(given: Settings, database_url: str, match_id: str, version: int) -> Explained:
    """For the operator, also while the match is on."""
    from eventstore.db import Database
    from eventstore.service import Matches
    from eventstore.store import EventStore

    try:
        return Matches(EventStore(Database(database_url, given.db_timeout_ms / 1000))).explained(match_id, version)
    except NotFound as missing:
        raise click.ClickException(f"there is nothing to explain: {missing}") from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def show(found: Explained, console: Console) -> None:
    level, version, iterations = found.decided
    console.print(f"{found.game}, seat {found.seat}: {level} (version {version}), {iterations} iterations")
    offer = ", and offered a draw with it" if found.offered else ""
    console.print(f"played: {json.dumps(found.command)}{offer}")
    if found.thought is None:
        console.print(f"not checked: this release has no {level} of version {version}")
        return
    if found.thought.weighed:
        table = Table("candidate", "value")
        table.columns[1].justify = "right"
        for command, value in found.thought.weighed:
            table.add_row(json.dumps(write_command(command)), f"{value:,}")
        console.print(table)
    offer = ", with the offer of a draw" if found.thought.offers else ""
    told = "the same as in the log" if found.same else f"NOT what the log has, but {found.thought.command}{offer}"
    console.print(f"thought through again it is {told}")
