"""openapi.yaml: made from the code, with examples taken from the running server."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any, Final

import yaml
from flask import Flask
from marshmallow import Schema

from api import schemas
from api.problems import TITLES
from api.published import components, ref
from api.published_messages import add_messages

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
FROM_THE_GATE: Final = (429, 431)
WITH_A_BODY: Final = (413,)  # also where none is wanted
HEADERS: Final = {
    "401": {"WWW-Authenticate": "how to show who you are"},
    "429": {
        "Retry-After": "after how many seconds to try again",
        "RateLimit-Policy": "the limits that hold, each with its quota `q` in a window of `w` seconds",
        "RateLimit": "which of them it was: what remains `r`, and the seconds `t` until there is more",
    },
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
        operation["responses"] = _responses(method, operation["responses"])
        for status, response in operation["responses"].items():
            example = examples.get(f"{method} {path} {status}")
            if example is not None:
                next(iter(response["content"].values()))["example"] = example
    if app.config["PUBLIC_URL"]:
        spec["servers"] = [{"url": app.config["PUBLIC_URL"], "description": "this server"}]
    del spec["components"]["responses"]
    spec["components"]["schemas"] = _schemas(spec["components"]["schemas"])
    made: dict[str, Any] = json.loads(json.dumps(spec))
    return made


def _operations(spec: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            if method != "parameters":
                yield method, path, operation


def _responses(method: str, listed: dict[str, Any]) -> dict[str, Any]:
    # smorest adds an answer for everything it does not know of; ours are all listed.
    found = {status: response for status, response in listed.items() if status != "default"}
    for code in FROM_THE_GATE + (WITH_A_BODY if method == "post" else ()):
        found[str(code)] = {"description": TITLES[code], "content": PROBLEM}
    for status, headers in HEADERS.items():
        if status in found:
            described = {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}
            found[status] = {**found[status], "headers": described}
    return dict(sorted(found.items()))


def _schemas(listed: dict[str, Any]) -> dict[str, Any]:
    """Those that smorest found, without its own, and those that carry a game."""
    known = _written_here()
    ours = {name: schema for name, schema in listed.items() if name in known}
    for name, schema in ours.items():
        ours[name] = {"description": (known[name].__doc__ or "").strip(), **schema}
    made = components(ours["NewMatch"])
    add_messages(made)
    return ours | made.schemas


def _written_here(*classes: type[Schema]) -> dict[str, type[Schema]]:
    """All schemas of requests and answers, by their names."""
    found: dict[str, type[Schema]] = {}
    for cls in classes or (schemas.Strict, schemas.Told):
        found |= {cls.__name__: cls, **(_written_here(*cls.__subclasses__()) if cls.__subclasses__() else {})}
    return found


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
