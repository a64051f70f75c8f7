"""Matches over HTTP: open, join, leave, start, cancel, look, play, read the log."""

from __future__ import annotations

import functools
import hashlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import orjson
from flask import Response, current_app, request

from api import commands, schemas
from api.problems import Problem
from api.published import ref
from api.web import Pages, answer, cursor, from_cursor, header, needs, problems, read_json
from domain.games import BY_SLUG
from domain.match import Match, MatchView, Place, seat_of, view
from domain.wire import plain
from eventstore.errors import LacksScope, NotFound
from eventstore.lists import Wanted
from eventstore.players import Caller
from eventstore.reading import Page
from eventstore.service import Matches

pages = Pages("matches", __name__, url_prefix="/v1/matches", description="Open, join, play and read matches.")

NDJSON = "application/x-ndjson"
READS = "match:read", "match:play", "bot:play"  # the last two: only matches in which their owner takes part
IF_MATCH = header(
    "If-Match",
    "the version you decided on, as its ETag; the answer is 412 if the match has moved on",
    pattern=r'^(\*|(W/)?"[0-9]{1,9}")$',
)
IF_NONE_MATCH = header("If-None-Match", "the ETags that you have; the answer is 304 if one of them is this one")
KEY = header(
    "Idempotency-Key",
    "a name of your own for this command, so that a retry gets the first answer",
    minLength=1,
    maxLength=128,
    pattern=r"^[\x21-\x7e]+$",
)
VERSION_TAG = {"ETag": {"description": "the version of the match, in quotes", "schema": {"type": "string"}}}
BOARD_HEADERS = {
    "ETag": {"description": "the same for the same board", "schema": {"type": "string"}},
    "Cache-Control": {"description": "a board never changes", "schema": {"type": "string"}},
}
LOCATION = {"description": "where the match is", "schema": {"type": "string"}}
MATCH, LEGAL, PAGE, ANSWER, BOARD = map(ref, ("MatchView", "Legal", "EventPage", "CommandAnswer", "Board"))
FOR_EVER = "private, max-age=31536000, immutable"
WORDS = {
    "in": "query",
    "name": "words",
    "description": "with `1` each event comes with a sentence for you: `{event, words}`",
    "schema": {"type": "boolean", "default": False},
}
LOG = {
    "description": "the whole log from `after` on: one event a line, or with `words` one `{event, words}`",
    "type": "string",
}
LOG_PAGE = 200  # events that are read and written at once


def service() -> Matches:
    return current_app.extensions["parlor"].matches  # type: ignore[no-any-return]


def watches(who: Caller) -> bool:
    """Whether the token reads all that its owner may see, and not only what its owner takes part in."""
    return "match:read" in who.scopes


def asked(who: Caller) -> dict[str, Any]:
    """What a change of a match depends on besides the rules."""
    return {"token": who.token_hash, "expected": commands.expected_version(request.headers.get("If-Match"))}


def changes(view: Any) -> Any:
    """Documents `If-Match`, which means the same on every operation that changes a match."""
    return problems(400, 412)(pages.doc(parameters=[IF_MATCH])(view))


def shown(match: Match, player: str, status: int = 200, **headers: str) -> Response:
    return showing(view(match, seat_of(match, player)), status, **headers)


def showing(body: MatchView, status: int = 200, **headers: str) -> Response:
    board = f"/v1/matches/{body['id']}/board" if BY_SLUG[body["game"]].board else None
    return answer({**body, "board_href": board}, status, ETag=f'"{body["version"]}"', **headers)


def has_already(tag: str) -> Response | None:
    """The answer to somebody who has what this tag stands for."""
    if tag in request.headers.get("If-None-Match", "").replace("W/", "").split(", "):
        return Response(status=304, headers={"ETag": tag})
    return None


def at_the_table(who: Caller, match_id: uuid.UUID, change: Callable[..., Match]) -> Response:
    return shown(change(str(match_id), who.player_id, **asked(who), watches=watches(who)), who.player_id)


@pages.route("", methods=["POST"])
@needs("match:create")
@pages.arguments(schemas.NewMatch, location="json")
@pages.response(201, MATCH, headers=VERSION_TAG | {"Location": LOCATION})
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
        thinking_ms=given["thinking_ms"],
        token=who.token_hash,
    )
    return shown(match, who.player_id, 201, Location=f"/v1/matches/{match.id}")


def _place(who: Caller, seat: dict[str, Any], client_seed: str, number: int) -> Place:
    match seat["kind"]:
        case "me":
            return Place("program" if seat["program"] else "human", who.player_id, who.name, None, client_seed)
        case "bot":
            level = seat.get("level", "random")
            return Place("bot", None, f"Bot {number} ({level})", level, "")
        case "player":
            return Place("open", str(seat["player"]), _invited(str(seat["player"]), number), None, "")
        case _:
            return Place("open", None, None, None, "")


def _invited(player: str, number: int) -> str:
    try:
        return current_app.extensions["parlor"].players.named(player)  # type: ignore[no-any-return]
    except NotFound:
        unknown = {"seats": {number: {"player": ["there is no such player"]}}}
        raise Problem(422, "does_not_fit", "does not fit: seats", errors=unknown) from None


@pages.route("", methods=["GET"])
@needs("match:read", "bot:play")
@pages.arguments(schemas.MatchesQuery, location="query")
@pages.response(200, schemas.MatchList)
@problems(401, 403, 422, 503)
def list_matches(who: Caller, query: dict[str, Any]) -> Response:
    """List your matches, those in which you are to act, or those with an open seat; with `bot:play` only the second"""
    if not watches(who) and not query["my_turn"]:
        raise LacksScope("match:read")
    wanted = Wanted(
        who.player_id,
        joinable=query["show"] == "joinable",
        game=query.get("game"),
        status=query.get("status"),
        before=from_cursor(query["cursor"]) if "cursor" in query else None,
        my_turn=query["my_turn"],
    )
    found = service().store.matches(wanted, query["limit"] + 1)
    page = found[: query["limit"]]
    return answer({"matches": page, "next": cursor(page, "opened_at") if len(found) > len(page) else None})


@pages.route("/<uuid:match_id>", methods=["GET"])
@needs(*READS)
@pages.arguments(schemas.MatchQuery, location="query")
@pages.doc(parameters=[IF_NONE_MATCH])
@pages.response(200, MATCH, headers=VERSION_TAG)
@pages.alt_response(304, description="You have this version already", headers=VERSION_TAG)
@problems(401, 403, 404, 422, 503)
def look(who: Caller, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Your view of a match, now or at an earlier version; its version is the ETag"""
    body, version = service().look(
        str(match_id), who.player_id, at=query.get("at"), as_seat=query.get("as_seat"), watches=watches(who)
    )
    return has_already(f'"{version}"') or showing(body)


@pages.route("/<uuid:match_id>/join", methods=["POST"])
@changes
@needs("match:play", "bot:play")
@pages.arguments(schemas.Join, location="json")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 413, 415, 422, 503)
def join(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Take an open seat"""
    joined = service().join(
        str(match_id),
        who.player_id,
        who.name,
        given["seat"],
        given["client_seed"],
        **asked(who),
        watches=watches(who),
        program=given["program"] or "match:play" not in who.scopes,  # such a token is for programs
    )
    return shown(joined, who.player_id)


@pages.route("/<uuid:match_id>/leave", methods=["POST"])
@changes
@needs("match:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def leave(who: Caller, match_id: uuid.UUID) -> Response:
    """Leave your seat before the start; it is open to all again"""
    return at_the_table(who, match_id, service().leave)


@pages.route("/<uuid:match_id>/decline", methods=["POST"])
@changes
@needs("match:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def decline(who: Caller, match_id: uuid.UUID) -> Response:
    """Decline an invitation; the seat that was kept for you is open to all"""
    return at_the_table(who, match_id, service().decline)


@pages.route("/<uuid:match_id>/start", methods=["POST"])
@changes
@needs("match:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def start(who: Caller, match_id: uuid.UUID) -> Response:
    """Start a match that you opened"""
    return at_the_table(who, match_id, service().start)


@pages.route("/<uuid:match_id>/cancel", methods=["POST"])
@changes
@needs("match:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def cancel(who: Caller, match_id: uuid.UUID) -> Response:
    """Cancel a match that you opened: before the start, or while only bots play"""
    return at_the_table(who, match_id, service().cancel)


@pages.route("/<uuid:match_id>/return", methods=["POST"])
@changes
@needs("match:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def come_back(who: Caller, match_id: uuid.UUID) -> Response:
    """Take your seat back from the bot that kept it while you were away"""
    return shown(service().come_back(str(match_id), who.player_id, **asked(who)), who.player_id)


@pages.route("/<uuid:match_id>/resign", methods=["POST"])
@changes
@needs("match:play", "bot:play")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 503)
def resign(who: Caller, match_id: uuid.UUID) -> Response:
    """Give up your seat"""
    return shown(service().resign(str(match_id), who.player_id, **asked(who)), who.player_id)


@pages.route("/<uuid:match_id>/draw", methods=["POST"])
@changes
@needs("match:play")
@pages.arguments(schemas.DrawAction, location="json")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 413, 415, 422, 503)
def draw(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Offer a draw, withdraw your offer, or answer another's"""
    return shown(service().draw(str(match_id), who.player_id, given["action"], **asked(who)), who.player_id)


@pages.route("/<uuid:match_id>/legal", methods=["GET"])
@needs(*READS)
@pages.response(200, LEGAL, headers=VERSION_TAG)
@problems(401, 403, 404, 503)
def legal(who: Caller, match_id: uuid.UUID) -> Response:
    """All that you may do now, each as it can be sent"""
    found = service().legal(str(match_id), who.player_id, watches=watches(who))
    return answer(found._asdict(), ETag=f'"{found.version}"')


@pages.route("/<uuid:match_id>/board", methods=["GET"])
@needs(*READS)
@pages.doc(parameters=[IF_NONE_MATCH])
@pages.response(200, BOARD, headers=BOARD_HEADERS)
@pages.alt_response(304, description="You have this board already", headers=BOARD_HEADERS)
@problems(401, 403, 404, 503)
def board(who: Caller, match_id: uuid.UUID) -> Response:
    """The board that the match is played on: its cells, where they lie, and how they are linked. It never changes"""
    found = service().board(str(match_id), who.player_id, watches=watches(who))
    if found is None:
        raise Problem(404, "no_board", "this game is played without a board")
    body = orjson.dumps(plain(found))
    tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
    given = has_already(tag) or Response(body, headers={"ETag": tag}, mimetype="application/json")
    given.headers["Cache-Control"] = FOR_EVER
    return given


@pages.route("/<uuid:match_id>/commands", methods=["POST"])
@pages.doc(
    security=[{"token": []}],
    description="Needs the scope `match:play`, or `bot:play` for a token that can do nothing else. With an "
    "`Idempotency-Key` a retry gets the first answer and never plays twice; a refusal changes nothing and is not kept. "
    "With `If-Match` the command is judged only at that version.",
    parameters=[WORDS, KEY, IF_MATCH],
    requestBody={"required": True, "content": {"application/json": {"schema": ref("Command")}}},
)
@pages.response(200, ANSWER, headers=VERSION_TAG)
@problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
def command(match_id: uuid.UUID) -> Response:
    """Send a command of the game"""
    body, headers = commands.played(current_app.extensions["parlor"], str(match_id), request.environ, read_json)
    return Response(body, headers=headers)


@pages.route("/<uuid:match_id>/events", methods=["GET"])
@needs(*READS)
@pages.arguments(schemas.EventsQuery, location="query")
@pages.response(200, PAGE)
@pages.doc(responses={200: {"content": {NDJSON: {"schema": LOG}}}})
@problems(401, 403, 404, 406, 422, 503)
def events(who: Caller, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """The log as you may see it: a page of JSON, or all of it as NDJSON with `Accept: application/x-ndjson`"""
    accepted = request.accept_mimetypes
    wants = accepted.best_match(["application/json", NDJSON]) if accepted else "application/json"
    if not wants:
        raise Problem(406, "no_such_format", f"events come as application/json or {NDJSON}")
    part = functools.partial(service().events, str(match_id), who.player_id, watches=watches(who), words=query["words"])
    if wants == NDJSON:
        return Response(_log(functools.partial(part, limit=LOG_PAGE), query["after"]), mimetype=NDJSON)
    found = part(after=query["after"], limit=query["limit"])
    page = list(found.events)
    last = _version(page[-1]) if page else query["after"]
    more = last if page and last < found.version else None
    return answer({"game": found.game, "version": found.version, "events": page, "next": more})


@pages.route("/<uuid:match_id>/export/<ending>", methods=["GET"])
@needs(*READS)
@pages.response(200, {"type": "string"}, content_type="text/plain")
@problems(401, 403, 404, 503)
def export(who: Caller, match_id: uuid.UUID, ending: str) -> Response:
    """The match as text that other programs read: `pdn` for Checkers, `mat` for Backgammon"""
    return Response(service().export(str(match_id), who.player_id, ending, watches=watches(who)), mimetype="text/plain")


def _version(item: dict[str, Any]) -> int:
    """Of an event, be it alone or beside its words."""
    return int(item["event"]["version"] if "event" in item else item["version"])


def _log(part: Callable[..., Page], after: int) -> Iterator[bytes]:
    """The whole log, in parts. Between two of them nothing is kept: readers may take as long as they like."""
    found = part(after=after)  # at once, so that a refusal is one

    def lines() -> Iterator[bytes]:
        events, last, version = found.events, after, found.version
        while last < version:
            page = [item for item in events if _version(item) <= version]
            last = _version(page[-1])
            written = b"".join(orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE) for item in page)
            del page
            yield written
            if last < version:
                events = part(after=last).events

    return lines()
