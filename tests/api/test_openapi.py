"""openapi.yaml says what the server does: it is made from the code, valid, and its examples are real answers."""

from __future__ import annotations

import json
import re
from typing import Any

import flask.testing
import jsonschema
import openapi_spec_validator
import pytest
import yaml

from api import openapi
from api.app import Services, create_app
from domain.games import GAMES
from eventstore.settings import Settings
from tests.api import examples


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    return yaml.safe_load((examples.ROOT / "openapi.yaml").read_text())  # type: ignore[no-any-return]


def test_the_committed_file_is_what_the_code_makes(client: flask.testing.FlaskClient) -> None:
    assert (examples.ROOT / "openapi.yaml").read_text() == openapi.written(client.application), "run `make openapi`"


def test_the_document_is_valid(committed: dict[str, Any]) -> None:
    assert committed["openapi"] == "3.1.0"
    openapi_spec_validator.validate(committed)


def test_every_route_is_documented(client: flask.testing.FlaskClient, committed: dict[str, Any]) -> None:
    served = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS") and not rule.rule.startswith(("/docs", "/openapi.json"))
    } - {("get", "/")}
    documented = {(method, path) for path, operations in committed["paths"].items() for method in operations}
    assert served == {(method, path) for method, path in documented if method != "parameters"}


def test_every_example_fits_the_schema_it_illustrates(committed: dict[str, Any]) -> None:
    count = 0
    for path, operations in committed["paths"].items():
        for method, operation in operations.items():
            for status, response in operation.get("responses", {}).items() if method != "parameters" else ():
                for media in response.get("content", {}).values():
                    if "example" in media:
                        schema = {**media["schema"], "components": committed["components"]}
                        try:
                            jsonschema.validate(media["example"], schema)
                        except jsonschema.ValidationError as error:
                            raise AssertionError(f"{method} {path} {status}: {error.message}") from None
                        count += 1
    assert count > 25


def shape(value: Any) -> Any:
    """What stays the same of an answer from run to run: its keys and types."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


def test_the_examples_are_what_the_server_answers_today(parlor: Services, settings: Settings) -> None:
    now = examples.lasting(examples.play(create_app(parlor, settings)))
    kept = json.loads(openapi.EXAMPLES.read_text())
    assert set(now) == set(kept)
    for name in kept:
        if name not in ("get /v1/matches 200",):
            assert shape(now[name]) == shape(kept[name]), name


def test_every_game_has_its_commands_in_the_document(committed: dict[str, Any]) -> None:
    for game in GAMES:
        name = "".join(word.capitalize() for word in game.slug.split("-"))
        listed = committed["components"]["schemas"][f"{name}Command"]["oneOf"]
        assert len(listed) == len(game.commands)
