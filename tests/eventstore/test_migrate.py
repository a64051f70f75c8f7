"""Migrations are applied once, in order, and never change."""

from __future__ import annotations

import uuid

import psycopg
import pytest
from psycopg.types.json import Jsonb

from eventstore.errors import MigrationError
from eventstore.migrate import Migration, check, migrate, migrations


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
