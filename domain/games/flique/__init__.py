"""Flique: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.flique.bot import THUMBS
from domain.games.flique.events import Command, Discard, Draw, Event, GameDrawn, GameWon, PassOut, Place, TakeDiscard
from domain.games.flique.game import (
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
from domain.games.flique.rules import RULES
from domain.games.flique.view import imagine, view
from domain.games.flique.words import GLOSSARY, WORDS
from domain.kit.scores import said

GAME = Game(
    slug="flique",
    title="Flique",
    summary="Two players draw and lay down neighbours of one suit; eleven cards on the table win.",
    version=1,
    seats=range(2, 3),
    seats_rule="FL-01",
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
    imagine=imagine,
    scores={GameWon: said("wins"), GameDrawn: lambda event, options, before: before},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Draw: {"": "stock_count"},
        TakeDiscard: {"": "discards", "with_": "hand", "onto": "placed"},
        Place: {"": "drawn", "with_": "hand", "onto": "placed"},
        Discard: {"": "discards", "card": "hand drawn"},
        PassOut: {"": "discards"},
    },
    ends_game=(GameWon, GameDrawn),
)
