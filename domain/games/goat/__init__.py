"""Goat: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.goat.bot import THUMBS
from domain.games.goat.events import Command, Event, HandScored, LayDown, PassCard
from domain.games.goat.game import (
    Options,
    alarm,
    chance,
    decide,
    evolve,
    idle_options,
    legal,
    order,
    outcome,
    pause,
    round_of,
    setup,
    to_act,
)
from domain.games.goat.imagine import imagine
from domain.games.goat.rules import RULES
from domain.games.goat.view import view
from domain.games.goat.words import GLOSSARY, WORDS
from domain.kit.scores import said

GAME = Game(
    slug="goat",
    title="Goat",
    summary="Pass cards to the left until you hold four of a number, and do not be the last to lay down.",
    version=2,
    seats=range(2, 14),
    seats_rule="GO-01",
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
    hidden_choices=(PassCard,),
    templates=(LayDown,),
    pause=pause,
    round=round_of,
    order=order,
    alarm=alarm,
    imagine=imagine,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        PassCard: {"": "choice", "card": "hand", "round_no": "round_no"},
        LayDown: {"": "race", "number": "hand", "round_no": "round_no"},
    },
    scores={HandScored: said("totals")},
    bot=THUMBS,
)
