"""What a player is told of the matches that concern him, out of the feed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from eventstore.feed import Entry, Item

Kind = Literal["invited", "seat_taken", "started", "draw_offered", "your_turn", "ended"]


class Notice(NamedTuple):
    """`position` is where to go on from. Of several about one event only the last passes the event."""

    position: str | None
    match: str
    game: str
    version: int
    kind: Kind
    at: dt.datetime


def notices(player: str, items: Iterable[Item], after: str | None) -> Iterator[Notice]:
    """What these items, which follow a position, say to a player."""
    for item in items:
        entry = item.entry
        kinds = list(_kinds(player, entry))
        for n, kind in enumerate(kinds, start=1):
            position = item.position if n == len(kinds) else after
            yield Notice(position, entry.match_id, entry.game, entry.stored.version, kind, entry.stored.at)
        after = item.position


def _kinds(player: str, entry: Entry) -> Iterator[Kind]:
    public = entry.stored.parts.public
    match entry.stored.parts.type:
        case "match_opened" if any(seat["kind"] == "open" and seat["player"] == player for seat in public["seats"]):
            yield "invited"
        case "seat_taken" if public["player"] != player:
            yield "seat_taken"
        case "match_started":
            yield "started"
        case "draw_offered" if entry.seats[public["seat"]]["player"] != player:
            yield "draw_offered"
        case "match_ended":
            yield "ended"
    if _waits_for(player, entry):
        yield "your_turn"


def _waits_for(player: str, entry: Entry) -> bool:
    """Only at the newest version: nobody wants to hear of a turn that is past. A seat that a bot keeps is the bot's."""
    if entry.status != "playing" or entry.stored.version != entry.newest:
        return False
    return any(
        seat["player"] == player and seat["kind"] != "bot" and entry.acting >> n & 1
        for n, seat in enumerate(entry.seats)
    )
