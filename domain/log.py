"""What happened, as it stands in the log: an event's parts, with the record of what chance drew for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from domain.chance import Drawn
from domain.match import Happened
from domain.wire import TABLE, Parts, read_event, write_event


def write(happened: Happened) -> Parts:
    parts = write_event(happened.event)
    drawn = happened.drawn
    if drawn is None:
        return parts
    parts.public["draw"] = {"n": drawn.n, "kind": drawn.kind, "size": list(drawn.size)}
    # Dice lie open on the table. A shuffle or a blind pick would give away hidden cards before the end.
    place = parts.public["draw"] if drawn.kind == "dice" else parts.secret.setdefault(TABLE, {}).setdefault("draw", {})
    place["result"] = list(drawn.result)
    return parts


def read(classes: Mapping[str, type[Any]], parts: Parts, actor: str) -> Happened:
    drawn = None
    if "draw" in parts.public:
        open_part = parts.public["draw"]
        result = open_part["result"] if "result" in open_part else parts.secret[TABLE]["draw"]["result"]
        drawn = Drawn(open_part["n"], open_part["kind"], tuple(open_part["size"]), tuple(result))
    return Happened(read_event(classes, parts), actor, drawn)
