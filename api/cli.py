"""The `parlor` command line."""

from __future__ import annotations

import importlib
import logging
import pathlib
import signal
import sys
import time
import uuid
from typing import Any, Final

import click
from rich.console import Console

from api.logs import setup as setup_logs
from api.typed import table_option
from eventstore import memory, running
from eventstore.settings import Settings, SettingsError, settings

# Where further commands are. What a command needs is imported when it is called: whoever plays in the terminal does not
# wait for the rules and the database.
ELSEWHERE: Final = {
    "keys": "api.verifying:keys_commands",
    "replay": "api.recorded:replay_command",
    "simulate": "api.simulating:simulate_command",
    "token": "api.operating:token",
    "verify": "api.verifying:verify_command",
    "what-if": "api.recorded:what_if_command",
}


class Commands(click.Group):
    def list_commands(self, context: click.Context) -> list[str]:
        return sorted([*super().list_commands(context), *ELSEWHERE])

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in ELSEWHERE:
            return super().get_command(context, name)
        module, _, attribute = ELSEWHERE[name].partition(":")
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found


@click.group(cls=Commands)
@click.pass_context
def parlor(context: click.Context) -> None:
    """A server for the parlor games of 1903 to 1943."""
    try:
        context.obj = settings()
    except SettingsError as error:
        raise click.ClickException(f"these settings are wrong:\n{error}") from None
    setup_logs(context.obj.log_level)


def main() -> None:
    """The entry point: errors that a user can mend are told in one sentence."""
    try:
        parlor()
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        click.echo(f"Error: {told}", err=True)
        raise SystemExit(1) from None


def _told(error: Exception) -> str | None:
    """What a user can do something about, in words."""
    import psycopg

    from eventstore.embedded import AlreadyRunning, ServerFailed
    from eventstore.errors import MigrationError
    from eventstore.housing import HousingError
    from eventstore.signing import SigningKeyError

    if isinstance(error, AlreadyRunning | HousingError | MigrationError | ServerFailed | SigningKeyError):
        return str(error)
    return f"the database cannot be reached: {error}" if isinstance(error, psycopg.OperationalError) else None


def _urls(given: Settings) -> tuple[str, str]:
    if given.database_url is None or given.redis_url is None:
        raise click.ClickException(
            "set DATABASE_URL and REDIS_URL, or use `parlor serve`, which brings its own servers"
        )
    return given.database_url, given.redis_url


def _reached(named: str | None, here: str | None, given: Settings) -> str:
    """A server that was named, or that of the Parlor which runs in the data folder."""
    if (url := named or here) is None:
        raise click.ClickException(
            f"no Parlor runs in {given.data.resolve()}: start one, name its folder in PARLOR_DATA, "
            "or set DATABASE_URL and REDIS_URL"
        )
    return url


@parlor.command()
@click.pass_obj
def serve(given: Settings) -> None:
    """Run everything on this machine, with embedded servers unless others are named."""
    from api.serve import serve as run

    run(given)


@parlor.command()
@click.pass_obj
def api(given: Settings) -> None:
    """Run the HTTP server alone."""
    from api.serve import warn_of_too_few_connections
    from eventstore.migrate import check
    from eventstore.signing import read_key

    database_url, redis_url = _urls(given)
    if given.signing_key is not None:
        read_key(given.signing_key)  # told once, here: its processes would die of it again and again
    check(database_url)
    warn_of_too_few_connections(database_url, given)
    from api.gate.processes import serve as run

    run(given, database_url, redis_url)


@parlor.command()
@click.pass_obj
def worker(given: Settings) -> None:
    """Run one worker that plays for the bots."""
    from rq.exceptions import StopRequested

    from workers.bell import Bell, connect
    from workers.bell import worker as make_worker
    from workers.jobs import matches_for_workers, prepare
    from workers.presence import Presence

    database_url, redis_url = _urls(given)
    bell = Bell(redis_url)
    Presence(redis_url, prepare(matches_for_workers(database_url, given, bell), given, bell)).start()
    memory.settle()
    while True:
        try:
            make_worker(connect(redis_url)).work(with_scheduler=False, logging_level="WARNING")
            return
        except StopRequested:  # told to stop while Redis was away
            return
        except Exception as error:
            logging.getLogger("parlor.worker").warning("worker begins again: %s", error)
            time.sleep(1)


@parlor.command()
@click.pass_obj
def reconcile(given: Settings) -> None:
    """Run the reconciler: it rings for forgotten bots, lets the clock act, sends word to webhooks, and rates."""
    from eventstore.db import Database
    from eventstore.deliveries import Deliveries
    from eventstore.feed import Feed, PostgresNode
    from eventstore.ratings import Ratings
    from eventstore.signing import Signer
    from workers.bell import Bell, bots_queue, connect
    from workers.jobs import matches_for_workers
    from workers.notary import Notary
    from workers.post import Post
    from workers.reconciler import Reconciler
    from workers.scorer import Scorer

    database_url, redis_url = _urls(given)
    database = Database(database_url, given.db_timeout_ms / 1000)
    signer = Signer(database, given.signing_key)
    reconciler = Reconciler(
        matches_for_workers(database_url, given, Bell(redis_url)),
        bots_queue(connect(redis_url)),
        every=min(1.0, given.bot_grace_ms / 2000),
        open_hours=given.open_hours,
        post=Post(Deliveries(database), private=given.webhook_private, tries=given.webhook_tries),
        scorer=Scorer(Ratings(database, Feed([PostgresNode(database)]))),
        notary=Notary(database, signer) if signer.signs else None,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: reconciler.stop())
    reconciler.run()


@parlor.command()
@click.pass_obj
def migrate(given: Settings) -> None:
    """Bring the database to the newest schema."""
    from eventstore.migrate import migrate as run

    if given.database_url is None:
        raise click.ClickException("set DATABASE_URL; an embedded database is migrated by `parlor serve`")
    applied = run(given.migrate_url or given.database_url, app=given.database_url)
    click.echo("\n".join(f"applied {one.name}" for one in applied) or "nothing to do")


@parlor.group()
def ratings() -> None:
    """Look after the ratings."""


@ratings.command()
@click.pass_obj
def rebuild(given: Settings) -> None:
    """Work the ratings out anew from the log, while the server runs; the old ones are shown until it is done."""
    from eventstore.db import Database
    from eventstore.errors import Unavailable
    from eventstore.feed import Feed, PostgresNode
    from eventstore.migrate import check
    from eventstore.ratings import Overtaken, Ratings

    database_url = _reached(given.database_url, running.found(given.data).database_url, given)
    check(database_url)
    database = Database(database_url, given.db_timeout_ms / 1000)
    try:
        counted = Ratings(database, Feed([PostgresNode(database)])).rebuild()
    except (Overtaken, Unavailable) as error:
        raise click.ClickException(f"{error}; the ratings are as they were") from None
    finally:
        database.close()
    click.echo(f"{counted} matches counted")


@parlor.command()
@click.argument("game", required=False)
@click.option("--seats", type=click.IntRange(1, 16), help="number of seats; without it the smallest table")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="a table option; may be repeated")
@click.option("--level", help="how well the bots play; the catalogue lists the levels")
@click.option("--match", "match_id", help="a match to come back to, or to join")
@click.option("--watch", is_flag=True, help="only look on: at bots among themselves, or at the match that is named")
@click.option("--server", metavar="URL", help="a server elsewhere; without it the one on this machine")
@click.option("--token", envvar="PARLOR_TOKEN", help="who you are; without it you sign up as somebody new")
@click.option("--name", help="how others see you, if you sign up")
@click.pass_obj
def play(given: Settings, /, match_id: str | None, options: tuple[str, ...], **asked: Any) -> None:
    """Play a game against bots in the terminal. Without GAME the games are listed."""
    from api.terminal.client import Trouble
    from api.terminal.opening import Asked
    from api.terminal.opening import play as run
    from api.terminal.screen import Screen

    host = "127.0.0.1" if given.host == "0.0.0.0" else given.host
    local = f"http://{host}:{given.port}"
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # a closed window ends a session as Ctrl-C does
    try:
        run(Asked(**asked, match=match_id, options=dict(table_option(text) for text in options), local=local), Screen())
    except Trouble as trouble:
        raise click.ClickException(str(trouble)) from None


@parlor.command()
@click.argument("match_id", metavar="MATCH", type=click.UUID)
@click.argument("version", type=click.IntRange(1))
@click.option("--server", metavar="URL", help="a server whose log to read; without it the database is asked")
@click.option("--token", envvar="PARLOR_TOKEN", help="who you are, for that server")
@click.pass_obj
def explain(given: Settings, match_id: uuid.UUID, version: int, server: str | None, token: str | None) -> None:
    """Show how a bot came to the command whose first event has this VERSION, and whether it would again."""
    from api import explaining

    if server is not None:
        found = explaining.from_server(server, token or "", str(match_id), version)
    else:
        database_url = _reached(given.database_url, running.found(given.data).database_url, given)
        found = explaining.from_database(given, database_url, str(match_id), version)
    explaining.show(found, Console())
    if found.same is False:
        raise SystemExit(1)


@parlor.command()
@click.argument("match_id", type=click.UUID, required=False)
@click.option("--format", "ending", help="csv, or what the game has besides, such as mat or pdn; csv without it")
@click.option(
    "--all",
    "folder",
    type=click.Path(file_okay=False, path_type=pathlib.Path),
    help="a folder for all finished matches, in all formats or the one named; goes on where it stopped",
)
@click.pass_obj
def export(given: Settings, match_id: uuid.UUID | None, ending: str | None, folder: pathlib.Path | None) -> None:
    """Write a match as text that other programs read, or all finished ones into a folder."""
    from api import exporting

    if (match_id is None) == (folder is None):
        raise click.UsageError("name a match, or a folder with --all")
    matches = exporting.matches_of(given, _reached(given.database_url, running.found(given.data).database_url, given))
    if folder is None:
        click.echo(exporting.one(matches, str(match_id), ending or "csv"), nl=False)
        return
    told = exporting.everything(matches, folder, ending, Console(stderr=True))
    click.echo(", ".join(f"{count} {what}" for what, count in sorted(told.items())) or "there is no finished match")
    if told["not written"]:
        raise SystemExit(1)


@parlor.command()
@click.option("--once", is_flag=True, help="shows it once; so does a pipe")
@click.pass_obj
def bots(given: Settings, once: bool) -> None:
    """Show what the bots are at: turns that wait, workers and their thoughts, and what has failed."""
    from api import watching
    from eventstore.db import Database

    here = running.found(given.data)
    database_url = _reached(given.database_url, here.database_url, given)
    redis_url = _reached(given.redis_url, here.redis_url, given)
    database = Database(database_url, given.db_timeout_ms / 1000)
    console = Console() if sys.stdout.isatty() else Console(width=watching.PIPE_WIDTH)
    if not watching.watch(database, redis_url, console, once=once):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
