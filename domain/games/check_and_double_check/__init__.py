"""Check and Double Check: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.check_and_double_check.bot import THUMBS
from domain.games.check_and_double_check.events import Command, Event, HandWon, Pass, PlayCard, Roll
from domain.games.check_and_double_check.game import (
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
from domain.games.check_and_double_check.rules import RULES
from domain.games.check_and_double_check.view import imagine, view
from domain.games.check_and_double_check.words import GLOSSARY, WORDS
from domain.kit.turns import around

GAME = Game(
    slug="check-and-double-check",
    title="Check and Double Check",
    summary="Two dice, open cards: lay away what the dice say, and take back when they say CHECK.",
    version=2,
    seats=range(2, 9),
    seats_rule="CK-R13",
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
    glossary=GLOSSARY,
    words=WORDS,
    touches={Roll: {"": "faces"}, PlayCard: {"card": "rows"}, Pass: {"": "number"}},
    order=lambda s: around(s.turn, s.seats),
    scores={
        HandWon: lambda event, options, before: event["balance" if options.get("score_mode") == "net" else "points"]
    },
    bot=THUMBS,
)
