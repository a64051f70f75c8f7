"""People play every game in the terminal, against bots, on a server that runs."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import pty
import random
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from domain.game import Game
from domain.games import GAMES
from tests.api.served import Server, free_port, serving
from tests.conftest import Servers
from tests.domain import playing
from tests.terminal.driver import PATIENCE, ROOT, Terminal, offered, play_at_random
from tests.workers.crew import Crew


class House:
    """A server with a worker for its bots."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        headers = {"Content_Type": "application/json"} if sent else {}
        got = self.server.request(method, path, sent, Authorization=f"Bearer {token}", **headers)
        assert got.status in (200, 201), got.body
        return json.loads(got.body)

    def sign_up(self, name: str = "Ann") -> str:
        return self.ask("POST", "/v1/players", body={"name": name})["token"]  # type: ignore[no-any-return]

    def match(self, token: str) -> Any:
        """The only match of a player."""
        (found,) = self.ask("GET", "/v1/matches", token)["matches"]
        return self.ask("GET", f"/v1/matches/{found['id']}", token)

    def commands(self, token: str) -> list[Any]:
        """What the player on the first seat has brought about."""
        match = self.match(token)["id"]
        events = self.ask("GET", f"/v1/matches/{match}/events?limit=1000", token)["events"]
        return [event for event in events if event["actor"] == "seat:0"]


@pytest.fixture(scope="module")
def house(servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    crew = Crew(servers)
    with serving(servers, tmp_path_factory.mktemp("served")) as server:
        try:
            crew.start("worker")
            yield House(server)
        finally:
            crew.stop()


def quick(game: Game[Any]) -> list[str]:
    """Options that make a match short, as they are typed."""
    given = dict(getattr(playing.module(game), "QUICK", {}))
    typed = {name: value if isinstance(value, str) else json.dumps(value).strip("[]") for name, value in given.items()}
    return [word for name, value in typed.items() for word in ("--option", f"{name}={value}")]


def way_back(last: str) -> list[str]:
    """The arguments that the last words name."""
    found = re.search(r"parlor play (.*)$", last, flags=re.MULTILINE)
    assert found and "The match goes on." in last, last
    return found[1].split()


# ── Playing ──


def fill(question: str) -> str:
    """What fits into the fields of commands that are only described."""
    return {"cards": "C-3 R-4 C-9 C-10", "combo": "C-3 R-4"}.get(question.partition(" ")[0], "")


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_somebody_plays_it_against_bots(game: Game[Any], house: House) -> None:
    token = house.sign_up()
    with Terminal(game.slug, "--server", house.url, "--token", token, *quick(game)) as terminal:
        if play_at_random(terminal, random.Random(f"play {game.slug}"), fill, steps=6):
            terminal.type("q")
        status, _ = terminal.end()
    assert status == 0 and house.commands(token), terminal.text[-2000:]
    assert "Refused" not in terminal.text and "Traceback" not in terminal.text


@pytest.mark.parametrize(("game", "seats"), [("quenette", 13), ("grafto", 3)])
def test_a_whole_match_is_played_to_its_end(game: str, seats: int, house: House) -> None:
    token = house.sign_up()
    with Terminal(game, "--seats", str(seats), "--server", house.url, "--option", "hands=1", PARLOR_TOKEN=token) as it:
        assert not play_at_random(it, random.Random(f"whole {game}"))
        status, last = it.end()
    match = house.match(token)
    assert status == 0 and match["status"] == "over"
    assert "the match is over" in last and re.search(r"^ 1 .*", last, flags=re.MULTILINE)
    winners = "you" if 0 in match["result"]["winners"] else match["seats"][match["result"]["winners"][0]]["name"]
    assert winners in last


def test_a_match_goes_on_where_it_was_left(house: House) -> None:
    with Terminal("quenette", "--seats", "3", "--server", house.url, "--name", "Ann") as terminal:
        assert play_at_random(terminal, random.Random(1), steps=2)
        terminal.type("q")
        _, last = terminal.end()
    with Terminal(*way_back(last)) as again:
        assert "your turn" in again.answer("q")
        assert way_back(again.end()[1]) == way_back(last)


def test_an_open_seat_is_taken_and_the_others_are_waited_for(house: House) -> None:
    ann, bob = house.sign_up("Ann"), house.sign_up("Bob")
    body = {"game": "checkers", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = house.ask("POST", "/v1/matches", ann, body)["id"]
    with Terminal("--match", match, "--token", bob, "--server", house.url) as terminal:
        deadline = time.monotonic() + PATIENCE
        while house.match(ann)["seats"][1]["name"] != "Bob":
            assert time.monotonic() < deadline
        house.ask("POST", f"/v1/matches/{match}/start", ann)
        move = house.ask("GET", f"/v1/matches/{match}/legal", ann)["commands"][0]
        house.ask("POST", f"/v1/matches/{match}/commands", ann, move)
        said = terminal.answer("q")
        assert "Ann moves" in said and "○ you" in said


def test_a_match_begins_when_its_host_comes_back_and_all_are_there(house: House) -> None:
    ann, bob = house.sign_up("Ann"), house.sign_up("Bob")
    body = {"game": "checkers", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match = house.ask("POST", "/v1/matches", ann, body)["id"]
    with Terminal("--match", match, "--token", ann, "--server", house.url) as terminal:
        house.ask("POST", f"/v1/matches/{match}/join", bob, {})
        said = terminal.answer("q")
    assert "Bob sits down" in said and "your turn" in said


def test_bots_are_watched_to_the_end(house: House) -> None:
    token = house.sign_up()
    arguments = ["quenette", "--seats", "3", "--option", "hands=1", "--server", house.url, "--token", token]
    with Terminal(*arguments, "--watch") as terminal:
        status, text = terminal.end()
    assert status == 0 and house.match(token)["you"] is None
    assert len(re.findall(r"^Bot \d \(steady\) plays", text, flags=re.MULTILINE)) == 51
    assert "win" in text and "the match is over" in text


def test_a_game_is_picked_from_the_menu(house: House) -> None:
    token = house.sign_up()
    with Terminal("--server", house.url, "--token", token) as terminal:
        menu = terminal.answer("0")
        assert all(game.title in menu for game in GAMES)
        number = next(n for n, game in enumerate(GAMES, start=1) if game.slug == "quenette")
        assert f"a number from 1 to {len(GAMES)}" in terminal.answer(str(number))
        terminal.answer("99")
        assert "one of 2, 3" in terminal.answer("5")
        terminal.answer("q")
    assert len(house.match(token)["seats"]) == 5


def test_a_choice_that_is_not_made_in_full_is_taken_back(house: House) -> None:
    """Every opening throw of Backgammon leaves men that can go with either number."""
    token = house.sign_up()
    with Terminal("backgammon", "--server", house.url, "--token", token) as terminal:
        rng = random.Random(5)
        while terminal.is_asking() and "b back" not in terminal.news:
            terminal.type(rng.choice(offered(terminal.news)))
        before = house.match(token)["version"]
        terminal.type("b")
        assert terminal.is_asking() and "b back" not in terminal.news
        assert house.match(token)["version"] == before


def test_a_command_that_is_only_described_is_filled_in_field_by_field(house: House) -> None:
    """The dealer of Secret Seven takes out a packet of any cards. Who deals first is drawn by lot."""
    token, dealer, body = "", 1, {"game": "secret-seven", "seats": [{"kind": "me"}, {"kind": "bot"}]}
    while dealer != 0:
        token = house.sign_up()
        match = house.ask("POST", "/v1/matches", token, body)["id"]
        dealer = house.ask("POST", f"/v1/matches/{match}/start", token)["table"]["dealer"]
    with Terminal("--match", match, "--server", house.url, "--token", token) as terminal:
        terminal.answer("1")
        assert "cards (" in terminal.answer("C-99x O-1")
        assert "This wants something such as C-13" in terminal.answer("c-3 r-4 c-9 c-10")
        assert "combo (" in terminal.answer("C-9, C-10")
        refused = terminal.answer("1")
        assert "Refused: " in refused and "SS-02c" in refused
        terminal.answer("C-3 R-4 C-9 C-10")
        terminal.answer("C-3, R-4")
        terminal.answer("q")
    assert house.commands(token)[0]["type"] == "secret_set"


# ── Being told ──


def test_help_explains_keys_commands_and_fields_and_rules_are_found(house: House) -> None:
    with Terminal("quenette", "--server", house.url) as terminal:
        terminal.answer("?")
        said = terminal.answer("r")
        assert "Play a card from your hand to the trick." in said and "the cards you hold" in said
        assert "QU-11" in terminal.answer("r qu-11")
        assert "must play one" in terminal.answer("r unicorns")
        assert "No rule speaks of 'unicorns'" in terminal.answer("777")
        assert "none of the choices" in terminal.answer("q")


def test_a_refusal_is_shown_with_its_rule(house: House) -> None:
    """A draw is offered once between two commands; an offer that is not answered yet is withdrawn by the same key."""
    with Terminal("checkers", "--server", house.url) as terminal:
        said = [terminal.answer("d") for _ in range(4)]
        terminal.answer("q")
    assert any(
        "Refused: " in one and "PM-06  Draw by agreement" in one and "Bots answer by what they" in one for one in said
    )


def test_resigning_ends_the_match(house: House) -> None:
    token = house.sign_up()
    with Terminal("checkers", "--server", house.url, "--token", token) as terminal:
        terminal.answer("x")
        terminal.answer("no")
        terminal.answer("x")
        terminal.answer("yes")
        status, last = terminal.end()
    assert status == 0 and "resigns." in last and house.match(token)["result"]["reason"] == "resigned"


# ── How it ends ──


def test_the_end_of_the_input_leaves_the_match_as_it_is(house: House) -> None:
    with Terminal("quenette", "--server", house.url) as terminal:
        assert terminal.is_asking()
        terminal.close()
        status, last = terminal.end()
    assert status == 0 and way_back(last)


def test_control_c_leaves_the_match_as_it_is(house: House) -> None:
    with Terminal("quenette", "--server", house.url) as terminal:
        assert terminal.is_asking()
        for _ in range(3):  # a person presses it again where it came at a moment at which Python cannot raise
            terminal.interrupt()
            with contextlib.suppress(subprocess.TimeoutExpired):
                terminal.process.wait(5)
                break
        status, last = terminal.end()
    assert status == 0 and way_back(last) and "Traceback" not in last


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["quenette", "--token", "nonsense"], "The server does not accept this token"),
        (["chess"], "There is no game 'chess'"),
        (["--match", "00000000-0000-0000-0000-000000000000"], "There is no match"),
        (["quenette", "--seats", "14"], "The server refuses: Quenette is played with 2 to 13 seats, not 14"),
        (["quenette", "--option", "hands=0"], "The server refuses: hands must be from"),
        (["quenette", "--name", "Bot"], "The server refuses"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(arguments: list[str], sentence: str, house: House) -> None:
    with Terminal(*arguments, "--server", house.url) as terminal:
        status, last = terminal.end()
    assert status == 1 and sentence in last and "Traceback" not in last


def test_a_server_that_does_not_answer_is_told_in_a_sentence() -> None:
    with Terminal("quenette", "--server", f"http://127.0.0.1:{free_port()}") as terminal:
        status, last = terminal.end()
    assert status == 1 and "does not answer" in last and "Traceback" not in last


def test_a_server_that_goes_away_is_told_in_a_sentence(servers: Servers, tmp_path: pathlib.Path) -> None:
    with serving(servers, tmp_path) as server:
        house = House(server)
        with Terminal("checkers", "--server", house.url) as terminal:
            assert terminal.is_asking()
            server.stop()
            terminal.type("d")
            status, last = terminal.end()
    assert status == 1 and "does not answer" in last and "Traceback" not in last


# ── A server of one's own ──


def test_a_server_is_started_where_none_runs_and_stopped_with_the_game(tmp_path: pathlib.Path) -> None:
    port = str(free_port())
    environment = {"PARLOR_PORT": port, "PARLOR_DATA": str(tmp_path / "data"), "DATABASE_URL": "", "REDIS_URL": ""}
    with Terminal("quenette", "--seats", "13", **environment) as terminal:
        assert f"No Parlor answers at http://127.0.0.1:{port}." in terminal.answer("no")
        status, last = terminal.end()
        assert status == 1 and "parlor serve" in last
    with Terminal("quenette", "--seats", "13", **environment) as terminal:
        terminal.answer("yes")
        assert play_at_random(terminal, random.Random(1), steps=1)
        terminal.type("q")
        status, last = terminal.end()
    assert status == 0 and way_back(last)
    with Terminal("quenette", **environment) as terminal:
        assert "No Parlor answers" in terminal.answer("no")


# ── At a real terminal ──


def test_at_a_terminal_it_draws_in_colours_and_anew(house: House) -> None:
    leader, follower = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "50"}
    command = [sys.executable, "-m", "api.cli", "play", "quenette", "--server", house.url]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    try:
        first = _until(leader, "Your choice >")
        os.write(leader, b"1\n")
        second = _until(leader, "Your choice >")
        os.write(leader, b"q\n")
        _until(leader, "parlor play --match")
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert "\x1b[2J" in first and "\x1b[2J" in second, "the screen is cleared"
    assert "\x1b[1;" in first and "48;5;" in first, "cards lie on paper"
    assert "You play" in second


def _until(leader: int, text: str) -> str:
    read, deadline = "", time.monotonic() + PATIENCE
    while text not in read:
        ready, _, _ = select.select([leader], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"it hangs:\n{read}"
        read += os.read(leader, 65_536).decode(errors="replace")
    return read
