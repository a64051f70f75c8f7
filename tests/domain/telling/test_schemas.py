"""What a game says fits the schemas that it publishes, and every field is explained."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain.game import ALL, Game, Template
from domain.games import GAMES
from domain.telling.schema import command_schema, event_schema, options_schema, view_schema
from domain.wire import wire_name, write_command, write_event
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


def closed(properties: dict[str, Any], *, required: bool) -> Draft202012Validator:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Draft202012Validator(schema | ({"required": list(properties)} if required else {}))


@every_game
def test_views_commands_events_and_options_fit_their_schemas(game: Game[Any]) -> None:
    rng = random.Random(f"schemas {game.slug}")
    views = Draft202012Validator(view_schema(game))
    commands = {wire_name(cls): Draft202012Validator(command_schema(game, cls)) for cls in game.commands}
    events = {wire_name(cls): event_schema(game, cls) for cls in game.events}
    public = {kind: Draft202012Validator(_object(parts, "public")) for kind, parts in events.items()}
    secret = {kind: closed(parts["secret"], required=False) for kind, parts in events.items()}
    options = Draft202012Validator(options_schema(game))
    for seats, given in playing.tables(game):
        options.validate(json.loads(json.dumps(given)))
        for n, moment in enumerate(playing.random_match(game, seats, given, rng)):
            for event in moment.events:
                parts = json.loads(json.dumps(write_event(event)._asdict()))
                public[parts["type"]].validate(parts["public"])
                for part in parts["secret"].values():
                    secret[parts["type"]].validate(part)
            if rng.random() < 0.2:
                for seat in (None, ALL, *range(seats)):
                    views.validate(json.loads(json.dumps(game.view(moment.after, seat))))
                for seat in range(seats):
                    for command in game.legal(moment.after, seat):
                        if not isinstance(command, Template):
                            body = json.loads(json.dumps(write_command(command)))
                            commands[body["type"]].validate(body)
            if n > 150:
                break


def _object(parts: dict[str, Any], name: str) -> dict[str, Any]:
    """A field that a table option can close stands in the public part when it does not."""
    properties = parts["public"] | parts["secret"]
    return {
        "type": "object",
        "properties": properties,
        "required": list(parts["public"]),
        "additionalProperties": False,
    }
