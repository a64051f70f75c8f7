"""The scorer: keeps the ratings up to date with what is played. Several may run; each match is counted once."""

from __future__ import annotations

import logging
import threading

from eventstore.errors import StoreError
from eventstore.ratings import Overtaken, Ratings

log = logging.getLogger("parlor.scorer")


class Scorer:
    def __init__(self, ratings: Ratings, *, every: float = 1.0) -> None:
        self._ratings, self._every = ratings, every
        self._stop = threading.Event()

    def run(self) -> None:
        while not self._stop.wait(self._every):
            try:
                self._ratings.catch_up()
            except (StoreError, Overtaken) as error:
                log.warning("ratings put off: %s: %s", type(error).__name__, error)
            except Exception:
                log.exception("ratings cannot be brought up to date")

    def stop(self) -> None:
        self._stop.set()
