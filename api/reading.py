"""What a request holds, read strictly: whoever sends something by mistake is told, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

import orjson
from flask import request
from marshmallow import Schema
from webargs.flaskparser import FlaskParser

from api.problems import Problem, unfit


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
        return orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Problem(400, "malformed_json", f"the body is not JSON: {error}") from None


def once_each(query: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The query as it was sent. Of what is said twice nobody knows which was meant."""
    found: dict[str, str] = {}
    for name, text in query:
        if name in found:
            raise unfit({name: ["must be given once"]})
        found[name] = text
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
