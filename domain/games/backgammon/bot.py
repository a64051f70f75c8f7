"""Backgammon by rule of thumb: run, hold points together, leave no man alone in front of the enemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.backgammon.game import MEN, Adopt, Command, Move, Roll, Table, Undo, places
from domain.games.backgammon.stakes import Accept, Concede, Double, Drop, GameWon, Refuse, Take
from domain.games.backgammon.view import CELLS
from domain.kit.points import BAR, OFF, PLAYS, Men, pips, played
from domain.kit.trackmen import read, standing

GOOD_OPENINGS: Final = ((3, 1), (4, 2), (6, 1), (5, 3), (6, 5))
NEVER: Final = -(1 << 20)
DOUBLE_FROM: Final = 8  # points ahead of every hundred that are still to go
DROP_FROM: Final = 14
HOPELESS: Final = 8  # men that nobody bears off in two turns


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    me = view["turn"]
    men = read(CELLS, view["pieces"])
    mine, theirs = men[me], men[1 - me]
    if view["phase"] in ("double_offered", "concession_offered"):
        mine, theirs = theirs, mine  # the other side is on turn, and I am to answer
    unfinished = len(view["numbers"]) > 1
    return [_rated(view, command, mine, theirs, unfinished) for command in commands]


def _rated(view: Mapping[str, Any], command: Command, mine: Men, theirs: Men, unfinished: bool) -> int:
    match command:
        case Move(from_=from_, die=die):
            return standing(*played(mine, theirs, PLAYS[places(from_)[0]][die]), unfinished)
        case Adopt():
            return 1 if (max(view["dice"]), min(view["dice"])) in GOOD_OPENINGS else -1
        case Double():
            return 1 if ahead(mine, theirs) >= DOUBLE_FROM else -1
        case Drop():
            return 1 if ahead(theirs, mine) >= DROP_FROM else -1
        case Accept():
            return 1 if theirs[OFF] or view["concession"] > 1 or ahead(mine, theirs) < 100 else -1
        case Concede(value=value):
            return -NEVER if value == 1 and is_lost(mine, theirs) else NEVER
        case Undo():
            return NEVER
        case Roll() | Take() | Refuse():
            return 0


def ahead(mine: Men, theirs: Men) -> int:
    """How much less I have to go, of every hundred points that I have."""
    return 100 * (pips(theirs) - pips(mine)) // max(1, pips(mine))


def is_lost(mine: Men, theirs: Men) -> bool:
    """He bears off his last men, and I could not bear mine in twice that time."""
    return mine[OFF] > 0 and theirs[OFF] >= MEN - 2 and MEN - mine[OFF] > HOPELESS and not theirs[BAR]


def worth(s: Table) -> Sequence[int]:
    return s.score


THUMBS = Thumbs(rate, worth, ends=(GameWon,))
