"""A browser that is really there, in front of a server that really runs."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.api.served import serving
from tests.browser.house import House
from tests.conftest import Servers
from tests.workers.crew import Crew

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIETLY = [
    "--no-sandbox",  # it does not start as root otherwise
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
]


def found(driver: Playwright) -> str:
    """A browser on this machine; if there is none, one is fetched."""
    if there := next(filter(None, map(shutil.which, NAMES)), None):
        return there
    own = driver.chromium.executable_path
    if not pathlib.Path(own).exists():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if pathlib.Path(own).exists():
        return own
    if os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(["apt-get", "install", "--yes", "--quiet", "chromium"], check=False)
    if there := shutil.which("chromium"):
        return there
    pytest.fail("No Chromium or Chrome was found, and none could be fetched: install one of them, then run this again.")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found(driver), args=QUIETLY)
        yield made
        made.close()


@pytest.fixture(scope="session")
def house(servers: Servers, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    crew = Crew(servers)
    with serving(servers, tmp_path_factory.mktemp("served"), PARLOR_STREAMS="20") as server:
        try:
            crew.start("worker")
            yield House(server, browser)
        finally:
            crew.stop()
