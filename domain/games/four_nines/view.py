"""What a seat may know of Four Nines."""

from __future__ import annotations

from typing import Any

from domain.game import Seat
from domain.games.four_nines.cross import PLACES
from domain.games.four_nines.game import Table


def view(s: Table, seat: Seat | None) -> dict[str, Any]:
    """All lies open. `discs` tells how far each disc has come, `road` where it stands on the road."""
    places, playing = PLACES[s.seats], s.phase == "play"
    return {
        "phase": s.phase,
        "game_no": s.game_no,
        "turn": s.turn if s.phase in ("throw", "play") else None,
        "player": s.player if playing else None,
        "throw_no": s.throw_no,
        "dice": s.hand.dice,
        "numbers": s.hand.numbers,
        "must_use": max(0, s.hand.need - s.hand.used) if playing else 0,
        "board": s.cross.id,
        "places": places,
        "discs": s.discs,
        "road": [[s.cross.space(place, at) for at in own] for place, own in zip(places, s.discs, strict=True)],
        "entered": s.entered,
        "captured_waiting": s.owing if s.options.dice == 2 else None,
        "scores": s.scores,
        "wins": s.wins,
    }
