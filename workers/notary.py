"""The notary: signs the heads of finished matches, and once a day one root over all that changed."""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections.abc import Callable
from typing import Final

from eventstore.db import Database
from eventstore.errors import StoreError
from eventstore.signing import Signer, sign_ended
from eventstore.trees import Trees

log = logging.getLogger("parlor.notary")

EVERY: Final = 2.0  # seconds
BATCH: Final = 200


class Notary:
    """Several may run: a signature that is there already is kept, and so is the tree of a day."""

    def __init__(
        self,
        database: Database,
        signer: Signer,
        *,
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        self._db, self._signer, self._now = database, signer, now
        self._trees = Trees(database)
        self._stop = threading.Event()

    def work(self) -> None:
        while sign_ended(self._db, self._signer, BATCH) == BATCH and not self._stop.is_set():
            pass
        if self._trees.grow(self._signer, self._now()):
            log.info("the tree of the day is made and signed")

    def run(self) -> None:
        while not self._stop.wait(EVERY):
            try:
                self.work()
            except StoreError as error:
                log.warning("signatures wait: %s", error)
            except Exception:
                log.exception("the notary failed")

    def stop(self) -> None:
        self._stop.set()
