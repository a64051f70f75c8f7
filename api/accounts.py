"""Players and tokens over HTTP."""

from __future__ import annotations

import uuid
from typing import Any

from flask import Response, current_app

from api import schemas
from api.problems import Problem
from api.web import Pages, answer, needs, problems
from eventstore.players import SCOPES, Caller, Players

pages = Pages("players", __name__, url_prefix="/v1", description="Sign up, and the tokens you act with.")


def players() -> Players:
    return current_app.extensions["parlor"].players  # type: ignore[no-any-return]


@pages.route("/players", methods=["POST"])
@pages.arguments(schemas.SignUp, location="json")
@pages.response(201, schemas.NewPlayer)
@problems(400, 413, 415, 422, 503)
def sign_up(given: dict[str, Any]) -> Response:
    """Sign up as a guest: a name is enough, and the answer holds your token"""
    player, token = players().sign_up(given["name"])
    return answer({**player, "token": token, "scopes": list(SCOPES)}, 201)


@pages.route("/me", methods=["GET"])
@needs()
@pages.response(200, schemas.Me)
@problems(401, 503)
def me(who: Caller) -> Response:
    """Who you are, and what your token allows"""
    return answer({"id": who.player_id, "name": who.name, "scopes": sorted(who.scopes), "token_id": who.token_id})


@pages.route("/tokens", methods=["GET"])
@needs()
@pages.response(200, schemas.TokenList)
@problems(401, 503)
def tokens(who: Caller) -> Response:
    """Your tokens without their secrets: all with the scope `token:manage`, otherwise this one and those it made"""
    return answer({"tokens": players().tokens(who)})


@pages.route("/tokens", methods=["POST"])
@needs()
@pages.arguments(schemas.NewToken, location="json")
@pages.response(201, schemas.FreshToken)
@problems(400, 401, 403, 413, 415, 422, 503)
def issue(who: Caller, given: dict[str, Any]) -> Response:
    """A further token, for a bot or another device; it can allow no more than the one that made it"""
    missing = set(given["scopes"]) - who.scopes
    if missing:
        raise Problem(403, "scope_missing", f"your token lacks {', '.join(sorted(missing))} itself")
    made, token = players().issue(who, given["label"], sorted(set(given["scopes"])))
    return answer({**made, "token": token}, 201)


@pages.route("/tokens/<uuid:token_id>", methods=["DELETE"])
@needs()
@pages.response(204)
@problems(401, 404, 503)
def revoke(who: Caller, token_id: uuid.UUID) -> Response:
    """Revoke a token at once, and with it all that it made; only with `token:manage` one that yours did not make"""
    players().revoke(who, str(token_id))
    return Response(status=204)
