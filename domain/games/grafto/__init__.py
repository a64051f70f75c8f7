"""Grafto: the record of the game."""

from __future__ import annotations

from typing import get_args

from domain.game import Game
from domain.games.grafto.bot import THUMBS
from domain.games.grafto.events import Bid, Command, DeclineGraft, Event, Graft, HandScored, PassBid
from domain.games.grafto.game import (
    STRENGTH,
    Options,
    chance,
    decide,
    evolve,
    legal,
    outcome,
    setup,
    to_act,
)
from domain.games.grafto.rules import RULES
from domain.games.grafto.view import imagine, view
from domain.games.grafto.words import GLOSSARY, WORDS
from domain.kit.plays import PlayCard
from domain.kit.scores import said

GAME = Game(
    slug="grafto",
    title="Grafto",
    summary="Bid what your hand is worth and take four of seven tricks; the 5 of trumps is best, and C-1 is next.",
    version=1,
    seats=range(3, 8),
    seats_rule="GR-01",
    options=Options,
    rules=RULES,
    commands=get_args(Command),
    events=get_args(Event),
    setup=setup,
    to_act=to_act,
    chance=chance,
    legal=legal,
    decide=decide,
    evolve=evolve,
    view=view,
    outcome=outcome,
    hidden_choices=(Graft,),
    dear=lambda s, command: command.discard in STRENGTH[s.trump],
    imagine=imagine,
    scores={HandScored: said("totals")},
    bot=THUMBS,
    glossary=GLOSSARY,
    words=WORDS,
    touches={
        Graft: {"": "turned", "discard": "hand"},
        DeclineGraft: {"": "turned"},
        Bid: {"": "bids", "points": "highest_bid"},
        PassBid: {"": "bids"},
        PlayCard: {"card": "hand"},
    },
)
