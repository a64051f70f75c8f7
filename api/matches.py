"""Matches over HTTP: open, join, leave, start, cancel, look, play, read the log."""

from __future__ import annotations

import functools
import hashlib
import uuid
from collections.abc import Callable, Iterator
from typing import Any, get_type_hints

import orjson
from flask import Response, current_app, request

from api import commands, following, queries, schemas
from api.messages import NDJSON, SSE
from api.problems import Problem, unfit
from api.published import ref
from api.reading import read_json
from api.web import Pages, answer, cursor, from_cursor, header, limits, needs, no_token, problems, public
from domain.bots.levels import USUAL
from domain.match import Match, MatchView, Place, Terms, bot_place, seat_of
from domain.wire import plain
from eventstore.chain import instant
from eventstore.commands import receipt_for
from eventstore.errors import LacksScope
from eventstore.lists import Listed, Wanted
from eventstore.operators import OPERATOR
from eventstore.players import Caller
from eventstore.reading import Page
from eventstore.service import Matches
from eventstore.states import Stand
from eventstore.store import Receipt

pages = Pages("matches", __name__, url_prefix="/v1/matches", description="Open, join, play and read matches.")

OPEN_TO_ALL = "a match that is open to all is shown"
READS = "match:read", "match:play", "bot:play", OPERATOR  # the two that play: only where their owner takes part
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
PREFER = header("Prefer", "`return=representation` adds your view of the match and your legal commands to the answer")
APPLIED = {"description": "the preference that was met", "schema": {"type": "string"}}
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
DRY_RUN = {
    "in": "query",
    "name": "dry_run",
    "description": "with `1` the command is only judged: nothing comes of it, and no event is told",
    "schema": {"type": "boolean", "default": False},
}
SENT = {"anyOf": [ref("Command"), ref("CommandSteps")]}
LOG = "the whole log from `after` on: one event a line, or with `words` one `{event, words}`; or with `follow` "
LOG_PAGE = 200  # events that are read and written at once


def service() -> Matches:
    return current_app.extensions["parlor"].matches  # type: ignore[no-any-return]


def watches(who: Caller | None) -> bool:
    """Whether the token reads all that its owner may see, and not only what its owner takes part in."""
    return who is None or "match:read" in who.scopes


def reader(who: Caller | None) -> tuple[str | None, bool]:
    """Who reads, and how much; nobody reads what is open to all."""
    return who and who.player_id, watches(who)


def asked(who: Caller) -> dict[str, Any]:
    """What a change of a match depends on besides the rules."""
    return {"token": who.token_hash, "expected": commands.expected_version(request.headers.get("If-Match"))}


def changes(view: Any) -> Any:
    """Documents `If-Match`, which means the same on every operation that changes a match."""
    return problems(400, 412)(pages.doc(parameters=[IF_MATCH])(view))


def shown(stand: Stand, player: str, status: int = 200, **headers: str) -> Response:
    return showing(stand.view(seat_of(stand.match, player)), status, **headers)


def showing(body: MatchView, status: int = 200, **headers: str) -> Response:
    return answer(commands.with_board(body), status, ETag=f'"{body["version"]}"', **headers)


def new_match(match: Match, who: Caller, status: int = 201) -> Response:
    if match.started and who.scopes.isdisjoint(READS):  # it opens matches and reads none, so it is shown what it opened
        match = service().at_version(match.id, 1)
    return shown(service().stands(match), who.player_id, status, Location=link(match))


def link(match: Match) -> str:
    return public(f"/v1/matches/{match.id}")


def receipt(who: Caller, prefix: str, body: Any = None) -> Receipt | None:
    """What makes a retry with the same key find its first answer."""
    key = commands.checked_key(request.headers.get("Idempotency-Key"))
    return receipt_for(prefix, f"{who.player_id}/{key}", body) if key else None


def id_for(who: Caller, kept: Receipt | None) -> str | None:
    """Of the match that a request opens. A retry has the same one."""
    return str(uuid.uuid5(uuid.UUID(who.player_id), kept.command_id)) if kept else None


def opened_before(who: Caller, kept: Receipt | None) -> Response | None:
    """The answer to a retry, whatever may have come that would be refused now."""
    match_id = id_for(who, kept)
    found = service().begun(match_id, kept) if match_id and kept else None
    return found and new_match(found, who)


def has_already(tag: str) -> Response | None:
    """The answer to somebody who has what this tag stands for."""
    if request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers={"ETag": tag})
    return None


def etag(version: int) -> dict[str, str]:
    return {"ETag": f'"{version}"'}


def at_the_table(who: Caller, match_id: uuid.UUID, change: Callable[..., Stand], **more: Any) -> Response:
    return shown(change(str(match_id), who.player_id, **asked(who), watches=watches(who), **more), who.player_id)


@pages.route("", methods=["POST"])
@needs("match:create")
@pages.arguments(schemas.NewMatch, location="json")
@pages.doc(parameters=[KEY])
@pages.response(201, MATCH, headers=VERSION_TAG | {"Location": LOCATION})
@problems(400, 401, 403, 409, 413, 415, 422, 503)
def open_match(who: Caller, given: dict[str, Any]) -> Response:
    """Open a match; a retry with the same `Idempotency-Key` gets the same match"""
    limits().open_match(request.environ, who.player_id)
    kept = receipt(who, "open", read_json())
    if (again := opened_before(who, kept)) is not None:
        return again
    places = tuple(place(who, seat, given["client_seed"], n) for n, seat in enumerate(given["seats"]))
    match = service().open(
        given["game"],
        host=who.player_id,
        seats=places,
        options=given["options"],
        token=who.token_hash,
        match_id=id_for(who, kept),
        receipt=kept,
        **{name: given[name] for name in get_type_hints(Terms)},
    )
    return new_match(match, who)


def place(who: Caller, seat: dict[str, Any], client_seed: str, number: int) -> Place:
    match seat["kind"]:
        case "me":
            return Place("program" if seat["program"] else "human", who.player_id, None, client_seed)
        case "bot":
            return bot_place(seat.get("level", USUAL))
        case "player":
            return Place("open", _invited(str(seat["player"]), number), None, "")
        case _:
            return Place("open", None, None, "")


def _invited(player: str, number: int) -> str:
    if current_app.extensions["parlor"].players.plays(player):
        return player
    raise unfit({f"seats.{number}.player": ["there is no such player"]})


@pages.route("", methods=["GET"])
@needs("match:read", "bot:play", unless="matches that are open to all are listed")
@pages.arguments(queries.MatchesQuery, location="query")
@pages.response(200, schemas.MatchList)
@problems(401, 403, 422, 503)
def list_matches(who: Caller | None, query: dict[str, Any]) -> Response:
    """List your matches, those in which you are to act, those with an open seat, or those that anybody may watch

    With `bot:play` only the second.
    """
    if who is None and query["show"] != "watchable":
        raise no_token()
    if not watches(who) and not query["my_turn"]:
        raise LacksScope("match:read; with bot:play ask for my_turn=1")
    wanted = Wanted(
        who and who.player_id,
        query["show"],
        game=query.get("game"),
        status=query.get("status"),
        before=from_cursor(query["cursor"]) if "cursor" in query else None,
        my_turn=query["my_turn"],
    )
    found = service().listed(wanted, query["limit"] + 1)
    page = [listed(one) for one in found[: query["limit"]]]
    further = cursor(page, "opened_at") if len(found) > len(page) else None
    if wanted.my_turn:  # where only the log knew who is to act, some are not waited for
        page = [told for told, one in zip(page, found, strict=False) if one.waits_for(wanted.player)]
    return answer({"matches": page, "next": further})


def listed(one: Listed) -> dict[str, Any]:
    told = one._asdict() | {"deadlines": {str(seat): instant(at) for seat, at in one.deadlines.items()}}
    del told["late"]
    return {"id": told.pop("match_id"), **told}


@pages.route("/<uuid:match_id>", methods=["GET"])
@needs(*READS, unless=OPEN_TO_ALL)
@pages.arguments(queries.MatchQuery, location="query")
@pages.doc(parameters=[IF_NONE_MATCH])
@pages.response(200, MATCH, headers=VERSION_TAG)
@pages.alt_response(304, description="You have this version already", headers=VERSION_TAG)
@problems(401, 403, 404, 422, 429, 503)
def look(who: Caller | None, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Your view of a match, now or at an earlier version; its version is the ETag"""
    following.check_look(query)
    player, whole = reader(who)
    body, version = service().look(
        str(match_id),
        player,
        at=query.get("at"),
        as_seat=query.get("eyes"),
        watches=whole,
        # Whoever has an invitation is to come with a token: a seat is a player's.
        invitation=query.get("invitation") if who else None,
    )
    after = following.known(query.get("after"), version)
    had = has_already(f'"{version}"') or (Response(status=304, headers=etag(version)) if after == version else None)
    if body["rematch"] is not None:
        had = None  # a match that is over keeps its version when another follows it, and its players are to see that
    if had is not None and body["status"] != "over":
        following.wait(service(), following.asker(who), str(match_id), version, query.get("wait"))
    return had or showing(body)


@pages.route("/<uuid:match_id>/join", methods=["POST"])
@problems(400, 412)
@pages.doc(parameters=[KEY, IF_MATCH])
@needs("match:play", "bot:play")
@pages.arguments(schemas.Join, location="json", required=False)
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 413, 415, 422, 503)
def join(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Take an open seat; a retry with the same `Idempotency-Key` gets the first answer"""
    joined = service().join(
        str(match_id),
        who.player_id,
        given["seat"],
        given["client_seed"],
        **asked(who),
        watches=watches(who),
        program=given["program"] or "match:play" not in who.scopes,  # such a token is for programs
        invitation=given["invitation"],
        receipt=receipt(who, "join", read_json()),
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
@needs(*READS, unless=OPEN_TO_ALL)
@pages.response(200, LEGAL, headers=VERSION_TAG)
@problems(401, 403, 404, 503)
def legal(who: Caller | None, match_id: uuid.UUID) -> Response:
    """All that you may do now, each as it can be sent"""
    player, whole = reader(who)
    found = service().legal(str(match_id), player, watches=whole)
    return answer(found._asdict(), ETag=f'"{found.version}"')


@pages.route("/<uuid:match_id>/board", methods=["GET"])
@needs(*READS, unless=OPEN_TO_ALL)
@pages.doc(parameters=[IF_NONE_MATCH])
@pages.response(200, BOARD, headers=BOARD_HEADERS)
@pages.alt_response(304, description="You have this board already", headers=BOARD_HEADERS)
@problems(401, 403, 404, 503)
def board(who: Caller | None, match_id: uuid.UUID) -> Response:
    """The board that the match is played on: its cells, where they lie, and how they are linked. It never changes"""
    player, whole = reader(who)
    found = service().board(str(match_id), player, watches=whole)
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
    "With `If-Match` the command is judged only at that version. Several commands come as `steps`, and are played as a "
    "whole or not at all. With `Prefer: return=representation` the answer has your view of the match and your legal "
    "commands as well.",
    parameters=[WORDS, DRY_RUN, KEY, IF_MATCH, PREFER],
    requestBody={"required": True, "content": {"application/json": {"schema": SENT}}},
)
@pages.response(200, ANSWER, headers=VERSION_TAG | {"Preference-Applied": APPLIED})
@problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
def command(match_id: uuid.UUID) -> Response:
    """Send a command of the game, or several at once"""
    body, headers = commands.played(current_app.extensions["parlor"], str(match_id), request.environ, read_json)
    return Response(body, headers=headers)


@pages.route("/<uuid:match_id>/events", methods=["GET"])
@needs(*READS, unless=OPEN_TO_ALL)
@pages.arguments(queries.EventsQuery, location="query")
@pages.response(200, PAGE)
@pages.doc(
    parameters=[following.LAST_EVENT_ID],
    responses={200: {"content": following.documented("MatchMessage", LOG)}},
)
@problems(401, 403, 404, 406, 422, 429, 503)
def events(who: Caller | None, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """The log as you may see it: a page of JSON, all of it as NDJSON, or a stream that goes on as the match does"""
    wants = following.form_wanted(query["follow"])
    following.check_events(query, wants)
    player, whole = reader(who)
    if wants == SSE or query["follow"]:
        return following.stream(service(), following.asker(who), str(match_id), whole, wants, query)
    part = functools.partial(service().events, str(match_id), player, watches=whole, words=query["words"])
    if wants == NDJSON:
        return Response(_log(functools.partial(part, limit=LOG_PAGE), query["after"]), mimetype=NDJSON)
    found = part(after=query["after"], limit=query["limit"])
    following.known(query["after"], found.version)
    page = list(found.events)
    if "wait" in query:
        newest = service().warm(str(match_id)).match
        # Whoever sees the match later is not told by a quick answer that it is over.
        if not page and (newest.status != "over" or found.version < newest.version):
            following.wait(service(), following.asker(who), str(match_id), query["after"], query["wait"])
    last = _version(page[-1]) if page else query["after"]
    more = last if page and last < found.version else None
    return answer({"game": found.game, "version": found.version, "events": page, "next": more})


@pages.route("/<uuid:match_id>/export/<ending>", methods=["GET"])
@needs(*READS, unless=OPEN_TO_ALL)
@pages.response(200, {"type": "string"}, content_type="text/plain")
@problems(401, 403, 404, 409, 503)
def export(who: Caller | None, match_id: uuid.UUID, ending: str) -> Response:
    """The match as text that other programs read: `csv`, a score sheet; `pdn` for Checkers, `mat` for Backgammon"""
    player, whole = reader(who)
    return Response(service().export(str(match_id), player, ending, watches=whole), mimetype="text/plain")


def _version(item: dict[str, Any]) -> int:
    """Of an event, be it alone or beside its words."""
    return int(item["event"]["version"] if "event" in item else item["version"])


def _log(part: Callable[..., Page], after: int) -> Iterator[bytes]:
    """The whole log, in parts. Between two of them nothing is kept: readers may take as long as they like."""
    found = part(after=after)  # at once, so that a refusal is one
    following.known(after, found.version)

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
