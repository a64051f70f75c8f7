"""What is sent and answered where a match is looked at step by step, or goes on from a version of it."""

from __future__ import annotations

from api.queries import LATEST, Eyes, number, switch
from api.schemas import NewMatch, Strict, integer, means


class ReplayQuery(Strict):
    first = number(1, LATEST, "the version to begin with", data_key="from", load_default=1)
    last = number(1, LATEST, "the last version; without it the newest", data_key="to", load_default=None)
    eyes = Eyes(data_key="as", load_default=None)
    legal = switch("with `1` each step tells what could be done after it, by seat")


class NewFork(NewMatch):
    """A match to be opened that goes on from another."""

    class Meta(NewMatch.Meta):
        exclude = ("game", "options", "rated")

    at = integer(1, LATEST, required=True, metadata=means("the version whose table it goes on from"))
