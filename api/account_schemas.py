"""What requests about accounts may hold beside signing up and tokens, and what operators are told."""

from __future__ import annotations

from marshmallow import fields, validate

from api.schemas import Strict, Told, an_id, each, flag, means, moment, said
from api.texts import NAME, REASON, Text


class NewName(Strict):
    """What you want to be called from now on."""

    name = Text(required=True, validate=NAME, metadata=means("how others see you, in what is over too"))


class Recovering(Strict):
    """Whoever has lost all tokens."""

    player = fields.UUID(required=True, metadata=means("your player id"))
    code = fields.String(
        required=True,
        validate=validate.Length(min=1, max=60),
        metadata=means("your recovery code; hyphens, spaces and small letters do not matter"),
    )
    revoke_others = flag("whether all other tokens are revoked")


class Closing(Strict):
    """Something that the operator closes."""

    reason = Text(
        required=True, validate=REASON, metadata=means("why; it stands in the operator's log and nowhere else")
    )


class FreshRecoveryCode(Told):
    """A recovery code that was just made."""

    recovery_code = said("shown once; the one before works no longer")


class LogEntry(Told):
    """Something that was done with an operator's token."""

    id = an_id("the entry's id")
    at = moment("when")
    token_id = an_id("of the operator's token")
    action = said("`close_match`, `close_player`, or what was read")
    target = an_id("the match or the player that was closed; null otherwise", allow_none=True)
    reason = said("why, as the operator gave it; null otherwise", allow_none=True)


class OperatorLog(Told):
    """What operators have done."""

    entries = each(LogEntry, "the newest first")
    next = said("the `cursor` of the next page; null if this is the last", allow_none=True)
