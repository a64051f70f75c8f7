"""The processes of the API: they stop in time, come back when they die, leave nothing behind, and count together."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import flask.testing
import pytest

from api.app import Services, create_app
from api.metrics import Slots, Tally
from api.web import REQUESTS
from eventstore.settings import Settings
from tests.api.served import ROOT, Server, all_open, serving
from tests.conftest import Servers

SOON = 4.0  # seconds; it should be two, on a machine that has nothing else to do
TOKEN = "0123456789abcdef"


TWO = {"PARLOR_API_PROCESSES": "2", "PARLOR_METRICS": TOKEN}


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, **TWO) as made:
        yield made


@pytest.fixture
def mortal(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    """For tests that end it."""
    with serving(servers, folder, **TWO) as made:
        yield made


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in pathlib.Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_in_time_whoever_is_still_connected(mortal: Server, number: signal.Signals) -> None:
    asking = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n"
    with all_open(20, lambda: mortal.open(asking, buffer=4096)), all_open(20, mortal.open):
        children = mortal.children()
        began = time.monotonic()
        mortal.process.send_signal(number)
        assert mortal.process.wait(20) == 0
        assert time.monotonic() - began < SOON
        assert not any(map(alive, children))


def test_a_process_that_dies_is_started_again(server: Server) -> None:
    first = server.children()
    for pid in first:
        os.kill(pid, signal.SIGKILL)
    server.wait_until(lambda: len(server.children()) == 2 and not set(server.children()) & set(first))
    for _ in range(10):
        assert server.get("/healthz").status == 200


def test_nobody_stays_behind_when_the_first_process_is_killed(mortal: Server) -> None:
    children = mortal.children()
    assert len(children) == 2
    mortal.process.kill()
    mortal.process.wait()
    mortal.wait_until(lambda: not any(map(alive, children)))
    command = [sys.executable, "-m", "api.cli", "api"]
    again = subprocess.Popen(command, cwd=ROOT, env=mortal.environment, stderr=subprocess.PIPE)
    try:
        mortal.wait_until(lambda: mortal.get("/healthz").status == 200)
    finally:
        again.terminate()
        again.wait()


def test_a_second_server_does_not_share_the_port(server: Server) -> None:
    command = [sys.executable, "-m", "api.cli", "api"]
    second = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True, timeout=60)
    assert second.returncode == 1
    assert f"port {server.port}" in second.stderr and "Traceback" not in second.stderr


# ── Cores ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def ours() -> Iterator[list[int]]:
    """Two cores, where there are as many, of which alone a server may make use."""
    before = os.sched_getaffinity(0)
    few = sorted(before)[:2]
    os.sched_setaffinity(0, few)
    yield few
    os.sched_setaffinity(0, before)


def cores(server: Server) -> list[set[int]]:
    """Where the threads of each process may run."""
    threads = [pathlib.Path(f"/proc/{pid}/task").iterdir() for pid in server.children()]
    return [set().union(*(os.sched_getaffinity(int(one.name)) for one in tasks)) for tasks in threads]


def test_where_there_is_a_process_for_every_core_each_stays_on_its_own(
    servers: Servers, folder: pathlib.Path, ours: list[int]
) -> None:
    with serving(servers, folder, PARLOR_API_PROCESSES=str(len(ours))) as server:
        server.wait_until(lambda: sorted(cores(server), key=list) == [{core} for core in ours])


def test_by_setting_and_where_there_are_cores_to_spare_the_system_decides(
    servers: Servers, folder: pathlib.Path, ours: list[int]
) -> None:
    with serving(servers, folder, PARLOR_API_PROCESSES=str(len(ours)), PARLOR_API_PINNED="0") as server:
        assert cores(server) == [set(ours)] * len(ours)
    if len(ours) > 1:
        with serving(servers, folder, PARLOR_API_PROCESSES="1") as server:
            assert cores(server) == [set(ours)]


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="this system has no such way of taking turns")
def test_no_thread_of_a_process_interrupts_another(server: Server) -> None:
    threads = [task for pid in server.children() for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]
    assert {os.sched_getscheduler(int(one.name)) for one in threads} == {os.SCHED_BATCH}
    assert os.sched_getscheduler(server.process.pid) == os.SCHED_OTHER


# ── Counters ────────────────────────────────────────────────────────────────────────────────────────────────────


def counted(server: Server) -> int:
    told = server.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert told.status == 200
    found = re.search(
        rb'^parlor_requests_total\{endpoint="operations.healthz",status="200"\} ([0-9.]+)$', told.body, re.M
    )
    return int(float(found[1])) if found else 0


def test_counters_are_those_of_all_processes_and_outlive_them(server: Server) -> None:
    before = counted(server)
    for _ in range(50):
        assert server.get("/healthz").status == 200
    server.wait_until(lambda: counted(server) == before + 50)
    time.sleep(2.5)  # what was counted since a process last told goes with it
    first = server.children()
    for pid in first:
        os.kill(pid, signal.SIGKILL)
    server.wait_until(lambda: len(server.children()) == 2 and not set(server.children()) & set(first))
    assert counted(server) == before + 50


def test_no_file_is_counted_in(servers: Servers, folder: pathlib.Path) -> None:
    """A full disk ends a process that writes to a mapped file."""
    mapped = folder / "mapped"
    mapped.mkdir()
    with serving(servers, folder, PROMETHEUS_MULTIPROC_DIR=str(mapped)) as server:
        assert server.get("/healthz").status == 200
        opened = [os.readlink(entry) for entry in pathlib.Path(f"/proc/{server.children()[0]}/fd").iterdir()]
    assert list(mapped.iterdir()) == [] and not any(name.endswith(".db") for name in opened)


def test_half_written_counters_are_not_believed() -> None:
    slots = Slots(2)
    Tally(slots, 0).publish()
    whole = slots.read(0)
    slots._memory[20] ^= 1
    assert whole and slots.read(0) == b""
    REQUESTS.labels("test", 200).inc()
    assert b'parlor_requests_total{endpoint="test",status="200"} 1.0' in Tally(slots, 1).exposition()


def test_metrics_are_for_those_whom_the_setting_lets_in(parlor: Services, settings: Settings) -> None:
    def client(metrics: str) -> flask.testing.FlaskClient:
        return create_app(parlor, Settings(metrics=metrics)).test_client()

    assert client("off").get("/metrics").get_json()["code"] == "not_found"
    assert Settings().metrics == "off"
    assert client("open").get("/metrics").status_code == 200
    for wrong in ("", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", "Bearer \u00e9"):
        told = client(TOKEN).get("/metrics", headers={"Authorization": wrong})
        assert told.status_code == 401 and told.headers["WWW-Authenticate"]
    assert client(TOKEN).get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
