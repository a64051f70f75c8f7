"""The feed over HTTP: all events of all matches, for whoever runs the server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from flask import Response, current_app, request

from api.messages import NDJSON
from api.problems import Problem
from api.record_schemas import FeedPage, FeedQuery
from api.web import Pages, answer, needs, problems
from eventstore.chain import redacted
from eventstore.feed import Feed, Item
from eventstore.players import OPERATOR, Caller

pages = Pages("feed", __name__, url_prefix="/v1/feed", description="All that happens, for the operator.")

PAGE: Final = 200  # entries that are read and written at once
LINES: Final = {"description": "one entry a line, from `after` up to now or to `limit`", "type": "string"}


@pages.route("", methods=["GET"])
@needs(OPERATOR)
@pages.arguments(FeedQuery, location="query")
@pages.response(200, FeedPage)
@pages.doc(responses={200: {"content": {NDJSON: {"schema": LINES}}}})
@problems(401, 403, 406, 410, 422, 503)
def feed(who: Caller, query: dict[str, Any]) -> Response:
    """All events of all matches in an order without gaps, secrets closed until a match is over: JSON or NDJSON"""
    accepted = request.accept_mimetypes
    wants = accepted.best_match(["application/json", NDJSON]) if accepted else "application/json"
    if not wants:
        raise Problem(406, "no_such_format", f"the feed comes as application/json or {NDJSON}")
    followed: Feed = current_app.extensions["parlor"].feed
    after, limit = query["after"], query["limit"]
    followed.check(after)
    if wants == NDJSON:
        return Response(_lines(followed, after, limit), mimetype=NDJSON)
    items = followed.read(after, limit or PAGE)
    return answer({"entries": [_shown(item) for item in items], "next": items[-1].position if items else after})


def _shown(item: Item) -> dict[str, Any]:
    entry = item.entry
    event = redacted(entry.stored, entry.match_id, entry.seed, None, entry.status == "over")
    return {"position": item.position, "match": entry.match_id, "game": entry.game, "event": event}


def _lines(followed: Feed, after: str | None, limit: int | None) -> Iterator[bytes]:
    """Up to where the feed ends by then. Between two pages nothing is kept: readers may take as long as they like."""
    first = followed.read(after, min(PAGE, limit or PAGE))  # at once, so that an error is one

    def lines() -> Iterator[bytes]:
        items, left = first, limit
        while items:
            yield b"".join(orjson.dumps(_shown(item), option=orjson.OPT_APPEND_NEWLINE) for item in items)
            left = None if left is None else left - len(items)
            if left == 0:
                return
            items = followed.read(items[-1].position, min(PAGE, left or PAGE))

    return lines()
