"""Commands over HTTP, the one request that a server of games gets all the time.

Building a request and a response costs Flask as much as all that a command does here, the rules included. So a plain
command is answered before Flask is asked; whatever is unusual about a request, and every error, is left to Flask.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any, Protocol
from urllib.parse import parse_qsl

import orjson
from flask import Flask
from marshmallow import ValidationError

from api.problems import Problem
from api.schemas import WordsQuery
from api.web import ENDPOINT, bearer, parsed
from eventstore.players import Players
from eventstore.service import Matches

PATH = re.compile(r"/v1/matches/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/commands")
KEY = re.compile(r"[\x21-\x7e]{1,128}")
VERSION = re.compile(r'(?:W/)?"([0-9]{1,9})"')

Headers = list[tuple[str, str]]


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
        body, key, expected, words = _read(environ, read_body)
    except Exception:
        parlor.matches.store.check_token(who.token_hash)  # no append will find out
        raise
    done = parlor.matches.play(
        match_id, who.player_id, body, key=key, expected=expected, token=who.token_hash, words=words
    )
    answer = orjson.dumps({"game": done.game, "version": done.version, "events": done.events})
    return answer, [("Content-Type", "application/json"), ("ETag", f'"{done.version}"')]


def _read(environ: dict[str, Any], read_body: Callable[[], Any]) -> tuple[dict[str, Any], str | None, int | None, bool]:
    body = read_body()
    if not isinstance(body, dict):
        raise Problem(422, "does_not_fit", "a command is an object with a type", errors={"body": ["must be an object"]})
    key = environ.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not KEY.fullmatch(key):
        raise Problem(400, "bad_key", "an Idempotency-Key is 1 to 128 printable characters without spaces")
    query: str = environ.get("QUERY_STRING", "")
    return body, key, expected_version(environ.get("HTTP_IF_MATCH")), query != "" and _wants_words(query)


def _wants_words(query: str) -> bool:
    try:
        return bool(WordsQuery().load(dict(parse_qsl(query, keep_blank_values=True)))["words"])
    except ValidationError as error:
        listed: Any = error.messages
        raise Problem(422, "does_not_fit", f"does not fit: {', '.join(listed)}", errors=listed) from None


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
        plain = environ["REQUEST_METHOD"] == "POST" and environ.get("CONTENT_TYPE") == "application/json"
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
