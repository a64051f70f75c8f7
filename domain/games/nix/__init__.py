"""Nix: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.nix.bot import THUMBS
from domain.games.nix.events import Command, Draw, Event, HandScored, PlayCard
from domain.games.nix.game import (
    Options,
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
from domain.games.nix.imagine import imagine
from domain.games.nix.rules import RULES
from domain.games.nix.view import view
from domain.games.nix.words import GLOSSARY, WORDS
from domain.kit.scores import said

GAME = Game(
    slug="nix",
    title="Nix",
    summary="Build the sets card by card, draw blind when you cannot, and hold the double-blank at the close.",
    version=1,
    seats=range(3, 11),
    seats_rule="NX-R3",
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
    touches={
        PlayCard: {"card": "hand"},
        Draw: {"": "draws_from", "position": "hand_counts", "from_": "draws_from"},
    },
    scores={HandScored: said("totals")},
    bot=THUMBS,
)
