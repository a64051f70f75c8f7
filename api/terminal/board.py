"""A board as a grid of cells, from the coordinates that the server gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.text import Text

from api.terminal.client import Json
from api.terminal.pen import KEY, QUIET, side_colour
from api.terminal.scene import Scene
from api.terminal.schemas import Part

MEN: Final = "●○■□▲△"
PLAIN: Final = ("man", "disc")  # kinds of pieces that need no letter
GROUND: Final = "on grey19"
HOME: Final = "on grey30"


def drawn(scene: Scene, part: Part) -> list[Text]:
    """Two lines a row: names of cells, or the keys of what can be chosen there, above the men that stand on them."""
    assert scene.board is not None
    cells = {(cell["x"], cell["y"]): cell for cell in scene.board["cells"]}
    upper = {at: _name(scene, part, cell) for at, cell in cells.items()}
    lower = {at: _men(_standing(part, cell)) for at, cell in cells.items()}
    width = 2 + max(cell_len(text.plain) for text in (*upper.values(), *lower.values()))
    lines = []
    for y in range(scene.board["height"]):
        row = [(x, y) for x in range(scene.board["width"])]
        if any(at in cells for at in row):
            lines += [_line([(cells.get(at), texts.get(at)) for at in row], width) for texts in (upper, lower)]
    return [*lines, _legend(scene, part)]


def _line(row: Iterable[tuple[Json | None, Text | None]], width: int) -> Text:
    line = Text()
    for cell, text in row:
        if cell is None or text is None:
            line.append(" " * width)
        else:
            padded = Text(" ") + text
            padded.pad_right(width - cell_len(padded.plain))
            padded.stylize_before(GROUND if cell["home"] is None else HOME)
            line.append_text(padded)
    line.rstrip()
    return line


def _name(scene: Scene, part: Part, cell: Json) -> Text:
    keys = found_at(scene, part, cell)
    return Text("").join(Text(f"[{key}]", KEY) for key in keys) if keys else Text(cell["label"] or "·", QUIET)


def found_at(scene: Scene, part: Part, cell: Json) -> list[str]:
    """The keys of the choices at a cell, or at a man of yours on it: commands call cells as your side calls them, and
    men by their kind where each is a kind of its own."""
    side = None if scene.you is None else scene.side(scene.you)
    called = cell["names"][side] if cell["names"] and side is not None else cell["id"]
    wanted = [scene.keys(at, called) for at in (part.name, "board")]
    wanted += [scene.keys(part.name, piece["kind"]) for piece in _standing(part, cell) if piece["side"] == side]
    return list(dict.fromkeys(key for keys in wanted for key in keys))


def _standing(part: Part, cell: Json) -> Sequence[Json]:
    return [piece for piece in part.value if piece["cell"] == cell["id"]]


def _men(pieces: Sequence[Json]) -> Text:
    return Text(" ").join(_piece(piece) for piece in pieces) if pieces else Text(" ")


def _piece(piece: Json) -> Text:
    kind = "" if piece["kind"] in PLAIN else piece["kind"][:1].upper()
    count = f"×{piece['count']}" if piece["count"] > 1 else ""
    return Text(f"{man(piece['side'])}{kind}{count}", f"bold {side_colour(piece['side'])}")


def man(side: int) -> str:
    return MEN[side % len(MEN)]


def _legend(scene: Scene, part: Part) -> Text:
    sides = [
        Text(f"{man(side)} {scene.names(seats)}", side_colour(side)) for side, seats in enumerate(scene.match["sides"])
    ]
    return Text("   ").join([*sides, *_kinds(part.value)])


def _kinds(pieces: Sequence[Any]) -> Iterator[Text]:
    for kind in sorted({piece["kind"] for piece in pieces} - set(PLAIN)):
        if not kind.isdigit():
            yield Text(f"{kind[:1].upper()} {kind}", QUIET)
