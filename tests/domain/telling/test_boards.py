"""Boards: a program that knows no game can draw them, find every piece on them, and offer every command at its place."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain.game import Game, Template
from domain.games import GAMES
from domain.telling.parts import Board, Cell, Piece
from domain.wire import external, write_command
from tests.domain import playing

with_board = pytest.mark.parametrize(
    "game", [game for game in GAMES if game.board is not None], ids=lambda game: game.slug
)


def boards(game: Game[Any]) -> Any:
    for seats, options in playing.tables(game):
        table = game.open_table(options, seats)
        assert game.board is not None
        yield seats, options, table, game.board(table.options, seats)


@with_board
def test_a_board_can_be_drawn_from_its_cells(game: Game[Any]) -> None:
    for _, _, table, board in boards(game):
        ids = {cell.id for cell in board.cells}
        assert len(ids) == len(board.cells) == len({(cell.x, cell.y) for cell in board.cells})
        sides = len(game.sides(table))
        for cell in board.cells:
            assert 0 <= cell.x < board.width and 0 <= cell.y < board.height
            assert set(cell.links) <= ids - {cell.id}
            assert cell.home is None or 0 <= cell.home < sides
            assert len(cell.names) in (0, sides)
        for side in range(sides):
            names = [name_of(cell, side) for cell in board.cells if name_of(cell, side)]
            assert len(names) == len(set(names)), "no two cells are called alike by one side"


@with_board
def test_pieces_stand_on_the_board_and_commands_are_found_there(game: Game[Any]) -> None:
    rng = random.Random(f"boards {game.slug}")
    found = 0
    for seats, options, _, board in boards(game):
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            cells = {cell.id: cell for cell in board.cells}
            pieces = game.view(moment.after, None)["pieces"]
            assert all(piece["cell"] in cells and piece["count"] > 0 for piece in pieces)
            sides = game.sides(moment.after)
            for seat in range(seats):
                side = next(number for number, members in enumerate(sides) if seat in members)
                for command in game.legal(moment.after, seat):
                    if not isinstance(command, Template):
                        found += find(game, command, side, board, pieces)
            if n > 80:
                break
    on_the_board = any({"pieces", "board"} & set(at.split()) for at in places_of_commands(game))
    assert found > 100 or not on_the_board, "where commands are made on the board they are found there"


def places_of_commands(game: Game[Any]) -> list[str]:
    return [at for places in game.touches.values() for field, at in places.items() if field]


def find(game: Game[Any], command: Any, side: int, board: Board, pieces: list[Piece]) -> int:
    """How many values of the command stand on the board. Each of them is one piece or cell and no other."""
    written, found = write_command(command), 0
    for field, places in game.touches.get(type(command), {}).items():
        if not field or not {"pieces", "board"} & set(places.split()):
            continue
        value = written[external(field)]
        values = value if isinstance(value, list | tuple) else [] if value is None else [value]
        for name in map(str, values):
            called = [piece for piece in pieces if piece["side"] == side and piece.get("name") == name]
            named = [cell for cell in board.cells if name_of(cell, side) == name]
            assert len(called or named) == 1, (written, name)
            if "pieces" in places.split() and not called:
                assert any(piece["cell"] == named[0].id for piece in pieces)
            found += 1
    return found


def name_of(cell: Cell, side: int) -> str:
    return cell.names[side] if cell.names else cell.id
