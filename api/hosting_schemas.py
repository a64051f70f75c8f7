"""What is sent and answered around a match: invitations, notes, sending players away."""

from __future__ import annotations

from marshmallow import fields

from api.schemas import Strict, Told, an_id, each, integer, means, moment, said, whole
from api.texts import NOTE, Text


class Kick(Strict):
    """A seat to be opened again."""

    seat = integer(0, 15, required=True, metadata=means("whose player is to go, or for whom it is kept no longer"))


class NewInvitation(Strict):
    """An invitation to be made."""

    seat = integer(0, 15, load_default=None, allow_none=True, metadata=means("to which seat; null for any"))
    uses = integer(1, 15, load_default=1, metadata=means("how many players may come by it"))
    expires_in = integer(
        60, 2_592_000, load_default=None, allow_none=True, metadata=means("for how many seconds; null until the start")
    )


class NewNote(Strict):
    """A note to be left."""

    text = Text(
        required=True,
        validate=NOTE,
        metadata={**means("what you say, in one line without control characters"), "minLength": 1, "maxLength": 280},
    )


class Invitation(Told):
    """An invitation to a table."""

    id = an_id("the invitation's id")
    seat = whole("the seat it is to; null for any", allow_none=True)
    uses = whole("how many players may come by it")
    used = whole("how many have come by it")
    created_at = moment("when it was made")
    expires_at = moment("until when it lets players in; null until the start", allow_none=True)
    revoked_at = moment("when it was taken back; null while it was not", allow_none=True)


class FreshInvitation(Invitation):
    """An invitation that was just made."""

    code = said("shown once; who has it may see the table before the start, and joins with it")
    href = said("where whoever has it sees the table")


class InvitationList(Told):
    """The invitations to a table."""

    invitations = each(Invitation, "the newest last")


class Note(Told):
    """A note that somebody left at the table."""

    id = an_id("the note's id")
    player = an_id("who left it")
    seat = whole("the seat of that player then; null for a host without a seat", allow_none=True)
    text = said("what it says")
    at = moment("when it was left")


class NoteList(Told):
    """A page of the notes of a match, the oldest first."""

    notes = each(Note, "the notes of this page")
    next = fields.String(required=True, allow_none=True, metadata=means("cursor of the next page; null on the last"))
