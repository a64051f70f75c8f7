"""Every game of the catalogue can be opened, played by bots and replayed over HTTP."""

from __future__ import annotations

import json
from typing import Any

import flask.testing
import pytest

from api.app import Services
from domain.game import Game
from domain.games import GAMES
from eventstore.chain import verify
from eventstore.service import Matches
from tests.api.people import Person
from tests.domain import playing
from tests.workers.crew import play_bots


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_bots_play_it_and_everybody_can_replay_it(
    game: Game[Any], client: flask.testing.FlaskClient, parlor: Services
) -> None:
    matches = Matches(parlor.matches.store)
    ann = Person(client, "Ann")
    options = dict(getattr(playing.module(game), "QUICK", {}))
    body = {"game": game.slug, "seats": [{"kind": "bot"}] * game.seats[0], "options": options}
    opened = ann.post("/v1/matches", json=body)
    assert opened.status_code == 201, opened.get_json()
    match = opened.get_json()["id"]
    assert ann.post(f"/v1/matches/{match}/start").status_code == 200
    while ann.view(match)["status"] != "over":
        play_bots(matches, match)
    final = ann.view(match)
    lines = ann.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"}).data.splitlines()
    events = [json.loads(line) for line in lines]
    assert len(events) == final["version"] and verify(events).hex() == events[-1]["hash"]
    assert all("part" in kept for event in events for kept in event["secret"].values())
    assert final["result"]["winners"]
    for version in {1, 3, final["version"] // 2, final["version"] - 1}:
        for seat in (0, game.seats[0] - 1):
            then = ann.get(f"/v1/matches/{match}?at={version}&as={seat}").get_json()
            assert then["version"] == version and then["you"] == seat
