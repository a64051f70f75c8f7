"""The command line as a whole."""

from __future__ import annotations

import subprocess
import sys

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
