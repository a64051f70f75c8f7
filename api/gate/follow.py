"""What the application asks of the gate: to hold a connection until there is something to say on it.

The application judges a request as any other. Where the answer is to come later, or to go on, it leaves one of these in
the environment of the request, and is done with it.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from api.messages import Form

HELD: Final = "parlor.held"  # where it stands in the environment
UNTIL: Final = "parlor.until"  # when the time of a request that waits is up, once it has waited


class Asker(NamedTuple):
    """Whoever asks: a player by a token, or somebody without one, whom only an address tells from others."""

    player: str | None
    token: bytes | None
    counted: str  # what is counted as one


class Follow(NamedTuple):
    """A stream of one match."""

    who: Asker
    match_id: str
    watches: bool  # whether the token reads all that its owner may see
    form: Form
    after: int | None  # the version that the reader has; None for a first look
    views: bool = False  # whether the reader wants to see the match anew after what happened


class Listen(NamedTuple):
    """A stream of all that concerns a player."""

    who: Asker
    player: str
    token: bytes
    form: Form
    after: str | None  # the position of the feed that the reader has; None to hear what happens from now on


class Wait(NamedTuple):
    """A request that is to be asked again when the match has gone beyond a version, or so many seconds from now."""

    who: Asker
    match_id: str
    version: int
    behind: bool  # whether the reader sees less than there is, and will see more as time passes
    seconds: float


Held = Follow | Listen | Wait


def hold(environ: dict[str, Any], held: Held) -> None:
    environ[HELD] = held
