"""A board as a grid of cells, from the coordinates that the server gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich.console import Console, ConsoleOptions
from rich.text import Text

from api.terminal.client import Json
from api.terminal.flow import Flow
from api.terminal.pen import QUIET, keys, side_colour
from api.terminal.scene import Scene
from api.terminal.schemas import Part

MEN: Final = "●○■□▲△"
PLAIN: Final = ("man", "disc")  # kinds of pieces that need no letter
LOW: Final = 10  # rows
GROUND: Final = "on grey19"
HOME: Final = "on grey30"


class Grid:
    """Two lines a row: names of cells, or the keys of what can be chosen there, above the men that stand on them."""

    def __init__(self, scene: Scene, part: Part) -> None:
        assert scene.board is not None
        self._cells = {(cell["x"], cell["y"]): cell for cell in scene.board["cells"]}
        self._upper = {at: _name(scene, part, cell) for at, cell in self._cells.items()}
        self._lower = {at: _men(_standing(part, cell)) for at, cell in self._cells.items()}
        self._columns, self._rows = range(scene.board["width"]), range(scene.board["height"])
        self._legend = _legend(scene, part)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text | Flow]:
        bare = [self._width(x) for x in self._columns]
        room = options.max_width - sum(bare)
        gap = 3 if room >= 3 * len(bare) else 2 if room >= 2 * len(bare) else 1
        for y in self._rows:
            for texts in self._lines(y):
                line = Text(no_wrap=True, overflow="ignore")
                for x in self._columns:
                    line.append_text(self._drawn(texts, (x, y), bare[x] + gap))
                line.rstrip()
                yield line
        yield self._legend

    def _lines(self, y: int) -> Iterator[dict[tuple[int, int], Text]]:
        """What is written in a row, line by line. On a high board a row on which nobody stands takes one line."""
        row = [(x, y) for x in self._columns if (x, y) in self._cells]
        if row:
            yield self._upper
        if row and (len(self._rows) <= LOW or any(self._lower[at].plain.strip() for at in row)):
            yield self._lower

    def _width(self, x: int) -> int:
        """A column is as wide as its widest cell; where there are no cells, men do not stand either."""
        found = [texts[x, y].cell_len for texts in (self._upper, self._lower) for y in self._rows if (x, y) in texts]
        return max(found, default=0)

    def _drawn(self, texts: dict[tuple[int, int], Text], at: tuple[int, int], width: int) -> Text:
        if at not in texts:
            return Text(" " * width)
        drawn = Text(" ") + texts[at]
        drawn.pad_right(width - drawn.cell_len)
        drawn.stylize_before(GROUND if self._cells[at]["home"] is None else HOME)
        return drawn


def _name(scene: Scene, part: Part, cell: Json) -> Text:
    if found := found_at(scene, part, cell):
        return keys(found)
    return Text(_called(scene, cell) or cell["label"] or "·", QUIET)


def _called(scene: Scene, cell: Json) -> str:
    """How your side calls a cell; nothing if it has no name of its own for it."""
    if scene.you is None or not cell["names"]:
        return ""
    return cell["names"][scene.side(scene.you)]  # type: ignore[no-any-return]


def found_at(scene: Scene, part: Part, cell: Json) -> list[str]:
    """The keys of the choices at a cell, or at a man of yours on it. Commands call cells as your side calls them, and
    men by their names where they have such."""
    called = _called(scene, cell) if cell["names"] else cell["id"]
    wanted = [scene.keys(at, called) for at in (part.name, "board")]
    for piece in _standing(part, cell):
        if "name" in piece and scene.you is not None and piece["side"] == scene.side(scene.you):
            wanted.append(scene.keys(part.name, piece["name"]))
    return list(dict.fromkeys(key for keys in wanted for key in keys))


def _standing(part: Part, cell: Json) -> Sequence[Json]:
    return [piece for piece in part.value if piece["cell"] == cell["id"]]


def _men(pieces: Sequence[Json]) -> Text:
    """Men of one kind and side are counted together, also where each has a name."""
    counts: dict[tuple[int, str], int] = {}
    for piece in pieces:
        alike = piece["side"], piece["kind"]
        counts[alike] = counts.get(alike, 0) + piece["count"]
    return Text(" ").join(_piece(*alike, count) for alike, count in counts.items()) if counts else Text(" ")


def _piece(side: int, kind: str, count: int) -> Text:
    several = f"×{count}" if count > 1 else ""
    return Text(f"{man(side)}{_letter(kind)}{several}", f"bold {side_colour(side)}")


def _letter(kind: str) -> str:
    return "" if kind in PLAIN else kind[:1].upper()


def man(side: int) -> str:
    return MEN[side % len(MEN)]


def _legend(scene: Scene, part: Part) -> Flow:
    sides = [
        Text(f"{man(side)} {scene.names(seats)}", side_colour(side)) for side, seats in enumerate(scene.match["sides"])
    ]
    return Flow([*sides, *_kinds(part.value)], gap=3)


def _kinds(pieces: Sequence[Json]) -> Iterator[Text]:
    for kind in sorted({piece["kind"] for piece in pieces} - set(PLAIN)):
        yield Text(f"{_letter(kind)} {kind}", QUIET)
