"""The catalogue over HTTP: games, their options, commands and rules."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
from flask import Response

from api import catalogue_schemas as schemas
from api.problems import Problem
from api.web import Pages, answer, problems
from domain.bots.levels import LEVELS, USUAL
from domain.bots.strength import Strength, measured
from domain.editions import OfLaterRelease, edition
from domain.game import Game, Rule, options_of
from domain.games import BY_SLUG, GAMES
from domain.log import public_beside, secret_beside
from domain.match.rules import RULES as MATCH_RULES
from domain.telling.schema import command_schema, event_schema, legal_schema, options_schema, view_schema
from domain.telling.sheet import exports_of
from domain.wire import wire_name

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


def schemas_of(game: Game[Any]) -> dict[str, Any]:
    """JSON Schemas of all that the game says and takes, each complete in itself."""
    events = {wire_name(cls): event_schema(game, cls) for cls in game.events}
    return {
        "options": options_schema(game),
        "view": view_schema(game),
        "commands": {wire_name(cls): command_schema(game, cls) for cls in game.commands},
        "legal": legal_schema(game),
        "events": {
            kind: {
                "description": parts.description,
                "public": parts.public_schema(public_beside()),
                "secret": parts.secret_schema(secret_beside({"type": "object"})),
            }
            for kind, parts in events.items()
        },
    }


def levels_of(game: Game[Any]) -> list[dict[str, Any]]:
    """How well bots play, as far as it was measured of the versions that play here."""
    rows = [row for row in measured().get(game.slug, ()) if _of_now(game.slug, row)]
    return [
        {
            "level": name,
            "version": level.version_at(game.slug),
            "text": level.text,
            "usual": name == USUAL,
            "strength": [_told(row) for row in rows if row.level == name] or None,
        }
        for name, level in LEVELS.items()
    ]


def _of_now(slug: str, row: Strength) -> bool:
    played = (row.level, row.version), (row.against, row.against_version)
    return all(name in LEVELS and LEVELS[name].version_at(slug) == version for name, version in played)


def _told(row: Strength) -> dict[str, Any]:
    return {name: value for name, value in row._asdict().items() if name not in ("level", "version", "against_version")}


@cache
def described(slug: str) -> bytes:
    """It never changes, and takes a while to put together."""
    game = BY_SLUG[slug]
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
    found = {
        **summary(game),
        "options": options,
        "schemas": schemas_of(game),
        "bots": list(LEVELS),
        "levels": levels_of(game),
        "exports": list(exports_of(game)),
        "board": game.board is not None,
        "rules_href": f"/v1/games/{game.slug}/rules",
    }
    return orjson.dumps(found)


def rules_of(game: Game[Any]) -> dict[str, Rule]:
    """The rules of the game, and those that hold for every match."""
    return {**game.rules, **MATCH_RULES}


def _game(slug: str) -> Game[Any]:
    if slug not in BY_SLUG:
        raise Problem(404, "not_found", "there is no such game")
    return BY_SLUG[slug]


def _edition(slug: str, rules_version: int | None) -> Game[Any]:
    game = _game(slug)
    try:
        return game if rules_version is None else edition(game, rules_version)
    except OfLaterRelease as error:
        raise Problem(404, "not_found", str(error)) from None


@pages.route("", methods=["GET"])
@pages.response(200, schemas.GameList)
def games() -> Response:
    """All games"""
    return answer({"games": [summary(game) for game in GAMES]})


@pages.route("/<slug>", methods=["GET"])
@pages.response(200, schemas.GameInfo)
@problems(404)
def game(slug: str) -> Response:
    """A game: seats, options, and the shapes of all that it says and takes"""
    return Response(described(_game(slug).slug), mimetype="application/json")


@pages.route("/<slug>/rules", methods=["GET"])
@pages.response(200, schemas.RuleList)
@pages.arguments(schemas.RulesQuery, location="query")
@problems(404, 422)
def rules(query: dict[str, Any], slug: str) -> Response:
    """The rules of a game, each with its id: those of new matches, or those that an older one is played by"""
    game = _edition(slug, query["rules_version"])
    return answer({"rules_version": game.version, "rules": [rule._asdict() for rule in rules_of(game).values()]})


@pages.route("/<slug>/rules/<rule_id>", methods=["GET"])
@pages.response(200, schemas.RuleInfo)
@pages.arguments(schemas.RulesQuery, location="query")
@problems(404, 422)
def rule(query: dict[str, Any], slug: str, rule_id: str) -> Response:
    """One rule, as refusals cite it"""
    found = rules_of(_edition(slug, query["rules_version"])).get(rule_id)
    if found is None:
        raise Problem(404, "not_found", "this game has no such rule")
    return answer(found._asdict())
