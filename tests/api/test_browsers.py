"""Pages from elsewhere, and what browsers keep: CORS, compression, static files, links."""

from __future__ import annotations

import dataclasses
import gzip
import json
import pathlib
import re
from collections.abc import Iterator

import flask.testing
import pytest
import yaml

from api.app import Services, create_app
from api.browsers import worth_compressing
from eventstore.settings import Settings, SettingsError, settings
from tests.api.people import Person, play_on, table
from tests.api.served import Server, serving
from tests.conftest import Servers

Client = flask.testing.FlaskClient

GOOD = "https://good.example"
ALMOST = (
    "https://good.example.evil.com",
    "https://evil.good.example",
    "https://evilgood.example",
    "https://good.example.",
    "https://good.example/",
    "https://good.example:8443",
    "https://good.example:443",
    "http://good.example",
    "https://GOOD.example",
    "HTTPS://good.example",
    "https://good.example, https://evil.com",
    "https://good.example https://evil.com",
    "good.example",
    "null",
    "*",
    "",
)


def allowing(parlor: Services, settings: Settings, *origins: str) -> Client:
    return create_app(parlor, dataclasses.replace(settings, origins=origins)).test_client()


@pytest.fixture
def open_to_good(parlor: Services, settings: Settings) -> Client:
    return allowing(parlor, settings, GOOD, "http://localhost:5173")


@pytest.fixture(scope="module")
def server(servers: Servers, folder: pathlib.Path) -> Iterator[Server]:
    with serving(servers, folder, PARLOR_ORIGINS=f"{GOOD}, http://localhost:5173", PARLOR_REQUEST_SECONDS="2") as made:
        yield made


# ── Origins ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("origin", [GOOD, "http://localhost:5173"])
def test_a_page_of_an_allowed_origin_reads_answers_and_their_headers(open_to_good: Client, origin: str) -> None:
    for path in ("/v1/games", "/v1/me", "/v1/nowhere", "/openapi.json"):
        headers = open_to_good.get(path, headers={"Origin": origin}).headers
        assert headers["Access-Control-Allow-Origin"] == origin
        exposed = headers["Access-Control-Expose-Headers"].split(", ")
        wanted = {"ETag", "Location", "Retry-After", "RateLimit", "RateLimit-Policy", "Preference-Applied"}
        assert wanted <= set(exposed)
        assert "Origin" in headers["Vary"] and "Access-Control-Allow-Credentials" not in headers


@pytest.mark.parametrize("origin", ALMOST)
def test_an_origin_that_is_almost_allowed_is_not(open_to_good: Client, origin: str) -> None:
    told = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    for answer in (open_to_good.get("/v1/games", headers=told), open_to_good.options("/v1/matches", headers=told)):
        assert not any(name.startswith("Access-Control") for name, _ in answer.headers)
        assert "Origin" in answer.headers["Vary"]  # or a cache would keep this answer for the good one


def test_without_the_setting_no_page_from_elsewhere_reads_anything(client: Client) -> None:
    told = {"Origin": GOOD, "Access-Control-Request-Method": "GET"}
    for answer in (client.get("/v1/me", headers=told), client.options("/v1/me", headers=told)):
        assert "Access-Control-Allow-Origin" not in answer.headers and "Vary" not in answer.headers


def test_a_star_lets_every_page_in(parlor: Services, settings: Settings) -> None:
    client = allowing(parlor, settings, "*")
    answer = client.get("/v1/me", headers={"Origin": "https://any.example"})
    assert answer.headers["Access-Control-Allow-Origin"] == "*" and "Vary" not in answer.headers
    assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_browser_that_asks_first_is_told_what_may_be_sent(server: Server) -> None:
    for path in ("/v1/matches/00000000-0000-0000-0000-000000000000/commands", "/v1/matches", "/v1/nowhere"):
        told = {"Origin": GOOD, "Access_Control_Request_Method": "POST"}
        got = server.request(
            "OPTIONS", path, None, Access_Control_Request_Headers="authorization,idempotency-key", **told
        )
        assert got.status == 204 and got.body == b"" and "content-length" not in got.headers
        assert got.headers["access-control-allow-origin"] == GOOD and got.headers["vary"] == "Origin"
        assert {"GET", "POST", "PATCH", "DELETE"} <= set(got.headers["access-control-allow-methods"].split(", "))
        taken = got.headers["access-control-allow-headers"].lower().split(", ")
        assert {"authorization", "content-type", "idempotency-key", "if-match", "if-none-match"} <= set(taken)
        assert {"last-event-id", "prefer"} <= set(taken)
        assert int(got.headers["access-control-max-age"]) > 600


def test_the_short_way_of_commands_and_the_gate_itself_answer_pages_too(server: Server, client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob])
    mover = next(person for person in (ann, bob) if person.legal(match))
    command = json.dumps(mover.legal(match)[0]).encode()
    told = {"Authorization": f"Bearer {mover.token}", "Content_Type": "application/json", "Origin": GOOD}
    played = server.request("POST", f"/v1/matches/{match}/commands", command, **told)
    refused = server.request("POST", f"/v1/matches/{match}/commands", command, **{**told, "If_Match": '"1"'})
    log = server.get(f"/v1/matches/{match}/events", Accept="application/x-ndjson", **told)
    too_large = server.request("POST", "/v1/players", b" " * 70_000, **told)
    assert [one.status for one in (played, refused, log, too_large)] == [200, 412, 200, 413]
    assert log.headers["transfer-encoding"] == "chunked"
    for got in (played, refused, log, too_large):
        assert got.headers["access-control-allow-origin"] == GOOD and "Origin" in got.headers["vary"]
    slow = server.say(b"GET /v1/games HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nX: ")
    assert slow.status == 408 and "access-control-allow-origin" not in slow.headers


@pytest.mark.parametrize(
    "text",
    [
        "good.example",
        "null",
        "https://good.example/",
        "https://good.example/path",
        "https://good.example:443",
        "http://good.example:80",
        "https://GOOD.example",
        "https://me@good.example",
        "https://*.good.example",
        "https://good.example https://evil.com",
        f"*, {GOOD}",
        f"{GOOD},",
    ],
)
def test_origins_that_no_browser_sends_are_refused_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match="PARLOR_ORIGINS must be"):
        settings({"PARLOR_ORIGINS": text})


# ── Compression ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_long_texts_are_compressed_for_who_takes_it(server: Server, client: Client) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob], hands=1)
    play_on([ann, bob], match)
    path = f"/v1/matches/{match}/events"
    told = {"Authorization": f"Bearer {ann.token}"}
    plain = server.get(path, **told)
    zipped = server.get(path, Accept_Encoding="br, gzip", **told)
    assert plain.headers.get("content-encoding") is None and zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body and len(zipped.body) < len(plain.body) / 2
    for got in (plain, zipped):
        assert got.headers["vary"] == "Origin, Accept-Encoding"
        assert int(got.headers["content-length"]) == len(got.body)
    for refused in ("identity", "gzip;q=0", "br"):
        assert "content-encoding" not in server.get(path, Accept_Encoding=refused, **told).headers
    head = server.request("HEAD", path, None, Accept_Encoding="gzip", **told)
    assert head.status == 200 and head.body == b"" and head.headers["content-encoding"] == "gzip"
    assert head.headers.get("content-length", zipped.headers["content-length"]) == zipped.headers["content-length"]
    log = server.get(path, Accept_Encoding="gzip", Accept="application/x-ndjson", **told)
    assert "content-encoding" not in log.headers and log.body.startswith(b"{")
    assert "content-encoding" not in server.get("/v1/me", Accept_Encoding="gzip", **told).headers
    view = server.get(f"/v1/matches/{match}", Accept_Encoding="gzip", **told)
    assert view.headers["etag"] == server.get(f"/v1/matches/{match}", **told).headers["etag"]


def test_what_holds_a_secret_is_never_compressed(client: Client) -> None:
    """Tokens and the secrets of webhooks stand in answers of 201, rotated ones in a short one, and nowhere else."""
    long = [("Content-Type", "application/json"), ("Content-Length", "100000")]
    assert worth_compressing("200 OK", long) and not worth_compressing("201 CREATED", long)
    ann = Person(client, "Ann")
    made = ann.post("/v1/tokens", json={"label": "x", "scopes": ["match:read"]})
    hook = ann.post("/v1/webhooks", json={"url": "https://a.example/"})
    assert made.status_code == hook.status_code == 201
    shown = [ann.get(path).get_data(as_text=True) for path in ("/v1/tokens", "/v1/webhooks", "/v1/me")]
    rotated = ann.post(f"/v1/tokens/{made.get_json()['id']}/rotate", {"Accept-Encoding": "gzip"})
    assert rotated.status_code == 200 and rotated.get_json()["token"] and "Content-Encoding" not in rotated.headers
    for secret in (ann.token, made.get_json()["token"], rotated.get_json()["token"], hook.get_json()["secret"]):
        assert not any(secret in text for text in shown)


# ── Files and documents ─────────────────────────────────────────────────────────────────────────────────────────


def test_files_are_kept_for_ever_under_an_address_that_changes_with_them(client: Client) -> None:
    page = client.get("/docs").get_data(as_text=True)
    addresses = re.findall(r'"(/static/[0-9a-f]{16}/[^"]+)"', page)
    assert {address.rpartition("/")[2] for address in addresses} == {
        "swagger-ui.css",
        "swagger-ui-bundle.js",
        "docs.js",
        "favicon-32x32.png",
    }
    for address in addresses:
        found = client.get(address)
        assert found.status_code == 200 and found.data
        assert found.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        tag = found.headers["ETag"]
        assert tag.startswith("W/"), "it stands for the compressed bytes as well"
        assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
        zipped = client.get(address, headers={"Accept-Encoding": "gzip"})
        if address.endswith((".js", ".css")) and len(found.data) > 2048:
            assert zipped.headers["Content-Encoding"] == "gzip" and gzip.decompress(zipped.data) == found.data
            assert zipped.headers["Vary"] == "Accept-Encoding"
        else:
            assert "Content-Encoding" not in zipped.headers
        old = address.replace(address.split("/")[2], "0" * 16)
        assert client.get(old).status_code == 404
    folder = addresses[0].rpartition("/")[0]
    for odd in ("nothing.js", "docs.html", "..%2fapp.py", "../app.py", "%2e%2e/app.py"):
        assert client.get(f"{folder}/{odd}").status_code == 404


def test_the_document_is_there_in_yaml_and_in_json(client: Client) -> None:
    as_json, as_yaml = client.get("/openapi.json"), client.get("/openapi.yaml")
    assert as_yaml.mimetype == "application/yaml"
    assert yaml.load(as_yaml.data, getattr(yaml, "CSafeLoader", yaml.SafeLoader)) == as_json.get_json()
    for answer in (as_json, as_yaml):
        path = answer.request.path
        assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
        zipped = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(zipped.data) == answer.data and len(zipped.data) < len(answer.data) / 5


# ── The public address ──────────────────────────────────────────────────────────────────────────────────────────


def test_links_begin_with_the_public_address_if_there_is_one(parlor: Services, settings: Settings) -> None:
    def links(public: str | None) -> set[str]:
        client = create_app(parlor, dataclasses.replace(settings, public_url=public)).test_client()
        seats = [{"kind": "me"}, {"kind": "open"}]
        ann = Person(client, "Ann")
        opened = ann.post("/v1/matches", json={"game": "quenette", "seats": seats})
        match = opened.get_json()["id"]
        invited = ann.post(f"/v1/matches/{match}/invitations", json={})
        noted = ann.post(f"/v1/matches/{match}/notes", json={"text": "Come!"})
        found = {made.headers["Location"].partition(match)[0] for made in (opened, invited, noted)}
        server = client.get("/openapi.json").get_json()["servers"][0]["url"]
        return {*found, invited.get_json()["href"].partition(match)[0], server}

    assert links(None) == {"/v1/matches/", "/"}
    public = "https://games.example"
    assert links(public) == {f"{public}/v1/matches/", public}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("https://games.example", "https://games.example"),
        ("https://games.example/", "https://games.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_public_address_is_an_address(text: str, read: str) -> None:
    assert settings({"PARLOR_PUBLIC_URL": text}).public_url == read


@pytest.mark.parametrize(
    "text",
    [
        "games.example",
        "ftp://games.example",
        "https://",
        "https://a.example/path",
        "https://a.example?x",
        "https://me@a.example",
        "https://a.example\r\nX: y",
    ],
)
def test_what_is_no_public_address_is_refused_at_the_start(text: str) -> None:
    with pytest.raises(SettingsError, match="PARLOR_PUBLIC_URL must be"):
        settings({"PARLOR_PUBLIC_URL": text})
