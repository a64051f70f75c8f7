"""The match service: all that can be done with matches. The API and the workers both go through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain.game import Template
from eventstore.auditing import Auditing
from eventstore.background import Background
from eventstore.commands import Answer, Commands
from eventstore.departures import Departures
from eventstore.explaining import Explaining
from eventstore.following import Following
from eventstore.forking import Forking
from eventstore.hosting import Hosting
from eventstore.replaying import Replaying

__all__ = ["Answer", "Matches", "sample"]


class Matches(Hosting, Forking, Replaying, Commands, Background, Departures, Following, Explaining, Auditing):
    """The rooms of the service, with one set of warm states among them."""


def sample(command: Any, below: Callable[[int], int]) -> Any:
    """A legal command as it can be sent, where the list only says what to fill in."""
    return command.sample(below) if isinstance(command, Template) else command
