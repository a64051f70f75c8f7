"""The levels at which bots play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from domain.bots import acey_ducey, backgammon, checkers, draws, four_nines, goat
from domain.bots.rollouts import listed, search
from domain.bots.turn import Below, Search, Thought, Turn
from domain.game import Template


def filled_in(command: Any, below: Below) -> Any:
    """A template becomes one of the commands that it stands for."""
    return command.sample(below) if isinstance(command, Template) else command


def at_random(turn: Turn) -> Search:
    """Any legal command, each as likely as the others."""
    return Thought(filled_in(turn.commands[turn.below(len(turn.commands))], turn.below))
    yield


def steady(turn: Turn) -> Search:
    """The command that the rules of thumb of the game put first; among equals the lot decides."""
    commands = listed(turn.commands, turn.below)
    if len(commands) == 1:
        return Thought(commands[0])
    scores = turn.game.bot.rate(turn.view, commands)
    best = max(scores)
    found = [command for command, score in zip(commands, scores, strict=True) if score == best]
    weighed = sorted(zip(commands, scores, strict=True), key=lambda pair: -pair[1])
    chosen = found[turn.below(len(found))]
    return Thought(chosen, 0, tuple(weighed), turn.game.bot.drawn(turn.view, chosen))
    yield


NO_GAMES: Final[Mapping[str, int]] = {}


class Level(NamedTuple):
    """A way to play, with its version: what it finds changes only with that."""

    version: int
    search: Callable[[Turn], Search]
    text: str
    slow: bool = False  # whether it takes its time, so that others come first
    answer: Callable[[Turn], Search] = draws.at_few_tables  # to a draw that is offered
    newer: Mapping[str, int] = NO_GAMES  # its version at games where it has changed since, by their slugs

    def version_at(self, slug: str) -> int:
        return self.newer.get(slug, self.version)


# Games that have a better searcher than the general one.
SPECIAL: Final[Mapping[str, Callable[[Turn], Search]]] = {
    "acey-ducey": acey_ducey.search,
    "backgammon": backgammon.search,
    "checkers": checkers.search,
    "four-nines": four_nines.search,
    "goat": goat.search,
}


ANSWERS: Final[Mapping[str, Callable[[Turn], Search]]] = {
    "backgammon": backgammon.answer_draw,
    "checkers": checkers.answer_draw,
}


def strong(turn: Turn) -> Search:
    return SPECIAL.get(turn.game.slug, search)(turn)


def strong_answer(turn: Turn) -> Search:
    return ANSWERS.get(turn.game.slug, draws.at_many_tables)(turn)


USUAL: Final = "steady"  # where nobody says how well a bot is to play

LEVELS: Final[Mapping[str, Level]] = {
    "random": Level(1, at_random, "any legal command", answer=draws.by_lot),
    "steady": Level(1, steady, "by rule of thumb, at once", newer={"grafto": 2, "trix": 2}),
    "strong": Level(
        2,
        strong,
        "searches for as long as it is given",
        slow=True,
        answer=strong_answer,
        newer={"acey-ducey": 3, "backgammon": 3, "four-nines": 3, "goat": 3, "grafto": 3, "trix": 3},
    ),
}
