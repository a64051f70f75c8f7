"""A folded match as plain JSON and back, for the cache of snapshots.

Only values of the domain are written and read, field by field with their names, and every snapshot has a seal that only
the match's seed can make: what was not written here, or was changed since, is no snapshot. A class that has gained or
lost a field no longer fits its snapshots, and the match is folded from its log again. Where a field keeps its name and
comes to mean something else, `FORMAT` is raised.
"""

from __future__ import annotations

import hmac
from typing import Any, Final

from domain.frozen import freeze, thaw
from domain.games import EDITIONS
from domain.match import Match
from eventstore.chain import canonical

FORMAT: Final = 3  # 1 had the values of a record without the names of their fields, 2 a game without its edition


def sealed(match: Match, seed: bytes) -> dict[str, Any]:
    """What is kept of a match."""
    state = freeze(match)
    return {"format": FORMAT, "state": state, "seal": _seal(state, seed)}


def opened(kept: Any, match_id: str, seed: bytes) -> Match | None:
    """The match that was kept; nothing if it was kept in another format. Anything else is an error of any kind."""
    state, seal = kept["state"], kept["seal"]
    if kept.get("format", 1) != FORMAT:
        return None
    if not hmac.compare_digest(_seal(state, seed), seal):
        raise ValueError("the seal does not fit")
    found = thaw(state, EDITIONS)
    if not isinstance(found, Match) or found.id != match_id:
        raise ValueError("a snapshot of something else")
    return found


def _seal(state: Any, seed: bytes) -> str:
    return hmac.digest(seed, b"snapshot|" + canonical(state), "sha256").hex()
