"""What a person sees: nothing cut off in crowded moments, room for fingers, and a focus that can be found."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import PHONE, House, Pair
from tests.browser.test_games import CLICKING
from tests.browser.test_table import FITS, finished, offered

FINGER = 44  # pixels


def fits(page: Page) -> bool:
    return all(over <= 0 for over in page.evaluate(FITS))


def test_the_chooser_of_secret_seven_leaves_the_table_whole(house: House) -> None:
    pair = Pair(house, "secret-seven")
    (page,) = pair.look(house.view(pair.tokens[0], pair.match)["to_act"][0])
    page.click(".below [data-command]")
    blanks = page.locator(".filling fieldset")
    expect(blanks.nth(1)).to_contain_text("Choose the cards above first")
    assert fits(page), page.evaluate(FITS)
    for place in range(4):
        blanks.nth(0).locator("button").nth(place).click()
    expect(blanks.nth(1).locator("button")).to_have_count(4)
    blanks.nth(1).locator("button").nth(0).click()
    assert fits(page), page.evaluate(FITS)
    blanks.nth(0).locator("button").nth(0).click()  # what is taken back is chosen nowhere
    expect(blanks.nth(1).locator("button")).to_have_count(3)
    expect(blanks.nth(1).locator(".chosen")).to_have_count(0)


def test_thirteen_hands_at_the_end_of_goat_fit_on_the_screen_and_are_shown_once(house: House) -> None:
    page = house.seated("goat", 13, hands=1, stall_limit=10).page
    assert page.evaluate(CLICKING, 3)["status"] == "over"
    expect(page.locator(".result h2")).to_be_visible()
    assert page.locator(".players .thing").count() <= 48 and page.locator(".players .player").count() == 12
    assert fits(page), page.evaluate(FITS)


HIDDEN_BELOW = (
    "() => { const middle = document.querySelector('.middle'); return middle.scrollHeight - middle.clientHeight; }"
)


def test_the_trick_of_ten_players_is_seen_with_all_its_names(house: House) -> None:
    page = house.seated("trix", 10, max_seats=10).page
    for _ in range(8):  # turns, early and late in a trick
        page.evaluate(CLICKING, [5, 1])
        offered(page)
        assert page.evaluate(HIDDEN_BELOW) <= 0 and fits(page), page.evaluate(FITS)


TIGHT = """(finger) => [...document.querySelectorAll(".menu > *, .tabs button, .below button, .held .can")]
  .map((one) => [one.getAttribute("aria-label") ?? one.textContent, one.getBoundingClientRect()])
  .filter(([, at]) => at.width < finger - 0.5 || at.height < finger - 0.5).map(([name, at]) => `${name} ${at.width}x${at.height}`)"""


@pytest.mark.parametrize(("game", "seats"), [("quenette", 4), ("backgammon", 2), ("goat", 4)])
def test_on_a_phone_there_is_room_for_a_finger_on_all_that_can_be_tapped(house: House, game: str, seats: int) -> None:
    page = house.seated(game, seats, look={"viewport": PHONE, "has_touch": True}).page
    offered(page)
    assert page.evaluate(TIGHT, FINGER) == []
    assert page.evaluate("new Set([...document.querySelectorAll('.menu > *')].map((one) => one.offsetTop)).size") == 1


NARROWEST = "() => Math.min(...[...document.querySelectorAll('.board .cell')].map((one) => { const { width, height } = one.getBoundingClientRect(); return Math.min(width, height); }))"
LONG_HAND = "() => { const at = [...document.querySelectorAll('.held .thing')].map((one) => one.getBoundingClientRect()); return [at.length, Math.min(...at.slice(0, -1).map((one, n) => at[n + 1].top > one.top ? 99 : at[n + 1].left - one.left))]; }"


@pytest.mark.parametrize(
    ("game", "width", "least"), [("checkers", 360, 40), ("checkers", 320, 36), ("backgammon", 360, 30)]
)
def test_on_a_phone_a_board_takes_the_whole_width(house: House, game: str, width: int, least: int) -> None:
    page = house.seated(game, 2, look={"viewport": {"width": width, "height": 640}, "has_touch": True}).page
    assert page.evaluate(NARROWEST) >= least
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_what_was_refused_and_its_rule_are_seen_without_scrolling(house: House) -> None:
    page = house.seated("quenette", 13, look={"viewport": PHONE, "has_touch": True, "own": True}, hands=1).page
    offered(page)
    held = {card.get_attribute("data-card") for card in page.locator(".held .thing").all()}
    foreign = next(card for n in range(1, 14) if (card := f"C-{n}") not in held)
    # What the page sends is changed on the way.
    forged = json.dumps({"type": "play_card", "card": foreign})
    page.route("**/commands", lambda route: route.continue_(post_data=forged))
    page.locator(".held .can").first.tap()
    refusal = page.locator(".refusal")
    expect(refusal).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    expect(refusal.locator("p").first).to_be_in_viewport(ratio=1)
    expect(refusal.locator(".link")).to_be_in_viewport(ratio=1)


def test_on_a_phone_the_cards_of_a_long_hand_lie_a_finger_apart(house: House) -> None:
    page = house.seated("quenette", 2, look={"viewport": PHONE, "has_touch": True}).page
    count, apart = page.evaluate(LONG_HAND)
    assert count > 20 and apart >= 40


def test_a_tap_beside_a_man_means_the_man(house: House) -> None:
    page = house.seated("checkers", 2, look={"viewport": PHONE, "has_touch": True}).page
    offered(page)
    man = page.locator(".cell.can[data-more]").first
    box = man.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] - 6)  # on the light square above
    expect(page.locator(".cell.chosen")).to_have_count(1)


def test_several_men_are_read_out_as_men(house: House) -> None:
    page = house.seated("backgammon", 2).page
    assert page.locator(".cell[aria-label*='5 men of']").count() > 0
    assert page.locator(".cell[aria-label*='mans']").count() == 0


RING = """() => {
  const look = (part) => { const style = getComputedStyle(document.activeElement.querySelector(`:scope > ${part}`)); return [style.stroke, parseFloat(style.strokeWidth)]; };
  return [...look(".ground"), ...look(".rim-light")];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_focus_on_a_board_is_dark_with_a_light_rim_whatever_can_be_chosen_there(house: House, scheme: Any) -> None:
    page = house.seated("checkers", 2, look={"color_scheme": scheme}).page
    offered(page)
    page.keyboard.press("Tab")
    for place in (".cell.can[data-more]", ".cell.can:not(:has(.man))"):  # a man, and then where he may go
        page.locator(place).first.focus()
        inner, wide, rim, wider = page.evaluate(RING)
        assert (inner, rim) == ("rgb(0, 0, 0)", "rgb(255, 255, 255)") and wider - 0.1 > wide > 0.1, place
        page.keyboard.press("Enter")


def test_of_a_card_in_hand_that_has_the_focus_the_whole_is_seen(house: House) -> None:
    page = house.seated("quenette", 2).page
    offered(page)
    page.keyboard.press("Tab")
    card = page.locator(".held .can").first
    card.focus()
    assert card.evaluate("(one) => getComputedStyle(one).zIndex") == "1"
    ring = card.locator(".card").evaluate("(one) => getComputedStyle(one).outline")
    assert "solid" in ring and "3px" in ring


def test_the_signs_on_the_buttons_of_a_replay_are_drawn_and_have_names(house: House) -> None:
    """Fonts lack such signs, and show empty boxes."""
    token, match = finished(house)
    context = house.person(token)
    page = house.open(context, f"/matches/{match}/replay?at=5")
    for name in ("to the beginning", "one back", "one on", "to the end"):
        button = page.locator(f".player-controls [aria-label='{name}']")
        expect(button).to_have_text("")
        box = button.locator("svg").bounding_box()
        assert box and min(box["width"], box["height"]) >= 14
