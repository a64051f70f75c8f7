"""The catalogue over HTTP: games, their options, commands and rules."""

from __future__ import annotations

from typing import Any

from flask import Response

from api import schemas
from api.problems import Problem
from api.web import Pages, answer, problems
from domain.bots.levels import LEVELS
from domain.game import Game, Rule, options_of
from domain.games import BY_SLUG, GAMES
from domain.match.rules import RULES as MATCH_RULES
from domain.wire import external, form, wire_name

pages = Pages("games", __name__, url_prefix="/v1/games", description="What can be played, and by which rules.")


def summary(game: Game[Any]) -> dict[str, Any]:
    return {
        "slug": game.slug,
        "title": game.title,
        "summary": game.summary,
        "seats": list(game.usual_seats),
        "seats_by_option": {"max_seats": more}
        if (more := [n for n in game.seats if n not in game.usual_seats])
        else {},
        "rules_version": game.version,
        "href": f"/v1/games/{game.slug}",
    }


def command_schema(cls: type[Any]) -> dict[str, Any]:
    """JSON Schema of one command, from the same forms that read it."""
    shape = form(cls)
    properties = {external(name): codec.schema for name, codec in shape.fields.items()}
    return {
        "type": "object",
        "properties": {"type": {"const": wire_name(cls)}, **properties},
        "required": ["type", *sorted(external(name) for name in shape.required)],
        "additionalProperties": False,
    }


def described(game: Game[Any]) -> dict[str, Any]:
    options = [
        {
            "name": option.name,
            "kind": option.kind,
            "default": option.default,
            "choices": list(option.choices),
            "low": option.low if option.high else None,
            "high": option.high or None,
            "rule": option.rule,
            "text": option.text,
        }
        for option in options_of(game.options)
    ]
    return {
        **summary(game),
        "options": options,
        "commands": {wire_name(cls): command_schema(cls) for cls in game.commands},
        "events": [wire_name(cls) for cls in game.events],
        "bots": list(LEVELS),
        "exports": list(game.exports),
        "rules_href": f"/v1/games/{game.slug}/rules",
    }


def rules_of(game: Game[Any]) -> dict[str, Rule]:
    """The rules of the game, and those that hold for every match."""
    return {**game.rules, **MATCH_RULES}


def _game(slug: str) -> Game[Any]:
    if slug not in BY_SLUG:
        raise Problem(404, "not_found", "there is no such game")
    return BY_SLUG[slug]


@pages.route("", methods=["GET"])
@pages.response(200, schemas.Games)
def games() -> Response:
    """All games"""
    return answer({"games": [summary(game) for game in GAMES]})


@pages.route("/<slug>", methods=["GET"])
@pages.response(200, schemas.GameInfo)
@problems(404)
def game(slug: str) -> Response:
    """A game: seats, options with their meaning, commands with their fields"""
    return answer(described(_game(slug)))


@pages.route("/<slug>/rules", methods=["GET"])
@pages.response(200, schemas.Rules)
@problems(404)
def rules(slug: str) -> Response:
    """The rules of a game, each with its id"""
    return answer({"rules": [rule._asdict() for rule in rules_of(_game(slug)).values()]})


@pages.route("/<slug>/rules/<rule_id>", methods=["GET"])
@pages.response(200, schemas.RuleInfo)
@problems(404)
def rule(slug: str, rule_id: str) -> Response:
    """One rule, as refusals cite it"""
    found = rules_of(_game(slug)).get(rule_id)
    if found is None:
        raise Problem(404, "not_found", "this game has no such rule")
    return answer(found._asdict())
