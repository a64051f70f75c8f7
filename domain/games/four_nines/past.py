"""Four Nines as it was played before: what differs from today, edition by edition."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from domain.game import Game, Outcome, ranked
from domain.games.four_nines.game import Table, outcome, standing


def outcome_of_1(s: Table) -> Outcome | None:
    """Whoever had won equally many games shared a place: after a single one, all but the winner."""
    today = outcome(s)
    return today and replace(today, places=ranked(standing(s)))


def past(present: Game[Table]) -> tuple[Game[Table], ...]:
    """The editions before this one, oldest first."""
    rules_of_1 = {id: rule for id, rule in present.rules.items() if id != "FN-R19"}
    return (replace(present, version=1, rules=MappingProxyType(rules_of_1), outcome=outcome_of_1),)
