"""A match read from its events with the rule page at hand, to be compared with what the game makes of them.

A test module that has a `Reading` writes down event by event what lies where and who is to act, in code of its own. It
asserts what the rules forbid, says what every seat may see and do, and whether the match is over.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

import pytest

from domain.game import ALL, CHANCE, Game, Outcome, Refused, Template
from domain.kit.cards import Card, Cards
from tests.domain.playing import Moment, choose, random_match, step

LETTERS = "CROW"


class Notes(Protocol):
    def __init__(self, options: Any, seats: int) -> None: ...
    def note(self, event: Any) -> None: ...
    def view(self, seat: int | None) -> dict[str, Any]: ...  # of a seat, a spectator (None), or `ALL`
    def may(self, seat: int) -> Collection[Any]: ...  # commands, and for a template the type of its commands
    def outcome(self) -> Outcome | None: ...


_read_last: list[tuple[Any, tuple[Any, ...], Notes]] = []


def read(notes: type[Notes], events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """The outcome, or nothing while the match goes on; what is wrong on the way is asserted.

    A match is read again and again while it grows, so a reading is taken up where the last one ended."""
    told, match = tuple(events), (notes, options, seats)
    before, known, reading = _read_last.pop() if _read_last else (None, (), None)
    if reading is None or before != match or told[: len(known)] != known:
        known, reading = (), notes(options, seats)
    for event in told[len(known) :]:
        reading.note(event)
    _read_last.append((match, told, reading))
    return reading.outcome()


Preference = Callable[[Any, Sequence[Any]], Sequence[Any]]  # of a table and legal commands: those to choose from


def steered_match(
    game: Game[Any], seats: int, options: dict[str, Any], rng: random.Random, prefer: Preference
) -> Iterator[Moment]:
    """A random match in which the seats lean to something that would be rare otherwise."""
    table = game.open_table(options, seats)
    while game.outcome(table) is None:
        seat, command = choose(game, table, rng)
        legal = game.legal(table, seat) if command in game.legal(table, seat) else ()
        moment = step(game, table, seat, rng.choice(prefer(table, legal) or [command]), rng)
        yield moment
        table = moment.after


def check_views(
    game: Game[Any],
    notes: type[Notes],
    seats: int,
    options: dict[str, Any],
    steps: int,
    prefer: Preference = lambda table, legal: (),
) -> Counter[str]:
    """In a random match: every field of every view, who is to act and how, all follow from the events. Returns how
    often there was each kind of event."""
    rng = random.Random(repr((game.slug, seats, sorted(options.items()))))
    table = game.open_table(options, seats)
    reading = notes(table.options, seats)
    happened: Counter[str] = Counter()
    for moment in [None, *islice(steered_match(game, seats, options, rng, prefer), steps)]:
        for event in moment.events if moment else ():
            happened[type(event).__name__] += 1
            reading.note(event)
        table = moment.after if moment else table
        for seat in (None, ALL, *range(seats)):
            assert plain(game.view(table, seat)) == plain(reading.view(seat)), f"for seat {seat} with {options}"
        for seat in range(seats):
            commands = [one.command if isinstance(one, Template) else one for one in game.legal(table, seat)]
            assert len(commands) == len(set(commands)) and set(commands) == set(reading.may(seat)), f"{seat}, {options}"
        acting = {seat for seat in range(seats) if reading.may(seat)}
        assert game.to_act(table) == (acting or (set() if reading.outcome() else {CHANCE}))
    return happened


def plain(view: Mapping[str, Any]) -> Any:
    """A view as it goes out, in which a tuple is a list."""
    return json.loads(json.dumps(view))


def check_refusals_tell_nothing(
    game: Game[Any], asked: Sequence[Any], seats: int, options: dict[str, Any], steps: int
) -> None:
    """Whatever a seat asks for in a random match: the answer names the cards it asked for or sees, and no other. And a
    card that it does not hold is refused in the same words wherever it lies."""
    rng = random.Random(repr(("refusals", game.slug, seats, sorted(options.items()))))
    for moment in islice(random_match(game, seats, options, rng), steps):
        for seat in range(seats):
            sees = json.dumps(game.view(moment.after, seat))
            held = game.view(moment.after, seat)["hand"]
            elsewhere: dict[type[Any], set[tuple[str, str, str]]] = {}
            for command in rng.sample(asked, 4):
                if command in game.legal(moment.after, seat):
                    continue
                refusal = refusal_of(game, moment.after, seat, command)
                assert named(refusal.text) <= named(sees + repr(command)), f"seat {seat} is told: {refusal}"
                if cards := named(repr(command)) - set(held):
                    words = refusal.text.replace(cards.pop(), "X")
                    elsewhere.setdefault(type(command), set()).add((refusal.rule, refusal.code, words))
            for answers in elsewhere.values():
                assert len(answers) == 1, f"seat {seat} can tell where a card lies: {answers}"


def named(text: str) -> set[str]:
    """The cards that a text speaks of."""
    return set(re.findall(r"[CROW]-\d+", text))


def refusal_of(game: Game[Any], table: Any, seat: int, command: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        game.decide(table, seat, command)
    return refusal.value


# ── Cards and tricks, for readings ──────────────────────────────────────────────────────────────────────────────


def by_letter(cards: Iterable[Card]) -> Cards:
    """A hand in the order in which it is held."""
    return tuple(sorted(cards, key=lambda card: (LETTERS.index(card[0]), int(card[2:]))))


def number_of(card: Card) -> int:
    return int(card[2:])


def winner_of(trick: Sequence[tuple[int, Card]], trump: str) -> int:
    """The seat with the highest trump, else with the highest card of the suit led."""
    led = trick[0][1][0]
    return max(trick, key=lambda play: (play[1][0] == trump, play[1][0] == led, number_of(play[1])))[0]


def following(cards: Iterable[Card], trick: Sequence[tuple[int, Card]]) -> list[Card]:
    """What may be played from these cards where the suit led has to be followed."""
    held = list(cards)
    return [card for card in held if trick and card[0] == trick[0][1][0]] or held
