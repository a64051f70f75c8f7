"""The events of a match as sentences, be they of the match or of its game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from domain.game import Game, Seat
from domain.match.state import (
    BotFellBack,
    BotTookOver,
    DrawAnswered,
    DrawOffered,
    MatchEnded,
    MatchStarted,
    SeatResigned,
    SeatReturned,
    TurnTimedOut,
)
from domain.match.words import WORDS
from domain.telling.words import tell
from domain.wire import Parts, wire_name

TURNS: Final = (
    MatchStarted,
    SeatResigned,
    BotTookOver,
    SeatReturned,
    BotFellBack,
    TurnTimedOut,
    DrawOffered,
    DrawAnswered,
    MatchEnded,
)


def remarkable(game: Game[Any]) -> frozenset[str]:
    """The events that somebody who looks back at a match stops at: a hand or a game was counted, or the match itself
    took a turn."""
    return frozenset(map(wire_name, (*game.ends_game, *game.bot.ends, *TURNS)))


def sentence(game: Game[Any], parts: Parts, reader: Seat | None, names: Sequence[str]) -> str:
    """What happened, to one reader: a seat, anybody (None), or one who may see everything (ALL)."""
    if parts.type == "match_opened":
        parts = parts._replace(public={**parts.public, "game": game.title})
    return tell(WORDS if parts.type in WORDS else game.words, parts, reader, names)
