"""The golden matches as they are told: to everybody, and to each reader who is told something else.

`python -m tests.golden.stories SLUG ...` writes the stories anew, all of them without a slug. They are files of their
own so that whoever changes a sentence sees what becomes of it in a whole match.
"""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator

from domain import log
from domain.game import ALL
from domain.match.story import sentence
from tests.golden import matches

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kay", "Lou", "Max")


def file(path: pathlib.Path) -> pathlib.Path:
    return path.with_suffix(".story.txt")


def told(path: pathlib.Path) -> Iterator[str]:
    for now, one, _ in matches.read(path):
        parts, names = log.write(one), NAMES[: len(now.chairs)]
        public = sentence(now.game, parts, None, names)
        yield f"{now.version:4}  {public}"
        for reader, who in (*enumerate(names), (ALL, "in the end to all")):
            text = sentence(now.game, parts, reader, names)
            if text != public:
                yield f"      {who}: {text}"


def story(path: pathlib.Path) -> str:
    return "".join(f"{line.rstrip()}\n" for line in told(path))


if __name__ == "__main__":
    for frozen in matches.FROZEN:
        if not sys.argv[1:] or frozen.stem in sys.argv[1:]:
            file(frozen).write_text(story(frozen))
