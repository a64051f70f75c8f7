"""The processes of the HTTP server: as many as were asked for, started again when they die, gone when we are gone."""

from __future__ import annotations

import contextlib
import ctypes
import dataclasses
import functools
import logging
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Final

import click

from api.app import create_app, services
from api.gate.server import BACKLOG, Gate
from api.gate.siblings import Family, Sibling
from api.metrics import Slots, Tally
from eventstore import memory
from eventstore.settings import Settings
from workers.bell import Ear

log = logging.getLogger("parlor.gate")

SEND_BUFFER: Final = 65_536  # what the system keeps for a slow reader, on top of what we do
SPARE_FILES: Final = 256  # for everything that is not a connection of a client
RESTART_PAUSE: Final = 0.5
STOP_SECONDS: Final = 1.6  # a little more than a process takes to let go of its readers
PR_SET_PDEATHSIG: Final = 1
OURS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}


def serve(settings: Settings, database_url: str, redis_url: str) -> None:
    """Runs until it is told to stop."""
    settings = dataclasses.replace(settings, connections=_allowed(settings.connections))
    count = settings.api_processes
    sockets = listeners(settings.host, settings.port, count)
    slots, family = Slots(count), Family(count)

    def answer(number: int) -> None:
        interrupt_nobody()
        if settings.api_pinned:
            stay_on_one_core(number, count)
        tally = Tally(slots, number)
        sibling = Sibling(family, number)
        parlor = services(database_url, redis_url, settings, sibling)
        app = create_app(parlor, settings, tally)
        memory.settle()
        Ear(redis_url, sibling.server, of_all=parlor.crier.heard, of_others=parlor.hub.heard).start()
        look_after = functools.partial(_look_after, tally, first)
        Gate(app.wsgi_app, settings, parlor.hub, parlor.crier, look_after).run(sockets[number])

    first = os.getpid()
    keep_running(count, answer)


def _look_after(tally: Tally, first: int) -> None:
    tally.publish()
    if os.getppid() != first:  # where the system does not see to that itself
        os._exit(1)


def interrupt_nobody() -> None:
    """A thread whose turn it could be lets the one that runs come to a stop by itself, which it does within a
    millisecond or so. Most of the time the one that runs has Python's lock, and whoever interrupts it could only wait.
    """
    if hasattr(os, "SCHED_BATCH"):
        with contextlib.suppress(OSError):  # some containers have no other way than the usual one
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def stay_on_one_core(number: int, count: int) -> None:
    """The threads of a process take turns anyway, since Python has one lock for all of them. On one core they hand it
    over at once; across cores they wait for one another, and what they work on has to follow them.

    Where there are cores to spare the system knows better which of them is free.
    """
    if not hasattr(os, "sched_setaffinity"):
        return
    cores = sorted(os.sched_getaffinity(0))
    if count >= len(cores):
        os.sched_setaffinity(0, {cores[number % len(cores)]})


def listeners(host: str, port: int, count: int) -> list[socket.socket]:
    """A socket for each process. They stay open while one is started again, so nobody who is in line is sent away.

    With one socket for all, whichever process wakes first would take most of the connections. Where the system does
    not share a port out evenly, it is one socket all the same.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    shared = count > 1 and sys.platform == "linux"
    try:
        with _socket(family) as probe:
            probe.bind(address)  # fails if anybody else is there, which sharing would hide
    except OSError as error:
        raise click.ClickException(f"cannot listen on {host}, port {port}: {error.strerror}") from None
    made = []
    for _ in range(count if shared else 1):
        one = _socket(family)
        if shared:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        one.bind(address)
        one.listen(BACKLOG)
        one.setblocking(False)
        made.append(one)
    return made if shared else made * count


def _socket(family: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return made


def _allowed(connections: int) -> int:
    """Every connection is an open file, and the system may not allow us that many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        log.warning("the system allows %d open files, too few for PARLOR_CONNECTIONS=%d", allowed, connections)
    return max(1, min(connections, allowed - SPARE_FILES))


def keep_running(count: int, work: Callable[[int], None]) -> None:
    """Everything is imported once, here; the processes are copies of this one and are there at once."""
    signal.pthread_sigmask(signal.SIG_BLOCK, OURS)
    running: dict[int, tuple[int, float]] = {}

    def start(number: int) -> None:
        running[_start(work, number)] = number, time.monotonic()

    try:
        for number in range(count):
            start(number)
        while signal.sigwait(OURS) == signal.SIGCHLD:
            for pid in _ended(running):
                number, began = running.pop(pid)
                log.error("process %d of the API died and is started again", number + 1)
                if time.monotonic() - began < RESTART_PAUSE:
                    time.sleep(RESTART_PAUSE)
                start(number)
    finally:
        _stop(running)


def _start(work: Callable[[int], None], number: int) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        _end_with(parent)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, OURS)
        work(number)
        status = 0
    except BaseException:
        log.exception("a process of the API failed")
    finally:
        # No thread is waited for: one may hang in a statement.
        os._exit(status)


def _end_with(parent: int) -> None:
    """If the first process is killed outright, nobody stays behind and keeps the port."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _ended(running: dict[int, tuple[int, float]]) -> list[int]:
    return [pid for pid in running if os.waitpid(pid, os.WNOHANG)[0]]


def _stop(running: dict[int, tuple[int, float]]) -> None:
    for pid in running:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + STOP_SECONDS
    while running and time.monotonic() < until:
        for pid in _ended(running):
            del running[pid]
        time.sleep(0.02)
    for pid in running:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
