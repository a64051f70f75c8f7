"""A plain command does not pass through Flask: it must be answered as if it had."""

from __future__ import annotations

from typing import Any

import flask.testing
import pytest

from tests.api.people import Person, table

PLAIN, WITH_A_CHARSET = "application/json", "application/json; charset=utf-8"  # the second is left to Flask
SAME_BUT_FOR = {"X-Request-ID", "Content-Length"}


def both_ways(person: Person, match: str, body: bytes, **headers: str) -> tuple[tuple[int, Any, dict[str, str]], ...]:
    answers = []
    for content_type in (PLAIN, WITH_A_CHARSET):
        got = person.post(f"/v1/matches/{match}/commands", headers, data=body, content_type=content_type)
        kept = {name: value for name, value in got.headers.items() if name not in SAME_BUT_FOR}
        answers.append((got.status_code, got.get_json(), kept))
    return tuple(answers)


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"", {}, 400),
        (b"[]", {}, 422),
        (b'{"type": "no_such_command"}', {}, 422),
        (b'{"type": "play_card", "card": "C-99"}', {}, 422),
        (b'{"type": "roll"}', {"Idempotency-Key": "a b"}, 400),
        (b'{"type": "roll"}', {"If-Match": "7"}, 400),
        (b'{"type": "roll"}', {"If-Match": '"99"'}, 412),
        (b'{"type": "play_card", "card": 3}', {}, 409),
        (b" " * 70_000, {}, 413),
    ],
)
def test_errors_are_the_same(
    client: flask.testing.FlaskClient, body: bytes, headers: dict[str, str], status: int
) -> None:
    ann, ben = Person(client, "Ann"), Person(client, "Ben")
    plain, by_flask = both_ways(ann, table([ann, ben], "check-and-double-check"), body, **headers)
    assert plain == by_flask and plain[0] == status


def test_answers_are_the_same(client: flask.testing.FlaskClient) -> None:
    people = [Person(client, "Ann"), Person(client, "Ben")]
    match = table(people, "check-and-double-check")
    (seat,) = people[0].view(match)["to_act"]
    # The second of the two is a retry, which gets the first answer.
    first, again = both_ways(people[seat], match, b'{"type": "roll"}', **{"Idempotency-Key": "one"})
    assert first == again and first[0] == 200
    assert people[0].view(match)["version"] == first[1]["version"]


def test_no_token_no_match(client: flask.testing.FlaskClient) -> None:
    ann, stranger = Person(client, "Ann"), Person(client, "Eve")
    match = table([ann, Person(client, "Ben")], "check-and-double-check")
    assert [got[0] for got in both_ways(stranger, match, b'{"type": "roll"}')] == [404, 404]
    stranger.token = "unknown"
    assert [got[0] for got in both_ways(stranger, match, b"{")] == [401, 401]


def test_plain_commands_are_counted(client: flask.testing.FlaskClient) -> None:
    people = [Person(client, "Ann"), Person(client, "Ben")]
    match = table(people, "check-and-double-check")

    def counted() -> float:
        lines = client.get("/metrics").get_data(as_text=True).splitlines()
        wanted = 'parlor_requests_total{endpoint="matches.command",status="200"}'
        return next((float(line.split()[1]) for line in lines if line.startswith(wanted)), 0.0)

    before = counted()
    (seat,) = people[0].view(match)["to_act"]
    assert people[seat].play(match, {"type": "roll"}).status_code == 200
    assert counted() == before + 1
