"""What requests may hold and what answers look like. Unknown fields are refused, sizes are bounded."""

from __future__ import annotations

from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from api.texts import CLIENT_SEED, CURSOR, LABEL, NAME, Text
from domain.bots.levels import LEVELS
from domain.games import BY_SLUG
from eventstore.players import SCOPES


class Strict(Schema):
    class Meta:
        unknown = RAISE


def integer(low: int, high: int, **more: Any) -> fields.Integer:
    return fields.Integer(strict=True, validate=validate.Range(low, high), **more)


# ── Requests ────────────────────────────────────────────────────────────────────────────────────────────────────


class SignUp(Strict):
    name = Text(
        required=True,
        validate=NAME,
        metadata={"description": "how others see you: nothing invisible, and not the word Bot at the beginning"},
    )


class NewToken(Strict):
    label = Text(load_default="", validate=LABEL)
    scopes = fields.List(
        fields.String(validate=validate.OneOf(SCOPES)), required=True, validate=validate.Length(min=1, max=len(SCOPES))
    )


class NewSeat(Strict):
    kind = fields.String(required=True, validate=validate.OneOf(("me", "open", "player", "bot")))
    player = fields.UUID(metadata={"description": "with kind `player`: whom the seat is kept for"})
    level = fields.String(validate=validate.OneOf(tuple(LEVELS)), metadata={"description": "with kind `bot`"})

    @validates_schema
    def only_what_belongs(self, data: dict[str, Any], **_: Any) -> None:
        if ("player" in data) != (data.get("kind") == "player"):
            raise ValidationError("goes with kind `player`, and must be there then", "player")
        if "level" in data and data.get("kind") != "bot":
            raise ValidationError("goes with kind `bot`", "level")


class NewMatch(Strict):
    game = fields.String(required=True, validate=validate.OneOf(tuple(BY_SLUG)))
    seats = fields.List(fields.Nested(NewSeat), required=True, validate=validate.Length(min=1, max=16))
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(max=40)),
        load_default=dict,
        metadata={"description": "options of the game; the catalogue lists them with their meaning and default"},
    )
    spectators = fields.Boolean(
        load_default=False, truthy={True}, falsy={False}, metadata={"description": "whether anybody may watch"}
    )
    turn_seconds = integer(
        5, 2_592_000, load_default=None, allow_none=True, metadata={"description": "time for a turn; null for none"}
    )
    client_seed = fields.String(
        load_default="", validate=CLIENT_SEED, metadata={"description": "your share in the chance of this match"}
    )


class Join(Strict):
    seat = integer(0, 15, load_default=None, allow_none=True)
    client_seed = fields.String(load_default="", validate=CLIENT_SEED)


class DrawAction(Strict):
    action = fields.String(required=True, validate=validate.OneOf(("offer", "withdraw", "accept", "decline")))


class MatchQuery(Strict):
    at = fields.Integer(validate=validate.Range(1, 2**31 - 1), metadata={"description": "an earlier version"})
    as_seat = fields.Integer(
        data_key="as", validate=validate.Range(0, 15), metadata={"description": "your own seat, or any once it is over"}
    )


class EventsQuery(Strict):
    after = fields.Integer(load_default=0, validate=validate.Range(0, 2**31 - 1))
    limit = fields.Integer(load_default=200, validate=validate.Range(1, 1000))


class MatchesQuery(Strict):
    game = fields.String(validate=validate.OneOf(tuple(BY_SLUG)))
    status = fields.String(validate=validate.OneOf(("open", "playing", "over")))
    show = fields.String(load_default="mine", validate=validate.OneOf(("mine", "joinable")))
    cursor = fields.String(validate=CURSOR)
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))


# ── Answers ─────────────────────────────────────────────────────────────────────────────────────────────────────


class RuleRef(Schema):
    id = fields.String(required=True)
    title = fields.String(required=True)
    text = fields.String(required=True)
    href = fields.String(required=True, allow_none=True)


class ProblemDetails(Schema):
    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    code = fields.String(required=True)
    detail = fields.String(required=True)
    rule = fields.Nested(RuleRef, metadata={"description": "the rule that a refused command would break"})
    version = fields.Integer(metadata={"description": "the version of the match it was judged at"})
    errors = fields.Dict(metadata={"description": "by field, what does not fit"})


class Player(Schema):
    id = fields.UUID(required=True)
    name = fields.String(required=True)


class NewPlayer(Player):
    created_at = fields.DateTime(required=True)
    token = fields.String(required=True, metadata={"description": "shown once; send it as `Authorization: Bearer …`"})
    scopes = fields.List(fields.String(), required=True)


class Me(Player):
    scopes = fields.List(fields.String(), required=True)
    token_id = fields.UUID(required=True, metadata={"description": "of the token that you sent"})


class Token(Schema):
    id = fields.UUID(required=True)
    label = fields.String(required=True)
    scopes = fields.List(fields.String(), required=True)
    created_at = fields.DateTime(required=True)
    revoked_at = fields.DateTime(allow_none=True)
    made_by = fields.UUID(
        required=True, allow_none=True, metadata={"description": "the token that made it; null for the first one"}
    )


class FreshToken(Token):
    token = fields.String(required=True)


class Tokens(Schema):
    tokens = fields.List(fields.Nested(Token), required=True)


class OptionInfo(Schema):
    name = fields.String(required=True)
    kind = fields.String(required=True)
    default = fields.Raw(required=True, allow_none=True)
    choices = fields.List(fields.String(), required=True)
    low = fields.Integer(required=True, allow_none=True)
    high = fields.Integer(required=True, allow_none=True)
    rule = fields.String(required=True)
    text = fields.String(required=True)


class GameSummary(Schema):
    slug = fields.String(required=True)
    title = fields.String(required=True)
    summary = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata={"description": "how many can play"})
    seats_by_option = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Integer()),
        required=True,
        metadata={"description": "larger tables, by the option that opens them"},
    )
    rules_version = fields.Integer(required=True)
    href = fields.String(required=True)


class Games(Schema):
    games = fields.List(fields.Nested(GameSummary), required=True)


class GameInfo(GameSummary):
    options = fields.List(fields.Nested(OptionInfo), required=True)
    commands = fields.Dict(required=True, metadata={"description": "JSON Schema of each command, by its type"})
    events = fields.List(fields.String(), required=True)
    bots = fields.List(fields.String(), required=True, metadata={"description": "levels of bots that can be seated"})
    exports = fields.List(fields.String(), required=True, metadata={"description": "texts for other programs"})
    rules_href = fields.String(required=True)


class RuleInfo(Schema):
    id = fields.String(required=True)
    title = fields.String(required=True)
    text = fields.String(required=True)
    source = fields.String(required=True, metadata={"description": "clause of the old rule sheet"})


class Rules(Schema):
    rules = fields.List(fields.Nested(RuleInfo), required=True)


class SeatInfo(Schema):
    seat = fields.Integer(required=True)
    kind = fields.String(required=True)
    player = fields.UUID(required=True, allow_none=True)
    name = fields.String(required=True, allow_none=True)
    level = fields.String(required=True, allow_none=True)
    client_seed = fields.String(required=True)
    resigned = fields.Boolean(required=True)


class Result(Schema):
    winners = fields.List(fields.Integer(), required=True)
    places = fields.List(fields.Integer(), required=True)
    scores = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)
    server_seed = fields.String(required=True)


class MatchView(Schema):
    id = fields.UUID(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    host = fields.UUID(required=True)
    options = fields.Dict(required=True)
    spectators = fields.Boolean(required=True)
    turn_seconds = fields.Integer(required=True, allow_none=True)
    seed_commitment = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatInfo), required=True)
    sides = fields.List(fields.List(fields.Integer()), required=True)
    you = fields.Integer(required=True, allow_none=True)
    to_act = fields.List(fields.Integer(), required=True)
    draw_offer = fields.Dict(required=True, allow_none=True)
    table = fields.Dict(required=True, allow_none=True, metadata={"description": "what you may see of the game"})
    result = fields.Nested(Result, required=True, allow_none=True)


class ListedMatch(Schema):
    id = fields.UUID(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    host = fields.UUID(required=True)
    spectators = fields.Boolean(required=True)
    seats = fields.List(fields.Dict(), required=True)
    opened_at = fields.DateTime(required=True)
    updated_at = fields.DateTime(required=True)


class MatchList(Schema):
    matches = fields.List(fields.Nested(ListedMatch), required=True)
    next = fields.String(required=True, allow_none=True, metadata={"description": "cursor of the next page"})


class Legal(Schema):
    version = fields.Integer(required=True)
    commands = fields.List(fields.Dict(), required=True)


class Event(Schema):
    version = fields.Integer(required=True)
    type = fields.String(required=True)
    schema = fields.Integer(required=True)
    actor = fields.String(required=True)
    command_id = fields.String(required=True)
    at = fields.DateTime(required=True)
    public = fields.Dict(required=True)
    secret = fields.Dict(required=True, metadata={"description": "by audience: the commitment; salt and part if yours"})
    hash = fields.String(required=True)


class EventPage(Schema):
    version = fields.Integer(required=True, metadata={"description": "the newest version of the match"})
    events = fields.List(fields.Nested(Event), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata={"description": "`after` of the next page"})


class CommandAnswer(Schema):
    version = fields.Integer(required=True)
    events = fields.List(fields.Nested(Event), required=True)


class Health(Schema):
    status = fields.String(required=True)


class Readiness(Schema):
    status = fields.String(required=True)
    database = fields.String(required=True)
    redis = fields.String(required=True)
