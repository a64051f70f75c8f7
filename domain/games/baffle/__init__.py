"""Baffle: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.baffle.bot import THUMBS
from domain.games.baffle.events import Command, Declare, Event, Exchange, HandScored, Keep
from domain.games.baffle.game import (
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
from domain.games.baffle.rules import RULES
from domain.games.baffle.view import imagine, view
from domain.games.baffle.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="baffle",
    title="Baffle",
    summary="Stay only if you can take a trick; count down from twenty, and do not get baffled.",
    version=2,
    seats=range(2, 8),
    seats_rule="BA-01",
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
    hidden_choices=(Exchange,),
    imagine=imagine,
    scores={HandScored: said("totals")},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Declare: {"choice": "choices"},
        Exchange: {"": "turned", "discard": "hand"},
        Keep: {"": "turned"},
        PlayCard: {"card": "hand"},
    },
)
