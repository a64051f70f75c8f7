"""What every request goes through: tokens, strict JSON, headers, request ids, and problems instead of tracebacks."""

from __future__ import annotations

import base64
import datetime as dt
import logging
import math
import secrets
import time
import uuid
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache, wraps
from typing import Any
from urllib.parse import quote

import orjson
from flask import Flask, Response, current_app, request
from flask_smorest import Blueprint
from prometheus_client import Counter, Histogram
from werkzeug.exceptions import HTTPException, NotFound

from api import rates
from api.browsers import Origins, compressed, compressed_head, takes_gzip, varies, worth_compressing
from api.gate.follow import UNTIL
from api.problems import TITLES, Problem, refused, unfit
from api.rates import Limits
from api.reading import StrictParser
from api.schemas import ProblemDetails
from domain.game import Refused, Unreadable
from eventstore import errors
from eventstore.operators import OPERATOR, Operators
from eventstore.players import Caller, Players

log = logging.getLogger("parlor.api")

REQUESTS = Counter("parlor_requests_total", "Requests answered", ["endpoint", "status"])
SECONDS = Histogram("parlor_request_seconds", "Time to answer", ["endpoint"])
RETRY_SECONDS = "1"
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="parlor"'}
OF_HTTP = {404: "not_found", 405: "method_not_allowed", 413: "too_large", 415: "not_json"}  # codes of its errors
IN_WORDS = {404: "there is nothing at this address", 405: "this cannot be done at this address; `Allow` says what can"}
EMPTY = b"", b"{}", b"null"  # bodies that say nothing
UNKNOWN = "this token is unknown, was revoked, or has expired"


def answer(body: Any, status: int = 200, **headers: str) -> Response:
    return Response(
        orjson.dumps(body, option=orjson.OPT_UTC_Z),
        status,
        {k.replace("_", "-"): v for k, v in headers.items()},
        mimetype="application/json",
    )


def nothing() -> Response:
    """It is done, and there is nothing to say about it."""
    done = Response(status=204)
    del done.headers["Content-Type"]
    return done


def public(path: str) -> str:
    """A link that somebody may follow from elsewhere."""
    return f"{current_app.config['PUBLIC_URL']}{path}"


def only_documented(decorator: Any) -> Callable[[Any], Any]:
    """Keeps what a decorator writes into the reference and leaves out the call that it would add to every request."""

    def decorate(view: Any) -> Any:
        view._apidoc = decorator(view)._apidoc
        return view

    return decorate


class Pages(Blueprint):
    """A blueprint whose arguments are read strictly. Its views give finished responses, which are only documented."""

    ARGUMENTS_PARSER = StrictParser()

    def response(self, *args: Any, **described: Any) -> Callable[[Any], Any]:
        return only_documented(super().response(*args, **described))

    def alt_response(self, *args: Any, **described: Any) -> Callable[[Any], Any]:
        return only_documented(super().alt_response(*args, **described))

    @staticmethod
    def doc(*, parameters: Sequence[dict[str, Any]] = (), **described: Any) -> Callable[[Any], Any]:
        """Parameters stand beside those that are read as arguments; the framework would put them in their place."""

        def decorate(view: Any) -> Any:
            view = only_documented(Blueprint.doc(**described))(view)
            if parameters:
                view._apidoc.setdefault("arguments", {}).setdefault("parameters", []).extend(parameters)
            return view

        return decorate


def problems(*codes: int) -> Callable[[Any], Any]:
    """Documents the errors that an operation can answer with."""

    def decorate(view: Any) -> Any:
        for code in codes:
            view = _ANY.alt_response(
                code, schema=_PROBLEM, description=TITLES[code], content_type="application/problem+json"
            )(view)
        return view

    return decorate


_ANY = Pages("any", __name__)
_PROBLEM = ProblemDetails()


def header(name: str, description: str, **schema: Any) -> dict[str, Any]:
    """Documents a header of a request."""
    return {"in": "header", "name": name, "description": description, "schema": {"type": "string", **schema}}


def cursor(page: Sequence[dict[str, Any]], time: str) -> str:
    """Where the page after this one begins."""
    last = page[-1]
    return base64.urlsafe_b64encode(f"{last[time].isoformat()}|{last['id']}".encode()).decode()


def from_cursor(text: str) -> tuple[dt.datetime, str]:
    try:
        at, _, its_id = base64.urlsafe_b64decode(text.encode()).decode().partition("|")
        when = dt.datetime.fromisoformat(at)
        if when.tzinfo is None:
            raise ValueError("no time zone")
        return when, str(uuid.UUID(its_id))
    except ValueError:
        raise unfit({"cursor": ["was not made here"]}) from None


# ── Who is asking ───────────────────────────────────────────────────────────────────────────────────────────────


def caller(*scopes: str, remembered: bool = False) -> Caller:
    """Who sent this request; one of these scopes is enough. A remembered token must be checked again later."""
    players: Players = current_app.extensions["parlor"].players
    found = bearer(players, request.headers.get("Authorization", ""), *scopes, remembered=remembered)
    if OPERATOR in found.scopes and UNTIL not in request.environ:  # one that waits is asked again, and is one use
        _log_use(players.operators, found)
    return found


def _log_use(operators: Operators, who: Caller) -> None:
    action = f"{request.method} {quote(request.path)}"
    if request.blueprint == "feed":
        operators.note_following(who.token_id, action)
    # What an operator closes is logged by what closes it, with the reason.
    elif not (request.method == "POST" and request.blueprint == "operator"):
        operators.note(who.token_id, action)


def no_token() -> Problem:
    return Problem(401, "token_missing", "send a token as `Authorization: Bearer …`", CHALLENGE)


def bearer(players: Players, authorization: str, *scopes: str, remembered: bool) -> Caller:
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "bearer" or not token:
        raise no_token()
    found = players.caller(token, remembered=remembered)
    if found is None:
        raise Problem(401, "token_unknown", UNKNOWN, CHALLENGE)
    if scopes and found.scopes.isdisjoint(scopes):
        if remembered:
            bearer(players, authorization, remembered=False)  # a revoked token is not told what it lacks
        raise Problem(403, "scope_missing", f"this token lacks the scope {' or '.join(scopes)}")
    return found


def needs(*scopes: str, unless: str = "") -> Callable[[Any], Any]:
    """The operation needs a token, with one of these scopes if any is named. The view gets the caller first.

    `unless` says in words what needs none: then the view gets None from those who send no token, and what is not for
    them does not exist for them.
    """

    def decorate(view: Any) -> Any:
        takes = {one["in"] for one in getattr(view, "_apidoc", {}).get("arguments", {}).get("parameters", ())}

        @wraps(view)
        def checked(*args: Any, **kwargs: Any) -> Any:
            if not unless or "Authorization" in request.headers:
                who = caller(*scopes)
                nothing_else(takes)
                return view(who, *args, **kwargs)
            nothing_else(takes)
            try:
                return view(None, *args, **kwargs)
            except errors.NotInMatch:
                raise  # what anybody may see is there, and a token would not help
            except errors.NotFound:
                raise no_token() from None

        described = f"Needs the scope {' or '.join(f'`{scope}`' for scope in scopes)}" if scopes else "Needs a token"
        described += f"; {unless} without a token." if unless else "."
        security: list[dict[str, list[str]]] = [{"token": []}, *([{}] if unless else [])]
        documented: Any = problems(422)(checked)
        known = documented._apidoc
        documented._apidoc = {
            **known,
            "manual_doc": {**known.get("manual_doc", {}), "security": security, "description": described},
        }
        return documented

    return decorate


def nothing_else(takes: Set[str]) -> None:
    """Refuses what the operation would not look at: whoever adds `dry_run` does not mean it to be done."""
    if "query" not in takes and request.args:
        raise unfit({name: ["there is no such field"] for name in request.args})
    if "json" not in takes and request.method == "POST" and request.get_data().strip() not in EMPTY:
        raise unfit({"body": ["must be empty: nothing is read from it"]})


def limits() -> Limits:
    return current_app.extensions["parlor.limits"]  # type: ignore[no-any-return]


# ── Around every request ────────────────────────────────────────────────────────────────────────────────────────

HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Cache-Control", "no-store"),
)
Headers = list[tuple[str, str]]
Answered = tuple[str, Headers, Iterable[bytes]]
REQUEST_ID, ENDPOINT = "parlor.request_id", "parlor.endpoint"  # in the environment of a request


@cache
def counters(endpoint: str, status: int) -> tuple[Counter, Histogram]:
    """Looked up once: there are only so many endpoints, and statuses."""
    return REQUESTS.labels(endpoint, status), SECONDS.labels(endpoint)


def request_id(given: str) -> str:
    """The id that the client gave, if it is a plain word."""
    return given if given.isascii() and given.isalnum() and len(given) <= 64 else secrets.token_hex(8)


def guard(headers: Headers, its_id: str) -> None:
    """Adds to an answer what every answer has."""
    there = {name for name, _ in headers}
    headers += [header for header in HEADERS if header[0] not in there]
    headers.append(("X-Request-ID", its_id))


def note(environ: dict[str, Any], status: int, took: float) -> None:
    """Counts a request, and tells about it."""
    requests, seconds = counters(environ[ENDPOINT], status)
    requests.inc()
    seconds.observe(took)
    # Whoever is told to wait does not write the log either.
    level = logging.DEBUG if status < 400 or status == 429 else logging.INFO
    if log.isEnabledFor(level):
        log.log(level, "%s %d %.1fms", told(environ), status, took * 1000)


def told(environ: dict[str, Any]) -> str:
    """A request in a line of the log. The path stands there as it was sent, so that it can hold no line of its own."""
    path = quote(environ["PATH_INFO"].encode("latin-1", "replace"), safe="/:@!$&'()*+,;=")
    return f"{environ[REQUEST_ID]} {environ.get('REMOTE_ADDR', '-')} {environ['REQUEST_METHOD']} {path}"


class Around:
    """Gives every request an id and every answer its headers, and counts them. Who asks too much gets no further.

    It stands around Flask and not in its hooks: there an answer's headers are a mere list, and cost next to nothing.
    """

    def __init__(self, inner: Any, limits: Limits, origins: Origins) -> None:
        self._inner, self._limits, self._origins = inner, limits, origins

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        began = time.perf_counter()
        its_id = environ[REQUEST_ID] = request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        status, headers, body = self._answered(environ)
        guard(headers, its_id)
        headers += environ.get(rates.HEADERS, [])
        self._origins.tell(headers, environ.get("HTTP_ORIGIN"))
        if worth_compressing(status, headers):
            varies(headers, "Accept-Encoding")
            if takes_gzip(environ.get("HTTP_ACCEPT_ENCODING", "")):
                if environ["REQUEST_METHOD"] == "HEAD":
                    headers = compressed_head(headers)  # there is no body to count, and the length is another
                else:
                    headers, body = compressed(headers, body)
        note(environ, int(status[:3]), time.perf_counter() - began)
        start_response(status, headers)
        return body

    def _answered(self, environ: dict[str, Any]) -> Answered:
        allowed = self._origins.preflight(environ)
        if allowed is not None:
            environ[ENDPOINT] = "preflight"
            return "204 No Content", allowed, []
        try:
            self._limits.admit(environ)
        except Problem as problem:
            environ[ENDPOINT] = "limits"
            return problem.plainly()
        started: list[Any] = []

        def start(status: str, headers: Headers, *failure: Any) -> None:
            if ENDPOINT not in environ:
                environ[ENDPOINT] = request.endpoint or "none"
            started[:] = status, headers

        body = self._inner(environ, start)
        status, headers = started
        if status.startswith("401") and "HTTP_AUTHORIZATION" in environ:
            self._limits.bad_token(environ)
        return status, headers, body


def _bad_token() -> Response | None:
    """What a request with a bad token gets also where there is no such page, or no such method."""
    if "Authorization" not in request.headers or not request.path.startswith("/v1/"):
        return None
    try:
        caller()
    except Problem as problem:
        return problem.response()
    except errors.Unavailable:
        return None  # then the error stands that was found first
    return None


def of_http(error: HTTPException) -> Response:
    """What the framework found wrong with a request."""
    status = error.code or 500
    if status not in TITLES:
        status = 400 if status < 500 else 500
    if (unknown := _bad_token()) is not None:
        return unknown
    kept = {k: v for k, v in error.get_headers() if k.lower() == "allow"}
    detail = IN_WORDS.get(status) or error.description or ""
    return Problem(status, OF_HTTP.get(status, "bad_request"), detail, kept).response()


def install(app: Flask) -> None:
    @app.before_request
    def no_other_address() -> None:
        # The router ignores all slashes but one at the beginning.
        if request.environ["PATH_INFO"].startswith("//"):
            raise NotFound

    @app.errorhandler(Problem)
    def problem(error: Problem) -> Response:
        return error.response()

    @app.errorhandler(Refused)
    def against_the_rules(error: Refused) -> Response:
        return refused(error).response()

    @app.errorhandler(Unreadable)
    def unreadable(error: Unreadable) -> Response:
        return Problem(422, "does_not_fit", str(error), errors={error.field: [error.text]}).response()

    @app.errorhandler(errors.StoreError)
    def from_the_store(error: errors.StoreError) -> Response:
        match error:
            case errors.NoSuchVersion():
                return Problem(404, "not_found", str(error), version=error.version).response()
            case errors.NotFound():
                return Problem(404, "not_found", "there is no such thing, or it is not yours").response()
            case errors.Stale():
                detail = f"you decided on another version: {error}"
                return Problem(412, "stale_version", detail, version=error.version).response()
            case errors.KeyReused():
                return Problem(422, "key_reused", "this Idempotency-Key was used for another request").response()
            case errors.NotAllowed():
                return Problem(401, "token_unknown", UNKNOWN, CHALLENGE).response()
            case errors.LacksScope():
                return Problem(403, "scope_missing", f"this token lacks the scope {error}").response()
            case errors.TooSoon():
                later = {"Retry-After": str(max(1, math.ceil(error.seconds)))}
                return Problem(429, "too_many_notes", f"{error}; try again later", later).response()
            case errors.UnreadablePosition():
                return unfit({"after": [str(error)]}).response()
            case errors.LostPosition():
                return Problem(410, "position_lost", str(error)).response()
            case errors.NotSigned():
                return Problem(409, "not_signed", str(error)).response()
            case errors.TooMany():
                return Problem(409, error.code, str(error)).response()
            case errors.TooOften():
                told = f"{error}; try again in {error.seconds} s"
                return Problem(429, "too_many_guesses", told, {"Retry-After": str(error.seconds)}).response()
            case errors.Unavailable():
                return Problem(503, "unavailable", f"{error}; try again", {"Retry-After": RETRY_SECONDS}).response()
            case errors.OfLaterRelease():
                log.error("%s", error)
                return Problem(
                    503, "later_release", f"{error}. The match is safe; this server has to be upgraded"
                ).response()
            case errors.CorruptStream():
                log.error("%s", error)
                return Problem(503, "unavailable", "the log of this match is damaged, and it cannot go on").response()
            case _:
                raise error

    app.errorhandler(HTTPException)(of_http)

    @app.errorhandler(Exception)
    def failed(error: Exception) -> Response:
        log.exception("%s failed", told(request.environ))
        its_id = request.environ[REQUEST_ID]
        return Problem(500, "failed", f"something went wrong here; the request id is {its_id}").response()
