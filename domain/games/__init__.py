"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.game import Game
from domain.games import baffle, check_and_double_check, quenette, secret_seven

GAMES: Final[tuple[Game[Any], ...]] = (
    baffle.GAME,
    check_and_double_check.GAME,
    quenette.GAME,
    secret_seven.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
