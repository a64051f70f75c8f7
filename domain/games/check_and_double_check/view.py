"""What can be seen of a table of Check and Double Check, and what a seat could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.check_and_double_check.events import Face, Row
from domain.games.check_and_double_check.game import Table, scores
from domain.kit.unseen import Below, shuffled
from domain.telling.parts import part

Phase = Literal["dealer_throw", "awaiting_deal", "throwing", "discarding", "finished"]
PHASES: Final[dict[str, Phase]] = {
    "dealer_throw": "dealer_throw",
    "deal": "awaiting_deal",
    "throwing": "throwing",
    "discarding": "discarding",
    "game_over": "finished",
}


class View(TypedDict):
    phase: Annotated[Phase, part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    faces: Annotated[Sequence[Face], part("dice")]
    number: Annotated[int | None, part("mark")]
    eligible: Annotated[Sequence[Seat], part("mark")]
    rows: Annotated[Sequence[Row], part("row", "each")]
    discard: Annotated[Row, part("pile")]
    discard_count: Annotated[int, part("count", of="discard")]
    discard_under: Annotated[Row | None, part("pile", face="down")]
    discard_under_count: Annotated[int, part("count", of="discard_under")]
    totals: Annotated[Sequence[int], part("score", "each")]
    received: Annotated[Sequence[int], part("score", "each")]
    balance: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    """All seats see the same table. Only the lowest cards of the Discard are seen by nobody until the match is over."""
    return {
        "phase": PHASES[s.phase],
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.phase in ("throwing", "discarding") else None,
        "faces": s.faces,
        "number": s.playing_number,
        "eligible": sorted(s.eligible),
        "rows": s.rows,
        "discard": s.discard[s.unseen :],
        "discard_count": len(s.discard),
        "discard_under": s.discard[: s.unseen] if seat == ALL else None,
        "discard_under_count": s.unseen,
        "totals": scores(s),
        "received": s.points,
        "balance": s.balance,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """Which cards lie at the bottom of the Discard follows from those in sight; their order does not."""
    under = shuffled(sorted(s.discard[: s.unseen]), below)
    return s._replace(discard=(*under, *s.discard[s.unseen :]))
