"""Matches for those who do not take the server's word: bundles, signed heads, receipts, and a tree a day."""

from __future__ import annotations

import datetime as dt
import itertools
import uuid
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import orjson
from flask import Response, current_app, request
from marshmallow import fields, validate

from api.browsers import takes_gzip
from api.matches import READS, reader, service, watches
from api.messages import NDJSON
from api.queries import number
from api.schemas import Strict, Told, an_id, each, means, moment, one_of, said, whole, yes_or_no
from api.web import Pages, answer, needs, problems
from domain.match import seat_of
from eventstore.errors import NotFound
from eventstore.permissions import admit
from eventstore.players import Caller
from eventstore.signing import head_statement, keys

pages = Pages("audit", __name__, description="What the server puts its name to.")

HASH = validate.Regexp(r"^[0-9a-f]{64}$")
SIGNATURE = validate.Regexp(r"^[0-9a-f]{128}$")


class Statement(Told):
    """What is signed. The kind says which fields there are besides."""

    kind = said(
        "the head of a finished match, of one that is on, or the root of a tree",
        validate=one_of("end", "receipt", "tree"),
    )
    at = moment("when it was signed")
    match = fields.UUID(metadata=means("`end` and `receipt`: the match"))
    version = fields.Integer(metadata=means("`end` and `receipt`: the version"))
    head = fields.String(validate=HASH, metadata=means("`end` and `receipt`: the hash of the event with that version"))
    day = fields.Date(metadata=means("`tree`: the day it was made on"))
    size = fields.Integer(metadata=means("`tree`: how many matches it is of"))
    root = fields.String(validate=HASH, metadata=means("`tree`: its root"))


class SignedStatement(Told):
    """A statement with the server's signature."""

    statement = fields.Nested(Statement, required=True, metadata=means("what is signed, as canonical JSON"))
    key = said("the id of the key")
    signature = said("Ed25519, over `parlor-signed-v1`, a line feed and the statement", validate=SIGNATURE)


class PublicKey(Told):
    """A key that signs here, or did."""

    id = said("the first half of the SHA-256 of the key, as 16 hexadecimal digits")
    algorithm = said("what it is used with", validate=one_of("Ed25519"))
    public = said("the key itself, 32 bytes", validate=HASH)
    since = moment("when it was first used here")
    until = moment("since when it is used no more; null for the one in use", allow_none=True)


class PublicKeys(Told):
    """All keys, the newest first."""

    keys = each(PublicKey, "what to verify signatures with")


class TreeList(Told):
    """Trees, the newest first."""

    trees = each(SignedStatement, "their roots")


class TreesQuery(Strict):
    """How many trees to list."""

    limit = number(1, 1000, "how many at most", load_default=30)


class Leaf(Told):
    """A match as a tree has it."""

    match = an_id("the match")
    version = whole("its version when the tree was made")
    head = said("the hash of the event with that version", validate=HASH)


class Proof(Told):
    """That a match is in a tree."""

    leaf = fields.Nested(Leaf, required=True, metadata=means("what is proved"))
    place = whole("its place among the leaves, from 0")
    path = fields.List(
        fields.String(validate=HASH), required=True, metadata=means("what to join to it, from the bottom up")
    )
    tree = fields.Nested(SignedStatement, required=True, metadata=means("the root it leads to"))


class Agreement(Told):
    """How far those at the table are with publishing a match."""

    published = yes_or_no("whether anybody may read it now")
    agreed = fields.List(fields.Integer(), required=True, metadata=means("the seats whose players have agreed"))
    waiting = fields.List(
        fields.Integer(),
        required=True,
        metadata=means("the seats whose players have not; one who has deleted the account cannot"),
    )


def _parlor() -> Any:
    return current_app.extensions["parlor"]


PUBLISHED = "a match that is open to all, or published, is shown"


@pages.route("/.well-known/parlor-keys.json", methods=["GET"])
@pages.response(200, PublicKeys)
@problems(503)
def public_keys() -> Response:
    """The keys that this server signs with, and those it once did"""
    return answer({"keys": keys(_parlor().database)})


@pages.route("/v1/matches/<uuid:match_id>/receipt", methods=["POST"])
@needs(*READS)
@pages.response(200, SignedStatement)
@problems(401, 403, 404, 409, 503)
def receipt(who: Caller, match_id: uuid.UUID) -> Response:
    """The present head of a match in which you have a seat, signed: keep it, and nobody can rewrite what came before"""
    warm = service().fresh(str(match_id))
    admit(warm.match, who.player_id, watches(who))
    if seat_of(warm.match, who.player_id) is None:
        raise NotFound(str(match_id))
    said_now = head_statement("receipt", warm.match.id, warm.match.version, warm.hash, dt.datetime.now(dt.UTC))
    return answer(_parlor().signer.sign(said_now).as_json())


@pages.route("/v1/audit/trees", methods=["GET"])
@pages.arguments(TreesQuery, location="query")
@pages.response(200, TreeList)
@problems(422, 503)
def trees(query: dict[str, Any]) -> Response:
    """One signed root a day over the heads of all matches that changed"""
    return answer({"trees": [signed.as_json() for signed in _parlor().trees.newest(query["limit"])]})


@pages.route("/v1/audit/trees/<day>", methods=["GET"])
@pages.response(200, SignedStatement)
@problems(404, 503)
def tree(day: str) -> Response:
    """The root of one day, such as 2026-01-31"""
    return answer(_parlor().trees.root(_date(day)).as_json())


@pages.route("/v1/audit/trees/<day>/proofs/<uuid:match_id>", methods=["GET"])
@needs(*READS, unless=PUBLISHED)
@pages.response(200, Proof)
@problems(401, 403, 404, 503)
def proof(who: Caller | None, day: str, match_id: uuid.UUID) -> Response:
    """That a match which you may see is in the tree of a day"""
    player, whole = reader(who)
    shown = service().sight(str(match_id), player, whole).match
    found = _parlor().trees.proof(_date(day), str(match_id))
    if found["leaf"]["version"] > shown.version:
        raise NotFound(str(match_id))  # whoever sees the match later learns later how far it has come
    return answer(found)


def _date(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise NotFound(text) from None


# ── Bundles ─────────────────────────────────────────────────────────────────────────────────────────────────────

BUNDLE = (
    "one line that says what the match is, every event as you may see it, and one line with the last hash, the seed "
    "once it is over, and the server's signatures"
)
AS_A_FILE = {"Content-Disposition": {"description": "under which name to keep it", "schema": {"type": "string"}}}
LINES = 100  # that are written at once
GZIP = 16 + zlib.MAX_WBITS


@pages.route("/v1/matches/<uuid:match_id>/audit", methods=["GET"])
@needs(*READS, unless=PUBLISHED)
@pages.response(200, {"type": "string", "description": BUNDLE}, content_type=NDJSON, headers=AS_A_FILE)
@problems(401, 403, 404, 503)
def audit(who: Caller | None, match_id: uuid.UUID) -> Response:
    """All it takes to judge a match anew, in one file: `parlor verify` reads it"""
    player, whole = reader(who)
    body = _written(service().bundle(str(match_id), player, watches=whole))
    told = {"Vary": "Accept-Encoding", "Content-Disposition": f'attachment; filename="{match_id}.ndjson"'}
    if request.method == "GET" and takes_gzip(request.headers.get("Accept-Encoding", "")):
        body, told["Content-Encoding"] = _packed(body), "gzip"
    return Response(body, mimetype=NDJSON, headers=told)


def _written(lines: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    there = iter(lines)
    while some := list(itertools.islice(there, LINES)):
        yield b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in some)


def _packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Compressed as it comes: a bundle is as long as its match."""
    packer = zlib.compressobj(wbits=GZIP)
    for part in parts:
        if packed := packer.compress(part):
            yield packed
    yield packer.flush()


@pages.route("/v1/matches/<uuid:match_id>/publish", methods=["POST"])
@needs("match:play")
@pages.response(200, Agreement)
@problems(401, 403, 404, 409, 503)
def publish(who: Caller, match_id: uuid.UUID) -> Response:
    """Agree that anybody may read a match which is over; with the last agreement it is published, for good"""
    return answer(service().publish(str(match_id), who.player_id, watches=watches(who))._asdict())
