"""People and workers for the tests of the workers."""

from __future__ import annotations

from collections.abc import Iterator

import flask.testing
import pytest

from api.app import Services
from tests.api.people import Person
from tests.conftest import Servers
from tests.workers.crew import Crew


@pytest.fixture
def crew(servers: Servers) -> Iterator[Crew]:
    made = Crew(servers)
    yield made
    made.stop()


@pytest.fixture
def ann(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Ann")


@pytest.fixture
def nothing_else(parlor: Services) -> Iterator[None]:
    """No bot waits and no clock runs but those of this test; what it leaves behind plays no part in the next."""
    _stand_still(parlor)
    yield
    _stand_still(parlor)


def _stand_still(parlor: Services) -> None:
    parlor.database.run("DELETE FROM bot_turns")
    parlor.database.run("UPDATE matches SET wake_at = NULL, wakes = NULL WHERE wake_at IS NOT NULL")
