"""Flique: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.flique.game import (
    Command,
    Event,
    GameDrawn,
    GameWon,
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
from domain.games.flique.rules import RULES
from domain.games.flique.view import view

GAME = Game(
    slug="flique",
    title="Flique",
    summary="Two players draw and lay down neighbours of one suit; eleven cards on the table win.",
    version=1,
    seats=range(2, 3),
    seats_rule="FL-01",
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
    ends_game=(GameWon, GameDrawn),
)
