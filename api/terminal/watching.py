"""Looking on at a match, event by event and at a pace that can be followed, however fast it is played."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from api.terminal import drawing
from api.terminal.client import Client, Json, Sentence
from api.terminal.scene import Scene
from api.terminal.screen import Screen
from api.terminal.session import GLANCE, STORY, Quit

PACE: Final = 1.5  # seconds for each event at a terminal


def watch(client: Client, screen: Screen, match: Json) -> None:
    """Until the match is over. The server shows every version as it was, so nothing is missed."""
    game, board = client.game(match["game"]), client.board(match)
    story: list[Sentence] = []
    while True:
        now = client.look(match["id"])
        assert now is not None
        for sentence in client.told(match["id"], story[-1].version if story else 0):
            story.append(sentence)
            if not screen.live:
                screen.show(Text(sentence.words))
            elif sentence.version < now["version"]:
                then = client.look(match["id"], at=sentence.version)
                assert then is not None
                _draw(screen, Scene(game, then, board), story)
                _pause(screen, PACE)
        if now["status"] == "over":
            _draw(screen, Scene(game, now, board), story)
            screen.show(drawing.result(Scene(game, now, board)))
            return
        while client.newer(match["id"], now["version"]) is None:
            _pause(screen, GLANCE)


def _draw(screen: Screen, scene: Scene, story: list[Sentence]) -> None:
    screen.redraw(drawing.heading(scene))
    if screen.live:
        screen.show(drawing.story(story[-STORY:]))
    if scene.match["table"] is not None:
        screen.show(drawing.table(scene))


def _pause(screen: Screen, seconds: float) -> None:
    if (line := screen.pause(seconds)) is not None and line.lower() == "q":
        raise Quit
