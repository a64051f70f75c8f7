"""Baffle: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.baffle.game import (
    Command,
    Event,
    Exchange,
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
from domain.games.baffle.view import view

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
)
