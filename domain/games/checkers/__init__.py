"""Checkers with the huff: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.checkers.game import (
    Command,
    Event,
    GameEnded,
    Options,
    chance,
    decide,
    draw_agreed,
    evolve,
    idle_options,
    legal,
    objection_to_table,
    outcome,
    setup,
    to_act,
)
from domain.games.checkers.pdn import match_text
from domain.games.checkers.rules import RULES
from domain.games.checkers.view import view

GAME = Game(
    slug="checkers",
    title="Checkers",
    summary="Jump or block all enemy pieces, and huff the piece that forgot to jump.",
    version=1,
    seats=range(2, 3),
    seats_rule="CH-01",
    options=Options,
    rules=RULES,
    commands=get_args(Command),
    events=get_args(Event),
    setup=setup,
    idle_options=idle_options,
    objection_to_table=objection_to_table,
    to_act=to_act,
    chance=chance,
    legal=legal,
    decide=decide,
    evolve=evolve,
    view=view,
    outcome=outcome,
    ends_game=(GameEnded,),
    exports={"pdn": match_text},
    draw_rule="CH-24",
    draw_agreed=draw_agreed,
)
