"""Tables stand in events, so that they can be read for ever: one of every game, as it was written once."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

from domain.frozen import freeze, thaw
from domain.game import Game
from domain.games import GAMES
from domain.upcast import upcast
from domain.wire import Parts

TABLES: dict[str, Any] = json.loads((pathlib.Path(__file__).parent / "tables.json").read_text())


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_table_that_was_set_once_can_be_played_on(game: Game[Any]) -> None:
    kept = TABLES[game.slug]
    old = Parts("table_set", {"rules_version": kept["rules_version"]}, {"table": {"table": kept["table"]}})
    frozen = upcast(game.slug, old, kept["schema"]).secret["table"]["table"]
    table = thaw(frozen)
    assert freeze(table) == frozen
    assert type(table) is type(game.open_table(kept["options"], kept["seats"]))
    acting = sorted(game.to_act(table))
    assert acting == kept["to_act"] and (acting[0] < 0 or game.legal(table, acting[0]))
