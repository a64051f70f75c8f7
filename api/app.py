"""The application: services, pages, and what they stand on."""

from __future__ import annotations

import functools
import hmac
import pathlib
from typing import NamedTuple

import flask_swagger_ui
import orjson
import redis
from flask import Flask, Response, current_app, render_template, request
from flask_smorest import Api
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.exceptions import NotFound

from api import (
    accounts,
    auditing,
    catalogue,
    errors,
    feed,
    hosting,
    matches,
    notices,
    openapi,
    operator,
    records,
    replaying,
    schemas,
    table,
    watching,
    web,
    webhooks,
)
from api.browsers import Origins
from api.commands import CommandPath
from api.gate.crier import Crier
from api.gate.hub import Hub
from api.gate.siblings import Family, Sibling
from api.metrics import Tally
from api.problems import Problem
from api.rates import Limits
from api.statics import ASK_AGAIN, FOR_AN_HOUR, Prepared, Statics, prepared
from api.web import Around, Pages, answer, problems
from eventstore.db import Database
from eventstore.feed import Feed, PostgresNode
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.signing import Signer
from eventstore.states import News, Warm
from eventstore.store import EventStore, concerned
from eventstore.tidings import Tidings
from eventstore.trees import Trees
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
    signer: Signer
    trees: Trees
    redis: redis.Redis
    feed: Feed
    hub: Hub
    crier: Crier
    glance: watching.Glance  # at the bots


def services(database_url: str, redis_url: str, settings: Settings, among: Sibling | None = None) -> Services:
    """For one process, be it alone or among others of the same server."""
    sibling = among or Sibling(Family(1), 0)
    database = Database(database_url, settings.db_timeout_ms / 1000)
    bell = Bell(redis_url, sibling.server)

    def moved(warm: Warm, news: News) -> None:
        people = concerned(warm.match)
        sibling.came_to(warm.match.id, news.version)
        hub.moved(warm, news)
        crier.stirred(people)
        bell.moved(warm.match.id, warm.match.version, people)

    found = Matches(
        EventStore(database),
        ring=bell,
        moved=moved,
        newest=sibling.newest,
        cache_size=settings.cache,
        bot_matches=settings.bot_matches,
        open_matches=settings.open_matches,
        thinking_ms=settings.thinking_ms,
    )
    players, tidings = Players(database), Tidings(database)
    followed = Feed([PostgresNode(database)])
    hub, crier = Hub(found, players, tidings, sibling), Crier(followed, players, tidings)
    return Services(
        database,
        players,
        found,
        Webhooks(database, most=settings.webhooks),
        Signer(database, settings.signing_key),
        Trees(database),
        connect(redis_url, patience=0.5),
        followed,
        hub,
        crier,
        watching.Glance(database_url, redis_url),
    )


class Application(Flask):
    def make_default_options_response(self) -> Response:
        """What may be done here, without a body that would have to be of some type."""
        told = super().make_default_options_response()
        told.status_code = 204
        del told.headers["Content-Type"]
        return told


def create_app(parlor: Services, settings: Settings, tally: Tally | None = None) -> Flask:
    app = Application(__name__, static_folder=None, template_folder=PAGES)
    app.config.update(
        openapi.CONFIG,
        MAX_CONTENT_LENGTH=settings.body_limit,
        WEBHOOK_PRIVATE=settings.webhook_private,
        PUBLIC_URL=settings.public_url or "",
    )
    # An address is that address or none. The framework would redirect to a tidier one, with a page of HTML.
    app.url_map.strict_slashes = app.url_map.merge_slashes = False
    app.extensions["parlor"] = parlor
    app.extensions["parlor.metrics"] = settings.metrics, tally or Tally()
    limits = app.extensions["parlor.limits"] = Limits(settings, parlor.redis, parlor.players.remembers)
    around = Around(CommandPath(app, parlor), limits, Origins(settings.origins))
    app.wsgi_app = around  # type: ignore[method-assign]
    web.install(app)
    api = OurApi(app)
    for pages in (
        catalogue.pages,
        accounts.pages,
        matches.pages,
        hosting.pages,
        replaying.pages,
        auditing.pages,
        webhooks.pages,
        notices.pages,
        feed.pages,
        records.pages,
        operator.pages,
        operations,
    ):
        api.register_blueprint(pages)
    _reference(app)
    table.install(app)
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
    """Counters and gauges for Prometheus, for those whom the setting `PARLOR_METRICS` lets in"""
    allowed, tally = current_app.extensions["parlor.metrics"]
    if allowed == "off":
        raise Problem(404, "not_found", "PARLOR_METRICS is off")
    if allowed != "open" and not _sent(allowed):
        challenge = {"WWW-Authenticate": 'Bearer realm="parlor metrics"'}
        raise Problem(401, "token_missing", "send the token of PARLOR_METRICS as `Authorization: Bearer …`", challenge)
    return Response(tally.exposition(watching.metrics(_parlor().glance.seen())), content_type=CONTENT_TYPE_LATEST)


def _sent(token: str) -> bool:
    given = request.headers.get("Authorization", "").encode()
    return hmac.compare_digest(given, f"Bearer {token}".encode())


def _parlor() -> Services:
    return current_app.extensions["parlor"]  # type: ignore[no-any-return]


def _reference(app: Flask) -> None:
    """The interactive reference at /docs. All of it comes from here, so that it works without internet."""
    files = Statics([SWAGGER, PAGES], table.scripts(PAGES))
    app.jinja_env.globals["static"] = files.address

    @app.get("/docs")
    def docs() -> Response:
        page = Response(render_template("docs.html"), mimetype="text/html")
        page.headers["Content-Security-Policy"] = FROM_HERE
        return page

    @functools.cache
    def all_errors() -> Prepared:
        return prepared(errors.page().encode(), "text/html; charset=utf-8")

    @app.get("/docs/errors")
    def docs_errors() -> Response:
        page = all_errors().answer(ASK_AGAIN)
        page.headers["Content-Security-Policy"] = FROM_HERE
        return page

    @app.get("/static/<digest>/<path:name>")
    def static_file(digest: str, name: str) -> Response:
        if digest != files.digest:
            raise NotFound  # the page that names it is as old, and would not go with what is here now
        return files.answer(name)

    @app.get("/docs/<path:name>")
    def docs_part(name: str) -> Response:
        return files.answer(name, FOR_AN_HOUR)

    @functools.cache  # they take a while to make, and anybody may ask for them
    def document() -> Prepared:
        return prepared(orjson.dumps(openapi.document(app)), "application/json")

    @functools.cache
    def as_yaml() -> Prepared:
        return prepared(openapi.written(app).encode(), "application/yaml")

    @app.get("/openapi.json")
    def spec() -> Response:
        return document().answer(ASK_AGAIN)

    @app.get("/openapi.yaml")
    def spec_in_yaml() -> Response:
        return as_yaml().answer(ASK_AGAIN)
