"""What a command that cannot be read is told."""

from __future__ import annotations

from typing import Any

import pytest

from domain.game import Unreadable
from domain.games import BY_SLUG
from domain.wire import names, read_command


def objection(slug: str, body: dict[str, Any]) -> Unreadable:
    with pytest.raises(Unreadable) as found:
        read_command(names(BY_SLUG[slug].commands), body)
    return found.value


@pytest.mark.parametrize("start", ["barn", 1.5, True, None, [], "24"])
def test_a_field_of_several_kinds_names_all_of_them(start: Any) -> None:
    told = objection("backgammon", {"type": "move", "from": start, "die": 5})
    assert (told.field, told.text) == ("from", "must be a whole number or bar")


def test_a_choice_of_words_beside_numbers_names_the_numbers_too() -> None:
    told = objection("acey-ducey", {"type": "move", "from": "shore", "number": 5})
    assert told.text == "must be a whole number or one of hand, centre"


def test_a_field_that_may_be_left_empty_says_so() -> None:
    assert objection("nix", {"type": "draw", "position": "first"}).text == "must be a whole number or null"


def test_a_value_of_the_right_kind_is_told_its_own_fault() -> None:
    told = objection("backgammon", {"type": "move", "from": 2**60, "die": 5})
    assert told.text == "is too large a number"
