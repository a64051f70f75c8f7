"""Those who come late: what is past is read for them aside, a page at a time as they take it, and delays nobody who is
up to date."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from api.gate.parcels import Pages, Stream
from domain.match import Match
from eventstore import following

log = logging.getLogger("parlor.late")

Page = tuple[list[following.Told], Match | None]


class Late:
    """Reads their pages. `told` gets each of them, and None after the last; `failed` whose page could not be read."""

    def __init__(self, told: Callable[[Stream, Page | None], None], failed: Callable[[Stream], None]) -> None:
        self._told, self._failed = told, failed
        self._reader = ThreadPoolExecutor(1, "late")

    def turn_page(self, stream: Stream) -> None:
        if stream.pages is not None and not stream.gone:
            self._reader.submit(self._next_page, stream, stream.pages)

    def _next_page(self, stream: Stream, pages: Pages) -> None:
        try:
            page = next(pages, None)
        except Exception as error:
            log.warning("what is past cannot be told: %s", error)
            self._failed(stream)
            return
        self._told(stream, page)
