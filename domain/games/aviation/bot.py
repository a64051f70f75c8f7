"""Aviation by rule of thumb: build what leads to a pile of one's own, and not what others are waiting for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Seat, Thumbs
from domain.games.aviation.events import DrawFrom, EndTurn, HandEnded, LayReserve, PlayCard
from domain.games.aviation.flights import CLOSING, STEP, way_of
from domain.games.aviation.game import Table
from domain.kit.cards import Card
from domain.kit.sides import side_of

BUILD: Final = 100
CLOSE: Final = 1000
GIFT: Final = 150  # a pile that others may complete
NEAR: Final = 4  # so many unseen cards from its end a pile is in reach of those who build on it
SOURCES: Final = {"drome": 30, "hand": 20, "reserve": 10}  # a drome shows a new card, a hand is filled when it is empty


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    seat: Seat = view["turn"]
    directions, tops, reserves = view["directions"], view["drome_tops"], view["reserves"]
    way = directions[seat]
    wanted = view["wanted_up"] if way == "U" else view["wanted_down"]
    own = {card.number for card in (*view["hand"], *reserves[seat])}
    if tops[seat]:
        own.add(tops[seat].number)
    others = range(1 - side_of(seat), len(directions), 2)
    rivals = [other for other in others if directions[other] == way]
    theirs = {
        card.number
        for other in others
        if directions[other] != way
        for card in (*reserves[other], *(tops[other : other + 1] if tops[other] else ()))
    }
    reached = _reached(wanted, STEP[way], CLOSING[way], own, theirs)
    completes = reached == CLOSING[way] + STEP[way]
    # Where others build the same way, what falls short of the end may be theirs to complete.
    rest = range(reached, CLOSING[way] + STEP[way], STEP[way])
    gift = 0
    for other in rivals:
        shown = {card.number for card in (*reserves[other], *(tops[other : other + 1] if tops[other] else ()))}
        if not completes and sum(number not in shown for number in rest) <= NEAR:
            gift = GIFT
    found = []
    for command in commands:
        match command:
            case PlayCard(card=card, from_=source):
                if way_of(card) != way:
                    found.append(-CLOSE)
                else:
                    found.append(BUILD + SOURCES[source] - gift + CLOSE * (card.number == CLOSING[way]))
            case DrawFrom():
                found.append(BUILD + 25 - gift)
            case LayReserve(card=card):
                found.append(_laid(card, way, wanted, own))
            case EndTurn():
                found.append(0)
    return found


def _reached(wanted: int, step: int, closing: int, own: set[int], theirs: set[int]) -> int:
    """The number that the pile waits for when all is built that can be."""
    last = wanted
    while wanted != closing + step and (wanted in own or (wanted in theirs and wanted != closing)):
        wanted += step
        if wanted - step in own:
            last = wanted  # a card that is drawn must be followed by one's own
    return last


def _laid(card: Card, way: str, wanted: int, own: set[int]) -> int:
    """Nobody can draw a card that completes a pile, nor one of the pile that its owner builds."""
    if card.number in (7, 8):
        return 30
    if way_of(card) == way:
        return -5 if card.number == wanted else 20
    return 0


def worth(s: Table) -> Sequence[int]:
    return [s.totals[side_of(seat)] for seat in range(s.seats)]


THUMBS = Thumbs(rate, worth, ends=(HandEnded,))
