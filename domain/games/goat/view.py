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
    scored = s.phase == "awaiting_deal"
    open_books = scored or s.options.books_shown or seat == ALL
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "round_no": s.round_no,
        "quiet_rounds": s.quiet_rounds,
        **shown_hands(s.hands, seat),
        "choice": s.choices[seat] if seat is not None and seat >= 0 else None,
        "choices": s.choices if seat == ALL else None,
        "chosen": [other for other, card in enumerate(s.choices) if card is not None],
        "race": {
            "open": s.phase == "race",
            "order": s.race,
            "claim": s.claim if seat == ALL or seat in s.race[:1] else None,
        },
        "book_counts": [len(numbers) for numbers in s.books],
        "books": s.books if open_books else [own if seat == owner else None for owner, own in enumerate(s.books)],
        "dead_cards": s.hands if scored else None,
        "goat_counts": s.goats,
        "goat_totals": s.goat_totals,
        "totals": s.totals,
    }
