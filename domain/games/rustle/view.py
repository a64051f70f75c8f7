"""What a seat may know of Rustle, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from domain.game import ALL, Seat
from domain.games.rustle.game import LEFT_OUT, Table, by_suit_and_rank, is_over
from domain.kit.cards import Card, Cards, Hands, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, hands_anew
from domain.telling.parts import part


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    left_out: Annotated[Cards, part("row")]
    turned: Annotated[Card | None, part("card")]
    turned_by: Annotated[Seat | None, part("mark")]
    trump: Annotated[str | None, part("mark")]
    packet_no: Annotated[int, part("mark")]
    face_down_counts: Annotated[Sequence[int], part("count", "each", of="face_down")]
    face_down: Annotated[Sequence[Cards] | None, part("pile", "each", face="down")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    taken: Annotated[Sequence[Cards], part("pile", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        "left_out": LEFT_OUT.get(s.seats, ()),
        "turned": s.turned,
        "turned_by": s.dealer if s.turned else None,
        "trump": s.trump or None,
        "packet_no": s.packet_no,
        # All packets are of one size.
        "face_down_counts": (len(s.face_down) * len(s.face_down[0][0]) if s.face_down else 0,) * s.seats,
        "face_down": piles(s) if seat == ALL else None,
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": s.taken,
        "totals": s.totals,
    }


def piles(s: Table) -> Sequence[Cards]:
    """The packets before each seat in one pile, as they lie: the packet dealt first at the bottom."""
    return [sum((layer[seat] for layer in s.face_down), ()) for seat in range(s.seats)]


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands and all packets that lie face down dealt anew, but for the suits that a packet in hand has shown
    not to hold. All know that the card turned up is the dealer's, in the packet that is played first."""
    if not s.playing:
        return s
    hands, packets = hands_anew(
        s.hands,
        s.voids,
        seat,
        below,
        shown=s.turned,
        piles=[packet for layer in s.face_down for packet in layer],
        order=by_suit_and_rank,
    )
    layers = [packets[first : first + s.seats] for first in range(0, len(packets), s.seats)]
    return s._replace(hands=hands, face_down=tuple(layers))
