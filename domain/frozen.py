"""Values of the domain as plain JSON and back, field by field with their names.

A record that has gained or lost a field since is refused: whoever keeps frozen values decides what then. A snapshot is
made anew from the log; a table that stands in an event needs a step in `domain.upcast`.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from domain.game import Game

NO_GAMES: Final[Mapping[tuple[str, int], Game[Any]]] = types.MappingProxyType({})


def freeze(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if kind is tuple or kind is list:
        return [freeze(part) for part in value]
    if isinstance(value, Game):
        return {"game": value.slug, "edition": value.version}
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
    raise TypeError(f"a {name} cannot be frozen")


def thaw(value: Any, games: Mapping[tuple[str, int], Game[Any]] = NO_GAMES) -> Any:
    if isinstance(value, list):
        return tuple(thaw(part, games) for part in value)
    if not isinstance(value, dict):
        return value
    match value:
        case {"game": slug, "edition": version}:
            return games[slug, version]
        case {"set": parts}:
            return frozenset(thaw(part, games) for part in parts)
        case {"map": pairs}:
            return {thaw(key, games): thaw(part, games) for key, part in pairs}
        case {"text": name, "is": text}:
            return _text(name)(text)
        case {"record": name, "of": parts}:
            cls = _of_the_domain(name)
            # A field that has a default may not be missing either: it was not known when this was written.
            if set(parts) != set(_fields(cls)):
                raise ValueError(f"{name} has other fields now")
            return cls(**{field: thaw(part, games) for field, part in parts.items()})
        case _:
            raise ValueError("nothing that was frozen")


def _fields(cls: Any) -> Iterable[str]:
    return cls._fields if hasattr(cls, "_fields") else (f.name for f in fields(cls))


def _text(name: str) -> Any:
    found = _of_the_domain(name)
    if not issubclass(found, str):
        raise ValueError(f"{name} is no text")
    return found


def _of_the_domain(name: str) -> Any:
    module, _, qualified = name.partition(":")
    if not module.startswith("domain."):
        raise ValueError(f"what is frozen may not name {name}")
    found = getattr(sys.modules[module], qualified)
    if not isinstance(found, type):
        raise ValueError(f"{name} is no class")
    return found
