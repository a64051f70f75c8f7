"""A server with a worker for its bots, and people who know it through the API and through the page."""

from __future__ import annotations

import json
import pathlib
from typing import Any, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

from tests.api.served import Server

NOTING = (pathlib.Path(__file__).parent / "noting.js").read_text()
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


ELSEWHERE = "elsewhere.test"  # leads here, but to a browser it is no machine of its own
PLAIN = "/healthz"  # an answer of the server that is no page of its own
SOMEBODY = """(token) => {
  localStorage.clear();
  sessionStorage.clear();
  if (token) localStorage.setItem("parlor.token", token);
}"""


class Seated(NamedTuple):
    token: str
    match: str
    page: Page


class House:
    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"
        self.browser = browser
        # To start a browser takes longer than most tests. What was left as it was made is handed to the next, forgetful of all.
        self._idle: dict[str, list[BrowserContext]] = {}
        self._lent: dict[BrowserContext, str] = {}
        self._blank: set[Page | None] = set()

    def ask(self, method: str, path: str, token: str = "", body: Any = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        headers = {"Content_Type": "application/json"} if sent else {}
        got = self.server.request(method, path, sent, Authorization=f"Bearer {token}", **headers)
        assert got.status in (200, 201, 204), (method, path, got.body)
        return json.loads(got.body or b"null")

    def sign_up(self, name: str = "Ann") -> str:
        return self.ask("POST", "/v1/players", body={"name": name})["token"]  # type: ignore[no-any-return]

    def match(self, token: str, game: str, seats: int, level: str = "random", **options: Any) -> str:
        """A match against bots that has begun."""
        chairs = [{"kind": "me"}, *[{"kind": "bot", "level": level}] * (seats - 1)]
        made = self.ask("POST", "/v1/matches", token, {"game": game, "options": options, "seats": chairs})
        self.ask("POST", f"/v1/matches/{made['id']}/start", token)
        return made["id"]  # type: ignore[no-any-return]

    def view(self, token: str, match: str, query: str = "") -> Any:
        return self.ask("GET", f"/v1/matches/{match}{query}", token)

    def steps(self, token: str, match: str, eyes: int | str) -> list[dict[str, Any]]:
        """What a match was from its first version to its last, to the eyes of a seat or of the whole table."""
        lines = self.server.get(f"/v1/matches/{match}/replay?as={eyes}", Authorization=f"Bearer {token}").body
        return [json.loads(line) for line in lines.splitlines()]

    def person(
        self, token: str | None = None, *, noted: bool = False, own: bool = False, **options: Any
    ) -> BrowserContext:
        """A browser that knows this token, and nobody else's; for who puts something of their own into it, one of their own."""
        look = json.dumps([noted, options], sort_keys=True)
        idle = self._idle.setdefault(look, [])
        if own:
            context = self._browser(noted, **options)
            if token:
                context.add_init_script(f"localStorage.setItem('parlor.token', '{token}')")
            return context
        context = idle.pop() if idle else self._browser(noted, **options)
        first = context.pages[0] if context.pages else self._page(context)
        if not first.url.startswith(self.url):
            first.goto(f"{self.url}{PLAIN}")
        first.evaluate(SOMEBODY, token)
        self._lent[context] = look
        self._blank.add(first)
        return context

    def _browser(self, noted: bool, **options: Any) -> BrowserContext:
        made = self.browser.new_context(viewport=options.pop("viewport", DESKTOP), reduced_motion="reduce", **options)
        if noted:
            made.add_init_script(NOTING)
        return made

    def _page(self, context: BrowserContext) -> Page:
        """One in which nothing may go wrong without being seen."""
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", _fail)
        return page

    def open(self, context: BrowserContext, path: str) -> Page:
        page = self.tab(context)
        page.goto(f"{self.url}{path}")
        return page

    def tab(self, context: BrowserContext) -> Page:
        """A page on which nothing is shown yet."""
        blank = next((page for page in context.pages if page in self._blank), None)
        self._blank.discard(blank)
        return blank or self._page(context)

    def seated(self, game: str, seats: int, look: dict[str, Any] | None = None, **options: Any) -> Seated:
        """Somebody before the page of a match against bots that has begun."""
        token = self.sign_up()
        match = self.match(token, game, seats, **options)
        return Seated(token, match, self.table(self.person(token, **(look or {})), match))

    def leave(self) -> None:
        """Every browser is shut or idle, whatever became of the test."""
        self._blank.clear()
        idle = [context for waiting in self._idle.values() for context in waiting]
        for context in self.browser.contexts:
            look = self._lent.pop(context, None)
            if look is not None and context.pages:
                first, *others = context.pages
                first.goto(f"{self.url}{PLAIN}")
                for page in others:
                    page.close()
                self._idle[look].append(context)
            elif context not in idle:
                context.close()

    def table(self, context: BrowserContext, match: str) -> Page:
        page = self.open(context, f"/matches/{match}")
        page.wait_for_selector(".match .table, .match .lobby")
        return page


class Pair:
    """Ann and Ben at a table, each with a page of their own once they look."""

    def __init__(self, house: House, game: str, own: bool = False, **more: Any) -> None:
        self.house = house
        self.tokens = (house.sign_up("Ann"), house.sign_up("Ben"))
        seats = [{"kind": "me"}, {"kind": "open"}]
        self.match: str = house.ask("POST", "/v1/matches", self.tokens[0], {"game": game, "seats": seats, **more})["id"]
        house.ask("POST", f"/v1/matches/{self.match}/join", self.tokens[1], {})
        house.ask("POST", f"/v1/matches/{self.match}/start", self.tokens[0], {})
        self.contexts = [house.person(token, own=own) for token in self.tokens]

    def on_until(self, wanted: str) -> int:
        """Plays whatever is legal until a kind of command is, and says for which seat."""
        for _ in range(40):
            seat: int = self.house.view(self.tokens[0], self.match)["to_act"][0]
            legal = self.house.ask("GET", f"/v1/matches/{self.match}/legal", self.tokens[seat])["commands"]
            if any(one["type"] == wanted for one in legal):
                return seat
            self.house.ask("POST", f"/v1/matches/{self.match}/commands", self.tokens[seat], legal[0])
        raise AssertionError(f"{wanted} was never legal")

    def give(self, seat: int, other_than: str | None = None) -> None:
        """Some card of a seat's hand to the left, without its page."""
        legal = self.house.ask("GET", f"/v1/matches/{self.match}/legal", self.tokens[seat])["commands"]
        passed = next(one for one in legal if one["type"] == "pass_card" and one["card"] != other_than)
        self.house.ask("POST", f"/v1/matches/{self.match}/commands", self.tokens[seat], passed)

    def look(self, *seats: int) -> list[Page]:
        return [self.house.table(self.contexts[seat], self.match) for seat in seats]


def _fail(error: Exception) -> None:
    raise AssertionError(f"the page failed: {error}")
