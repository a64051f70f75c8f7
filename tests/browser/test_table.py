"""What happens at a table besides the play: refusals, losses, other tabs, guests, the end, and the way back through it."""

from __future__ import annotations

import functools
import json
import pathlib
import subprocess
import sys
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from domain.games import BY_SLUG
from tests.api.served import ROOT, serving
from tests.browser.house import House
from tests.browser.test_games import CLICKING, OFFERED
from tests.conftest import Servers


def version(page: Page) -> int:
    return int(page.get_attribute(".match", "data-version") or 0)


@functools.cache
def finished(house: House) -> tuple[str, str]:
    """Somebody, and a match that is over. It is only looked at, so one serves all."""
    token = house.sign_up()
    match = house.match(token, "quenette", 2, hands=1)
    context = house.person(token)
    assert house.table(context, match).evaluate(CLICKING, 3)["status"] == "over"
    context.close()
    return token, match


# ── From nothing to the first card ──────────────────────────────────────────────────────────────────────────────


def test_two_clicks_lead_from_the_front_page_to_the_first_card(house: House) -> None:
    context = house.person()
    page = house.open(context, "/")
    page.click("[data-key=quenette] .cover")
    page.click("[data-key=quenette] >> text=Play now")
    expect(page.locator(".mine .hand .thing").first).to_be_visible()
    context.close()


def test_the_table_needs_few_requests_and_little_of_the_wire(house: House) -> None:
    token = house.sign_up()
    for game, seats in (("backgammon", 2), ("quenette", 13)):
        match = house.match(token, game, seats)
        context = house.person(token)
        page = context.new_page()
        asked: list[str] = []
        sizes: list[float] = []

        def note(request: Request, asked: list[str] = asked) -> None:
            asked.append(request.url)

        page.on("request", note)
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on("Network.dataReceived", lambda told, sizes=sizes: sizes.append(told["encodedDataLength"]))
        page.goto(f"{house.url}/matches/{match}")
        page.wait_for_selector(".match .table")
        assert all(one.startswith((house.url, "data:")) for one in asked), asked
        before = [one for one in asked if not one.startswith("data:") and "words=1" not in one]
        assert len(before) <= 8, before
        assert 0 < sum(sizes) <= 120_000
        context.close()


def test_a_script_in_a_name_stays_a_name(house: House) -> None:
    token = house.sign_up("<img src=x onerror=alert(1)>")
    match = house.match(token, "quenette", 2)
    context = house.person(token)
    page = house.table(context, match)
    expect(page.locator(".mine .who")).to_have_text("<img src=x onerror=alert(1)>")
    answer = page.request.get(f"{house.url}/matches/{match}")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy
    context.close()


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_refusal_appears_with_its_rule_one_click_away(house: House) -> None:
    token = house.sign_up()
    match = house.match(token, "quenette", 2, hands=1)
    context = house.person(token)
    page = house.table(context, match)
    page.locator(OFFERED).first.wait_for()

    def forged(route: Route) -> None:
        """What the page sends is changed on the way to a card that nobody holds here."""
        hand = {one.get_attribute("data-card") for one in page.query_selector_all(".mine .hand .thing")}
        card = next(f"C-{n}" for n in range(1, 14) if f"C-{n}" not in hand)
        route.continue_(post_data=json.dumps({"type": "play_card", "card": card}))

    page.route("**/commands", forged)
    page.locator(OFFERED).first.click()
    refusal = page.locator(".refusal")
    expect(refusal).to_be_visible()
    rule = refusal.locator(".link").inner_text().split()[0]
    refusal.locator(".link").click()
    expect(page.locator(f"[id='rule-{rule}'].cited")).to_be_visible()
    page.unroute("**/commands")
    before = version(page)
    page.locator(OFFERED).first.click()
    page.wait_for_function("before => Number(document.querySelector('.match').dataset.version) > before", arg=before)
    context.close()


# ── Loss and return ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_command_whose_answer_is_lost_is_sent_again_and_counts_once(house: House) -> None:
    token = house.sign_up()
    match = house.match(token, "quenette", 2, hands=1)
    context = house.person(token)
    page = house.table(context, match)
    page.locator(OFFERED).first.wait_for()
    keys: list[str] = []

    def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()  # it arrives, and nobody hears of it
            route.abort()
        else:
            route.continue_()

    page.route("**/commands", lose)
    cards = page.locator(".mine .hand .thing").count()
    with page.expect_response("**/commands"):
        page.locator(".mine .hand .can").first.click()
    assert len(keys) == 2 and keys[0] == keys[1]
    expect(page.locator(".mine .hand .thing")).to_have_count(cards - 1)
    log = house.ask("GET", f"/v1/matches/{match}/events?limit=1000", token)["events"]
    assert [one["actor"] for one in log if one["type"] == "card_played"].count("seat:0") == 1
    context.close()


def test_the_table_comes_back_by_itself_after_the_server_was_away(
    house: House, servers: Servers, tmp_path: pathlib.Path
) -> None:
    ann, ben = house.sign_up("Ann"), house.sign_up("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = house.ask("POST", "/v1/matches", ann, {"game": "quenette", "seats": seats})["id"]
    context = house.person(ann)
    page = context.new_page()
    with serving(servers, tmp_path) as first:
        page.goto(f"http://127.0.0.1:{first.port}/matches/{match}")
        page.wait_for_selector(".lobby")
    expect(page.locator(".trouble")).to_be_visible(timeout=30_000)
    house.ask("POST", f"/v1/matches/{match}/join", ben, {})
    command = [sys.executable, "-m", "api.cli", "api"]
    again = subprocess.Popen(command, cwd=ROOT, env=first.environment)
    try:
        expect(page.locator(".lobby")).to_contain_text("Ben", timeout=60_000)
        expect(page.locator(".trouble")).to_have_count(0)
    finally:
        again.terminate()
        again.wait(30)
        context.close()


def test_two_tabs_agree(house: House) -> None:
    token = house.sign_up()
    match = house.match(token, "quenette", 2, hands=1)
    context = house.person(token)
    one, other = house.table(context, match), house.table(context, match)
    for page, beside in ((one, other), (other, one)):
        page.locator(OFFERED).first.click()
        beside.locator(".match").wait_for()
    one.locator(OFFERED).first.wait_for()
    newest = house.view(token, match)["version"]
    for page in (one, other):
        expect(page.locator(".match")).to_have_attribute("data-version", str(newest))
    assert one.locator(".mine").inner_html() == other.locator(".mine").inner_html()
    context.close()


# ── Coming and going ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_link_brings_a_guest_to_a_private_table_and_the_match_begins(house: House) -> None:
    ann = house.sign_up("Ann")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = house.ask("POST", "/v1/matches", ann, {"game": "quenette", "seats": seats, "private": True})["id"]
    hers, his = house.person(ann), house.person(house.sign_up("Ben"))
    page = house.table(hers, match)
    page.click("text=Make an invitation link")
    link = page.locator(".lobby code").inner_text()
    assert f"/matches/{match}#" in link
    guest = house.open(his, link.removeprefix(house.url))
    guest.click("text=Sit down")
    page.click(".lobby >> text=Start")
    for one in (page, guest):
        expect(one.locator(".mine .hand .thing").first).to_be_visible()
    hers.close()
    his.close()


def test_who_resigns_has_lost_and_is_told_so(house: House) -> None:
    token = house.sign_up()
    match = house.match(token, "backgammon", 2)
    context = house.person(token)
    page = house.table(context, match)
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("text=Resign")
    expect(page.locator(".result h2")).to_contain_text("won")
    assert house.view(token, match)["result"]["winners"] == [1]
    context.close()


@pytest.mark.parametrize(("game", "options"), [("quenette", {"hands": 1}), ("kid-o", {"hands": 1}), ("flique", {})])
def test_a_match_is_played_by_keys_alone(house: House, game: str, options: dict[str, Any]) -> None:
    token = house.sign_up()
    match = house.match(token, game, min(BY_SLUG[game].seats), **options)
    context = house.person(token)
    page = house.table(context, match)
    until = time.monotonic() + 60
    while page.get_attribute(".match", "data-status") != "over" and time.monotonic() < until:
        if not page.locator(OFFERED).count():
            page.wait_for_timeout(20)
            continue
        for _ in range(80):  # steps of the Tab key until something can be done
            page.keyboard.press("Tab")
            if page.evaluate("Boolean(document.activeElement.dataset.can || document.activeElement.dataset.command)"):
                page.keyboard.press("Enter")
                break
    expect(page.locator(".result h2")).to_be_visible()
    context.close()
