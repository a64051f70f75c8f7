"""Parts: what the fields of a view are to the eye.

A program that knows these few words, and no game, can draw every table and offer every legal command at its place. They
stand beside the types of a view as annotations, and in its JSON Schema as `x-part`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, NamedTuple, NotRequired, TypedDict

Kind = Literal[
    "hand",  # cards that somebody holds
    "pile",  # cards that lie on one another or were put away; the last is the top
    "row",  # cards that lie side by side
    "trick",  # cards that were played in turn, each with the seat that played it
    "card",  # a single card that lies by itself
    "dice",  # what was thrown
    "pieces",  # men on a board: see `Piece`
    "count",  # how many there are of something that is not shown
    "score",  # points of each seat or side
    "turn",  # whose turn it is
    "mark",  # a word or a number that lies beside the table: the trump, a bid, the phase
]
Owner = Literal[
    "you",  # yours alone; null to others
    "each",  # a list by seat
    "side",  # a list by side
    "table",  # nobody's
]


Order = Literal[
    "sorted",  # as a player would hold them; the order says nothing
    "bottom_to_top",
    "top_to_bottom",
    "left_to_right",
    "as_played",
]
Face = Literal["up", "down"]


class Part(NamedTuple):
    """How one field of a view is drawn."""

    kind: Kind
    owner: Owner = "table"
    face: Face | None = None  # of cards
    order: Order | None = None  # of cards, where they are several
    of: str | None = None  # with `count`: the field whose things are counted


USUAL_ORDER: Final[Mapping[Kind, Order]] = {
    "hand": "sorted",
    "pile": "bottom_to_top",
    "row": "left_to_right",
    "trick": "as_played",
}
CARDS: Final[frozenset[Kind]] = frozenset({"hand", "pile", "row", "trick", "card"})


def part(
    kind: Kind,
    owner: Owner = "table",
    *,
    face: Face = "up",
    order: Order | None = None,
    of: str | None = None,
) -> Part:
    """A hand or a pile lies face up unless it is said otherwise, and in the order that is usual for its kind."""
    return Part(kind, owner, face if kind in CARDS else None, order or USUAL_ORDER.get(kind), of)


def as_json(found: Part) -> dict[str, Any]:
    return {name: value for name, value in found._asdict().items() if value is not None}


# ── Boards ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Cell(NamedTuple):
    """A place on a board where pieces can stand. Coordinates run to the right and down, in units of one cell."""

    id: str
    x: int
    y: int
    label: str = ""
    links: tuple[str, ...] = ()  # the cells that lie next to it along the way of the pieces
    home: int | None = None  # the side whose it is: part of its home, or where its pieces wait
    kind: Literal["cell", "wait", "home"] = "cell"  # where pieces go, wait to come in, or have come home
    # How each side calls it in its commands, where the sides count from opposite ends; "" if it cannot name it at all.
    # Without names all call it by its id.
    names: tuple[str, ...] = ()
    shape: Literal["square", "circle", "point"] = "square"  # how it is drawn; a point is a long triangle
    stacks: Literal["up", "down"] | None = None  # which way several pieces on it are lined up; None: on one another


class Board(NamedTuple):
    """The geometry of a table, which does not change while it is played on."""

    width: int
    height: int
    cells: tuple[Cell, ...]


GEOMETRY: Final = {
    "width": "how many cells it is wide",
    "height": "how many cells it is high",
    "cells": "its cells",
    "id": "the cell's own name, which pieces and commands use",
    "x": "how far to the right, from 0",
    "y": "how far down, from 0",
    "label": "what is written on it",
    "links": "the cells that lie next to it along the way of the pieces",
    "home": "the side whose it is: part of its home, or where its pieces wait; null if it is nobody's",
    "kind": "where pieces go, where they wait to come in, or where they have come home",
    "names": "how each side calls it in its commands, empty for one that cannot; without names all call it by its id",
    "shape": "how it is drawn; a point is a long triangle",
    "stacks": "which way several pieces on it are lined up; null if they lie on one another",
}


class Piece(TypedDict):
    """Men of one kind and side that stand on the same cell."""

    cell: str
    side: int
    kind: str
    count: int
    name: NotRequired[str]  # how its owner calls it in commands, where they name the piece and not its cell


Pieces = Annotated[Sequence[Piece], part("pieces")]
