"""What the server says of a match has the shape that openapi.yaml publishes, and nothing beyond it."""

from __future__ import annotations

import json
import random
from typing import Any

import flask.testing
import jsonschema_rs
import pytest

from api.app import Services
from domain.game import Game, Template
from domain.games import GAMES
from domain.match.story import sentence
from domain.wire import Parts, write_command
from tests.api.people import Person, problem
from tests.api.published import Published, closed, committed
from tests.domain import playing

STEPS = 40
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return committed()


@pytest.fixture(scope="module")
def published(document: dict[str, Any]) -> Published:
    return Published(document)


class Table:
    """People at a table of a game, and somebody who watches."""

    def __init__(self, game: Game[Any], client: flask.testing.FlaskClient, parlor: Services) -> None:
        self.game, self._parlor = game, parlor
        self.people = [Person(client, name) for name in ("Ann", "Bob", "Cid", "Dot", "Eli", "Fay")[: game.seats[0]]]
        self.watcher = Person(client, "Wes")
        self.everybody = [*self.people, self.watcher]
        options = dict(getattr(playing.module(game), "QUICK", {}))
        seats = [{"kind": "me"}, *[{"kind": "open"}] * (game.seats[0] - 1)]
        body = {"game": game.slug, "seats": seats, "options": options, "spectators": True}
        self.opened = self.people[0].post("/v1/matches", json=body)
        assert self.opened.status_code == 201, self.opened.get_json()
        self.match: str = self.opened.get_json()["id"]
        self.path = f"/v1/matches/{self.match}"
        for person in self.people[1:]:
            assert person.post(f"{self.path}/join", json={}).status_code == 200
        assert self.people[0].post(f"{self.path}/start").status_code == 200

    def play(self, rng: random.Random, words: bool = False) -> dict[str, Any] | None:
        """One of those who may act does something; the answer, unless the match is over."""
        choices = [(person, listed) for person in self.people if (listed := person.legal(self.match))]
        if not choices:
            return None
        person, listed = rng.choice(choices)
        beside = [cls.__name__.lower() for cls in self.game.asides]
        n = rng.choice([n for n, one in enumerate(listed) if one["type"] not in beside] or range(len(listed)))
        command = listed[n]
        if "fill" in command:
            now = self._parlor.matches.fresh(self.match).match
            template = now.game.legal(now.table, self.people.index(person))[n]
            assert isinstance(template, Template)
            command = json.loads(json.dumps(write_command(template.sample(rng.randrange))))
        path = f"{self.path}/commands" + ("?words=1" if words else "")
        answer = person.post(path, json=command)
        assert answer.status_code == 200, answer.get_json()
        found: dict[str, Any] = answer.get_json()
        return found

    def end(self) -> None:
        for person in self.people[1:]:
            if person.view(self.match)["status"] == "playing":
                assert person.post(f"{self.path}/resign").status_code == 200


@every_game
def test_what_is_said_of_a_match_is_published(
    game: Game[Any], client: flask.testing.FlaskClient, parlor: Services, published: Published
) -> None:
    rng = random.Random(f"published {game.slug}")
    table = Table(game, client, parlor)
    published.check("MatchView", table.opened.get_json())
    for step in range(STEPS):
        answer = table.play(rng, words=step % 2 == 0)
        if answer is None:
            break
        published.check("CommandAnswer", answer)
        for person in table.everybody:
            published.check("Legal", person.get(f"{table.path}/legal").get_json())
        for person in rng.sample(table.everybody, 2):
            published.check("MatchView", person.view(table.match))
    table.end()
    for person in table.everybody:
        view = person.view(table.match)
        assert view["status"] == "over"
        published.check("MatchView", view)
        for query in ("", "?words=1", "?after=3&limit=5&words=true"):
            published.check("EventPage", person.get(f"{table.path}/events{query}").get_json())
    assert (view["board_href"] is None) == (game.board is None)
    if view["board_href"]:
        published.check("Board", table.watcher.get(view["board_href"]).get_json())


def test_a_field_that_is_not_published_is_found_out(document: dict[str, Any]) -> None:
    """The check above can fail."""
    published = Published(document)
    legal = {"game": "quenette", "version": 4, "commands": [{"type": "play_card", "card": "C-2"}], "asides": []}
    published.check("Legal", legal)
    for wrong in (
        legal | {"more": 1},
        legal | {"game": "chess"},
        legal | {"commands": [{"type": "play_card", "card": "C-2", "more": 1}]},
        legal | {"commands": [{"type": "play_card", "card": "seven"}]},
        {name: value for name, value in legal.items() if name != "asides"},
    ):
        with pytest.raises((jsonschema_rs.ValidationError, KeyError)):
            published.check("Legal", wrong)


@every_game
def test_a_reader_is_told_what_its_own_events_say_and_no_more(
    game: Game[Any], client: flask.testing.FlaskClient, parlor: Services
) -> None:
    """The sentence can be made from what the reader sees of the event: whatever is hidden from it had no part in it."""
    rng = random.Random(f"words {game.slug}")
    table = Table(game, client, parlor)
    names = [person.profile["name"] for person in table.people]
    for _ in range(STEPS):
        if table.play(rng) is None:
            break
    for seat, person in enumerate(table.everybody):
        reader = seat if seat < len(table.people) else None
        over = person.view(table.match)["status"] == "over"
        plain = person.get(f"{table.path}/events?limit=1000").get_json()["events"]
        told = person.get(f"{table.path}/events?limit=1000&words=1").get_json()["events"]
        assert [item["event"] for item in told] == plain
        for event, item in zip(plain, told, strict=True):
            seen = {to: kept["part"] for to, kept in event["secret"].items() if "part" in kept}
            assert over or reader is not None or not seen
            if not over:
                assert item["words"] == sentence(game, Parts(event["type"], event["public"], seen), reader, names)


def test_the_log_comes_with_words_too(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "quenette"), client, parlor)
    ann, bob = table.people
    lines = [
        [
            json.loads(line)
            for line in person.get(f"{table.path}/events?words=1", {"Accept": "application/x-ndjson"}).data.splitlines()
        ]
        for person in (ann, bob)
    ]
    assert [item["event"]["type"] for item in lines[0]][:3] == ["match_opened", "seat_taken", "match_started"]
    assert all(set(item) == {"event", "words"} for item in lines[0])
    assert lines[0][0]["words"] == "A table of Quenette is opened."
    deals = [next(item for item in told if item["event"]["type"] == "hand_dealt") for told in lines]
    assert "you hold" in deals[0]["words"] and deals[0]["words"] != deals[1]["words"]


def test_when_it_is_over_all_are_told_the_same_story(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "quenette"), client, parlor)
    table.end()
    stories = [
        [item["words"] for item in person.get(f"{table.path}/events?words=1").get_json()["events"]]
        for person in table.everybody
    ]
    assert stories[0] == stories[1] == stories[2]
    assert any("Ann C-" in words or "Ann R-" in words for words in stories[0])  # the hands lie open


def test_words_are_wanted_or_not(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "quenette"), client, parlor)
    person = next(person for person in table.people if person.legal(table.match))
    problem(person.get(f"{table.path}/events?words=please"), 422, "does_not_fit")
    command = person.legal(table.match)[0]
    problem(person.post(f"{table.path}/commands?words=please", json=command), 422, "does_not_fit")
    problem(person.post(f"{table.path}/commands?verse=1", json=command), 422, "does_not_fit")
    answer = person.post(f"{table.path}/commands?words=1", json=command).get_json()
    assert answer["game"] == "quenette" and answer["events"][0]["words"] == f"You play {command['card']}."


def test_a_retry_is_told_in_words_as_it_asks(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "quenette"), client, parlor)
    person = next(person for person in table.people if person.legal(table.match))
    command, key = person.legal(table.match)[0], {"Idempotency-Key": "once"}
    first = person.post(f"{table.path}/commands", key, json=command).get_json()
    again = person.post(f"{table.path}/commands?words=1", key, json=command).get_json()
    assert [item["event"] for item in again["events"]] == first["events"]
    assert again["version"] == first["version"] and again["game"] == first["game"]


# ── Boards ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_board_is_there_for_ever(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "checkers"), client, parlor)
    href = table.watcher.view(table.match)["board_href"]
    board = table.watcher.get(href)
    assert len(board.get_json()["cells"]) == 32
    assert "immutable" in board.headers["Cache-Control"] and "private" in board.headers["Cache-Control"]
    again = table.watcher.get(href, {"If-None-Match": board.headers["ETag"]})
    assert again.status_code == 304 and not again.data and again.headers["ETag"] == board.headers["ETag"]
    assert table.watcher.get(href, {"If-None-Match": '"another"'}).status_code == 200


def test_a_game_without_a_board_says_so(client: flask.testing.FlaskClient, parlor: Services) -> None:
    table = Table(next(game for game in GAMES if game.slug == "quenette"), client, parlor)
    problem(table.watcher.get(f"{table.path}/board"), 404, "no_board")


def test_a_board_is_for_those_who_may_see_the_match(client: flask.testing.FlaskClient) -> None:
    ann, eve = Person(client, "Ann"), Person(client, "Eve")
    seats = [{"kind": "me"}, {"kind": "bot"}]
    match = ann.post("/v1/matches", json={"game": "checkers", "seats": seats}).get_json()["id"]
    assert ann.get(f"/v1/matches/{match}/board").status_code == 200
    problem(eve.get(f"/v1/matches/{match}/board"), 404, "not_found")


# ── Commands beside the play ────────────────────────────────────────────────────────────────────────────────────


def test_commands_beside_the_play_are_marked(client: flask.testing.FlaskClient, parlor: Services) -> None:
    game = next(game for game in GAMES if game.slug == "backgammon")
    table = Table(game, client, parlor)
    rng = random.Random("beside")
    seen = set()
    for _ in range(STEPS):
        for person in table.people:
            listed = person.get(f"{table.path}/legal").get_json()
            kinds = {command["type"] for command in listed["commands"]}
            assert set(listed["asides"]) == kinds & {"undo", "concede"}
            seen |= set(listed["asides"])
        table.play(rng)
    assert seen == {"undo", "concede"}


# ── The catalogue ───────────────────────────────────────────────────────────────────────────────────────────────


@every_game
def test_the_catalogue_has_the_shapes_of_a_game(
    game: Game[Any], client: flask.testing.FlaskClient, published: Published
) -> None:
    answer = client.get(f"/v1/games/{game.slug}").get_json()
    published.check("GameInfo", answer)
    schemas = answer["schemas"]
    for schema in (schemas["options"], schemas["view"], schemas["legal"], *schemas["commands"].values()):
        jsonschema_rs.meta.validate(schema)
        assert schema["description"] and "$ref" not in json.dumps(schema)
    assert len(schemas["commands"]) == len(game.commands) and len(schemas["events"]) == len(game.events)
    for event in schemas["events"].values():
        assert event["description"] and event["public"]["type"] == event["secret"]["type"] == "object"
    assert any("x-part" in field for field in schemas["view"]["properties"].values())


def test_closing_leaves_the_frames_open(document: dict[str, Any]) -> None:
    schemas = closed(document)["components"]["schemas"]
    assert "unevaluatedProperties" not in schemas["EventFrame"]
    assert schemas["QuenetteMatchView"]["unevaluatedProperties"] is False
