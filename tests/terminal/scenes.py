"""Scenes as the API would give them, made from tables without a server."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from typing import Any

from rich.console import Console, RenderableType

from api.catalogue import described
from api.terminal.choices import Choice, first_choices, next_choices
from api.terminal.scene import Scene
from domain.game import Game
from domain.wire import write_command

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kay", "Lou", "Max")


@functools.cache
def catalogue(slug: str) -> Any:
    return json.loads(described(slug))


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value))


def match_view(game: Game[Any], table: Any, seat: int | None) -> Any:
    """What the API says of a match, as far as it is drawn."""
    return as_json(
        {
            "you": seat if seat is None or seat >= 0 else None,
            "status": "playing",
            "seats": [{"name": name} for name in NAMES[: table.seats]],
            "sides": game.sides(table),
            "to_act": sorted(one for one in game.to_act(table) if one >= 0),
            "draw_offer": None,
            "table": game.view(table, seat),
        }
    )


def legal(game: Game[Any], table: Any, seat: int) -> Any:
    return as_json([write_command(command) for command in game.legal(table, seat)])


def scene(game: Game[Any], table: Any, seat: int | None) -> Scene:
    """A table as a seat sees it, with the choices that it has."""
    told = catalogue(game.slug)
    may = legal(game, table, seat) if seat is not None and seat >= 0 else []
    board = None
    if game.board is not None:
        made = game.board(table.options, table.seats)
        board = as_json({**made._asdict(), "cells": [cell._asdict() for cell in made.cells]})
    return Scene(told, match_view(game, table, seat), board, first_choices(may, told["schemas"]["commands"]))


def drawn(*drawings: RenderableType, width: int = 100) -> str:
    """As it is written through a pipe, without the blanks at the ends of lines."""
    console = Console(width=width, color_system=None, highlight=False, markup=False, emoji=False)
    with console.capture() as taken:
        for drawing in drawings:
            console.print(drawing)
    return "".join(f"{line.rstrip()}\n" for line in taken.get().splitlines())


def leaves(choices: list[Choice], commands: Any) -> Iterator[Choice]:
    """Every choice that decides on a command, however deep."""
    for choice in choices:
        if choice.command is not None or choice.template is not None:
            yield choice
        else:
            yield from leaves(next_choices(choice, commands), commands)
