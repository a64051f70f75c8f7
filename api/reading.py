"""What a request holds, read strictly: whoever sends something by mistake is told, and nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

import orjson
from flask import request
from marshmallow import Schema
from webargs.flaskparser import FlaskParser

from api.problems import Problem, unfit

T = TypeVar("T")


def read_json() -> Any:
    """The body as strict JSON: no NaN, no endless nesting, nothing but JSON. No body is an object without fields."""
    raw = request.get_data(cache=True)
    if not raw and not request.mimetype:
        return {}
    if request.mimetype != "application/json":
        raise Problem(415, "not_json", "send the body as application/json")
    if request.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Problem(415, "encoded", "send the body as it is, not compressed", {"Accept-Encoding": "identity"})
    return parsed(raw)


def parsed(raw: bytes) -> Any:
    try:
        found = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Problem(400, "malformed_json", f"the body is not JSON: {error}") from None
    # Each name has a colon behind it. Where there are more colons than names, they stand in texts, or a name is there
    # twice.
    colons = raw.count(b":")
    if colons != (len(found) if isinstance(found, dict) else 0) and colons != _count_names(found):
        try:
            json.loads(raw, object_pairs_hook=once_each)
        except RecursionError:
            raise Problem(400, "malformed_json", "the body is nested too deeply") from None
    return found


def _count_names(found: Any) -> int:
    count, left = 0, [found]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            count += len(one)
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
    return count


def once_each(given: Iterable[tuple[str, T]]) -> dict[str, T]:
    """A query, or an object, as it was sent. Of what is said twice nobody knows which was meant."""
    found: dict[str, T] = {}
    for name, value in given:
        if name in found:
            raise unfit({name: ["must be given once"]})
        found[name] = value
    return found


class StrictParser(FlaskParser):
    """Reads bodies by `read_json`, and speaks of errors as problems do."""

    # The schemas decide, and they refuse what they do not know.
    DEFAULT_UNKNOWN_BY_LOCATION = {"json": None, "query": None}  # noqa: RUF012

    def _raw_load_json(self, req: Any) -> Any:
        return read_json()

    def handle_error(self, error: Any, req: Any, schema: Schema, **_: Any) -> NoReturn:
        found = error.messages
        for part in ("json", "query"):
            found = found.get(part, found) if isinstance(found, dict) else found
        raise unfit(found if isinstance(found, dict) else {"body": found})

    def load_querystring(self, req: Any, schema: Schema) -> Any:
        once_each(req.args.items(multi=True))
        return super().load_querystring(req, schema)
