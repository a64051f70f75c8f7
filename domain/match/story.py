"""The events of a match as sentences, be they of the match or of its game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain.game import Game, Seat
from domain.match.words import WORDS
from domain.telling.words import tell
from domain.wire import Parts


def sentence(game: Game[Any], parts: Parts, reader: Seat | None, names: Sequence[str]) -> str:
    """What happened, to one reader: a seat, anybody (None), or one who may see everything (ALL)."""
    if parts.type == "match_opened":
        parts = parts._replace(public={**parts.public, "game": game.title})
    return tell(WORDS if parts.type in WORDS else game.words, parts, reader, names)
