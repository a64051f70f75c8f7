"""Prince and Pauper: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.prince_and_pauper.bot import THUMBS
from domain.games.prince_and_pauper.game import (
    Event,
    HandScored,
    Options,
    chance,
    decide,
    evolve,
    legal,
    outcome,
    setup,
    to_act,
)
from domain.games.prince_and_pauper.rules import RULES
from domain.games.prince_and_pauper.view import imagine, view
from domain.games.prince_and_pauper.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="prince-and-pauper",
    title="Prince and Pauper",
    summary="Suits outrank one another, the Prince tops the trumps, and nobody wants the Pauper.",
    version=1,
    seats=range(3, 9),
    seats_rule="PP-01",
    options=Options,
    rules=RULES,
    commands=(PlayCard,),
    events=get_args(Event),
    setup=setup,
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
