"""A page in Chromium talks to a server of another origin, and gets what its origin may get."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.served import serving
from tests.conftest import Servers

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SECONDS = 120

# Signs up, opens a table (which a browser asks about first) and reads its log as it comes in.
PAGE = """<!doctype html><title>elsewhere</title><pre id="told"></pre><script>
const api = "API";
async function tell() {
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
}
tell().then((told) => told, (error) => ({error: String(error)}))
  .then((told) => { document.getElementById("told").textContent = JSON.stringify(told); });
</script>"""


@contextlib.contextmanager
def page_at(folder: pathlib.Path) -> Iterator[int]:
    """A server of pages, and its port."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as pages:
        thread = threading.Thread(target=pages.serve_forever, daemon=True)
        thread.start()
        yield pages.server_address[1]
        pages.shutdown()


def seen(address: str, profile: pathlib.Path) -> dict[str, Any]:
    """What the page told when it was through."""
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    command += ["--virtual-time-budget=20000", "--dump-dom", address]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True).stdout
    found = re.search(r'<pre id="told">(.*?)</pre>', shown)
    assert found and found[1], shown
    told: dict[str, Any] = json.loads(found[1].replace("&quot;", '"'))
    return told


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")
def test_a_page_of_an_allowed_origin_plays_and_one_of_another_gets_nothing(
    servers: Servers, tmp_path: pathlib.Path
) -> None:
    with page_at(tmp_path) as allowed, page_at(tmp_path) as other:
        origin = f"http://localhost:{allowed}"
        limits = {"PARLOR_RATE_SIGN_UPS": "100/hour"}
        with serving(servers, tmp_path, PARLOR_ORIGINS=origin, **limits) as server:
            (tmp_path / "page.html").write_text(PAGE.replace("API", f"http://127.0.0.1:{server.port}"))
            told = seen(f"{origin}/page.html", tmp_path / "one")
            assert told["opened"] == 201 and told["refused"] == 401 and told["first"] == "match_opened"
            assert told["etag"] == '"1"' and told["location"].startswith("/v1/matches/")
            assert told["limit"].startswith('"sign-ups-hour";r=')
            for elsewhere in (f"http://localhost:{other}", f"http://127.0.0.1:{allowed}"):
                assert "Failed to fetch" in seen(f"{elsewhere}/page.html", tmp_path / "two")["error"]
