"""The catalogue. A game is in it when it stands in this tuple."""

from typing import Any, Final

from domain.editions import editions
from domain.game import Game
from domain.games import (
    acey_ducey,
    aviation,
    backgammon,
    baffle,
    check_and_double_check,
    checkers,
    crown_baseball,
    flique,
    four_nines,
    goat,
    grafto,
    jack_daw,
    kid_o,
    nix,
    prince_and_pauper,
    quenette,
    rustle,
    secret_seven,
    trix,
)

GAMES: Final[tuple[Game[Any], ...]] = (
    acey_ducey.GAME,
    aviation.GAME,
    backgammon.GAME,
    baffle.GAME,
    check_and_double_check.GAME,
    checkers.GAME,
    crown_baseball.GAME,
    flique.GAME,
    four_nines.GAME,
    goat.GAME,
    grafto.GAME,
    jack_daw.GAME,
    kid_o.GAME,
    nix.GAME,
    prince_and_pauper.GAME,
    quenette.GAME,
    rustle.GAME,
    secret_seven.GAME,
    trix.GAME,
)

BY_SLUG: Final = {game.slug: game for game in GAMES}
EDITIONS: Final = {(one.slug, one.version): one for game in GAMES for one in editions(game)}
