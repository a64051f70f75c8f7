"""Modules of the page that are always wanted together, joined into one file: one request instead of a dozen.

This is no build step: files are written one way, relative imports by name, and what is written otherwise is refused.
Modules that few readers open stay as they are, and import from the joined one what it has taken in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

IMPORT: Final = re.compile(r'^import \{([\w\s,]+)\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
OTHER_IMPORT: Final = re.compile(r"^(?:import\b|export [*{]|export default\b).*", re.MULTILINE)
DECLARED: Final = re.compile(
    r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) +([\w$]+|[\[{])", re.MULTILINE
)


class CannotJoin(Exception):
    """A module is written in a way that joining would change the meaning of."""


def joined(sources: Mapping[str, str], entry: str) -> dict[str, str]:
    """The modules by name, with all that the entry imports inside it.

    >>> made = joined({"app.js": 'import { a } from "./a.js";\\na();\\n', "a.js": "export const a = () => 1;\\n",
    ...                "b.js": 'import { a } from "./a.js";\\na();\\n'}, "app.js")
    >>> sorted(made), made["app.js"], made["b.js"]
    (['app.js', 'b.js'], 'export const a = () => 1;\\na();\\n', 'import { a } from "./app.js";\\na();\\n')
    """
    inside = list(_in_order(sources, entry, ()))
    owners: dict[str, str] = {}
    for name in inside:
        for declared in _declared(name, sources[name]):
            if declared in owners:
                raise CannotJoin(f"{name} and {owners[declared]} both declare {declared}")
            owners[declared] = name
    whole = "".join(_bare(name, sources[name]) for name in inside)
    rest = {name: _pointed(text, inside, entry) for name, text in sources.items() if name not in inside}
    return {entry: whole, **rest}


def _in_order(sources: Mapping[str, str], name: str, above: tuple[str, ...]) -> Iterator[str]:
    """What a module needs, then the module; each once."""
    if name in above:
        raise CannotJoin(f"{' → '.join((*above, name))} import one another")
    if name not in sources:
        raise CannotJoin(f"{above[-1] if above else 'the page'} imports {name}, which is not there")
    seen: dict[str, None] = {}
    for _, wanted in IMPORT.findall(sources[name]):
        seen |= dict.fromkeys(_in_order(sources, wanted, (*above, name)))
    yield from seen
    yield name


def _bare(name: str, text: str) -> str:
    bare = IMPORT.sub("", text)
    if other := OTHER_IMPORT.search(bare):
        raise CannotJoin(f'{name} has "{other[0]}": only `import {{ names }} from "./file.js";` can be joined')
    return bare


def _declared(name: str, text: str) -> list[str]:
    found: list[str] = DECLARED.findall(text)
    if not {"[", "{"}.isdisjoint(found):
        raise CannotJoin(f"{name} takes a value apart at its top level, where names have to be seen at once")
    return found


def _pointed(text: str, inside: list[str], entry: str) -> str:
    """A module that stands alone: what was taken into the entry comes from there, and so is there only once."""
    return IMPORT.sub(lambda one: one[0].replace(f"./{one[2]}", f"./{entry}") if one[2] in inside else one[0], text)
