"""Around a match over HTTP: invitations, sending players away, notes, rematches."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, request

from api import hosting_schemas as schemas
from api.matches import (
    KEY,
    LOCATION,
    MATCH,
    READS,
    VERSION_TAG,
    at_the_table,
    changes,
    link,
    new_match,
    receipt,
    service,
    showing,
    watches,
)
from api.queries import Paged
from api.web import Pages, answer, cursor, from_cursor, limits, needs, nothing, problems, public
from eventstore.errors import NotFound
from eventstore.invitations import Invitation
from eventstore.players import Caller

pages = Pages("hosting", __name__, url_prefix="/v1/matches", description="Invite, send away, leave notes, play again.")


@pages.route("/<uuid:match_id>/kick", methods=["POST"])
@changes
@needs("match:play")
@pages.arguments(schemas.Kick, location="json")
@pages.response(200, MATCH, headers=VERSION_TAG)
@problems(401, 403, 404, 409, 413, 415, 422, 503)
def kick(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Send a player away from a table that you opened, before the start"""
    return at_the_table(who, match_id, service().vacate, seat=given["seat"])


# ── Invitations ─────────────────────────────────────────────────────────────────────────────────────────────────


@pages.route("/<uuid:match_id>/invitations", methods=["POST"])
@needs("match:play")
@pages.arguments(schemas.NewInvitation, location="json", required=False)
@pages.response(201, schemas.FreshInvitation, headers={"Location": {**LOCATION, "description": "where it is"}})
@problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Make an invitation to a table that you opened; whoever has its code may see the table and take a seat"""
    made, code = service().invite(
        str(match_id),
        who.player_id,
        seat=given["seat"],
        uses=given["uses"],
        seconds=given["expires_in"],
        watches=watches(who),
    )
    way = public(f"/v1/matches/{match_id}?invitation={code}")
    location = public(f"/v1/matches/{match_id}/invitations/{made.id}")
    return answer({**made._asdict(), "code": code, "href": way}, 201, Location=location)


@pages.route("/<uuid:match_id>/invitations", methods=["GET"])
@needs("match:read", "match:play")
@pages.response(200, schemas.InvitationList)
@problems(401, 403, 404, 409, 503)
def invitations(who: Caller, match_id: uuid.UUID) -> Response:
    """List the invitations to a table that you opened, without their codes"""
    return answer({"invitations": [one._asdict() for one in _invitations(who, match_id)]})


@pages.route("/<uuid:match_id>/invitations/<uuid:invitation_id>", methods=["GET"])
@needs("match:read", "match:play")
@pages.response(200, schemas.Invitation)
@problems(401, 403, 404, 409, 503)
def invitation(who: Caller, match_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
    """An invitation to a table that you opened, without its code"""
    found = next((one for one in _invitations(who, match_id) if one.id == str(invitation_id)), None)
    if found is None:
        raise NotFound(str(invitation_id))
    return answer(found._asdict())


@pages.route("/<uuid:match_id>/invitations/<uuid:invitation_id>", methods=["DELETE"])
@needs("match:play")
@pages.response(204)
@problems(401, 403, 404, 409, 503)
def take_back(who: Caller, match_id: uuid.UUID, invitation_id: uuid.UUID) -> Response:
    """Take an invitation back; who has come by it stays"""
    service().uninvite(str(match_id), who.player_id, str(invitation_id), watches=watches(who))
    return nothing()


def _invitations(who: Caller, match_id: uuid.UUID) -> list[Invitation]:
    return service().invitations(str(match_id), who.player_id, watches=watches(who))


# ── Notes ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.route("/<uuid:match_id>/notes", methods=["POST"])
@needs("match:play")
@pages.arguments(schemas.NewNote, location="json")
@pages.response(201, schemas.Note, headers={"Location": {**LOCATION, "description": "where all notes are"}})
@problems(400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
def leave_note(who: Caller, given: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Leave a note for those at the table, before the start or after the end"""
    left = service().leave_note(str(match_id), who.player_id, given["text"])
    return answer(left._asdict(), 201, Location=public(f"/v1/matches/{match_id}/notes"))


@pages.route("/<uuid:match_id>/notes", methods=["GET"])
@needs("match:read", "match:play")
@pages.arguments(Paged, location="query")
@pages.response(200, schemas.NoteList)
@problems(401, 403, 404, 422, 503)
def notes(who: Caller, query: dict[str, Any], match_id: uuid.UUID) -> Response:
    """Read the notes of a match that you opened or have a seat in, the oldest first"""
    after = from_cursor(query["cursor"]) if "cursor" in query else None
    found = service().notes(str(match_id), who.player_id, after, query["limit"] + 1)
    page = [one._asdict() for one in found[: query["limit"]]]
    return answer({"notes": page, "next": cursor(page, "at") if len(found) > len(page) else None})


# ── Rematch ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pages.route("/<uuid:match_id>/rematch", methods=["POST"])
@needs("match:create")
@pages.doc(parameters=[KEY])
@pages.response(201, MATCH, headers=VERSION_TAG | {"Location": LOCATION})
@pages.alt_response(200, schema=MATCH, headers=VERSION_TAG | {"Location": LOCATION}, description="It was there already")
@problems(400, 401, 403, 404, 409, 503)
def rematch(who: Caller, match_id: uuid.UUID) -> Response:
    """Play again: the same game at the same kind of table, everybody one seat further. All who ask get one match"""
    limits().open_match(request.environ, who.player_id)
    found, fresh = service().rematch(
        str(match_id), who.player_id, who.token_hash, receipt=receipt(who, "open"), watches=watches(who)
    )
    if fresh or who.scopes.isdisjoint(READS):
        return new_match(found, who, 201 if fresh else 200)
    body, _ = service().look(found.id, who.player_id, watches=watches(who))
    return showing(body, Location=link(found))
