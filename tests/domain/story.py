"""Tests as sentences: given events, when a command, then events."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

import pytest

from domain.game import CHANCE, Dice, Game, Pick, Refused, Shuffle, options_of
from domain.kit.cards import Card, Cards
from tests.domain import playing


def hand(text: str) -> Cards:
    """`hand("C-1 O-5")` is the hand of these two cards."""
    return tuple(Card(word) for word in text.split())


class Story:
    """A table after some events, and what a command makes of it."""

    def __init__(self, game: Game[Any], table: Any, events: Sequence[Any] = ()) -> None:
        self.game, self.table, self.events = game, table, tuple(events)

    def given(self, *events: Any) -> Story:
        table = self.table
        for event in events:
            table = self.game.evolve(table, event)
        return Story(self.game, table, events)

    def but(self, **fields: Any) -> Story:
        """The same table with some fields changed, for positions that would take long to play."""
        return Story(self.game, self.table._replace(**fields))

    def when(self, seat: int, command: Any, drawn: Any = None) -> Story:
        """`drawn` is chance's answer to a command that throws dice or picks a card."""
        events = self.game.decide(self.table, seat, command)
        if isinstance(events, Shuffle | Dice | Pick):
            assert drawn is not None, f"{command} waits for {events}"
            events = self.game.decide(self.table, CHANCE, drawn)
        assert not isinstance(events, Shuffle | Dice | Pick)
        table = self.table
        for event in events:
            table = self.game.evolve(table, event)
        return Story(self.game, table, events)

    def then(self, *events: Any) -> Story:
        assert list(self.events) == list(events)
        return self

    def last(self, kind: type[Any]) -> Any:
        """The event of this kind that the last step brought."""
        found = [event for event in self.events if isinstance(event, kind)]
        assert found, f"no {kind.__name__} among {self.events}"
        return found[-1]

    def refuses(self, seat: int, command: Any, rule: str) -> Story:
        with pytest.raises(Refused) as refusal:
            self.game.decide(self.table, seat, command)
        assert refusal.value.rule == rule, f"refused by {refusal.value}"
        assert rule in self.game.rules or rule.startswith("PM-")
        assert refusal.value.code in codes(self.game, rule), f"refused as {refusal.value.code}"
        assert command not in self.game.legal(self.table, seat)
        return self

    def words(self, seat: int, command: Any) -> str:
        """What is said to a seat whose command is refused."""
        with pytest.raises(Refused) as refusal:
            self.game.decide(self.table, seat, command)
        return refusal.value.text

    def allows(self, seat: int, *commands: Any) -> Story:
        """These are all the legal commands of the seat, in any order."""
        assert set(self.game.legal(self.table, seat)) == set(commands)
        return self


def codes(game: Game[Any], rule: str) -> Container[str]:
    """The codes with which this rule refuses, as the game's test module lists them."""
    listed = getattr(playing.module(game), "REFUSALS", None)
    return AnyCode() if listed is None else listed.get(rule, ())


class AnyCode:
    def __contains__(self, code: object) -> bool:
        return True


def table(game: Game[Any], seats: int, **options: Any) -> Story:
    return Story(game, game.open_table(options, seats))


REFUSED_TABLES = {"option_refused", "option_without_effect", "uneven_sides", "wrong_seats", "wrong_sides"}


def refuses_table(game: Game[Any], seats: int, rule: str, **options: Any) -> None:
    with pytest.raises(Refused) as refusal:
        game.new_table(options, seats)
    assert refusal.value.rule == rule
    assert refusal.value.code in {
        "option_refused",
        "wrong_seats",
        "wrong_sides",
        "uneven_sides",
        "option_without_effect",
    }


def refuses_idle(game: Game[Any], seats: int, name: str, value: Any, **others: Any) -> None:
    """An option without effect at this table is refused by its rule when it is given, whatever its value. Given or not,
    a match that was opened with it can still be folded."""
    game.new_table(others, seats)
    with pytest.raises(Refused) as refusal:
        game.new_table({**others, name: value}, seats)
    assert refusal.value.code == "option_without_effect"
    assert refusal.value.rule == next(option.rule for option in options_of(game.options) if option.name == name)
    assert refusal.value.text.startswith(f"{name} has no effect: ")
    assert game.open_table({**others, name: value}, seats) is not None
