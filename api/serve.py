"""Everything on one machine: the servers, the API, the workers and the reconciler, started and stopped together."""

from __future__ import annotations

import contextlib
import http.client
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import click

from eventstore import processes
from eventstore.db import connections_left
from eventstore.embedded import Postgres, Server, Valkey, folder_lock
from eventstore.housing import data_folder, home
from eventstore.migrate import migrate
from eventstore.processes import WATCHDOG, Child, Steps
from eventstore.running import Addresses, announced
from eventstore.settings import Settings
from eventstore.signing import made, read_key
from workers import threads

log = logging.getLogger("parlor.serve")

PART_STEPS: Final[Steps] = ((signal.SIGTERM, 2.0),)  # a part that is killed in the middle of its work loses nothing
PORT_PATIENCE: Final = 3.0  # seconds for the port of a Parlor that was killed to become free
ANSWER_PATIENCE: Final = 1.0  # seconds in which the API has to answer once it is there
PAUSES: Final = (0.2, 10.0)  # seconds before something is started again: at first, at most
SETTLED: Final = 20.0  # seconds after which the first pause is due again


class Servers(NamedTuple):
    database_url: str
    redis_url: str
    migrate_url: str
    embedded: tuple[Server, ...]


@contextlib.contextmanager
def servers(settings: Settings) -> Iterator[Servers]:
    """The database and the bell: those that were named, or real ones of our own."""
    with contextlib.ExitStack() as stack:
        database_url, redis_url, migrate_url = settings.database_url, settings.redis_url, settings.migrate_url
        embedded: list[Server] = []
        system = settings.system_data
        if _brings_servers(settings):
            folder = home(settings.data, system)
            stack.callback(lambda: _discard(embedded))
        if database_url is None:
            postgres = Postgres(folder / "postgres", connections=connections_needed(settings) + 10, system=system)
            embedded.append(postgres)
            database_url, migrate_url = postgres.app_url, postgres.url
        if redis_url is None:
            valkey = Valkey(folder / "valkey", system=system)
            embedded.append(valkey)
            redis_url = valkey.url
        yield Servers(database_url, redis_url, migrate_url or database_url, tuple(embedded))


def _brings_servers(settings: Settings) -> bool:
    return settings.database_url is None or settings.redis_url is None


def _embedded(settings: Settings, found: Servers) -> Addresses:
    """What others on this machine cannot know: a server that was named to us can be named to them."""
    return Addresses(
        None if settings.database_url else found.database_url, None if settings.redis_url else found.redis_url
    )


def _discard(embedded: list[Server]) -> None:
    """Side by side: a server that hangs must not keep the other waiting."""
    threads = [threading.Thread(target=server.discard) for server in embedded]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


class Part:
    """A process that runs one of our commands."""

    def __init__(self, name: str, environment: dict[str, str]) -> None:
        self.name, self._environment = name, environment
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "api.cli", self.name]
        self.child = Child(command, steps=PART_STEPS, environment=self._environment)

    def died(self) -> bool:
        if not self.child.died():
            return False
        processes.kill_group(self.child.pid)  # what it has started goes with it, and gives the port free
        return True


class Watch:
    """Looks after one thing and starts it again when it dies: after a pause, and a longer one if it dies again."""

    def __init__(self, name: str, died: Callable[[], bool], start: Callable[[], None]) -> None:
        self._name, self._died, self._start = name, died, start
        self._pause, self._began = PAUSES[0], time.monotonic()
        self._due: float | None = None

    def look(self) -> None:
        now = time.monotonic()
        if self._due is None:
            if not self._died():
                return
            if now - self._began > SETTLED:
                self._pause = PAUSES[0]
            log.error("%s died and is started again in %.1f s", self._name, self._pause)
            self._due, self._pause = now + self._pause, min(self._pause * 2, PAUSES[1])
        elif now >= self._due:
            self._due, self._began = None, now
            try:
                self._start()
            except Exception:
                log.exception("%s could not be started", self._name)


def port_is_free(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _wait_for_port(settings: Settings) -> None:
    until = time.monotonic() + PORT_PATIENCE
    while not port_is_free(settings.host, settings.port):
        if time.monotonic() > until:
            raise click.ClickException(
                f"port {settings.port} is taken: is Parlor running already? PARLOR_PORT chooses another"
            )
        time.sleep(0.1)


def _answers(settings: Settings) -> bool:
    """Whether the API is there by now: it starts a moment after everything else."""
    connection = http.client.HTTPConnection(settings.host, settings.port, timeout=ANSWER_PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def connections_needed(settings: Settings) -> int:
    """The connections that all parts together can have: one a thread and two more in each process of the API,
    for streams and to look on, one a worker, and those of the reconciler, the post and the notary included."""
    return settings.api_processes * (settings.api_threads + 2) + settings.workers + threads.OF_THE_CLOCK + 4


def warn_of_too_few_connections(url: str, settings: Settings) -> None:
    needed, there = connections_needed(settings), connections_left(url)
    if needed > there:
        log.warning(
            "Parlor may open %d connections (PARLOR_API_PROCESSES x PARLOR_API_THREADS, PARLOR_WORKERS and a few), "
            "and PostgreSQL has %d for it: raise its max_connections, or some requests get 503",
            needed,
            there,
        )


def serve(settings: Settings) -> None:
    """Runs until it is told to stop."""
    endings = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup wants it
        endings.append(signal.SIGHUP)
    for number in endings:
        signal.signal(number, signal.default_int_handler)  # a start may be broken off anywhere
    try:
        with contextlib.ExitStack() as stack:
            _run(settings, endings, stack)
    except KeyboardInterrupt:
        click.echo("Parlor was stopped while it started.")


def _run(settings: Settings, endings: list[signal.Signals], stack: contextlib.ExitStack) -> None:
    stop = threading.Event()
    if settings.signing_key is not None:
        read_key(settings.signing_key)  # told once, here: the parts would die of it again and again
    if _brings_servers(settings):
        stack.enter_context(folder_lock(data_folder(settings.data)))
    _wait_for_port(settings)
    found = stack.enter_context(servers(settings))
    migrate(found.migrate_url, app=found.database_url)
    if _brings_servers(settings):
        stack.enter_context(announced(data_folder(settings.data), _embedded(settings, found)))
    environment = {**os.environ, "DATABASE_URL": found.database_url, "REDIS_URL": found.redis_url}
    environment.pop("PARLOR_MIGRATE_URL", None)
    if settings.signing_key is None:
        environment["PARLOR_SIGNING_KEY"] = str(made(data_folder(settings.data)).resolve())
    parts: list[Part] = []
    stack.callback(lambda: processes.stop(part.child for part in parts))
    for name in ("reconcile", *["worker"] * settings.workers, "api"):
        parts.append(Part(name, environment))
    watches = [Watch("the watchdog", WATCHDOG.died, WATCHDOG.start)]
    watches += [Watch(server.name, server.died, server.launch) for server in found.embedded]
    watches += [Watch(part.name, part.died, part.start) for part in parts]
    for number in endings:
        signal.signal(number, lambda *_: stop.set())
    address, told = f"http://{settings.host}:{settings.port}", False
    while not stop.wait(0.1):
        for watch in watches:
            watch.look()
        if not told and _answers(settings):
            click.echo(f"Parlor serves on {address}, the reference is at {address}/docs. Ctrl-C stops it.")
            told = True
    click.echo("Parlor stops.")
