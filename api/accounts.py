"""Players and tokens over HTTP."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from flask import Response, current_app, request

from api import account_schemas, schemas
from api.problems import Problem, unfit
from api.web import Pages, answer, limits, needs, nothing, problems
from eventstore.departures import DELETED
from eventstore.errors import NotFound
from eventstore.players import MANAGE, SCOPES, Caller, Players

pages = Pages("players", __name__, url_prefix="/v1", description="Sign up, and the tokens you act with.")


def players() -> Players:
    return current_app.extensions["parlor"].players  # type: ignore[no-any-return]


@pages.route("/players", methods=["POST"])
@pages.arguments(schemas.SignUp, location="json")
@pages.response(201, schemas.NewPlayer)
@problems(400, 413, 415, 422, 503)
def sign_up(given: dict[str, Any]) -> Response:
    """Sign up as a guest: a name is enough, and the answer holds your token"""
    limits().sign_up(request.environ)
    player, token = players().sign_up(given["name"])
    return answer({**player, "token": token, "scopes": list(SCOPES)}, 201)


@pages.route("/me", methods=["GET"])
@needs()
@pages.response(200, schemas.Me)
@problems(401, 503)
def me(who: Caller) -> Response:
    """Who you are, and what your token allows"""
    return _shown(who)


def _shown(who: Caller) -> Response:
    told = {"id": who.player_id, "name": who.name, "scopes": sorted(who.scopes), "token_id": who.token_id}
    return answer({**told, "expires_at": who.expires_at})


@pages.route("/me", methods=["PATCH"])
@needs(MANAGE)
@pages.arguments(account_schemas.NewName, location="json")
@pages.response(200, schemas.Me)
@problems(400, 401, 403, 413, 415, 422, 503)
def rename(who: Caller, given: dict[str, Any]) -> Response:
    """Change your name. All matches show the new one within seconds, those that are over too"""
    players().rename(who.player_id, given["name"])
    current_app.extensions["parlor"].matches.store.names.forget(who.player_id)
    return _shown(who._replace(name=given["name"]))


@pages.route("/me", methods=["DELETE"])
@needs(MANAGE)
@pages.response(204)
@problems(401, 403, 503)
def delete(who: Caller) -> Response:
    """Delete your account for good: your tokens, webhooks and name are gone, and you leave or resign from all tables"""
    current_app.extensions["parlor"].matches.depart(who.player_id, DELETED)
    return nothing()


@pages.route("/me/recovery", methods=["POST"])
@needs(MANAGE)
@pages.response(201, account_schemas.FreshRecoveryCode)
@problems(401, 403, 503)
def fresh_code(who: Caller) -> Response:
    """A new recovery code, in place of the one before or for an account that has none yet"""
    return answer({"recovery_code": players().recovery.fresh_code(who.player_id)}, 201)


@pages.route("/recover", methods=["POST"])
@pages.arguments(account_schemas.Recovering, location="json")
@pages.response(201, schemas.NewPlayer)
@problems(400, 404, 413, 415, 422, 429, 503)
def recover(given: dict[str, Any]) -> Response:
    """Get back to your account with its recovery code: a new token, and the next code"""
    try:
        found = players().recovery.recover(
            str(given["player"]),
            given["code"],
            request.remote_addr or "",
            SCOPES,
            revoke_others=given["revoke_others"],
        )
    except NotFound:
        raise Problem(404, "wrong_code", "there is no such player, or the code is wrong") from None
    return answer({**found, "scopes": list(SCOPES)}, 201)


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
    limits().sign_up(request.environ)
    made, token = players().issue(who, given["label"], sorted(set(given["scopes"])), _expiry(who, given["expires_in"]))
    return answer({**made, "token": token}, 201)


def _expiry(who: Caller, seconds: int | None) -> dt.datetime | None:
    if seconds is None:
        return None
    expires_at = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=seconds)
    if who.expires_at is not None and expires_at > who.expires_at:
        raise unfit({"expires_in": ["must not be later than your token expires itself"]})
    return expires_at


@pages.route("/tokens/<uuid:token_id>/rotate", methods=["POST"])
@needs()
@pages.response(200, schemas.FreshToken)
@problems(401, 404, 503)
def rotate(who: Caller, token_id: uuid.UUID) -> Response:
    """A new secret for a token, in place of the one before, which is good no longer; all else about it stays"""
    shown, token = players().rotate(who, str(token_id))
    return answer({**shown, "token": token})


@pages.route("/tokens/<uuid:token_id>", methods=["DELETE"])
@needs()
@pages.response(204)
@problems(401, 404, 503)
def revoke(who: Caller, token_id: uuid.UUID) -> Response:
    """Revoke a token at once, and with it all that it made; only with `token:manage` one that yours did not make"""
    players().revoke(who, str(token_id))
    return nothing()
