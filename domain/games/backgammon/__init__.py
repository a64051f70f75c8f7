"""Backgammon: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.backgammon import mat
from domain.games.backgammon.game import (
    Command,
    Event,
    ManMoved,
    Options,
    PlayUndone,
    Undo,
    chance,
    decide,
    evolve,
    idle_options,
    legal,
    outcome,
    setup,
    to_act,
)
from domain.games.backgammon.rules import RULES
from domain.games.backgammon.stakes import Concede, GameWon
from domain.games.backgammon.view import view

GAME = Game(
    slug="backgammon",
    title="Backgammon",
    summary="Bring fifteen men home past the enemy and bear them off first; hit his blots on the way.",
    version=1,
    seats=range(2, 3),
    seats_rule="BG-01",
    options=Options,
    rules=RULES,
    commands=get_args(Command),
    events=get_args(Event),
    setup=setup,
    idle_options=idle_options,
    to_act=to_act,
    chance=chance,
    legal=legal,
    decide=decide,
    evolve=evolve,
    view=view,
    outcome=outcome,
    ends_game=(GameWon,),
    tentative=(ManMoved, PlayUndone),
    asides=(Undo, Concede),
    exports={"mat": mat.whole_match},
)
