"""Portable Draughts Notation: moves, positions (FEN) and whole matches as text that other programs read.

PDN calls Dark "Black" and Light "White", and knows no huff: what a huffing player did stands in a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from domain.game import Logged
from domain.games.checkers.draughts import BIT, DARK, LIGHT, Bits, Board, Side, Square, bits, squares

GAME_TYPE: Final = "21,B,8,8,N1,0"  # English draughts: Black begins, 8 by 8, numbers from Black's side
LETTER: Final = {DARK: "B", LIGHT: "W"}
WIDTH: Final = 80

# ── Moves ───────────────────────────────────────────────────────────────────────────────────────────────────────


def read_move(text: str) -> tuple[Square, ...]:
    """The squares of a move, from the first to the last.

    >>> read_move("11-15"), read_move("1x10x19")
    ((11, 15), (1, 10, 19))
    """
    if not re.fullmatch(r"\d+(-\d+|(x\d+)+)", text):
        raise ValueError("a move is written 11-15, 15x22 or 1x10x19")
    return tuple(int(number) for number in re.split("[-x]", text))


# ── Positions ───────────────────────────────────────────────────────────────────────────────────────────────────


def write_fen(board: Board, to_move: Side) -> str:
    """
    >>> write_fen(Board(bits([1, 18]), bits([30]), bits([18])), LIGHT)
    'W:W30:B1,K18'
    """
    light, dark = (_of_side(side, board[side], board[side] & board.kings) for side in (LIGHT, DARK))
    return f"{LETTER[to_move]}:{light}:{dark}"


@lru_cache(maxsize=64)  # most moves leave the pieces of one side where they are
def _of_side(side: Side, men: Bits, kings: Bits) -> str:
    return LETTER[side] + ",".join([f"K{square}" if BIT[square] & kings else str(square) for square in squares(men)])


def read_fen(text: str) -> tuple[Board, Side]:
    """The position and the side to move. Sides may stand in either order, and `21-24` is short for four pieces.

    >>> read_fen("W:W30:B1,K18.") == (Board(bits([1, 18]), bits([30]), bits([18])), LIGHT)
    True
    """
    shape = re.fullmatch(r"([BW]):([BW])([K\d,-]*):([BW])([K\d,-]*)\.?", text.strip())
    if shape is None or shape[2] == shape[4]:
        raise ValueError("a position is written such as B:W21,K30:B1,2")
    found = {shape[2]: list(_pieces(shape[3])), shape[4]: list(_pieces(shape[5]))}
    placed = [square for some in found.values() for square, _ in some]
    if any(not 1 <= square <= 32 for square in placed):
        raise ValueError("squares are numbered 1 to 32")
    if len(set(placed)) < len(placed):
        raise ValueError("a square holds one piece only")
    dark, light = (bits(square for square, _ in found[LETTER[side]]) for side in (DARK, LIGHT))
    kings = bits(square for some in found.values() for square, king in some if king)
    return Board(dark, light, kings), DARK if shape[1] == "B" else LIGHT


def _pieces(text: str) -> Iterator[tuple[Square, bool]]:
    for word in text.split(",") if text else ():
        shape = re.fullmatch(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", word)
        if shape is None:
            raise ValueError(f"{word or 'nothing'} is no piece: a man is written 21, a king K21")
        for square in range(int(shape[2]), int(shape[3] or shape[2]) + 1):
            yield square, bool(shape[1])


# ── Whole matches ───────────────────────────────────────────────────────────────────────────────────────────────


class Ply(NamedTuple):
    """A move as it stands in the end, and the comment after it."""

    text: str
    comment: str = ""


def match_text(events: Iterable[Logged], players: Sequence[str] = ("?", "?")) -> str:
    """All games of a Checkers match, as far as it got, from its events as they stand in the log.

    A move that was taken back is not written, only the jump that was played for it; a jump that was broken off and
    then completed is written as one.
    """
    match_id = "?"
    games: list[str] = []
    plies: list[Ply] = []
    stopped = ""  # a jump that its player has been compelled to complete
    remark = ""

    def close(result: str) -> None:
        games.append(_game(match_id, len(games) + 1, players, plies, result))
        plies.clear()

    for kind, public in events:
        match kind:
            case "match_opened":
                match_id = public["match_id"]
            case "moved":
                text = public["pdn"]
                plies.append(Ply(stopped + text[text.index("x") :] if stopped else text, remark))
                stopped = remark = ""
            case "huffed":
                plies[-1] = plies[-1]._replace(comment=f"huff {public['square']}")
            case "compelled":
                faulty = plies.pop()
                remark = f"compel {public['piece']}"
                stopped = "" if public["taken_back"] else faulty.text
            case "game_ended":
                close(public["result"])
            case "match_ended" if public["reason"] == "resigned":
                dark_wins = public["places"][len(games) % 2] == 1
                close("0-1" if dark_wins else "1-0")
    if plies or not games:
        close("*")
    return "\n".join(games)


def _game(match_id: str, number: int, players: Sequence[str], plies: Sequence[Ply], result: str) -> str:
    dark = (number - 1) % 2  # colours change from game to game
    tags: Mapping[str, Any] = {
        "Event": match_id,
        "Round": number,
        "White": players[1 - dark],
        "Black": players[dark],
        "Result": result,
        "GameType": GAME_TYPE,
    }
    head = [f'[{name} "{_quoted(str(value))}"]' for name, value in tags.items()]
    return "\n".join([*head, "", *_lines([*_movetext(plies), result]), ""])


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', "'")


def _movetext(plies: Sequence[Ply]) -> Iterator[str]:
    for index, ply in enumerate(plies):
        if index % 2 == 0:
            yield f"{index // 2 + 1}."
        yield ply.text
        if ply.comment:
            yield f"{{{ply.comment}}}"


def _lines(words: Iterable[str]) -> Iterator[str]:
    """Broken between words, as PDN wants it, but never within a move or a comment."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line
