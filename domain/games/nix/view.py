"""What a seat may know of Nix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.nix.events import Cards
from domain.games.nix.game import Table, in_order, is_over, pack, right_with_cards, scores
from domain.kit.trixcards import TrixCard, TrixHands
from domain.telling.parts import part

Phase = Literal["dealer_draw", "awaiting_deal", "playing", "finished"]


class CompletedSet(TypedDict):
    """A set with the seat that completed it."""

    set_no: int
    seat: Seat


class View(TrixHands):
    phase: Annotated[Phase, part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    drawing_for_deal: Annotated[Sequence[Seat], part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    draws_from: Annotated[Seat | None, part("mark")]
    wanted: Annotated[TrixCard | None, part("mark")]
    open_set: Annotated[Cards, part("row")]
    sets: Annotated[Sequence[CompletedSet], part("mark")]
    nix_holder: Annotated[Seat | None, part("mark")]
    totals: Annotated[Sequence[int], part("score", "each")]
    side_totals: Annotated[Sequence[int], part("score", "side")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": phase(s),
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "drawing_for_deal": s.drawing_for_deal,
        "turn": s.turn if s.playing else None,
        "draws_from": right_with_cards(s.hands, s.turn) if s.playing else None,
        "hand": in_order(s.hands[seat]) if seat is not None and seat >= 0 else None,
        "hand_counts": [len(hand) for hand in s.hands],
        "hands": [in_order(hand) for hand in s.hands] if seat == ALL else None,
        "wanted": s.wanted,
        "open_set": open_set(s),
        "sets": [{"set_no": n, "seat": owner} for n, owner in enumerate(s.sets, start=1)],
        "nix_holder": s.nix_holder,
        "totals": s.totals,
        "side_totals": scores(s) if s.options.sides == "alternate" else s.totals,
    }


def open_set(s: Table) -> Cards:
    """The cards that lie before the wanted one in its set: in the pack too they stand just before it."""
    if s.wanted is None:
        return ()
    cards = pack(s)
    at = cards.index(s.wanted)
    return cards[at - s.wanted.low : at]


def phase(s: Table) -> Phase:
    if s.playing:
        return "playing"
    if s.dealer is None:
        return "dealer_draw"
    return "finished" if is_over(s) else "awaiting_deal"
