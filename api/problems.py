"""Errors as RFC 9457 problem details: one shape for all, with a `code` for programs and a sentence for people."""

from __future__ import annotations

import http
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson
from flask import Response

from domain.game import Refused
from domain.games import BY_SLUG, EDITIONS
from domain.match.rules import RULES as MATCH_RULES

TITLES: Final = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "The token does not allow this",
    404: "Not found",
    405: "Method not allowed",
    406: "No such representation",
    408: "The request took too long",
    409: "Refused by a rule",
    410: "No longer there",
    412: "The match has moved on",
    413: "The request is too large",
    414: "The address is too long",
    415: "The body must be JSON",
    422: "The request does not fit",
    429: "Too many requests",
    431: "The headers are too large",
    500: "Parlor failed",
    501: "No such method",
    503: "Not available now",
    505: "Not this version of HTTP",
}


class Problem(Exception):
    """Ends a request with a problem."""

    def __init__(self, status: int, code: str, detail: str, headers: dict[str, str] | None = None, **more: Any) -> None:
        super().__init__(detail)
        self.status, self.code, self.detail, self.headers, self.more = status, code, detail, headers or {}, more

    def body(self) -> bytes:
        body = {
            "type": f"urn:parlor:problem:{self.code}",
            "title": TITLES[self.status],
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.more,
        }
        return orjson.dumps(body)

    def plainly(self) -> tuple[str, list[tuple[str, str]], list[bytes]]:
        """The answer without a framework: status, headers, body."""
        body = self.body()
        headers = [("Content-Type", "application/problem+json"), *self.headers.items()]
        headers.append(("Content-Length", str(len(body))))
        return f"{self.status} {http.HTTPStatus(self.status).phrase}", headers, [body]

    def response(self) -> Response:
        return Response(self.body(), self.status, self.headers, mimetype="application/problem+json")


def unfit(errors: Mapping[Any, Any]) -> Problem:
    """A request that can be read, and cannot be meant so. What stands in lists and records is named by its way there.

    >>> problem = unfit({"seats": {1: {"player": ["Not a valid UUID."]}}, "rated": ["must be true or false"]})
    >>> problem.detail
    'seats.1.player: not a valid UUID (and 1 more)'
    >>> problem.more["errors"]
    {'seats.1.player': ['not a valid UUID'], 'rated': ['must be true or false']}
    """
    listed = dict(_by_field(errors))
    field, texts = next(iter(listed.items()))
    others = f" (and {len(listed) - 1} more)" if len(listed) > 1 else ""
    return Problem(422, "does_not_fit", f"{field}: {texts[0]}{others}", errors=listed)


def _by_field(errors: Mapping[Any, Any], way: tuple[str, ...] = ()) -> Iterator[tuple[str, list[str]]]:
    for name, found in errors.items():
        here = way if name == "_schema" else (*way, str(name))  # so marshmallow calls what is said of the whole
        if isinstance(found, Mapping):
            yield from _by_field(found, here)
        else:
            yield ".".join(here) or "body", [f"{text[:1].lower()}{text[1:]}".rstrip(".") for text in found]


def refused(refusal: Refused) -> Problem:
    """A refusal with the rule it rests on and the version it was judged at."""
    game = BY_SLUG[refusal.game] if refusal.game else None
    if game and refusal.rules_version:
        game = EDITIONS[game.slug, refusal.rules_version]
    rule = game.rules[refusal.rule] if game and refusal.rule in game.rules else MATCH_RULES[refusal.rule]
    link = f"/v1/games/{game.slug}/rules/{rule.id}" if game else None
    if game and game is not BY_SLUG[game.slug]:
        link = f"{link}?rules_version={game.version}"
    more: dict[str, Any] = {"rule": {"id": rule.id, "title": rule.title, "text": rule.text, "href": link}}
    if refusal.version is not None:
        more["version"] = refusal.version
    if refusal.step is not None:
        more["step"] = refusal.step
    return Problem(409, refusal.code, refusal.text, **more)
