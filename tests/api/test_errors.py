"""The page of errors has every code that the server can answer with, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import flask.testing
import pytest

from api import errors
from api.web import OF_HTTP
from domain.games.acey_ducey import game as acey_ducey
from domain.games.backgammon import game as backgammon
from domain.games.checkers import game as checkers
from domain.games.four_nines import cross
from tests.test_readme import ROOT

PAGE = ROOT / "docs" / "errors.md"
ROW = re.compile(r"^\| `(\w+)` \|(.*)\|$", re.M)
PLACE = {"Problem": 1, "Refused": 1, "TooMany": 0}  # of the code among the arguments
# Where a code is no literal, and which it can be there.
IN_TABLES: dict[str, set[str]] = {
    "api/web.py": {*OF_HTTP.values(), "bad_request"},
    "api/problems.py": set(),  # hands on what was refused
    "domain/games/acey_ducey/game.py": set(acey_ducey.OBSTACLES),
    "domain/games/backgammon/game.py": set(backgammon.OBSTACLES),
    "domain/games/checkers/game.py": {code for _, code, _ in checkers.ANSWERED.values()},
    "domain/games/four_nines/pips.py": {code for code, _ in cross.BARRIERS.values()},
}


def raised() -> Iterator[tuple[str, str | None]]:
    """Every file that ends something with a code, and the code if it stands there."""
    for path in (
        path for folder in ("api", "domain", "eventstore", "workers") for path in (ROOT / folder).rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
                continue
            place = PLACE.get(node.func.id if isinstance(node.func, ast.Name) else node.func.attr)
            if place is None or not node.args:
                continue
            code = node.args[place] if place < len(node.args) else None
            known = code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None
            yield path.relative_to(ROOT).as_posix(), known


def test_every_code_that_can_be_answered_is_on_the_page_once_and_no_other() -> None:
    found = list(raised())
    assert {path for path, code in found if code is None} == IN_TABLES.keys()
    codes = {code for _, code in found if code is not None}.union(*IN_TABLES.values())
    told = [code for code, _ in ROW.findall(PAGE.read_text())]
    assert sorted(told) == sorted(codes)


def test_every_code_has_a_cause_and_a_remedy() -> None:
    for code, rest in ROW.findall(PAGE.read_text()):
        *_, cause, remedy = (cell.strip() for cell in rest.split("|"))
        assert cause.endswith(".") and remedy.endswith("."), code


@pytest.mark.parametrize("code", ["not_found", "must_follow", "past_home"])
def test_a_running_server_has_the_page_with_a_place_for_each_code(client: flask.testing.FlaskClient, code: str) -> None:
    got = client.get("/docs/errors")
    assert got.status_code == 200 and got.mimetype == "text/html"
    html = got.get_data(as_text=True)
    assert f'<tr id="{code}">' in html and "<script" not in html
    assert len(re.findall(r'<tr id="', html)) == len(ROW.findall(PAGE.read_text()))
    again = client.get("/docs/errors", headers={"If-None-Match": got.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/gaems", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
        ("/gaems", "*/*", "application/problem+json"),
        ("/v1/gaems", "text/html", "application/problem+json"),
        ("/static/0/gaems.js", "text/html", "application/problem+json"),
    ],
)
def test_whoever_comes_to_no_address_in_a_browser_gets_a_page_and_every_program_a_problem(
    client: flask.testing.FlaskClient, path: str, accept: str, kind: str
) -> None:
    got = client.get(path, headers={"Accept": accept})
    assert (got.status_code, got.mimetype) == (404, kind)
    assert client.post(path, headers={"Accept": accept}).mimetype == "application/problem+json"


def test_the_page_is_in_the_package_too() -> None:
    assert errors.text() == PAGE.read_text()
