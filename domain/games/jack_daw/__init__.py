"""Jack-Daw: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.jack_daw.bot import THUMBS
from domain.games.jack_daw.game import (
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
from domain.games.jack_daw.rules import RULES
from domain.games.jack_daw.view import imagine, view
from domain.games.jack_daw.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="jack-daw",
    title="Jack-Daw",
    summary="Tricks with six cards and a face-up pack to draw from; High, Low, Jack-Daw and Game are a point each.",
    version=1,
    seats=range(2, 5),
    seats_rule="JD-03",
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
