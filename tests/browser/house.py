"""A server with a worker for its bots, and people who know it through the API and through the page."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.api.served import Server

# What the page hears is kept by the page itself: streams have no end that could be waited for.
LISTEN = """
window.heard = "";
const ask = window.fetch;
window.fetch = async (...given) => {
  const answer = await ask(...given);
  const [kept, passed] = answer.body ? answer.body.tee() : [null, null];
  if (kept) (async () => {
    const reader = kept.getReader(), decoder = new TextDecoder();
    for (let part; !(part = await reader.read()).done;) window.heard += decoder.decode(part.value, {stream: true});
  })().catch(() => {});
  return passed ? new Response(passed, answer) : answer;
};
"""
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}


class House:
    def __init__(self, server: Server, browser: Browser) -> None:
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"
        self.browser = browser

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

    def steps(self, token: str, match: str, first: int, last: int, seat: int) -> list[Any]:
        """The tables that a seat has seen from one version to another, and what was told to everybody."""
        path = f"/v1/matches/{match}/replay?from={first}&to={last}&as={seat}"
        lines = self.server.get(path, Authorization=f"Bearer {token}").body.decode().splitlines()
        return [(step["view"]["table"], step["event"]["public"]) for step in map(json.loads, lines)]

    def person(self, token: str | None = None, *, heard: bool = False, **options: Any) -> BrowserContext:
        """A browser that knows this token, and nobody else's."""
        made = self.browser.new_context(viewport=options.pop("viewport", DESKTOP), reduced_motion="reduce", **options)
        if token:
            made.add_init_script(f"localStorage.setItem('parlor.token', '{token}')")
        if heard:
            made.add_init_script(LISTEN)
        return made

    def open(self, context: BrowserContext, path: str) -> Page:
        """A page in which nothing may go wrong without being seen."""
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", _fail)
        page.goto(f"{self.url}{path}")
        return page

    def table(self, context: BrowserContext, match: str) -> Page:
        page = self.open(context, f"/matches/{match}")
        page.wait_for_selector(".match .table, .match .lobby")
        return page


def _fail(error: Exception) -> None:
    raise AssertionError(f"the page failed: {error}")
