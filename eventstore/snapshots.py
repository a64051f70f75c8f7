"""A folded match as plain JSON and back, for the cache of snapshots.

Only values of the domain are written and read, and every snapshot has a seal that only the match's seed can make: what
was not written here, or was changed since, is no snapshot.
"""

from __future__ import annotations

import hmac
import sys
from dataclasses import fields, is_dataclass
from typing import Any

from domain.game import Game
from domain.games import BY_SLUG
from domain.match import Match
from eventstore.chain import canonical


def sealed(match: Match, seed: bytes) -> dict[str, Any]:
    """What is kept of a match."""
    state = freeze(match)
    return {"state": state, "seal": _seal(state, seed)}


def opened(kept: Any, match_id: str, seed: bytes) -> Match:
    """The match that was kept. Anything else is refused with an error of any kind."""
    if not hmac.compare_digest(_seal(kept["state"], seed), kept["seal"]):
        raise ValueError("the seal does not fit")
    found = thaw(kept["state"])
    if not isinstance(found, Match) or found.id != match_id:
        raise ValueError("a snapshot of something else")
    return found


def _seal(state: Any, seed: bytes) -> str:
    return hmac.digest(seed, b"snapshot|" + canonical(state), "sha256").hex()


def freeze(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is tuple or kind is list:
        return [freeze(part) for part in value]
    if isinstance(value, Game):
        return {"game": value.slug}
    if isinstance(value, frozenset):
        return {"set": [freeze(part) for part in sorted(value, key=repr)]}
    if hasattr(value, "items"):
        return {"map": [[freeze(key), freeze(part)] for key, part in value.items()]}
    name = f"{kind.__module__}:{kind.__qualname__}"
    if isinstance(value, str):
        return {"text": name, "is": str(value)}
    if hasattr(value, "_fields"):
        return {"tuple": name, "of": [freeze(part) for part in value]}
    if is_dataclass(value):
        return {"record": name, "of": [freeze(getattr(value, f.name)) for f in fields(value)]}
    raise TypeError(f"no snapshot of a {name}")


def thaw(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(thaw(part) for part in value)
    if not isinstance(value, dict):
        return value
    match value:
        case {"game": slug}:
            return BY_SLUG[slug]
        case {"set": parts}:
            return frozenset(thaw(part) for part in parts)
        case {"map": pairs}:
            return {thaw(key): thaw(part) for key, part in pairs}
        case {"text": name, "is": text}:
            return _of_the_domain(name)(text)
        case {"tuple": name, "of": parts} | {"record": name, "of": parts}:
            return _of_the_domain(name)(*(thaw(part) for part in parts))
        case _:
            raise ValueError("not a snapshot")


def _of_the_domain(name: str) -> Any:
    module, _, qualified = name.partition(":")
    if not module.startswith("domain."):
        raise ValueError(f"a snapshot may not name {name}")
    found = getattr(sys.modules[module], qualified)
    if not isinstance(found, type):
        raise ValueError(f"{name} is no class")
    return found
