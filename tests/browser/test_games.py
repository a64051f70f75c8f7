"""Every game is played to its end by clicks alone, and no hidden card enters the page before it is shown."""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any

import pytest
from playwright.sync_api import Page

from domain.games import BY_SLUG
from tests.browser.house import DESKTOP, PHONE, House

CLICKING = (pathlib.Path(__file__).parent / "clicking.js").read_text()
CARD = re.compile(r'"(?:[CROW]-\d+|\d+-\d+|PRINCE|PAUPER)"')
# By somebody else: after one's own lay-down (seat 0) the page offers no card until it has heard of it.
TOO_LATE = re.compile("GO-08|^(?!seat 0 ).*GO-15")
OFFERED = ".table [data-can], .acting [data-command]"
FULL = bool(os.environ.get("FULL"))
BY_HAND = 4  # clicks with the mouse, before the page is clicked from inside

# With the usual options: how many sit there. Where random play takes more than some 400 commands a match is shortened,
# unless all of it is asked for (`make browser FULL=1`). The longest are played only then.
LONG = {
    *("acey-ducey", "aviation", "backgammon", "check-and-double-check", "checkers", "crown-baseball", "four-nines"),
    *("nix", "secret-seven", "trix"),
}
USUAL: dict[str, tuple[int, dict[str, Any]]] = {
    "acey-ducey": (2, {"target": 1}),
    "aviation": (2, {}),
    "backgammon": (2, {"target": 1}),
    "baffle": (2, {}),
    "check-and-double-check": (3, {"target": 10}),
    "checkers": (2, {}),
    "crown-baseball": (2, {}),
    "flique": (2, {}),
    "four-nines": (2, {}),
    "goat": (3, {"hands": 1}),
    "grafto": (3, {}),
    "jack-daw": (2, {"target": 4}),
    "kid-o": (2, {}),
    "nix": (3, {}),
    "prince-and-pauper": (3, {"target": 10}),
    "quenette": (13, {}),
    "rustle": (2, {"target": 15}),
    "secret-seven": (2, {}),
    "trix": (2, {}),
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

PLAYED = sorted(BY_SLUG.keys() - (set() if FULL else LONG))


def cards(value: Any) -> set[str]:
    return set(CARD.findall(json.dumps(value)))


def known(page: Page) -> str:
    """All that the page holds: what it shows, what it has heard, what it keeps."""
    kept: str = page.evaluate("JSON.stringify([document.documentElement.outerHTML, window.heard, {...localStorage}])")
    plain = kept.replace('\\"', '"').replace('\\"', '"')
    return re.sub(r'"examples": ?\[[^]]*\]', "", plain)  # cards that the catalogue shows to everybody


def play(house: House, slug: str, seats: int, options: dict[str, Any], viewport: dict[str, int]) -> None:
    token = house.sign_up()
    match = house.match(token, slug, seats, **options)
    context = house.person(token, heard=True, viewport=viewport)
    page = house.table(context, match)
    page.locator(OFFERED).first.wait_for()
    held = [known(page)]
    for _ in range(BY_HAND):
        page.locator(f"{OFFERED}, .match[data-status=over]").first.wait_for()
        if page.locator(".match[data-status=over]").count():
            break
        if page.locator(".filling").count():
            page.evaluate(CLICKING, [7, 1])
            continue
        page.locator(OFFERED).first.click()
    clicks, told = 2, {"status": ""}
    while told["status"] != "over":
        told = page.evaluate(CLICKING, [clicks, clicks])
        # Where all act at once, somebody may come too late; nothing else that the page offers is refused.
        assert told["status"] and all(TOO_LATE.search(one) for one in told["refusals"]), told
        assert told["clicks"] >= clicks or told["status"] == "over", f"it stands still: {told}"
        held.append(known(page))
        clicks *= 2
    assert page.locator(".result h2").inner_text()
    assert house.view(token, match)["status"] == "over"
    context.close()
    check_hidden(house, token, match, held)


def check_hidden(house: House, token: str, match: str, held: list[str]) -> None:
    """Whatever only others knew at a moment was not in the page then."""
    view = house.view(token, match)
    slug, seats = view["game"], len(view["seats"])
    shown = cards(house.ask("GET", f"/v1/games/{slug}"))  # cards that stand there as examples
    hidden = 0
    for text in held:
        version = max(map(int, re.findall(r"id: (\d+)\\+n", text)))  # heard, and perhaps not drawn yet
        if version >= view["version"] - 1:
            continue
        mine = shown | cards(house.steps(token, match, 1, version, 0))
        at = f"?at={version}&as="
        theirs = [cards(house.view(token, match, f"{at}{seat}")["table"]) - mine for seat in range(1, seats)]
        for card in set().union(*theirs):
            before, found, after = text.partition(card)
            assert not found, f"{card} is in somebody else's hand, and in the page: {before[-200:]}{found}{after[:100]}"
            hidden += 1
    assert hidden or not hides_cards(slug), "nothing was hidden, so nothing was tested"


def hides_cards(slug: str) -> bool:
    return slug not in {"acey-ducey", "backgammon", "checkers", "four-nines", "check-and-double-check"}


@pytest.mark.parametrize("slug", PLAYED)
def test_a_match_with_the_usual_options_is_played_to_its_end_by_clicks_alone(house: House, slug: str) -> None:
    seats, shorter = USUAL[slug]
    play(house, slug, seats, {} if FULL else shorter, DESKTOP)


@pytest.mark.parametrize("slug", PLAYED)
def test_another_table_is_played_to_its_end_on_a_phone(house: House, slug: str) -> None:
    play(house, slug, *OTHERS[slug], PHONE)
