"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.game import Game
from domain.games import check_and_double_check, goat, quenette, trix

GAMES: Final[tuple[Game[Any], ...]] = (
    check_and_double_check.GAME,
    goat.GAME,
    quenette.GAME,
    trix.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
