"""The database stops answering, in every way that it can: the caller is told in time, and nothing is played twice."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
import time
import uuid
from collections.abc import Iterator

import flask.testing
import psycopg
import pytest

from api.app import create_app, services
from api.serve import connections_needed, warn_of_too_few_connections
from eventstore.db import Database
from eventstore.errors import Unavailable
from eventstore.migrate import migrate
from eventstore.processes import servers_in
from eventstore.settings import Settings
from tests.conftest import Servers

pytestmark = pytest.mark.timeout(90)  # what hangs fails here, and not after minutes


class Wire:
    """A TCP line to the database that can fall silent: bytes are taken and go nowhere, and nothing is closed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.to_server, self.to_client = True, True
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._path)
                self._sockets += [near, far]
                threading.Thread(target=self._carry, args=(near, far, "to_server"), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near, "to_client"), daemon=True).start()

    def _carry(self, here: socket.socket, there: socket.socket, way: str) -> None:
        with contextlib.suppress(OSError):
            while found := here.recv(65536):
                if getattr(self, way):
                    there.sendall(found)
            there.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for one in (self._listener, *self._sockets):
            one.close()


@pytest.fixture
def wire(servers: Servers) -> Iterator[Wire]:
    made = Wire(str(servers.postgres.sockets / servers.postgres.socket))
    yield made
    made.close()


def url_by(wire: Wire) -> str:
    return f"postgresql://parlor_app@127.0.0.1:{wire.port}/postgres?sslmode=disable&gssencmode=disable"


@contextlib.contextmanager
def paused(servers: Servers) -> Iterator[None]:
    """PostgreSQL as a debugger, a full disk or a frozen machine leaves it: there, and silent."""
    stopped = servers_in(servers.postgres.folder)
    for process in stopped:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            process.send_signal(signal.SIGCONT)


def test_a_line_that_falls_silent_is_given_up_and_replaced(wire: Wire) -> None:
    database = Database(url_by(wire), timeout=0.3)
    assert database.run("SELECT 42") == [(42,)]
    wire.to_server = False
    with pytest.raises(Unavailable):
        database.run("SELECT 42")
    with pytest.raises(Unavailable):
        database.run("SELECT 42")
    wire.to_server = True
    until = time.monotonic() + 30
    while True:
        try:
            assert database.run("SELECT 42") == [(42,)]
            break
        except Unavailable:
            assert time.monotonic() < until, "no recovery"
            time.sleep(0.1)
    database.close()


def test_a_statement_whose_outcome_is_unknown_is_not_repeated(wire: Wire, servers: Servers) -> None:
    name = f"noted_{uuid.uuid4().hex}"
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE {name} (x int)".encode())
        connection.execute(f"GRANT INSERT ON {name} TO parlor_app".encode())
        database = Database(url_by(wire), timeout=0.3)
        insert = f"INSERT INTO {name} VALUES (%s)"
        database.run(insert, (1,))
        wire.to_client = False  # the statement arrives, its answer does not
        with pytest.raises(Unavailable):
            database.run(insert, (2,))
        wire.to_client = True
        time.sleep(1)
        assert connection.execute(f"SELECT * FROM {name} ORDER BY x".encode()).fetchall() == [(1,), (2,)]
        connection.execute(f"DROP TABLE {name}".encode())
    database.close()


def refused(database: Database) -> None:
    with pytest.raises(Unavailable):
        database.ping()


def test_a_server_that_is_paused_is_waited_for_once_and_not_by_everybody(servers: Servers) -> None:
    database = Database(servers.postgres.app_url, timeout=0.3)
    database.ping()
    with paused(servers):
        for _ in range(2):
            with pytest.raises(Unavailable):
                database.ping()  # the one that notices, and the one that tries again
        began = time.monotonic()
        waiting = [threading.Thread(target=refused, args=(database,)) for _ in range(40)]
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        assert time.monotonic() - began < 10, "forty callers waited one after another"
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(Unavailable):
            return database.ping()
        time.sleep(0.1)
    pytest.fail("no recovery")


def test_a_paused_database_is_told_as_503_and_the_process_is_well(servers: Servers) -> None:
    settings = Settings(db_timeout_ms=300)
    app = create_app(services(servers.postgres.app_url, servers.valkey.url, settings), settings)
    client: flask.testing.FlaskClient = app.test_client()
    token = client.post("/v1/players", json={"name": "Ann"}).get_json()["token"]
    with paused(servers):
        answer = client.get("/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.get_json()["code"]) == (503, "unavailable")
        assert client.get("/healthz").status_code == 200


def test_a_paused_redis_is_told_of_soon(servers: Servers, client: flask.testing.FlaskClient) -> None:
    assert client.get("/readyz").get_json()["redis"] == "ok"
    (valkey,) = servers_in(servers.valkey.folder)
    valkey.send_signal(signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert client.get("/readyz").get_json() == {"status": "ready", "database": "ok", "redis": "away"}
        assert time.monotonic() - began < 3
    finally:
        valkey.send_signal(signal.SIGCONT)
    assert client.get("/readyz").get_json()["redis"] == "ok"


def test_a_statement_that_takes_too_long_is_ended_by_the_server_and_the_connection_stays(servers: Servers) -> None:
    database = Database(servers.postgres.app_url, timeout=0.3)
    with pytest.raises(Unavailable):
        database.run("SELECT pg_sleep(30)")
    assert len(database._idle) == 1 and database.losses == 0
    assert database.run("SELECT 42") == [(42,)]
    database.close()


def test_the_application_is_no_superuser_and_cannot_become_one(servers: Servers) -> None:
    database = Database(servers.postgres.app_url)
    assert database.run("SELECT session_user, current_user") == [("parlor_app", "parlor_app")]
    assert database.run("SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = session_user") == [
        (False, False, False)
    ]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.run("SET ROLE postgres")
    for table in ("events", "commands"):
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET at = now()", f"TRUNCATE {table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                database.run(statement)
    database.close()


def test_plans_are_kept_except_on_citus(servers: Servers) -> None:
    name = f"citus_{uuid.uuid4().hex}"
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    sharded = servers.postgres.url.replace("/postgres?", f"/{name}?")
    migrate(sharded)
    with psycopg.connect(sharded, autocommit=True) as connection:
        connection.execute("SET allow_system_table_mods = on")
        connection.execute(
            "INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion) "
            "VALUES (99999, 'citus', 10, 2200, false, '14')"
        )
    for url, mode in ((servers.postgres.url, "force_generic_plan"), (sharded, "auto")):
        database = Database(url)
        assert database.run("SELECT current_setting('plan_cache_mode')") == [(mode,)]
        database.close()
    with psycopg.connect(servers.postgres.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_more_threads_than_connections_are_warned_of(servers: Servers, caplog: pytest.LogCaptureFixture) -> None:
    few, many = Settings(api_processes=2, api_threads=8), Settings(api_processes=4, api_threads=64)
    assert connections_needed(many) > 4 * 64 + many.workers
    warn_of_too_few_connections(servers.postgres.app_url, few)
    assert caplog.text == ""
    warn_of_too_few_connections(servers.postgres.app_url, many)
    assert f"may open {connections_needed(many)} connections" in caplog.text and "has 97 for it" in caplog.text
