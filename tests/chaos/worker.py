"""`python -m tests.chaos.worker FOLDER [STEADY [STUCK]]`: a worker as `parlor worker`, with two differences.

It writes down in the folder whom it is thinking for as soon as it begins, so that it can be killed in the middle of it.
And where STEADY is `raises` or `hangs`, the bots of the level `steady` do that, in this process alone; STUCK is the time
of the processor after which a bot that hangs is stopped.
"""

from __future__ import annotations

import os
import pathlib
import sys
from typing import Any, cast

import workers.bots
import workers.jobs
from domain.bots.levels import LEVELS, Level
from domain.bots.turn import Search, Thought, Turn
from domain.match import Match


def raises(turn: Turn) -> Search:
    raise RuntimeError("no idea")
    yield


def hangs(turn: Turn) -> Search:
    while True:
        pass
    yield


def main() -> None:
    folder, *faults = sys.argv[1:]
    think = workers.bots.think
    note = pathlib.Path(folder) / f"thinking-{os.getpid()}"

    def noted(m: Match, seat: int, seed: bytes, **how: Any) -> Thought:
        half = note.with_suffix(".half")
        half.write_text(f"{m.id} {m.version}")
        half.rename(note)
        try:
            return think(m, seat, seed, **how)
        finally:
            note.unlink(missing_ok=True)

    setattr(workers.jobs, "think", noted)  # noqa: B010
    if faults:
        fault = {"raises": raises, "hangs": hangs}[faults[0]]
        cast(dict[str, Level], LEVELS)["steady"] = LEVELS["steady"]._replace(search=fault)
    if len(faults) > 1:
        workers.bots.STUCK = float(faults[1])  # type: ignore[misc]
    sys.argv = ["parlor", "worker"]
    from api.cli import main as parlor

    parlor()


if __name__ == "__main__":
    main()
