"""Ratings over HTTP: leaderboards, and the records of players."""

from __future__ import annotations

import base64
import uuid
from typing import Any, Final

import orjson
from flask import Response, current_app
from marshmallow import ValidationError

from api.matches import listed, service
from api.problems import unfit
from api.record_schemas import KINDS, Leaderboard, LeadersQuery, PlayerRecord, RecordQuery, opponent
from api.web import Pages, answer, cursor, from_cursor, needs, problems
from domain.games import BY_SLUG
from eventstore.errors import NotFound
from eventstore.lists import Wanted
from eventstore.players import Caller
from eventstore.records import TOP, Records, Standing

pages = Pages("records", __name__, url_prefix="/v1", description="Ratings, leaderboards, and what players have done.")

RECENT: Final = 20


@pages.route("/leaderboards/<slug>", methods=["GET"])
@needs("match:read")
@pages.arguments(LeadersQuery, location="query")
@pages.response(200, Leaderboard)
@problems(401, 403, 404, 422, 503)
def leaderboard(who: Caller, query: dict[str, Any], slug: str) -> Response:
    """Who plays a game best: people, programs and the levels of the bots, together or apart"""
    if slug not in BY_SLUG:
        raise NotFound(slug)
    after = _from_standing(query["cursor"]) if "cursor" in query else TOP
    found = _records().leaders(slug, KINDS[query["kind"]], after, query["limit"] + 1)
    page = found[: query["limit"]]
    more = _standing(page[-1][1]) if len(found) > len(page) else None
    return answer({"game": slug, "leaders": [row for row, _ in page], "next": more})


@pages.route("/players/<uuid:player_id>", methods=["GET"])
@needs("match:read")
@pages.arguments(RecordQuery, location="query")
@pages.response(200, PlayerRecord)
@problems(401, 403, 404, 422, 503)
def player(who: Caller, query: dict[str, Any], player_id: uuid.UUID) -> Response:
    """A player: ratings, rated matches, head-to-head with another, and the newest matches that you may look at"""
    records, its_id = _records(), str(player_id)
    before = from_cursor(query["cursor"]) if "cursor" in query else None
    found = records.player(its_id)
    history = records.history(its_id, query["game"], before, query["limit"] + 1)
    shown = history[: query["limit"]]
    more = cursor([{**shown[-1], "id": shown[-1]["match"]}], "ended_at") if len(history) > len(shown) else None
    return answer(
        {
            **found,
            "history": shown,
            "next": more,
            "head_to_head": _head_to_head(records, its_id, query["against"], query["game"]),
            "matches": [listed(one) for one in service().listed(Wanted(who.player_id, of=its_id), RECENT)],
        }
    )


def _head_to_head(records: Records, player_id: str, against: str | None, game: str | None) -> dict[str, Any] | None:
    if against is None:
        return None
    try:
        other = opponent(against)
    except ValidationError:
        raise unfit({"against": ["must be a player's id or a level of bots, such as bot:strong"]}) from None
    return {"against": against, **records.against(player_id, other, game)}


def _records() -> Records:
    return Records(current_app.extensions["parlor"].database)


def _standing(one: Standing) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(list(one))).decode()


def _from_standing(text: str) -> Standing:
    try:
        points, kind, who, passed, rank = orjson.loads(base64.urlsafe_b64decode(text))
        if not all(type(one) is int and abs(one) < 2**31 for one in (points, passed, rank)):
            raise ValueError
        if not (isinstance(kind, str) and isinstance(who, str)) or "\0" in kind + who:
            raise ValueError
        return Standing(points, kind, who, passed, rank)
    except (ValueError, TypeError):
        raise unfit({"cursor": ["was not made here"]}) from None
