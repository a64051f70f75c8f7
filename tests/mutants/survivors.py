"""The survivors that are no fault, each with its reason: `survivors/<slug>.toml`.

A mutant is told by its function and by the code before and after, so that an entry outlives moved lines:

    [[survivor]]
    function = "is_over"
    before = "..."
    after = "..."
    reason = "why nothing that anybody can see comes out otherwise"

`repeat = 2` is the second of two that read the same in one function; `module` is wanted only where functions of two
modules have one name.
"""

from __future__ import annotations

import pathlib
import tomllib
from typing import NamedTuple

from tests.mutants.operators import Mutant

FOLDER = pathlib.Path(__file__).parent / "survivors"


class Accepted(NamedTuple):
    function: str
    before: str
    after: str
    reason: str
    repeat: int = 1
    module: str = ""

    def covers(self, mutant: Mutant) -> bool:
        if self.module and not mutant.module.endswith(self.module):
            return False
        mine = (self.function, self.before, self.after, self.repeat)
        return mine == (mutant.function, mutant.before, mutant.after, mutant.repeat)


def accepted(slug: str) -> list[Accepted]:
    path = FOLDER / f"{slug}.toml"
    entries = tomllib.loads(path.read_text()).get("survivor", []) if path.exists() else []
    read = [Accepted(**entry) for entry in entries]
    for one in read:
        if len(one.reason.split()) < 3:
            raise SystemExit(f"{path.name}: {one.function}: {one.before}: a survivor needs a reason")
    return read


def stanza(mutant: Mutant) -> str:
    """The entry for a survivor, still without its reason."""
    lines = ["[[survivor]]", f"function = {_quoted(mutant.function)}"]
    lines += [f"before = {_quoted(mutant.before)}", f"after = {_quoted(mutant.after)}"]
    if mutant.repeat > 1:
        lines.append(f"repeat = {mutant.repeat}")
    return "\n".join([*lines, 'reason = ""', ""])


def _quoted(text: str) -> str:
    return f"'{text}'" if "'" not in text else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
