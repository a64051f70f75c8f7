"""A second telling of a game: it hears the events of a match and says what must be true after each of them.

A `Telling` is written from the rule page, like everything that a game's test module answers. It says which events must
follow, and asserts what is wrong with one that a player or chance brought about. `retell` plays a random match and
compares: who may act, what is asked of chance, the view of every seat, all legal commands, the outcome, and how a command
drawn at random is refused.
"""

from __future__ import annotations

import copy
import random
import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Iterable
from itertools import islice
from typing import Any

import pytest

from domain.game import CHANCE, Dice, Game, Outcome, Pick, Refused, Shuffle, read_options
from tests.domain.playing import random_match

NAMED_CARD = re.compile(r"\b[0-9]+-[0-9]+\b")


class Telling:
    def __init__(self, options: Any, seats: int) -> None:
        self.options, self.seats = options, seats
        self.events: list[Any] = []
        self.due: list[Any] = []  # the events that must follow, in this order

    def hear(self, event: Any) -> None:
        if self.due:
            assert event == self.due.pop(0)
        else:
            self.may_happen(event)
        self.happens(event)
        self.events.append(event)

    def round_from(self, first: int) -> list[int]:
        """Every seat once, from this one to the left."""
        return [seat % self.seats for seat in range(first, first + self.seats)]

    @abstractmethod
    def may_happen(self, event: Any) -> None:
        """Asserts that a player or chance could bring this about now."""

    @abstractmethod
    def happens(self, event: Any) -> None:
        """Notes what has changed, and what must follow."""

    @abstractmethod
    def to_act(self) -> set[int]: ...
    @abstractmethod
    def asked_of_chance(self) -> Any: ...
    @abstractmethod
    def outcome(self) -> Outcome | None: ...
    @abstractmethod
    def view(self, seat: int | None) -> dict[str, Any]: ...
    @abstractmethod
    def legal(self, seat: int) -> Collection[Any]: ...

    @abstractmethod
    def refusal(self, seat: int, command: Any) -> tuple[str, str] | None:
        """The rule and the code by which this is refused, or nothing."""

    @abstractmethod
    def any_command(self, rng: random.Random) -> Any: ...

    def drawn_for(self, command: Any) -> Any:
        """What chance is asked for by a command that is accepted, if the command asks for anything."""

    def thrown(self, answer: Any) -> None:
        """Chance has answered so."""

    def known_cards(self, seat: int) -> Collection[str]:
        """What a refusal may name, besides the card that was sent."""
        return ()


def retell(telling: type[Telling], game: Game[Any], seats: int, options: dict[str, Any], steps: int) -> Outcome | None:
    """A random match beside its telling. How it ended, or nothing if so many steps were not enough."""
    rng = random.Random(repr((game.slug, seats, sorted(options.items()))))
    told = telling(read_options(game.options, options, seats), seats)
    table = game.open_table(options, seats)
    compare(game, table, told, rng)
    for moment in islice(random_match(game, seats, options, rng), steps):
        told.thrown(moment.command if moment.seat == CHANCE else moment.answer)
        for event in moment.events:
            told.hear(event)
        table = moment.after
        compare(game, table, told, rng)
    return game.outcome(table)


def compare(game: Game[Any], table: Any, told: Telling, rng: random.Random) -> None:
    assert not told.due
    assert game.to_act(table) == told.to_act()
    assert game.outcome(table) == told.outcome()
    if CHANCE in told.to_act():
        assert unordered(game.chance(table)) == unordered(told.asked_of_chance())
    assert plain(game.view(table, None)) == plain(told.view(None))
    # Of every table one seat is looked at after each step, and every seat in turn.
    seat = rng.randrange(told.seats)
    assert plain(game.view(table, seat)) == plain(told.view(seat))
    for actor in {seat, *told.to_act()} - {CHANCE}:
        assert Counter(map(repr, game.legal(table, actor))) == Counter(map(repr, told.legal(actor)))
        check_answer(game, table, told, actor, told.any_command(rng))


def check_answer(game: Game[Any], table: Any, told: Telling, seat: int, command: Any) -> None:
    """Refused by the rule that it breaks, in words that name no card which the seat does not know; or accepted."""
    expected = told.refusal(seat, command)
    if expected is None:
        answer = game.decide(table, seat, command)
        assert not isinstance(answer, Shuffle | Dice | Pick) or answer == told.drawn_for(command)
        return
    with pytest.raises(Refused) as refused:
        game.decide(table, seat, command)
    assert (refused.value.rule, refused.value.code) == expected, f"{command} of seat {seat}: {refused.value}"
    named = set(NAMED_CARD.findall(refused.value.text))
    assert named <= {*told.known_cards(seat), str(getattr(command, "card", ""))}, refused.value.text


def ask_for_everything(
    telling: type[Telling], game: Game[Any], seats: int, options: dict[str, Any], commands: Collection[Any], steps: int
) -> None:
    """At every seventh step of a random match every seat asks for all of this: it is refused by the rule that it
    breaks, or accepted with the consequences that the telling knows."""
    rng = random.Random(repr(("everything", game.slug, seats, sorted(options.items()))))
    told = telling(read_options(game.options, options, seats), seats)
    for number, moment in enumerate(islice(random_match(game, seats, options, rng), steps)):
        told.thrown(moment.command if moment.seat == CHANCE else moment.answer)
        for event in moment.events:
            told.hear(event)
        for seat in range(seats) if number % 7 == 0 else ():
            for command in commands:
                check_answer(game, moment.after, told, seat, command)
                if told.refusal(seat, command) is None and told.drawn_for(command) is None:
                    then = copy.deepcopy(told)
                    for event in game.decide(moment.after, seat, command):
                        then.hear(event)
                    assert not then.due


def unordered(lot: Any) -> Any:
    return sorted(lot.cards) if isinstance(lot, Shuffle) else lot


def plain(value: Any) -> Any:
    """As a client reads it: lists, no tuples."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def recounted(telling: type[Telling], events: Iterable[Any], options: Any, seats: int) -> Outcome | None:
    """What a telling makes of these events: the `recount` of a test module."""
    told = telling(options, seats)
    for event in events:
        told.hear(event)
    assert not told.due
    return told.outcome()


def places(scores: list[int]) -> list[int]:
    """1 for the highest score; equal scores share a place."""
    return [1 + len([other for other in scores if other > mine]) for mine in scores]
