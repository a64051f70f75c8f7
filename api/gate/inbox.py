"""The inbox of a thread that has its state to itself: what others want of it is put in, and done in turn."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable
from typing import Any, Final

from eventstore.errors import Unavailable

PAUSE: Final = 0.25  # seconds after the database was not there


class Inbox:
    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._waiting: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()

    def put(self, act: Callable[..., object], *rest: Any) -> None:
        self._waiting.put((act, *rest))

    def empty(self) -> bool:
        return self._waiting.empty()

    def take_in(self, until: float) -> None:
        """Does all that is wanted by now; waits for something until a time, if nothing is."""
        patience = until - time.monotonic()
        try:
            act, *rest = self._waiting.get(timeout=patience) if patience > 0 else self._waiting.get_nowait()
            while True:
                self.safely(act, *rest)
                act, *rest = self._waiting.get_nowait()
        except queue.Empty:
            pass

    def safely(self, act: Callable[..., object], *rest: Any) -> None:
        """Whatever is wrong with one match or one moment, the others are served."""
        try:
            act(*rest)
        except Unavailable as error:
            self._log.warning("those who follow wait: %s", error)
            time.sleep(PAUSE)
        except Exception:
            self._log.exception("something could not be told")
