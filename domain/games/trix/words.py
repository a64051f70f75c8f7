"""Trix in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from domain.game import Seat
from domain.games.trix.game import (
    CardDrawn,
    CardPlayed,
    DealCardsDrawn,
    HandDealt,
    HandScored,
    LeftoverAwarded,
    SetTaken,
)
from domain.telling.words import Say, Told, counted, shown, words

GLOSSARY = {
    "game_scores": "the points of each side in the game so far",
    "reserve": "the Reserve, the next card first",
    "reserve_size": "how many cards are left in the Reserve",
    "scored": "how many points the best side scores",
    "set_no": "the number of this set in the hand, from 1",
    "hand_scored.side": "the number of the side that scores; null if the best are equal",
    "side_hand_points": "the points that each side has taken in this hand so far; null while they are covered",
    "side_of": "the number of each seat's side",
    "set_taken.side_totals": "the points that each side has taken in this hand so far",
    "leftover_awarded.side_totals": "the points that each side has taken in this hand",
    "hand_scored.side_totals": "the points that each side has taken in this hand",
    "smallest": "the seats with the smallest sum; a single one deals",
    "trix_points": "the points of these cards: a Trix card counts its sum",
}


def _s(told: Told, seat: Seat) -> str:
    """The ending of a verb after this seat's name."""
    return "" if seat == told.reader else "s"


def _first(name: str) -> str:
    return name[:1].upper() + name[1:]


def _side(told: Told, side: int, sides: int) -> str:
    """The names of those who play together: they sit evenly spread."""
    return told.people(range(side, len(told.names), sides))


def _each_side(told: Told, points: Sequence[int]) -> str:
    return ", ".join(f"{_side(told, side, len(points))} {count}" for side, count in enumerate(points))


def deal_cards_drawn(told: Told) -> str:
    seen = told.seen
    drawn = ", ".join(f"{told.name(seat)} {card}" for seat, card in zip(seen["seats"], seen["cards"], strict=True))
    least = seen["smallest"]
    if len(least) == 1:
        return f"Cards are drawn for the deal: {drawn}. {_first(told.name(least[0]))} deal{_s(told, least[0])} first."
    return f"Cards are drawn for the deal: {drawn}. {_first(told.people(least))} tie and draw again."


def set_taken(told: Told) -> str:
    """Without points where the table covers them."""
    seat, set_no, points = told.seen["seat"], told.seen["set_no"], told.seen.get("trix_points")
    taken = f"{told.name(seat)} take{_s(told, seat)} set {set_no}"
    if points is None:
        return f"{taken}."
    if not points:
        return f"{taken}, which counts nothing."
    return f"{taken}: {counted(points, 'point')}. In this hand so far: {_each_side(told, told.seen['side_totals'])}."


def leftover_awarded(told: Told) -> str:
    cards, points = told.seen["cards"], told.seen.get("trix_points")
    left = f"{shown(cards)} {'is' if len(cards) == 1 else 'are'} left over and"
    left += f" go{'es' if len(cards) == 1 else ''} to {told.name(told.seen['seat'])}"
    return f"{left}." if points is None else f"{left}: {counted(points, 'point')}."


def hand_scored(told: Told) -> str:
    seen = told.seen
    taken = f"The hand is counted: {_each_side(told, seen['side_totals'])}."
    side, sides = seen["side"], len(seen["side_totals"])
    if side is None:
        return f"{taken} The best are equal, so nobody scores."
    alone = sides == len(told.names) and side != told.reader
    scores = f"{_first(_side(told, side, sides))} score{'s' if alone else ''} {counted(seen['scored'], 'point')}."
    return f"{taken} {scores} Totals: {_each_side(told, seen['game_scores'])}."


WORDS = words(
    Say(DealCardsDrawn, deal_cards_drawn),
    Say(
        HandDealt,
        "{@dealer} deal{s|} hand {hand_no}; the Reserve has {reserve_size:card}.",
        "{@dealer} deal{s|} hand {hand_no}; the Reserve has {reserve_size:card}. You hold {hands}.",
        "{@dealer} deal{s|} hand {hand_no}: {#hands}. The Reserve has {reserve_size:card}.",
    ),
    Say(CardPlayed, "{@seat} play{s|} {card}."),
    Say(
        CardDrawn,
        "{@seat} draw{s|} a card and leave{s|} {reserve_size} in the Reserve.",
        "{@seat} draw{s|} {card} and leave{s|} {reserve_size} in the Reserve.",
    ),
    Say(SetTaken, set_taken),
    Say(LeftoverAwarded, leftover_awarded),
    Say(HandScored, hand_scored),
)
