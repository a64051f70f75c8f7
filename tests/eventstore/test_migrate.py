"""Migrations are applied once, in order, and never change."""

from __future__ import annotations

import psycopg
import pytest

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
