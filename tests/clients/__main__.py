"""`make clients`: what authors of clients do with openapi.yaml goes without a warning.

Two linters read the document, three generators make clients from it, and their code passes the strictest type checkers
of its language. One in Python and one in TypeScript play whole matches against a server. Node comes as a wheel, its tools
from npm; where npm cannot be reached only Python's tools run.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from tests.clients.npm import installed, run
from tests.test_readme import Served

HERE: Final = pathlib.Path(__file__).parent
ROOT: Final = HERE.parent.parent
DOCUMENT: Final = ROOT / "openapi.yaml"
BUILD: Final = ROOT / "build" / "clients"
COMPLAINT: Final = re.compile(r"(?<!\b0 )\bwarn|⚠", re.I)
TSC: Final = (
    "--strict --noEmit --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable"
)


# Generated modules name each other without an ending, as Node takes it in CommonJS alone.
TO_JS: Final = (
    "--strict --target es2022 --module commonjs --moduleResolution node10 --lib es2022,dom,dom.iterable "
    "--outDir typescript/js"
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
        Step("tsc playing.ts", f"tsc {TO_JS} typescript/playing.ts"),
    ),
)


def in_turn(row: Sequence[Step]) -> list[Done]:
    done = []
    for step in row:
        began = time.monotonic()
        got = run(BUILD, step.command.split())
        well = got.returncode == 0 and not COMPLAINT.search(got.stdout)
        done.append(Done(step, time.monotonic() - began, got.stdout, well))
        print(f"{'ok  ' if well else 'FAIL'} {step.name:24}{done[-1].seconds:6.1f} s", flush=True)
    return done


def played(players: Sequence[tuple[str, Sequence[str | pathlib.Path]]]) -> list[Done]:
    """Whole matches of three games, through streams, by the clients that were generated."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="parlor-", dir="/tmp"))
    folder.chmod(0o755)  # PostgreSQL does not run as root
    served = Served(folder / "served")
    done = []
    try:
        for language, command in players:
            began = time.monotonic()
            got = run(BUILD, [*command, f"http://127.0.0.1:{served.port}"])
            print(f"{language}:\n{got.stdout}", end="", flush=True)
            step = Step(f"three matches, {language}", " ".join(map(str, command)))
            done.append(Done(step, time.monotonic() - began, got.stdout, not got.returncode))
    finally:
        served.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return done


def main() -> None:
    began = time.monotonic()
    BUILD.mkdir(parents=True, exist_ok=True)
    for made in ("python", "typescript"):
        shutil.rmtree(BUILD / made, ignore_errors=True)
    with_npm = installed(HERE, BUILD)
    (BUILD / "typescript" / "js").mkdir(parents=True)
    (BUILD / "typescript" / "js" / "package.json").write_text('{"type": "commonjs"}')
    shutil.copy(HERE / "playing.ts", BUILD / "typescript")
    rows = [[step for step in row if with_npm or not step.npm] for row in ROWS]
    with ThreadPoolExecutor(len(rows)) as pool:
        done = [one for row in pool.map(in_turn, rows) for one in row]
    players: list[tuple[str, Sequence[str | pathlib.Path]]] = [("Python", [sys.executable, HERE / "playing.py"])]
    if with_npm:
        players.append(("TypeScript", ["node", "typescript/js/playing.js"]))
    done += played(players)
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
