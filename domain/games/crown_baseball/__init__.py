"""Crown Baseball: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.crown_baseball.bot import THUMBS
from domain.games.crown_baseball.game import (
    Event,
    HalfEnded,
    Options,
    chance,
    decide,
    evolve,
    legal,
    outcome,
    setup,
    to_act,
)
from domain.games.crown_baseball.rules import RULES
from domain.games.crown_baseball.view import board, imagine, view
from domain.games.crown_baseball.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard

GAME = Game(
    slug="crown-baseball",
    title="Crown Baseball",
    summary="Tricks run a baseball game: who takes the trick decides what the turned field card means.",
    version=1,
    seats=range(2, 3),
    seats_rule="CB-06",
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
    board=board,
    imagine=imagine,
    scores={
        HalfEnded: lambda event, options, before: [
            total + event["runs"] * (seat == event["seat"]) for seat, total in enumerate(before)
        ]
    },
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={PlayCard: {"card": "hand"}},
)
