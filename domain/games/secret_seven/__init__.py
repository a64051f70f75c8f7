"""Secret Seven: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.secret_seven.bot import THUMBS
from domain.games.secret_seven.events import (
    Accept,
    CallSecret,
    Command,
    Event,
    HandScored,
    NoCall,
    ProveNeglect,
    SelectSecret,
)
from domain.games.secret_seven.game import (
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
from domain.games.secret_seven.imagine import imagine
from domain.games.secret_seven.rules import RULES
from domain.games.secret_seven.view import view
from domain.games.secret_seven.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said
from domain.kit.turns import around, left_of

GAME = Game(
    slug="secret-seven",
    title="Secret Seven",
    summary="Tricks with a seven pay extra, but the dealer has hidden one that costs seven points.",
    version=1,
    seats=range(2, 5),
    seats_rule="SS-01",
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
    order=lambda s: around(left_of(s.dealer or 0, s.seats), s.seats),
    sides=lambda s: s.sides,
    hidden_choices=(SelectSecret,),
    templates=(SelectSecret,),
    imagine=imagine,
    scores={HandScored: said("totals")},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        SelectSecret: {"": "packet", "cards": "pack", "combo": "pack"},
        PlayCard: {"card": "hand"},
        CallSecret: {"": "tricks_taken", "numbers": "packet.secret"},
        NoCall: {"": "tricks_taken"},
        ProveNeglect: {"trick": "tricks_taken"},
        Accept: {"": "pending"},
    },
)
