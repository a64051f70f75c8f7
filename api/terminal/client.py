"""The API as this client uses it."""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import requests

Json = dict[str, Any]

WAIT: Final = 15  # seconds that the server may wait for something to happen
TIMEOUT: Final = 20.0  # seconds for an answer
ATTEMPTS: Final = 4  # at what can be asked again
PAUSE: Final = 0.5  # seconds between them
LONGEST_PAUSE: Final = 10  # seconds that a server may have us wait without a word to the player


class Trouble(Exception):
    """The session cannot go on. The text is a sentence for the player."""


class Refusal(Exception):
    """The server understood and said no; the problem details say why, and by which rule."""

    def __init__(self, problem: Json) -> None:
        super().__init__(problem.get("detail", "refused"))
        self.problem = problem

    @property
    def rule(self) -> Json | None:
        return self.problem.get("rule")


class MovedOn(Exception):
    """The match is no longer at the version that the player decided on."""


class Sentence(NamedTuple):
    """What happened, in words for this reader."""

    version: int
    words: str


class Client:
    """One player's way to one server."""

    def __init__(self, server: str, token: str | None = None) -> None:
        self.server = server.rstrip("/")
        self.token = token
        self._session = requests.Session()
        self._question: Question | None = None

    # ── The catalogue ──

    def games(self) -> list[Json]:
        return self._get("/v1/games")["games"]  # type: ignore[no-any-return]

    def game(self, slug: str) -> Json:
        found = self._get(f"/v1/games/{slug}")
        if "schemas" not in found:
            raise Trouble(f"{self.server} is too old for this client: it does not say what its games look like.")
        return found

    def rules(self, slug: str) -> list[Json]:
        return self._get(f"/v1/games/{slug}/rules")["rules"]  # type: ignore[no-any-return]

    # ── Matches ──

    def sign_up(self, name: str) -> None:
        self.token = self._post("/v1/players", {"name": name})["token"]

    def open(self, game: str, seats: Sequence[Json], options: Mapping[str, Any]) -> Json:
        return self._post("/v1/matches", {"game": game, "seats": seats, "options": options})

    def join(self, match: str) -> Json:
        return self._post(f"/v1/matches/{match}/join", {})

    def start(self, match: str) -> Json:
        return self._post(f"/v1/matches/{match}/start")

    def resign(self, match: str) -> Json:
        return self._post(f"/v1/matches/{match}/resign")

    def draw(self, match: str, action: str) -> Json:
        return self._post(f"/v1/matches/{match}/draw", {"action": action})

    def newer(self, match: str, known: int) -> Json | None:
        """The match if it has gone beyond a version that is known; nothing as long as it has not.

        The server is asked once and answers when there is something to say. It is asked aside, so that the player can
        type meanwhile.
        """
        if self._question is None or self._question.about != (match, known):
            self._question = Question(self, match, known)
        if not self._question.answered.is_set():
            return None
        question, self._question = self._question, None
        if question.failure is not None:
            raise question.failure
        return question.found

    def look(self, match: str, known: int | None = None, *, at: int | None = None) -> Json | None:
        """The match as this player sees it; nothing while the version is the one that is known."""
        headers = {} if known is None else {"If-None-Match": f'"{known}"'}
        answer = self._asked("GET", f"/v1/matches/{match}" + (f"?at={at}" if at else ""), headers=headers)
        return None if answer.status_code == 304 else answer.json()

    def board(self, match: Json) -> Json | None:
        """The geometry of the table; nothing where the game has no board."""
        return self._get(match["board_href"]) if match["board_href"] else None

    def legal(self, match: str) -> tuple[list[Json], int]:
        """What this player may do, and the version it was judged at."""
        found = self._get(f"/v1/matches/{match}/legal")
        return found["commands"], found["version"]

    def told(self, match: str, after: int) -> Iterator[Sentence]:
        """What has happened since a version."""
        page: Json = {"next": after}
        while page["next"] is not None:
            page = self._get(f"/v1/matches/{match}/events?words=1&after={page['next']}")
            for one in page["events"]:
                yield Sentence(one["event"]["version"], one["words"])

    def replay(self, match: str, eyes: str | None) -> list[Json]:
        """Every step of a match, as somebody saw it."""
        answer = self._asked("GET", f"/v1/matches/{match}/replay", params={} if eyes is None else {"as": eyes})
        return [json.loads(line) for line in answer.iter_lines()]

    def play(self, match: str, command: Json, version: int) -> None:
        """Sends a command that was decided on at this version. The key makes it safe to ask again."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": uuid.uuid4().hex}
        self._asked("POST", f"/v1/matches/{match}/commands", command, headers)

    # ── Asking and being refused ──

    def wait(self, match: str, known: int) -> Json | None:
        """The match as soon as it is newer than a version; nothing if that takes too long."""
        answer = self._asked("GET", f"/v1/matches/{match}?wait={WAIT}&after={known}")
        return None if answer.status_code == 304 else answer.json()

    def _get(self, path: str) -> Json:
        return self._asked("GET", path).json()  # type: ignore[no-any-return]

    def _post(self, path: str, body: Json | None = None) -> Json:
        return self._asked("POST", path, body).json()  # type: ignore[no-any-return]

    def _asked(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, str] | None = None,
    ) -> requests.Response:
        sent = {**(headers or {}), **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        again = method == "GET" or "Idempotency-Key" in sent
        for left in reversed(range(ATTEMPTS)):
            try:
                answer = self._session.request(
                    method, self.server + path, json=body, headers=sent, params=params, timeout=TIMEOUT
                )
            except requests.RequestException:
                if again and left:
                    time.sleep(PAUSE)
                    continue
                raise Trouble(f"{self.server} does not answer.") from None
            pause = _pause(answer, again)
            if pause is None or not left:
                return _understood(answer, self.server)
            time.sleep(pause)
        raise AssertionError("not reached")


def _pause(answer: requests.Response, again: bool) -> float | None:
    """How long to wait before the same is asked again; nothing if it is not. Nothing was done for a 429."""
    told = answer.headers.get("Retry-After", "")
    if answer.status_code == 429 and told.isdecimal() and int(told) <= LONGEST_PAUSE:
        return float(told)
    return PAUSE if again and answer.status_code == 503 else None


class Question(threading.Thread):
    """Waits aside for a match to go on, on a connection of its own."""

    def __init__(self, client: Client, match: str, known: int) -> None:
        super().__init__(daemon=True)  # nobody who quits waits for it
        self.about = match, known
        self.answered = threading.Event()
        self.found: Json | None = None
        self.failure: Exception | None = None
        self._client = Client(client.server, client.token)
        self.start()

    def run(self) -> None:
        try:
            self.found = self._client.wait(*self.about)
        except Exception as error:
            self.failure = error
        self.answered.set()


def _understood(answer: requests.Response, server: str) -> requests.Response:
    if answer.status_code < 400:
        if answer.status_code != 304 and "json" not in answer.headers.get("Content-Type", ""):
            raise Trouble(f"{server} answers, but it is not a Parlor.")
        return answer
    if answer.status_code == 412:
        raise MovedOn
    try:
        problem = answer.json()
    except requests.JSONDecodeError:
        raise Trouble(f"{server} answers {answer.status_code}, and not as a Parlor does.") from None
    if answer.status_code in (401, 403):
        raise Trouble(f"The server does not accept this token: {problem.get('detail')}.")
    if answer.status_code >= 500:
        raise Trouble(f"The server is in trouble: {problem.get('detail')}.")
    raise Refusal(problem)
