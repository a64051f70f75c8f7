"""The scorer: keeps the ratings up to date with what is played. Several may run; each match is counted once."""

from __future__ import annotations

import logging
import threading

from domain.editions import OfLaterRelease
from eventstore.errors import StoreError
from eventstore.ratings import Overtaken, Ratings

log = logging.getLogger("parlor.scorer")


class Scorer:
    def __init__(self, ratings: Ratings, *, every: float = 1.0) -> None:
        self._ratings, self._every = ratings, every
        self._stop = threading.Event()

    def run(self) -> None:
        said = None  # what keeps the ratings waiting may last, and is told once
        while not self._stop.wait(self._every):
            try:
                self._ratings.catch_up()
                said = None
            except (StoreError, Overtaken, OfLaterRelease) as error:
                trouble = f"{type(error).__name__}: {error}"
                if trouble != said:
                    log.warning("ratings put off: %s", trouble)
                said = trouble
            except Exception:
                log.exception("ratings cannot be brought up to date")

    def stop(self) -> None:
        self._stop.set()
