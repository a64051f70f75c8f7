"""Numbered SQL files, applied once each, in order, and never changed afterwards."""

from __future__ import annotations

import hashlib
import importlib.resources
from typing import Any, NamedTuple

import psycopg

from eventstore.errors import MigrationError


class Migration(NamedTuple):
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations() -> list[Migration]:
    folder = importlib.resources.files("eventstore") / "migrations"
    files = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return [Migration(int(f.name[:4]), f.name, f.read_text("utf-8")) for f in files]


def migrate(url: str, known: list[Migration] | None = None) -> list[Migration]:
    """Brings the database to the newest schema, all or nothing, and returns what was applied."""
    known = migrations() if known is None else known
    with psycopg.connect(url, connect_timeout=5) as connection:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_migrations ("
            "number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, at timestamptz DEFAULT now())"
        )
        # Two servers that start at once must not both apply a file.
        connection.execute("LOCK TABLE schema_migrations IN EXCLUSIVE MODE")
        done = {
            row[0]: (row[1], row[2])
            for row in connection.execute("SELECT number, name, checksum FROM schema_migrations")
        }
        _compare(known, done)
        pending = [migration for migration in known if migration.number not in done]
        for migration in pending:
            try:
                connection.execute(migration.sql.encode())
            except psycopg.Error as error:
                raise MigrationError(f"{migration.name} failed, and nothing was changed: {error}") from error
            connection.execute(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES (%s, %s, %s)",
                (migration.number, migration.name, migration.checksum),
            )
    return pending


def _done(connection: psycopg.Connection[tuple[Any, ...]]) -> dict[int, tuple[str, str]]:
    rows = connection.execute("SELECT number, name, checksum FROM schema_migrations")
    return {row[0]: (row[1], row[2]) for row in rows}


def _compare(known: list[Migration], done: dict[int, tuple[str, str]]) -> None:
    by_number = {migration.number: migration for migration in known}
    for number, (name, checksum) in done.items():
        if number not in by_number:
            raise MigrationError(f"the database has migration {name}, which this version does not know: update Parlor")
        if by_number[number].checksum != checksum:
            raise MigrationError(f"migration {name} was changed after it was applied")


def check(url: str) -> None:
    """Refuses a database that is not at the newest schema."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        if connection.execute("SELECT to_regclass('schema_migrations')").fetchone() == (None,):
            raise MigrationError("the database is empty: run `parlor migrate`")
        done = _done(connection)
    _compare(migrations(), done)
    missing = [migration.name for migration in migrations() if migration.number not in done]
    if missing:
        raise MigrationError(f"the database lacks {missing[0]}: run `parlor migrate`")
