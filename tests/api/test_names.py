"""Names, labels and seeds: nothing invisible, nothing that turns the text round, nobody who passes for a bot."""

from __future__ import annotations

import unicodedata

import flask.testing
import pytest

from tests.api.people import Person


def errors(answer: object) -> dict[str, list[str]]:
    body = answer.get_json()  # type: ignore[attr-defined]
    assert body["code"] == "does_not_fit", body
    return body["errors"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "name",
    [
        "Ann\n",
        "Ann\r",
        "\nAnn",
        " Ann",
        "Ann ",
        " ",
        "A\u200bnn",  # zero width space
        "A\u200dnn",  # zero width joiner
        "\ufeffAnn",
        "Ann\u202egnol",  # right-to-left override
        "Ann\u2067",  # right-to-left isolate
        "Ann\u200f",
        "A\u00adnn",  # soft hyphen
        "\u3164",  # Hangul filler
        "\u2800\u2800",  # braille without dots
        "Ann\ufe0f",  # variation selector
        "Ann\u00a0Lee",  # a space that looks like the usual one
        "Ann\u2028Lee",
        "Ann\U000e0041",  # tag letter
        "Ann\ue000",  # private use
        "Ann\x85",
    ],
)
def test_a_name_with_something_that_cannot_be_seen_is_refused(client: flask.testing.FlaskClient, name: str) -> None:
    assert "name" in errors(client.post("/v1/players", json={"name": name}))


@pytest.mark.parametrize(
    "name",
    [
        "Bot 1 (random)",
        "bot 2",
        "BOT",
        "Bot-3 (strong)",
        "Bot_1",
        "B\u043et 1 (random)",  # Cyrillic o
        "\u0412\u043e\u0442 1 (random)",  # Cyrillic altogether
        "\uff22\uff4f\uff54 1 (random)",  # full width
        "B\u00f6t 1 (random)",
        "B0t 1 (random)",
        "\U0001d401\U0001d428\U0001d42d 1",  # mathematical bold
    ],
)
def test_nobody_passes_for_a_bot(client: flask.testing.FlaskClient, name: str) -> None:
    assert "Bot" in errors(client.post("/v1/players", json={"name": name}))["name"][0]


@pytest.mark.parametrize(
    "name",
    [
        "Deleted Player",
        "deleted  player",
        "deleted player.",
        "d\u0435leted player",  # Cyrillic e
        "\uff44eleted player",  # full width
        "delet\u00e9d player",
        "cIosed pIayer",
        "0perator",
        "oper\u0430tor",  # Cyrillic a
    ],
)
def test_nobody_passes_for_those_who_are_gone_or_for_the_operator(client: flask.testing.FlaskClient, name: str) -> None:
    assert "gone" in errors(client.post("/v1/players", json={"name": name}))["name"][0]


@pytest.mark.parametrize(
    "name",
    ["Ann", "José", "Operette", "Delia Player", "李小龍", "Мария", "O'Brien-Łukasz 2nd", "Bottom", "Robot", "Ann 🎲"],
)
def test_names_of_all_languages_are_taken_as_they_are(client: flask.testing.FlaskClient, name: str) -> None:
    assert client.post("/v1/players", json={"name": name}).get_json()["name"] == name


def test_a_name_is_kept_in_one_form(client: flask.testing.FlaskClient) -> None:
    taken_apart = unicodedata.normalize("NFD", "José")
    assert Person(client, taken_apart).profile["name"] == "José" != taken_apart


def test_labels_and_seeds_end_where_they_seem_to(client: flask.testing.FlaskClient) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Ben")
    label = ann.post("/v1/tokens", json={"label": "phone\n", "scopes": ["match:read"]})
    assert "label" in errors(label)
    table = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]}
    assert "client_seed" in errors(ann.post("/v1/matches", json={**table, "client_seed": "luck\n"}))
    match = ann.post("/v1/matches", json=table).get_json()["id"]
    assert "client_seed" in errors(bob.post(f"/v1/matches/{match}/join", json={"client_seed": "luck\n"}))
    assert "cursor" in errors(ann.get("/v1/matches?cursor=abc%0a"))
