"""Processes that never outlive us, and how they are ended.

Two things see to it. On Linux the kernel sends a process its signal the moment that we die. And a watchdog, a small
process of its own, notices that its end of a pipe was closed: it works everywhere, it waits, and it kills what does
not listen.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, Final, NamedTuple

import psutil

log = logging.getLogger("parlor.processes")

PR_SET_PDEATHSIG: Final = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None
TICK: Final = 0.02
KILLS: Final = 5  # a second apart; what the kernel itself cannot end is left
SERVERS: Final = ("postgres", "valkey-server")

Steps = tuple[tuple[int, float], ...]  # signals, and the seconds a process has to answer each of them


class Ending(NamedTuple):
    """How a process is ended: signal by signal, then by force."""

    process: psutil.Process
    steps: Steps
    folder: str = ""  # what a server leaves behind in this folder is killed as well


def alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def servers_in(folder: pathlib.Path) -> list[psutil.Process]:
    """The servers that work in this folder, and their children, whoever started them."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.name() in SERVERS and process.cwd() == str(folder) and alive(process):
                found.append(process)
    return found


def kill_servers_in(folder: pathlib.Path) -> None:
    killed = servers_in(folder)
    for process in killed:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(killed, timeout=KILLS)


def kill_group(pid: int) -> None:
    """All that a process has started, unless it went into a session of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def end(endings: Iterable[Ending]) -> None:
    """Ends processes side by side, so that they take as long as the slowest and not as all of them together."""
    force: Steps = ((signal.SIGKILL, 1.0),) * KILLS
    waiting = [(ending, iter((*ending.steps, *force)), 0.0) for ending in endings]
    while waiting:
        rest = []
        for ending, steps, until in waiting:
            if not alive(ending.process):
                if ending.folder:
                    kill_servers_in(pathlib.Path(ending.folder))
                continue
            if time.monotonic() >= until:
                step = next(steps, None)
                if step is None:
                    log.error("process %d cannot be ended", ending.process.pid)
                    continue
                until = time.monotonic() + step[1]
                _signal(ending.process, step[0])
            rest.append((ending, steps, until))
        waiting = rest
        if waiting:
            time.sleep(TICK)


def _signal(process: psutil.Process, number: int) -> None:
    if number == signal.SIGKILL:
        kill_group(process.pid)
    with contextlib.suppress(psutil.Error):
        process.send_signal(number)


# ── The watchdog ────────────────────────────────────────────────────────────────────────────────────────────────


class Watchdog:
    """Our side of the watchdog: it is told what to end and what to remove, should we be gone."""

    def __init__(self) -> None:
        self._told: dict[str, dict[str, Any]] = {}
        self._held: tuple[int, ...] = ()
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def hold(self, descriptor: int) -> None:
        """A lock that is free only when the watchdog has done its work. Before anything else is told."""
        self._held = (*self._held, descriptor)

    def let_go(self, descriptor: int) -> None:
        self._held = tuple(held for held in self._held if held != descriptor)
        if self._process is not None:
            self._send({"retire": True})
            self._process.wait()
            self._process = None
        if self._told:
            self.start()

    def end(self, pid: int, steps: Steps, folder: str = "") -> None:
        self._tell({"key": f"process {pid}", "pid": pid, "steps": steps, "folder": folder})

    def remove(self, folder: pathlib.Path) -> None:
        self._tell({"key": f"folder {folder}", "remove": str(folder)})

    def forget(self, what: int | pathlib.Path) -> None:
        key = f"process {what}" if isinstance(what, int) else f"folder {what}"
        with self._lock:
            self._told.pop(key, None)
            self._send({"key": key, "forget": True})

    def died(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def start(self) -> None:
        """Starts it, or starts it again, and tells it everything."""
        with self._lock:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "eventstore.watchdog"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                pass_fds=self._held,
            )
            for told in self._told.values():
                self._send(told)

    def _tell(self, told: dict[str, Any]) -> None:
        if self._process is None or self.died():
            self.start()
        with self._lock:
            self._told[told["key"]] = told
            self._send(told)

    def _send(self, told: dict[str, Any]) -> None:
        if self._process is None:
            return
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it died: the next start tells it all again
            self._process.stdin.write(json.dumps(told).encode() + b"\n")
            self._process.stdin.flush()


WATCHDOG: Final = Watchdog()  # one a process


# ── Children ────────────────────────────────────────────────────────────────────────────────────────────────────


def _dying_with_us(number: int) -> Callable[[], None] | None:
    """What a child does before it begins, so that the kernel ends it with us.

    The kernel watches the thread that started the child. Only the main thread lives as long as we do.
    """
    if _LIBC is None or threading.current_thread() is not threading.main_thread():
        return None
    libc, parent = _LIBC, os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)

    return ask


class Child:
    """A process of ours in a session of its own: Ctrl-C reaches us alone, and we end it in order."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        steps: Steps,
        environment: Mapping[str, str],
        user: tuple[int, int] | None = None,  # uid and gid, if not ours
        output: IO[bytes] | None = None,
        folder: str = "",
        cwd: str | None = None,
    ) -> None:
        run_as: dict[str, Any] = {"user": user[0], "group": user[1], "extra_groups": []} if user else {}
        self._popen = subprocess.Popen(
            command,
            env=dict(environment),
            stdin=subprocess.DEVNULL if output else None,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=_dying_with_us(steps[0][0]),
            **run_as,
        )
        self._steps, self._folder = steps, folder
        WATCHDOG.end(self.pid, steps, folder)

    @property
    def pid(self) -> int:
        return self._popen.pid

    def died(self) -> bool:
        if self._popen.poll() is None:
            return False
        WATCHDOG.forget(self.pid)
        return True

    def wait(self) -> int:
        code = self._popen.wait()
        WATCHDOG.forget(self.pid)
        return code

    def ending(self, steps: Steps | None = None) -> Ending | None:
        """Nothing if it has ended by itself."""
        if self.died():
            return None
        return Ending(psutil.Process(self.pid), steps or self._steps, self._folder)


def stop(children: Iterable[Child], steps: Steps | None = None) -> None:
    """Ends all of them at the same time."""
    children = list(children)
    end([ending for child in children if (ending := child.ending(steps)) is not None])
    for child in children:
        child.wait()
