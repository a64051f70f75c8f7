"""A page of another origin talks to the server, and gets what its origin may get."""

from __future__ import annotations

import contextlib
import functools
import http.server
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser

from tests.api.served import serving
from tests.conftest import Servers

# Signs up, opens a table (which a browser asks about first) and reads its log as it comes in.
TELL = """async (api) => {
  const json = {"Content-Type": "application/json"};
  const signedUp = await fetch(api + "/v1/players", {method: "POST", headers: json, body: '{"name": "Ann"}'});
  const {token} = await signedUp.json();
  const mine = {...json, Authorization: "Bearer " + token};
  const body = JSON.stringify({game: "quenette", seats: [{kind: "me"}, {kind: "open"}]});
  const opened = await fetch(api + "/v1/matches", {method: "POST", headers: mine, body});
  const {id} = await opened.json();
  const log = await fetch(api + "/v1/matches/" + id + "/events", {headers: {...mine, Accept: "application/x-ndjson"}});
  const reader = log.body.getReader();
  let lines = "";
  for (let part; !(part = await reader.read()).done;) lines += new TextDecoder().decode(part.value);
  const refused = await fetch(api + "/v1/me");
  return {
    opened: opened.status, etag: opened.headers.get("ETag"), location: opened.headers.get("Location"),
    limit: signedUp.headers.get("RateLimit"), first: JSON.parse(lines.split("\\n")[0]).type, refused: refused.status,
  };
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *said: Any) -> None:
        pass


@contextlib.contextmanager
def pages_of(folder: pathlib.Path) -> Iterator[int]:
    """A server of pages, and its port."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        yield pages.server_address[1]
        pages.shutdown()


def told(browser: Browser, origin: str, api: str) -> dict[str, Any]:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{origin}/page.html")
        answer: dict[str, Any] = page.evaluate(f"api => ({TELL})(api).catch(error => ({{error: String(error)}}))", api)
        return answer


def test_a_page_of_an_allowed_origin_plays_and_one_of_another_gets_nothing(
    servers: Servers, browser: Browser, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "page.html").write_text("<!doctype html><title>elsewhere</title>")
    with pages_of(tmp_path) as allowed, pages_of(tmp_path) as other:
        origin = f"http://localhost:{allowed}"
        with serving(servers, tmp_path, PARLOR_ORIGINS=origin, PARLOR_RATE_SIGN_UPS="100/hour") as server:
            api = f"http://127.0.0.1:{server.port}"
            got = told(browser, origin, api)
            assert got["opened"] == 201 and got["refused"] == 401 and got["first"] == "match_opened"
            assert got["etag"] == '"1"' and got["location"].startswith("/v1/matches/")
            assert got["limit"].startswith('"sign-ups-hour";r=')
            for elsewhere in (f"http://localhost:{other}", f"http://127.0.0.1:{allowed}"):
                assert "Failed to fetch" in told(browser, elsewhere, api)["error"]
