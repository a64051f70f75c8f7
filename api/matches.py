"""Matches over HTTP: open, join, start, look, play, read the log."""

from __future__ import annotations

import base64
import datetime as dt
import uuid
from collections.abc import Iterator
from typing import Any

import orjson
from flask import Response, current_app, request

from api import commands, schemas
from api.problems import Problem
from api.web import Pages, answer, needs, problems, read_json
from domain.match import Match, Place, seat_of, view
from eventstore.lists import Wanted
from eventstore.players import Caller
from eventstore.service import Matches

pages = Pages("matches", __name__, url_prefix="/v1/matches", description="Open, join, play and read matches.")

NDJSON = "application/x-ndjson"


def service() -> Matches:
    return current_app.extensions["parlor"].matches  # type: ignore[no-any-return]


def shown(match: Match, player: str, status: int = 200, **headers: str) -> Response:
    body = view(match, seat_of(match, player))
    return answer(body, status, ETag=f'"{match.version}"', **headers)


@pages.route("", methods=["POST"])
@needs("match:create")
@pages.arguments(schemas.NewMatch, location="json")
@pages.response(201, schemas.MatchView)
@problems(400, 401, 403, 409, 413, 415, 422, 503)
def open_match(who: Caller, given: dict[str, Any]) -> Response:
    """Open a match"""
    places = tuple(_place(who, seat, given["client_seed"], n) for n, seat in enumerate(given["seats"]))
    match = service().open(
        given["game"],
        host=who.player_id,
        seats=places,
        options=given["options"],
        spectators=given["spectators"],
        turn_seconds=given["turn_seconds"],
    )
    return shown(match, who.player_id, 201, Location=f"/v1/matches/{match.id}")


def _place(who: Caller, seat: dict[str, Any], client_seed: str, number: int) -> Place:
    match seat["kind"]:
        case "me":
            return Place("human", who.player_id, who.name, None, client_seed)
        case "bot":
            level = seat.get("level", "random")
            return Place("bot", None, f"Bot {number} ({level})", level, "")
        case "player":
            invited = str(seat["player"])
            return Place("open", invited, current_app.extensions["parlor"].players.named(invited), None, "")
        case _:
            return Place("open", None, None, None, "")


@pages.route("", methods=["GET"])
@needs("match:read")
@pages.arguments(schemas.MatchesQuery, location="query")
@pages.response(200, schemas.MatchList)
@problems(401, 403, 422, 503)
def list_matches(who: Caller, query: dict[str, Any]) -> Response:
    """List your matches, or those with an open seat"""
    wanted = Wanted(
        who.player_id,
        joinable=query["show"] == "joinable",
        game=query.get("game"),
        status=query.get("status"),
        before=_from_cursor(query["cursor"]) if "cursor" in query else None,
    )
    found = service().store.matches(wanted, query["limit"] + 1)
    page = found[: query["limit"]]
    return answer({"matches": page, "next": _cursor(page[-1]) if len(found) > len(page) else None})


def _cursor(last: dict[str, Any]) -> str:
    return base64.urlsafe_b64encode(f"{last['opened_at'].isoformat()}|{last['id']}".encode()).decode()


def _from_cursor(text: str) -> tuple[dt.datetime, str]:
    try:
        at, _, match_id = base64.urlsafe_b64decode(text.encode()).decode().partition("|")
        when = dt.datetime.fromisoformat(at)
        if when.tzinfo is None:
            raise ValueError("no time zone")
        return when, str(uuid.UUID(match_id))
    except ValueError:
        raise Problem(422, "does_not_fit", "this cursor was not made here", errors={"cursor": ["unknown"]}) from None


@pages.route("/<uuid:match_id>", methods=["GET"])
@needs("match:read")
@pages.arguments(schemas.MatchQuery, location="query")
@pages.response(200, schemas.MatchView)
@pages.alt_response(304, description="You have this version already")
@problems(401, 403, 404, 422, 503)
def look(who: Caller, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Your view of a match, now or at an earlier version; its version is the ETag"""
    body, version = service().look(str(match_id), who.player_id, at=query.get("at"), as_seat=query.get("as_seat"))
    tag = f'"{version}"'
    if tag in request.headers.get("If-None-Match", "").replace("W/", "").split(", "):
        return Response(status=304, headers={"ETag": tag})
    return answer(body, ETag=tag)


@pages.route("/<uuid:match_id>/join", methods=["POST"])
@needs("match:play")
@pages.arguments(schemas.Join, location="json")
@pages.response(200, schemas.MatchView)
@problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def join(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Take an open seat"""
    joined = service().join(str(match_id), who.player_id, who.name, given["seat"], given["client_seed"], who.token_hash)
    return shown(joined, who.player_id)


@pages.route("/<uuid:match_id>/start", methods=["POST"])
@needs("match:play")
@pages.response(200, schemas.MatchView)
@problems(401, 403, 404, 409, 503)
def start(who: Caller, match_id: uuid.UUID) -> Response:
    """Start a match that you opened"""
    return shown(service().start(str(match_id), who.player_id, who.token_hash), who.player_id)


@pages.route("/<uuid:match_id>/resign", methods=["POST"])
@needs("match:play")
@pages.response(200, schemas.MatchView)
@problems(401, 403, 404, 409, 503)
def resign(who: Caller, match_id: uuid.UUID) -> Response:
    """Give up your seat"""
    return shown(service().resign(str(match_id), who.player_id, who.token_hash), who.player_id)


@pages.route("/<uuid:match_id>/draw", methods=["POST"])
@needs("match:play")
@pages.arguments(schemas.DrawAction, location="json")
@pages.response(200, schemas.MatchView)
@problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def draw(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Offer a draw, or answer an offer"""
    return shown(service().draw(str(match_id), who.player_id, given["action"], who.token_hash), who.player_id)


@pages.route("/<uuid:match_id>/legal", methods=["GET"])
@needs("match:read")
@pages.response(200, schemas.Legal)
@problems(401, 403, 404, 503)
def legal(who: Caller, match_id: uuid.UUID) -> Response:
    """All that you may do now, each as it can be sent"""
    commands, version = service().legal(str(match_id), who.player_id)
    return answer({"version": version, "commands": commands}, ETag=f'"{version}"')


@pages.route("/<uuid:match_id>/commands", methods=["POST"])
@pages.doc(
    security=[{"token": []}],
    description="Needs the scope `match:play`, or `bot:play` for a token that can do nothing else. With an "
    "`Idempotency-Key` a retry gets the first answer and never plays twice; a refusal changes nothing and is not kept. "
    "With `If-Match` the command is judged only at that version.",
    parameters=[
        {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string", "minLength": 1, "maxLength": 128}},
        {"in": "header", "name": "If-Match", "schema": {"type": "string", "pattern": '^"[0-9]{1,9}"$'}},
    ],
    requestBody={
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Command"}}},
    },
)
@pages.response(200, schemas.CommandAnswer)
@problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
def command(match_id: uuid.UUID) -> Response:
    """Send a command of the game"""
    body, headers = commands.played(current_app.extensions["parlor"], str(match_id), request.environ, read_json)
    return Response(body, headers=headers)


@pages.route("/<uuid:match_id>/events", methods=["GET"])
@needs("match:read")
@pages.arguments(schemas.EventsQuery, location="query")
@pages.response(200, schemas.EventPage)
@problems(401, 403, 404, 406, 422, 503)
def events(who: Caller, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """The log as you may see it: a page of JSON, or all of it as NDJSON with `Accept: application/x-ndjson`"""
    accepted = request.accept_mimetypes
    wants = accepted.best_match(["application/json", NDJSON]) if accepted else "application/json"
    if not wants:
        raise Problem(406, "no_such_format", f"events come as application/json or {NDJSON}")
    if wants == NDJSON:
        found, _ = service().events(str(match_id), who.player_id, after=query["after"])
        return Response(_lines(found), mimetype=NDJSON)
    found, version = service().events(str(match_id), who.player_id, after=query["after"], limit=query["limit"])
    page = list(found)
    last = page[-1]["version"] if page else query["after"]
    return answer({"version": version, "events": page, "next": last if page and last < version else None})


@pages.route("/<uuid:match_id>/export/<ending>", methods=["GET"])
@needs("match:read")
@pages.response(200, {"type": "string"}, content_type="text/plain")
@problems(401, 403, 404, 503)
def export(who: Caller, match_id: uuid.UUID, ending: str) -> Response:
    """The match as text that other programs read: `pdn` for Checkers, `mat` for Backgammon"""
    return Response(service().export(str(match_id), who.player_id, ending), mimetype="text/plain")


def _lines(found: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    for event in found:
        yield orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE)
