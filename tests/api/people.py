"""Players that talk to the API, for the tests."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import flask.testing
from werkzeug.test import TestResponse

from eventstore.db import Database
from eventstore.players import hash_of


def problem(answer: Any, status: int, code: str) -> dict[str, Any]:
    """That the answer is this problem, whose rule, if it rests on one, can be looked up; its body."""
    body: dict[str, Any] = answer.get_json()
    assert answer.status_code == status, body
    assert answer.mimetype == "application/problem+json"
    assert body["code"] == code and body["status"] == status and body["detail"]
    assert "rule" not in body or body["rule"]["href"], body
    return body


class Person:
    """A guest with a token."""

    def __init__(self, client: flask.testing.FlaskClient, name: str) -> None:
        self._client = client
        self.profile = client.post("/v1/players", json={"name": name}).get_json()
        self.id = self.profile["id"]
        self.token = self.profile["token"]

    def _headers(self, more: dict[str, str] | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **(more or {})}

    def get(self, path: str, headers: dict[str, str] | None = None, **more: Any) -> TestResponse:
        return self._client.get(path, headers=self._headers(headers), **more)

    def post(self, path: str, headers: dict[str, str] | None = None, **more: Any) -> TestResponse:
        return self._client.post(path, headers=self._headers(headers), **more)

    def delete(self, path: str) -> TestResponse:
        return self._client.delete(path, headers=self._headers(None))

    def with_token(self, *scopes: str) -> Person:
        """The same player with a further token, which was made by the one in use."""
        made = self.post("/v1/tokens", json={"label": "further", "scopes": scopes})
        assert made.status_code == 201, made.get_json()
        other = copy.copy(self)
        other.token = made.get_json()["token"]
        return other

    def through(self, client: flask.testing.FlaskClient) -> Person:
        """The same player with the same token at another server."""
        other = copy.copy(self)
        other._client = client
        return other

    @property
    def token_id(self) -> str:
        return self.get("/v1/me").get_json()["token_id"]  # type: ignore[no-any-return]

    def view(self, match: str) -> dict[str, Any]:
        return self.get(f"/v1/matches/{match}").get_json()  # type: ignore[no-any-return]

    def legal(self, match: str) -> list[dict[str, Any]]:
        return self.get(f"/v1/matches/{match}/legal").get_json()["commands"]  # type: ignore[no-any-return]

    def play(self, match: str, command: dict[str, Any], headers: dict[str, str] | None = None) -> TestResponse:
        return self.post(f"/v1/matches/{match}/commands", headers, json=command)


def operator(client: flask.testing.FlaskClient, database: Database) -> Person:
    """Whoever runs the server, and has nothing to play with."""
    made = Person(client, "Olga")
    database.run("UPDATE tokens SET scopes = '{operator}' WHERE token_hash = %s", (hash_of(made.token),))
    return made


def table(people: list[Person], game: str = "quenette", bots: int = 0, **options: Any) -> str:
    """A started match of these people and so many bots; its id."""
    seats = [{"kind": "me"}, *[{"kind": "open"}] * (len(people) - 1), *[{"kind": "bot"}] * bots]
    opened = people[0].post("/v1/matches", json={"game": game, "seats": seats, "options": options})
    assert opened.status_code == 201, opened.get_json()
    match: str = opened.get_json()["id"]
    for person in people[1:]:
        assert person.post(f"/v1/matches/{match}/join", json={}).status_code == 200
    assert people[0].post(f"/v1/matches/{match}/start").status_code == 200
    return match


def play_on(people: list[Person], match: str, steps: int | None = None) -> dict[str, Any]:
    """The people play the first command they may, until the match is over or so many commands were sent."""
    for step in itertools.count():
        view = people[0].view(match)
        if view["status"] == "over" or step == steps:
            return view
        person = next(p for p in people if p.view(match)["you"] in view["to_act"])
        answer = person.play(match, person.legal(match)[0])
        assert answer.status_code == 200, answer.get_json()
    raise AssertionError("not reached")
