"""The `parlor` command line."""

from __future__ import annotations

import collections
import logging
import os
import secrets
import signal
import time
import uuid
from typing import Any

import click
import psycopg
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from api.logs import setup as setup_logs
from domain import match
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once, decided, thinking
from domain.game import Refused, Unreadable
from domain.games import BY_SLUG
from eventstore import memory
from eventstore.embedded import AlreadyRunning, ServerFailed
from eventstore.errors import MigrationError
from eventstore.housing import HousingError
from eventstore.settings import Settings, SettingsError, settings


@click.group()
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
    except (AlreadyRunning, HousingError, MigrationError, ServerFailed) as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(1) from None
    except psycopg.OperationalError as error:
        click.echo(f"Error: the database cannot be reached: {error}", err=True)
        raise SystemExit(1) from None


def _urls(given: Settings) -> tuple[str, str]:
    if given.database_url is None or given.redis_url is None:
        raise click.ClickException(
            "set DATABASE_URL and REDIS_URL, or use `parlor serve`, which brings its own servers"
        )
    return given.database_url, given.redis_url


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

    database_url, redis_url = _urls(given)
    check(database_url)
    warn_of_too_few_connections(database_url, given)
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)  # it would count in mapped files, which a full disk makes deadly
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

    database_url, redis_url = _urls(given)
    bell = Bell(redis_url)
    prepare(matches_for_workers(database_url, given, bell), given, bell)
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
    """Run the reconciler: it rings for forgotten bots, lets the clock act, and sends word to webhooks."""
    from eventstore.db import Database
    from eventstore.deliveries import Deliveries
    from workers.bell import Bell, bots_queue, connect
    from workers.jobs import matches_for_workers
    from workers.post import Post
    from workers.reconciler import Reconciler

    database_url, redis_url = _urls(given)
    database = Database(database_url, given.db_timeout_ms / 1000)
    reconciler = Reconciler(
        matches_for_workers(database_url, given, Bell(redis_url)),
        bots_queue(connect(redis_url)),
        every=min(1.0, given.bot_grace_ms / 2000),
        open_hours=given.open_hours,
        post=Post(Deliveries(database), private=given.webhook_private, tries=given.webhook_tries),
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
        run(Asked(**asked, match=match_id, options=dict(_option(text) for text in options), local=local), Screen())
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
        found = explaining.from_database(given, _urls(given)[0], str(match_id), version)
    explaining.show(found, Console())
    if found.same is False:
        raise SystemExit(1)


@parlor.command()
@click.argument("game", type=click.Choice(sorted(BY_SLUG)))
@click.option("--matches", "count", default=100, show_default=True, type=click.IntRange(1, 1_000_000))
@click.option("--seats", type=click.IntRange(1, 16), help="number of seats; without it the smallest table")
@click.option("--level", default="random", show_default=True, type=click.Choice(sorted(LEVELS)))
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="a table option; may be repeated")
def simulate(game: str, count: int, seats: int | None, level: str, options: tuple[str, ...]) -> None:
    """Play matches between bots, in memory, and sum them up."""
    chosen = BY_SLUG[game]
    given = dict(_option(text) for text in options)
    seats = seats or chosen.seats[0]
    try:
        chosen.new_table(given, seats)
    except (Refused, Unreadable) as error:
        raise click.ClickException(str(error)) from None
    console = Console()
    wins: collections.Counter[int] = collections.Counter()
    scores: collections.Counter[int] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    events = 0
    began = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        for _ in progress.track(range(count), description=chosen.title):
            final = bot_match(chosen.slug, seats, given, level)
            assert final.ended is not None
            events += final.version
            reasons[final.ended.reason] += 1
            for seat, place in enumerate(final.ended.places):
                wins[seat] += place == 1
            for seat, score in enumerate(final.ended.scores):
                scores[seat] += score
    took = time.perf_counter() - began
    summary = Table(title=f"{count} matches of {chosen.title}, {seats} seats, level {level}")
    for heading in ("seat", "won", "share", "mean score"):
        summary.add_column(heading, justify="right")
    for seat in range(seats):
        share, mean = f"{wins[seat] / count:.1%}", f"{scores[seat] / count:.2f}"
        summary.add_row(str(seat), str(wins[seat]), share, mean)
    console.print(summary)
    ended = ", ".join(f"{reason} {times}" for reason, times in reasons.most_common())
    console.print(f"{events / count:,.0f} events a match, {events / took:,.0f} events/s; ended by: {ended}")


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    words: dict[str, Any] = {"true": True, "false": False, "null": None}
    if value.lstrip("-").isdigit():
        return name, int(value)
    if "," in value:
        return name, [int(part) for part in value.split(",") if part.strip().isdigit()]
    return name, words.get(value, value)


def bot_match(slug: str, seats: int, options: dict[str, Any], level: str) -> match.Match:
    """One match between bots from the first deal to the last, through the same code that serves players."""
    seed = secrets.token_bytes(32)
    places = tuple(match.Place("bot", None, f"Bot {n}", level, "") for n in range(seats))
    opened = match.open_match(BY_SLUG[slug], "simulated", host="", seats=places, options=options, seed=seed)
    now = match.start(opened.match, "", seed).match
    while now.status == "playing":
        seat = match.waiting_bots(now)[0]
        thought = at_once(thinking(now, seat, seed, lambda iterations: iterations >= 8))
        now = match.play_as_bot(now, seat, thought.command, seed, decided(now, seat, thought)).match
    return now


if __name__ == "__main__":
    main()
