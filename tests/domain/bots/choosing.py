"""What a seat would do by rule of thumb."""

from __future__ import annotations

from typing import Any

from domain.game import Game
from domain.kit.cards import Card
from domain.kit.plays import PlayCard


def by_thumb(game: Game[Any], table: Any, seat: int) -> Any:
    commands = game.legal(table, seat)
    scores = game.bot.rate(game.view(table, seat), commands)
    return commands[max(range(len(commands)), key=scores.__getitem__)]


def card_by_thumb(game: Game[Any], table: Any, seat: int) -> Card:
    play = by_thumb(game, table, seat)
    assert isinstance(play, PlayCard)
    return play.card
