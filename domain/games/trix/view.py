"""What a seat may know of Trix, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.trix.game import Cards, Side, Table, in_order, is_over
from domain.kit.trixcards import TrixCard, TrixHands, shown_trix_hands
from domain.kit.unseen import Below, Unseen, dealt_anew
from domain.telling.parts import part

Phase = Literal["dealer_draw", "awaiting_deal", "playing", "finished"]


class SetCard(TypedDict):
    """A card of the set in a view, with the seat that played it."""

    seat: Seat
    card: TrixCard


class View(TrixHands):
    phase: Annotated[Phase, part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    stock: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    stock_count: Annotated[int, part("count", of="stock")]
    trick_no: Annotated[int, part("mark")]
    trick: Annotated[Sequence[SetCard], part("trick")]
    taken: Annotated[Sequence[Cards] | None, part("pile", "each")]
    side_of: Sequence[Side]
    side_hand_points: Annotated[Sequence[int] | None, part("score", "side")]
    side_totals: Annotated[Sequence[int], part("score", "side")]


def view(s: Table, seat: Seat | None) -> View:
    covered = s.playing and s.options.hide_totals and seat != ALL
    leader = s.turn - len(s.on_table)
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        **shown_trix_hands(s.hands, seat),
        "stock": s.reserve if seat == ALL else None,
        "stock_count": len(s.reserve),
        "trick_no": s.set_no,
        "trick": [{"seat": (leader + n) % s.seats, "card": card} for n, card in enumerate(s.on_table)],
        "taken": None if covered else s.taken,
        "side_of": s.side_of,
        "side_hand_points": None if covered else s.side_totals,
        "side_totals": s.game_scores,
    }


def phase(s: Table) -> Phase:
    if s.playing:
        return "playing"
    if s.dealer is None:
        return "dealer_draw"
    return "finished" if is_over(s) else "awaiting_deal"


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands and the Reserve dealt anew.

    Any card may be played at any time, and the draw comes by itself: what a seat does says nothing of what it holds.
    Everybody who paid attention knows the taken cards, even where the piles are covered.
    """
    if not s.playing:
        return s
    places = [Unseen(0 if other == seat else len(hand)) for other, hand in enumerate(s.hands)]
    unseen = [card for other, hand in enumerate(s.hands) if other != seat for card in hand]
    *hands, reserve = dealt_anew(in_order([*unseen, *s.reserve]), [*places, Unseen(len(s.reserve))], below)
    hands[seat] = s.hands[seat]
    return s._replace(hands=tuple(in_order(hand) for hand in hands), reserve=reserve)
