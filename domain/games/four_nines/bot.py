"""Four Nines by rule of thumb: capture, keep out of reach or two by two, and bring discs Home.

Everything is counted in spaces of the road, times 36: what a move gains at once, less what the next throws of the
others are to be expected to take away again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import Thumbs
from domain.games.four_nines.cross import CROSSES, ENTRY, PLACES, WAITING, Cross, Discs, ahead, landed
from domain.games.four_nines.events import Command, Enter, GameWon, Move
from domain.games.four_nines.game import Table
from domain.games.four_nines.view import CELLS, totals

ENTERED: Final = 14  # what it is worth in spaces to have a disc on the road at all
POINT: Final = 3  # of the game with two dice, in spaces
ARRIVED: Final = 8  # nobody can take it away any more
TOGETHER: Final = 2  # a blockade is in the way of others
WON: Final = 400


def one_die(distance: int) -> int:
    """In how many of 36 cases a disc comes so far: by one throw, or by a six and another one."""
    return 6 if distance in (1, 2, 3, 4, 5, 12) else 1 if 12 < distance < 18 else 0


def two_dice(distance: int) -> int:
    """By one die, by the other, or by both one after the other.

    >>> two_dice(6), two_dice(7), two_dice(12)
    (16, 6, 1)
    """
    if distance <= 6:
        return 10 + distance
    return max(0, 13 - distance)


REACH: Final = {
    dice: tuple(0 if not distance else reach(distance) for distance in range(18))
    for dice, reach in ((1, one_die), (2, two_dice))
}
ENTRIES: Final = {1: 6, 2: 15}  # of 36 throws, those that enter


def rate(view: Mapping[str, Any], commands: Sequence[Command]) -> list[int]:
    seat = view["player"]
    if seat is None:
        return [0] * len(commands)
    dice = 1 if view["captured_counts"] is None else 2
    discs = view["discs"]
    board = board_of(view)
    on, way = CROSSES[board], ahead(board, discs, seat)
    before = standing(on, discs[seat])
    found = []
    for command in commands:
        if isinstance(command, Move):
            disc, to = command.disc, discs[seat][command.disc] + command.number
        elif isinstance(command, Enter):
            disc, to = discs[seat].index(WAITING), ENTRY
        else:
            found.append(-36 - expected_loss(on, discs, seat, dice))
            continue
        captured = way.lone.get(to)
        then = landed(discs, seat, disc, to, captured)
        gain = standing(on, then[seat]) - before
        if captured is not None:
            gain += price(discs[captured.seat][captured.disc], dice)
        if to == on.home and dice == 2:
            gain += 10 * POINT
        if isinstance(command, Enter) and dice == 2 and view["captured_counts"][seat]:
            gain += 20 * POINT  # what a missed entry costs
        found.append(36 * gain - expected_loss(on, then, seat, dice))
    return found


def board_of(view: Mapping[str, Any]) -> str:
    """Which of the crosses it is shows in where the discs stand."""
    discs = view["discs"]
    places = PLACES[len(discs)]
    for piece in view["pieces"]:
        side = piece["side"]
        progress = discs[side][int(piece["name"])]
        if progress != WAITING and CELLS["cross68"][places[side]][min(progress, 71) + 1] != piece["cell"]:
            return "cross76"
    return "cross68"


def price(progress: int, dice: int) -> int:
    """What a disc is worth to whoever captures it."""
    lost = progress + ENTERED
    return lost if dice == 1 else lost // 2 + 20 * POINT


def standing(on: Cross, own: Discs) -> int:
    found = 0
    for progress in own:
        if progress == on.home:
            found += progress + ENTERED + ARRIVED
        elif progress != WAITING:
            found += progress + ENTERED
            if progress <= on.gate and own.count(progress) == 2:
                found += TOGETHER
    return found


def expected_loss(on: Cross, discs: tuple[Discs, ...], seat: int, dice: int) -> int:
    """What the next throws of the others will cost, in 36ths: every disc that one of them can reach."""
    places, own = PLACES[len(discs)], discs[seat]
    reach, loss = REACH[dice], 0
    base = on.entry_space(places[seat])
    for progress in own:
        if not ENTRY <= progress <= on.gate or own.count(progress) == 2:
            continue
        space = (base + progress) % on.track
        safe = progress in on.safe and progress != ENTRY
        cases = 0
        for other, theirs in enumerate(discs):
            if other == seat:
                continue
            entry = on.entry_space(places[other])
            met = (space - entry) % on.track
            if not met:
                if WAITING in theirs:
                    cases += ENTRIES[dice]
            elif not safe and met <= on.gate:
                for at in theirs:
                    if at != WAITING and 0 < met - at < 18:
                        cases += reach[met - at]
        loss += min(36, cases) * price(progress, dice)
    return loss


def worth(s: Table) -> Sequence[int]:
    points = totals(s) if s.options.dice == 2 else (0,) * s.seats
    rows = zip(s.discs, s.wins, points, strict=True)
    return [standing(s.cross, own) + WON * wins + POINT * score for own, wins, score in rows]


THUMBS = Thumbs(rate, worth, ends=(GameWon,), horizon=40)
