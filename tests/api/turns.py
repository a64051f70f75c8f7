"""One turn of every game through the API, for docs/games: `make game-pages` plays it and writes down what was sent and answered.

Ids, times and hashes have stand-ins; the cards and dice are those that fell. A test compares the shapes.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
from typing import Any, Final, NamedTuple

import flask.testing

from api.app import create_app, services
from domain.game import Game
from domain.games import GAMES
from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from eventstore.settings import Settings
from tests.api.examples import ROOT, lasting
from tests.api.people import Person

PAGES: Final = ROOT / "docs" / "games"
HEADING: Final = "## The API calls of one turn\n"
SHOWN: Final = 3  # commands of a long list
BLOCK: Final = re.compile(r"```json\n(.*?)\n```", re.S)


class Turn(NamedTuple):
    """What was asked and answered."""

    seats: int
    opened: dict[str, Any]
    seat: int
    legal: dict[str, Any]
    sent: dict[str, Any]
    answer: dict[str, Any]


def one_turn(client: flask.testing.FlaskClient, game: Game[Any]) -> Turn:
    """The first turn at the smallest table: whoever is to act does the first thing that can be done."""
    count = min(game.seats)
    people = [Person(client, name) for name in ("Ann", "Ben", "Cleo")[:count]]
    opened = {"game": game.slug, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (count - 1)]}
    match = people[0].post("/v1/matches", json=opened).get_json()["id"]
    for guest in people[1:]:
        assert guest.post(f"/v1/matches/{match}/join", json={}).status_code == 200
    people[0].post(f"/v1/matches/{match}/start")
    seat = people[0].view(match)["to_act"][0]
    legal = people[seat].get(f"/v1/matches/{match}/legal").get_json()
    sent = filled(game, legal["commands"][0])
    answer = people[seat].play(match, sent)
    assert answer.status_code == 200, answer.get_json()
    return Turn(count, opened, seat, legal, sent, answer.get_json())


def filled(game: Game[Any], command: dict[str, Any]) -> dict[str, Any]:
    """A command with blanks is filled in as the simplest client would: Secret Seven's packet has a 3 and a 4."""
    if "fill" not in command:
        return command
    assert game.slug == "secret-seven", command
    return {"type": command["type"], "cards": ["C-3", "R-4", "C-13", "R-13"], "combo": ["C-3", "R-4"]}


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def written(turn: Turn) -> str:
    told = lasting({"legal": turn.legal, "sent": turn.sent, "answer": turn.answer})
    commands = told["legal"]["commands"]
    left = len(commands) - SHOWN
    legal = {**told["legal"], "commands": commands[:SHOWN]}
    events = [{name: one[name] for name in ("version", "type", "actor", "public")} for one in told["answer"]["events"]]
    answer = {"game": told["answer"]["game"], "version": told["answer"]["version"], "events": events}
    return "\n".join(
        (
            HEADING,
            f"At a table of {turn.seats}, opened, joined and started as [the tour](../../README.md#a-tour-in-two-minutes) shows,",
            f"`to_act` of the view says that seat {turn.seat} is to act. What can it do?\n",
            "```\nGET /v1/matches/{id}/legal\n```\n",
            f"```json\n{neat(legal)}\n```\n",
            f"The list has {left} more. It does one of them:\n" if left > 0 else "It does the first:\n",
            "```\nPOST /v1/matches/{id}/commands\n```\n",
            f"```json\n{neat(told['sent'])}\n```\n",
            "The answer has the events that came of it, here without their hashes, times and closed parts:\n",
            f"```json\n{neat(answer)}\n```\n",
            "Every field is explained in the reference at `/docs`, the events in [Events and commands](../events.md), the view in",
            "[Views](../views.md).\n",
        )
    )


def neat(value: Any) -> str:
    """JSON with a line for each entry of what is long."""
    lines = [f"  {json.dumps(name)}: {entries(part)}" for name, part in value.items()]
    whole = json.dumps(value, ensure_ascii=False)
    return whole if len(whole) < 100 else "{\n" + ",\n".join(lines) + "\n}"


def entries(part: Any) -> str:
    whole = json.dumps(part, ensure_ascii=False)
    if not isinstance(part, list) or len(whole) < 90:
        return whole
    return "[\n" + ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in part) + "\n  ]"


def shown(page: str) -> list[Any]:
    """What a page shows of the API."""
    return [json.loads(block) for block in BLOCK.findall(page.partition(HEADING)[2])]


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="parlor-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
        try:
            migrate(postgres.url)
            client = create_app(services(postgres.url, valkey.url, Settings()), Settings()).test_client()
            for game in GAMES:
                path = PAGES / f"{game.slug}.md"
                text = path.read_text().partition(HEADING)[0]
                path.write_text(text + written(one_turn(client, game)))
        finally:
            valkey.stop()
            postgres.stop("immediate")


if __name__ == "__main__":
    main()
