"""Examples for openapi.yaml, taken from the running server: `make openapi` plays a short scene and writes them down.

What changes with every run (ids, tokens, times, hashes, shuffles) is replaced by lasting stand-ins, so that the file only
changes when the API does.
"""

from __future__ import annotations

import json
import pathlib
import re
import tempfile
from collections.abc import Callable
from typing import Any

import flask
import flask.testing

from api import openapi
from api.app import create_app, services
from eventstore.embedded import Postgres, Valkey
from eventstore.migrate import migrate
from eventstore.operators import Operators
from eventstore.settings import Settings

ROOT = pathlib.Path(__file__).parent.parent.parent
STAND_INS: list[tuple[str, Callable[[int], str]]] = [
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", lambda n: f"00000000-0000-4000-8000-{n:012d}"),
    (r"\b[0-9a-f]{64}\b", lambda n: f"a{n:063x}"),  # no reader of YAML takes it for a number
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|\+00:00)", lambda n: "2026-01-01T12:00:00.000000Z"),
]


class Scene:
    """Sends requests and keeps the answers that the reference shows."""

    def __init__(self, app: flask.Flask) -> None:
        self._client = app.test_client()
        self._app = app
        self.kept: dict[str, Any] = {}
        self.token = ""

    def send(self, method: str, path: str, keep: bool = True, **more: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", **more.pop("headers", {})} if self.token else {}
        answer = self._client.open(path, method=method.upper(), headers=headers, **more)
        if keep and answer.data:
            rule = self._app.url_map.bind("").match(path.split("?")[0], method=method.upper(), return_rule=True)[0].rule
            place = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule)
            kind = answer.get_json() if answer.is_json else answer.get_data(as_text=True)
            self.kept.setdefault(f"{method} {place} {answer.status_code}", kind)
        return answer.get_json() if answer.is_json else None


def play(app: flask.Flask) -> dict[str, Any]:
    """The scene: two people sign up, one opens a table, they play two cards, one of them wrong."""
    scene = Scene(app)
    scene.send("get", "/healthz")
    scene.send("get", "/readyz")
    for path in ("/v1/games", "/v1/games/quenette", "/v1/games/quenette/rules", "/v1/games/quenette/rules/QU-11"):
        scene.send("get", path)
    scene.send("get", "/v1/games/chess")
    scene.send("post", "/v1/players", json={"name": ""})
    ann = scene.send("post", "/v1/players", json={"name": "Ann"})
    bob = scene.send("post", "/v1/players", keep=False, json={"name": "Bob"})
    scene.send("get", "/v1/me")
    scene.token = ann["token"]
    scene.send("get", "/v1/me")
    spare = scene.send("post", "/v1/tokens", json={"label": "my bot", "scopes": ["match:read", "match:play"]})
    scene.send("get", "/v1/tokens")
    scene.send("delete", f"/v1/tokens/{spare['id']}")
    webhook = scene.send("post", "/v1/webhooks", json={"url": "https://bots.example.org/parlor"})["id"]
    scene.send("get", "/v1/webhooks")
    seats = [{"kind": "me"}, {"kind": "open"}]
    options = {"hands": 1, "first_dealer": 0}
    match = scene.send("post", "/v1/matches", json={"game": "quenette", "seats": seats, "options": options})["id"]
    scene.send("post", "/v1/matches", json={"game": "quenette", "seats": seats[:1]})
    scene.send("get", "/v1/matches?show=mine")
    scene.send("post", f"/v1/matches/{match}/start")
    invited = [{"kind": "me"}, {"kind": "player", "player": bob["id"]}]
    given_up = scene.send("post", "/v1/matches", keep=False, json={"game": "quenette", "seats": invited})["id"]
    scene.token = bob["token"]
    scene.send("post", f"/v1/matches/{given_up}/decline")
    scene.send("post", f"/v1/matches/{given_up}/join", keep=False, json={})
    scene.send("post", f"/v1/matches/{given_up}/leave")
    scene.token = ann["token"]
    invitation = scene.send("post", f"/v1/matches/{given_up}/invitations", json={"seat": 1})
    scene.send("get", f"/v1/matches/{given_up}/invitations")
    scene.send("get", f"/v1/matches/{given_up}/invitations/{invitation['id']}")
    scene.token = bob["token"]
    scene.send("post", f"/v1/matches/{given_up}/join", keep=False, json={"invitation": invitation["code"]})
    scene.token = ann["token"]
    scene.send("delete", f"/v1/matches/{given_up}/invitations/{invitation['id']}")
    scene.send("post", f"/v1/matches/{given_up}/notes", json={"text": "I have to go."})
    scene.send("get", f"/v1/matches/{given_up}/notes")
    scene.send("post", f"/v1/matches/{given_up}/kick", json={"seat": 1})
    scene.send("post", f"/v1/matches/{given_up}/cancel")
    scene.token = bob["token"]
    scene.send("post", f"/v1/matches/{match}/join", json={"client_seed": "bob-chose-this"})
    scene.token = ann["token"]
    scene.send("post", f"/v1/matches/{match}/start")
    scene.send("post", f"/v1/matches/{match}/commands", json={"type": "play_card", "card": "C-1"})
    scene.send("get", "/v1/matches/00000000-0000-4000-8000-000000000000")
    scene.token = bob["token"]
    legal = scene.send("get", f"/v1/matches/{match}/legal")
    command = legal["commands"][0]
    scene.send("post", f"/v1/matches/{match}/commands", json=command, headers={"If-Match": '"1"'})
    scene.send("post", f"/v1/matches/{match}/commands", json=command, headers={"Idempotency-Key": "bobs-first-card"})
    scene.send("get", f"/v1/matches/{match}")
    scene.send("get", f"/v1/matches/{match}/events")
    scene.send("get", f"/v1/matches/{match}/board")
    board = scene.send("post", "/v1/matches", keep=False, json={"game": "checkers", "seats": seats})["board_href"]
    scene.send("get", board)
    scene.send("post", f"/v1/matches/{match}/draw", json={"action": "offer"})
    scene.send("post", f"/v1/matches/{match}/resign")
    scene.send("post", f"/v1/matches/{match}/rematch")
    scene.token = ann["token"]
    deliveries = scene.send("get", f"/v1/webhooks/{webhook}/deliveries?limit=1")["deliveries"]
    scene.send("post", f"/v1/webhooks/{webhook}/deliveries/{deliveries[0]['id']}/redeliver")
    scene.send("delete", f"/v1/webhooks/{webhook}")
    accounts(scene, app.extensions["parlor"].players.operators, ann["id"], bob)
    return scene.kept


def accounts(scene: Scene, operators: Operators, ann: str, bob: dict[str, Any]) -> None:
    """What becomes of the accounts: one is renamed, lost and recovered, the other is closed."""
    scene.send("patch", "/v1/me", json={"name": "Anna"})
    code = scene.send("post", "/v1/me/recovery")["recovery_code"]
    scene.send("post", "/v1/recover", json={"player": ann, "code": "AAAAA-AAAAA-AAAAA-AAAAA-AAAAA"})
    scene.token = scene.send("post", "/v1/recover", json={"player": ann, "code": code})["token"]
    own = scene.send("get", "/v1/me", keep=False)["token_id"]
    scene.token = scene.send("post", f"/v1/tokens/{own}/rotate")["token"]
    scene.send("delete", "/v1/me")
    scene.token = bob["token"]
    seats = [{"kind": "me"}, {"kind": "open"}]
    rude = scene.send("post", "/v1/matches", keep=False, json={"game": "quenette", "seats": seats})["id"]
    scene.token, _ = operators.issue("the operator's", None)
    scene.send("post", f"/v1/operator/matches/{rude}/close", json={"reason": "insults"})
    scene.send("post", f"/v1/operator/players/{bob['id']}/close", json={"reason": "insults"})
    scene.send("get", "/v1/operator/log?limit=1")


def lasting(kept: dict[str, Any], tokens: dict[str, str] | None = None) -> dict[str, Any]:
    """The same with stand-ins for what changes from run to run."""
    text = json.dumps(kept, sort_keys=True)
    for pattern, stand_in in STAND_INS:
        seen: dict[str, int] = {}
        for found in re.findall(pattern, text):
            seen.setdefault(found, len(seen) + 1)
        for found, number in seen.items():
            text = text.replace(found, stand_in(number))
    text = re.sub(r'("(?:token|secret)": )"[\w-]{43}"', r'\1"a-secret-of-43-letters"', text)
    text = re.sub(r'("code": "|invitation=)[\w-]{32}(?=")', r"\1a-code-of-32-letters", text)
    text = re.sub(r'("recovery_code": )"[0-9A-Z-]{29}"', r'\1"A2B3C-A2B3C-A2B3C-A2B3C-A2B3C"', text)
    text = re.sub(r'("next": )"[\w=-]{60,}"', r'\1"a-cursor"', text)
    tidied: dict[str, Any] = json.loads(text)
    return tidied


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="parlor-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
        try:
            migrate(postgres.url)
            app = create_app(services(postgres.url, valkey.url, Settings()), Settings())
            openapi.EXAMPLES.write_text(json.dumps(lasting(play(app)), indent=1, sort_keys=True) + "\n")
            (ROOT / "openapi.yaml").write_text(openapi.written(app))
        finally:
            valkey.stop()
            postgres.stop("immediate")


if __name__ == "__main__":
    main()
