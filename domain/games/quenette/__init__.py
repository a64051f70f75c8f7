"""Quenette: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.quenette.bot import THUMBS
from domain.games.quenette.game import (
    Event,
    HandScored,
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
from domain.games.quenette.rules import RULES
from domain.games.quenette.view import imagine, view
from domain.games.quenette.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="quenette",
    title="Quenette",
    summary="Follow suit and take as few O cards as you can; O-5 costs five.",
    version=1,
    seats=range(2, 14),
    seats_rule="QU-01",
    options=Options,
    rules=RULES,
    commands=(PlayCard,),
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
    scores={HandScored: said("totals")},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={PlayCard: {"card": "hand"}},
)
