"""Everything on one machine: the servers, the API, the workers and the reconciler, started and stopped together."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

import click

from eventstore.embedded import Postgres, Valkey, folder_lock
from eventstore.migrate import migrate
from eventstore.settings import Settings

log = logging.getLogger("parlor.serve")

PATIENCE = 10.0  # seconds a part has to end by itself
RESTART_PAUSE = 0.5
PR_SET_PDEATHSIG = 1


class Servers(NamedTuple):
    database_url: str
    redis_url: str


@contextlib.contextmanager
def servers(settings: Settings) -> Iterator[Servers]:
    """The database and the bell: those that were named, or real ones of our own."""
    with contextlib.ExitStack() as stack:
        database_url, redis_url = settings.database_url, settings.redis_url
        if database_url is None or redis_url is None:
            stack.enter_context(folder_lock(settings.data))
        if database_url is None:
            postgres = Postgres(settings.data.resolve() / "postgres")
            stack.callback(postgres.stop)
            database_url = postgres.url
        if redis_url is None:
            valkey = Valkey(settings.data.resolve() / "valkey")
            stack.callback(valkey.stop)
            redis_url = valkey.url
        yield Servers(database_url, redis_url)


def _end_with_parent() -> None:
    """Where the system can do that: if we are killed outright, no part stays behind and holds the port."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Part:
    """A process of ours. It is started again when it dies."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.name, self._environment = name, environment
        self.start()

    def start(self) -> None:
        # A session of its own: Ctrl-C reaches us alone, and we stop the parts in order.
        command = [sys.executable, "-m", "api.cli", self.name]
        self._process = subprocess.Popen(
            command, env=self._environment, start_new_session=True, preexec_fn=_end_with_parent
        )

    def died(self) -> bool:
        return self._process.poll() is not None

    def stop(self) -> None:
        if self.died():
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def serve(settings: Settings) -> None:
    """Runs until it is told to stop."""
    if not port_is_free(settings.host, settings.port):
        raise click.ClickException(
            f"port {settings.port} is taken: is Parlor running already? PARLOR_PORT chooses another"
        )
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with servers(settings) as (database_url, redis_url), contextlib.ExitStack() as stack:
        migrate(database_url)
        environment = {**os.environ, "DATABASE_URL": database_url, "REDIS_URL": redis_url}
        parts = [Part(name, environment) for name in ("reconcile", *["worker"] * settings.workers, "api")]
        for part in parts:
            stack.callback(part.stop)
        address = f"http://{settings.host}:{settings.port}"
        click.echo(f"Parlor serves on {address}, the reference is at {address}/docs. Ctrl-C stops it.")
        while not stop.wait(0.2):
            for part in parts:
                if part.died():
                    log.error("%s died and is started again", part.name)
                    time.sleep(RESTART_PAUSE)
                    part.start()
        click.echo("Parlor stops.")
