"""The application: services, pages, and what they stand on."""

from __future__ import annotations

import functools
import hmac
import pathlib
from typing import NamedTuple

import flask_swagger_ui
import orjson
import redis
from flask import Flask, Response, current_app, request, send_from_directory
from flask_smorest import Api
from prometheus_client import CONTENT_TYPE_LATEST

from api import accounts, catalogue, matches, openapi, schemas, web, webhooks
from api.commands import CommandPath
from api.metrics import Tally
from api.problems import Problem
from api.web import Around, Pages, answer, problems
from eventstore.db import Database
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.store import EventStore
from eventstore.webhooks import Webhooks
from workers.bell import Bell, connect

PAGES = pathlib.Path(__file__).parent / "pages"
SWAGGER = pathlib.Path(flask_swagger_ui.__file__).parent / "dist"
FROM_HERE = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"
)

operations = Pages("operations", __name__, description="Is it well?")


class OurApi(Api):
    """Errors are told by `web`, not by the framework."""

    def _register_error_handlers(self) -> None:
        pass


class Services(NamedTuple):
    """What the pages work with."""

    database: Database
    players: Players
    matches: Matches
    webhooks: Webhooks
    redis: redis.Redis


def services(database_url: str, redis_url: str, settings: Settings) -> Services:
    database = Database(database_url, settings.db_timeout_ms / 1000)
    found = Matches(
        EventStore(database),
        ring=Bell(redis_url),
        cache_size=settings.cache,
        bot_matches=settings.bot_matches,
        thinking_ms=settings.thinking_ms,
    )
    hooks = Webhooks(database, most=settings.webhooks)
    return Services(database, Players(database), found, hooks, connect(redis_url, patience=0.5))


class Application(Flask):
    def make_default_options_response(self) -> Response:
        """What may be done here, without a body that would have to be of some type."""
        told = super().make_default_options_response()
        told.status_code = 204
        del told.headers["Content-Type"]
        return told


def create_app(parlor: Services, settings: Settings, tally: Tally | None = None) -> Flask:
    app = Application(__name__, static_folder=None)
    app.config.update(openapi.CONFIG, MAX_CONTENT_LENGTH=settings.body_limit, WEBHOOK_PRIVATE=settings.webhook_private)
    # An address is that address or none. The framework would redirect to a tidier one, with a page of HTML.
    app.url_map.strict_slashes = app.url_map.merge_slashes = False
    app.extensions["parlor"] = parlor
    app.extensions["parlor.metrics"] = settings.metrics, tally or Tally()
    app.wsgi_app = Around(CommandPath(app, parlor))  # type: ignore[method-assign]
    web.install(app)
    api = OurApi(app)
    for pages in (catalogue.pages, accounts.pages, matches.pages, webhooks.pages, operations):
        api.register_blueprint(pages)
    _reference(app)
    return app


@operations.route("/healthz", methods=["GET"])
@operations.response(200, schemas.Health)
def healthz() -> Response:
    """The process answers"""
    return answer({"status": "ok"})


@operations.route("/readyz", methods=["GET"])
@operations.response(200, schemas.Readiness)
@problems(503)
def readyz() -> Response:
    """The process can serve: the database is there. Redis may be away; bots wait until it is back"""
    parlor: Services = _parlor()
    parlor.database.ping()
    try:
        parlor.redis.ping()
        bell = "ok"
    except redis.RedisError:
        bell = "away"
    return answer({"status": "ready", "database": "ok", "redis": bell})


@operations.route("/metrics", methods=["GET"])
@operations.response(200, {"type": "string"}, content_type="text/plain")
@problems(401, 404)
def metrics() -> Response:
    """Counters for Prometheus, for those whom the setting `PARLOR_METRICS` lets in"""
    allowed, tally = current_app.extensions["parlor.metrics"]
    if allowed == "off":
        raise Problem(404, "not_found", "PARLOR_METRICS is off")
    if allowed != "open" and not _sent(allowed):
        challenge = {"WWW-Authenticate": 'Bearer realm="parlor metrics"'}
        raise Problem(401, "token_missing", "send the token of PARLOR_METRICS as `Authorization: Bearer …`", challenge)
    return Response(tally.exposition(), content_type=CONTENT_TYPE_LATEST)


def _sent(token: str) -> bool:
    given = request.headers.get("Authorization", "").encode()
    return hmac.compare_digest(given, f"Bearer {token}".encode())


def _parlor() -> Services:
    return current_app.extensions["parlor"]  # type: ignore[no-any-return]


def _reference(app: Flask) -> None:
    """The interactive reference at /docs. All of it comes from here, so that it works without internet."""

    @app.get("/")
    def front() -> Response:
        return Response(status=302, headers={"Location": "/docs"})

    @app.get("/docs")
    def docs() -> Response:
        page = send_from_directory(PAGES, "docs.html")
        page.headers["Content-Security-Policy"] = FROM_HERE
        return page

    @app.get("/docs/<path:name>")
    def docs_part(name: str) -> Response:
        folder = PAGES if name == "docs.js" else SWAGGER
        found = send_from_directory(folder, name)
        found.headers["Cache-Control"] = "max-age=3600"
        return found

    @functools.cache  # it takes a while to make, and anybody may ask for it
    def document() -> bytes:
        return orjson.dumps(openapi.document(app))

    @app.get("/openapi.json")
    def spec() -> Response:
        return Response(document(), mimetype="application/json")
