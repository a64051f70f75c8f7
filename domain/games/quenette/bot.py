"""Quenette by rule of thumb: stay under, and give away what hurts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from domain.game import Thumbs
from domain.games.quenette.game import HandScored, Table
from domain.kit.cards import Card
from domain.kit.plays import PlayCard


def penalty(card: Card) -> int:
    return 0 if card.suit != "O" else 5 if card.number == 5 else 1


def rate(view: Mapping[str, Any], commands: Sequence[PlayCard]) -> list[int]:
    trick = view["trick"]
    if not trick:
        # Lead low, so that others take it; an O card that is low enough makes them pay.
        return [-8 * command.card.number - 20 * penalty(command.card) for command in commands]
    led = trick[0]["card"].suit
    highest = max(play["card"].number for play in trick if play["card"].suit == led)
    last = len(trick) == len(view["hand_counts"]) - 1
    at_stake = sum(penalty(play["card"]) for play in trick)
    return [_rated(command.card, led, highest, at_stake, last) for command in commands]


def _rated(card: Card, led: str, highest: int, at_stake: int, last: bool) -> int:
    if card.suit != led:
        return 100 * penalty(card) + card.number  # thrown off
    if card.number < highest:
        return 500 + 20 * penalty(card) + card.number  # under it: the highest that is safe
    if last:
        return 100 * (not at_stake) - 100 * (at_stake + penalty(card)) + card.number  # it is ours anyway: with the best
    return -100 * (at_stake + penalty(card)) - card.number


def worth(s: Table) -> Sequence[int]:
    return [-total for total in s.totals]


THUMBS = Thumbs(rate, worth, ends=(HandScored,))
