"""The diamond of Crown Baseball: where the men stand, and what each kind of play does to them."""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

Bases = Literal["---", "1--", "-2-", "--3", "12-", "1-3", "-23", "123"]
Class = Literal["HOLD", "DP1", "DP2", "SAC", "FLY", "ADV1", "WALK", "DBL", "TPL"]
EMPTY: Final[Bases] = "---"
OUTS: Final = 3

# Where the men are after a play, how many came home (r) and how many went out (o). The first line is where they were.
DIAMOND: Final = """
        ---        1--        -2-        --3        12-        1-3        -23        123
HOLD    --- 0r 1o  1-- 0r 1o  -2- 0r 1o  --3 0r 1o  12- 0r 1o  1-3 0r 1o  -23 0r 1o  123 0r 1o
DP1     --- 0r 1o  --- 0r 2o  -2- 0r 1o  --3 0r 1o  -2- 0r 2o  --3 0r 2o  -23 0r 1o  -23 0r 2o
DP2     --- 0r 1o  1-- 0r 1o  --- 0r 2o  --3 0r 1o  1-- 0r 2o  1-3 0r 1o  --3 0r 2o  1-3 0r 2o
SAC     --- 0r 1o  -2- 0r 1o  --3 0r 1o  --- 1r 1o  -23 0r 1o  -2- 1r 1o  --3 1r 1o  -23 1r 1o
FLY     --- 0r 1o  1-- 0r 1o  -2- 0r 1o  --- 1r 1o  12- 0r 1o  1-- 1r 1o  -2- 1r 1o  12- 1r 1o
ADV1    1-- 0r 0o  12- 0r 0o  1-3 0r 0o  1-- 1r 0o  123 0r 0o  12- 1r 0o  1-3 1r 0o  123 1r 0o
WALK    1-- 0r 0o  12- 0r 0o  12- 0r 0o  1-3 0r 0o  123 0r 0o  123 0r 0o  123 0r 0o  123 1r 0o
DBL     -2- 0r 0o  -23 0r 0o  -2- 1r 0o  -2- 1r 0o  -23 1r 0o  -23 1r 0o  -2- 2r 0o  -23 2r 0o
TPL     --3 0r 0o  --3 1r 0o  --3 1r 0o  --3 1r 0o  --3 2r 0o  --3 2r 0o  --3 2r 0o  --3 3r 0o
"""


class Move(NamedTuple):
    bases: Bases
    runs: int
    outs: int


def _moves(table: str) -> dict[tuple[str, str], Move]:
    """The lines of the diamond by class and bases."""
    head, *lines = table.strip().splitlines()
    moves = {}
    for line in lines:
        cells = re.findall(r"(\S{3}) (\d)r (\d)o", line)
        for before, (after, runs, outs) in zip(head.split(), cells, strict=True):
            moves[line.split()[0], before] = Move(after, int(runs), int(outs))
    return moves


MOVES: Final = _moves(DIAMOND)


def moved(play: Class, bases: Bases, outs: int) -> Move:
    """What a play does to the men. On the third out nobody runs, and one out is all that a double play needs."""
    move = MOVES[play, bases]
    return Move(bases, 0, 1) if move.outs and outs == OUTS - 1 else move
