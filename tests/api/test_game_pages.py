"""Every game has a page, and what it shows of the API is what the server takes and answers today."""

from __future__ import annotations

from typing import Any

import flask.testing
import pytest

from domain.game import Game
from domain.games import GAMES
from domain.telling.schema import event_schema
from domain.wire import names, read_command, wire_name
from tests.api import turns

EACH = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@EACH
def test_a_page_says_what_the_game_is_and_how_a_turn_goes(game: Game[Any]) -> None:
    page = (turns.PAGES / f"{game.slug}.md").read_text()
    assert page.startswith(f"# {game.title}\n")
    assert f"(pictures/{game.slug}.png)" in page and (turns.PAGES / "pictures" / f"{game.slug}.png").exists()
    assert "## How a turn goes\n" in page and turns.HEADING in page


@EACH
def test_the_calls_on_a_page_are_those_of_today(game: Game[Any], client: flask.testing.FlaskClient) -> None:
    legal, sent, answer = turns.shown((turns.PAGES / f"{game.slug}.md").read_text())
    now_legal, now_sent, now_answer = turns.shown(turns.written(turns.one_turn(client, game)))
    assert set(legal) == set(now_legal) and set(answer) == set(now_answer)
    read_command(names(game.commands), sent)
    told, now = answer["events"][0], now_answer["events"][0]
    assert fields(told["public"]).keys() - {"draw"} <= schema(game, told["type"]).keys(), "run `make game-pages`"
    if sent["type"] != now_sent["type"]:
        return  # what can be done first depends on the cards
    assert fields(legal["commands"][0]) == fields(now_legal["commands"][0]) and fields(sent) == fields(now_sent)
    # What follows from the first event is chance's affair: a throw, a trick, a new card. So is what of it is null: a
    # throw of CHECK has no number.
    assert told["type"] == now["type"] and told["public"].keys() == now["public"].keys(), "run `make game-pages`"
    then, today = fields(told["public"]), fields(now["public"])
    assert {name: then.get(name, kind) for name, kind in today.items()} == today, "run `make game-pages`"


def schema(game: Game[Any], kind: str) -> dict[str, Any]:
    """The open fields of an event as the document has them today."""
    (known,) = (cls for cls in game.events if wire_name(cls) == kind)
    return event_schema(game, known).public


def fields(value: dict[str, Any]) -> dict[str, str]:
    return {
        name: "number" if isinstance(part, int) else type(part).__name__
        for name, part in value.items()
        if part is not None
    }
