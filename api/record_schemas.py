"""What the feed, leaderboards and the records of players take and look like."""

from __future__ import annotations

from marshmallow import fields, validate

from api.queries import Paged, number
from api.schemas import ListedMatch, Strict, Told, an_id, each, means, moment, one_of, said, whole
from domain.bots.levels import LEVELS
from domain.games import BY_SLUG
from eventstore.feed import LONGEST
from eventstore.ratings import Subject

# What a leaderboard can show, by the word for it.
KINDS = {"people": ["human"], "programs": ["program"], "bots": ["bot"], "all": ["human", "program", "bot"]}


class FeedQuery(Strict):
    after = fields.String(
        load_default=None,
        validate=validate.Length(1, LONGEST),
        metadata=means("the position of the last entry that you have; without it from the beginning"),
    )
    limit = number(
        1, 1000, "how many entries to give at most; without it 200 in a page, and as NDJSON all", load_default=None
    )


class FeedEntry(Told):
    """An event, and which match it is of."""

    position = fields.String(required=True, metadata=means("where to go on from; send it back as it is"))
    match = fields.UUID(required=True, metadata=means("the match"))
    game = fields.String(required=True, metadata=means("what is played there"))
    event = fields.Dict(
        required=True, metadata=means("as a spectator has it from the log of the match; all of it once that is over")
    )


class FeedPage(Told):
    """A piece of the feed."""

    entries = fields.List(fields.Nested(FeedEntry), required=True, metadata=means("in the order of the feed"))
    next = fields.String(
        required=True,
        allow_none=True,
        metadata=means("`after` of the next page, also when there is nothing new yet; null while there is nothing"),
    )


# ── Ratings ─────────────────────────────────────────────────────────────────────────────────────────────────────


class LeadersQuery(Paged):
    kind = fields.String(load_default="all", validate=one_of(*KINDS), metadata=means("whom to show"))


class RecordQuery(Paged):
    game = fields.String(
        load_default=None, validate=one_of(*BY_SLUG), metadata=means("only this game, in history and head-to-head")
    )
    against = fields.String(
        load_default=None,
        validate=validate.Length(1, 40),
        metadata=means("the id of another player, or a level of bots such as `bot:strong`, to be compared with"),
    )


def opponent(text: str) -> Subject:
    """Whom a record is compared with."""
    kind, _, level = text.partition(":")
    if kind == "bot" and level in LEVELS:
        return Subject("bot", level)
    return Subject("human", str(fields.UUID().deserialize(text)))


class Figures(Told):
    """A rating, and what it rests on."""

    points = whole("the rating: 1000 for a newcomer, and low while little is known")
    mu = fields.Float(required=True, metadata=means("OpenSkill's estimate"))
    sigma = fields.Float(required=True, metadata=means("how far the estimate may be wrong"))
    matches = whole("how many rated matches; for a level of bots, how many seats in them")
    won = whole("how many were won alone, or with partners")
    drawn = whole("in how many the first place was shared")
    lost = whole("how many were lost")


def rated_kind() -> fields.String:
    return said("a person, a program that a player brings, or a bot of the server", validate=one_of(*KINDS["all"]))


class Leader(Figures):
    """Somebody on a leaderboard."""

    rank = whole("the place; equal points share it")
    kind = rated_kind()
    player = an_id("the player; null for a bot", allow_none=True)
    level = said("how well the bot plays; null for a player", allow_none=True)
    name = said("how they are called today; null if the player is no longer there", allow_none=True)
    deleted = fields.Boolean(required=True, metadata=means("whether the player is no longer there"))


class Leaderboard(Told):
    """A page of a leaderboard."""

    game = said("the game")
    leaders = each(Leader, "the best first")
    next = said("`cursor` of the next page; null on the last", allow_none=True)


class GameRating(Figures):
    """The rating of a player in a game."""

    game = said("the game")
    kind = rated_kind()


class RatedMatch(Told):
    """A rated match in the record of a player."""

    match = an_id("the match; looking at it needs the right to")
    game = said("what was played")
    kind = rated_kind()
    place = whole("the place of the player's side")
    result = said("how it ended for the player", validate=one_of("won", "drawn", "lost"))
    points_before = whole("the rating before")
    points = whole("the rating after")
    ended_at = moment("when it ended")


class HeadToHead(Told):
    """How a player came off against another in rated matches, whatever the others did."""

    against = said("whom: a player's id, or a level of bots")
    matches = whole("how many matches they played as opponents; for a level of bots, against how many seats")
    won = whole("how often the player came before the other")
    drawn = whole("how often they shared a place")
    lost = whole("how often the player came after the other")


class PlayerRecord(Told):
    """A player and what is known of him."""

    id = an_id("the player")
    name = said("how the player is called today; null if no longer there", allow_none=True)
    deleted = fields.Boolean(required=True, metadata=means("whether the player is no longer there"))
    ratings = each(GameRating, "by game, and apart in person and by program")
    history = each(RatedMatch, "rated matches, newest first")
    next = said("`cursor` of the next page of the history; null on the last", allow_none=True)
    head_to_head = fields.Nested(
        HeadToHead, required=True, allow_none=True, metadata=means("null unless `against` was given")
    )
    matches = each(ListedMatch, "the newest matches of the player that you may look at, rated or not; at most 20")
