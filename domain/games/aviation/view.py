"""What a seat may know of Aviation, and what it could imagine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Literal

from domain.game import ALL, Seat
from domain.games.aviation.flights import Way
from domain.games.aviation.game import Table, is_over
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.unseen import Below, Unseen, dealt_anew
from domain.telling.parts import part


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    owes: Annotated[bool, part("mark")]
    stock_count: Annotated[int, part("count", of="stock")]
    stock: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    drome_tops: Annotated[Sequence[Card | None], part("card", "each")]
    drome_counts: Annotated[Sequence[int], part("count", "each", of="dromes")]
    dromes: Annotated[Sequence[Cards] | None, part("pile", "each")]
    reserves: Annotated[Sequence[Cards], part("row", "each")]
    ascension: Annotated[Cards, part("pile")]
    descent: Annotated[Cards, part("pile")]
    wanted_up: Annotated[int, part("mark")]
    wanted_down: Annotated[int, part("mark")]
    taken: Annotated[Sequence[Cards], part("pile", "each")]
    directions: Annotated[Sequence[Way], part("mark", "each")]
    side_totals: Annotated[Sequence[int], part("score", "side")]


def view(s: Table, seat: Seat | None) -> View:
    everything = seat == ALL
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.playing else None,
        "owes": s.owes,
        **shown_hands(s.hands, seat),
        "stock_count": len(s.stock),
        "stock": s.stock if everything else None,
        "drome_tops": [drome[-1] if drome else None for drome in s.dromes],
        "drome_counts": [len(drome) for drome in s.dromes],
        "dromes": s.dromes if everything else None,
        "reserves": s.reserves,
        "ascension": s.centre.up,
        "descent": s.centre.down,
        "wanted_up": s.centre.wanted("U"),
        "wanted_down": s.centre.wanted("D"),
        "taken": s.taken,
        "directions": s.directions,
        "side_totals": s.totals,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands, the covered cards of all dromes and the stock, dealt anew. A hand is without the numbers that it
    would have had to build with, and has one of those without which its owner could not have drawn."""
    covered = [drome[:-1] for drome in s.dromes]
    others = [() if other == seat else hand for other, hand in enumerate(s.hands)]
    places = [
        *(unseen_hand(s, other, len(hand)) for other, hand in enumerate(others)),
        *(Unseen(len(cards)) for cards in covered),
        Unseen(len(s.stock)),
    ]
    cards = [card for pile in (*others, *covered, s.stock) for card in pile]
    *found, stock = dealt_anew(in_order(cards), places, below)
    hands, under = found[: s.seats], found[s.seats :]
    return s._replace(
        hands=tuple(s.hands[seat] if other == seat else in_order(hand) for other, hand in enumerate(hands)),
        dromes=tuple((*cards, *drome[-1:]) for cards, drome in zip(under, s.dromes, strict=True)),
        stock=stock,
    )


def unseen_hand(s: Table, seat: Seat, size: int) -> Unseen:
    lacking = s.lacking[seat]
    return Unseen(size, among(lacking) if lacking else None, tuple(map(among, s.holding[seat])))


def among(numbers: frozenset[int]) -> Callable[[Card], bool]:
    return partial(_is_among, numbers)


def _is_among(numbers: frozenset[int], card: Card) -> bool:
    return card.number in numbers
