"""Checkers with the huff: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.checkers.bot import THUMBS
from domain.games.checkers.draughts import Move
from domain.games.checkers.events import Command, Compel, Event, GameEnded, Huff, Leave, Touch
from domain.games.checkers.game import (
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
from domain.games.checkers.view import board, view
from domain.games.checkers.words import GLOSSARY, WORDS

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
    board=board,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Move: {"from_": "pieces", "path": "board"},
        Huff: {"square": "pieces"},
        Compel: {"piece": "pieces"},
        Touch: {"square": "pieces"},
        Leave: {"": "pending_offence"},
    },
    ends_game=(GameEnded,),
    exports={"pdn": match_text},
    draw_rule="CH-24",
    draw_agreed=draw_agreed,
    scores={GameEnded: lambda event, options, before: [half / 2 for half in event["half_points"]]},
    bot=THUMBS,
)
