"""What requests may hold and what answers look like. Unknown fields are refused, sizes are bounded."""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validate, validates_schema

from api.texts import CLIENT_SEED, CODE, LABEL, NAME, SECRET, Text, web_address
from domain.bots.levels import LEVELS, USUAL
from domain.games import BY_SLUG
from domain.match.state import Sitter, Status
from eventstore.operators import OPERATOR
from eventstore.players import SCOPES

STATUS = get_args(Status)
LONGEST_SECONDS = 10 * 366 * 86_400  # that a token can be given until it expires
DELIVERY_STATES = "waiting", "delivered", "dead", "past"


class Fixed(Schema):
    """Nobody changes it, so it is not copied with what describes an operation, which the framework copies at every
    decorator: that made the start a quarter longer."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Fixed:
        return self


class Strict(Fixed):
    """What is sent: an unknown field is refused."""

    error_messages = {"unknown": "there is no such field", "type": "must be an object"}  # noqa: RUF012

    class Meta:
        unknown = RAISE


class Told(Fixed):
    """What is answered: later versions may say more."""

    class Meta:
        unknown = EXCLUDE


def means(description: str) -> dict[str, str]:
    return {"description": description}


def integer(low: int, high: int, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


class Flag(fields.Boolean):
    """True or false, and no number that Python takes for one of them."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


def flag(description: str) -> Flag:
    return Flag(load_default=False, metadata=means(description))


def one_of(*words: str) -> validate.OneOf:
    return validate.OneOf(words)


# ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────


class SignUp(Strict):
    """A player to be."""

    name = Text(
        required=True,
        validate=NAME,
        metadata=means("how others see you: nothing invisible, and not the word Bot at the beginning"),
    )


class NewToken(Strict):
    """A further token to be made."""

    label = Text(load_default="", validate=LABEL, metadata=means("what you call it"))
    scopes = fields.List(
        fields.String(validate=one_of(*SCOPES)),
        required=True,
        validate=validate.Length(min=1, max=len(SCOPES)),
        metadata=means("what it may do; no more than the token that makes it"),
    )
    expires_in = integer(
        1,
        LONGEST_SECONDS,
        load_default=None,
        allow_none=True,
        metadata=means("seconds until it expires; null as late as the token that makes it"),
    )


class NewSeat(Strict):
    """Who is to sit at a seat."""

    kind = fields.String(
        required=True,
        validate=one_of("me", "open", "player", "bot"),
        metadata=means("you, anybody, a player whom you invite, or a bot"),
    )
    player = fields.UUID(metadata=means("with kind `player`: whom the seat is kept for"))
    program = flag("with kind `me`: whether a program plays for you; others see that it does")
    level = fields.String(
        validate=one_of(*LEVELS), metadata=means(f"with kind `bot`: how well it plays; `{USUAL}` if you do not say")
    )

    @validates_schema
    def only_what_belongs(self, data: dict[str, Any], **_: Any) -> None:
        if ("player" in data) != (data.get("kind") == "player"):
            raise ValidationError("goes with kind `player`, and must be there then", "player")
        if "level" in data and data.get("kind") != "bot":
            raise ValidationError("goes with kind `bot`", "level")
        if data.get("program") and data.get("kind") != "me":
            raise ValidationError("goes with kind `me`", "program")


class NewMatch(Strict):
    """A match to be opened."""

    game = fields.String(required=True, validate=one_of(*BY_SLUG), metadata=means("what is to be played"))
    seats = fields.List(
        fields.Nested(NewSeat),
        required=True,
        validate=validate.Length(min=1, max=16),
        metadata=means("who is to sit at the table, in order"),
    )
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(max=40)),
        load_default=dict,
        metadata=means("options of the game; those that are not given have their defaults"),
    )
    spectators = flag("whether anybody may watch")
    open_to_all = flag("with `spectators`: whether also those may watch who have no token")
    spectator_delay = integer(
        0,
        3600,
        load_default=0,
        metadata=means("with `spectators`: how many seconds later those see the match who have no seat in it"),
    )
    private = flag("whether the table is in no list, and joined by invitation alone")
    notes = Flag(
        load_default=True,
        metadata=means("whether those at the table can leave notes before the start and after the end"),
    )
    turn_seconds = integer(
        5, 2_592_000, load_default=None, allow_none=True, metadata=means("time for a turn; null for none")
    )
    thinking_ms = integer(
        1,
        60_000,
        load_default=None,
        allow_none=True,
        metadata=means("time for a turn of a bot that searches; null as the server has it, which is the most"),
    )
    rated = Flag(
        load_default=None,
        allow_none=True,
        metadata=means("whether it is to be rated; null if it can be. Rule PM-20 says when"),
    )
    published = flag("whether anybody may read it once it is over, without a token")
    client_seed = fields.String(
        load_default="", validate=CLIENT_SEED, metadata=means("your share in the chance of this match")
    )

    @validates_schema
    def only_with_spectators(self, data: dict[str, Any], **_: Any) -> None:
        for name in ("open_to_all", "spectator_delay"):
            if data.get(name) and not data.get("spectators"):
                raise ValidationError("goes with `spectators`", name)


class Join(Strict):
    """A seat to be taken."""

    seat = integer(0, 15, load_default=None, allow_none=True, metadata=means("which seat; null for any"))
    program = flag("whether a program plays for you; others see that it does. With `bot:play` alone it always does")
    invitation = fields.String(
        load_default=None, validate=CODE, metadata=means("the code of an invitation, if you have one")
    )
    client_seed = fields.String(
        load_default="", validate=CLIENT_SEED, metadata=means("your share in the chance of this match")
    )


class DrawAction(Strict):
    """What to do about a draw."""

    action = fields.String(
        required=True,
        validate=one_of("offer", "withdraw", "accept", "decline"),
        metadata=means("offer one or withdraw the offer; accept or decline another's"),
    )


class NewWebhook(Strict):
    """A webhook to be made."""

    url = fields.String(
        required=True,
        validate=web_address,
        metadata={**means("where to send word, over http or https"), "maxLength": 500},
    )
    secret = fields.String(
        validate=SECRET, metadata=means("what deliveries are signed with; without it one is made for you")
    )


# ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────
# What carries a game is described in `api.published`.


def said(description: str, **more: Any) -> fields.String:
    return fields.String(required=True, metadata=means(description), **more)


def texts(description: str) -> fields.List[Any]:
    return fields.List(fields.String(), required=True, metadata=means(description))


def whole(description: str, **more: Any) -> fields.Integer:
    return fields.Integer(required=True, metadata=means(description), **more)


def an_id(description: str, **more: Any) -> fields.UUID:
    return fields.UUID(required=True, metadata=means(description), **more)


def moment(description: str, **more: Any) -> fields.DateTime:
    return fields.DateTime(required=True, metadata=means(description), **more)


def each(schema: type[Schema], description: str) -> fields.List[Any]:
    return fields.List(fields.Nested(schema), required=True, metadata=means(description))


def yes_or_no(description: str) -> fields.Boolean:
    return fields.Boolean(required=True, metadata=means(description))


def allowed(*more: str) -> fields.List[Any]:
    scopes = fields.String(validate=one_of(*SCOPES, *more))
    return fields.List(scopes, required=True, metadata=means("what the token allows"))


class RuleRef(Told):
    """The rule that a refusal rests on."""

    id = said("the rule's id, such as `QU-11`")
    title = said("the rule's title")
    text = said("the rule in our own words")
    href = fields.String(
        required=True, allow_none=True, metadata=means("where the catalogue has it; null for a rule of all matches")
    )


class ProblemDetails(Told):
    """What went wrong, in the form of RFC 9457."""

    type = fields.String(required=True, metadata=means("a URN made of the code"))
    title = fields.String(required=True, metadata=means("the status in words"))
    status = fields.Integer(required=True, metadata=means("the status of the answer"))
    code = fields.String(required=True, metadata=means("a word for programs"))
    detail = fields.String(required=True, metadata=means("a sentence for people"))
    rule = fields.Nested(RuleRef, metadata=means("the rule that a refused command would break"))
    version = fields.Integer(metadata=means("the version of the match it was judged at"))
    step = fields.Integer(metadata=means("of several commands, which was refused; the first is 0"))
    errors = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata=means("what does not fit, by field; within lists and records as `seats.1.player`"),
    )


class Player(Told):
    """Somebody who plays."""

    id = an_id("the player's id")
    name = said("how others see the player")


class NewPlayer(Player):
    """You, now that you have signed up."""

    created_at = moment("when you signed up")
    token = said("shown once; send it as `Authorization: Bearer …`")
    scopes = allowed()
    recovery_code = said("shown once; keep it with your id for the day on which all tokens are lost. It works once")


class Me(Player):
    """Who you are."""

    scopes = allowed(OPERATOR)
    token_id = an_id("of the token that you sent")
    expires_at = moment("when this token expires; null for never", allow_none=True)


class Token(Told):
    """A token without its secret."""

    id = an_id("the token's id")
    label = said("what you call it")
    scopes = allowed()
    created_at = moment("when it was made")
    expires_at = moment("when it expires; null for never", allow_none=True)
    last_used_at = moment("when it was last used, to the minute; null if it was not", allow_none=True)
    revoked_at = fields.DateTime(allow_none=True, metadata=means("when it was revoked; null while it is good"))
    made_by = an_id("the token that made it; null for the first one", allow_none=True)


class FreshToken(Token):
    """A token that was just made."""

    token = said("shown once; send it as `Authorization: Bearer …`")


class TokenList(Told):
    """Your tokens."""

    tokens = each(Token, "the newest last")


class ListedSeat(Told):
    """A seat of a listed match."""

    kind = said("who has it", validate=one_of(*get_args(Sitter)))
    player = an_id("the player's id", allow_none=True)
    name = said("how the player is called", allow_none=True)
    level = said("how well the bot plays; null for a person", allow_none=True)


class ListedMatch(Told):
    """A match in a list."""

    id = an_id("the id of the match")
    game = said("what is played", validate=one_of(*BY_SLUG))
    status = said("whether it waits for players, is being played, or is over", validate=one_of(*STATUS))
    version = whole("how many events it has")
    host = an_id("the player who opened it")
    spectators = yes_or_no("whether anybody may watch")
    open_to_all = yes_or_no("whether also those may watch who have no token")
    spectator_delay = whole("how many seconds later those see it who have no seat")
    private = yes_or_no("whether it is in no list but those of its players, and joined by invitation alone")
    seats = each(ListedSeat, "who sits at the table, in order")
    to_act = fields.List(fields.Integer(), required=True, metadata=means("the seats that may act now"))
    deadlines = fields.Dict(
        keys=fields.String(),
        values=fields.DateTime(),
        required=True,
        metadata=means("by seat, until when each that is to act has time, at a table with a time for a turn"),
    )
    opened_at = moment("when it was opened")
    updated_at = moment("when it last changed")


class MatchList(Told):
    """A page of a list of matches, the newest first."""

    matches = each(ListedMatch, "the matches of this page")
    next = fields.String(required=True, allow_none=True, metadata=means("cursor of the next page; null on the last"))


class Webhook(Told):
    """Where word is sent when you are to act and when a match of yours ends."""

    id = an_id("the webhook's id")
    url = said("where word is sent")
    created_at = moment("when it was made")


class FreshWebhook(Webhook):
    """A webhook that was just made."""

    secret = said("shown once; deliveries are signed with it")


class WebhookList(Told):
    """Your webhooks."""

    webhooks = each(Webhook, "the newest last")


class DeliveryInfo(Told):
    """What was sent to a webhook, or is to be."""

    id = an_id("the delivery's id, as in the header `Parlor-Delivery`")
    match = an_id("the match that it tells of")
    version = whole("the version of the match that it tells of")
    about = said("that you are to act, or that the match has ended", validate=one_of("turn", "end"))
    state = said(
        "still to be sent, taken by the receiver, given up, or not sent again because the match has moved on",
        validate=one_of(*DELIVERY_STATES),
    )
    attempts = whole("how often it was tried")
    created_at = moment("when it came about")
    due_at = moment("while it waits, when it is tried next")
    tried_at = moment("when it was last tried; null before", allow_none=True)
    problem = said("what was wrong at the last try; null if nothing was", allow_none=True)


class DeliveryList(Told):
    """A page of the deliveries to a webhook, the newest first."""

    deliveries = each(DeliveryInfo, "the deliveries of this page")
    next = fields.String(required=True, allow_none=True, metadata=means("cursor of the next page; null on the last"))


class Health(Told):
    """The process answers."""

    status = said("`ok`")


class Readiness(Told):
    """The process can serve."""

    status = said("`ready`")
    database = said("`ok`")
    redis = said("`ok`, or `away` while bots wait")
