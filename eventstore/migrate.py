"""Numbered SQL files, applied once each, in order, and never changed afterwards."""

from __future__ import annotations

import hashlib
import importlib.resources
import logging
from typing import Any, Final, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier, Literal

from eventstore.errors import MigrationError

log = logging.getLogger("parlor.migrate")

Connection = psycopg.Connection[tuple[Any, ...]]

APP: Final = "parlor_app"  # the role that migrations grant to; the application logs in as it, or as a member of it


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


def migrate(url: str, known: list[Migration] | None = None, *, app: str = APP) -> list[Migration]:
    """Brings the database to the newest schema, all or nothing, and returns what was applied.

    `app` is the URL, or else just the role, by which the application will log in. It gets the rights it needs.
    """
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
        _let_in(connection, app)
    return pending


# ── Roles ───────────────────────────────────────────────────────────────────────────────────────────────────────


def role_of(url: str) -> str:
    """The role that a URL logs in as."""
    usual = {option.keyword: option.val for option in psycopg.pq.Conninfo.get_defaults()}
    found = conninfo_to_dict(url).get("user") or (usual.get(b"user") or b"").decode()
    return str(found)


def _let_in(connection: Connection, app: str) -> None:
    """Lets the application's role log in, with the rights that migrations grant to `parlor_app`, and no others."""
    by_url = "://" in app
    role = role_of(app) if by_url else app
    if role == connection.info.user:
        log.warning(
            "the application logs in as %s, which owns its tables: events are then append-only by trigger alone. "
            "Name the owner in PARLOR_MIGRATE_URL, and a role of its own in DATABASE_URL",
            role,
        )
        return
    found = connection.execute("SELECT rolcanlogin FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    try:
        with connection.transaction():
            if found is None or not found[0]:
                verb = "CREATE" if found is None else "ALTER"
                connection.execute(SQL(f"{verb} ROLE {{}} LOGIN").format(Identifier(role)))
                if password := by_url and conninfo_to_dict(app).get("password"):
                    # Hashed here, so that the password itself is in no log of the server.
                    hashed = connection.pgconn.encrypt_password(str(password).encode(), role.encode(), b"scram-sha-256")
                    connection.execute(
                        SQL("ALTER ROLE {} PASSWORD {}").format(Identifier(role), Literal(hashed.decode()))
                    )
            if role != APP and not _is_member(connection, role):
                connection.execute(SQL("GRANT {} TO {}").format(Identifier(APP), Identifier(role)))
    except psycopg.errors.InsufficientPrivilege as error:
        raise MigrationError(
            f"the role {role} cannot be given its rights, and nothing was changed: {error.diag.message_primary}. "
            f'Let a superuser run: CREATE ROLE "{role}" LOGIN PASSWORD …; GRANT {APP} TO "{role}"'
        ) from error


def _is_member(connection: Connection, role: str) -> bool:
    query = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s) AND pg_has_role(%s, %s, 'USAGE')"
    return connection.execute(query, (APP, role, APP)).fetchone() == (True,)


def _done(connection: Connection) -> dict[int, tuple[str, str]]:
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
    """Refuses a database that is not at the newest schema, and warns where the application has too many rights."""
    with psycopg.connect(url, connect_timeout=5) as connection:
        if connection.execute("SELECT to_regclass('schema_migrations')").fetchone() == (None,):
            raise MigrationError("the database is empty: run `parlor migrate`")
        try:
            done = _done(connection)
        except psycopg.errors.InsufficientPrivilege:
            raise MigrationError(f"{role_of(url)} may not read the database: run `parlor migrate`") from None
        mighty = connection.execute("SELECT has_table_privilege('events', 'UPDATE')").fetchone() == (True,)
    _compare(migrations(), done)
    missing = [migration.name for migration in migrations() if migration.number not in done]
    if missing:
        raise MigrationError(f"the database lacks {missing[0]}: run `parlor migrate`")
    if mighty:
        log.warning("%s may change events: DATABASE_URL should name a role of its own for Parlor", role_of(url))
