"""A hand of Goat as one seat saw it.

The seat has seen its own cards, what it gave and what it got, and who put a book away when. Everything else is a
choice that others made in secret. For counting what that may have been, the hand is written down as a row of `Op`s,
the single movements of cards between the other seats, in which each card is of one of these kinds:

- fresh: the seat has not held it, so that it is any of the cards that the seat has not held;
- gone: the seat gave it away, and neither got it back nor supposes it to be part of a book;
- due: the seat gave it away, and it is bound to be somewhere at a certain time: it came back in a certain round, or
  the seat supposes that it was part of a book which another seat put away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from domain.game import Seat
from domain.games.goat.books import BOOKS, grouped
from domain.games.goat.events import Seats
from domain.games.goat.game import Table
from domain.kit.cards import Card, Cards

FRESH: Final = -100
GONE: Final = 0
FAR: Final = 10_000  # a way that leads nowhere, a time that never comes

Kind = int  # FRESH, GONE, n + 1 for what comes back in look n, -1 - n for a part of claim n


class Look(NamedTuple):
    """What a seat saw of a round of passing, or of a book that was put away."""

    seats: Seats
    gave: Card | None = None
    got: Card | None = None
    is_book: bool = False
    number: int | None = None  # of a book, if the seat knows it


class Seen(NamedTuple):
    """What a seat has seen of a hand, from a certain moment on."""

    seat: Seat
    pack: Cards
    hand: Cards  # its own, at that moment
    counts: tuple[int, ...]  # how many cards all had
    looks: tuple[Look, ...]
    opener: Seat | None  # another seat that has opened the race which is on
    booked: frozenset[int]  # the books it knew to be out of play before
    hidden: tuple[tuple[int, ...], ...] = ()  # other books that were put away before: which numbers they could be

    def pack_has(self, cards: Cards) -> bool:
        return all(card in self.pack for card in cards)


def seen_by(s: Table, seat: Seat) -> Seen:
    start, sizes, looks, booked, hidden = s.since[seat], [len(hand) for hand in s.hands], [], set(), 0
    for n, step in enumerate(s.steps):
        if len(step.seats) == 1:
            (owner,), (card, *_) = step
            assert card is not None
            known = card.number if owner == seat or s.options.books_shown else None
            if n >= start:
                looks.append(Look(step.seats, is_book=True, number=known))
                sizes[owner] += 4
            elif known is not None:
                booked.add(known)
            else:
                hidden += 1
        elif n >= start:
            place = step.seats.index(seat) if seat in step.seats else None
            own = () if place is None else (step.cards[place], step.cards[place - 1])
            looks.append(Look(step.seats, *own))
    opener = s.race[0] if s.phase == "race" and s.race[0] != seat else None
    hand = s.dealt[seat]
    pack = grouped([card for cards in (*s.hands, *(BOOKS[n] for books in s.books for n in books)) for card in cards])
    could = tuple(n for n in BOOKS if n not in booked and all(card.number != n for card in hand)) if hidden else ()
    return Seen(seat, pack, hand, tuple(sizes), tuple(looks), opener, frozenset(booked), (could,) * hidden)


class Op(NamedTuple):
    """A single movement of a card between the other seats, or a book that one of them has."""

    what: Literal["gives", "gives_me", "gets", "hold", "release", "book"]
    look: int
    seat: Seat
    to: Seat
    kind: Kind  # of what comes to the looking seat; which claim a book is
    round: int  # how many rounds of passing were before
    horizon: tuple[int, ...] = ()  # by seat: up to which round it matters whether a card there is fresh or gone


class Due(NamedTuple):
    """Where a card has to be, and when at the latest."""

    last_round: int
    ways: tuple[int, ...]  # from each seat, how many times it still has to be passed

    def is_late(self, at: Seat, after_round: int) -> bool:
        return self.ways[at] > self.last_round - after_round


class Claim(NamedTuple):
    """A book that another seat has put away or opened a race with."""

    look: int
    unknown: tuple[int, ...]  # which number it could be, of those whose cards the seat had not held before
    known: tuple[int, ...]  # and of the others

    @property
    def candidates(self) -> tuple[int, ...]:
        return self.unknown + self.known


class Plan(NamedTuple):
    """What a seat has seen, made ready for counting what it has not."""

    seen: Seen
    ops: tuple[Op, ...]
    claims: tuple[Claim, ...]
    given: dict[int, Card]  # what the seat gave, by look
    returns: dict[int, int]  # the look in which a card came back, by the look in which it was given
    last_given: dict[Card, int]  # of the cards that the seat once had and has not got back
    due: dict[Kind, Due]
    unseen: Cards  # the cards that the seat has never held, though they may lie in a hidden book
    hidden: tuple[tuple[int, ...], ...]

    def kinds(self, numbers: Sequence[int | None]) -> dict[int, Kind]:
        """What becomes of the card given away in each look, if the claims are of these numbers, or of some other."""
        claim_of = {number: n for n, number in enumerate(numbers)}
        found = {}
        for look, card in self.given.items():
            if look in self.returns:
                found[look] = self.returns[look] + 1
            else:
                found[look] = -1 - claim_of[card.number] if card.number in claim_of else GONE
        return found

    def known_in(self, number: int) -> tuple[int, ...]:
        """The looks in which the seat gave away cards of this number for good."""
        return tuple(sorted(self.last_given[card] for card in BOOKS[number] if card in self.last_given))


def plan(seen: Seen) -> Plan:
    me = seen.seat
    given: dict[int, Card] = {}
    returns: dict[int, int] = {}
    last_given: dict[Card, int] = {}
    sizes, rounds, ever, booked = list(seen.counts), 0, set(seen.hand), set(seen.booked)
    ops: list[Op] = []
    due: dict[Kind, Due] = {}
    claimed: list[tuple[int, int | None]] = []
    starts: dict[int, tuple[Seat, int]] = {}  # to whom the seat gave, and in which round
    to_me: list[tuple[int, ...]] = []  # by round
    race = [Look((seen.opener,), is_book=True)] if seen.opener is not None else []
    for n, look in enumerate((*seen.looks, *race)):
        if look.is_book:
            (owner,) = look.seats
            if owner != me:
                kind = -1 - len(claimed)
                due[kind] = Due(rounds - 1, ways_to(owner, me, sizes))
                ops.append(Op("book", n, owner, owner, kind, rounds - 1))
                claimed.append((n, look.number))
            if look.number is not None:
                booked.add(look.number)
            sizes[owner] -= 4
            continue
        kind = FRESH
        to_me.append(ways_to(me, me, sizes))
        if look.gave is not None and look.got is not None:
            if look.got in ever:
                kind = n + 1
                returns[last_given.pop(look.got)] = n
                due[kind] = Due(rounds, to_me[-1])
            ever.add(look.got)
            given[n] = look.gave
            last_given[look.gave] = n
            starts[n] = look.seats[(look.seats.index(me) + 1) % len(look.seats)], rounds
        ops += round_ops(n, look.seats, me, kind, rounds)
        rounds += 1
    unseen = tuple(card for card in seen.pack if card not in ever and card.number not in seen.booked)
    whole = [k for k, cards in BOOKS.items() if k not in booked and seen.pack_has(cards)]
    last_looks = {card: last_given.get(card, FAR) for card in ever}
    claims: list[Claim] = []
    for n, number in claimed:
        could = whole if number is None else [number]
        could = [k for k in could if all(last_looks.get(card, -1) < n for card in BOOKS[k])]
        held = [k for k in could if not ever.isdisjoint(BOOKS[k])]
        due_there = due[-1 - len(claims)]
        reached = [k for k in held if all(not due_there.is_late(*starts[last_looks[c]]) for c in BOOKS[k] if c in ever)]
        claims.append(Claim(n, tuple(k for k in could if k not in held), tuple(reached)))
    hidden = tuple(tuple(k for k in could if k in whole and ever.isdisjoint(BOOKS[k])) for could in seen.hidden)
    ops = with_horizons(ops, due, to_me, len(sizes))
    return Plan(seen, tuple(ops), tuple(claims), given, returns, last_given, due, unseen, hidden)


def ways_to(target: Seat, me: Seat, sizes: Sequence[int]) -> tuple[int, ...]:
    """How many times a card at each seat has to be passed to come to the target, at the least.

    Seats may run out of cards on the way, so that only those that still have some at the end are counted. Nothing goes
    past the looking seat unseen, as long as it has cards.
    """
    seats = len(sizes)
    if not sizes[me]:
        return (0,) * seats
    found = [FAR] * seats
    found[target] = 0
    at, way = (target - 1) % seats, 1
    while at != me:
        found[at] = way
        way += sizes[at] > 0
        at = (at - 1) % seats
    return tuple(found)


def round_ops(look: int, seats: Seats, me: Seat, kind: Kind, rounds: int) -> Iterator[Op]:
    """All cards move at once, so that each seat gives before it gets: from the last seat to the first."""
    if me in seats:
        place = seats.index(me)
        order = (*seats[place + 1 :], *seats[:place])
        yield Op("gives_me", look, order[-1], order[-1], kind, rounds)
        end = Op("gets", look, order[0], order[0], GONE, rounds)
    else:
        order = seats
        yield Op("hold", look, order[-1], order[-1], GONE, rounds)
        end = Op("release", look, order[0], order[0], GONE, rounds)
    for giver, receiver in zip(order[-2::-1], order[:0:-1], strict=True):
        yield Op("gives", look, giver, receiver, GONE, rounds)
    yield end


def with_horizons(ops: Sequence[Op], due: dict[Kind, Due], to_me: Sequence[tuple[int, ...]], seats: int) -> list[Op]:
    """Whether a card is fresh or gone matters only where it can still come to the looking seat, or be among the cards
    of which a book is made."""
    found = []
    horizon = (-1,) * seats
    for op in reversed(ops):
        found.append(op._replace(horizon=horizon))
        if op.what == "gives_me" and op.kind == FRESH:
            reached = Due(op.round, to_me[op.round])
        elif op.what == "book":
            reached = due[op.kind]
        else:
            continue
        horizon = tuple(max(old, reached.last_round - way) for old, way in zip(horizon, reached.ways, strict=True))
    return found[::-1]


@lru_cache(maxsize=64)
def since(seen: Seen, start: int) -> Seen:
    """The same hand, looked at from a later moment on: what was before is forgotten, but for the books. Which numbers
    they could be is still known."""
    if not start:
        return seen
    hand, counts, booked = list(seen.hand), list(seen.counts), set(seen.booked)
    could = {claim.look: claim.candidates for claim in plan(seen).claims}
    hidden = list(plan(seen).hidden)
    for n, look in enumerate(seen.looks[:start]):
        if look.is_book:
            (owner,) = look.seats
            counts[owner] -= 4
            if look.number is None:
                hidden.append(could[n])
            else:
                booked.add(look.number)
                hand = [card for card in hand if card.number != look.number]
        elif look.gave is not None and look.got is not None:
            hand.remove(look.gave)
            hand.append(look.got)
    return seen._replace(
        hand=grouped(hand),
        counts=tuple(counts),
        looks=seen.looks[start:],
        booked=frozenset(booked),
        hidden=tuple(hidden),
    )
