"""Backgammon: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.backgammon import mat
from domain.games.backgammon.bot import THUMBS
from domain.games.backgammon.game import (
    Adopt,
    Command,
    Event,
    ManMoved,
    Move,
    Options,
    PlayUndone,
    Roll,
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
from domain.games.backgammon.stakes import Accept, Concede, Double, Drop, GameWon, Refuse, Take
from domain.games.backgammon.view import board, view
from domain.games.backgammon.words import GLOSSARY, WORDS
from domain.kit.scores import said

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
    board=board,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Roll: {"": "dice"},
        Adopt: {"": "dice"},
        Move: {"from_": "pieces", "die": "numbers"},
        Undo: {"": "plays"},
        Double: {"": "cube"},
        Take: {"": "cube"},
        Drop: {"": "cube"},
        Concede: {"": "totals", "value": "concession"},
        Accept: {"": "concession"},
        Refuse: {"": "concession"},
    },
    ends_game=(GameWon,),
    tentative=(ManMoved, PlayUndone),
    asides=(Undo, Concede),
    scores={GameWon: said("totals")},
    bot=THUMBS,
    exports={"mat": mat.whole_match},
)
