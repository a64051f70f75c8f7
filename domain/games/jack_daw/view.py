"""What a seat may know of Jack-Daw, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from domain.game import ALL, Seat
from domain.games.jack_daw.game import Table, is_over
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, Unseen, dealt_anew, unseen_hands
from domain.telling.parts import part


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    trump: Annotated[str | None, part("mark")]
    top: Annotated[Card | None, part("card")]
    stock_count: Annotated[int, part("count", of="stock")]
    stock: Annotated[Cards | None, part("pile", order="top_to_bottom")]
    known: Annotated[Sequence[Sequence[Card]], part("hand", "each")]
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
        "trump": s.trump or None,
        "top": s.pack[0] if s.pack else None,
        "stock_count": len(s.pack),
        "stock": s.pack if seat == ALL else None,
        **shown_hands(s.hands, seat),
        "known": [known(s, hand) for hand in s.hands],
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "taken": s.taken,
        "totals": s.totals,
    }


def known(s: Table, hand: Cards) -> list[Card]:
    """What the whole table knows of a hand: the cards that all saw being drawn and that have not been played."""
    return [card for card in hand if card in s.drawn]


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The pack below its top card and what the others still hold of the deal, but for the suits they did not follow.

    Whatever a hand drew was seen by all, also if it is of a suit that the hand had been out of before.
    """
    if not s.playing:
        return s
    drawn = [tuple(known(s, hand)) for hand in s.hands]
    dealt = [tuple([card for card in hand if card not in s.drawn]) for hand in s.hands]
    top, under = s.pack[:1], s.pack[1:]
    unseen = [card for other, cards in enumerate(dealt) if other != seat for card in cards]
    places = [*unseen_hands(dealt, s.voids, seat), Unseen(len(under))]
    *hands, under = dealt_anew(in_order([*unseen, *under]), places, below)
    hands[seat] = dealt[seat]
    return s._replace(
        hands=tuple(in_order(cards + seen) for cards, seen in zip(hands, drawn, strict=True)),
        pack=top + under,
    )
