"""openapi.yaml: made from the code, with examples taken from the running server."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import yaml
from flask import Flask
from flask_smorest import Api

from api.catalogue import command_schema
from domain.games import GAMES
from domain.wire import wire_name

VERSION = "0.1.0"
EXAMPLES = pathlib.Path(__file__).parent / "examples.json"

CONFIG = {
    "API_TITLE": "Parlor",
    "API_VERSION": VERSION,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Parlor games of 1903 to 1943 for people, programs and bots. Every refusal cites the rule "
            "it rests on, dice and deals can be checked by anybody, and each seat can verify its match's hash chain.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    },
}


def describe(api: Api) -> None:
    """The commands of every game, as the catalogue has them."""
    commands = []
    for game in GAMES:
        name = "".join(word.capitalize() for word in game.slug.split("-"))
        variants = [command_schema(cls) | {"title": wire_name(cls)} for cls in game.commands]
        api.spec.components.schema(f"{name}Command", {"title": game.title, "oneOf": variants})
        commands.append({"$ref": f"#/components/schemas/{name}Command"})
    api.spec.components.schema("Command", {"description": "A command of the game that is played.", "anyOf": commands})


def document(app: Flask) -> dict[str, Any]:
    """The whole document, examples included."""
    spec: dict[str, Any] = json.loads(json.dumps(app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()))
    examples = json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            if method == "parameters":
                continue
            operation["operationId"] = _name(method, path)
            # smorest adds an answer for everything it does not know of; ours are all listed.
            operation.get("responses", {}).pop("default", None)
            for status, response in operation.get("responses", {}).items():
                example = examples.get(f"{method} {path} {status}")
                for media in response.get("content", {}).values():
                    if example is not None:
                        media["example"] = example
    spec["components"].get("responses", {}).clear()
    return spec


def _name(method: str, path: str) -> str:
    words = [part.strip("{}") for part in path.split("/") if part and part != "v1"]
    return "_".join([method, *words])


def written(app: Flask) -> str:
    return yaml.safe_dump(document(app), sort_keys=False, allow_unicode=True, width=120)
