"""Following a match over HTTP: who may, from where on, and in which form. The gate does the rest."""

from __future__ import annotations

import re
import time
from typing import Any, Final

from flask import Response, request

from api.gate.follow import UNTIL, Asker, Follow, Wait, hold
from api.messages import NDJSON, SSE, Form, bye
from api.problems import Problem, unfit
from api.published import ref
from api.web import header
from eventstore.networks import network
from eventstore.players import Caller
from eventstore.service import Matches

JSON: Final = "application/json"
VERSION: Final = re.compile(r"[0-9]{1,9}")
LAST_EVENT_ID: Final = header(
    "Last-Event-ID",
    "of a stream: the `id` of the last message that you have; it counts before `after`",
    pattern=r"^[0-9]{1,9}$",
)


def lines_of(message: str) -> dict[str, Any]:
    """What each line of a text is."""
    return {"contentMediaType": JSON, "contentSchema": ref(message)}


def documented(message: str, beside: str = "") -> dict[str, Any]:
    """How a stream stands in the reference: lines of JSON, or server-sent events whose `data` is the same."""
    lines = f"{beside}one message a line, each a `{message}`; an empty line keeps the connection alive"
    events = f"`event` is the `kind` of a `{message}`, `data` the rest of it, `id` what to go on after"
    return {
        form: {"schema": {"type": "string", "description": said, **lines_of(message)}}
        for form, said in ((NDJSON, lines), (SSE, events))
    }


def form_wanted(follow: bool) -> str:
    """Where it is all the same to the reader a page, or a stream of lines if a stream is asked for."""
    accepted, forms = request.accept_mimetypes, [NDJSON, SSE, JSON] if follow else [JSON, NDJSON, SSE]
    wants = accepted.best_match(forms) if accepted else forms[0]
    if not wants:
        raise Problem(406, "no_such_format", f"events come as {JSON}, {NDJSON} or {SSE}")
    return wants


def check_look(query: dict[str, Any]) -> None:
    if "wait" in query and "at" in query:
        raise unfit({"wait": ["goes with the newest version, and not with `at`"]})
    if "wait" in query and "after" not in query and "If-None-Match" not in request.headers:
        raise unfit({"wait": ["goes with `after` or If-None-Match, which say what you have already"]})


def check_events(query: dict[str, Any], wants: str) -> None:
    if query["follow"] and wants == JSON:
        raise unfit({"follow": [f"goes with `Accept: {NDJSON}` or `Accept: {SSE}`"]})
    if "wait" in query and wants != JSON:
        raise unfit({"wait": [f"goes with a page of {JSON}; streams wait by themselves"]})
    if query["view"] and wants != SSE and not query["follow"]:
        raise unfit({"view": ["goes with a stream"]})
    if "limit" in request.args and wants != JSON:
        raise unfit({"limit": [f"goes with a page of {JSON}"]})


def known(after: int | None, newest: int) -> int | None:
    """What somebody says to have already, which must be there."""
    if after is not None and after > newest:
        raise Problem(422, "no_such_version", f"there is no version {after}: the newest is {newest}", version=newest)
    return after


def asker(who: Caller | None) -> Asker:
    if who is None:
        return Asker(None, None, f"address {network(request.remote_addr or '')}")
    return Asker(who.player_id, who.token_hash, who.player_id)


def wait(matches: Matches, who: Asker, match_id: str, version: int, seconds: int | None) -> None:
    """Has the request asked again when there is more than this version, unless its time is up."""
    until = request.environ.get(UNTIL)
    left = seconds if until is None else until - time.monotonic()
    if left is None or left <= 0:
        return
    warm = matches.warm(match_id)
    behind = matches.visible(warm.match, who.player) < warm.match.version
    seen = warm.match.version if behind else version
    hold(request.environ, Wait(who, match_id, seen, behind, left))


def stream(matches: Matches, who: Asker, match_id: str, watches: bool, form: str, query: dict[str, Any]) -> Response:
    """The stream of a match. What is not the gate gets a word that there is none."""
    chosen: Form = NDJSON if form == NDJSON else SSE
    # As always: without the right to see the match nothing is said of it.
    _, newest = matches.look(match_id, who.player, watches=watches)
    after = known(_after(query), newest)
    hold(request.environ, Follow(who, match_id, watches, chosen, after, query["view"]))
    return without_a_gate(chosen, after)


def without_a_gate(form: Form, after: int | str | None) -> Response:
    """What there is to say of a stream where nobody goes on with it. In parts, since a stream has no length: it would
    stand in the answer to HEAD."""
    return Response(iter([bye(form, "unavailable", after)]), headers={"X-Accel-Buffering": "no"}, mimetype=form)


def last_event_id() -> str | None:
    """What the header says. An empty one says nothing, as clients send it before the first message."""
    return request.headers.get("Last-Event-ID", "").strip() or None


def _after(query: dict[str, Any]) -> int | None:
    given = last_event_id()
    if given is None:
        return query["after"] if "after" in request.args else None
    if VERSION.fullmatch(given) is None:
        raise unfit({"Last-Event-ID": ["is the id of a message of this stream, a whole number"]})
    return int(given)
