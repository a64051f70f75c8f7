"""The contract of an event store, on a real database. Another store has to pass the same tests."""

from __future__ import annotations

import datetime as dt
import re
import threading
import uuid
from typing import Any

import psycopg
import pytest

from api.app import Services
from domain import match
from domain.games import BY_SLUG
from domain.wire import Parts
from eventstore.chain import GENESIS, Stored, chained
from eventstore.db import Database
from eventstore.errors import Conflict, DuplicateCommand, NotFound
from eventstore.store import EventStore, Receipt
from tests.conftest import Servers

HOST = str(uuid.uuid4())
SEED = bytes(range(32))
AT = dt.datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=dt.UTC)


@pytest.fixture
def store(servers: Servers) -> Any:
    database = Database(servers.postgres.url)
    yield EventStore(database)
    database.close()


def new_match() -> match.Match:
    places = (match.Place("human", HOST, None, ""), match.Place("open", None, None, ""))
    return match.open_match(
        BY_SLUG["quenette"], str(uuid.uuid4()), host=HOST, seats=places, options={}, seed=SEED
    ).match


def event(m: match.Match, version: int, note: str = "") -> Stored:
    parts = Parts("noted", {"note": note}, {"0": {"card": "C-1"}})
    bare = Stored(version, parts, 1, "seat:0", "test", AT, b"")
    return chained(GENESIS, SEED, m.id, bare)


def opened(store: EventStore) -> match.Match:
    m = new_match()
    store.open(m, SEED, [event(m, 1)])
    return m


def moved(m: match.Match, by: int = 1) -> match.Match:
    return m._replace(version=m.version + by)


def test_what_was_appended_is_read_back_in_order(store: EventStore) -> None:
    m = opened(store)
    events = [event(m, 2, "two"), event(m, 3, "three")]
    store.append(m, moved(m, 2), events)
    kept = [one._replace(closed=None) for one in events]  # which is worked out from the rest
    assert store.read(m.id, after=1) == kept
    assert store.read(m.id, after=1, upto=2) == kept[:1]
    assert store.read(m.id, limit=1)[0].version == 1
    assert store.head(m.id).version == 3


def test_an_append_on_an_old_version_changes_nothing(store: EventStore) -> None:
    m = opened(store)
    store.append(m, moved(m), [event(m, 2)])
    with pytest.raises(Conflict):
        store.append(m, moved(m), [event(m, 2, "late")])
    assert [one.parts.public["note"] for one in store.read(m.id, after=1)] == [""]
    assert store.head(m.id).version == 2


def test_a_command_id_is_accepted_once_a_match(store: EventStore) -> None:
    m, other = opened(store), opened(store)
    receipt = Receipt("0/key", b"digest")
    store.append(m, moved(m), [event(m, 2)._replace(command_id="0/key")], receipt=receipt)
    with pytest.raises(DuplicateCommand):
        store.append(moved(m), moved(m, 2), [event(m, 3)._replace(command_id="0/key")], receipt=receipt)
    assert store.head(m.id).version == 2
    kept = store.accepted(m.id, "0/key")
    assert kept is not None and (kept.digest, kept.first_version, kept.last_version) == (b"digest", 2, 2)
    store.append(other, moved(other), [event(other, 2)._replace(command_id="0/key")], receipt=receipt)
    assert store.accepted(other.id, "1/key") is None


def test_an_unknown_stream_is_not_found(store: EventStore) -> None:
    with pytest.raises(NotFound):
        store.head(str(uuid.uuid4()))
    assert store.read(str(uuid.uuid4())) == []


def test_of_many_writers_on_one_version_exactly_one_wins(store: EventStore) -> None:
    m = opened(store)
    won = []

    def write(n: int) -> None:
        try:
            store.append(m, moved(m), [event(m, 2, str(n))])
            won.append(n)
        except Conflict:
            pass

    threads = [threading.Thread(target=write, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.parts.public["note"] for one in store.read(m.id, after=1)] == [str(n) for n in won]
    assert len(won) == 1


@pytest.mark.parametrize("statement", ["UPDATE events SET actor = 'x'", "DELETE FROM events", "TRUNCATE events"])
def test_the_database_itself_refuses_to_change_events(store: EventStore, servers: Servers, statement: str) -> None:
    opened(store)
    for role in ("SET ROLE parlor_app", "RESET ROLE"):
        with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
            connection.execute(role.encode())
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_snapshots_can_be_dropped(store: EventStore) -> None:
    m = opened(store)
    store.keep_snapshot(m.id, 5, 1, {"at": 5})
    store.keep_snapshot(m.id, 9, 1, {"at": 9})
    assert store.snapshot(m.id, [1, 3]) == {"at": 9}
    assert store.snapshot(m.id, [1], upto=8) == {"at": 5}
    assert store.snapshot(m.id, [2]) is None


def test_lost_races_of_transactions_are_tried_again(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    """A serialization failure is no answer: the statement runs again."""
    database = Database(servers.postgres.url)
    tries = []
    once = Database._run

    def flaky(self: Database, query: Any, params: Any) -> Any:
        tries.append(1)
        if len(tries) < 3:
            raise psycopg.errors.SerializationFailure("made up")
        return once(self, query, params)

    monkeypatch.setattr(Database, "_run", flaky)
    assert database.run("SELECT 42") == [(42,)]
    assert len(tries) == 3
    database.close()


def test_a_statement_that_fails_leaves_its_connection_usable(servers: Servers) -> None:
    database = Database(servers.postgres.url)
    for _ in range(3):
        with pytest.raises(psycopg.errors.UndefinedTable):
            database.run("SELECT * FROM nowhere")
        assert database.run("SELECT 42") == [(42,)]
    assert len(database._idle) == 1
    database.close()


def test_no_index_has_a_column_that_every_command_changes(parlor: Services) -> None:
    """Otherwise no head row is updated in place, and each command writes to every index."""
    rows = parlor.database.run("SELECT indexdef FROM pg_indexes WHERE tablename = 'matches'")
    for (index,) in rows:
        assert not {"version", "updated_at", "acting"} & set(re.findall(r"\w+", index)), index
    assert len(rows) > 3
