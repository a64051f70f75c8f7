"""Trix: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.trix.bot import THUMBS
from domain.games.trix.game import (
    Command,
    Draw,
    Event,
    HandScored,
    Options,
    PlayCard,
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
from domain.games.trix.rules import RULES
from domain.games.trix.view import imagine, view
from domain.games.trix.words import GLOSSARY, WORDS
from domain.kit.scores import said

GAME = Game(
    slug="trix",
    title="Trix",
    summary="Take sets with the highest sum or a double, and gather the cards that sum to fives.",
    version=1,
    seats=range(2, 11),
    seats_rule="TX-R2",
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
    sides=sides,
    imagine=imagine,
    glossary=GLOSSARY,
    words=WORDS,
    touches={PlayCard: {"card": "hand"}, Draw: {"": "stock"}},
    scores={HandScored: said("game_scores")},
    bot=THUMBS,
)
