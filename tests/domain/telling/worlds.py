"""Worlds: what else could have happened, as far as one seat can tell.

The log of a hand is replayed with other cards in the places that the seat has not looked into. Such a world fits if
every command is still within the rules and the seat sees the same events, byte by byte. This knows nothing of how a
game imagines; it asks `decide` alone.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import permutations
from math import sqrt
from typing import Any, NamedTuple

from domain.game import CHANCE, Dice, Game, Pick, Refused, Shuffle, Shuffled
from domain.kit.cards import in_order
from domain.wire import may_see, wire_name, write_event
from tests.domain import playing

ENDINGS = (  # a hand begins after these: cards drawn for the deal go back into the pack
    "deal_cards_drawn",
    "hand_scored",
    "hand_ended",
    "hand_won",
    "hand_voided",
    "hand_exhausted",
    "half_ended",
    "game_won",
    "game_drawn",
    "game_ended",
)


class History(NamedTuple):
    """What happened in a hand: the table before it, the steps, and the table they lead to."""

    game: Game[Any]
    start: Any
    moments: tuple[playing.Moment, ...]

    @property
    def table(self) -> Any:
        return self.moments[-1].after


def histories(game: Game[Any], seats: int, options: dict[str, Any], rng: random.Random) -> Iterator[History]:
    """The hand so far, after every step of a random match in which somebody is to act."""
    start, moments = None, []
    for moment in playing.random_match(game, seats, options, rng):
        start = moment.before if start is None else start
        moments.append(moment)
        if any(wire_name(type(event)) in ENDINGS for event in moment.events):
            start, moments = None, []
        elif CHANCE not in game.to_act(moment.after) and game.to_act(moment.after):
            yield History(game, start, tuple(moments))


def visible(events: Sequence[Any], seat: int) -> list[Any]:
    found = []
    for event in events:
        parts = write_event(event)
        own = {key: part for key, part in parts.secret.items() if may_see(key, seat)}
        found.append((parts.type, parts.public, own))
    return found


def replay(history: History, seat: int, cards: Mapping[str, str], goal: Any = None) -> Any | None:
    """The table that the log leads to with these cards in place of those; None where the seat would have noticed.

    Given a table that it should lead to, others choose in secret what that table has them choose.
    """
    game, table = history.game, history.start
    chosen = getattr(playing.module(game), "chosen", None) if goal is not None else None
    for moment in history.moments:
        command = mapped(moment.command, cards)
        if chosen is not None and moment.seat != seat and isinstance(command, game.hidden_choices):
            command = chosen(command, goal)
        try:
            events = game.decide(table, moment.seat, command)
            if isinstance(events, Shuffle | Dice | Pick):
                events = game.decide(table, CHANCE, mapped(moment.answer, cards))
        except Refused:
            return None
        if visible(events, seat) != visible(moment.events, seat):
            return None
        for event in events:
            table = game.evolve(table, event)
    return table


def mapped(value: Any, cards: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return cards.get(value, value)
    if isinstance(value, tuple):
        parts = [mapped(part, cards) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: mapped(getattr(value, f.name), cards) for f in fields(value)})
    return value


# ── All worlds ──────────────────────────────────────────────────────────────────────────────────────────────────


def unseen(history: History, seat: int) -> list[str]:
    """The cards of the pack that stood in nothing that the seat has seen of this hand."""
    pack: set[str] = set()
    seen: set[str] = set(texts(history.game.view(history.table, seat)))
    for moment in history.moments:
        if isinstance(moment.command, Shuffled):
            pack |= set(moment.command.cards)
        seen |= set(texts(visible(moment.events, seat)))
    return sorted(pack - seen)


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from texts(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from texts(part)


def all_worlds(history: History, seat: int) -> list[Any]:
    """The table of every world that fits, as often as there are deals which lead to it."""
    cards = unseen(history, seat)
    kinds = {str(card): card for moment in history.moments for card in _shuffled(moment)}
    found = []
    for order in permutations(cards):
        table = replay(history, seat, {card: kinds[other] for card, other in zip(cards, order, strict=True)})
        if table is not None:
            found.append(table)
    return found


def worlds_of_a_table(history: History, seat: int, cards: Sequence[Any]) -> list[Any]:
    """The same for a table that was set up for a test with a few cards: these are the ones the seat has not seen."""
    found = []
    for order in permutations(cards):
        other = dict(zip(cards, order, strict=True))
        start = mapped(history.start, other)
        start = start._replace(hands=tuple(in_order(hand) for hand in start.hands))
        table = replay(history._replace(start=start), seat, other)
        if table is not None:
            found.append(table)
    return found


def check_shares(found: Sequence[Any], imagined: Sequence[Any]) -> None:
    """Counts of imagined tables against the share of worlds that lead to each: no table is missing, none is too many,
    and no count is five standard deviations away from what it should be."""
    should, have, throws = Counter(found), Counter(imagined), len(imagined)
    assert set(have) <= set(should)
    for table, ways in should.items():
        share = ways / len(found)
        assert abs(have[table] - throws * share) <= 5 * sqrt(throws * share * (1 - share)) + 1e-9


def _shuffled(moment: playing.Moment) -> tuple[Any, ...]:
    return moment.command.cards if isinstance(moment.command, Shuffled) else ()


# ── The world behind an imagined table ──────────────────────────────────────────────────────────────────────────


def led_to(history: History, seat: int, imagined: Any, rng: random.Random, tries: int = 30) -> bool:
    """Whether the log, with other cards in the hidden places, leads to this very table.

    Where cards are drawn blind, or have no names on the table, the test of the game reads off the table how they were
    dealt and drawn.
    """
    by_lot = getattr(playing.module(history.game), "by_lot", None)
    if by_lot is not None:
        return bool(replay(history._replace(moments=by_lot(history.moments, imagined)), seat, {}) == imagined)
    ours, theirs = places(history.table, imagined), places(imagined, history.table)
    for _ in range(tries):
        cards = matched(ours, theirs, rng)
        if cards is None:
            return False
        if replay(history, seat, cards, imagined) == imagined:
            return True
    return False


def places(table: Any, other: Any) -> dict[str, tuple[Any, ...]]:
    """Where each card lies: in which fields, and there at which place, unless it is a hand that is kept sorted. What is
    the same at the other table, such as a list of all cards there are, is no place that cards were exchanged in."""
    found: dict[str, list[Any]] = {}

    def walk(value: Any, path: tuple[Any, ...]) -> None:
        if isinstance(value, str):
            if type(value) is not str:
                found.setdefault(value, []).append(path if path[0] != "hands" else path[:2])
        elif hasattr(value, "_fields"):
            for name, part in zip(value._fields, value, strict=True):
                walk(part, (*path, name))
        elif isinstance(value, tuple):
            for n, part in enumerate(value):
                walk(part, (*path, n))

    for name, value in table._asdict().items():
        if value != getattr(other, name):
            walk(value, (name,))
    return {card: tuple(sorted(paths, key=repr)) for card, paths in found.items()}


def matched(
    ours: Mapping[str, tuple[Any, ...]], theirs: Mapping[str, tuple[Any, ...]], rng: random.Random
) -> dict[str, str] | None:
    """Which card lies at the imagined table where another lies at ours. Cards that lie alike in both are themselves."""
    free: dict[tuple[Any, ...], list[str]] = {}
    for card, where in theirs.items():
        if ours.get(card) != where:
            free.setdefault(where, []).append(card)
    found = {}
    for card, where in ours.items():
        if theirs.get(card) != where:
            choices = free.get(where)
            if not choices:
                return None
            found[card] = choices.pop(rng.randrange(len(choices)))
    return found
