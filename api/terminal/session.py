"""A person at the table: look, choose, send, and wait for the others."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from rich.console import RenderableType
from rich.text import Text

from api.terminal import drawing, manual
from api.terminal.choices import Choice, Command, as_sent, first_choices, next_choices
from api.terminal.client import Client, Json, MovedOn, Refusal, Sentence
from api.terminal.pen import QUIET
from api.terminal.scene import Scene
from api.terminal.schemas import Unfit, in_words, read
from api.terminal.screen import Screen

GLANCE: Final = 0.1  # seconds between two looks at whether the server has answered
STORY: Final = 12  # sentences above the table
HINT: Final = "? help · r rules · d draw · x resign · q quit"
NOT_OFFERED: Final = "That is none of the choices; ? helps."


class Quit(Exception):
    """The player leaves the table; the match goes on."""


class Changed(Exception):
    """The table is no longer as it was drawn."""


class Session:
    def __init__(self, client: Client, screen: Screen, match: Json) -> None:
        self._client, self._screen = client, screen
        self._id: str = match["id"]
        self._game = client.game(match["game"])
        self._board = client.board(match)
        self._match = match
        self._legal: list[Json] = []
        self._story: list[Sentence] = []
        self._seen = 0  # the version up to which the player knows what happened
        self._notes: list[RenderableType] = []  # what is said once, above the next drawing

    def run(self) -> None:
        """Until the match is over, or the player quits."""
        self._read_on()
        while self._match["status"] != "over":
            try:
                if self._match["status"] == "open" or not self._legal:
                    self._wait()
                else:
                    self._turn()
            except Changed:
                pass
        self._draw(Scene(self._game, self._match, self._board))
        self._screen.show(drawing.result(self._scene()))

    # ── Looking ──

    def _look(self) -> bool:
        """Whether anything has changed since the last look."""
        return self._took(self._client.look(self._id, self._match["version"]))

    def _moved(self) -> bool:
        """The same, while the server is asked to say so as soon as it has."""
        return self._took(self._client.newer(self._id, self._match["version"]))

    def _took(self, found: Json | None) -> bool:
        if found is None:
            return False
        self._match = found
        self._read_on()
        return True

    def _read_on(self) -> None:
        """What happened, and what may be done: at the version of the match that is looked at, or at the next one."""
        newest = self._story[-1].version if self._story else 0
        self._story += self._client.told(self._id, newest)
        if self._match["status"] == "playing":
            self._legal, version = self._client.legal(self._id)
            if version != self._match["version"]:
                self._look()
        else:
            self._legal = []

    def _scene(self, choices: Sequence[Choice] = ()) -> Scene:
        return Scene(self._game, self._match, self._board, choices)

    def _draw(self, scene: Scene) -> None:
        news = [one for one in self._story if one.version > self._seen]
        around: list[RenderableType] = [drawing.heading(scene), drawing.story(news, STORY)]
        if self._match["table"] is not None:
            around.append(drawing.table(scene))
        self._screen.redraw(*around, *self._notes, drawing.offers(scene))
        self._notes.clear()

    # ── Waiting ──

    def _wait(self) -> None:
        """Until something happens."""
        self._begin()
        if self._screen.live:
            self._draw(self._scene())
            self._screen.show(Text("q quits", QUIET))
        while not self._moved():
            if (line := self._screen.pause(GLANCE)) is not None:
                self._handle(line)

    def _begin(self) -> None:
        """A full table waits for nobody but its host, who may be this player."""
        if self._match["status"] == "open" and all(seat["kind"] != "open" for seat in self._match["seats"]):
            with contextlib.suppress(Refusal):
                self._client.start(self._id)

    # ── Choosing ──

    def _turn(self) -> None:
        commands = self._game["schemas"]["commands"]
        choice = self._choose(first_choices(self._legal, commands))
        while choice.command is None and choice.template is None:
            choice = self._choose(next_choices(choice, commands), back=True)
        command = choice.command or self._filled(choice)
        self._send(as_sent(command, commands[choice.type]))

    def _choose(self, choices: Sequence[Choice], *, back: bool = False) -> Choice:
        """Asks until one of the choices is made."""
        by_key = {choice.key: choice for choice in choices}
        self._draw(self._scene(choices))
        while True:
            self._screen.show(Text(("b back · " if back else "") + HINT, QUIET))
            line = self._line("Your choice >")
            if line.lower() in by_key:
                return by_key[line.lower()]
            if back and line.lower() == "b":
                raise Changed
            self._handle(line)

    def _filled(self, choice: Choice) -> Command:
        """A command of which the legal list says only what to put into it: asks for each field until it fits."""
        assert choice.template is not None
        schema = self._game["schemas"]["commands"][choice.type]
        command = {"type": choice.type}
        for name, wanted in choice.template["fill"].items():
            optional = name not in schema["required"]
            hint = f"{wanted}; Enter leaves it out" if optional else wanted
            while True:
                line = self._line(f"{in_words(name)} ({hint}) >")
                if optional and not line:
                    break
                try:
                    command[name] = read(line, schema["properties"][name])
                    break
                except Unfit as unfit:
                    self._screen.show(Text(f"This wants {unfit}."))
        return command

    def _line(self, question: str) -> str:
        """The next line, unless the table changes before it comes."""
        self._screen.prompt(question)
        while (line := self._screen.line(GLANCE)) is None:
            if self._moved():
                self._screen.show("")
                raise Changed
        return line

    def _handle(self, line: str) -> None:
        """What can be typed at any time."""
        key, _, rest = line.partition(" ")
        match key.lower():
            case "q":
                raise Quit
            case "?":
                self._screen.show(manual.page(self._game))
            case "r":
                self._screen.show(manual.rules(self._client.rules(self._game["slug"]), rest.strip()))
            case "d":
                self._agree()
            case "x":
                if self._screen.ask("Give up this match? (yes or no) >").lower() in ("y", "yes"):
                    self._try(lambda: self._client.resign(self._id))
            case "":
                raise Changed
            case _:
                self._screen.show(Text(NOT_OFFERED))

    # ── Sending ──

    def _send(self, command: Json) -> None:
        """The command was chosen at the version that is on the screen. If the table has moved on meanwhile, it is sent
        all the same as long as it is still legal."""
        before = self._match["version"]
        try:
            self._client.play(self._id, command, before)
            self._seen = before
        except Refusal as refusal:
            self._note(refusal)
        except MovedOn:
            self._look()
            if any(self._stands_for(one, command) for one in self._legal):
                return self._send(command)
            self._notes.append(Text("The table has moved on before your command arrived.", "bold red"))
        self._look()
        return None

    def _stands_for(self, legal: Json, command: Json) -> bool:
        schema = self._game["schemas"]["commands"][command["type"]]
        return legal["type"] == command["type"] and ("fill" in legal or as_sent(legal, schema) == command)

    def _agree(self) -> None:
        """A draw: offers one, withdraws this player's offer, or answers another's."""
        offer = self._match["draw_offer"]
        if offer is None:
            action = "offer"
        elif offer["seat"] == self._match["you"]:
            action = "withdraw"
        else:
            accepts = self._screen.ask("Accept the draw? (yes or no) >").lower() in ("y", "yes")
            action = "accept" if accepts else "decline"
        self._try(lambda: self._client.draw(self._id, action))

    def _try(self, change: Callable[[], Json]) -> NoReturn:
        try:
            change()
        except Refusal as refusal:
            self._note(refusal)
        self._look()
        raise Changed

    def _note(self, refusal: Refusal) -> None:
        """Why something was refused, with the rule in full."""
        self._notes.append(Text(f"Refused: {refusal}.", "bold red"))
        if refusal.rule:
            self._notes.append(manual.rule_text(refusal.rule))
