"""A match read from its events with the rule page at hand, to be compared with what the game makes of them.

A test module that has a `Reading` writes down event by event what lies where and who is to act, in code of its own. It
asserts what the rules forbid, says what every seat may see and do, and whether the match is over.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Any, Protocol

import pytest

from domain.game import Game, Outcome, Refused, Template
from domain.kit.cards import Card, Hand
from tests.domain.playing import random_match

LETTERS = "CROW"


class Notes(Protocol):
    def __init__(self, options: Any, seats: int) -> None: ...
    def note(self, event: Any) -> None: ...
    def view(self, seat: int | None) -> dict[str, Any]: ...
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


def check_views(game: Game[Any], notes: type[Notes], seats: int, options: dict[str, Any], steps: int) -> None:
    """In a random match: every field of every view, and the commands of every seat, follow from the events."""
    rng = random.Random(repr((game.slug, seats, sorted(options.items()))))
    table = game.open_table(options, seats)
    reading = notes(table.options, seats)
    for moment in [None, *islice(random_match(game, seats, options, rng), steps)]:
        for event in moment.events if moment else ():
            reading.note(event)
        table = moment.after if moment else table
        for seat in (None, *range(seats)):
            assert plain(game.view(table, seat)) == plain(reading.view(seat)), f"for seat {seat} with {options}"
        for seat in range(seats):
            commands = [one.command if isinstance(one, Template) else one for one in game.legal(table, seat)]
            assert len(commands) == len(set(commands)) and set(commands) == set(reading.may(seat)), f"{seat}, {options}"


def plain(view: dict[str, Any]) -> Any:
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


def by_letter(cards: Iterable[Card]) -> Hand:
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
