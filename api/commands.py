"""Commands over HTTP, the one request that a server of games gets all the time.

Building a request and a response costs Flask as much as all that a command does here, the rules included. So a plain
command is answered before Flask is asked; whatever is unusual about a request, and every error, is left to Flask.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol
from urllib.parse import parse_qsl

import orjson
from flask import Flask
from marshmallow import ValidationError

from api.problems import Problem, unfit
from api.queries import CommandQuery
from api.reading import once_each, parsed
from api.web import ENDPOINT, bearer
from domain.games import BY_SLUG
from domain.match import MatchView
from eventstore.players import Players
from eventstore.service import Matches

PATH = re.compile(r"/v1/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands")
KEY = re.compile(r"[\x21-\x7e]{1,128}")
VERSION = re.compile(r'(?:W/)?"([0-9]{1,9})"')
REPRESENTATION = re.compile(r'\s*return\s*=\s*"?representation"?\s*(;.*)?', re.IGNORECASE)

Headers = list[tuple[str, str]]
PLAIN: Mapping[str, bool] = {}


class Services(Protocol):
    @property
    def players(self) -> Players: ...
    @property
    def matches(self) -> Matches: ...


def played(
    parlor: Services, match_id: str, environ: dict[str, Any], read_body: Callable[[], Any]
) -> tuple[bytes, Headers]:
    """Plays a command and gives the answer to it. Without a good token nothing is said about the request."""
    # The token may be a remembered one: the append itself makes sure that it has not been revoked.
    authorization = environ.get("HTTP_AUTHORIZATION", "")
    who = bearer(parlor.players, authorization, "match:play", "bot:play", remembered=True)
    try:
        sent = _read(environ, read_body)
    except Exception:
        parlor.matches.store.check_token(who.token_hash)  # no append will find out
        raise
    done = parlor.matches.play(
        match_id,
        who.player_id,
        sent.body,
        key=sent.key,
        expected=sent.expected,
        token=who.token_hash,
        view=sent.view,
        **sent.query,
    )
    told: dict[str, Any] = {"game": done.game, "version": done.version, "events": done.events}
    headers = [("Content-Type", "application/json"), ("ETag", f'"{done.version}"')]
    if done.view is not None and done.legal is not None:
        told |= {"view": with_board(done.view), "legal": done.legal._asdict()}
        headers.append(("Preference-Applied", "return=representation"))
    return orjson.dumps(told), headers


class Sent(NamedTuple):
    """What a request for a command holds."""

    body: dict[str, Any]
    key: str | None
    expected: int | None
    query: Mapping[str, bool]
    view: bool


def _read(environ: dict[str, Any], read_body: Callable[[], Any]) -> Sent:
    body = read_body()
    if not isinstance(body, dict):
        raise unfit({"body": ["must be an object with a type"]})
    query: str = environ.get("QUERY_STRING", "")
    return Sent(
        body,
        checked_key(environ.get("HTTP_IDEMPOTENCY_KEY")),
        expected_version(environ.get("HTTP_IF_MATCH")),
        _read_query(query) if query else PLAIN,
        "HTTP_PREFER" in environ and wants_view(environ["HTTP_PREFER"]),
    )


def wants_view(prefer: str) -> bool:
    """Whether `Prefer` asks for the match beside what happened."""
    return any(REPRESENTATION.fullmatch(one) for one in prefer.split(","))


def checked_key(given: str | None) -> str | None:
    """What `Idempotency-Key` says."""
    if given is not None and not KEY.fullmatch(given):
        raise Problem(400, "bad_key", "an Idempotency-Key is 1 to 128 printable characters without spaces")
    return given


def with_board(view: MatchView) -> dict[str, Any]:
    """A view as it is shown, with the way to its board."""
    href = f"/v1/matches/{view['id']}/board" if BY_SLUG[view["game"]].board else None
    return {**view, "board_href": href}


def _read_query(query: str) -> Mapping[str, bool]:
    try:
        read: Mapping[str, bool] = CommandQuery().load(once_each(parse_qsl(query, keep_blank_values=True)))
        return read
    except ValidationError as error:
        raise unfit(error.normalized_messages()) from None


def expected_version(given: str | None) -> int | None:
    """What `If-Match` says, on every operation that changes a match."""
    if given is None or given == "*":
        return None
    found = VERSION.fullmatch(given)
    if found is None:
        raise Problem(400, "bad_etag", 'If-Match is a version in quotes, such as "12"')
    return int(found[1])


class CommandPath:
    """Stands before Flask and answers what is plainly a command."""

    def __init__(self, app: Flask, parlor: Services) -> None:
        self._app, self._flask, self._parlor = app, app.wsgi_app, parlor
        self._limit: int = app.config["MAX_CONTENT_LENGTH"]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        found = PATH.fullmatch(environ["PATH_INFO"])
        length = environ.get("CONTENT_LENGTH") or ""
        plain = (
            environ["REQUEST_METHOD"] == "POST"
            and environ.get("CONTENT_TYPE") == "application/json"
            and "HTTP_CONTENT_ENCODING" not in environ
        )
        if found is None or not plain or not length.isdecimal() or int(length) > self._limit:
            return self._flask(environ, start_response)
        raw = environ["wsgi.input"].read(int(length))
        environ["wsgi.input"] = io.BytesIO(raw)
        if len(raw) != int(length):
            return self._flask(environ, start_response)  # which has a word for clients that go away
        try:
            body, headers = played(self._parlor, found[1], environ, lambda: parsed(raw))
        except Exception as error:
            with self._app.request_context(environ):
                told: Any = self._app.make_response(self._app.handle_user_exception(error))
                return told(environ, start_response)
        environ[ENDPOINT] = "matches.command"
        start_response("200 OK", [*headers, ("Content-Length", str(len(body)))])
        return [body]
