"""`parlor serve` as a whole: whatever is killed comes back, and when it is killed itself nothing stays behind."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

pytestmark = pytest.mark.timeout(240)
ROOT = pathlib.Path(__file__).parents[2]
READY = {"status": "ready", "database": "ok", "redis": "ok"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Parlor:
    """A `parlor serve` in a folder of its own."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.data, self.port, self._log = folder / "data", free_port(), folder / "out"
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
        few = {"PARLOR_API_PROCESSES": "1", "PARLOR_WORKERS": "1", "PARLOR_DB_TIMEOUT_MS": "500"}
        here = {"PARLOR_PORT": str(self.port), "PARLOR_DATA": str(self.data)}
        found = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        self._environment = {**kept, **few, **here, "PYTHONPATH": found}

    def start(self) -> Parlor:
        with self._log.open("ab") as written:
            command = [sys.executable, "-m", "api.cli", "serve"]
            self.process = subprocess.Popen(
                command, env=self._environment, cwd=self._log.parent, stdout=written, stderr=subprocess.STDOUT
            )
        return self

    def until_ready(self) -> Parlor:
        self.until(lambda: self.ask("/readyz") == (200, READY), "it is ready")
        return self

    def until(self, true: Callable[[], bool], what: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while not true():
            assert time.monotonic() < end, f"waited in vain until {what}:\n{self._log.read_text()}"
            assert self.process.poll() is None or what == "all are gone", self._log.read_text()
            time.sleep(0.05)

    def ask(self, path: str, token: str = "", body: Any = None) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
        raw = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", raw, headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)
        except OSError:
            return 0, None

    def family(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def child(self, words: str) -> psutil.Process:
        """The child of `serve` itself whose command line has these words."""
        found = []
        for one in psutil.Process(self.process.pid).children():
            with contextlib.suppress(psutil.Error):  # it died just now
                found += [one] if words in " ".join(one.cmdline()) else []
        (only,) = found
        return only

    def log(self) -> str:
        return self._log.read_text()

    def stop(self, seconds: float) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(seconds)


@pytest.fixture
def parlor() -> Iterator[Parlor]:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir="/tmp"))
    folder.chmod(0o755)
    made = Parlor(folder)
    yield made
    if made.process.poll() is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            made.stop(30)
        made.process.kill()
        made.process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def test_whatever_is_killed_comes_back_and_a_kill_of_all_leaves_nothing(parlor: Parlor) -> None:
    parlor.start().until_ready()
    token = parlor.ask("/v1/players", body={"name": "Ann"})[1]["token"]

    # Given a server with an open port of its own and no other.
    ports = {one.laddr.port for process in parlor.family() for one in process.net_connections("inet")}
    assert ports == {parlor.port}
    assert stat.S_IMODE(parlor.data.stat().st_mode) == 0o700
    assert stat.S_IMODE((parlor.data / "lock").stat().st_mode) == 0o600

    # When any part is killed outright.
    for words in ("postgres -D", "valkey-server", "cli worker", "cli reconcile", "cli api"):
        before = parlor.child(words)
        before.kill()
        parlor.until(lambda words=words, before=before: _came_back(parlor, words, before), f"{words} came back")  # type: ignore[misc]
        parlor.until_ready()
    backend = next(one for one in parlor.child("postgres -D").children() if "parlor_app" in " ".join(one.cmdline()))
    backend.kill()

    # Then everything works as before. PostgreSQL may need a moment to notice, and to recover.
    parlor.until(lambda: parlor.ask("/v1/me", token)[1].get("name") == "Ann", "the database is back")

    # When all is killed by the death of the one that started it, then nothing stays.
    family = parlor.family()
    parlor.process.kill()
    parlor.process.wait()
    # The next one can start at once, on the same port and the same data.
    parlor.start().until_ready()
    parlor.until(lambda: not any(map(_lives, family)), "nothing is left of the first")
    assert parlor.ask("/v1/me", token)[1]["name"] == "Ann"
    family = parlor.family()
    parlor.stop(8)
    parlor.until(lambda: not any(one.is_running() for one in family), "all are gone", 10)
    assert "Traceback" not in parlor.log()


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _came_back(parlor: Parlor, words: str, before: psutil.Process) -> bool:
    try:
        return parlor.child(words).pid != before.pid
    except ValueError:
        return False


def test_whoever_is_told_that_it_serves_finds_it_there(parlor: Parlor) -> None:
    parlor.start()
    parlor.until(lambda: "Parlor serves on" in parlor.log(), "it says that it serves")
    assert parlor.ask("/healthz")[0] == 200


def test_a_database_that_hangs_neither_blocks_the_others_nor_the_end(parlor: Parlor) -> None:
    parlor.start().until_ready()
    token = parlor.ask("/v1/players", body={"name": "Ann"})[1]["token"]
    postmaster = parlor.child("postgres -D")
    hung = [postmaster, *postmaster.children(recursive=True)]
    for process in hung:
        process.suspend()
    for _ in range(12):
        assert parlor.ask("/v1/me", token)[0] == 503
    assert parlor.ask("/healthz")[0] == 200
    assert parlor.ask("/readyz")[0] == 503
    for process in hung:
        process.resume()
    parlor.until(lambda: parlor.ask("/v1/me", token)[0] == 200, "the database is back")
    for process in [postmaster, *postmaster.children(recursive=True)]:
        process.suspend()
    parlor.stop(20)
    assert not postmaster.is_running()


def test_a_kill_in_the_middle_of_the_first_start_costs_nothing(parlor: Parlor) -> None:
    parlor.start()
    parlor.until(lambda: any(parlor.data.glob("postgres.half-*/PG_VERSION")), "the first start has begun")
    parlor.process.kill()
    parlor.process.wait()
    parlor.start().until_ready()
    assert list(parlor.data.glob("postgres.half-*")) == []


def test_a_second_parlor_in_the_same_folder_is_told_so(parlor: Parlor) -> None:
    parlor.start()
    parlor.until(lambda: (parlor.data / "lock").exists() and bool((parlor.data / "lock").read_text()), "it has begun")
    second = subprocess.run(
        [sys.executable, "-m", "api.cli", "serve"],
        env={**parlor._environment, "PARLOR_PORT": str(free_port())},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert second.returncode == 1 and f"process {parlor.process.pid}" in second.stderr
    # A start can be broken off as well.
    parlor.stop(20)
