"""The README is true: its tables come from the code, and its tour works as printed."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from typing import get_args

import pytest

from domain.games import GAMES
from domain.telling.parts import Kind
from domain.telling.vocabulary import COMMON
from eventstore.settings import Settings, SettingsError, settings, table

ROOT = pathlib.Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
PATIENCE = 180


def games_table() -> str:
    rows = ["| game | seats | |", "|---|---|---|"]
    for game in GAMES:
        usual = game.usual_seats
        seats = f"{usual[0]} to {usual[-1]}" if len(usual) > 2 else " or ".join(map(str, usual))
        if usual[-1] < game.seats[-1]:
            seats += f", {game.seats[-1]} by option"
        rows.append(f"| [{game.title}](docs/games/{game.slug}.md) | {seats} | {game.summary} |")
    return "\n".join(rows)


def test_the_readme_begins_with_the_two_commands() -> None:
    first = README.split("```")[1]
    assert [line.split("#")[0].strip() for line in first.strip().splitlines()] == ["make run", "make test"]


def test_the_readme_lists_every_game_and_every_setting() -> None:
    assert games_table() in README
    assert table() in README


def test_settings_are_checked_all_at_once() -> None:
    wrong = {
        "PARLOR_PORT": "eighty",
        "REDIS_URL": "http://x",
        "PARLOR_WEBHOOK_PRIVATE": "yes",
        "PARLOR_LOG_LEVEL": "loud",
    }
    with pytest.raises(SettingsError) as error:
        settings(wrong)
    assert settings({"PARLOR_WEBHOOK_PRIVATE": "1"}).webhook_private
    assert [line.split()[0] for line in str(error.value).splitlines()] == [
        "PARLOR_PORT",
        "REDIS_URL",
        "PARLOR_WEBHOOK_PRIVATE",
        "PARLOR_LOG_LEVEL",
    ]
    assert settings({}) == Settings()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served:
    def __init__(self, folder: pathlib.Path) -> None:
        self.port = free_port()
        self.environment = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        self.environment |= {"PARLOR_PORT": str(self.port), "PARLOR_DATA": str(folder), "PARLOR_BOT_GRACE_MS": "300"}
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "api.cli", "serve"]
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=subprocess.PIPE, text=True)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).close()
                return process
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the server did not come up")

    def stop(self) -> str:
        self.process.send_signal(signal.SIGINT)
        output, _ = self.process.communicate(timeout=PATIENCE)
        return output


@contextlib.contextmanager
def all_served(data: pathlib.Path) -> Iterator[Served]:
    """`parlor serve` in a folder of its own, from the first start."""
    made = Served(data)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.stop()
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def served(folder: pathlib.Path) -> Iterator[Served]:
    with all_served(folder / "served") as made:
        yield made


@pytest.mark.skipif(shutil.which("curl") is None, reason="the tour is told with curl")
def test_the_tour_works_as_printed_and_what_was_played_survives_a_restart(served: Served) -> None:
    tour = README.split("## A tour in two minutes")[1].split("## The games")[0]
    script = "\n".join(re.findall(r"```bash\n(.*?)```", tour, re.S)).replace(":8000", f":{served.port}")
    script += '\necho; echo "MATCH $match $bob"'
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert '"id":"QU-10"' in done.stdout and '"type":"card_played"' in done.stdout
    match, bob = done.stdout.rstrip().splitlines()[-1].split()[1:]

    second = subprocess.run(
        [sys.executable, "-m", "api.cli", "serve"], cwd=ROOT, env=served.environment, capture_output=True, text=True
    )
    assert second.returncode != 0 and "already" in second.stderr and "Traceback" not in second.stderr
    other = {**served.environment, "PARLOR_PORT": str(free_port())}
    third = subprocess.run(
        [sys.executable, "-m", "api.cli", "serve"], cwd=ROOT, env=other, capture_output=True, text=True
    )
    assert third.returncode != 0 and "running" in third.stderr and "Traceback" not in third.stderr

    output = served.stop()
    assert served.process.returncode == 0
    assert "/docs" in output and "Parlor stops." in output
    served.process = served.start()
    again = urllib.request.Request(
        f"http://127.0.0.1:{served.port}/v1/matches/{match}", headers={"Authorization": f"Bearer {bob}"}
    )
    with urllib.request.urlopen(again, timeout=5) as answer:
        assert answer.status == 200


def test_the_page_on_views_has_every_common_word() -> None:
    page = (ROOT / "docs" / "views.md").read_text()
    for word, meaning in COMMON.items():
        assert f"| `{word}` | {meaning} |" in page, word


def test_the_page_on_views_has_every_kind_of_part() -> None:
    page = (ROOT / "docs" / "views.md").read_text()
    for kind in get_args(Kind):
        assert f"| `{kind}` |" in page, kind
