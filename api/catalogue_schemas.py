"""What the catalogue answers."""

from __future__ import annotations

from marshmallow import fields

from api.queries import LATEST, number
from api.schemas import Strict, Told, each, means, one_of, said, texts, whole


def json_schema(description: str) -> fields.Dict:
    return fields.Dict(required=True, metadata=means(description))


def yes_or_no(description: str) -> fields.Boolean:
    return fields.Boolean(required=True, metadata=means(description))


def measure(description: str) -> fields.Float:
    return fields.Float(required=True, metadata=means(description))


class OptionInfo(Told):
    """A table option."""

    name = said("how it is called in `options`")
    kind = said("which values it takes", validate=one_of("choice", "number", "flag", "seat", "numbers"))
    default = fields.Raw(
        required=True, allow_none=True, metadata=means("what holds where it is not given; null for no limit")
    )
    choices = texts("the words that can be given")
    low = whole("the lowest number; null where there is none", allow_none=True)
    high = whole("the highest number; null where there is none", allow_none=True)
    rule = said("the rule that explains it and refuses wrong values")
    text = said("what it does")


class GameSummary(Told):
    """A game of the catalogue in short."""

    slug = said("its name in addresses")
    title = said("its name")
    summary = said("what it is about")
    seats = fields.List(fields.Integer(), required=True, metadata=means("how many can play"))
    seats_by_option = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Integer()),
        required=True,
        metadata=means("larger tables, by the option that opens them"),
    )
    rules_version = whole("the number of the rules that new matches are played by")
    href = said("where the catalogue has all about it")


class GameList(Told):
    """The catalogue."""

    games = each(GameSummary, "all games")


class EventSchemas(Told):
    """JSON Schemas of the two parts of an event."""

    description = said("what happened")
    public = json_schema("what everybody may see")
    secret = json_schema("what a secret part can hold; `x-audience` says who sees a field")


class GameSchemas(Told):
    """JSON Schemas of all that a game says and takes, each complete in itself."""

    options = json_schema("table options")
    view = json_schema("`table` of a match; `x-part` says what a field is to the eye")
    commands = fields.Dict(
        keys=fields.String(),
        values=fields.Dict(),
        required=True,
        metadata=means(
            "by its type each command; `x-at` says where on the table it is made, `x-aside` that it stands "
            "beside the play"
        ),
    )
    legal = json_schema("the list of all that a seat may do")
    events = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(EventSchemas),
        required=True,
        metadata=means("by its type each event, beside those that every match has"),
    )


class StrengthInfo(Told):
    """What came of many hands that a level played against another one, which held all other sides."""

    against = said("the level of the others")
    seats = whole("how many played")
    sides = whole("equals would win one hand in so many")
    iterations = whole("how often each search looked ahead")
    all_seeing = yes_or_no("whether the search was shown all cards: a bound, and no bot that plays here")
    hands = whole("how many hands, or games where there are no hands")
    lead = measure("by how much it led on average, in the bots' count of points")
    error = measure("the standard error of the lead")
    won = measure("the share of the hands that it won")


class LevelInfo(Told):
    """How well a bot can play."""

    level = said("its name, for a seat")
    version = whole("its version; what it plays changes only with that")
    text = said("how it plays")
    usual = yes_or_no("whether it plays where nobody names a level")
    strength = fields.List(
        fields.Nested(StrengthInfo),
        required=True,
        allow_none=True,
        metadata=means("how it did against others, as measured in this version; null if it was not measured"),
    )


class GameInfo(GameSummary):
    """A game of the catalogue."""

    options = each(OptionInfo, "table options with their meaning")
    schemas = fields.Nested(GameSchemas, required=True, metadata=means("the shapes of all that it says and takes"))
    bots = texts("levels of bots that can be seated")
    levels = each(LevelInfo, "the same levels, each with how it plays and how strong it is")
    exports = texts("texts for other programs")
    board = yes_or_no("whether it is played on a board, which `/v1/matches/{match_id}/board` describes")
    rules_href = said("where its rules are")


class RuleInfo(Told):
    """A rule."""

    id = said("the rule's id, as refusals cite it")
    title = said("the rule's title")
    text = said("the rule in our own words")
    source = said("clause of the old rule sheet")


class RulesQuery(Strict):
    """Which rules."""

    rules_version = number(1, LATEST, "as a match has it in its first event", load_default=None)


class RuleList(Told):
    """The rules of a game."""

    rules_version = whole("the number of these rules: the newest that they hold for")
    rules = each(RuleInfo, "those of the game, then those of all matches")
