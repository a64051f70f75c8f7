"""What a seat may know of Flique, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from domain.game import ALL, Seat
from domain.games.flique.game import Table, is_over
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.turns import put
from domain.kit.unseen import Below, Unseen, dealt_anew
from domain.telling.parts import part


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "choosing", "drawn", "discarding", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    drawn: Annotated[Card | None, part("card")]
    stock_count: Annotated[int, part("count", of="stock")]
    stock: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    discards: Annotated[Cards, part("pile")]
    placed: Annotated[Sequence[Sequence[Cards]], part("row", "each")]
    placed_counts: Annotated[Sequence[int], part("count", "each", of="placed")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    everything = seat == ALL
    return {
        "phase": s.phase if s.phase != "between" else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": None if s.phase == "between" else s.turn,
        **shown_hands(s.hands, seat),
        "drawn": s.drawn if everything or seat == s.turn else None,
        "stock_count": len(s.reserve),
        "stock": s.reserve if everything else None,
        "discards": s.discards,
        "placed": s.placed,
        "placed_counts": [sum(map(len, own)) for own in s.placed],
        "totals": s.wins,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The rival's hand, the reserve, and the card that the rival has just drawn, dealt anew. Nobody has to place or to
    take anything, and a discard that is taken goes to the table, so that no play tells more of a hand than it shows."""
    rival = 1 - seat
    drawn: Cards = (s.drawn,) if s.drawn is not None and rival == s.turn else ()
    held, reserve = s.hands[rival], s.reserve
    places = [Unseen(len(held)), Unseen(len(reserve)), Unseen(len(drawn))]
    hand, reserve, drawn = dealt_anew(in_order(held + reserve + drawn), places, below)
    s = s._replace(hands=put(s.hands, rival, in_order(hand)), reserve=reserve)
    return s._replace(drawn=drawn[0]) if drawn else s
