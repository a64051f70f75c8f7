"""Every command that a client could send: each field through all its values, cards that are in no pack among them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cache
from itertools import product
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from domain.game import Game, Template
from domain.kit.cards import FULL_PACK, PAUPER, PRINCE, Card
from domain.kit.trixcards import TrixCard, trix_pack

CARDS = (*FULL_PACK, PRINCE, PAUPER, Card("C-14"), Card("W-99"))
TRIX_CARDS = (*trix_pack(15), TrixCard("16-2"), TrixCard("99-99"))
NUMBERS = tuple(range(-1, 21))
LISTS = 60  # so many of a list's values are tried at a time; there is no end of them
MOST = 4000  # commands of one kind


@cache
def values(hint: Any) -> tuple[Any, ...]:
    """The values of a field, all of them where that can be."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    if hint is Card:
        return CARDS
    if hint is TrixCard:
        return TRIX_CARDS
    if hint is int:
        return NUMBERS
    if hint is type(None):
        return (None,)
    if get_origin(hint) is tuple:
        rng, parts = random.Random(repr(hint)), values(get_args(hint)[0])
        drawn = (tuple(rng.sample(parts, rng.choice((1, 1, 2, 2, 3, 4)))) for _ in range(LISTS))
        return ((), *dict.fromkeys(drawn))  # in the order of the lots, so that a run can be had again
    if get_args(hint):
        return tuple(dict.fromkeys(value for member in get_args(hint) for value in values(member)))
    raise TypeError(f"no values are known for {hint}")


@cache
def everything(kinds: tuple[type[Any], ...]) -> tuple[Any, ...]:
    """All commands of these kinds with all values of their fields, in a fixed but mixed order."""
    rng = random.Random("every command")
    found: list[Any] = []
    for kind in kinds:
        hints = get_type_hints(kind)
        choices = [values(hints[field.name]) for field in fields(kind)]
        whole = [kind(*chosen) for chosen in product(*choices)]
        found += whole if len(whole) <= MOST else rng.sample(whole, MOST)
    rng.shuffle(found)
    return tuple(found)


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


class Variant(NamedTuple):
    """A command with one field changed. Of thousands a few are asked, so none is made before."""

    of: Any
    field: str
    value: Any

    def made(self) -> Any:
        return replace(self.of, **{self.field: self.value})


def variants(command: Any) -> Iterator[Variant]:
    """The same command with one field changed, through all its values."""
    kind: Any = type(command)
    hints = hints_of(kind)
    for field in fields(command):
        held = getattr(command, field.name)
        for value in values(hints[field.name]):
            yield Variant(command, field.name, value)
        if isinstance(held, tuple) and held:
            for place, value in product(range(len(held)), values(get_args(hints[field.name])[0])):
                yield Variant(command, field.name, (*held[:place], value, *held[place + 1 :]))


class Questions:
    """What is asked of a position: what is legal there with each field changed, and a part of everything that a client
    could send. Over a run every command has its turn."""

    def __init__(self, game: Game[Any], rng: random.Random, most: int) -> None:
        self.game, self.rng, self.most = game, rng, most
        self.all = everything(game.commands)
        self.at = rng.randrange(len(self.all))

    def next(self, tables: tuple[Any, ...], seat: int, seats: int) -> list[Any]:
        models: dict[type[Any], Any] = {}
        for asker in (seat, self.rng.randrange(seats)):
            for table in tables:
                for command in self.game.legal(table, asker):
                    model = command.sample(self.rng.randrange) if isinstance(command, Template) else command
                    if type(model) not in models or self.rng.random() < 0.2:
                        models[type(model)] = model
        near = [variant for model in models.values() for variant in variants(model)]
        if len(near) > self.most:
            near = self.rng.sample(near, self.most)
        window = [self.all[(self.at + n) % len(self.all)] for n in range(min(len(self.all), self.most))]
        self.at += len(window)
        return list(dict.fromkeys([*(variant.made() for variant in near), *window]))
