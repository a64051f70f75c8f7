"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.game import Game
from domain.games import check_and_double_check, checkers, quenette

GAMES: Final[tuple[Game[Any], ...]] = (
    check_and_double_check.GAME,
    checkers.GAME,
    quenette.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
