"""openapi.yaml says what the server does: it is made from the code, valid, and its examples are real answers."""

from __future__ import annotations

import compileall
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import uuid
from typing import Any

import flask.testing
import jsonschema_rs
import openapi_spec_validator
import pytest

from api import openapi
from domain.games import GAMES
from domain.match import EVENTS
from domain.telling.schema import pascal
from domain.wire import external, wire_name
from tests.api import examples, published
from tests.api.people import Person, table
from tests.api.published import everything


@pytest.fixture(scope="module")
def committed() -> dict[str, Any]:
    return published.committed()


def test_the_committed_file_is_what_the_code_makes(client: flask.testing.FlaskClient) -> None:
    assert (examples.ROOT / "openapi.yaml").read_text() == openapi.written(client.application), "run `make openapi`"


def test_the_document_is_valid(committed: dict[str, Any]) -> None:
    assert committed["openapi"] == "3.1.0"
    openapi_spec_validator.validate(committed)


def test_no_schema_is_called_like_a_field_of_its_own(committed: dict[str, Any]) -> None:
    """Generators keep both in variables of the same function: `steps` of `Steps` would be two things at once."""
    for name, schema in committed["components"]["schemas"].items():
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() not in schema.get("properties", {}), name


def test_every_pattern_is_of_the_whole_text_and_read_alike_in_every_language(committed: dict[str, Any]) -> None:
    r"""A pattern of JSON Schema may fit anywhere; `\Z` and what looks ahead are not known everywhere."""
    written = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(committed))
    patterns = set(map(json.loads, written))
    assert len(patterns) > 10
    assert not [one for one in patterns if not one.startswith("^") or not one.endswith("$")]
    assert not [one for one in patterns if re.search(r"\\[AZz]|\(\?(?!:)", one)]


def test_every_route_is_documented(client: flask.testing.FlaskClient, committed: dict[str, Any]) -> None:
    served = {
        (method.lower(), re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule))
        for rule in client.application.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS") and not rule.rule.startswith(("/docs", "/openapi.", "/static/"))
        if not rule.endpoint.startswith("table ")  # the pages of the table in the browser
    }
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
                            jsonschema_rs.Draft202012Validator(schema).validate(media["example"])
                        except jsonschema_rs.ValidationError as error:
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


def test_the_examples_are_what_the_server_answers_today(app: flask.Flask) -> None:
    now = examples.lasting(examples.play(app))
    kept = json.loads(openapi.EXAMPLES.read_text())
    assert set(now) == set(kept)
    for name in kept:
        if name not in ("get /v1/matches 200",):
            assert shape(now[name]) == shape(kept[name]), name


def members(union: dict[str, Any]) -> list[str]:
    return [one["$ref"].rpartition("/")[2] for one in union["oneOf"]]


def test_what_carries_a_game_is_a_union_of_all_games(committed: dict[str, Any]) -> None:
    schemas = committed["components"]["schemas"]
    for name in ("MatchView", "NewMatch", "EventPage", "Legal", "CommandAnswer"):
        by = schemas[name]["discriminator"]
        assert by["propertyName"] == "game" and set(by["mapping"]) == {game.slug for game in GAMES}
        assert [mapped.rpartition("/")[2] for mapped in by["mapping"].values()] == members(schemas[name])
    assert len(schemas["Command"]["anyOf"]) == len(GAMES)


def test_every_game_has_its_commands_and_events_in_the_document(committed: dict[str, Any]) -> None:
    schemas = committed["components"]["schemas"]
    for game in GAMES:
        name = pascal(game.slug)
        assert members(schemas[f"{name}Command"]) == [f"{name}{cls.__name__}" for cls in game.commands]
        told = set(schemas[f"{name}Event"]["discriminator"]["mapping"])
        assert told == {wire_name(cls) for cls in (*game.events, *EVENTS)}
        for cls in game.commands:
            required = {external(f.name) for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING}
            assert set(schemas[f"{name}{cls.__name__}"]["required"]) == {"type", *required}


def test_every_schema_and_every_field_is_explained(committed: dict[str, Any]) -> None:
    for name, schema in committed["components"]["schemas"].items():
        assert schema["description"], name
        for part in everything(schema):
            for field, one in part.get("properties", {}).items():
                assert one.get("description"), f"{name}: {field}"


def test_every_operation_is_explained(committed: dict[str, Any]) -> None:
    names = []
    for path, operations in committed["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                names.append(operation["operationId"])
                assert operation["summary"] and operation["description"] and operation["tags"], path
                for parameter in operation.get("parameters", ()):
                    assert parameter["in"] == "path" or parameter["description"], (path, parameter["name"])
    assert len(names) == len(set(names))


def test_headers_and_the_log_are_declared(committed: dict[str, Any]) -> None:
    paths = committed["paths"]

    def takes(path: str, method: str) -> set[str]:
        return {one["name"] for one in paths[path][method].get("parameters", ()) if one["in"] == "header"}

    match = "/v1/matches/{match_id}"
    assert takes(match, "get") == takes(f"{match}/board", "get") == {"If-None-Match"}
    assert takes(f"{match}/commands", "post") == {"If-Match", "Idempotency-Key", "Prefer"}
    assert takes(f"{match}/join", "post") == {"If-Match", "Idempotency-Key"}
    assert takes("/v1/matches", "post") == takes(f"{match}/rematch", "post") == {"Idempotency-Key"}
    for action in ("leave", "kick", "decline", "start", "cancel", "resign", "draw"):
        assert takes(f"{match}/{action}", "post") == {"If-Match"}
        assert "ETag" in paths[f"{match}/{action}"]["post"]["responses"]["200"]["headers"]
    for path, status in ((match, "200"), (match, "304"), (f"{match}/legal", "200"), (f"{match}/board", "304")):
        assert "ETag" in paths[path]["get"]["responses"][status]["headers"]
    assert {"ETag", "Location"} == set(paths["/v1/matches"]["post"]["responses"]["201"]["headers"])
    assert "application/x-ndjson" in paths[f"{match}/events"]["get"]["responses"]["200"]["content"]
    assert "Retry-After" in paths[match]["get"]["responses"]["503"]["headers"]
    assert "Content-Disposition" in paths[f"{match}/audit"]["get"]["responses"]["200"]["headers"]


def test_a_class_that_several_games_use_stands_in_the_document_once(committed: dict[str, Any]) -> None:
    schemas = committed["components"]["schemas"]
    text = json.dumps([schema for name, schema in schemas.items() if name != "Card"])
    assert schemas["Card"]["pattern"] not in text and text.count('"#/components/schemas/Card"') > 100
    assert schemas["Piece"]["properties"]["cell"]


def test_what_is_sent_is_closed_and_what_is_read_is_open(committed: dict[str, Any]) -> None:
    schemas = committed["components"]["schemas"]
    for name in ("QuenetteNewMatch", "QuenetteOptions", "QuenettePlayCard", "Join", "SignUp"):
        assert schemas[name]["additionalProperties"] is False
    for name in ("QuenetteView", "QuenetteLegal", "QuenetteEventPage", "ProblemDetails", "GameInfo"):
        assert "additionalProperties" not in schemas[name]


def test_what_older_matches_have_is_published_too(committed: dict[str, Any]) -> None:
    schemas = published.Published(committed)
    schemas.check("BaffleOptions", {"hand_limit": 0})  # matches that were opened with it go on
    opened = committed["components"]["schemas"]["QuenetteMatchOpenedEvent"]["allOf"][1]["properties"]["public"]
    assert "match_rules" in opened["properties"] and "match_rules" not in opened["required"]


def test_the_generator_for_python_makes_a_client_without_a_warning(
    tmp_path: pathlib.Path, committed: dict[str, Any]
) -> None:
    """`make clients` tries the other generators as well, and has their code checked. It has a slow reader of YAML."""
    (tmp_path / "openapi.json").write_text(json.dumps(committed))
    tool = pathlib.Path(sys.executable).parent / "openapi-python-client"
    config = examples.ROOT / "tests" / "clients" / "python.yaml"
    options = f"--meta none --fail-on-warning --config {config} --output-path {tmp_path / 'client'}".split()
    done = subprocess.run(
        [tool, "generate", "--path", tmp_path / "openapi.json", *options], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert compileall.compile_dir(tmp_path / "client", quiet=1)


def test_what_an_operation_would_not_look_at_is_refused_as_the_document_says(
    app: flask.Flask, committed: dict[str, Any]
) -> None:
    # Given every operation that needs a token and reads nothing from the query, or no body
    ann = Person(app.test_client(), "Ann")
    match = table([ann, Person(app.test_client(), "Bob")], hands=21)
    tried = 0
    for path, operations in committed["paths"].items():
        for method, operation in operations.items():
            if method == "parameters" or {"token": []} not in operation["security"]:
                continue
            here = re.sub(r"{\w+}", str(uuid.uuid4()), path.replace("{match_id}", match))
            sent: list[dict[str, Any]] = []
            if not any(one["in"] == "query" for one in operation.get("parameters", ())):
                sent.append({"query_string": {"dry_run": "1"}})
            if method == "post" and "requestBody" not in operation:
                sent += [
                    {"json": {"dry_run": True}},
                    {"data": b" " * 100_000 + b"{}", "content_type": "application/json"},
                ]
            for one in sent:
                # When it is sent what it does not take
                answer = ann._client.open(
                    here, method=method.upper(), headers={"Authorization": f"Bearer {ann.token}"}, **one
                )
                # Then the refusal is one that the document knows
                assert str(answer.status_code) in operation["responses"], (method, path, one)
                tried += 1
    assert tried > 50
