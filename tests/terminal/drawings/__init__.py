"""What is drawn of some tables of the golden matches, to the seat that is to act.

`python -m tests.terminal.drawings` draws them anew. They are files of their own so that whoever changes a view or the
way it is drawn sees what becomes of a table.
"""

from __future__ import annotations

import pathlib

from api.terminal import drawing
from domain.games import BY_SLUG
from tests.golden import matches
from tests.terminal import scenes

FOLDER = pathlib.Path(__file__).parent
# Of each game the first table from this version on at which a seat is to choose.
TABLES = {
    "backgammon": 60,
    "check-and-double-check": 40,
    "checkers": 25,
    "crown-baseball": 60,
    "flique": 30,
    "four-nines": 120,
    "quenette": 25,
    "trix": 40,
}


def file(slug: str) -> pathlib.Path:
    return FOLDER / f"{slug}.txt"


def picture(slug: str) -> str:
    game = BY_SLUG[slug]
    for now, _, _ in matches.read(matches.FOLDER / f"{slug}.ndjson"):
        acting = sorted(game.to_act(now.table)) if now.started else [-1]
        if now.version >= TABLES[slug] and acting and acting[0] >= 0:
            scene = scenes.scene(game, now.table, acting[0])
            return scenes.drawn(drawing.heading(scene), drawing.table(scene), drawing.offers(scene))
    raise LookupError(slug)
