"""What goes between the event loop and the threads that know what there is to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from api.gate.follow import Follow, Listen, Wait
from domain.match import Match
from eventstore.following import Told

Pages = Iterator[tuple[list[Told], Match | None]]


class Stream:
    """Somebody who follows a match. `match` is as it stood when he was last told of it, or some time before."""

    def __init__(self, follow: Follow) -> None:
        self.follow = follow
        self.version: int | None = None  # which he was told of last; None before he was told anything
        self.match: Match | None = None
        self.pages: Pages | None = None  # of what is past, while there is more of it
        self.gone = False

    @property
    def told(self) -> int | None:
        """The version to go on after."""
        return self.follow.after if self.version is None else self.version


class Listener:
    """Somebody who wants to hear of all his matches, from a position of the feed on."""

    def __init__(self, follow: Listen) -> None:
        self.follow = follow
        self.position = follow.after


class Waiter:
    """Somebody who wants to know when a match has gone on."""

    def __init__(self, follow: Wait) -> None:
        self.follow = follow


Reader = Stream | Listener | Waiter


class Parcel(NamedTuple):
    """Something to be sent to all of these, and whether it is the last. To those who wait nothing is sent: they ask
    again."""

    to: Sequence[Reader]
    raw: bytes = b""
    last: bool = True
    upto: int | str | None = None  # what to go on after, once it has been sent
