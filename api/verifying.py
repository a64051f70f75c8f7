"""`parlor verify` and `parlor keys`: what was said, held against what was signed."""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final

import click

from domain.audit import merkle
from domain.audit.reading import LONGEST, parsed
from domain.audit.report import Report, Wrong
from domain.audit.verifying import verify
from eventstore.settings import Settings
from eventstore.signing import FILE, is_good, key_id_of, read_key, write_new
from eventstore.signing import RAW as RAW_KEY

SAMPLE: Final = 10  # of the moves of bots one in so many, and nobody can know before which
BOTS: Final[Mapping[str, Callable[[int], bool]]] = {
    "all": lambda version: True,
    "sample": lambda version: random.randrange(SAMPLE) == 0,
    "none": lambda version: False,
}


class Witness:
    """Judges signatures with the public keys of a server, and what was kept while a match was on."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = keys

    def of_bundle(self, end: Mapping[str, Any], report: Report) -> None:
        """The signatures in the last line of a bundle."""
        for one in end["end"]["signatures"]:
            self.head(one, report, {report.version: report.head})

    def head(self, signed: Any, report: Report, heads: Mapping[int, str]) -> None:
        """A signed head must be of this match, and the one that the log has at that version."""
        statement = self.statement(signed, report)
        if statement is None:
            return
        version = statement.get("version")
        if statement.get("match") != report.match_id:
            raise Wrong("signatures", 0, "a signature is of another match")
        if type(version) is not int:
            raise Wrong("signatures", 0, "a signature has not its shape")
        if version > report.version:
            raise Wrong("signatures", version, "the server has signed this version, and the log ends before it")
        if heads.get(version) != statement.get("head"):
            raise Wrong("signatures", version, "the server has signed another head than the log has at this version")
        report.ok("signatures")

    def statement(self, signed: Any, report: Report) -> Mapping[str, Any] | None:
        """What was signed, if the signature is good; nothing if the key is not known here."""
        try:
            statement, key_id, signature = signed["statement"], signed["key"], bytes.fromhex(signed["signature"])
        except (KeyError, TypeError, ValueError):
            raise Wrong("signatures", 0, "a signature has not its shape") from None
        if type(key_id) is not str or not isinstance(statement, dict):
            raise Wrong("signatures", 0, "a signature has not its shape")
        if key_id not in self._keys:
            report.not_checked("signatures", f"no public key {key_id} was given (--keys)")
            return None
        if not is_good(self._keys[key_id], statement, signature):
            raise Wrong("signatures", 0, f"a signature is not of the key {key_id}")
        return statement

    def proof(self, proof: Any, report: Report, heads: Mapping[int, str]) -> None:
        """A leaf of a tree must be a head of this log, and lead to the root that was signed."""
        try:
            leaf, place, path = proof["leaf"], proof["place"], [bytes.fromhex(one) for one in proof["path"]]
            entry = merkle.entry(leaf["match"], leaf["version"], leaf["head"])
            if type(place) is not int or type(leaf["version"]) is not int:
                raise TypeError
        except (KeyError, TypeError, ValueError):
            raise Wrong("signatures", 0, "the proof has not its shape") from None
        statement = self.statement(proof.get("tree"), report)
        if statement is None:
            return
        size = statement.get("size")
        found = merkle.root_by_proof(merkle.leaf(entry), place, size if type(size) is int else 0, path)
        if found is None or found.hex() != statement.get("root"):
            raise Wrong("signatures", 0, "the proof does not lead to the root that was signed")
        if leaf["match"] != report.match_id or heads.get(leaf["version"]) != leaf["head"]:
            raise Wrong("signatures", leaf["version"], "the tree has another head than the log has at this version")
        report.ok("signatures")


def public_keys(path: str) -> dict[str, bytes]:
    """The keys as `/.well-known/parlor-keys.json` has them."""
    try:
        found = json.loads(pathlib.Path(path).read_text())["keys"]
        keys = [bytes.fromhex(one["public"]) for one in found]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise click.ClickException(f"{path} holds no public keys: {error}") from None
    return {key_id_of(public): public for public in keys}


def heads_of(file: BinaryIO, wanted: set[int]) -> dict[int, str]:
    """The hashes at some versions of a log that was verified."""
    found = {}
    file.seek(0)
    for raw in file:
        line = json.loads(raw)
        if line.get("version") in wanted and "hash" in line:
            found[line["version"]] = line["hash"]
    return found


@click.command(name="verify")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--bots",
    type=click.Choice(list(BOTS)),
    default="all",
    show_default=True,
    help="whose moves are found again",
)
@click.option(
    "--head", "noted", metavar="HASH", help="a hash that was noted during the match, which must be in the chain"
)
@click.option("--keys", metavar="FILE", help="the server's public keys, from /.well-known/parlor-keys.json")
@click.option(
    "--receipt", "receipts", multiple=True, type=click.File("rb"), help="a receipt that was kept; may be repeated"
)
@click.option("--proof", "proofs", multiple=True, type=click.File("rb"), help="a proof from a tree; may be repeated")
def verify_command(
    file: BinaryIO,
    bots: str,
    noted: str | None,
    keys: str | None,
    receipts: tuple[BinaryIO, ...],
    proofs: tuple[BinaryIO, ...],
) -> None:
    """Check a match from its bundle or log: chain, secrets, draws, and every command anew. - is standard input."""
    if not file.seekable():
        with tempfile.TemporaryFile() as spooled:
            shutil.copyfileobj(file, spooled)
            _judge(spooled, bots, noted, keys, receipts, proofs)
    else:
        _judge(file, bots, noted, keys, receipts, proofs)


def _judge(
    file: BinaryIO,
    bots: str,
    noted: str | None,
    keys: str | None,
    receipts: tuple[BinaryIO, ...],
    proofs: tuple[BinaryIO, ...],
) -> None:
    witness = Witness(public_keys(keys) if keys else {})
    kept = [_read(one) for one in receipts], [_read(one) for one in proofs]
    report = verify(file, bots=BOTS[bots], noted=noted and noted.lower(), signatures=witness.of_bundle)
    if report.wrong is None:
        try:
            _compare(file, report, witness, *kept)
        except Wrong as wrong:
            report.wrong = wrong
    click.echo("\n".join(report.lines()))
    raise SystemExit(1 if report.wrong else 0)


def _compare(file: BinaryIO, report: Report, witness: Witness, receipts: list[Any], proofs: list[Any]) -> None:
    if not receipts and not proofs:
        return
    named = [one.get("statement") for one in receipts] + [one.get("leaf") for one in proofs]
    wanted = [one.get("version") for one in named if isinstance(one, dict)]
    heads = heads_of(file, {version for version in wanted if type(version) is int})
    for one in receipts:
        witness.head(one, report, heads)
    for one in proofs:
        witness.proof(one, report, heads)


def _read(file: BinaryIO) -> dict[str, Any]:
    try:
        return parsed(file.read(LONGEST), file.name)
    except Wrong as wrong:
        raise click.ClickException(wrong.text) from None


@click.group(name="keys")
def keys_commands() -> None:
    """The key that this server signs with."""


def _key_file(given: Settings) -> pathlib.Path:
    from eventstore.housing import data_folder

    if given.signing_key is None:
        return data_folder(given.data) / FILE
    if given.signing_key.lstrip().startswith("-----BEGIN"):
        raise click.ClickException("PARLOR_SIGNING_KEY holds the key itself: put another one there")
    return pathlib.Path(given.signing_key)


@keys_commands.command(name="show")
@click.pass_obj
def show_key(given: Settings) -> None:
    """Print the public key that is in use."""
    public = read_key(str(_key_file(given))).public_key().public_bytes(*RAW_KEY)
    click.echo(f"{key_id_of(public)} {public.hex()}")


@keys_commands.command(name="rotate")
@click.pass_obj
def rotate_key(given: Settings) -> None:
    """Make a new key. Whatever runs takes it up by itself; the old public key stays served."""
    path = _key_file(given)
    if not path.exists():
        raise click.ClickException(f"there is no key at {path} yet; docs/signed-heads.md says how one is made")
    write_new(path)
    public = read_key(str(path)).public_key().public_bytes(*RAW_KEY)
    click.echo(f"signs with {key_id_of(public)} from now on")
