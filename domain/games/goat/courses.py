"""Courses of a hand of Goat: everything that others may have done in secret, card by card.

A hand has as many cards after a round as before, so that a seat always has the same number of choices, whatever cards
it holds. The courses that fit what a seat has seen are counted, position by position, and one of them is drawn, each as
likely as any other. Positions differ only in how many cards of each kind lie where; which card of its kind it is that
moves makes a factor.

A long hand between many seats has more positions than can be counted. Then the seat forgets the beginning of the hand,
as little of it as need be: what is drawn fits everything since then, and of what was before that it fits who has how
many cards and which books they can have put away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import factorial, perm
from typing import Final, NamedTuple

from domain.game import Seat
from domain.games.goat.books import BOOKS
from domain.games.goat.hearsay import FRESH, GONE, Kind, Op, Plan, Seen, plan, since
from domain.kit.cards import Card
from domain.kit.unseen import Below, below_large, shuffled, weighted

MOST_TURNINGS: Final = 6_000  # what is counted in less than a tenth of a second
MOST_SUPPOSITIONS: Final = 500

Numbers = tuple[int, ...]  # of books


class Course(NamedTuple):
    """What may have happened: the hands at the beginning, what each seat gave in each step, and the books."""

    hands: list[list[Card]]
    given: list[dict[Seat, Card]]
    hidden: Numbers
    claims: Numbers


# ── Card by card ────────────────────────────────────────────────────────────────────────────────────────────────


class Making:
    """A course in the making. Cards that the seat has never held are numbers until the end."""

    def __init__(self, plan: Plan, hidden: Numbers, claims: Numbers) -> None:
        self._plan, self._hidden, self._claims = plan, hidden, claims
        self._places: list[dict[Kind, list[Card | int]]] = []
        self._origin: list[Seat] = []
        for seat, count in enumerate(plan.seen.counts):
            own = count if seat != plan.seen.seat else 0
            self._places.append({FRESH: list(range(len(self._origin), len(self._origin) + own)), GONE: []})
            self._origin += [seat] * own
        self._names: dict[int, Card] = {}
        self._given: list[dict[Seat, Card | int]] = [{} for _ in plan.seen.looks]
        self._held: Card | int = 0

    def move(self, op: Op, kind: Kind, index: int) -> None:
        """The card of this kind that has this place among its like."""
        place = self._places[op.seat]
        if op.what == "gets":
            card = self._plan.given[op.look]
            place.setdefault(kind, []).append(card)
            self._given[op.look][self._plan.seen.seat] = card
        elif op.what == "release":
            place.setdefault(kind, []).append(self._held)
        elif op.what == "book":
            self._put_away(op, index)
        else:
            card_or_number = place[kind].pop(index)
            self._given[op.look][op.seat] = card_or_number
            if op.what == "gives":
                self._places[op.to].setdefault(kind, []).append(card_or_number)
            elif op.what == "hold":
                self._held = card_or_number
            elif kind == FRESH:
                got = self._plan.seen.looks[op.look].got
                assert isinstance(card_or_number, int) and got is not None
                self._names[card_or_number] = got
        for seat in {op.seat, op.to}:
            if op.round > op.horizon[seat]:
                self._places[seat][FRESH] += self._places[seat][GONE]
                self._places[seat][GONE] = []

    def _put_away(self, op: Op, index: int) -> None:
        place = self._places[op.seat]
        place.pop(op.kind, None)
        for card in BOOKS[self._claims[-1 - op.kind]]:
            if card not in self._plan.last_given:
                index, at = divmod(index, len(place[FRESH]))
                number = place[FRESH].pop(at)
                assert isinstance(number, int)
                self._names[number] = card

    def finished(self, below: Below) -> Course:
        booked = {card for number in self._hidden + self._claims for card in BOOKS[number]}
        rest = shuffled([card for card in self._plan.unseen if card not in booked], below)
        names = [self._names.get(number) or rest.pop() for number in range(len(self._origin))]
        hands: list[list[Card]] = [[] for _ in self._places]
        hands[self._plan.seen.seat] += self._plan.seen.hand
        for number, seat in enumerate(self._origin):
            hands[seat].append(names[number])
        given = [
            {seat: names[card] if isinstance(card, int) else card for seat, card in look.items()}
            for look in self._given
        ]
        return Course(hands, given, self._hidden, self._claims)


# ── Counting ────────────────────────────────────────────────────────────────────────────────────────────────────

Place = tuple[int, int, tuple[Kind, ...]]  # how many cards are fresh, how many gone, and which are due
State = tuple[tuple[Place, ...], Kind]  # by seat; and what is on its way between two seats, if anything is
Turning = tuple[Kind, int, State]  # what moves, in how many ways, and where that leads


class TooMany(Exception):
    """More positions than can be counted."""


class Counted:
    """All courses that fit, if so many of the given cards went into each of the claims, and how many they are."""

    def __init__(self, plan: Plan, kinds: dict[int, Kind], known: Sequence[int], most: int) -> None:
        self.plan, self._kinds, self._known = plan, kinds, known
        counts = enumerate(plan.seen.counts)
        start: State = (tuple([(0 if seat == plan.seen.seat else n, 0, ()) for seat, n in counts]), GONE)
        layers: list[dict[State, list[Turning]]] = []
        front = {start}
        for op in plan.ops:
            layer = {}
            for state in front:
                layer[state] = turnings = list(self._turnings(op, state))
                most -= len(turnings)
            if most < 0:
                raise TooMany
            layers.append(layer)
            front = {after for turnings in layer.values() for _, _, after in turnings}
        self.left, self._start = most, start
        # From the end backwards: in how many ways the hand can go on from each position.
        ways: dict[State, int] = dict.fromkeys(front, 1)
        self._layers: list[dict[State, list[tuple[int, int, Kind, State]]]] = []
        for layer in reversed(layers):
            counted = {}
            for state, turnings in layer.items():
                rows = [(many * ways[after], ways[after], kind, after) for kind, many, after in turnings]
                counted[state] = [row for row in rows if row[0]]
            self._layers.append(counted)
            ways = {state: sum([row[0] for row in rows]) for state, rows in counted.items()}
        self._layers.reverse()
        self.ways = ways.get(start, 0)

    def draw(self, hidden: Numbers, claims: Numbers, below: Below) -> Course:
        """One number says it all: which way the hand went at each turning, and with which of several like cards."""
        making = Making(self.plan, hidden, claims)
        state, number = self._start, below_large(below, self.ways)
        for op, layer in zip(self.plan.ops, self._layers, strict=True):
            for many, each, kind, after in layer[state]:
                if number < many:
                    index, number = divmod(number, each)
                    making.move(op, kind, index)
                    state = after
                    break
                number -= many
        return making.finished(below)

    def _turnings(self, op: Op, state: State) -> Iterator[Turning]:
        places, held = state
        place = places[op.seat]
        fresh, gone, dues = place
        if op.what == "gets":
            kind = self._kinds[op.look]
            if not self._late(kind, op.seat, op.round):
                yield kind, 1, (_with(places, op.seat, _clear(op, op.seat, _plus(place, kind))), GONE)
        elif op.what == "release":
            yield held, 1, (_with(places, op.seat, _clear(op, op.seat, _plus(place, held))), GONE)
        elif op.what == "book":
            known = self._known[-1 - op.kind]
            if dues.count(op.kind) == known and fresh >= 4 - known:
                left = fresh - (4 - known), gone, tuple([kind for kind in dues if kind != op.kind])
                yield op.kind, perm(fresh, 4 - known), (_with(places, op.seat, _clear(op, op.seat, left)), GONE)
        else:
            for kind, many in self._choices(op, place):
                left = _clear(op, op.seat, _minus(place, kind))
                if left[2] and any(self._late(due, op.seat, op.round) for due in left[2]):
                    continue
                after = _with(places, op.seat, left)
                if op.what == "gives":
                    after = _with(after, op.to, _clear(op, op.to, _plus(after[op.to], kind)))
                yield kind, many, (after, kind if op.what == "hold" else held)

    def _choices(self, op: Op, place: Place) -> Iterator[tuple[Kind, int]]:
        fresh, gone, dues = place
        if op.what == "gives_me":
            many = fresh if op.kind == FRESH else dues.count(op.kind)
            if many:
                yield op.kind, many
            return
        if fresh:
            yield FRESH, fresh
        if gone:
            yield GONE, gone
        for kind in dict.fromkeys(dues):
            if op.what == "hold" or not self._late(kind, op.to, op.round):
                yield kind, dues.count(kind)

    def _late(self, kind: Kind, at: Seat, after_round: int) -> bool:
        return kind not in (GONE, FRESH) and self.plan.due[kind].is_late(at, after_round)


def _with(places: tuple[Place, ...], seat: Seat, place: Place) -> tuple[Place, ...]:
    return (*places[:seat], place, *places[seat + 1 :])


def _clear(op: Op, seat: Seat, place: Place) -> Place:
    """Fresh and gone cards are counted as one where their difference no longer matters."""
    fresh, gone, dues = place
    return (fresh + gone, 0, dues) if gone and op.round > op.horizon[seat] else place


def _plus(place: Place, kind: Kind) -> Place:
    fresh, gone, dues = place
    if kind == FRESH:
        return fresh + 1, gone, dues
    return (fresh, gone + 1, dues) if kind == GONE else (fresh, gone, tuple(sorted((*dues, kind))))


def _minus(place: Place, kind: Kind) -> Place:
    fresh, gone, dues = place
    if kind == FRESH:
        return fresh - 1, gone, dues
    if kind == GONE:
        return fresh, gone - 1, dues
    at = dues.index(kind)
    return fresh, gone, dues[:at] + dues[at + 1 :]


# ── Which numbers the books of others may have ──────────────────────────────────────────────────────────────────


class Supposition(NamedTuple):
    """Courses in which certain claims are of certain numbers, and the others of any numbers the seat has not held."""

    ways: int  # how many courses these are
    counted: Counted
    known: dict[int, int]  # the number of a claim
    open: tuple[Numbers, ...]  # which numbers each of the other books can have, those before the claims first


@lru_cache(maxsize=64)
def suppositions(seen: Seen) -> tuple[Supposition, ...] | None:
    """None if there are too many courses to be counted."""
    known, rows, most = plan(seen), [], MOST_TURNINGS
    for found, numbers in enumerate(supposed([claim.known for claim in known.claims])):
        if found >= MOST_SUPPOSITIONS:
            return None
        some = {n: number for n, number in enumerate(numbers) if number is not None}
        unknown = tuple([claim.unknown for n, claim in enumerate(known.claims) if n not in some])
        names = ways_to_name(known.hidden + unknown, frozenset(some.values()))
        if not names:
            continue
        parts = [len(known.known_in(number)) if number is not None else 0 for number in numbers]
        try:
            counted = Counted(known, known.kinds(numbers), parts, most)
        except TooMany:
            return None
        most = counted.left
        if counted.ways:
            # What the seat has not seen and no book holds can lie in any order where it lies.
            rest = len(known.unseen) - 4 * len(known.hidden) - sum(4 - part for part in parts)
            rows.append(Supposition(counted.ways * factorial(rest) * names, counted, some, known.hidden + unknown))
    return tuple(rows)


def supposed(candidates: Sequence[Numbers], before: tuple[int | None, ...] = ()) -> Iterator[tuple[int | None, ...]]:
    """Every choice of different numbers, or of none, for all these."""
    if len(before) == len(candidates):
        yield before
        return
    for number in (None, *candidates[len(before)]):
        if number is None or number not in before:
            yield from supposed(candidates, (*before, number))


@lru_cache(maxsize=100_000)
def ways_to_name(hidden: tuple[Numbers, ...], taken: frozenset[int]) -> int:
    """In how many ways these books can have numbers, each another one, and none of those that are taken."""
    if not hidden:
        return 1
    return sum(ways_to_name(hidden[1:], taken | {number}) for number in hidden[0] if number not in taken)


def named(hidden: tuple[Numbers, ...], taken: frozenset[int], below: Below) -> Numbers:
    found: list[int] = []
    for n, could in enumerate(hidden):
        ways = [0 if number in taken else ways_to_name(hidden[n + 1 :], taken | {number}) for number in could]
        found.append(could[weighted(ways, below)])
        taken |= {found[-1]}
    return tuple(found)


def drawn(seen: Seen, below: Below) -> tuple[int, Course]:
    """How much of the hand is forgotten, and a course of the rest."""
    start, found = countable(seen)
    row = found[weighted([row.ways for row in found], below)]
    names = named(row.open, frozenset(row.known.values()), below)
    before = len(row.open) - len(row.counted.plan.claims) + len(row.known)
    others = iter(names[before:])
    claims = tuple([row.known.get(n) or next(others) for n in range(len(row.counted.plan.claims))])
    return start, row.counted.draw(names[:before], claims, below)


@lru_cache(maxsize=64)
def countable(seen: Seen) -> tuple[int, tuple[Supposition, ...]]:
    """All of the hand if it can be counted, and else as much of its end as can be, in strides."""
    found = suppositions(seen)
    if found is not None:
        return 0, found
    start, length = len(seen.looks), 0
    while (longer := suppositions(since(seen, len(seen.looks) - length))) is not None:
        start, found = len(seen.looks) - length, longer
        length += 2 + length // 4
        if length >= len(seen.looks):
            break
    assert found is not None, "nothing but the hands is left to be counted"
    return start, found
