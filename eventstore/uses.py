"""When tokens were last used."""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections import OrderedDict
from typing import Final

from eventstore.db import Database
from eventstore.errors import StoreError

log = logging.getLogger("parlor.uses")

APART: Final = 60.0  # seconds between two notes of the same token, in all processes together
WRITTEN_EVERY: Final = 5.0
REMEMBERED: Final = 10_000

WRITE: Final = """
UPDATE tokens SET last_used_at = %(at)s
WHERE token_hash = %(token)s AND (last_used_at IS NULL OR last_used_at <= %(before)s)
"""


class Uses:
    """Notes uses in memory, and writes them from a thread of its own: no request waits for it, no command above all."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._noted: OrderedDict[bytes, float] = OrderedDict()  # when this process last took note, by its own count
        self._unwritten: dict[bytes, dt.datetime] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def note(self, token: bytes) -> None:
        counted = time.monotonic()
        if counted - self._noted.get(token, counted - APART) < APART:
            return
        with self._lock:
            self._noted[token] = counted
            self._noted.move_to_end(token)
            if len(self._noted) > REMEMBERED:
                self._noted.popitem(last=False)
            self._unwritten[token] = dt.datetime.now(dt.UTC)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="uses", daemon=True)
                self._thread.start()

    def write(self) -> None:
        """One statement a token: several at once could wait for one another."""
        with self._lock:
            unwritten, self._unwritten = self._unwritten, {}
        for token, at in unwritten.items():
            self._db.run(WRITE, {"token": token, "at": at, "before": at - dt.timedelta(seconds=APART)})

    def _run(self) -> None:
        while True:
            time.sleep(WRITTEN_EVERY)
            try:
                self.write()
            except StoreError as error:
                log.warning("the last use of some tokens is not noted: %s", error)
