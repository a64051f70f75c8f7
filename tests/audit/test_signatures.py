"""The server signs what it says, and whoever kept a signature can prove a rewritten log wrong."""

from __future__ import annotations

import datetime as dt
import json
import os
import pathlib
import stat
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner

from api.app import Services, create_app, services
from api.verifying import keys_commands, verify_command
from domain.wire import Parts
from eventstore import signing
from eventstore.chain import GENESIS, Stored, chained
from eventstore.migrate import migrate
from eventstore.settings import Settings
from eventstore.signing import Signer, SigningKeyError, keys, sign_ended
from eventstore.store import EventStore
from eventstore.trees import Trees
from tests.api.people import Person, problem, table
from tests.audit import test_bundles
from tests.conftest import Servers
from workers.notary import Notary


def soon() -> dt.datetime:
    """When all that was just played has settled."""
    return dt.datetime.now(dt.UTC) + dt.timedelta(minutes=5)


@pytest.fixture
def key(tmp_path: pathlib.Path) -> pathlib.Path:
    return signing.made(tmp_path)


@pytest.fixture
def signed(empty: str, servers: Servers, key: pathlib.Path) -> Iterator[Services]:
    """A server with a key, on a database of its own."""
    migrate(empty)
    made = services(empty, servers.valkey.url, Settings(signing_key=str(key)))
    yield made
    made.database.close()


@pytest.fixture
def people(signed: Services) -> list[Person]:
    client = create_app(signed, Settings()).test_client()
    return [Person(client, "Ann"), Person(client, "Bob")]


def finished(people: list[Person]) -> str:
    match = table(people, "checkers")
    people[0].play(match, people[0].legal(match)[0])
    people[1].post(f"/v1/matches/{match}/resign")
    return match


def log_of(person: Person, match: str, folder: pathlib.Path) -> pathlib.Path:
    path = folder / "match.ndjson"
    path.write_bytes(person.get(f"/v1/matches/{match}/events", {"Accept": "application/x-ndjson"}).data)
    return path


def kept(value: Any, path: pathlib.Path) -> str:
    path.write_text(json.dumps(value))
    return str(path)


def verified(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(verify_command, [*arguments, "--bots", "none"])
    return result.exit_code, result.output


def rewritten(url: str, match: str) -> None:
    """What an owner of the database can do: another log for the same match, with a perfect chain."""
    with psycopg.connect(url, autocommit=True) as database:
        database.execute("ALTER TABLE events DISABLE TRIGGER ALL")
        seed = bytes(database.execute("SELECT seed FROM matches WHERE match_id = %s", (match,)).fetchone()[0])  # type: ignore[index]
        rows = database.execute(
            "SELECT version, type, schema, public, secret, actor, command_id, at FROM events WHERE match_id = %s ORDER BY version",
            (match,),
        ).fetchall()
        previous = GENESIS
        for version, kind, schema, public, secret, actor, command, at in rows:
            if version == 2:
                at -= dt.timedelta(seconds=1)  # nothing in the log itself can tell
            one = Stored(version, Parts(kind, public, secret or {}), schema, actor, command, at, b"")
            one = chained(previous, seed, match, one)
            previous = one.hash
            database.execute(
                "UPDATE events SET at = %s, hash = %s WHERE match_id = %s AND version = %s",
                (at, one.hash, match, version),
            )


# ── The key ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_first_start_makes_a_key_that_only_its_owner_can_read(tmp_path: pathlib.Path) -> None:
    path = signing.made(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    assert signing.made(tmp_path).read_bytes() == before


def test_a_key_that_others_can_read_is_refused(key: pathlib.Path) -> None:
    key.chmod(0o640)
    with pytest.raises(SigningKeyError, match="chmod 600"):
        signing.read_key(str(key))


@pytest.mark.parametrize(
    "text", ["-----BEGIN nonsense", "/no/such/file", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"]
)
def test_garbage_is_no_key(text: str) -> None:
    with pytest.raises(SigningKeyError):
        signing.read_key(text)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_key_that_root_rotates_stays_with_the_user_whose_server_reads_it(key: pathlib.Path) -> None:
    os.chown(key, 65534, 65534)
    before = key.read_bytes()
    assert CliRunner().invoke(keys_commands, ["rotate"], obj=Settings(signing_key=str(key))).exit_code == 0
    found = key.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (65534, 65534, 0o600)
    assert key.read_bytes() != before


def test_a_key_can_be_given_as_text(key: pathlib.Path) -> None:
    text = key.read_text()
    same = (signing.read_key(given).public_key().public_bytes(*signing.RAW) for given in (text, str(key)))
    assert len(set(same)) == 1


def test_a_server_without_a_key_says_so(client: Any) -> None:
    ann, bob = Person(client, "Ann"), Person(client, "Bob")
    match = table([ann, bob], "checkers")
    problem(ann.post(f"/v1/matches/{match}/receipt"), 409, "not_signed")


# ── Receipts ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_receipt_proves_a_rewritten_log_wrong(
    people: list[Person], empty: str, tmp_path: pathlib.Path, signed: Services
) -> None:
    match = finished(people)
    receipt = people[0].post(f"/v1/matches/{match}/receipt").get_json()
    assert receipt["statement"]["kind"] == "receipt"
    given = (
        str(log_of(people[0], match, tmp_path)),
        "--keys",
        kept(people[0].get("/.well-known/parlor-keys.json").get_json(), tmp_path / "keys"),
        "--receipt",
        kept(receipt, tmp_path / "receipt"),
    )
    code, said = verified(*given)
    assert code == 0 and "signatures:  1 ok" in said, said
    rewritten(empty, match)
    signed.matches.forget(match)
    log_of(people[0], match, tmp_path)
    assert verified(given[0])[0] == 0  # the forged log is sound in itself
    code, said = verified(*given)
    assert code == 1 and "another head" in said, said


def test_a_receipt_is_for_the_seats(people: list[Person]) -> None:
    match = table(people[:1], "checkers", bots=1)
    problem(people[1].post(f"/v1/matches/{match}/receipt"), 404, "not_found")


@pytest.mark.parametrize("change", ["version", "head", "signature", "key"])
def test_a_forged_receipt_is_worth_nothing(change: str, people: list[Person], tmp_path: pathlib.Path) -> None:
    match = finished(people)
    receipt = people[0].post(f"/v1/matches/{match}/receipt").get_json()
    if change in receipt["statement"]:
        receipt["statement"][change] = 3 if change == "version" else "00" * 32
    else:
        receipt[change] = "00" * (64 if change == "signature" else 8)
    code, said = verified(
        str(log_of(people[0], match, tmp_path)),
        "--keys",
        kept(people[0].get("/.well-known/parlor-keys.json").get_json(), tmp_path / "keys"),
        "--receipt",
        kept(receipt, tmp_path / "receipt"),
    )
    assert (code == 1) != (change == "key"), said
    assert "1 ok" not in next(line for line in said.splitlines() if line.startswith("signatures"))


# ── Finished matches and trees ──────────────────────────────────────────────────────────────────────────────────


def test_the_head_of_a_finished_match_is_signed_once(people: list[Person], signed: Services) -> None:
    match = finished(people)
    assert sign_ended(signed.database, signed.signer) == 1
    assert sign_ended(signed.database, signed.signer) == 0
    (one,) = signing.signatures_of(signed.database, match)
    public = bytes.fromhex(keys(signed.database)[0]["public"])
    assert signing.is_good(public, one.statement, one.signature)
    assert one.statement["head"] == EventStore(signed.database).read(match)[-1].hash.hex()


def test_a_match_that_is_on_is_not_signed(people: list[Person], signed: Services) -> None:
    table(people, "checkers")
    assert sign_ended(signed.database, signed.signer) == 0


def test_a_root_proves_a_rewritten_log_wrong(
    people: list[Person], empty: str, tmp_path: pathlib.Path, signed: Services
) -> None:
    matches = [finished(people) for _ in range(3)]
    today = soon()
    notary = Notary(signed.database, signed.signer, now=lambda: today)
    notary.work()
    notary.work()  # a day has one tree
    (tree,) = people[0].get("/v1/audit/trees").get_json()["trees"]
    day = tree["statement"]["day"]
    assert tree["statement"]["size"] == 3
    assert people[0].get(f"/v1/audit/trees/{day}").get_json() == tree
    match = matches[1]
    proof = people[0].get(f"/v1/audit/trees/{day}/proofs/{match}").get_json()
    given = (
        str(log_of(people[0], match, tmp_path)),
        "--keys",
        kept(people[0].get("/.well-known/parlor-keys.json").get_json(), tmp_path / "keys"),
        "--proof",
        kept(proof, tmp_path / "proof"),
    )
    code, said = verified(*given)
    assert code == 0, said
    rewritten(empty, match)
    signed.matches.forget(match)
    log_of(people[0], match, tmp_path)
    code, said = verified(*given)
    assert code == 1 and "another head" in said, said


def test_the_next_tree_has_what_changed_since(people: list[Person], signed: Services) -> None:
    finished(people)
    trees, today = Trees(signed.database), soon()
    assert trees.grow(signed.signer, today) and not trees.grow(signed.signer, today)
    assert trees.grow(signed.signer, today + dt.timedelta(days=1))
    assert [tree.statement["size"] for tree in trees.newest(10)] == [0, 1]


def test_no_tree_proves_what_a_stranger_may_not_see(people: list[Person], signed: Services) -> None:
    match = finished(people[:1] + people[1:])
    today = soon()
    Trees(signed.database).grow(signed.signer, today)
    stranger = Person(create_app(signed, Settings()).test_client(), "Eve")
    problem(stranger.get(f"/v1/audit/trees/{today.date()}/proofs/{match}"), 404, "not_found")
    problem(people[0].get(f"/v1/audit/trees/1999-01-01/proofs/{match}"), 404, "not_found")
    problem(people[0].get("/v1/audit/trees/yesterday"), 404, "not_found")


def test_of_a_match_that_is_published_anybody_has_the_proof(people: list[Person], signed: Services) -> None:
    shown, closed = (test_bundles.finished(people, published=published) for published in (True, False))
    today = soon()
    Trees(signed.database).grow(signed.signer, today)
    nobody, proofs = create_app(signed, Settings()).test_client(), f"/v1/audit/trees/{today.date()}/proofs"
    assert nobody.get(f"{proofs}/{shown}").get_json() == people[0].get(f"{proofs}/{shown}").get_json()
    problem(nobody.get(f"{proofs}/{closed}"), 401, "token_missing")


def test_no_tree_tells_those_who_watch_late_how_far_a_match_has_come(people: list[Person], signed: Services) -> None:
    later, at_once = (test_bundles.finished(people, spectators=True, spectator_delay=delay) for delay in (3600, 0))
    today = soon()
    Trees(signed.database).grow(signed.signer, today)
    stranger = Person(create_app(signed, Settings()).test_client(), "Eve")
    proofs = f"/v1/audit/trees/{today.date()}/proofs"
    assert people[0].get(f"{proofs}/{later}").status_code == stranger.get(f"{proofs}/{at_once}").status_code == 200
    problem(stranger.get(f"{proofs}/{later}"), 404, "not_found")


# ── Rotation ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_old_signature_stays_good_after_the_key_was_changed(
    people: list[Person], signed: Services, key: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    match = finished(people)
    old = people[0].post(f"/v1/matches/{match}/receipt").get_json()
    rotated = CliRunner().invoke(keys_commands, ["rotate"], obj=Settings(signing_key=str(key)))
    assert rotated.exit_code == 0, rotated.output
    new = people[0].post(f"/v1/matches/{match}/receipt").get_json()
    assert new["key"] != old["key"] and new["key"] in rotated.output
    served = people[0].get("/.well-known/parlor-keys.json").get_json()
    assert [(one["id"], one["until"] is None) for one in served["keys"]] == [(new["key"], True), (old["key"], False)]
    for receipt in (old, new):
        code, said = verified(
            str(log_of(people[0], match, tmp_path)),
            "--keys",
            kept(served, tmp_path / "keys"),
            "--receipt",
            kept(receipt, tmp_path / "receipt"),
        )
        assert code == 0 and "signatures:  1 ok" in said


def test_a_signer_without_a_key_signs_nothing(signed: Services) -> None:
    assert not Signer(signed.database, None).signs
