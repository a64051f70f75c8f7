"""Editions: the rules of a game as they are, and as they were for the matches that began with them.

An edition is a whole `Game` of its own, made from the present one by replacing what differs. Its `version` is the last
number of the rules that it stands for: a number between two editions belongs to the later one, since what was changed
then changed no rule.
"""

from __future__ import annotations

from typing import Any

from domain.game import Game


class OfLaterRelease(Exception):
    """Written by a release that knows more than this one: to read it would be to guess."""


def editions(game: Game[Any]) -> tuple[Game[Any], ...]:
    """All that are kept, the present one last."""
    return (*game.past, game)


def edition(game: Game[Any], rules_version: int) -> Game[Any]:
    """The game by the rules of this number."""
    for one in editions(game):
        if rules_version <= one.version:
            return one
    raise OfLaterRelease(
        f"{game.title} by rules {rules_version} is of a later release; this one knows them up to {game.version}"
    )
