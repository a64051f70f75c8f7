"""Check and Double Check: obvious play."""

from __future__ import annotations

from domain.games.check_and_double_check import GAME
from domain.games.check_and_double_check.events import PlayCard
from tests.domain.bots.choosing import by_thumb


def test_a_card_that_may_go_goes() -> None:
    table = GAME.open_table({"discard_mode": "manual"}, 2)._replace(
        phase="discarding",
        rows=((4, 5, 9), (2, 3, 5)),
        discard=(7,),
        faces=(1, 4),
        playing_number=5,
        eligible=frozenset((0, 1)),
    )
    assert by_thumb(GAME, table, 0) == PlayCard(5)


def test_cards_left_count_against_a_seat_in_mid_hand() -> None:
    table = GAME.open_table({}, 2)._replace(phase="throwing", rows=((4,), (2, 3, 5)))
    few, many = GAME.bot.worth(table)
    assert few > many
