"""Matches in retrospect over HTTP: every step as somebody saw it, and new matches that go on from one of them."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterator
from typing import Any, Final, get_type_hints

import orjson
from flask import Response, request

from api.commands import with_board
from api.matches import (
    KEY,
    LOCATION,
    MATCH,
    OPEN_TO_ALL,
    READS,
    VERSION_TAG,
    id_for,
    new_match,
    opened_before,
    place,
    reader,
    receipt,
    service,
    watches,
)
from api.messages import NDJSON
from api.reading import read_json
from api.replay_schemas import NewFork, ReplayQuery
from api.web import Pages, limits, needs, problems
from domain.match import Terms
from eventstore.players import Caller

pages = Pages("replay", __name__, url_prefix="/v1/matches", description="Look back at a match, and go on from there.")

STEP: Final = {
    "type": "string",
    "description": "One step a line, from the first version to the last: `version`; the `event` as it stands in the "
    "log, and its `words`; the `actor` as `kind`, `seat` and `name`; `remarkable`, if a hand or a game was counted or "
    "the match took a turn; the `view` after it; and with `legal`, by seat, all that could be done then",
}


@pages.route("/<uuid:match_id>/replay", methods=["GET"])
@needs(*READS, unless=OPEN_TO_ALL)
@pages.arguments(ReplayQuery, location="query")
@pages.response(200, STEP, content_type=NDJSON)
@problems(401, 403, 404, 422, 503)
def replay(who: Caller | None, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Every step of a match: the event, its sentence, who acted, and what was seen after it

    It is shown as you saw it then; once the match is over with `as` as any seat did, or as nobody could: with all cards
    open (`table`).
    """
    player, whole = reader(who)
    steps = service().replay(
        str(match_id),
        player,
        first=query["first"],
        last=query["last"],
        as_seat=query["eyes"],
        legal=query["legal"],
        watches=whole,
    )
    return Response(_lines(steps), mimetype=NDJSON)


def _lines(pages_of_steps: Iterator[list[dict[str, Any]]]) -> Iterator[bytes]:
    # The first page is worked out at once, so that an error is told as one.
    first = next(pages_of_steps, [])
    return (
        b"".join(orjson.dumps(_shown(step), option=orjson.OPT_APPEND_NEWLINE) for step in page)
        for page in itertools.chain([first], pages_of_steps)
    )


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    return {**step, "view": with_board(step["view"])}


@pages.route("/<uuid:match_id>/fork", methods=["POST"])
@needs("match:create")
@pages.arguments(NewFork, location="json")
@pages.doc(parameters=[KEY])
@pages.response(201, MATCH, headers=VERSION_TAG | {"Location": LOCATION})
@problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def fork(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Open a match that goes on from a version of another, with other chance and other players if you like

    Of a match that is over the table is the one that was there. While it is being played, only a seat of it that plays
    against bots alone may do this, and what that seat cannot know is drawn anew. It is never rated.
    """
    limits().open_match(request.environ, who.player_id)
    kept = receipt(who, f"fork/{match_id}", read_json())
    if (again := opened_before(who, kept)) is not None:
        return again
    match = service().fork(
        str(match_id),
        who.player_id,
        given["at"],
        [place(who, seat, given["client_seed"], n) for n, seat in enumerate(given["seats"])],
        token=who.token_hash,
        fork_id=id_for(who, kept),
        receipt=kept,
        watches=watches(who),
        **{name: given[name] for name in get_type_hints(Terms) if name != "rated"},
    )
    return new_match(match, who)
