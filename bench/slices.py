"""How long a worker that searches goes on without looking who else waits: `python -m bench.slices [SLUG ...]`.

Steady bots play whole matches, and at every turn a search is begun as a worker begins it, and timed from look to look,
in time of the processor: a busy machine makes no search coarser. Beside it stands how long the search goes on between
two places at which it stops by itself.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from domain import match
from domain.bots.levels import LEVELS
from domain.bots.thinking import at_once, thinking, turn_of
from domain.game import Game
from domain.games import BY_SLUG
from eventstore import memory
from workers.bots import think

THINKING_MS: Final = 40  # enough for the first tables, which cost most
ITERATIONS: Final = 2


class Longest(NamedTuple):
    """Milliseconds from one look to the next, and from one stop of the search to the next."""

    slug: str
    seats: int
    look: float
    stop: float
    searches: int


def longest(game: Game[Any], seats: int, seconds: float) -> Longest:
    """For so long, at positions of whole matches."""
    look, stop, searches, began = 0.0, 0.0, 0, time.process_time()
    for m, seat, seed in positions(game, seats):
        look, stop = max(look, _between_looks(m, seat, seed)), max(stop, _between_stops(m, seat, seed))
        searches += 1
        if time.process_time() - began >= seconds:
            break
    return Longest(game.slug, seats, look * 1000, stop * 1000, searches)


def positions(game: Game[Any], seats: int) -> Iterator[tuple[match.Match, int, bytes]]:
    """Where a bot is to act, in one match after another."""
    rng = random.Random(f"slices {game.slug} {seats}")
    places = tuple(match.Place("bot", None, "strong", "") for _ in range(seats))
    while True:
        seed = rng.randbytes(32)
        now = match.open_match(game, "measured", host="", seats=places, options={}, seed=seed).match
        now = match.start(now, "", seed).match
        while now.status == "playing":
            seat = match.waiting_bots(now)[0]
            yield now, seat, seed
            chosen = at_once(LEVELS["steady"].search(turn_of(now, seat, seed, bool)))
            now = match.play_as_bot(now, seat, chosen.command, seed, None).match


def _between_looks(m: match.Match, seat: int, seed: bytes) -> float:
    last, found = time.process_time(), 0.0

    def look() -> float:
        nonlocal last, found
        found, last = max(found, time.process_time() - last), time.process_time()
        return 0.0

    think(m, seat, seed, most_ms=THINKING_MS, between=look)
    look()
    return found


def _between_stops(m: match.Match, seat: int, seed: bytes) -> float:
    last, found = time.process_time(), 0.0
    search = thinking(m, seat, seed, lambda iterations: iterations >= ITERATIONS)
    while True:
        try:
            next(search)
        except StopIteration:
            return max(found, time.process_time() - last)
        found, last = max(found, time.process_time() - last), time.process_time()


def table_sizes(game: Game[Any]) -> tuple[int, ...]:
    """The smallest table and the largest: whose hands are long, and where many play on."""
    return tuple(dict.fromkeys((game.usual_seats[0], game.usual_seats[-1])))


if __name__ == "__main__":
    memory.settle()
    for slug in sys.argv[1:] or BY_SLUG:
        for size in table_sizes(BY_SLUG[slug]):
            one = longest(BY_SLUG[slug], size, 5)
            print(f"{slug:24} {size:2} seats {one.look:7.1f} ms to a look {one.stop:7.1f} ms to a stop", flush=True)
