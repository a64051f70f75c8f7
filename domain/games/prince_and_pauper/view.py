"""What a seat may know of Prince and Pauper, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from domain.game import Seat
from domain.games.prince_and_pauper.game import Table, is_over, suit_of
from domain.kit.cards import Card, Cards, Hands, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, hands_anew
from domain.telling.parts import part


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    trump: Annotated[str | None, part("mark")]
    turned: Annotated[Card | None, part("card")]
    turned_by: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    pauper_taker: Annotated[Seat | None, part("mark")]
    trick_counts: Annotated[Sequence[int], part("count", "each")]
    taken: Annotated[Sequence[Cards], part("pile", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "trump": s.trump or None,
        "turned": s.turned,
        "turned_by": s.owner,
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "pauper_taker": s.crowned,
        "trick_counts": s.tricks,
        "taken": s.taken,
        "totals": s.totals,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands dealt anew, but for the suits that a hand has shown not to hold. All know where the card turned
    up is. The Pauper can be in any hand: whether it was played or kept, nobody has to let it go."""
    if not s.playing:
        return s
    hands, _ = hands_anew(s.hands, s.voids, seat, below, shown=s.turned, suit_of=partial(suit_of, trump=s.trump))
    return s._replace(hands=hands)
