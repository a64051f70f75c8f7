"""What a seat may know of Secret Seven."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.secret_seven.game import Table, is_over
from domain.games.secret_seven.sevens import Numbers
from domain.kit.cards import Card, Cards, Hands, shown_hands
from domain.kit.tricks import ShownTrick, TricksTaken, shown_trick
from domain.telling.parts import part


class Packet(TypedDict):
    count: Annotated[int, part("count", of="cards")]
    cards: Annotated[Cards | None, part("pile", face="down")]
    secret: Annotated[Numbers | None, part("mark")]


class View(Hands):
    phase: Annotated[
        Literal["selecting", "awaiting_deal", "playing", "calling", "proving", "finished"],
        part("mark"),
    ]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    pack: Annotated[Cards | None, part("row", "you")]
    packet: Packet
    turned: Annotated[Card | None, part("card")]
    trump: Annotated[str | None, part("mark")]
    over_count: Annotated[int, part("count", of="over")]
    over: Annotated[Cards | None, part("pile", face="down")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    tricks_taken: TricksTaken
    seven_tricks: Annotated[Sequence[int], part("mark")]
    called_trick: Annotated[int | None, part("mark")]
    pending: Annotated[Sequence[Seat], part("mark")]
    side_totals: Annotated[Sequence[int], part("score", "side")]


def view(s: Table, seat: Seat | None) -> View:
    choosing = s.phase == "selecting" and seat is not None and seat == s.dealer
    knows = knows_packet(s, seat)
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.phase == "playing" else None,
        "pack": s.pack if choosing else None,
        "packet": {
            "count": len(s.packet),
            "cards": s.packet if knows else None,
            "secret": s.combo if knows else None,
        },
        **shown_hands(s.hands, seat),
        "turned": s.turned,
        "trump": s.turned and s.turned.suit,
        "over_count": len(s.over),
        "over": s.over if seat == ALL else None,
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "tricks_taken": [{"seat": trick.seat, "cards": trick.cards} for trick in s.taken],
        "seven_tricks": [no for no, trick in enumerate(s.taken, start=1) if trick.seven],
        "called_trick": s.called_trick,
        "pending": sorted(s.pending),
        "side_totals": s.totals,
    }


def knows_packet(s: Table, seat: Seat | None) -> bool:
    """The dealer who chose it does, and everybody once it has been called or shown."""
    return bool(s.packet) and (s.packet_open or seat == ALL or (seat is not None and seat == s.dealer))
