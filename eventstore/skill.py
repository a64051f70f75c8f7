"""How the outcome of a match changes what is believed of those who played: by OpenSkill, in figures that do not depend
on the machine.

Every side is compared with every other, and the comparisons are averaged: so a match of thirteen says no more than a
match of two, equal places change nobody in favour of another, and a better place is never worth less than a worse one.
Of the other models of the library Plackett and Luce's gives the fourth more than two who share the second place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import BradleyTerryPart

MOST_SIDES: Final = 16
DIGITS: Final = 6  # after the point: where processors differ is far behind
_MODEL: Final = BradleyTerryPart(mu=25.0, sigma=25 / 3, window_size=2 * MOST_SIDES)


class Skill(NamedTuple):
    """What is believed: a mean, and how far it may be wrong."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """A number to be proud of: a newcomer has 1000, and whoever is well known to play as one begins 2250.

        It is low while little is known, so that nobody leads by one lucky match.
        """
        return round(1000 + 50 * (self.mu - 3 * self.sigma))


NEWCOMER: Final = Skill(25.0, round(25 / 3, DIGITS))


def mean(skills: Sequence[Skill]) -> Skill:
    """A level of bots that sat at several seats of a match learns from all of them alike."""
    mus, sigmas = zip(*skills, strict=True)
    return Skill(round(sum(mus) / len(mus), DIGITS), round(sum(sigmas) / len(sigmas), DIGITS))


def judged(sides: Sequence[Sequence[Skill]], places: Sequence[int]) -> list[list[Skill]]:
    """What is believed of each member of each side after a match that ended with these places.

    >>> judged([[NEWCOMER], [NEWCOMER]], [1, 2])
    [[Skill(mu=27.635389, sigma=8.065901)], [Skill(mu=22.364611, sigma=8.065901)]]
    """
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma) for one in side] for side in sides]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [[Skill(round(one.mu, DIGITS), round(one.sigma, DIGITS)) for one in team] for team in after]
