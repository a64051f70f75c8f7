"""What can be seen of a game of Four Nines, and the cross it is played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypedDict

from domain.game import Seat
from domain.games.four_nines.cross import CROSSES, DISCS, PLACES, Cross, Discs
from domain.games.four_nines.game import Options, Table
from domain.kit.turns import plus
from domain.telling.parts import Board, Cell, Piece, Pieces, part

Phase = Literal["start_throw", "roll", "play", "finished"]


class View(TypedDict):
    phase: Annotated[Phase, part("mark")]
    game_no: Annotated[int, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    player: Annotated[Seat | None, part("mark")]
    throw_no: Annotated[int, part("mark")]
    dice: Annotated[Sequence[int], part("dice")]
    numbers: Annotated[Sequence[int], part("dice")]
    must_use_count: Annotated[int, part("count", of="numbers")]
    pieces: Pieces
    discs: Sequence[Discs]
    entered: Annotated[Sequence[bool], part("mark", "each")]
    captured_counts: Annotated[Sequence[int] | None, part("count", "each", of="discs")]
    game_points: Annotated[Sequence[int], part("score", "each")]
    wins: Annotated[Sequence[int], part("score", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


PHASES: Final[dict[str, Phase]] = {
    "start_throw": "start_throw",
    "throw": "roll",
    "play": "play",
    "game_over": "finished",
}


def view(s: Table, seat: Seat | None) -> View:
    """Nothing is hidden."""
    playing, two_dice = s.phase == "play", s.options.dice == 2
    return {
        "phase": PHASES[s.phase],
        "game_no": s.game_no,
        "turn": s.turn if playing or s.phase == "throw" else None,
        "player": s.player if playing else None,
        "throw_no": s.throw_no,
        "dice": s.hand.dice,
        "numbers": s.hand.numbers,
        "must_use_count": max(0, s.hand.need - s.hand.used) if playing else 0,
        "pieces": pieces(s),
        "discs": s.discs,
        "entered": s.entered,
        "captured_counts": s.owing if two_dice else None,
        "game_points": s.scores,
        "wins": s.wins,
        "totals": totals(s) if two_dice else s.wins,
    }


def totals(s: Table) -> tuple[int, ...]:
    """The points of all games, this one included. When the match is over they have been added up already."""
    return s.sums if s.phase == "game_over" else s.scores if s.game_no == 1 else plus(s.sums, s.scores)


NAMES: Final = tuple(map(str, range(DISCS)))  # how commands call the discs of a seat


def pieces(s: Table) -> list[Piece]:
    way = CELLS[s.options.board]
    return [
        {"cell": cells[progress + 1], "side": side, "kind": "disc", "count": 1, "name": name}
        for side, cells in enumerate([way[place] for place in PLACES[s.seats]])
        for name, progress in zip(NAMES, s.discs[side], strict=True)
    ]


# ── The cross as cells ──────────────────────────────────────────────────────────────────────────────────────────


def way_of(cross: Cross, place: int) -> tuple[str, ...]:
    """The cells that the discs of a place come to, in order: one for each progress, from waiting to Home."""
    road = (f"road-{cross.space(place, progress)}" for progress in range(cross.gate + 1))
    column = (f"column-{place}-{step}" for step in range(1, cross.arm))
    return (f"wait-{place}", *road, *column, f"home-{place}")


CELLS: Final = {name: tuple(way_of(cross, place) for place in range(4)) for name, cross in CROSSES.items()}


def board(options: Options, seats: int) -> Board:
    """The whole cross, with the arms where nobody sits; the first seat sits below and turns go to the left."""
    cross = CROSSES[options.board]
    seated = {place: seat for seat, place in enumerate(PLACES[seats])}
    cells = [
        Cell(
            f"road-{space}",
            x,
            y,
            label=str(space),
            links=links(cross, space),
            shape="circle" if space in cross.circles else "square",
        )
        for space, (y, x) in enumerate(cross.drawing())
    ]
    for place in range(4):
        cells += arm(cross, place, seated.get(place))
    size = 2 * cross.arm + 3
    return Board(size, size, tuple(cells))


def links(cross: Cross, space: int) -> tuple[str, ...]:
    """Along the road, and from a gate up the column of its owner."""
    place, beyond_the_gate = divmod(space, cross.quarter)
    ahead = f"road-{(space + 1) % cross.track}"
    return (ahead,) if beyond_the_gate else (ahead, f"column-{place}-1")


def arm(cross: Cross, place: int, seat: Seat | None) -> list[Cell]:
    """What belongs to one player alone: the waiting circle at his right, the column, and his quarter of Home."""
    middle, last = cross.arm + 1, 2 * cross.arm + 2
    wait, *_, home = CELLS[cross.id][place]
    entry = f"road-{cross.entry_space(place)}"
    x, y = turned(middle + 3, last - 4, place, last)
    cells = [Cell(wait, x, y, label="wait", links=(entry,), home=seat, kind="wait", shape="circle")]
    for step in range(1, cross.arm):
        x, y = turned(middle, last - step, place, last)
        ahead = f"column-{place}-{step + 1}" if step + 1 < cross.arm else home
        cells.append(Cell(f"column-{place}-{step}", x, y, links=(ahead,), home=seat))
    x, y = turned(middle, middle + 1, place, last)
    return [*cells, Cell(home, x, y, label="Home", home=seat, kind="home")]


def turned(x: int, y: int, place: int, last: int) -> tuple[int, int]:
    """Where a cell of the lowest arm lies on the arm of another place, which are counted to the right."""
    for _ in range(place):
        x, y = y, last - x
    return x, y
