"""openapi.yaml: made from the code, with examples taken from the running server."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any, Final

import yaml
from flask import Flask

from api import schemas
from api.problems import TITLES
from api.published import components, ref

VERSION = "0.1.0"
EXAMPLES = pathlib.Path(__file__).parent / "examples.json"

CONFIG = {
    "API_TITLE": "Parlor",
    "API_VERSION": VERSION,
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": "Parlor games of 1903 to 1943 for people, programs and bots. Every refusal cites the rule "
            "it rests on, dice and deals can be checked by anybody, and each seat can verify its hash chain.\n\n"
            "What carries a game is a union by `game`. Answers may have fields that are not listed here, and lists "
            "kinds of events that are not: pass over what you do not know.",
            "contact": {"name": "Parlor"},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "the server that you have this from"}],
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "the token that you got when you signed up, or one that it made",
                }
            }
        },
    },
}
# What every operation can be answered with before it is looked at.
FROM_THE_GATE: Final = (431,)
HEADERS: Final = {
    "401": {"WWW-Authenticate": "how to show who you are"},
    "503": {"Retry-After": "after how many seconds to try again"},
}
PROBLEM: Final = {"application/problem+json": {"schema": ref("ProblemDetails")}}


def document(app: Flask) -> dict[str, Any]:
    """The whole document, examples included."""
    spec: dict[str, Any] = json.loads(json.dumps(app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict()))
    examples = json.loads(EXAMPLES.read_text()) if EXAMPLES.exists() else {}
    for method, path, operation in _operations(spec):
        operation["operationId"] = _name(method, path)
        operation.setdefault("security", [])
        operation.setdefault("description", f"{operation['summary']}.")
        operation["responses"] = _responses(operation["responses"])
        for status, response in operation["responses"].items():
            example = examples.get(f"{method} {path} {status}")
            if example is not None:
                next(iter(response["content"].values()))["example"] = example
    del spec["components"]["responses"]
    spec["components"]["schemas"] = _schemas(spec["components"]["schemas"])
    made: dict[str, Any] = json.loads(json.dumps(spec))
    return made


def _operations(spec: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                yield method, path, operation


def _responses(listed: dict[str, Any]) -> dict[str, Any]:
    # smorest adds an answer for everything it does not know of; ours are all listed.
    found = {status: response for status, response in listed.items() if status != "default"}
    for code in FROM_THE_GATE:
        found[str(code)] = {"description": TITLES[code], "content": PROBLEM}
    for status, headers in HEADERS.items():
        if status in found:
            described = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
            found[status] = {**found[status], "headers": described}
    return dict(sorted(found.items()))


def _schemas(listed: dict[str, Any]) -> dict[str, Any]:
    """Those that smorest found, without its own, and those that carry a game."""
    ours = {name: schema for name, schema in listed.items() if hasattr(schemas, name)}
    for name, schema in ours.items():
        ours[name] = {"description": (getattr(schemas, name).__doc__ or "").strip(), **schema}
    return ours | components(ours["NewMatch"])


def _name(method: str, path: str) -> str:
    words = [part.strip("{}") for part in path.split("/") if part and part != "v1"]
    return "_".join([method, *words])


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes shared parts out in full each time: others do not read anchors well."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(app: Flask) -> str:
    text: str = yaml.dump(document(app), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    return text
