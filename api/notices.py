"""All that concerns a player, in whichever match it happens, as one stream."""

from __future__ import annotations

from typing import Any

from flask import Response, current_app, request

from api import following
from api.gate.follow import Listen, hold
from api.messages import NDJSON, SSE, Form
from api.problems import Problem, unfit
from api.queries import NoticesQuery
from api.web import Pages, header, needs, problems
from eventstore.errors import UnreadablePosition
from eventstore.feed import Feed
from eventstore.players import Caller

pages = Pages("events", __name__, url_prefix="/v1/events", description="What concerns you, wherever it happens.")

LAST_EVENT_ID = header("Last-Event-ID", "the `id` of the last message that you have; it counts before `after`")


@pages.route("", methods=["GET"])
@needs("match:read", "match:play", "bot:play")
@pages.arguments(NoticesQuery, location="query")
@pages.response(200, {"type": "string"}, content_type=SSE)
@pages.doc(parameters=[LAST_EVENT_ID], responses={200: {"content": following.documented("NoticeMessage")}})
@problems(401, 403, 406, 410, 422, 429, 503)
def listen(who: Caller, query: dict[str, Any]) -> Response:
    """Your turns, invitations, seats taken, starts, draws offered and ends, over all your matches, as they happen"""
    accepted = request.accept_mimetypes
    wants = accepted.best_match([SSE, NDJSON]) if accepted else SSE
    if not wants:
        raise Problem(406, "no_such_format", f"notices come as {SSE} or {NDJSON}")
    form: Form = NDJSON if wants == NDJSON else SSE
    feed: Feed = current_app.extensions["parlor"].feed
    given = following.last_event_id()
    after: str | None = given or query.get("after")
    try:
        feed.check(after)
    except UnreadablePosition:
        told = "is no position that was given out: send one back as it was given, or none"
        raise unfit({"Last-Event-ID" if given else "after": [told]}) from None
    hold(request.environ, Listen(following.asker(who), who.player_id, who.token_hash, form, after))
    return following.without_a_gate(form, after)
