"""A folded match as plain JSON and back, for the cache of snapshots.

Only values of the domain are written and read, field by field with their names, and every snapshot has a seal that only
the match's seed can make: what was not written here, or was changed since, is no snapshot. A class that has gained or
lost a field no longer fits its snapshots, and the match is folded from its log again. Where a field keeps its name and
comes to mean something else, `FORMAT` is raised.
"""

from __future__ import annotations

import hmac
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, Final

from domain.game import Game
from domain.games import BY_SLUG
from domain.match import Match
from eventstore.chain import canonical

FORMAT: Final = 2  # 1 had the values of a record without the names of their fields


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
    found = thaw(state)
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
        return {"record": name, "of": {field: freeze(part) for field, part in zip(value._fields, value, strict=True)}}
    if is_dataclass(value):
        return {"record": name, "of": {f.name: freeze(getattr(value, f.name)) for f in fields(value)}}
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
        case {"record": name, "of": parts}:
            cls = _of_the_domain(name)
            # A field that has a default may not be missing either: it was not known when this was written.
            if set(parts) != set(_fields(cls)):
                raise ValueError(f"{name} has other fields now")
            return cls(**{field: thaw(part) for field, part in parts.items()})
        case _:
            raise ValueError("not a snapshot")


def _fields(cls: Any) -> Iterable[str]:
    return cls._fields if hasattr(cls, "_fields") else (f.name for f in fields(cls))


def _of_the_domain(name: str) -> Any:
    module, _, qualified = name.partition(":")
    if not module.startswith("domain."):
        raise ValueError(f"a snapshot may not name {name}")
    found = getattr(sys.modules[module], qualified)
    if not isinstance(found, type):
        raise ValueError(f"{name} is no class")
    return found
