"""Webhooks: word is sent when it should be, signed, at least once, and nowhere that it should not go."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import hmac
import ipaddress
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import flask.testing
import pytest

from api.app import Services, create_app
from eventstore.deliveries import Deliveries
from eventstore.service import Matches
from eventstore.settings import Settings
from tests.api.people import Person, play_on, problem, table
from tests.workers.crew import Crew, wait_for
from tests.workers.receiver import Receiver, drop_by_drop, endless, receiving, with_status
from workers.addresses import NotPublic, is_public, resolved
from workers.post import Post

NOT_PUBLIC = [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.8.8.8",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "224.0.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "2002:a00:1::",
    "2001:0:a00:1::1",
    "2001:db8::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
PUBLIC = ["8.8.8.8", "93.184.216.34", "::ffff:8.8.8.8", "2606:4700:4700::1111", "64:ff9b::808:808"]


@pytest.fixture(autouse=True)
def nobody_elses(parlor: Services) -> Iterator[None]:
    """No webhook but those of this test."""
    _clear(parlor)
    yield
    _clear(parlor)


def _clear(parlor: Services) -> None:
    parlor.database.run("DELETE FROM webhooks")
    parlor.database.run("DELETE FROM deliveries")


@pytest.fixture(scope="module")
def private(parlor: Services, settings: Settings) -> flask.Flask:
    """A server whose operator allows addresses of its own."""
    return create_app(parlor, dataclasses.replace(settings, webhook_private=True))


@pytest.fixture
def client(private: flask.Flask) -> flask.testing.FlaskClient:
    return private.test_client()


@pytest.fixture
def bob(client: flask.testing.FlaskClient) -> Person:
    return Person(client, "Bob")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


def a_post(parlor: Services, **more: Any) -> Post:
    quick = {"private": True, "tries": 3, "first_pause": dt.timedelta(0), "seconds": 2.0}
    return Post(Deliveries(parlor.database), **{**quick, **more})


def hook(person: Person, url: str, **more: str) -> dict[str, Any]:
    made = person.post("/v1/webhooks", json={"url": url, **more})
    assert made.status_code == 201, made.get_json()
    return made.get_json()  # type: ignore[no-any-return]


def sent(person: Person, webhook: dict[str, Any], query: str = "") -> list[dict[str, Any]]:
    answer = person.get(f"/v1/webhooks/{webhook['id']}/deliveries{query}")
    assert answer.status_code == 200, answer.get_json()
    return answer.get_json()["deliveries"]  # type: ignore[no-any-return]


# ── What is sent ────────────────────────────────────────────────────────────────────────────────────────────────


def test_whoever_is_to_act_is_sent_word_that_only_the_owner_of_the_secret_could_sign(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    # Given a player with a webhook, at a table where the player is first to act
    webhook = hook(ann, receiver.url)
    match = table([ann, bob], first_dealer=1)
    assert ann.view(match)["to_act"] == [0]
    # When the post is sent
    a_post(parlor).empty()
    # Then it holds ids and the version, and nothing of the match
    (got,) = receiver.got
    (listed,) = sent(ann, webhook)
    assert got.told == {
        "delivery": listed["id"],
        "webhook": webhook["id"],
        "player": ann.id,
        "about": "turn",
        "match": match,
        "version": ann.view(match)["version"],
    }
    signed = got.headers["parlor-timestamp"].encode() + b"." + got.body
    expected = hmac.new(webhook["secret"].encode(), signed, hashlib.sha256).hexdigest()
    assert got.headers["parlor-signature"] == f"sha256={expected}"
    assert (
        got.headers["parlor-delivery"] == listed["id"] and abs(int(got.headers["parlor-timestamp"]) - time.time()) < 60
    )
    assert got.headers["content-type"] == "application/json"
    assert (listed["state"], listed["attempts"], listed["problem"]) == ("delivered", 1, None)
    # And it is sent once
    a_post(parlor).empty()
    assert len(receiver.got) == 1


def test_every_turn_and_the_end_are_told_to_those_whom_they_concern(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    hook(bob, receiver.url, secret="a-secret-of-my-own")
    match, post = table([ann, bob], hands=1), a_post(parlor)
    turns: list[int] = []
    while (view := bob.view(match))["status"] == "playing":
        turns += [view["version"]] if 1 in view["to_act"] else []
        post.empty()
        play_on([ann, bob], match, 1)
    post.empty()
    told = receiver.of(match)
    assert [one["version"] for one in told if one["about"] == "turn"] == turns
    assert [one["version"] for one in told if one["about"] == "end"] == [view["version"]]
    assert {one["player"] for one in told} == {bob.id}


def test_a_cancelled_table_has_ended_too(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    hook(bob, receiver.url)
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ann.post("/v1/matches", json={"game": "quenette", "seats": seats}).get_json()["id"]
    bob.post(f"/v1/matches/{match}/join", json={})
    ann.post(f"/v1/matches/{match}/cancel")
    a_post(parlor).empty()
    assert [one["about"] for one in receiver.of(match)] == ["end"]


def test_a_webhook_that_comes_later_tells_of_a_turn_that_waits_already(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    match = table([ann, bob], first_dealer=1)
    hook(bob, receiver.url)
    hook(ann, receiver.url)
    a_post(parlor).empty()
    assert [one["player"] for one in receiver.of(match)] == [ann.id]


def test_a_process_that_knows_of_no_webhook_finds_out_with_the_commit(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    # Given a process that has the match warm, and a webhook that came meanwhile
    match = table([ann, bob], first_dealer=1)
    elsewhere = Matches(parlor.matches.store)
    assert not elsewhere.warm(match).hooked
    webhook = hook(bob, receiver.url)
    a_post(parlor).empty()
    # When that process appends a command
    command = ann.legal(match)[0]
    version = elsewhere.play(match, ann.id, command).version
    # Then the delivery is there with it
    assert [(one["version"], one["state"]) for one in sent(bob, webhook)] == [(version, "waiting")]
    assert elsewhere.warm(match).hooked


def test_a_match_without_webhooks_has_nothing_to_do_with_them(parlor: Services, ann: Person, bob: Person) -> None:
    match = table([ann, bob])
    heard: list[str] = []
    store = parlor.matches.store
    run = store._db.run

    def overheard(query: Any, params: Any = None) -> Any:
        heard.append(str(query))
        return run(query, params)

    store._db.run = overheard  # type: ignore[method-assign]
    try:
        play_on([ann, bob], match, 3)
    finally:
        store._db.run = run  # type: ignore[method-assign]
    appends = [query for query in heard if "UPDATE matches" in query]
    assert len(appends) == 3 and not any("deliveries" in query or "webhooks" in query for query in appends)
    assert parlor.database.run("SELECT count(*) FROM deliveries") == [(0,)]


# ── Receivers that are away ─────────────────────────────────────────────────────────────────────────────────────


def test_what_is_not_taken_is_tried_again_then_listed_as_dead_and_sent_again_when_asked(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    # Given a receiver that fails
    receiver.answers = with_status(500)
    webhook, post = hook(ann, receiver.url), a_post(parlor)
    match = table([ann, bob], first_dealer=1)
    for attempt in (1, 2):
        post.empty()
        (one,) = sent(ann, webhook, "?state=waiting")
        assert (one["attempts"], one["problem"]) == (attempt, "answered 500")
        assert one["due_at"] >= one["tried_at"]
    # When the last try has failed
    post.empty()
    post.empty()
    assert len(receiver.got) == 3
    (dead,) = sent(ann, webhook, "?state=dead")
    assert dead["attempts"] == 3 and dead["match"] == match and sent(ann, webhook, "?state=waiting") == []
    # Then it is sent again on request, with the same id
    receiver.answers = with_status(200)
    again = ann.post(f"/v1/webhooks/{webhook['id']}/deliveries/{dead['id']}/redeliver")
    assert again.status_code == 202 and again.get_json()["state"] == "waiting"
    post.empty()
    assert {one.headers["parlor-delivery"] for one in receiver.got} == {dead["id"]} and len(receiver.got) == 4
    assert [one["state"] for one in sent(ann, webhook)] == ["delivered"]


def test_the_pauses_between_tries_grow(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    receiver.answers = with_status(503)
    webhook, now = hook(ann, receiver.url), dt.datetime.now(dt.UTC)
    post = a_post(parlor, tries=10, first_pause=dt.timedelta(seconds=1), now=lambda: now)
    table([ann, bob], first_dealer=1)
    pauses = []
    now += dt.timedelta(seconds=1)
    for _ in range(9):
        post.empty()
        due = dt.datetime.fromisoformat(sent(ann, webhook)[0]["due_at"])
        pauses.append((due - now).total_seconds())
        now = due
    assert pauses == [1, 4, 16, 64, 256, 1024, 3600, 3600, 3600]


def test_a_turn_that_is_past_is_not_told_again(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    receiver.answers = with_status(500)
    webhook, post = hook(ann, receiver.url), a_post(parlor)
    match = table([ann, bob], first_dealer=1)
    post.empty()
    play_on([ann, bob], match, 1)
    post.empty()
    assert len(receiver.got) == 1 and [one["state"] for one in sent(ann, webhook)] == ["past"]


def test_one_who_answers_slowly_drop_by_drop_is_given_up_in_time(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    receiver.answers = drop_by_drop
    webhook = hook(ann, receiver.url)
    table([ann, bob], first_dealer=1)
    a_post(parlor, seconds=1.0).empty()
    assert sent(ann, webhook)[0]["problem"] == "no answer within 1 s"


def test_an_answer_without_end_is_not_read(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    receiver.answers = endless
    webhook = hook(ann, receiver.url)
    table([ann, bob], first_dealer=1)
    a_post(parlor).empty()
    assert sent(ann, webhook)[0]["state"] == "delivered"


def test_one_who_hangs_delays_nobody_else(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    # Given many deliveries to somebody who never answers, all older than one to somebody who does
    with receiving() as silent:
        let_go = threading.Event()
        silent.answers = lambda request: (let_go.wait(60), None)[1]
        hook(ann, silent.url)
        for _ in range(30):
            table([ann, bob], first_dealer=1)
        hook(bob, receiver.url)
        match = table([ann, bob], first_dealer=0)
        post = a_post(parlor, seconds=30.0)
        thread = threading.Thread(target=post.run, daemon=True)
        thread.start()
        try:
            # Then the other gets it at once, and no more than a few are under way to the first
            wait_for(lambda: receiver.of(match) and silent.got)
            assert len(silent.got) <= 4
        finally:
            post.stop()
            let_go.set()
            thread.join(10)


def test_a_delivery_whose_sender_is_killed_is_sent_by_the_next(
    crew: Crew, ann: Person, bob: Person, receiver: Receiver
) -> None:
    # Given a process that is in the middle of a delivery
    let_go = threading.Event()
    receiver.answers = lambda request: (let_go.wait(60), None)[1]
    webhook = hook(ann, receiver.url)
    match = table([ann, bob], first_dealer=1)
    process = crew.start("reconcile", PARLOR_WEBHOOK_PRIVATE="1")
    wait_for(lambda: receiver.of(match))
    # When it is killed
    process.kill()
    process.wait()
    receiver.answers = with_status(204)
    assert [one["state"] for one in sent(ann, webhook)] == ["waiting"]
    crew.start("reconcile", PARLOR_WEBHOOK_PRIVATE="1")
    # Then another process sends the same again
    wait_for(lambda: [one["state"] for one in sent(ann, webhook)] == ["delivered"])
    assert [one["delivery"] for one in receiver.of(match)] == [sent(ann, webhook)[0]["id"]] * 2
    let_go.set()


# ── Where it may go ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_an_address_that_is_not_everybodys_is_refused(address: str, app: flask.Flask) -> None:
    assert not is_public(ipaddress.ip_address(address))
    eve = Person(app.test_client(), "Eve")
    host = f"[{address}]" if ":" in address else address
    refused = problem(eve.post("/v1/webhooks", json={"url": f"https://{host}/"}), 422, "does_not_fit")
    assert "url" in refused["errors"]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_that_is_everybodys_is_allowed(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("name", ["localhost", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "0"])
def test_a_name_that_leads_here_is_refused_however_it_is_written(name: str) -> None:
    with pytest.raises(NotPublic):
        resolved(name, 80)


@pytest.mark.parametrize("host", ["localhost", "2130706433", "[::ffff:127.0.0.1]"])
def test_nothing_is_sent_to_this_machine_unless_the_operator_allows_it(
    host: str, parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    webhook = hook(ann, f"http://{host}:{receiver.port}/")
    table([ann, bob], first_dealer=1)
    a_post(parlor, private=False).empty()
    assert receiver.got == [] and sent(ann, webhook)[0]["problem"] == "the address is not a public one"


class Names:
    """A name server whose answers change from one question to the next."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
        self.asked, self._answers, self._real = 0, answers, socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self)

    def __call__(self, host: Any, port: Any, *given: Any, **more: Any) -> Any:
        if host not in ("hooks.example", b"hooks.example"):
            return self._real(host, port, *given, **more)
        self.asked += 1
        found = self._answers[min(self.asked, len(self._answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]


def test_a_name_with_one_private_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Names(monkeypatch, ["8.8.8.8", "10.0.0.1"])
    with pytest.raises(NotPublic):
        resolved("hooks.example", 443)


def test_a_name_is_looked_up_once_and_its_address_kept(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that led to a public address when it was checked must not lead elsewhere a moment later."""
    with receiving() as other:
        names = Names(monkeypatch, ["127.0.0.1"], ["127.0.0.2"])
        hook(ann, f"http://hooks.example:{receiver.port}/path?query=1")
        table([ann, bob], first_dealer=1)
        a_post(parlor).empty()
        (got,) = receiver.got
        assert names.asked == 1 and got.headers["host"] == f"hooks.example:{receiver.port}" and not other.got


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(
    status: int, parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    with receiving() as other:
        receiver.answers = with_status(status, Location=other.url)
        webhook = hook(ann, receiver.url)
        table([ann, bob], first_dealer=1)
        a_post(parlor).empty()
        assert sent(ann, webhook)[0]["problem"] == f"answered {status}; redirects are not followed"
        assert len(receiver.got) == 1 and other.got == []


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl IS MISSING: https was NOT tried")
@pytest.mark.parametrize(("certified", "state"), [("hooks.example", "delivered"), ("other.example", "waiting")])
def test_over_https_the_name_has_to_be_in_the_certificate(
    certified: str,
    state: str,
    parlor: Services,
    ann: Person,
    bob: Person,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout {tmp_path}/key -out {tmp_path}/cert -subj /CN=x"
    subprocess.run([*made.split(), "-addext", f"subjectAltName=DNS:{certified}"], check=True, capture_output=True)
    serves = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serves.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    Names(monkeypatch, ["127.0.0.1"])
    with receiving(serves) as receiver:
        webhook = hook(ann, f"https://hooks.example:{receiver.port}/")
        table([ann, bob], first_dealer=1)
        a_post(parlor, trusted=ssl.create_default_context(cafile=str(tmp_path / "cert"))).empty()
        (one,) = sent(ann, webhook)
        assert one["state"] == state and len(receiver.got) == (state == "delivered")
        assert state == "delivered" or "CERTIFICATE_VERIFY_FAILED" in one["problem"]


# ── Whose they are ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_webhook_belongs_to_its_owner_alone(ann: Person, bob: Person, receiver: Receiver) -> None:
    webhook = hook(ann, receiver.url)
    assert [one["id"] for one in ann.get("/v1/webhooks").get_json()["webhooks"]] == [webhook["id"]]
    assert "secret" not in ann.get("/v1/webhooks").get_json()["webhooks"][0]
    table([ann, bob], first_dealer=1)
    (one,) = sent(ann, webhook)
    assert bob.get("/v1/webhooks").get_json()["webhooks"] == []
    problem(bob.get(f"/v1/webhooks/{webhook['id']}/deliveries"), 404, "not_found")
    problem(bob.post(f"/v1/webhooks/{webhook['id']}/deliveries/{one['id']}/redeliver"), 404, "not_found")
    problem(bob.delete(f"/v1/webhooks/{webhook['id']}"), 404, "not_found")
    other = hook(bob, receiver.url)
    problem(bob.post(f"/v1/webhooks/{other['id']}/deliveries/{one['id']}/redeliver"), 404, "not_found")
    problem(ann.with_token("match:play").post("/v1/webhooks", json={"url": receiver.url}), 403, "scope_missing")


def test_a_deleted_webhook_is_sent_nothing(parlor: Services, ann: Person, bob: Person, receiver: Receiver) -> None:
    webhook = hook(ann, receiver.url)
    match = table([ann, bob], first_dealer=1)
    assert ann.delete(f"/v1/webhooks/{webhook['id']}").status_code == 204
    play_on([ann, bob], match, 2)
    a_post(parlor).empty()
    assert receiver.got == [] and parlor.database.run("SELECT count(*) FROM deliveries") == [(0,)]


def test_a_webhook_falls_with_the_token_that_made_it(
    parlor: Services, ann: Person, bob: Person, receiver: Receiver
) -> None:
    stolen = ann.with_token("match:read")
    hook(stolen, receiver.url)
    table([ann, bob], first_dealer=1)
    ann.delete(f"/v1/tokens/{stolen.token_id}")
    a_post(parlor).empty()
    assert receiver.got == [] and ann.get("/v1/webhooks").get_json()["webhooks"] == []
    assert parlor.database.run("SELECT count(*) FROM deliveries") == [(0,)]


def test_a_player_has_only_so_many(ann: Person, settings: Settings) -> None:
    made = [hook(ann, "https://example.org/") for _ in range(settings.webhooks)]
    problem(ann.post("/v1/webhooks", json={"url": "https://example.org/"}), 409, "too_many_webhooks")
    ann.delete(f"/v1/webhooks/{made[0]['id']}")
    hook(ann, "https://example.org/")


@pytest.mark.parametrize(
    "url",
    ["", "example.org", "ftp://example.org/", "http://", "file:///etc/passwd", "http://a:b@example.org/", "http://x y/",
     "http://example.org:99999/", "http://[::1/", "http://example.org/#part", "https://example.org/" + "a" * 500],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str, ann: Person) -> None:
    problem(ann.post("/v1/webhooks", json={"url": url}), 422, "does_not_fit")


@pytest.mark.parametrize("secret", ["short", "with spaces in it all over", "é" * 20])
def test_what_is_no_secret_is_refused(secret: str, ann: Person) -> None:
    problem(ann.post("/v1/webhooks", json={"url": "https://example.org/", "secret": secret}), 422, "does_not_fit")


def test_long_lists_come_in_pages(ann: Person, bob: Person) -> None:
    webhook = hook(ann, "https://example.org/")
    matches = {table([ann, bob], first_dealer=1) for _ in range(5)}
    found, cursor = [], ""
    while True:
        page = ann.get(f"/v1/webhooks/{webhook['id']}/deliveries?limit=2{cursor}").get_json()
        found += [one["match"] for one in page["deliveries"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert len(found) == 5 and set(found) == matches
