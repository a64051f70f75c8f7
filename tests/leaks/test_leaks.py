"""What `make leaks` does at length, for every game and in short."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import Any

import pytest

from domain import log
from domain.chance import Drawn
from domain.game import Game
from domain.games import GAMES
from domain.kit.dealing import DealerChosen
from domain.match import Happened
from domain.wire import external, may_see, wire_name
from tests.leaks.declaring import Sudden, declaration
from tests.leaks.running import SHORT, hides, run, settings, short_settings

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@every_game
def test_who_may_see_it_is_declared_for_every_field_of_every_event(game: Game[Any]) -> None:
    declared = declaration(game)
    found = {wire_name(event): {external(field.name) for field in fields(event)} for event in game.events}
    assert {name: set(event) for name, event in declared.events.items()} == found


@every_game
def test_hidden_fields_of_commands_are_fields_of_commands(game: Game[Any]) -> None:
    found = {wire_name(command): {external(field.name) for field in fields(command)} for command in game.commands}
    for name, hidden in declaration(game).hidden.items():
        assert hidden <= found[name]


@every_game
def test_no_seat_and_no_spectator_can_tell_twins_apart(game: Game[Any]) -> None:
    tally: Counter[str] = Counter()
    for number, setting in enumerate(short_settings(game)):
        tally += run(game, setting, f"{game.slug} {number}", SHORT).tally
    assert tally["events"] > 500
    if hides(declaration(game)):
        assert tally["pairs"] > 60
        assert tally["positions"] > 60


@every_game
def test_tables_of_all_sizes_and_all_options_are_tried(game: Game[Any]) -> None:
    for found in (settings(game), short_settings(game)):
        assert {setting.seats for setting in found} == set(game.seats)
        assert {name for setting in found for name in setting.options} == {field.name for field in fields(game.options)}


def test_only_where_the_rules_make_it_so_may_the_coming_of_an_event_tell_something() -> None:
    """Every one of these was weighed against the rules; a new one has to be."""
    sudden = {
        f"{game.slug} {name}"
        for game in GAMES
        for name, event in declaration(game).events.items()
        if isinstance(event, Sudden)
    }
    assert sudden == {
        "checkers claim_failed",
        "checkers compelled",
        "checkers game_ended",
        "checkers huffed",
        "goat book_put_away",
        "grafto graft_offered",
        "grafto grafted",
        "secret-seven secret_called",
    }


@pytest.mark.parametrize(
    ("kind", "audience"), [("dice", {None, 0, 1}), ("shuffle", set()), ("pick", set())], ids=["dice", "shuffle", "pick"]
)
def test_of_what_chance_drew_only_dice_lie_open(kind: str, audience: set[int | None]) -> None:
    """The order of a shuffle and the number of a blind pick stand in the log too, and would tell the hidden cards."""
    parts = log.write(Happened(DealerChosen(0), "chance", Drawn(1, kind, (6,), (3,))))
    places: dict[str | None, Any] = {None: parts.public} | dict(parts.secret.items())
    found = {key for key, part in places.items() if "result" in part.get("draw", {})}
    seen_by = {seat for seat in (None, 0, 1) if any(key is None or may_see(key, seat) for key in found)}
    assert found and seen_by == audience
