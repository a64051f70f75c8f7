"""Where many keys are asked for at once, PostgreSQL reads their list once, however it goes through the table."""

from __future__ import annotations

import psycopg
import pytest

from eventstore.db import numbered
from eventstore.departures import GONE
from eventstore.names import NAMED
from eventstore.players import STILL_GOOD
from eventstore.tidings import HEADS
from tests.conftest import Servers


@pytest.mark.parametrize("query", [STILL_GOOD, HEADS, NAMED, GONE], ids=["tokens", "heads", "names", "departures"])
def test_a_list_is_not_read_anew_for_every_row(servers: Servers, query: str) -> None:
    asked = numbered(query, ())[0]
    with psycopg.connect(servers.postgres.url) as connection:
        connection.execute("SET LOCAL enable_indexscan = off")
        connection.execute("SET LOCAL enable_bitmapscan = off")
        connection.execute("SET LOCAL enable_indexonlyscan = off")
        explain = psycopg.RawCursor(connection).execute(f"EXPLAIN (GENERIC_PLAN) {asked}".encode())
        plan = [line for (line,) in explain.fetchall()]
    (condition,) = [line for line in plan if "Filter:" in line]
    assert "InitPlan" in condition and "$1" not in condition, plan
