"""What a game of backgammon is played for: its value, the doubling cube, and conceding before the end.

The cube starts at 1 in the middle. The player on turn may offer to double before he rolls; his opponent takes, and owns
the cube from then on, or drops, and loses what the cube showed before. A player who sees no hope may concede instead.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, assert_never

from domain.game import Refused, Seat, record
from domain.kit.points import BAR, HOME, OFF, Men
from domain.kit.turns import put

Both = tuple[Men, ...]
HIGHEST: Final = 64


class Stakes(NamedTuple):
    cube: int = 1
    owner: Seat | None = None  # nobody while the cube is in the middle
    offer: Literal["double", "concession"] | None = None  # waiting for the opponent of the player on turn
    must_roll: bool = False  # the double of this turn was taken
    conceded: int | None = None  # the value that was offered on this turn, even if it was refused
    crawford: bool = False  # the game without doubles


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class Double:
    """Offer to double the stakes before you roll."""


@record
class Take:
    """Accept the double and own the cube."""


@record
class Drop:
    """Decline the double and lose the game at the old stakes."""


@record
class Concede:
    """Offer to lose the game as a single (1), double (2) or triple (3) one."""

    value: int


@record
class Accept:
    """Accept the concession and win the game."""


@record
class Refuse:
    """Refuse the concession and play on."""


Command = Double | Take | Drop | Concede | Accept | Refuse


@record
class DoubleOffered:
    """A seat offers to double the stakes."""

    seat: Seat
    value: int


@record
class DoubleTaken:
    """A seat accepts the double and owns the cube."""

    seat: Seat
    value: int


@record
class DoubleDropped:
    """A seat declines the double and loses the game."""

    seat: Seat


@record
class ConcessionOffered:
    """A seat offers to lose the game at a certain value."""

    seat: Seat
    value: int


@record
class ConcessionAnswered:
    """A seat accepts or refuses a concession."""

    seat: Seat
    accepted: bool


Event = DoubleOffered | DoubleTaken | DoubleDropped | ConcessionOffered | ConcessionAnswered


Reason = Literal["borne_off", "dropped", "conceded"]


@record
class GameWon:
    """A seat wins a game; its value times the cube makes the points."""

    seat: Seat
    reason: Reason
    value: int
    cube: int
    points: int
    men_off: tuple[int, ...]
    totals: tuple[int, ...]


# ── What may be offered and answered ────────────────────────────────────────────────────────────────────────────


def objection_while_offered(stakes: Stakes) -> Refused | None:
    """Why play itself has to wait."""
    match stakes.offer:
        case "double":
            return Refused("BG-32", "wrong_phase", "a double is offered and must be answered first")
        case "concession":
            return Refused("BG-36", "wrong_phase", "a concession is offered and must be answered first")
        case None:
            return None


def objection_to_double(stakes: Stakes, seat: Seat, to_roll: bool, points: int, target: int | None) -> Refused | None:
    if refusal := objection_while_offered(stakes):
        return refusal
    if not to_roll:
        return Refused(
            "BG-31", "wrong_phase", "a double is offered before one's own roll, after the first play of a game"
        )
    if stakes.crawford:
        return Refused("BG-34", "crawford", "in the Crawford game nobody may double")
    if stakes.cube == HIGHEST:
        return Refused("BG-35", "highest_cube", f"the cube stops at {HIGHEST}")
    if target is not None and points + stakes.cube >= target:
        return Refused(
            "BG-35", "dead_cube", f"with {points} points you need no more than the {stakes.cube} on the cube"
        )
    if stakes.owner is not None and stakes.owner != seat:
        return Refused("BG-31", "not_your_cube", "your opponent owns the cube")
    return None


def objection_to_answer(stakes: Stakes, command: Take | Drop | Accept | Refuse, asked: bool) -> Refused | None:
    if isinstance(command, Take | Drop):
        if stakes.offer != "double" or not asked:
            return Refused("BG-32", "nothing_to_answer", "no double is offered to you")
    elif stakes.offer != "concession" or not asked:
        return Refused("BG-36", "nothing_to_answer", "no concession is offered to you")
    return None


def objection_to_concession(stakes: Stakes, value: int, most: int, on_turn: bool) -> Refused | None:
    if not on_turn or stakes.offer:
        return Refused("BG-36", "wrong_phase", "a game is conceded on one's own turn, with no offer on the table")
    if stakes.must_roll:
        return Refused("BG-32", "must_roll", "your double was taken, so you must roll")
    if stakes.conceded is not None:
        return Refused("BG-36", "already_conceded", "you have offered to concede on this turn")
    if not 1 <= value <= most:
        return Refused("BG-36", "wrong_value", f"you can concede {'1' if most == 1 else f'1 to {most}'}, not {value}")
    return None


# ── What a game is worth ────────────────────────────────────────────────────────────────────────────────────────


def worth(loser: Men, triple_game: bool) -> int:
    """Two if the loser has borne no man; three, by option, if one of his men has not left the winner's home."""
    if loser[OFF]:
        return 1
    return 3 if triple_game and any(loser[BAR - HOME : BAR + 1]) else 2


def most_to_lose(loser: Men, triple_game: bool) -> int:
    if loser[OFF]:
        return 1
    return 3 if triple_game else 2


def won(stakes: Stakes, winner: Seat, reason: Reason, value: int, men: Both, totals: tuple[int, ...]) -> GameWon:
    points = value * stakes.cube
    totals = put(totals, winner, totals[winner] + points)
    return GameWon(winner, reason, value, stakes.cube, points, tuple(side[OFF] for side in men), totals)


# ── The stakes after an event ───────────────────────────────────────────────────────────────────────────────────


def after(stakes: Stakes, event: Event) -> Stakes:
    match event:
        case DoubleOffered():
            return stakes._replace(offer="double")
        case DoubleTaken(seat=seat, value=value):
            return stakes._replace(cube=value, owner=seat, offer=None, must_roll=True)
        case DoubleDropped() | ConcessionAnswered():
            return stakes._replace(offer=None)
        case ConcessionOffered(value=value):
            return stakes._replace(offer="concession", conceded=value)
        case _:
            assert_never(event)


def after_roll(stakes: Stakes) -> Stakes:
    return stakes._replace(must_roll=False) if stakes.must_roll else stakes


def after_turn(stakes: Stakes) -> Stakes:
    return stakes if stakes.conceded is None else stakes._replace(offer=None, conceded=None)
