"""What the query of an address may hold.

It comes as text, and Python would read much as a number that is none: what is sent by mistake is refused, not guessed.
"""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import ValidationError, fields, validate, validates_schema

from api.schemas import DELIVERY_STATES, STATUS, Strict, means, one_of
from api.texts import CODE, CURSOR, Whole
from domain.game import ALL
from domain.games import BY_SLUG
from eventstore.lists import Show

LATEST = 2**31 - 1  # version that a match could have


class Digits(fields.Integer):
    """A whole number, written in digits alone."""

    default_error_messages = {"invalid": "must be a whole number"}  # noqa: RUF012

    def _validated(self, value: Any) -> Any:
        if not (isinstance(value, str) and value.isascii() and value.isdecimal()):
            raise self.make_error("invalid", input=value)
        return super()._validated(value)


def number(low: int, high: int, description: str, **more: Any) -> Digits:
    return Digits(validate=validate.Range(low, high), metadata=means(description), **more)


def switch(description: str) -> fields.Boolean:
    return fields.Boolean(
        load_default=False,
        truthy={"1", "true"},
        falsy={"0", "false"},
        error_messages={"invalid": "must be 1 or 0"},
        metadata=means(description),
    )


def seconds_to_wait() -> Digits:
    return number(0, 60, "how many seconds to wait for something newer, if there is nothing yet")


class Eyes(fields.String):
    """Whose eyes to look with: those of a seat, or of somebody who sees the whole table."""

    def __init__(self, **more: Any) -> None:
        said = "your own seat; once it is over any seat, or `table` to see all cards"
        super().__init__(
            validate=Whole(r"^(table|[0-9]|1[0-5])$", error="must be a seat, or table"),
            metadata=means(said),
            **more,
        )

    def deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().deserialize(value, *args, **kwargs)
        return found if not isinstance(found, str) else ALL if found == "table" else int(found)


class Paged(Strict):
    """A list that comes in pages."""

    cursor = fields.String(validate=CURSOR, metadata=means("`next` of the page before"))
    limit = number(1, 200, "how many a page has at most", load_default=50)


class MatchQuery(Strict):
    at = number(1, LATEST, "an earlier version")
    after = number(0, LATEST, "the version that you have already; the answer is 304 if it is the newest")
    wait = seconds_to_wait()
    eyes = Eyes(data_key="as")
    invitation = fields.String(
        validate=CODE, metadata=means("the code of an invitation, which shows you the table before the start")
    )


class WordsQuery(Strict):
    words = switch("with `1` each event comes with a sentence for you: `{event, words}`")


class CommandQuery(WordsQuery):
    dry_run = switch("with `1` the command is only judged: nothing comes of it, and no event is told")


class EventsQuery(WordsQuery):
    after = number(
        0,
        LATEST,
        "the version that you have already; without it a stream begins with your view of the match",
        load_default=0,
    )
    wait = seconds_to_wait()
    follow = switch("with `1`, and as NDJSON: the answer goes on as the match does")
    view = switch("with `1`: a stream shows the match anew with the last of the events that it tells together")
    limit = number(1, 1000, "how many events a page has at most", load_default=200)


class NoticesQuery(Strict):
    after = fields.String(
        validate=validate.Length(1, 4096),
        metadata=means("the position that you have already; without it you hear what happens from now on"),
    )


class MatchesQuery(Paged):
    game = fields.String(validate=one_of(*BY_SLUG), metadata=means("only this game"))
    status = fields.String(validate=one_of(*STATUS), metadata=means("only matches in this state"))
    show = fields.String(
        load_default="mine",
        validate=one_of(*get_args(Show)),
        metadata=means("yours, those with an open seat, or those that anybody may watch"),
    )
    my_turn = switch("with `1` only matches of yours in which you are to act")

    @validates_schema
    def only_mine(self, data: dict[str, Any], **_: Any) -> None:
        if data.get("my_turn") and data.get("show") != "mine":
            raise ValidationError("goes with `show=mine`", "my_turn")


class DeliveriesQuery(Paged):
    state = fields.String(validate=one_of(*DELIVERY_STATES), metadata=means("only those in this state"))
