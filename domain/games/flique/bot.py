"""Flique by rule of thumb: place what leaves a hand that many cards can help, and wait for the last one early."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

from domain.game import Thumbs
from domain.games.flique.events import Discard, Draw, GameDrawn, GameWon, PassOut
from domain.games.flique.game import ENOUGH, PACK, Table
from domain.kit.cards import Card, Cards

WON: Final = 100_000
PLACED: Final = 25  # a card on the table
FINAL: Final = 50  # a card that would win
RISK: Final = 3  # a card that may help the rival
DRAW: Final = 5


def _at(card: Card, away: int) -> Card | None:
    return Card(f"{card.suit}-{card.number + away}") if 1 <= card.number + away <= 10 else None


# For each card its neighbours, and those one further with the card between.
NEXT: Final = {card: tuple(at for away in (-1, 1) if (at := _at(card, away))) for card in PACK}
FURTHER: Final = {
    card: tuple((far, near) for far, near in ((_at(card, 2), _at(card, 1)), (_at(card, -2), _at(card, -1))) if far)
    for card in PACK
}


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    seat, hand, drawn, discards = view["turn"], view["hand"], view["drawn"], view["discards"]
    placed = view["placed_counts"][seat]
    seen = {*hand, *discards, *((drawn,) if drawn else ()), *(c for own in view["placed"] for run in own for c in run)}
    live = {card for card in PACK if card not in seen}
    found = []
    for command in commands:
        match command:
            case Discard(card=card):
                risk = RISK * sum(at in live for at in NEXT[card]) + FINAL * (view["placed_counts"][1 - seat] > 6)
                left = hand if card is drawn else tuple([held for held in hand if held is not card])
                found.append(hand_value(left, live, placed) - risk)
            case Draw() | PassOut():
                found.append(hand_value(hand, live, placed) + DRAW)
            case _:
                found.append(_placing(command, hand, live, placed, view["phase"] == "discarding"))
    return found


def _placing(command: Any, hand: Cards, live: Set[Card], placed: int, from_hand: bool) -> int:
    used = command.with_
    now = placed + len(used) + (not from_hand)
    if now >= ENOUGH:
        return WON
    left = [card for card in hand if card not in used]
    if not left:
        return -WON
    links = [_links(card, left, live) for card in left]
    worst = links.index(min(links))
    return hand_value([card for n, card in enumerate(left) if n != worst], live, now)


def hand_value(hand: Sequence[Card], live: Set[Card], placed: int) -> int:
    """How well the cards of a hand hang together, and how far it is on its way."""
    value = PLACED * placed + sum(_links(card, hand, live) for card in hand)
    if len(hand) > 3:
        return value
    if not hand:
        return -WON
    low, high = hand[0].number, hand[0].number
    for card in hand:
        if card.suit != hand[0].suit:
            return value
        low, high = min(low, card.number), max(high, card.number)
    size = high - low + 1
    if size == len(hand):
        ways = sum(at in live for card in hand for at in NEXT[card])
    else:
        ways = (
            sum(at in live and at not in hand and low < at.number < high for card in hand for at in NEXT[card]) // 2
            if size == len(hand) + 1
            else 0
        )
    return value + FINAL * ways


def _links(card: Card, hand: Sequence[Card], live: Set[Card]) -> int:
    found = 0
    for at in NEXT[card]:
        found += 10 if at in hand else 4 if at in live else 0
    for far, near in FURTHER[card]:
        if near in live or near in hand:
            found += 4 if far in hand else 1 if far in live else 0
    return found


def worth(s: Table) -> Sequence[int]:
    return s.wins


THUMBS = Thumbs(rate, worth, ends=(GameWon, GameDrawn))
