"""Every game is played to its end by clicks alone, and no hidden card enters the page before it is shown."""

from __future__ import annotations

import datetime as dt
import itertools
import json
import operator
import os
import pathlib
import re
from typing import Any

import pytest

from domain.games import BY_SLUG
from tests.browser.house import DESKTOP, PHONE, House

CLICKING = (pathlib.Path(__file__).parent / "clicking.js").read_text()
CARD = re.compile(r'"(?:[CROW]-\d+|\d+-\d+|PRINCE|PAUPER)"')
# By somebody else: after one's own lay-down (seat 0) the page offers no card until it has heard of it.
TOO_LATE = re.compile("GO-08|^(?!seat 0 ).*GO-15")
OFFERED = ".table [data-can], .acting [data-command]"
FULL = bool(os.environ.get("FULL"))
BY_HAND = 4  # clicks with the mouse, before the page is clicked from inside

# How many sit there with the usual options, if not as few as may.
MORE = {"check-and-double-check": 3, "goat": 3, "quenette": 13}
# A match of these with the usual options takes random play from some 250 commands a seat (Prince and Pauper) to 1,400
# (Acey-Ducey): it is shortened, unless all of it is asked for (`make browser FULL=1`).
SHORTER: dict[str, dict[str, Any]] = {
    "acey-ducey": {"target": 1},
    "backgammon": {"target": 1},
    "check-and-double-check": {"target": 10},
    "goat": {"hands": 1},
    "prince-and-pauper": {"target": 10},
}
# Another size, where there is one, and other options, on a phone.
OTHERS: dict[str, tuple[int, dict[str, Any]]] = {
    "acey-ducey": (4, {"target": 1, "doubles_split": "listed"}),
    "aviation": (4, {"must_build": True}),
    "backgammon": (2, {"target": 1, "opening": "adopt", "bearing": "first"}),
    "baffle": (4, {"hand_limit": 3}),
    "check-and-double-check": (4, {"target": 10, "discard_seed": "misc"}),
    "checkers": (2, {"games": 1, "draw_no_progress": 30, "capture_rule": "mandatory"}),
    "crown-baseball": (2, {"exhausted": "retire", "walk_off": True}),
    "flique": (2, {"sets": True, "extend": True}),
    "four-nines": (3, {"variant": "two-dice"}),
    "goat": (4, {"hands": 1, "stall_limit": 10, "goat_penalty": 1}),
    "grafto": (6, {"hands": 1}),
    "jack-daw": (3, {"target": 4, "odd_card": "last_trick"}),
    "kid-o": (5, {"hands": 1}),
    "nix": (4, {"sides": "alternate"}),
    "prince-and-pauper": (5, {"target": 8}),
    "quenette": (7, {"hands": 1}),
    "rustle": (4, {"target": 10}),
    "secret-seven": (4, {"auto_call": True}),
    "trix": (4, {"scoring": "progressive", "pack": "short"}),
}


def cards(value: Any) -> set[str]:
    return set(CARD.findall(json.dumps(value)))


def play(house: House, slug: str, seats: int, options: dict[str, Any], viewport: dict[str, int]) -> int:
    token, match, page = house.seated(slug, seats, {"noted": True, "viewport": viewport}, **options)
    for _ in range(BY_HAND):
        page.locator(f"{OFFERED}, .match[data-status=over]").first.wait_for()
        if page.locator(".match[data-status=over]").count():
            break
        if page.locator(".filling").count():
            page.evaluate(CLICKING, [7, 1])
            continue
        page.locator(OFFERED).first.click()
    told = page.evaluate(CLICKING, 2)
    assert told["status"] == "over", f"it stands still: {told}"
    # Where all act at once, somebody may come too late; nothing else that the page offers is refused.
    assert all(TOO_LATE.search(one) for one in told["refusals"]), told
    assert page.locator(".result h2").inner_text()
    assert house.view(token, match)["status"] == "over"
    noted = page.evaluate("noted")
    check_hidden(house, token, match, noted)
    return int(told["clicks"])


def check_hidden(house: House, token: str, match: str, noted: dict[str, Any]) -> None:
    """Whatever only others knew at a version was not shown with it, nor told with it."""
    steps = house.steps(token, match, 0)
    own = [cards(step) for step in steps]
    hidden = [cards(step["view"]) - mine for step, mine in zip(house.steps(token, match, "table"), own, strict=True)]
    known = list(itertools.accumulate(own, operator.or_))
    commands = [step["event"]["command_id"] for step in steps]
    end = commands.index(commands[-1]) + 1  # with the last command everything is laid open
    over = dt.datetime.fromisoformat(steps[-1]["event"]["at"])
    for told in (*noted["shown"], *noted["heard"]):
        version = told["version"]
        # Where bots end a match quickly, what led to its end may be told when everything lies open already.
        if not 0 < version < end or dt.datetime.fromisoformat(told["when"]) > over:
            continue
        theirs = hidden[version - 1]
        # An answer may tell what came before; a message of the stream, and what is shown, is of one version.
        if not told.get("streamed", True):
            theirs = theirs - known[version - 1]
        found = theirs & set(told["cards"])
        assert not found, f"{found} in somebody else's hand at version {version}, and here: {told}"
    hides = hides_cards(house.view(token, match)["game"])
    assert any(hidden) == hides, "nothing was hidden, so nothing was tested" if hides else "what is hidden here?"


def hides_cards(slug: str) -> bool:
    return slug not in {"acey-ducey", "backgammon", "checkers", "four-nines", "check-and-double-check"}


@pytest.mark.parametrize("slug", BY_SLUG)
def test_a_match_with_the_usual_options_is_played_to_its_end_by_clicks_alone(house: House, slug: str) -> None:
    seats = MORE.get(slug, min(BY_SLUG[slug].seats))
    play(house, slug, seats, {} if FULL else SHORTER.get(slug, {}), DESKTOP)


@pytest.mark.parametrize("slug", BY_SLUG)
def test_another_table_is_played_to_its_end_on_a_phone(house: House, slug: str) -> None:
    play(house, slug, *OTHERS[slug], PHONE)
