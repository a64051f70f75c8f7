"""`parlor token`: the tokens of the operator, which are made here and nowhere else."""

from __future__ import annotations

import contextlib
import datetime as dt
import uuid
from collections.abc import Iterator

import click
from marshmallow import ValidationError
from rich.console import Console
from rich.table import Table

from api.texts import LABEL
from eventstore import running
from eventstore.db import Database
from eventstore.errors import NotFound, StoreError
from eventstore.migrate import check
from eventstore.operators import Operators
from eventstore.settings import Settings


@contextlib.contextmanager
def _operators(given: Settings) -> Iterator[Operators]:
    """Those of the database that is named, or of the one that `parlor serve` runs in the data folder."""
    url = given.database_url or running.found(given.data).database_url
    if url is None:
        told = f"no `parlor serve` runs in {given.data}: start it, or set DATABASE_URL or PARLOR_DATA"
        raise click.ClickException(told)
    check(url)
    database = Database(url, given.db_timeout_ms / 1000)
    try:
        yield Operators(database)
    except NotFound:
        raise click.ClickException("no operator has such a token") from None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    finally:
        database.close()


def _label(context: click.Context, option: click.Parameter, given: str) -> str:
    try:
        LABEL(given)
    except ValidationError as error:
        raise click.BadParameter(" ".join(map(str, error.messages))) from None
    return given


@click.group()
def token() -> None:
    """Make, list and revoke tokens of the operator."""


@token.command()
@click.option("--label", default="", callback=_label, help="what you call it")
@click.option("--days", type=click.IntRange(1, 3660), help="until it expires; without it never")
@click.pass_obj
def operator(given: Settings, label: str, days: int | None) -> None:
    """Make a token that closes abusive tables and players. It is shown this once."""
    expires_at = None if days is None else dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    with _operators(given) as operators:
        secret, token_id = operators.issue(label, expires_at)
    click.echo(f"the id of the token is {token_id}; its secret is not shown again:", err=True)
    click.echo(secret)


@token.command("list")
@click.pass_obj
def listed(given: Settings) -> None:
    """List the tokens of operators, without their secrets."""
    with _operators(given) as operators:
        found = operators.tokens()
    table = Table("id", "label", "made", "expires", "last used", "revoked")
    for one in found:
        times = (one[name] for name in ("created_at", "expires_at", "last_used_at", "revoked_at"))
        table.add_row(one["id"], one["label"], *(f"{at:%Y-%m-%d %H:%M}" if at else "" for at in times))
    Console(width=160).print(table)


@token.command()
@click.argument("token_id", metavar="ID", type=click.UUID)
@click.pass_obj
def revoke(given: Settings, token_id: uuid.UUID) -> None:
    """Revoke a token of an operator at once."""
    with _operators(given) as operators:
        operators.revoke(str(token_id))
    click.echo("revoked")
