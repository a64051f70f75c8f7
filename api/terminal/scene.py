"""All that one drawing of a table is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from api.terminal.choices import Choice
from api.terminal.client import Json
from api.terminal.schemas import Part, parts


@dataclass(frozen=True)
class Scene:
    game: Json  # as the catalogue describes it
    match: Json  # as this player sees it
    board: Json | None = None
    choices: Sequence[Choice] = ()

    @property
    def you(self) -> int | None:
        return self.match["you"]  # type: ignore[no-any-return]

    @cached_property
    def parts(self) -> list[Part]:
        """What there is to draw: the parts of the view, and the places of choices that are no parts."""
        places = {place.at for choice in self.choices for place in choice.places}
        return list(parts(self.game["schemas"]["view"], self.match["table"], places))

    @property
    def seats(self) -> range:
        return range(len(self.match["seats"]))

    def name(self, seat: int) -> str:
        if seat == self.you:
            return "you"
        return self.match["seats"][seat]["name"] or f"seat {seat}"

    def names(self, seats: Sequence[int]) -> str:
        """
        >>> match = {"you": 0, "seats": [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cat"}]}
        >>> Scene({}, match).names([0, 1, 2])
        'you, Bob and Cat'
        """
        found = [self.name(seat) for seat in seats]
        return " and ".join([", ".join(found[:-1]), found[-1]]) if len(found) > 1 else "".join(found)

    def side(self, seat: int) -> int:
        """The number of the side that a seat plays for."""
        return next((side for side, seats in enumerate(self.match["sides"]) if seat in seats), seat)

    @cached_property
    def _keys(self) -> dict[tuple[str, str | None, str], list[str]]:
        found: dict[tuple[str, str | None, str], list[str]] = {}
        for choice in self.choices:
            for place in choice.places:
                keys = found.setdefault((place.at, place.value, place.thing), [])
                if choice.key not in keys:
                    keys.append(choice.key)
        return found

    def keys(self, at: str, value: Any = None, thing: str = "") -> list[str]:
        """What to type for the choices that are found at a field of the view, or at a value in it."""
        return self._keys.get((at, None if value is None else str(value), thing), [])

    def all_keys(self, at: str) -> list[str]:
        """What to type for the choices at a field of the view, whatever value they are at: a number yet to be bid lies
        nowhere on the table."""
        return list(dict.fromkeys(key for place, keys in self._keys.items() if place[0] == at for key in keys))
