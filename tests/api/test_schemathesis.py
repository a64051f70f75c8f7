"""Requests made up from openapi.yaml: no 500, and no answer that the document does not know."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from typing import Any

import flask
import hypothesis
import pytest
import schemathesis
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from werkzeug.serving import make_server

from domain.telling.schema import pascal
from tests.api.people import Person, table
from tests.api.published import committed


@pytest.fixture(scope="module")
def address(app: flask.Flask) -> Iterator[str]:
    """A real server: what the client sends goes over a socket."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def ann(app: flask.Flask) -> Person:
    return Person(app.test_client(), "Ann")


@pytest.fixture(scope="module")
def a_match(ann: Person, app: flask.Flask) -> str:
    """A running match, so that made-up commands meet a real table."""
    return table([ann, Person(app.test_client(), "Bob")], hands=21)


def body_fits(context: Any, response: Any, case: schemathesis.Case[Any]) -> bool | None:
    """A stream is a text to OpenAPI 3.1, but the library reads it by 3.2, as a list of events. What they are is
    compared with the document by `Followed`."""
    if "text/event-stream" in (response.headers.get("content-type") or [""])[0]:
        return None
    return response_schema_conformance(context, response, case)


# What is asked of every answer. That valid requests can still be refused by a rule is the nature of a game.
CHECKS = [
    schemathesis.checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    body_fits,
    response_headers_conformance,
]


def of_few_games(document: dict[str, Any]) -> dict[str, Any]:
    """The document with two games of different kinds: to make up requests for all of them takes a library minutes,
    and tells no more about the server. Whether the others are described rightly, `test_published.py` asks."""
    schemas = document["components"]["schemas"]
    for one in schemas.values():
        if one.get("discriminator", {}).get("propertyName") == "game":
            kept = {slug: where for slug, where in one["discriminator"]["mapping"].items() if slug in FEW}
            one["discriminator"]["mapping"], one["oneOf"] = kept, [{"$ref": where} for where in kept.values()]
    schemas["Command"]["anyOf"] = [{"$ref": f"#/components/schemas/{pascal(slug)}Command"} for slug in FEW]
    return document


FEW = ("quenette", "backgammon")
schema = schemathesis.openapi.from_dict(of_few_games(copy.deepcopy(committed())))


@schema.parametrize()
@hypothesis.settings(
    max_examples=8, deadline=None, suppress_health_check=list(hypothesis.HealthCheck), derandomize=True, database=None
)
def test_made_up_requests_get_documented_answers(
    case: schemathesis.Case[Any], address: str, ann: Person, a_match: str
) -> None:
    if "match_id" in (case.path_parameters or {}) and "resign" not in case.path:
        case.path_parameters["match_id"] = a_match
    # Whoever deletes the account is nobody afterwards, and has an account to lose of its own.
    who = Person(ann._client, "Eve") if (case.method, case.path) == ("DELETE", "/v1/me") else ann
    case.call_and_validate(base_url=address, headers={"Authorization": f"Bearer {who.token}"}, checks=CHECKS)
