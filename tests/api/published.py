"""The schemas of openapi.yaml, closed: whatever the server says has to be listed there."""

from __future__ import annotations

import copy
import functools
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import yaml

from tests.api.examples import ROOT


@functools.cache
def committed() -> dict[str, Any]:
    """It takes a second to read; whoever changes it makes a copy first."""
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    found: dict[str, Any] = yaml.load((ROOT / "openapi.yaml").read_text(), Loader=loader)
    return found


def inside(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The schemas that a schema is made of, each with the keyword it stands under."""
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            yield from ((key, one) for one in value.values())
        elif key in ("items", "additionalProperties", "propertyNames") and isinstance(value, dict):
            yield key, value
        elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
            yield from ((key, one) for one in value)


def everything(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for _, one in inside(schema):
        yield from everything(one)


def closed(document: dict[str, Any]) -> dict[str, Any]:
    """The same, with no room for anything that it does not list."""
    found = copy.deepcopy(document)
    schemas = found["components"]["schemas"]
    frames = {
        one["$ref"].rpartition("/")[2]
        for schema in schemas.values()
        for part in everything(schema)
        for one in part.get("allOf", ())
        if "$ref" in one
    }

    def close(schema: dict[str, Any], part_of_another: bool) -> None:
        if (
            not part_of_another
            and not {"additionalProperties", "$ref"} & set(schema)
            and {"properties", "allOf"} & set(schema)
        ):
            schema["unevaluatedProperties"] = False
        for key, one in inside(schema):
            close(one, key == "allOf")

    for name, schema in schemas.items():
        close(schema, name in frames)
    return found


class Published:
    """What the document says that things look like."""

    def __init__(self, document: dict[str, Any]) -> None:
        self._document = closed(document)
        self._validators: dict[str, Any] = {}

    def check(self, name: str, value: Any) -> None:
        """That this is such a thing. A union is narrowed first, so that the complaint names what is wrong."""
        try:
            self._validator(name).validate(value)
        except jsonschema_rs.ValidationError:
            for member, part in self._narrowed(name, value):
                self._validator(member).validate(part)
            raise

    def _narrowed(self, name: str, value: Any) -> Iterator[tuple[str, Any]]:
        schema = self._document["components"]["schemas"][name]
        if "discriminator" in schema:
            by = schema["discriminator"]
            member = by["mapping"][value[by["propertyName"]]].rpartition("/")[2]
            yield from self._narrowed(member, value)
            return
        for item in value.get("events", ()):
            yield from self._narrowed(
                name.removesuffix("EventPage").removesuffix("CommandAnswer") + "Event", item.get("event", item)
            )
        yield name, value

    def _validator(self, name: str) -> Any:
        if name not in self._validators:
            schema = {"$ref": f"#/components/schemas/{name}", "components": self._document["components"]}
            self._validators[name] = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        return self._validators[name]
