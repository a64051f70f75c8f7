"""The examples in docstrings are right."""

from __future__ import annotations

import doctest
import importlib
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parent.parent
PACKAGES = ("domain", "eventstore", "workers", "api")
WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text()
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_of_a_module_are_right(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name.removesuffix(".__init__")))
    assert tried and not failed
