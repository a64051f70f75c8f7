"""What a seat may know of Kid-O, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.kid_o.game import Table, is_over, trick_points
from domain.kit.cards import Card, Cards, Hands, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, hands_anew
from domain.telling.parts import part


class TakenTrick(TypedDict):
    seat: Seat
    cards: Annotated[Cards, part("pile")]


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    eldest: Annotated[Seat | None, part("mark")]
    first_card: Annotated[Card | None, part("card")]
    kid_o_suit: Annotated[str | None, part("mark")]
    kid_o_card: Annotated[Card | None, part("card")]
    turn: Annotated[Seat | None, part("turn")]
    undealt_count: Annotated[int, part("count", of="undealt")]
    undealt: Annotated[Cards | None, part("pile", face="down")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    tricks_taken: Sequence[TakenTrick]
    trick_points: Annotated[Sequence[int], part("score", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "eldest": s.eldest,
        "first_card": s.first_card,
        "kid_o_suit": s.first_card.suit if s.first_card else None,
        "kid_o_card": s.kid_o_card,
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "undealt_count": len(s.undealt),
        "undealt": s.undealt if seat == ALL else None,
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "tricks_taken": [{"seat": trick.seat, "cards": trick.cards} for trick in s.tricks],
        "trick_points": trick_points(s),
        "totals": s.totals,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands and the undealt cards dealt anew, but for the suits that a hand has shown not to hold. All know
    that eldest was dealt the first card. What was not dealt stays unseen after the hand too."""
    hands, (undealt,) = hands_anew(s.hands, s.voids, seat, below, shown=s.first_card, piles=(s.undealt,))
    return s._replace(hands=hands, undealt=undealt)
