"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.game import Game
from domain.games import aviation, check_and_double_check, flique, nix, quenette

GAMES: Final[tuple[Game[Any], ...]] = (
    aviation.GAME,
    check_and_double_check.GAME,
    flique.GAME,
    nix.GAME,
    quenette.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
