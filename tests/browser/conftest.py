"""A browser that is really there, in front of a server that really runs."""

from __future__ import annotations

import fcntl
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.api.served import serving
from tests.browser.house import ELSEWHERE, House
from tests.conftest import Servers
from tests.workers.crew import Crew

expect.set_options(timeout=30_000)  # on a machine however busy

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIETLY = [
    "--no-sandbox",  # it does not start as root otherwise
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
]


def found(driver: Playwright) -> str:
    """A browser on this machine; if there is none, one is fetched, by one test process while the others wait."""
    with (pathlib.Path(sys.prefix) / "browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        own = driver.chromium.executable_path
        for fetch in FETCHES:
            if there := next(filter(None, map(shutil.which, (*NAMES, own))), None):
                return there
            fetch()
        if there := next(filter(None, map(shutil.which, (*NAMES, own))), None):
            return there
    pytest.fail(MISSING)


def _by_playwright() -> None:
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def _by_debian() -> None:
    if os.geteuid() == 0 and shutil.which("apt-get"):
        quietly = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for what in (["update"], ["install", "--yes", "--no-install-recommends", "chromium", "fonts-dejavu-core"]):
            subprocess.run(["apt-get", "--quiet", *what], check=False, env=quietly)


FETCHES = (_by_debian, _by_playwright)
MISSING = (
    "No Chromium or Chrome was found, and none could be fetched. Install one so that it is found by one of the names "
    f"{', '.join(NAMES)}: on Debian `sudo apt-get update && sudo apt-get install chromium`, elsewhere "
    "`.venv/bin/playwright install chromium`. Then run `make test` again."
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found(driver), args=QUIETLY)
        yield made
        made.close()


@pytest.fixture(scope="session")
def one_house(servers: Servers, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    crew = Crew(servers)
    with serving(servers, tmp_path_factory.mktemp("served"), PARLOR_STREAMS="20") as server:
        try:
            crew.start("worker")
            crew.start("reconcile")  # it works the ratings out
            yield House(server, browser)
        finally:
            crew.stop()


@pytest.fixture
def house(one_house: House) -> Iterator[House]:
    yield one_house
    one_house.leave()
