"""Kid-O: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.kid_o.bot import THUMBS
from domain.games.kid_o.game import Event, HandScored, Options, chance, decide, evolve, legal, outcome, setup, to_act
from domain.games.kid_o.rules import RULES
from domain.games.kid_o.view import imagine, view
from domain.games.kid_o.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="kid-o",
    title="Kid-O",
    summary="Dodge every second trick, and the Kid-O card that nobody names before the hand is over.",
    version=1,
    seats=range(2, 9),
    seats_rule="KO-01",
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
