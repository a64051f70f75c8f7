"""What a seat may know of Quenette, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.quenette.game import Table, is_over
from domain.kit.cards import Cards, Hands, in_order, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.turns import put
from domain.kit.unseen import Below, Unseen, dealt_anew, unseen_hands
from domain.telling.parts import part


class Extras(TypedDict):
    count: Annotated[int, part("count", of="cards")]
    taker: Seat | None
    cards: Annotated[Cards | None, part("pile", face="down")]


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    extras: Extras
    taken: Annotated[Sequence[Cards], part("pile", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        **shown_hands(s.hands, seat),
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "extras": {
            "count": len(s.extras),
            "taker": s.extras_taker,
            "cards": s.extras if knows_extras(s, seat) else None,
        },
        # The extras stay out of this list until the count: the table is not to know their O cards.
        "taken": [
            tricks_of(s, owner) if s.playing and owner == s.extras_taker else pile for owner, pile in enumerate(s.taken)
        ],
        "totals": s.totals,
    }


def knows_extras(s: Table, seat: Seat | None) -> bool:
    """Nobody while they lie on the table; then whom the option lets look, and all when the hand is counted."""
    if s.extras_taker is None:
        return seat == ALL
    if not s.playing or seat == ALL:
        return True
    return s.options.extras_view == "all" or (s.options.extras_view == "taker" and seat == s.extras_taker)


def tricks_of(s: Table, seat: Seat) -> Cards:
    return tuple(card for card in s.taken[seat] if card not in s.extras)


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands and the extras dealt anew, but for the suits that a hand has shown not to hold."""
    if not s.playing:
        return s
    known = knows_extras(s, seat)
    places = [*unseen_hands(s.hands, s.voids, seat), Unseen(0 if known else len(s.extras))]
    unseen = [card for other, hand in enumerate(s.hands) if other != seat for card in hand]
    unseen += () if known else s.extras
    *hands, extras = dealt_anew(in_order(unseen), places, below)
    hands[seat] = s.hands[seat]
    s = s._replace(hands=tuple(in_order(hand) for hand in hands))
    if known:
        return s
    taken = s.taken
    if s.extras_taker is not None:
        instead = dict(zip(s.extras, extras, strict=True))
        taken = put(taken, s.extras_taker, tuple(instead.get(card, card) for card in taken[s.extras_taker]))
    return s._replace(extras=extras, taken=taken)
