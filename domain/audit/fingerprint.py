"""One number for the rules of a game, so that two releases can tell whether they mean the same ones.

It covers what the game declares: its name, the number of its rules, how many may sit down, every rule with its words
and source, and every table option with its kind, default and bounds. It does not cover the code that plays by them.
"""

from __future__ import annotations

import hashlib
from typing import Any

from domain.audit.reading import canonical
from domain.game import Game, options_of


def declared(game: Game[Any]) -> dict[str, Any]:
    """What the fingerprint is taken of."""
    return {
        "game": game.slug,
        "version": game.version,
        "seats": list(game.seats),
        "rules": [list(rule) for rule in game.rules.values()],
        "options": [option._asdict() for option in options_of(game.options)],
    }


def fingerprint(game: Game[Any]) -> str:
    return hashlib.sha256(canonical(declared(game))).hexdigest()
