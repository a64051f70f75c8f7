"""From what was asked for on the command line to a match, and from there to a last word."""

from __future__ import annotations

import getpass
import shlex
from collections.abc import Mapping
from typing import Any, NamedTuple

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from api.terminal import housing, manual
from api.terminal.client import Client, Json, Refusal, Trouble
from api.terminal.schemas import Unfit, read
from api.terminal.screen import Ended, Screen
from api.terminal.session import Quit, Session
from api.terminal.watching import watch


class Asked(NamedTuple):
    """What the player wants."""

    game: str | None
    seats: int | None
    options: Mapping[str, Any]
    level: str | None
    match: str | None  # one that is there already
    watch: bool
    server: str | None
    local: str  # where a server of this machine would be
    token: str | None
    name: str | None


def play(asked: Asked, screen: Screen) -> None:
    """A whole session. Whatever ends it is told in a sentence; `Trouble` is left to the caller."""
    try:
        with housing.server(asked.server, asked.local, screen) as address:
            client = Client(address, asked.token)
            match = _found(client, asked) if asked.match else _opened(client, asked, screen)
            _attended(client, asked, screen, match)
    except Refusal as refusal:
        if refusal.rule:
            screen.show(manual.rule_text(refusal.rule))
        raise Trouble(f"The server refuses: {refusal}.") from None
    except (Quit, Ended, KeyboardInterrupt):
        screen.show("", "Nothing was begun.")


def _attended(client: Client, asked: Asked, screen: Screen, match: Json) -> None:
    try:
        if match["you"] is None:
            watch(client, screen, match)
        else:
            Session(client, screen, match).run()
    except (Quit, Ended, KeyboardInterrupt):
        screen.show("", "The match goes on. To come back to it:")
        screen.show_unbroken(f"  {_way_back(client, asked, match)}")


def _way_back(client: Client, asked: Asked, match: Json) -> str:
    words = ["parlor", "play", "--match", match["id"], "--token", client.token or ""]
    words += ["--watch"] if match["you"] is None else []
    words += ["--server", asked.server] if asked.server else []
    return shlex.join(words)


# ── A match that is there ──


def _found(client: Client, asked: Asked) -> Json:
    """Resumes a match; takes an open seat in one that has not begun, unless the player only wants to look on."""
    assert asked.match is not None
    _sign_up(client, asked)
    try:
        match = client.look(asked.match)
    except Refusal:
        raise Trouble(f"There is no match {asked.match} that this token may see.") from None
    assert match is not None
    if match["status"] == "open" and match["you"] is None and not asked.watch:
        match = client.join(asked.match)
    if match["you"] is None and not asked.watch:
        raise Trouble("You have no seat in this match; --watch looks on.")
    if match["you"] is not None and asked.watch:
        raise Trouble("You have a seat in this match: play it without --watch.")
    return match


# ── A new match ──


def _opened(client: Client, asked: Asked, screen: Screen) -> Json:
    game = _named(client, asked.game) if asked.game else _picked(client, screen)
    seats = asked.seats or (game["seats"][0] if asked.game else _asked_seats(game, screen))
    bot = {"kind": "bot"} | ({"level": asked.level} if asked.level else {})
    first = bot if asked.watch else {"kind": "me"}
    _sign_up(client, asked)
    match = client.open(game["slug"], [first] + [bot] * (seats - 1), asked.options)
    return client.start(match["id"])


def _named(client: Client, slug: str) -> Json:
    try:
        return client.game(slug)
    except Refusal:
        raise Trouble(f"There is no game {slug!r}; `parlor play` lists them all.") from None


def _picked(client: Client, screen: Screen) -> Json:
    games = client.games()
    screen.show(_menu(games))
    while True:
        line = screen.ask("Which game (its number; q quits) >")
        if line.lower() == "q":
            raise Quit
        if line.isdecimal() and 1 <= int(line) <= len(games):
            return client.game(games[int(line) - 1]["slug"])
        screen.show(Text(f"This wants a number from 1 to {len(games)}."))


def _menu(games: list[Json]) -> RenderableType:
    grid = Table.grid(padding=(0, 2))
    for number, game in enumerate(games, start=1):
        grid.add_row(str(number), Text(game["title"], "bold"), _span(game["seats"]), game["summary"])
    return grid


def _span(seats: list[int]) -> str:
    """
    >>> _span([2, 3, 4]), _span([2, 4]), _span([2])
    ('2 to 4', '2 or 4', '2')
    """
    if len(seats) > 1 and seats == list(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return " or ".join(map(str, seats))


def _asked_seats(game: Json, screen: Screen) -> int:
    if len(game["seats"]) == 1:
        return int(game["seats"][0])
    while True:
        line = screen.ask(f"How many seats ({_span(game['seats'])}) >")
        try:
            return int(read(line or str(game["seats"][0]), {"enum": game["seats"]}))
        except Unfit as unfit:
            screen.show(Text(f"This wants {unfit}."))


def _sign_up(client: Client, asked: Asked) -> None:
    """A name is all that a new player needs; who has a token has a name."""
    if client.token is None:
        client.sign_up(asked.name or _own_name())


def _own_name() -> str:
    try:
        return getpass.getuser().title()
    except (KeyError, OSError):
        return "Guest"
