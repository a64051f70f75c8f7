"""What is typed on the command line."""

from __future__ import annotations

from typing import Any

import click


def table_option(text: str) -> tuple[str, Any]:
    """
    >>> [table_option(text) for text in ("hands=3", "high=true", "houses=1,2", "bearing=first")]
    [('hands', 3), ('high', True), ('houses', [1, 2]), ('bearing', 'first')]
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not NAME=VALUE")
    words: dict[str, Any] = {"true": True, "false": False, "null": None}
    if value.lstrip("-").isdigit():
        return name, int(value)
    if "," in value:
        return name, [int(part) for part in value.split(",") if part.strip().isdigit()]
    return name, words.get(value, value)
