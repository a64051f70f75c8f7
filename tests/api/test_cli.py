"""The command line as a whole."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from api.cli import ELSEWHERE, parlor


def test_every_command_is_listed_and_can_be_loaded() -> None:
    told = CliRunner().invoke(parlor, ["--help"]).output
    for name in (*parlor.commands, *ELSEWHERE):
        assert f"\n  {name} " in told
        assert CliRunner().invoke(parlor, [name, "--help"]).exit_code == 0


def test_whoever_plays_waits_for_neither_the_rules_nor_the_database() -> None:
    unwanted = {"domain.games", "flask", "psycopg", "redis"}
    script = f"import sys, api.cli, api.terminal.opening; print(*{unwanted} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("command", ["api", "serve", "reconcile"])
def test_a_signing_key_that_cannot_be_read_is_told_of_once_before_anything_starts(command: str) -> None:
    wrong = {
        "PARLOR_SIGNING_KEY": "/no/such/key",
        "DATABASE_URL": "postgresql://127.0.0.1:1/x",
        "REDIS_URL": "redis://:1",
    }
    done = subprocess.run(
        [sys.executable, "-m", "api.cli", command],
        env={**os.environ, **wrong},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr == "Error: the signing key /no/such/key cannot be read: No such file or directory\n"
