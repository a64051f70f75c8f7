"""The application: services, pages, and what they stand on."""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import flask_swagger_ui
import redis
from flask import Flask, Response, current_app, redirect, send_from_directory
from flask_smorest import Api
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest, multiprocess
from prometheus_client import REGISTRY as ONE_PROCESS

from api import accounts, catalogue, matches, openapi, schemas, web
from api.commands import CommandPath
from api.web import Around, Pages, answer, problems
from eventstore.db import Database
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.store import EventStore
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
    redis: redis.Redis


def services(database_url: str, redis_url: str, settings: Settings) -> Services:
    database = Database(database_url, settings.db_timeout_ms / 1000)
    found = Matches(
        EventStore(database), ring=Bell(redis_url), cache_size=settings.cache, bot_matches=settings.bot_matches
    )
    return Services(database, Players(database), found, connect(redis_url, patience=0.5))


def create_app(parlor: Services, settings: Settings) -> Flask:
    app = Flask(__name__, static_folder=None)
    app.config.update(openapi.CONFIG, MAX_CONTENT_LENGTH=settings.body_limit)
    app.url_map.strict_slashes = False
    app.extensions["parlor"] = parlor
    app.wsgi_app = Around(CommandPath(app, parlor))  # type: ignore[method-assign]
    web.install(app)
    api = OurApi(app)
    openapi.describe(api)
    for pages in (catalogue.pages, accounts.pages, matches.pages, operations):
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
def metrics() -> Response:
    """Counters for Prometheus"""
    registry: Any = ONE_PROCESS
    try:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    except ValueError:
        registry = ONE_PROCESS
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _parlor() -> Services:
    return current_app.extensions["parlor"]  # type: ignore[no-any-return]


def _reference(app: Flask) -> None:
    """The interactive reference at /docs. All of it comes from here, so that it works without internet."""

    @app.get("/")
    def front() -> Any:
        return redirect("/docs")

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

    @app.get("/openapi.json")
    def spec() -> Response:
        return answer(openapi.document(app))
