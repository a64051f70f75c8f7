"""Twins: two tables that differ only in what an observer may not know by the declaration.

They start as one table. Then chance deals the twin other cards where the observer cannot see them, picks otherwise where
it picks blindly, and the other seats choose otherwise where their choice is hidden; all else happens at both tables
alike. As long as the observer has been told the same at both by the declaration, whatever it can see or ask for must be
the same. When all that could happen next would tell it a difference that it may know, the twins part.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from domain.game import CHANCE, Dice, Game, Lot, Pick, Picked, Refused, Seat, Shuffle, Shuffled, Template
from domain.kit.cards import Card
from domain.wire import external, may_see, wire_name, write_command
from tests.leaks.asking import Questions
from tests.leaks.declaring import Declaration, Facts, Reading, read, split

TRIES = 6  # other deals, or other choices, before the same one is taken


class Leak(AssertionError):
    """A seat or a spectator can see, or find out, what it may not know."""


class Step(NamedTuple):
    """Who did what, what chance answered, and what came of it."""

    before: Any
    seat: Seat
    command: Any
    wanted: Lot | None
    answer: Any
    events: tuple[Any, ...]
    after: Any


class Bench:
    """One kind of table, with what was declared for it and what has been compared at it."""

    def __init__(
        self, game: Game[Any], declared: Declaration, table: Any, rng: random.Random, *, questions: int
    ) -> None:
        self.game, self.declared, self.rng = game, declared, rng
        self.options, self.seats = table.options, table.seats
        self.questions = Questions(game, rng, questions)
        self.tally: Counter[str] = Counter()
        self.style = "any"
        self._read: dict[int, tuple[Step, list[Reading]]] = {}  # by identity: a whole table takes long to compare

    def act(self, table: Any, seat: Seat, command: Any, answer: Any = None, decided: Any = None) -> Step:
        """The step that this command makes. A draw that it calls for must be answered. Whoever has asked the game
        already says what it has decided."""
        events = self.game.decide(table, seat, command) if decided is None else decided
        wanted = self.game.chance(table) if seat == CHANCE else None
        if isinstance(events, Shuffle | Dice | Pick):
            wanted = events
            events = self.game.decide(table, CHANCE, answer)
            assert not isinstance(events, Shuffle | Dice | Pick)
        after = table
        for event in events:
            after = self.game.evolve(after, event)
        return Step(table, seat, command, wanted, answer, tuple(events), after)

    def noted(self, step: Step) -> list[Reading]:
        """The readings of a step that many twins are going to follow."""
        self._read[id(step)] = step, self.readings(step)
        return self.readings(step)

    def readings(self, step: Step) -> list[Reading]:
        """What its events say to whom."""
        if id(step) in self._read:
            return self._read[id(step)][1]
        found, table = [], step.before
        for event in step.events:
            table = self.game.evolve(table, event)
            found.append(read(self.declared, Facts(self.game, self.options, self.seats, table), event))
        return found

    def audit(self, readings: Sequence[Reading]) -> None:
        """What the wire gives to every seat, and to a spectator, is what the declaration says: no more and no less."""
        for reading in readings:
            given = given_by(reading, self.seats)
            for name, part in reading.parts.items():
                due = entitled(part.audience, self.seats)
                if given[name] != due:
                    seat, said = next(
                        iter(
                            [(seat, "sees") for seat in given[name] - due]
                            + [(seat, "does not see") for seat in due - given[name]]
                        )
                    )
                    raise Leak(f"{who(seat)} {said} {name} of {reading.type}: {reading.wire}")
            self.tally["events"] += 1


def who(seat: Seat | None) -> str:
    return "a spectator" if seat is None else f"seat {seat}"


@cache
def entitled(audience: frozenset[Seat] | None, seats: int) -> frozenset[Seat | None]:
    """Who may see a part that was declared for this audience."""
    return frozenset(seat for seat in (None, *range(seats)) if audience is None or seat in audience)


@cache
def readers(audience: str, seats: int) -> frozenset[Seat | None]:
    """Who gets a part of the log with this audience."""
    return frozenset(seat for seat in (None, *range(seats)) if may_see(audience, seat))


def given_by(reading: Reading, seats: int) -> dict[str, frozenset[Seat | None]]:
    """Who gets which part of an event from the redaction of the log."""
    given: dict[str, frozenset[Seat | None]] = {}
    shown = [(frozenset((None, *range(seats))), reading.wire.public)]
    shown += [(readers(audience, seats), part) for audience, part in reading.wire.secret.items()]
    for who_reads, fields_shown in shown:
        for key, value in fields_shown.items():
            for name in split(key, value, each=f"{key}.0" in reading.parts):
                given[name] = given.get(name, frozenset()) | who_reads
    return given


def redacted(reading: Reading, seat: Seat | None) -> str:
    """The event as the log shows it to a seat, the names of the closed parts included."""
    kind, public, secret = reading.wire
    return json.dumps([kind, public, {key: part if may_see(key, seat) else None for key, part in secret.items()}])


# ── Other deals ─────────────────────────────────────────────────────────────────────────────────────────────────


EXCHANGES = (1, 3, 8, "numbers", "suits", "all")  # so many pairs, two numbers, two suits, or all there are


def exchanged(cards: Sequence[Any], places: Sequence[int], how: int | str, rng: random.Random) -> list[Any]:
    """The cards at these places in another order. Where two numbers or two suits stand for one another, what was a book
    or a long suit is one of another kind."""
    deck = list(cards)
    kinds = kinds_of(cards, places, how) if isinstance(how, str) else []
    if how == "all":
        for place, other in zip(places, rng.sample(places, len(places)), strict=True):
            deck[place] = cards[other]
    elif len(kinds) > 1:
        at = {(cards[place].suit, cards[place].number): place for place in places}
        one, two = rng.sample(kinds, 2)
        for (suit, number), place in at.items():
            twin = (suit, two) if how == "numbers" else (two, number)
            if (number if how == "numbers" else suit) == one and twin in at:
                deck[place], deck[at[twin]] = deck[at[twin]], deck[place]
    else:
        for _ in range(how if isinstance(how, int) else 1):
            place, other = rng.sample(places, 2)
            deck[place], deck[other] = deck[other], deck[place]
    return deck


def kinds_of(cards: Sequence[Any], places: Sequence[int], how: str) -> list[Any]:
    """The numbers, or the suits, that lie at these places."""
    if not isinstance(cards[0], Card):
        return []
    return sorted({cards[place].number if how == "numbers" else cards[place].suit for place in places})


# ── Whether a difference may be ─────────────────────────────────────────────────────────────────────────────────


def told_apart(ours: Sequence[Reading], theirs: Sequence[Reading], seat: Seat | None) -> bool:
    """Whether the seat is told a difference, by the declaration. One that no declaration allows is a leak."""
    open_ours, open_theirs = (
        [(one.type, {name: part.value for name, part in one.parts.items() if part.may_see(seat)}) for one in readings]
        for readings in (ours, theirs)
    )
    if open_ours == open_theirs:
        return False
    for left, right in zip(ours, theirs, strict=False):
        if left.type != right.type:
            if left.sudden or right.sudden:
                return True
            break
        for name in {*left.parts, *right.parts}:
            one, other = left.parts.get(name), right.parts.get(name)
            seen = [part for part in (one, other) if part is not None and part.may_see(seat)]
            if any(part.news for part in seen) and (len(seen) < 2 or seen[0].value != seen[1].value):
                return True
    longer = max(ours, theirs, key=len)
    if any(reading.sudden for reading in longer[min(len(ours), len(theirs)) :]):
        return True
    raise Leak(
        f"{who(seat)} is told {open_ours} at one table and {open_theirs} at its twin, where nothing new may show"
    )


class Twins:
    """Two tables that one observer, a seat or a spectator, has to take for the same."""

    def __init__(self, bench: Bench, table: Any, observer: Seat | None, told: Set[str], how: int | str = 1) -> None:
        self.bench, self.observer, self.how = bench, observer, how
        self.ours = self.theirs = table
        self.told = told  # cards that the observer will see anyway: they stay where they are
        self.compared = False  # whether they have differed, and been compared

    # ── Bringing the twin along ─────────────────────────────────────────────────────────────────────────────────

    def follow(self, step: Step) -> bool:
        """The twin takes a step that the observer takes for this one; False if there is none."""
        bench = self.bench
        ours = bench.readings(step)
        self.compare_draws(step)
        found = None
        for twin in self.likenesses(step):
            theirs = bench.readings(twin)
            bench.audit(theirs)
            if told_apart(ours, theirs, self.observer):
                continue
            for left, right in zip(ours, theirs, strict=True):
                if redacted(left, self.observer) != redacted(right, self.observer):
                    raise Leak(f"{who(self.observer)} can tell {left.wire} from {right.wire} in the log")
            found = twin
            # A deal that makes no difference is taken only if there is no other.
            if step.seat != CHANCE or twin.after != step.after:
                break
        if found is None:
            return False
        self.ours, self.theirs = step.after, found.after
        bench.tally["steps"] += 1
        return True

    def compare_draws(self, step: Step) -> None:
        """The kind and the size of a draw stand in the log for all to see."""
        if step.seat == CHANCE:
            wanted: Any = self.bench.game.chance(self.theirs)
        else:
            try:
                wanted = self.bench.game.decide(self.theirs, step.seat, step.command)
            except Refused:
                return
        if size(step.wanted) != size(wanted):
            raise Leak(f"chance is asked for {size(step.wanted)} at one table and {size(wanted)} at its twin")

    def likenesses(self, step: Step) -> Iterator[Step]:
        """What the twin could do instead: other cards, other picks, other hidden choices first, the same step last."""
        bench = self.bench
        if step.seat == CHANCE:
            for answer in self.answers(step.command, bench.game.chance(self.theirs)):
                yield bench.act(self.theirs, CHANCE, answer)
            return
        for command in self.commands(step):
            try:
                wanted = bench.game.decide(self.theirs, step.seat, command)
            except Refused as refusal:
                if step.seat == self.observer:
                    raise Leak(f"{command} of {who(step.seat)} is refused at the twin alone: {refusal}") from None
                continue
            if not isinstance(wanted, Shuffle | Dice | Pick):
                yield bench.act(self.theirs, step.seat, command, decided=wanted)
            elif step.answer is not None:
                for answer in self.answers(step.answer, wanted):
                    yield bench.act(self.theirs, step.seat, command, answer, wanted)

    def answers(self, answer: Any, wanted: Lot) -> Iterator[Any]:
        match answer, wanted:
            case Shuffled(cards), Shuffle(others):
                yield from self.deals(list(cards), others)
            case Picked(), Pick(of):
                yield from map(Picked, self.bench.rng.sample(range(of), of))
            case _:
                yield answer

    def deals(self, cards: list[Any], others: Sequence[Any]) -> Iterator[Shuffled]:
        """The same order, but for cards that the observer is not going to see."""
        rng = self.bench.rng
        # At the twin the pack itself may be another: the seat that took cards out of it took others.
        missing = iter(sorted(set(others) - set(cards)))
        same = [card if card in others else next(missing) for card in cards]
        hidden = [place for place, card in enumerate(same) if str(card) not in self.told]
        if self.bench.declared.places:
            hidden = self.bench.declared.places(same, self.theirs)
        if len(hidden) < 2:
            hidden = list(range(len(same)))
        for _ in range(TRIES):
            redealt = self.bench.declared.redealt
            if redealt and rng.random() < 0.5:
                yield Shuffled(tuple(redealt(same, hidden, self.theirs, rng)))
            else:
                yield Shuffled(tuple(exchanged(same, hidden, self.how, rng)))
        yield Shuffled(tuple(same))

    def commands(self, step: Step) -> list[Any]:
        """The command, after others that differ from it only in what the observer cannot see."""
        bench, command = self.bench, step.command
        hidden = bench.declared.hidden.get(wire_name(type(command)), frozenset())
        if step.seat == self.observer or not hidden:
            return [command]
        open_fields = [field.name for field in fields(command) if external(field.name) not in hidden]
        others = []
        for other in bench.game.legal(self.theirs, step.seat):
            found = [other]
            if isinstance(other, Template):
                found = [other.sample(bench.rng.randrange) for _ in range(TRIES)]
            others += [
                one
                for one in found
                if type(one) is type(command)
                and all(getattr(one, name) == getattr(command, name) for name in open_fields)
            ]
        found = [*bench.rng.sample(others, min(TRIES, len(others))), command]
        # Many choices that differ soon lead to where the observer sees one of them, so most stay the same.
        return [command, *found] if bench.rng.random() < 0.6 else found

    # ── Looking at both ─────────────────────────────────────────────────────────────────────────────────────────

    def compare(self) -> None:
        """All that the observer can see or ask for, byte by byte."""
        bench, game = self.bench, self.bench.game
        if self.ours == self.theirs:
            return
        self.compared = True
        for what, look in LOOKS.items():
            left, right = (json.dumps(look(game, table, self.observer)) for table in (self.ours, self.theirs))
            if left != right:
                raise Leak(f"{who(self.observer)} sees another {what} at the twin:\n  {left}\n  {right}")
        bench.tally["positions"] += 1
        if self.observer is None:
            return
        for command in bench.questions.next((self.ours, self.theirs), self.observer, bench.seats):
            self.ask(command)

    def ask(self, command: Any) -> None:
        """A command of the observer's is met in the same way at both tables."""
        left, right = (self.reply(table, command) for table in (self.ours, self.theirs))
        if isinstance(left, Step) and isinstance(right, Step):
            self.bench.tally["accepted"] += 1
            told_apart(self.bench.readings(left), self.bench.readings(right), self.observer)
        elif left != right:
            raise Leak(f"{command} of {who(self.observer)} meets with {left} at one table and {right} at its twin")
        else:
            self.bench.tally["refusals"] += 1

    def reply(self, table: Any, command: Any) -> Any:
        assert self.observer is not None
        try:
            events = self.bench.game.decide(table, self.observer, command)
        except Refused as refusal:
            return "refused", refusal.rule, refusal.code, refusal.text
        if isinstance(events, Shuffle | Dice | Pick):
            return size(events)
        return self.bench.act(table, self.observer, command, decided=events)


def size(wanted: Any) -> tuple[Any, ...] | None:
    match wanted:
        case Shuffle(cards):
            return "shuffle", len(cards)
        case Dice(dice, faces):
            return "dice", dice, faces
        case Pick(of):
            return "pick", of
    return None


def legal_list(game: Game[Any], table: Any, seat: Seat | None) -> list[Any]:
    return [] if seat is None else [write_command(command) for command in game.legal(table, seat)]


def outcome(game: Game[Any], table: Any, seat: Seat | None) -> list[Any] | None:
    found = game.outcome(table)
    return None if found is None else [found.places, found.scores, found.reason]


def waiting(game: Game[Any], table: Any, seat: Seat | None) -> list[Any]:
    """Whom the table waits for, until when, and how long a bot in each seat would let it wait."""
    return [sorted(game.to_act(table)), game.alarm(table), [game.pause(table, at) for at in range(table.seats)]]


LOOKS: dict[str, Callable[[Game[Any], Any, Seat | None], Any]] = {
    "view": lambda game, table, seat: game.view(table, seat),
    "view for spectators": lambda game, table, seat: game.view(table, None),
    "list of legal commands": legal_list,
    "list of seats to act, or another alarm": waiting,
    "outcome": outcome,
    "division into sides": lambda game, table, seat: game.sides(table),
}
