"""Someone who sits by at a card game, hears every event and knows the rule page.

After every step of a random match the onlooker's notes are held against the table: what each seat and a spectator
see, which cards each seat may play, and the words with which the others are refused.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Protocol

from domain.game import CHANCE, Game, Outcome, Refused, read_options
from tests.domain.playing import random_match

Objection = tuple[str, str, set[str]]  # the rule, the code, and the texts that could go with them


class Notes(Protocol):
    seats: int

    def hears(self, event: Any) -> None: ...
    def view(self, seat: int | None) -> dict[str, Any]: ...
    def objection(self, seat: int, card: Any) -> Objection | None: ...
    def outcome(self) -> Outcome | None: ...

    def neutral_first(self, cards: list[Any]) -> list[Any]:
        """The cards as a legal list has them: the first one is played for an absent seat."""

    @property
    def acting(self) -> int | None:
        """The seat that is to play, if a hand is being played."""


def follows(
    game: Game[Any], notes: Notes, given: dict[str, Any], cards: Iterable[Any], *, why: str = "", steps: int = 400
) -> list[Any]:
    """Plays a random match beside the notes; what happened is returned."""
    rng = random.Random(repr((why, game.slug, notes.seats, sorted(given.items()))))
    cards = tuple(cards)
    events: list[Any] = []
    compare(game, game.open_table(given, notes.seats), notes, (0,), cards)
    for moment in islice(random_match(game, notes.seats, given, rng), steps):
        for event in moment.events:
            notes.hears(event)
        events += moment.events
        compare(game, moment.after, notes, {rng.randrange(notes.seats), notes.acting}, cards)
    return events


def compare(game: Game[Any], table: Any, notes: Notes, asked: Iterable[int | None], cards: tuple[Any, ...]) -> None:
    for seat in (None, *range(notes.seats)):
        assert plain(game.view(table, seat)) == plain(notes.view(seat)), f"as seat {seat} sees it"
    over = notes.outcome() is not None
    assert game.to_act(table) == {CHANCE if notes.acting is None else notes.acting} - ({CHANCE} if over else set())
    for seat in asked:
        if seat is None:
            continue
        allowed = [card for card in cards if refused(game, table, notes, seat, card) is None]
        assert [command.card for command in game.legal(table, seat)] == notes.neutral_first(allowed)


def refused(game: Game[Any], table: Any, notes: Notes, seat: int, card: Any) -> Objection | None:
    """What the notes object to a card, once the game is seen to object the same in the same words."""
    (command,) = game.commands
    expected, found = notes.objection(seat, card), None
    try:
        game.decide(table, seat, command(card))
    except Refused as refusal:
        found = refusal
    if expected is None or found is None:
        assert (expected is None) == (found is None), f"seat {seat} plays {card}: {found or 'accepted'}"
    else:
        rule, code, texts = expected
        assert (found.rule, found.code) == (rule, code), f"seat {seat} plays {card}"
        assert found.text in texts
    return expected


def plain(view: Mapping[str, Any]) -> Any:
    """A view as it goes over the wire."""
    return json.loads(json.dumps(view))


def read(game: Game[Any], given: dict[str, Any], seats: int) -> Any:
    return read_options(game.options, given, seats)
