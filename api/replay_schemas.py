"""What is sent and answered where a match is looked at step by step, or goes on from a version of it."""

from __future__ import annotations

from marshmallow import fields, validate

from api.schemas import Eyes, NewMatch, Strict, integer, means

VERSION = validate.Range(1, 2**31 - 1)


class ReplayQuery(Strict):
    first = fields.Integer(
        data_key="from", load_default=1, validate=VERSION, metadata=means("the version to begin with")
    )
    last = fields.Integer(
        data_key="to", load_default=None, validate=VERSION, metadata=means("the last version; without it the newest")
    )
    eyes = Eyes(data_key="as", load_default=None)
    legal = fields.Boolean(
        load_default=False,
        truthy={"1", "true"},
        falsy={"0", "false"},
        metadata=means("with `1` each step tells what could be done after it, by seat"),
    )


class NewFork(NewMatch):
    """A match to be opened that goes on from another."""

    class Meta(NewMatch.Meta):
        exclude = ("game", "options", "rated")

    at = integer(1, 2**31 - 1, required=True, metadata=means("the version whose table it goes on from"))
