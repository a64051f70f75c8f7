"""Migrations are applied once, in order, and never change."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import NamedTuple

import psycopg
import pytest
from psycopg.types.json import Jsonb

from domain.match import Place
from eventstore.db import Database
from eventstore.errors import MigrationError
from eventstore.migrate import Migration, check, migrate, migrations, role_of
from eventstore.service import Matches
from eventstore.store import EventStore
from tests.conftest import Servers


def test_an_empty_database_is_refused_until_it_is_migrated(empty: str) -> None:
    with pytest.raises(MigrationError, match="parlor migrate"):
        check(empty)
    assert [one.number for one in migrate(empty)] == [one.number for one in migrations()]
    check(empty)
    assert migrate(empty) == []


def test_a_migration_that_was_changed_afterwards_is_found_out(empty: str) -> None:
    first = Migration(1, "0001_a.sql", "CREATE TABLE a (x int)")
    migrate(empty, [first])
    with pytest.raises(MigrationError, match="changed"):
        migrate(empty, [first._replace(sql="CREATE TABLE a (x bigint)")])


def test_a_database_from_the_future_is_refused(empty: str) -> None:
    migrate(empty, [Migration(1, "0001_a.sql", "SELECT 1"), Migration(2, "0002_b.sql", "SELECT 1")])
    with pytest.raises(MigrationError, match="0002_b"):
        migrate(empty, [Migration(1, "0001_a.sql", "SELECT 1")])


def test_a_migration_that_fails_leaves_nothing_behind(empty: str) -> None:
    with pytest.raises(MigrationError, match="0002_b"):
        migrate(empty, [Migration(1, "0001_a.sql", "CREATE TABLE a (x int)"), Migration(2, "0002_b.sql", "NONSENSE")])
    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT to_regclass('a'), to_regclass('schema_migrations')").fetchone() == (
            None,
            None,
        )


def test_bots_that_waited_before_turns_were_fair_are_ranked_and_due(empty: str) -> None:
    migrate(empty, [one for one in migrations() if one.number <= 2])
    tables = {"people": ("human", "bot"), "bots": ("bot", "bot"), "left": ("bot:left", "bot")}
    ids = {name: uuid.uuid4() for name in tables}
    with psycopg.connect(empty) as connection:
        for name, kinds in tables.items():
            seats = [
                {"kind": kind.split(":")[0], "player": str(uuid.uuid4()) if kind != "bot" else None} for kind in kinds
            ]
            connection.execute(
                "INSERT INTO matches (match_id, version, game, status, host, spectators, seats, players, open_seats, "
                "opened_at, updated_at, seed) VALUES (%s, 3, 'quenette', 'playing', %s, false, %s, '{}', false, now(), "
                "now(), '')",
                (ids[name], uuid.uuid4(), Jsonb(seats)),
            )
            connection.execute(
                "INSERT INTO bot_turns (match_id, version, seat, due_at, attempt, starts) "
                "VALUES (%s, 3, 1, now() + interval '20 s', 7, 2)",
                (ids[name],),
            )
    assert [one.number for one in migrate(empty)] == [one.number for one in migrations() if one.number > 2]
    with psycopg.connect(empty) as connection:
        rows = connection.execute(
            "SELECT match_id, bots_only, rank, attempt, ready_at <= now() AND due_at <= now() "
            "FROM bot_turns JOIN matches USING (match_id) ORDER BY rank"
        ).fetchall()
    assert rows == [
        (ids["people"], False, 0, 2, True),
        (ids["bots"], True, 1, 2, True),
        (ids["left"], True, 2, 2, True),
    ]


# ── Roles ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Foreign(NamedTuple):
    """A database as an operator makes it: an owner without the powers of a superuser, and a role yet to come."""

    owner: str
    app: str
    role: str


@pytest.fixture
def foreign(servers: Servers) -> Iterator[Foreign]:
    mark = uuid.uuid4().hex[:12]
    database, owner, role = f"theirs_{mark}", f"owner_{mark}", f"game_{mark}"
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {owner} LOGIN CREATEROLE".encode())
        connection.execute(f"GRANT parlor_app TO {owner} WITH ADMIN OPTION".encode())
        connection.execute(f"CREATE DATABASE {database} OWNER {owner}".encode())
    there = servers.postgres.url.replace("/postgres?", f"/{database}?")
    yield Foreign(there.replace("//postgres@", f"//{owner}@"), there.replace("//postgres@", f"//{role}:pass@"), role)
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {database} WITH (FORCE)".encode())
        connection.execute(f"DROP ROLE IF EXISTS {role}".encode())
        connection.execute(f"DROP OWNED BY {owner}".encode())
        connection.execute(f"DROP ROLE {owner}".encode())


def test_the_owner_migrates_and_the_application_gets_a_role_with_the_rights_it_needs(
    foreign: Foreign, servers: Servers
) -> None:
    migrate(foreign.owner, app=foreign.app)
    assert migrate(foreign.owner, app=foreign.app) == []
    check(foreign.app)
    matches = Matches(EventStore(Database(foreign.app)))
    host = str(uuid.uuid4())
    seats = [Place("human", host, None, ""), Place("open", None, None, "")]
    opened = matches.open("quenette", host=host, seats=seats, options={})
    assert matches.look(opened.id, host)[1] == 1
    with psycopg.connect(foreign.app, autocommit=True) as connection:
        for statement in ("DELETE FROM events", "UPDATE events SET actor = ''", "DELETE FROM commands"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
        for statement in ("CREATE TABLE mine (x int)", "DROP TABLE events", "ALTER TABLE events DISABLE TRIGGER ALL"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
    with psycopg.connect(servers.postgres.url) as connection:
        kept = connection.execute("SELECT rolpassword FROM pg_authid WHERE rolname = %s", (foreign.role,)).fetchone()
        assert kept is not None and kept[0].startswith("SCRAM-SHA-256$")


def test_an_owner_that_may_not_make_roles_is_told_what_to_do(foreign: Foreign, servers: Servers) -> None:
    owner = role_of(foreign.owner)
    migrate(foreign.owner)
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {owner} NOCREATEROLE".encode())
    with pytest.raises(MigrationError, match=f'CREATE ROLE "{foreign.role}" LOGIN'):
        migrate(foreign.owner, app=foreign.app)


def test_an_application_with_too_many_rights_is_warned(
    foreign: Foreign, servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    migrate(foreign.owner, app=foreign.owner)
    assert "PARLOR_MIGRATE_URL" in caplog.text
    caplog.clear()
    check(foreign.owner)
    assert "may change events" in caplog.text


def test_a_role_that_may_not_read_the_schema_is_sent_to_migrate(foreign: Foreign, servers: Servers) -> None:
    migrate(foreign.owner)
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {foreign.role} LOGIN".encode())
    with pytest.raises(MigrationError, match="parlor migrate"):
        check(foreign.app)
