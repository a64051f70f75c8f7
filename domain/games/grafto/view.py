"""What a seat may know of Grafto, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat, Secret
from domain.games.grafto.events import Grafted
from domain.games.grafto.game import FIVE, Table, highest_bid, is_over, suit_of
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, Unseen, dealt_anew, shuffled
from domain.telling.parts import part


class ShownGraft(TypedDict):
    seat: Seat
    took: Annotated[Card, part("card")]
    forced: bool
    discard: Annotated[Card | None, part("card", face="down")]


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "grafting", "bidding", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    bid_hands: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    trump: Annotated[str | None, part("mark")]
    turned: Annotated[Card | None, part("card")]
    graft: ShownGraft | None
    stock_count: Annotated[int, part("count", of="stock")]
    stock: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    bids: Annotated[Sequence[int | None], part("mark", "each")]
    highest_bid: Annotated[int, part("mark")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    trick_counts: Annotated[Sequence[int], part("count", "each")]
    played: Annotated[Cards, part("pile")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "bid_hands": s.bid_hands,
        "dealer": s.dealer,
        "turn": s.turn if s.phase != "awaiting_deal" else None,
        "trump": s.trump or None,
        "turned": s.turn_up,
        "graft": shown_graft(s.graft, seat),
        "stock_count": len(s.stock),
        "stock": s.stock if seat == ALL else None,
        **shown_hands(s.hands, seat),
        "bids": s.bids,
        "highest_bid": highest_bid(s),
        "trick_no": sum(s.tricks) + 1,
        "trick": shown_trick(s.trick),
        "trick_counts": s.tricks,
        "played": s.played,
        "totals": s.totals,
    }


def shown_graft(graft: Grafted | None, seat: Seat | None) -> ShownGraft | None:
    if graft is None:
        return None
    discard = graft.discard.value if knows_discard(graft, seat) else None
    return {"seat": graft.seat, "took": graft.took, "forced": graft.forced, "discard": discard}


def knows_discard(graft: Grafted, seat: Seat | None) -> bool:
    return seat == ALL or graft.discard.to is None or seat in graft.discard.to


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands, the stock and a hidden discard dealt anew.

    A hand keeps what all know it to hold, and takes none of the suits that it has shown not to hold. If nobody had to
    graft, the Five is somewhere in the stock.
    """
    if not s.trump:
        return s
    graft, five = s.graft, FIVE[s.trump]
    # What was put out lies under the stock, and the place is no secret.
    stock, put_out = (s.stock, ()) if graft is None else (s.stock[:-1], s.stock[-1:])
    hides_discard = graft is not None and not knows_discard(graft, seat)
    apart = [five] if graft is None and s.phase != "grafting" and five in stock else []
    kept = [s.hands[seat] if other == seat else known_cards(s, other) for other in range(s.seats)]
    places = [
        Unseen(len(hand) - len(known), partial(is_void, none, s.trump) if none else None)
        for hand, known, none in zip(s.hands, kept, s.voids, strict=True)
    ]
    places += [Unseen(len(stock) - len(apart)), Unseen(1 if hides_discard else 0)]
    unseen = [card for hand, known in zip(s.hands, kept, strict=True) for card in hand if card not in known]
    unseen += [card for card in stock if card not in apart]
    unseen += put_out if hides_discard else ()
    *hands, stock, drawn_out = dealt_anew(in_order(unseen), places, below)
    if apart:
        stock = tuple(shuffled(in_order((*stock, five)), below))
    if graft is not None and hides_discard:
        put_out = drawn_out
        graft = Grafted(graft.seat, graft.took, graft.forced, Secret(put_out[0], graft.discard.to))
    return s._replace(
        hands=tuple([in_order((*known, *hand)) for known, hand in zip(kept, hands, strict=True)]),
        stock=stock + put_out,
        graft=graft,
    )


def known_cards(s: Table, holder: Seat) -> Cards:
    """What all know a seat to hold: the card that it took in a graft, and a Five that it was offered to keep."""
    if holder != (s.graft.seat if s.graft is not None else s.turn if s.phase == "grafting" else None):
        return ()
    took, five = s.graft and s.graft.took, FIVE[s.trump]
    return tuple(card for card in s.hands[holder] if card is took or card is five)


def is_void(none: frozenset[str], trump: str, card: Card) -> bool:
    return suit_of(card, trump) in none
