"""The dealer's choice of a packet, as a legal list offers it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from domain.game import Template
from domain.games.secret_seven.events import SelectSecret
from domain.games.secret_seven.sevens import can_recur, packets
from domain.kit.cards import Cards, in_order


@cache
def selection(cards: Cards, size: int, suits: int, require_possible: bool) -> Template:
    """The dealer's choice runs to tens of thousands; a sample takes any of them with equal chance."""
    fill = {
        "cards": f"{size} cards of the pack in use, which are laid face down",
        "combo": "two or more of them, of pairwise different suits, whose numbers add up to 7",
    }

    @cache
    def choices() -> list[tuple[Cards, Cards]]:
        every = packets(cards, size)
        return [(combo, rest) for combo, rest in every if not require_possible or can_recur(combo + rest, combo, suits)]

    def sample(below: Callable[[int], int]) -> SelectSecret:
        combo, rest = choices()[below(len(choices()))]
        return SelectSecret(in_order(combo + rest), combo)

    return Template(SelectSecret, fill, sample)
