"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.game import Game
from domain.games import acey_ducey, backgammon, check_and_double_check, quenette

GAMES: Final[tuple[Game[Any], ...]] = (
    acey_ducey.GAME,
    backgammon.GAME,
    check_and_double_check.GAME,
    quenette.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
