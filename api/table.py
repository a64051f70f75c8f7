"""The table in the browser: one page for all addresses, which draws what its address names.

It uses the public API and nothing else, and so has nothing to ask of the services.
"""

from __future__ import annotations

import pathlib
from typing import Final

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import NotFound

from api.joining import joined
from api.web import of_http

ENTRY: Final = "app.js"
# Nothing inline and nothing from elsewhere: whatever a player is called, no name can become a script.
STRICT: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
ADDRESSES: Final = (
    "/",
    "/account",
    "/verify",
    "/matches/<uuid:match_id>",
    "/matches/<uuid:match_id>/replay",
    "/players/<uuid:player_id>",
    "/leaderboards",
    "/leaderboards/<slug>",
)


def scripts(folder: pathlib.Path) -> dict[str, bytes]:
    """The modules of the page as they are served."""
    sources = {path.name: path.read_text() for path in folder.glob("*.js")}
    return {name: text.encode() for name, text in joined(sources, ENTRY).items()}


def install(app: Flask) -> None:
    def page(status: int = 200, **_: object) -> Response:
        shell = Response(render_template("index.html"), status, mimetype="text/html")
        shell.headers["Content-Security-Policy"] = STRICT
        shell.headers["Cache-Control"] = "no-cache"
        # The code of an invitation stands in the address; it is nobody's business where a link leads to.
        shell.headers["Referrer-Policy"] = "no-referrer"
        return shell

    for address in ADDRESSES:
        app.get(address, endpoint=f"table {address}")(page)

    @app.errorhandler(404)
    def nowhere(error: NotFound) -> Response:
        return page(404) if _somebody_looks() else of_http(error)


def _somebody_looks() -> bool:
    """Whether a person in a browser has come to this address, and no program: those do not name HTML by itself."""
    named = "text/html" in request.headers.get("Accept", "")
    return named and request.method in ("GET", "HEAD") and not request.path.startswith(("/v1/", "/static/"))
