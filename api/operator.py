"""What the operator of a server may do over HTTP: close tables and players, and read what operators have done."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, current_app

from api import account_schemas
from api.matches import MATCH, VERSION_TAG, asked, changes, service, shown
from api.queries import Paged
from api.web import Pages, answer, cursor, from_cursor, needs, nothing, problems
from eventstore.departures import CLOSED
from eventstore.operators import OPERATOR, Operators
from eventstore.players import Caller

pages = Pages(
    "operator",
    __name__,
    url_prefix="/v1/operator",
    description="For the operator, whose tokens `parlor token operator` makes.",
)


def operators() -> Operators:
    return current_app.extensions["parlor"].players.operators  # type: ignore[no-any-return]


@pages.route("/matches/<uuid:match_id>/close", methods=["POST"])
@changes
@needs(OPERATOR)
@pages.arguments(account_schemas.Closing, location="json")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 413, 415, 422, 503)
def close_match(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """End a match, whoever plays there; it has no winners"""
    depends = asked(who)
    operators().note(who.token_id, "close_match", str(match_id), given["reason"])
    return shown(service().close(str(match_id), **depends), who.player_id)


@pages.route("/players/<uuid:player_id>/close", methods=["POST"])
@needs(OPERATOR)
@pages.arguments(account_schemas.Closing, location="json")
@pages.response(204)
@problems(400, 401, 403, 404, 413, 415, 422, 503)
def close_player(who: Caller, given: dict[str, Any], player_id: uuid.UUID) -> Response:
    """Close an account for good: no token works and no code recovers it, the name is hidden, and all tables are left"""
    operators().note(who.token_id, "close_player", str(player_id), given["reason"])
    service().depart(str(player_id), CLOSED)
    return nothing()


@pages.route("/log", methods=["GET"])
@needs(OPERATOR)
@pages.arguments(Paged, location="query")
@pages.response(200, account_schemas.OperatorLog)
@problems(401, 403, 422, 503)
def log(who: Caller, query: dict[str, Any]) -> Response:
    """All that was done and read with tokens of operators, the newest first"""
    before = from_cursor(query["cursor"]) if "cursor" in query else None
    found = operators().log(query["limit"] + 1, before)
    page = found[: query["limit"]]
    return answer({"entries": page, "next": cursor(page, "at") if len(found) > len(page) else None})
