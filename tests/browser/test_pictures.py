"""Every game's table is drawn whole: nothing sticks out of it, and it can be looked at. `make pictures` keeps what it sees."""

from __future__ import annotations

import os
import pathlib

import pytest
from playwright.sync_api import Page

from domain.games import BY_SLUG
from tests.browser.colours import with_few_colours
from tests.browser.house import House
from tests.browser.test_games import OFFERED

KEPT = os.environ.get("PICTURES")
LARGEST = 80_000  # bytes of a picture
# How many sit at the table of the picture, and how many choices are made before it is taken.
TABLES = {
    "acey-ducey": (2, 14),
    "aviation": (2, 4),
    "backgammon": (2, 8),
    "baffle": (4, 3),
    "check-and-double-check": (3, 5),
    "checkers": (2, 8),
    "crown-baseball": (2, 5),
    "flique": (2, 6),
    "four-nines": (4, 20),
    "goat": (4, 2),
    "grafto": (4, 4),
    "jack-daw": (3, 3),
    "kid-o": (4, 2),
    "nix": (3, 4),
    "prince-and-pauper": (4, 4),
    "quenette": (4, 3),
    "rustle": (3, 3),
    "secret-seven": (3, 2),
    "trix": (3, 4),
}
# What can be done is offered below the table, and may lie over a long one.
ALONE = "() => { document.querySelector('.below').style.visibility = 'hidden'; }"
OUTSIDE = """() => {
  const table = document.querySelector(".table").getBoundingClientRect();
  return [...document.querySelectorAll(".table .card, .table .die, .table .who, .table .player, .table .board")]
    .filter((one) => { const at = one.getBoundingClientRect(); return at.width && (at.left < table.left - 1 || at.right > table.right + 1); })
    .map((one) => one.outerHTML.slice(0, 120));
}"""


def some_way_on(page: Page, choices: int) -> None:
    """A few choices, each the first that is offered, and then the reader's turn again if it comes."""
    for _ in range(choices):
        page.locator(f"{OFFERED}, .match[data-status=over]").first.wait_for()
        if page.locator(".filling, .match[data-status=over]").count():
            return
        page.locator(OFFERED).first.click()
    page.locator(f"{OFFERED}, .match[data-status=over]").first.wait_for()


@pytest.mark.parametrize("slug", sorted(BY_SLUG))
def test_the_table_is_drawn_whole(house: House, slug: str) -> None:
    seats, choices = TABLES[slug]
    page = house.seated(slug, seats).page
    if KEPT:
        some_way_on(page, choices)
    assert page.evaluate(OUTSIDE) == []
    if KEPT:
        path = pathlib.Path(KEPT) / f"{slug}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.evaluate(ALONE)
        path.write_bytes(with_few_colours(page.context, page.locator(".match > .table").screenshot()))
        assert path.stat().st_size <= LARGEST, f"{path} has {path.stat().st_size} bytes"
