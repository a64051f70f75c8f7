"""Four Nines: the record of the game."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from domain.game import Game
from domain.games.four_nines.bot import THUMBS
from domain.games.four_nines.events import Command, EndPlay, Enter, Event, GameWon, Move, Roll
from domain.games.four_nines.game import (
    Options,
    chance,
    decide,
    evolve,
    idle_options,
    legal,
    outcome,
    setup,
    to_act,
)
from domain.games.four_nines.past import past
from domain.games.four_nines.rules import RULES
from domain.games.four_nines.view import board, view
from domain.games.four_nines.words import GLOSSARY, WORDS

_PRESENT = Game(
    slug="four-nines",
    title="Four Nines",
    summary="Bring four discs round the cross and Home, with one die or with two.",
    version=2,
    seats=range(2, 5),
    seats_rule="FN-R1",
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
        Enter: {"": "pieces", "with_": "dice"},
        Move: {"disc": "pieces", "number": "numbers"},
        EndPlay: {"": "numbers"},
    },
    ends_game=(GameWon,),
    scores={GameWon: lambda event, options, before: event["sums" if options.get("variant") == "two-dice" else "wins"]},
    bot=THUMBS,
)
GAME = replace(_PRESENT, past=past(_PRESENT))
