"""A turn as a bot gets it, and what it makes of it.

A bot is given what its seat sees, what it may do, a way to imagine whole tables that would look the same to it, and
random numbers of its own. The true table stays with whoever asks. What a bot does is a function of these and of the
number of iterations it was given, so that anybody who has them finds the same command.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple

from domain.game import Game, Seat

Below = Callable[[int], int]  # below(k): a number from 0 to k - 1


def nothing() -> Any:
    return None


class Turn(NamedTuple):
    """What a bot has to go by."""

    game: Game[Any]
    seat: Seat
    view: Mapping[str, Any]
    commands: Sequence[Any]  # that are legal; templates among them
    imagine: Callable[[Below], Any]  # a whole table that the seat could be sitting at
    below: Below
    # Whether so many iterations are enough. A clock may answer, or the number that the log has.
    enough: Callable[[int], bool]
    lasted: int = 0  # the events of the match so far
    remembered: Callable[[], Any] = nothing  # what the seat has seen before and the view does not show: `Thumbs.memory`


class Thought(NamedTuple):
    """What a bot has found."""

    command: Any
    iterations: int = 0
    # What it weighed: every candidate with its value, the best first. Values compare within one thought only.
    weighed: tuple[tuple[Any, int], ...] = ()
    offers: bool = False  # whether it offers a draw with the command


# A search stops between two iterations for whoever has something more urgent, and goes on when it is asked again.
Search = Generator[None, None, Thought]
