"""Looking back at a match: forwards, backwards, to a version, to the next remarkable moment, with other eyes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from api.terminal import drawing
from api.terminal.client import Json, Sentence
from api.terminal.pen import QUIET
from api.terminal.scene import Scene
from api.terminal.screen import Ended, Screen

HINT: Final = "Enter next · b back · m remarkable · 17 to version 17 · s 1 as seat 1 · s table all cards · q quit"
STORY: Final = 6  # sentences above the table


class Recorded(NamedTuple):
    """A match to look back at: the steps as a pair of eyes saw them, from the first."""

    game: Json  # as the catalogue describes it
    board: Json | None
    steps: Callable[[str | None], Sequence[Json]]


def look_back(recorded: Recorded, screen: Screen, at: int | None, eyes: str | None) -> None:
    """At a terminal step by step; through a pipe as sentences, or as the table at one version."""
    steps = recorded.steps(eyes)
    if at is not None and at > len(steps):
        raise LookupError(f"There is no version {at}: the newest is {len(steps)}.")
    place = within(steps, at or 1)
    if not screen.live:
        if at is None:
            for step in steps:
                screen.show_unbroken(f"{step['version']:5}  {step['words']}")
        else:
            _draw(recorded, screen, steps, place)
        return
    note = ""
    while True:
        _draw(recorded, screen, steps, place)
        screen.show(Text(note, "bold red") if note else "", Text(HINT, QUIET))
        note = ""
        try:
            line = screen.ask(">").lower()
        except (Ended, KeyboardInterrupt):
            return
        if line == "q":
            return
        if line.startswith("s "):
            try:
                steps = recorded.steps(line[2:].strip())
            except LookupError as error:
                note = str(error)
            continue
        found = moved(steps, place, line)
        place, note = (place, "That is none of the keys.") if found is None else (found, "")


def within(steps: Sequence[Json], version: int) -> int:
    """The place of a version, or of the nearest there is."""
    return max(0, min(len(steps), version) - 1)


def moved(steps: Sequence[Json], place: int, line: str) -> int | None:
    """Where a line leads to; nothing if it is no way to go.

    >>> steps = [{"remarkable": n == 3} for n in range(6)]
    >>> [moved(steps, 1, line) for line in ("", "b", "m", "5", "99", "x")]
    [2, 0, 3, 4, 5, None]
    """
    if line in ("", "n"):
        return min(place + 1, len(steps) - 1)
    if line == "b":
        return max(place - 1, 0)
    if line == "m":
        later = range(place + 1, len(steps))
        return next((one for one in later if steps[one]["remarkable"]), len(steps) - 1)
    return within(steps, int(line)) if line.isdecimal() else None


def _draw(recorded: Recorded, screen: Screen, steps: Sequence[Json], place: int) -> None:
    view = steps[place]["view"]
    scene = Scene(recorded.game, view, recorded.board)
    told = [Sentence(one["version"], one["words"]) for one in steps[max(0, place - STORY + 1) : place + 1]]
    screen.redraw(drawing.heading(scene), Text(f"version {place + 1} of {len(steps)}", QUIET), drawing.story(told))
    if view["table"] is not None:
        screen.show(drawing.table(scene))
    if view["result"] is not None:
        screen.show(drawing.result(scene))
