"""What a seat may know of Goat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.goat.game import Table, is_over
from domain.kit.cards import Card, Cards, Hands, shown_hands
from domain.telling.parts import part


class Race(TypedDict):
    open: bool
    order: Annotated[Sequence[Seat], part("mark")]
    claim: Annotated[int | None, part("mark")]


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "passing", "race", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    round_no: Annotated[int, part("mark")]
    quiet_rounds: Annotated[int, part("mark")]
    choice: Annotated[Card | None, part("card", "you", face="down")]
    choices: Annotated[Sequence[Card | None] | None, part("card", "each", face="down")]
    chosen: Annotated[Sequence[Seat], part("mark")]
    race: Race
    book_counts: Annotated[Sequence[int], part("count", "each", of="books")]
    books: Annotated[Sequence[Sequence[int] | None], part("mark", "each")]
    dead_cards: Annotated[Sequence[Cards] | None, part("pile", "each")]
    goat_counts: Annotated[Sequence[int], part("count", "each")]
    goat_totals: Annotated[Sequence[int], part("count", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    scored, everything, own = s.phase == "awaiting_deal", seat == ALL, seat if seat is not None and seat >= 0 else None
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "round_no": s.round_no,
        "quiet_rounds": s.quiet_rounds,
        **shown_hands(s.hands, seat),
        "choice": None if own is None else s.choices[own],
        "choices": s.choices if everything else None,
        "chosen": [other for other, card in enumerate(s.choices) if card is not None],
        "race": {
            "open": s.phase == "race",
            "order": s.race,
            "claim": s.claim if everything or seat in s.race[:1] else None,
        },
        "book_counts": list(map(len, s.books)),
        "books": s.books if scored or everything or s.options.books_shown else own_books(s, own),
        "dead_cards": s.hands if scored else None,
        "goat_counts": s.goats,
        "goat_totals": s.goat_totals,
        "totals": s.totals,
    }


def own_books(s: Table, seat: Seat | None) -> Sequence[Sequence[int] | None]:
    found: list[Sequence[int] | None] = [None] * s.seats
    if seat is not None:
        found[seat] = s.books[seat]
    return found
