"""A server to play on: the one that was named, the one that runs here, or one that is started while we play."""

from __future__ import annotations

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Final

import requests

from api.terminal.client import Trouble
from api.terminal.screen import Screen

STARTING: Final = 120.0  # seconds; a first start makes a database
STOPPING: Final = 20.0
PAUSE: Final = 0.2


@contextlib.contextmanager
def server(named: str | None, local: str, screen: Screen) -> Iterator[str]:
    """The address of a server that answers."""
    if named is not None or is_ready(local):
        yield named or local
        return
    answer = screen.ask(f"No Parlor answers at {local}. Start one here for as long as you play? (yes or no) >")
    if answer.lower() not in ("y", "yes", ""):
        raise Trouble("Start a server with `parlor serve`, or name one with --server.")
    with _running(local, screen):
        yield local


def is_ready(address: str) -> bool:
    with contextlib.suppress(requests.RequestException):
        return requests.get(f"{address}/readyz", timeout=5).status_code == 200
    return False


@contextlib.contextmanager
def _running(address: str, screen: Screen) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="parlor-play-") as folder:
        log = pathlib.Path(folder) / "serve.log"
        with log.open("wb") as written:
            # In a session of its own, so that Ctrl-C reaches the player first and the server can be stopped in order.
            process = subprocess.Popen(
                [sys.executable, "-m", "api.cli", "serve"],
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={**os.environ, "PARLOR_LOG_LEVEL": "warning"},
            )
        try:
            screen.show("The server starts …")
            _wait(address, process, log)
            yield
        finally:
            _stop(process)


def _wait(address: str, process: subprocess.Popen[bytes], log: pathlib.Path) -> None:
    until = time.monotonic() + STARTING
    while not is_ready(address):
        if process.poll() is not None or time.monotonic() > until:
            said = log.read_text(errors="replace").strip().splitlines()
            raise Trouble(f"The server did not start: {said[-1] if said else 'it said nothing'}")
        time.sleep(PAUSE)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOPPING)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
