"""The cross of Four Nines: a road round four arms, a column up the middle of each, and Home in the centre.

The place of a disc is its progress as its owner sees it: -1 in the waiting circle, 0 on the entering circle, then
along the road to the owner's gate, up his own column, and Home. The road itself is numbered once for all, from the gate
of place 0 in the direction of march; places 0 to 3 are counted in that direction too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from domain.game import Seat
from domain.kit.turns import put

Progress = int
Discs = tuple[Progress, ...]  # the four of one seat
Pairs = frozenset[tuple[int, int]]  # discs that stand, or have stood, together

WAITING: Final = -1
ENTRY: Final = 0
DISCS: Final = 4

# ── The board as data ───────────────────────────────────────────────────────────────────────────────────────────


class Cross(NamedTuple):
    id: str
    arm: int  # rows of an arm, and spaces of a column
    quarter: int  # spaces of the road from one gate to the next
    track: int
    gate: Progress
    home: Progress
    circles: frozenset[int]  # the safe spaces, by their number on the road
    safe: frozenset[Progress]  # the same for every seat

    def gate_space(self, place: int) -> int:
        return self.quarter * place

    def entry_space(self, place: int) -> int:
        return self.quarter * place + 5

    def space(self, place: int, progress: Progress) -> int | None:
        """The number on the road, if the disc is on the road."""
        return (self.entry_space(place) + progress) % self.track if ENTRY <= progress <= self.gate else None

    def drawing(self) -> tuple[tuple[int, int], ...]:
        """Row and column of each space of the road, on a square grid with Home in the middle."""
        middle, last = self.arm + 1, 2 * self.arm + 2
        first = [(last, middle)]
        first += [(row, middle + 1) for row in range(last, middle + 1, -1)]
        first += [(middle + 1, col) for col in range(middle + 2, last + 1)]
        found = first
        for _ in range(3):
            first = [(last - col, row) for row, col in first]
            found = found + first
        return tuple(found)


def cross(name: str, arm: int) -> Cross:
    quarter = 2 * arm + 1
    track = 4 * quarter
    circles = frozenset(quarter * place + offset for place in range(4) for offset in (0, 5, 2 * arm - 4))
    safe = frozenset((circle - 5) % track for circle in circles)
    return Cross(name, arm, quarter, track, track - 5, track - 5 + arm, circles, safe)


CROSSES: Final = {board.id: board for board in (cross("cross68", 8), cross("cross76", 9))}
# Turns go to the left, against the direction in which places are counted.
PLACES: Final = {2: (0, 2), 3: (0, 3, 2), 4: (0, 3, 2, 1)}


# ── What lies ahead of a seat ───────────────────────────────────────────────────────────────────────────────────


class Captured(NamedTuple):
    seat: Seat
    disc: int


class Ahead(NamedTuple):
    """The enemy's discs by the progress at which this seat would meet them."""

    home: Progress
    walls: tuple[Progress, ...]  # blockades
    safe: frozenset[Progress]  # lone discs on circles
    lone: Mapping[Progress, Captured]  # discs that can be captured


@lru_cache(maxsize=4096)
def ahead(board: str, discs: tuple[Discs, ...], seat: Seat) -> Ahead:
    on = CROSSES[board]
    places = PLACES[len(discs)]
    walls, safe, lone = [], [], {}
    for owner, theirs in enumerate(discs):
        if owner == seat:
            continue
        apart = on.quarter * (places[owner] - places[seat])
        for number, progress in enumerate(theirs):
            if not ENTRY <= progress <= on.gate:
                continue
            met = (progress + apart) % on.track
            if met > on.gate:  # between this seat's gate and its entering circle, where its discs never come
                continue
            if theirs.count(progress) == 2:
                walls.append(met)
            elif progress in on.safe and progress != ENTRY and met != ENTRY:
                safe.append(met)
            else:  # also on its own entering circle, and on the one where this seat enters
                lone[met] = Captured(owner, number)
    return Ahead(on.home, tuple(walls), frozenset(safe), lone)


def in_play(own: Discs, home: Progress) -> bool:
    return any(WAITING < progress < home for progress in own)


def nearest_home(own: Discs, home: Progress) -> int | None:
    """The disc that has come farthest without being Home; of two equal ones the lower number."""
    best = max((progress for progress in own if WAITING < progress < home), default=None)
    return None if best is None else own.index(best)


def landed(
    discs: tuple[Discs, ...], seat: Seat, disc: int, to: Progress, captured: Captured | None
) -> tuple[Discs, ...]:
    """All discs after one has come to a space, and the one it captured has gone back to wait."""
    if captured is not None:
        discs = put(discs, captured.seat, put(discs[captured.seat], captured.disc, WAITING))
    return put(discs, seat, put(discs[seat], disc, to))


# ── How numbers can be used ─────────────────────────────────────────────────────────────────────────────────────

BARRIERS: Final = {
    "FN-02": ("not_in_play", "disc {disc} is waiting to enter"),
    "FN-05": ("space_full", "two of your discs stand on that space already"),
    "FN-06": ("safe", "an opposing disc is safe on that circle"),
    "FN-09": ("blockade", "a blockade stands in the way"),
    "FN-15": ("past_home", "{number} leads past Home, which takes the exact number"),
    "FN-16": ("at_home", "disc {disc} is Home"),
    "FN2-12": ("blockade_moved", "on a doublet the two discs of a blockade may not stand together again"),
}


def pairs(own: Discs, home: Progress) -> Pairs:
    """The discs that stand two by two, by their numbers."""
    return frozenset(
        (one, two) for two in range(DISCS) for one in range(two) if own[one] == own[two] and WAITING < own[one] < home
    )


def barrier(way: Ahead, own: Discs, disc: int, number: int, stood: Pairs | None) -> str:
    """The rule that keeps a disc from moving so far, or "". `stood`: pairs that may not stand together again."""
    start = own[disc]
    to = start + number
    if start == WAITING:
        return "FN-02"
    if start == way.home:
        return "FN-16"
    if to > way.home:
        return "FN-15"
    for wall in way.walls:
        if start < wall <= to:
            return "FN-09"
    full = ""
    for other in own:
        if start < other <= to and other != way.home and own.count(other) == 2:
            full = "FN-09" if other < to else "FN-05"
    if full:
        return full
    if to in way.safe:
        return "FN-06"
    if stood and to != way.home:
        for other in range(DISCS):
            if own[other] == to and (min(disc, other), max(disc, other)) in stood:
                return "FN2-12"
    return ""


def most(
    way: Ahead, own: Discs, numbers: tuple[int, ...], stood: Pairs | None, *, freely: bool, entering: bool = False
) -> int:
    """How many of the numbers can be used at the most; `freely` counts captures too."""
    best = 0
    for number in dict.fromkeys(numbers):
        rest = less(numbers, number)
        for disc in range(DISCS):
            if barrier(way, own, disc, number, stood) or (not freely and own[disc] + number in way.lone):
                continue
            then = put(own, disc, own[disc] + number)
            if not rest:
                return 1
            both = None if stood is None else stood | pairs(then, way.home)
            best = max(best, 1 + most(way, then, rest, both, freely=freely, entering=entering))
            if best == len(numbers):
                return best
        if entering and number == 5 and WAITING in own and ENTRY not in way.walls and own.count(ENTRY) < 2:
            then = put(own, own.index(WAITING), ENTRY)
            best = max(best, 1 + most(way, then, rest, stood, freely=freely, entering=entering))
    return best


def less(numbers: tuple[int, ...], used: int) -> tuple[int, ...]:
    """The same numbers without one of this kind."""
    at = numbers.index(used)
    return numbers[:at] + numbers[at + 1 :]
