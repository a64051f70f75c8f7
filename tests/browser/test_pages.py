"""For everybody: axe finds nothing on any page, in light and dark, and nothing is cut off on a narrow screen."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.house import House
from tests.browser.test_table import finished

WIDTHS = (320, 640, 1280, 1900)  # 640 is what 200 % leaves of an ordinary screen


# In the dark only the colours differ.
LOOKED_FOR: dict[Any, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
# What is in order is not told, node by node: that would take longer than to look for it.
LOOK = """async (options) => {
  const { violations } = await axe.run({ resultTypes: ["violations"], ...options });
  return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target} ${node.failureSummary}`));
}"""


def findings(page: Page) -> list[str]:
    page.evaluate(Axe().axe_script)
    found = []
    for scheme, options in LOOKED_FOR.items():
        page.emulate_media(color_scheme=scheme)
        found += [f"{scheme} {one}" for one in page.evaluate(LOOK, options)]
    return found


def overflow(page: Page) -> int:
    """How many pixels one would have to scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")  # type: ignore[no-any-return]


def test_axe_finds_nothing_on_any_page_in_light_and_dark(house: House) -> None:
    token, over = finished(house)
    me = house.ask("GET", "/v1/me", token)["id"]
    tables = [house.match(token, game, 2) for game in ("quenette", "backgammon", "checkers", "crown-baseball")]
    pages = {
        "/": ".games .tile",
        "/docs/errors": "table",
        **{f"/matches/{match}": ".match .table" for match in (*tables, over)},
        f"/matches/{over}/replay?at=6": ".match .table",
        f"/matches/{over}/replay?at=9&as=table": ".match .table",
        f"/verify?match={over}": ".verdict",
        "/account": ".account h2",
        "/leaderboards": ".leaders table, .leaders p",
        f"/players/{me}": ".player-page",
        "/nowhere": ".away h1",
    }
    page = house.tab(house.person(token, own=True))
    found = []
    for path, drawn in pages.items():
        page.goto(f"{house.url}{path}")
        page.wait_for_selector(drawn)
        found += [f"{path} {one}" for one in findings(page)]
    assert not found, "\n".join(found)


def test_nothing_is_cut_off_from_a_narrow_screen_to_a_wide_one(house: House) -> None:
    token, over = finished(house)
    tables = [house.match(token, *of) for of in (("quenette", 13), ("backgammon", 2), ("nix", 4), ("aviation", 4))]
    paths = ["/", *(f"/matches/{match}" for match in tables), f"/matches/{over}/replay", "/account", "/leaderboards"]
    paths += ["/docs/errors", f"/verify?match={over}", f"/players/{house.ask('GET', '/v1/me', token)['id']}"]
    page = house.tab(house.person(token, own=True))
    cut = []
    for path in paths:
        page.goto(f"{house.url}{path}")
        page.wait_for_selector("h1")
        page.wait_for_load_state("load")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if (over_by := overflow(page)) > 0:
                cut.append((path, width, over_by))
    assert cut == []
