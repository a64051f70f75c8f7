"""What can be seen of a game of Backgammon, and the board it is played on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated, Final, Literal, TypedDict

from domain.game import Seat
from domain.games.backgammon import mat
from domain.games.backgammon.game import NAMES, Options, Table
from domain.kit import pointboard, points
from domain.kit.points import BAR, Men
from domain.telling.parts import Board, Pieces, part

Phase = Literal["start_throw", "choose", "roll", "play", "double_offered", "concession_offered", "finished"]


class Cube(TypedDict):
    value: Annotated[int, part("mark")]
    owner: Annotated[Seat | None, part("mark")]
    offered_by: Annotated[Seat | None, part("mark")]


class View(TypedDict):
    phase: Annotated[Phase, part("mark")]
    game_no: Annotated[int, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    pieces: Pieces
    pips: Annotated[Sequence[int], part("mark", "each")]
    position: str
    dice: Annotated[Sequence[int], part("dice")]
    numbers: Annotated[Sequence[int], part("dice")]
    plays: Annotated[Sequence[str], part("mark")]
    cube: Cube | None
    crawford: Annotated[bool, part("mark")]
    concession: Annotated[int | None, part("mark")]
    totals: Annotated[Sequence[int], part("score", "each")]
    inner_side: Literal["right", "left"]


CELLS: Final = pointboard.cells(NAMES)
PHASES: Final[dict[str, Phase]] = {
    "opening": "start_throw",
    "choose": "choose",
    "roll": "roll",
    "play": "play",
    "match_over": "finished",
}


def view(s: Table, seat: Seat | None) -> View:
    """Nothing is hidden."""
    at_stake, men = s.stakes, s.men
    offered_by = s.turn if at_stake.offer == "double" else None
    return {
        "phase": PHASES[s.phase] if at_stake.offer is None else OFFERS[at_stake.offer],
        "game_no": s.game_no,
        "turn": None if s.phase in ("opening", "match_over") else s.turn,
        "pieces": pointboard.pieces(CELLS, men),
        "pips": (_pips(men[0]), _pips(men[1])),
        "position": position(s),
        "dice": s.dice,
        "numbers": s.numbers,
        "plays": [mat.written(play.from_, play.to, play.hit) for play in s.plays],
        "cube": {"value": at_stake.cube, "owner": at_stake.owner, "offered_by": offered_by} if s.options.cube else None,
        "crawford": at_stake.crawford,
        "concession": at_stake.conceded if at_stake.offer == "concession" else None,
        "totals": s.score,
        "inner_side": s.options.inner_side,
    }


OFFERS: Final[dict[str, Phase]] = {"double": "double_offered", "concession": "concession_offered"}


def position(s: Table) -> str:
    """Both sides on one line, the farthest men first: W 24:2 13:5 8:3 6:5 / B 24:2 13:5 8:3 6:5."""
    return f"W {_line(s.men[0])} / B {_line(s.men[1])}"


# Most plays leave the men of one side where they are.
_pips = lru_cache(maxsize=64)(points.pips)


@lru_cache(maxsize=64)
def _line(men: Men) -> str:
    return " ".join([f"{place}:{men[place]}" for place in range(BAR, -1, -1) if men[place]])


def board(options: Options, seats: int) -> Board:
    """The points as seat 0 counts them. The inner tables lie on the side that the players agreed on."""
    return pointboard.board(NAMES, inner_left=options.inner_side == "left")
