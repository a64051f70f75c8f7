"""Rustle: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.rustle.bot import THUMBS
from domain.games.rustle.game import (
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
from domain.games.rustle.rules import RULES
from domain.games.rustle.view import imagine, view
from domain.games.rustle.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="rustle",
    title="Rustle",
    summary="Take tricks for trump honours and for the most cards; the trump 10 is worth ten.",
    version=1,
    seats=range(2, 10),
    seats_rule="RU-01",
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
