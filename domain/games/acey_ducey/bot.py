"""Acey-Ducey by rule of thumb: bring men in, hold spaces, leave no man alone in front of the enemy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.game import Thumbs
from domain.games.acey_ducey.game import PLACES, Command, GameWon, Move, NameDouble, Options, Table, colour_of, law
from domain.games.acey_ducey.view import CELLS
from domain.kit.points import PLAYS, Men, pips, played, starts
from domain.kit.trackmen import read, standing

OF_DOUBLES = law(Options(), True)


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    men = read(CELLS, view["pieces"])
    colour = colour_of(view["turn"])
    mine, theirs = men[colour], men[1 - colour]
    unfinished = len(view["numbers"]) > 1
    return [_rated(command, mine, theirs, unfinished) for command in commands]


def _rated(command: Command, mine: Men, theirs: Men, unfinished: bool) -> int:
    match command:
        case Move(from_=from_, number=number):
            return standing(*played(mine, theirs, PLAYS[PLACES[from_]][number]), unfinished)
        case NameDouble(number=number):
            return after_double(mine, theirs, number)
        case _:
            return 0


def after_double(mine: Men, theirs: Men, number: int) -> int:
    """Where the double would lead if each play of it is the best one at sight."""
    for _ in range(4):
        found = starts(OF_DOUBLES.leaving, mine, theirs, number)
        if not found:
            break
        after = [played(mine, theirs, PLAYS[start][number]) for start in found]
        mine, theirs = max(after, key=lambda men: standing(*men))
    return standing(mine, theirs) if pips(mine) else 1 << 20


def worth(s: Table) -> Sequence[int]:
    return [s.score[colour_of(seat)] for seat in range(s.seats)]


THUMBS = Thumbs(rate, worth, ends=(GameWon,))
