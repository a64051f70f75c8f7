"""What a seat may know of Crown Baseball, the diamond as a board, and what a seat could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal, get_args

from domain.game import ALL, Seat
from domain.games.crown_baseball.diamond import Bases
from domain.games.crown_baseball.game import Half, Options, Table, is_over, line_score, other, totals
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.tricks import ShownTrick, shown_trick
from domain.kit.unseen import Below, Unseen, dealt_anew, shuffled, unseen_hands
from domain.telling.parts import Board, Cell, Piece, Pieces, part

HOME: Final = "home"


def men_of(side: Seat, bases: str, at_bat: bool) -> list[Piece]:
    """The men of the side at bat: the batter at home plate while a hand is played, and those on base."""
    runners: list[Piece] = [{"cell": at, "side": side, "kind": "runner", "count": 1} for at in bases if at != "-"]
    batter: Piece = {"cell": HOME, "side": side, "kind": "batter", "count": 1}
    return [batter, *runners] if at_bat else runners


# Made once: views are asked for often.
MEN: Final = {
    (side, bases, at_bat): men_of(side, bases, at_bat)
    for side in (0, 1)
    for bases in get_args(Bases)
    for at_bat in (False, True)
}


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "playing", "finished"], part("mark")]
    inning: Annotated[int, part("mark")]
    half: Annotated[Half, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    batter: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    pieces: Pieces
    bases: Bases
    outs: Annotated[int, part("mark")]
    runs: Annotated[int, part("mark")]
    line_score: Annotated[Sequence[Sequence[int]], part("score", "each")]
    totals: Annotated[Sequence[int], part("score", "each")]
    field_turned: Annotated[Cards, part("pile")]
    field_count: Annotated[int, part("count", of="field")]
    field: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    trump: Annotated[str | None, part("mark")]
    turned: Annotated[Card | None, part("card")]
    turned_by: Seat | None
    trick: ShownTrick
    played: Annotated[Cards, part("pile")]
    unused_count: Annotated[int, part("count", of="unused")]
    unused: Annotated[Cards | None, part("pile", face="down")]


def view(s: Table, seat: Seat | None) -> View:
    everything = seat == ALL
    return {
        "phase": "playing" if s.playing else "finished" if is_over(s) else "awaiting_deal",
        "inning": s.inning,
        "half": s.half,
        "dealer": s.dealer,
        "batter": other(s.dealer) if s.dealer is not None else None,
        "turn": s.turn if s.playing else None,
        "pieces": MEN[other(s.dealer), s.bases, s.playing],
        "bases": s.bases,
        "outs": s.outs,
        "runs": s.runs,
        "line_score": [line_score(s, side) for side in range(s.seats)],
        "totals": totals(s),
        "field_turned": s.field[: s.turned],
        "field_count": len(s.field) - s.turned if s.field else 0,
        "field": s.field[s.turned :] if everything else None,
        "trump": s.trump or None,
        "turned": s.trump_card,
        "turned_by": s.dealer if s.trump_card else None,
        **shown_hands(s.hands, seat),
        "trick": shown_trick(s.trick),
        "played": s.played,
        "unused_count": len(s.unused),
        "unused": s.unused if everything else None,
    }


def board(options: Options, seats: int) -> Board:
    """The diamond: home plate at the bottom, first base on the right, and the way round by second and third."""
    return Board(
        3,
        3,
        (
            Cell(HOME, 1, 2, "home", ("1",)),
            Cell("1", 2, 1, "1st", ("2",)),
            Cell("2", 1, 0, "2nd", ("3",)),
            Cell("3", 0, 1, "3rd", (HOME,)),
        ),
    )


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The rival's hand, the unused cards and the field cards to come, drawn anew. The card shown for trumps stays with
    the dealer until he plays it, and a seat that did not follow a suit has none of it."""
    face_down = tuple(shuffled(in_order(s.field[s.turned :]), below))
    s = s._replace(field=s.field[: s.turned] + face_down)
    if not s.playing:
        return s
    rival = other(seat)
    shown = tuple(card for card in s.hands[rival] if rival == s.dealer and card == s.trump_card)
    hidden = tuple(card for card in s.hands[rival] if card not in shown)
    places = unseen_hands([hidden if other == rival else () for other in range(s.seats)], s.voids, seat)
    *hands, unused = dealt_anew(in_order(hidden + s.unused), [*places, Unseen(len(s.unused))], below)
    hands[rival] = in_order(hands[rival] + shown)
    hands[seat] = s.hands[seat]
    return s._replace(hands=tuple(hands), unused=unused)
