"""Acey-Ducey: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.acey_ducey.bot import THUMBS
from domain.games.acey_ducey.game import (
    Command,
    Event,
    GameWon,
    Move,
    NameDouble,
    Options,
    Roll,
    chance,
    decide,
    evolve,
    idle_options,
    legal,
    outcome,
    setup,
    sides,
    to_act,
)
from domain.games.acey_ducey.rules import RULES
from domain.games.acey_ducey.view import board, view
from domain.games.acey_ducey.words import GLOSSARY, WORDS
from domain.kit.scores import said

GAME = Game(
    slug="acey-ducey",
    title="Acey-Ducey",
    summary="Enter fifteen men, march them round and take them off first; 1 and 2 open a double of your choice.",
    version=2,
    seats=range(2, 5, 2),
    seats_rule="AD-28",
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
    board=board,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Roll: {"": "dice"},
        Move: {"from_": "pieces", "number": "numbers"},
        NameDouble: {"": "bonus", "number": "dice"},
    },
    ends_game=(GameWon,),
    sides=sides,
    scores={GameWon: said("score")},
    bot=THUMBS,
)
