"""Aviation: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.aviation.bot import THUMBS
from domain.games.aviation.events import Command, DrawFrom, EndTurn, Event, LayReserve, PileTaken, PlayCard
from domain.games.aviation.game import (
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
from domain.games.aviation.rules import RULES
from domain.games.aviation.view import imagine, view
from domain.games.aviation.words import GLOSSARY, WORDS
from domain.kit.scores import said
from domain.kit.sides import two_sides

OWN = "hand drome_tops reserves"  # where the view shows cards that a seat can build with
THEIRS = "drome_tops reserves"

GAME = Game(
    slug="aviation",
    title="Aviation",
    summary="Build common piles up from 1 to 7 and down from 13 to 8, in turn; five flights win.",
    version=1,
    seats=range(2, 5, 2),
    seats_rule="AV-01",
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
    sides=two_sides,
    imagine=imagine,
    scores={PileTaken: said("totals")},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        PlayCard: {"card": OWN, "from_": OWN},
        DrawFrom: {"seat": THEIRS, "from_": THEIRS, "card": THEIRS},
        LayReserve: {"card": "hand"},
        EndTurn: {"": "turn"},
    },
)
