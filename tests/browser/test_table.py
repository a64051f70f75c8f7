"""What happens at a table besides the play: refusals, losses, other tabs, guests, the end, and the way back through it."""

from __future__ import annotations

import functools
import json
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect

from domain.games import BY_SLUG, GAMES
from domain.telling.schema import view_schema
from tests.api.served import ROOT, serving
from tests.browser.house import House, Pair
from tests.browser.test_games import CLICKING, OFFERED
from tests.conftest import Servers


def version(page: Page) -> int:
    return int(page.get_attribute(".match", "data-version") or 0)


@functools.cache
def finished(house: House) -> tuple[str, str]:
    """Somebody, and a match that is over. It is only looked at, so one serves all."""
    token, match, page = house.seated("quenette", 2, hands=1)
    assert page.evaluate(CLICKING, 3)["status"] == "over"
    return token, match


# ── From nothing to the first card ──────────────────────────────────────────────────────────────────────────────


def test_two_clicks_lead_from_the_front_page_to_the_first_card(house: House) -> None:
    context = house.person()
    page = house.open(context, "/")
    page.click("[data-key=quenette] .cover")
    page.click("[data-key=quenette] >> text=Play now")
    expect(page.locator(".mine .hand .thing").first).to_be_visible()
    assert page.locator(".games").count() == 0 and page.evaluate("scrollY") == 0


def test_the_table_needs_few_requests_and_little_of_the_wire(house: House) -> None:
    token = house.sign_up()
    for game, seats in (("backgammon", 2), ("quenette", 13)):
        match = house.match(token, game, seats)
        context = house.person(token, own=True)
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


def test_a_script_in_a_name_stays_a_name(house: House) -> None:
    token = house.sign_up("<img src=x onerror=alert(1)>")
    match = house.match(token, "quenette", 2)
    context = house.person(token)
    page = house.table(context, match)
    expect(page.locator(".mine .who")).to_have_text("<img src=x onerror=alert(1)>")
    answer = page.request.get(f"{house.url}/matches/{match}")
    policy = answer.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy


# ── The table itself ────────────────────────────────────────────────────────────────────────────────────────────


def offered(page: Page) -> None:
    page.locator(OFFERED).first.wait_for()


def went_on(page: Page, before: int) -> None:
    page.wait_for_function("before => Number(document.querySelector('.match').dataset.version) > before", arg=before)


def point(page: Page, what: str, across: float = 0.5) -> tuple[float, float]:
    """A point of something, so far across it."""
    box = page.locator(what).first.bounding_box()
    assert box
    return box["x"] + box["width"] * across, box["y"] + box["height"] / 2


def carry(page: Page, what: str, to: str) -> None:
    """With the mouse, from the left of something, since cards in a hand overlap, to the middle of something else."""
    taken = point(page, what, 0.15)
    page.mouse.move(*taken)
    page.mouse.down()
    page.mouse.move(*(at + 9 for at in taken))
    page.mouse.move(*point(page, to), steps=3)
    page.mouse.up()


def test_fields_of_views_have_names_that_are_said_at_a_table() -> None:
    listed = (ROOT / "api/pages/labels.js").read_text().partition("const LABELS = {")[2].partition("};")[0]
    labels = dict(re.findall(r'^  "?([\w.]+)"?: "(.+)",$', listed, re.MULTILINE))
    names = {name for game in GAMES for name in parts(view_schema(game))}
    assert len(names) > 100 and set(labels) <= {each for name in names for each in (name, name.rpartition(".")[2])}
    said = {name: labels.get(name) or labels.get(name.rpartition(".")[2]) or name.rpartition(".")[2] for name in names}
    odd = {name: text for name, text in said.items() if re.search("_no$|_by$|_of$|^side_|_count$", text)}
    assert odd == {}


def parts(schema: Any, name: str = "") -> Iterator[str]:
    """The fields that are parts of a table, with the names of the records around them."""
    if "x-part" in schema:
        yield name
        return
    for each in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from parts(each, name)
    for field, inner in schema.get("properties", {}).items():
        yield from parts(inner, f"{name}.{field}".lstrip("."))


FITS = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const table = document.querySelector(".table");
  return [document.documentElement.scrollHeight - innerHeight, table.scrollHeight - table.clientHeight,
    box(".mine").bottom - box(".below").top, box(".below").bottom - innerHeight].map(Math.round);
}"""


@pytest.mark.parametrize(
    ("game", "seats"),
    [("crown-baseball", 2), ("aviation", 4), ("backgammon", 2), ("checkers", 2), ("four-nines", 4), ("quenette", 13)],
)
def test_a_whole_table_fits_on_a_desktop_screen_and_nothing_lies_over_it(house: House, game: str, seats: int) -> None:
    page = house.seated(game, seats).page
    offered(page)
    assert all(over <= 0 for over in page.evaluate(FITS)), page.evaluate(FITS)


def test_your_men_have_their_own_colour_and_stand_on_your_side(house: House) -> None:
    """Checkers, from both sides of the board."""
    pair = Pair(house, "checkers")
    dark = house.view(pair.tokens[0], pair.match)["table"]["dark"]
    for seat, page in enumerate(pair.look(0, 1)):
        mine, theirs = ("side-1", "side-0") if seat == dark else ("side-0", "side-1")
        assert point(page, f".board .{mine}")[1] > point(page, f".board .{theirs}")[1]
        assert page.locator(f".board .{mine}").count() == 12


def test_a_man_is_carried_to_his_square(house: House) -> None:
    page = house.seated("checkers", 2).page
    offered(page)
    before = version(page)
    page.locator(".cell.can[data-more]").first.click()  # a man that can move shows where to
    target = page.locator(".cell.can:not(:has(.man))").first.get_attribute("data-key")
    man = page.locator(".cell.chosen").get_attribute("data-key")
    page.keyboard.press("Escape")
    expect(page.locator(".cell.chosen")).to_have_count(0)
    carry(page, f"[data-key={man}]", f"[data-key={target}]")
    went_on(page, before)
    expect(page.locator(f"[data-key={man}] .man")).to_have_count(0)


def test_a_card_is_carried_to_the_trick_and_stays_in_the_hand_where_it_is_let_go_there(house: House) -> None:
    page = house.seated("quenette", 2, hands=1).page
    offered(page)
    card = page.locator(".held .thing.can").first.get_attribute("data-card")
    before = version(page)
    carry(page, f".held [data-card={card}]", ".held")
    assert version(page) == before and page.evaluate("String(getSelection())") == ""
    carry(page, f".held [data-card={card}]", ".middle")
    went_on(page, before)
    expect(page.locator(f".held [data-card={card}]")).to_have_count(0)


def test_what_was_begun_can_be_chosen_otherwise(house: House) -> None:
    page = house.seated("checkers", 2).page
    offered(page)
    before = version(page)
    for let_go in (lambda: page.keyboard.press("Escape"), lambda: page.locator(".cell.chosen").click()):
        page.locator(".cell.can[data-more]").first.click()
        expect(page.locator(".cell.chosen")).to_have_count(1)
        let_go()
        expect(page.locator(".cell.chosen")).to_have_count(0)
    assert version(page) == before


ANIMATED = """
window.glides = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) { glides.push(timing.duration); return animate.call(this, frames, timing); };
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_card_that_is_played_flies_for_a_moment_unless_motion_is_not_wanted(house: House, motion: Any) -> None:
    token = house.sign_up()
    context = house.person(token, own=True)
    context.add_init_script(ANIMATED)
    page = context.new_page()
    page.emulate_media(reduced_motion=motion)
    page.goto(f"{house.url}/matches/{house.match(token, 'quenette', 2, hands=1)}")
    offered(page)
    before = version(page)
    page.locator(".held .can").first.click()
    went_on(page, before)
    glides = page.evaluate("glides")
    assert (motion == "reduce") == (glides == []) and all(0 < one <= 300 for one in glides)


SAID_AS_TOLD = """() => {
  const [said, told] = [".said[aria-live=polite]", ".story li"].map((what) => document.querySelector(what).textContent);
  return said === told;
}"""


def test_the_title_the_clock_and_the_story_tell_whose_turn_it_is_and_what_happened(house: House) -> None:
    token = house.sign_up()
    chairs = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
    match = house.ask(
        "POST", "/v1/matches", token, {"game": "quenette", "seats": chairs, "options": {"hands": 1}, "turn_seconds": 90}
    )["id"]
    house.ask("POST", f"/v1/matches/{match}/start", token)
    context = house.person(token)
    page = house.table(context, match)
    offered(page)
    expect(page).to_have_title(re.compile("Your turn"))
    expect(page.locator(".mine .turn")).to_have_text(re.compile(r"^1:[0-3]\d$"))
    page.locator(".held .can").first.click()
    newest = page.locator(".story li").first
    expect(newest).not_to_contain_text("deal")
    page.wait_for_function(SAID_AS_TOLD)  # a bot may go on in between
    newest.locator("a").click()
    page.wait_for_url("**/replay?at=*")


def test_the_score_sheet_stands_beside_the_table(house: House) -> None:
    token, match = finished(house)
    context = house.person(token)
    page = house.table(context, match)
    page.click("text=Scores")
    totals = [str(one) for one in house.view(token, match)["table"]["totals"]]
    for row in (0, -1):  # one hand, and the end of the match
        cells = page.locator(".sheet tbody tr").nth(row).locator("td b")
        expect(cells).to_have_text(totals)


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_refusal_appears_with_its_rule_one_click_away(house: House) -> None:
    page = house.seated("quenette", 2, {"own": True}, hands=1).page
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


# ── Loss and return ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_command_whose_answer_is_lost_is_sent_again_and_counts_once(house: House) -> None:
    token, match, page = house.seated("quenette", 2, {"own": True}, hands=1)
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


def test_the_table_comes_back_by_itself_after_the_server_was_away(
    house: House, servers: Servers, tmp_path: pathlib.Path
) -> None:
    ann, ben = house.sign_up("Ann"), house.sign_up("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = house.ask("POST", "/v1/matches", ann, {"game": "quenette", "seats": seats})["id"]
    context = house.person(ann, own=True)
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


def test_two_tabs_agree(house: House) -> None:
    token, match, one = house.seated("quenette", 2, hands=1)
    other = house.table(one.context, match)
    for page, beside in ((one, other), (other, one)):
        page.locator(OFFERED).first.click()
        beside.locator(".match").wait_for()
    one.locator(OFFERED).first.wait_for()
    newest = house.view(token, match)["version"]
    for page in (one, other):
        expect(page.locator(".match")).to_have_attribute("data-version", str(newest))
    assert one.locator(".mine").inner_html() == other.locator(".mine").inner_html()


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


def test_who_resigns_has_lost_and_is_told_so(house: House) -> None:
    token, match, page = house.seated("backgammon", 2, {"own": True})
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("text=Resign")
    expect(page.locator(".result h2")).to_contain_text("won")
    expect(page.locator(".result p").first).to_contain_text("since the others resigned")
    assert house.view(token, match)["result"]["winners"] == [1]


def test_the_result_has_the_points_that_stand_at_the_table(house: House) -> None:
    token, match, page = house.seated("checkers", 2, games=1)
    assert page.evaluate(CLICKING, 3)["status"] == "over"
    view = house.view(token, match)
    shown = sorted(float(one) for one in page.locator(".result .figure").all_inner_texts())
    assert shown == sorted(view["table"]["totals"]) != sorted(view["result"]["scores"])


def test_a_draw_is_offered_and_withdrawn_and_one_is_accepted(house: House) -> None:
    pair = Pair(house, "checkers", options={"games": 1})
    one, other = pair.look(0, 1)
    one.click("text=Offer a draw")
    expect(other.locator(".offer")).to_contain_text("Ann offers a draw")
    one.click("text=Withdraw it")
    expect(other.locator(".offer")).to_have_count(0)
    other.click("text=Offer a draw")
    one.click("text=Accept")
    expect(one.locator(".result h2")).to_have_text("A draw")
    one.click("text=Notes")
    one.fill("[name=text]", "Well played")
    one.click("text=Send")
    expect(one.locator(".notes")).to_contain_text("Well played")
    one.click("text=Rematch")
    one.wait_for_url(lambda url: pair.match not in url)


@pytest.mark.parametrize(("game", "options"), [("quenette", {"hands": 1}), ("kid-o", {"hands": 1}), ("flique", {})])
def test_a_match_is_played_by_keys_alone(house: House, game: str, options: dict[str, Any]) -> None:
    page = house.seated(game, min(BY_SLUG[game].seats), **options).page
    until = time.monotonic() + 300
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
