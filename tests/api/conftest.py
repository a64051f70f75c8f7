"""The people whom most tests of the API are about."""

from __future__ import annotations

import flask.testing
import pytest

from tests.api.people import Person


@pytest.fixture
def ann(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Ann")


@pytest.fixture
def bob(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Bob")


@pytest.fixture
def eve(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Eve")
