"""What a match is looked at with when it was played: the replay, what might have been, and the verifier."""

from __future__ import annotations

import base64
import gzip
import json
import pathlib
import re

import pytest
from playwright.sync_api import Page, expect

from tests.api.served import ROOT
from tests.browser.house import House
from tests.browser.test_table import finished, version

VECTORS = ROOT / "docs" / "vectors"
EXPECTED = json.loads((VECTORS / "expected.json").read_text())
DROP = """([name, bytes]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], name));
  const dropped = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
  document.querySelector("header").dispatchEvent(dropped);
}"""


def at(page: Page, expected: int) -> None:
    expect(page.locator(".match")).to_have_attribute("data-version", str(expected))


def test_a_match_is_looked_through_again_with_the_eyes_of_any_seat(house: House) -> None:
    token, match = finished(house)
    context = house.person(token)
    page = house.open(context, f"/matches/{match}/replay?at=5")
    page.wait_for_selector(".match.replay .table")
    assert version(page) == 5
    page.click("[aria-label='one on']")
    at(page, 6)
    expect(page).to_have_url(re.compile("at=6$"))
    eyes = page.locator("label:has-text('Eyes of') select")
    eyes.select_option("1")
    for card in house.view(token, match, "?at=6&as=1")["table"]["hand"]:
        expect(page.locator(f".mine .hand [data-card='{card}']")).to_be_visible()
    expect(page).to_have_url(re.compile("at=6&as=1$"))
    eyes.select_option("the whole table")
    for hand in house.view(token, match, "?at=6&as=table")["table"]["hands"]:
        expect(page.locator(f".table [data-card='{hand[-1]}']")).to_have_count(1)
    page.fill(".slider", "8")
    at(page, 8)
    page.locator("body").press("ArrowLeft")
    at(page, 7)


def test_a_replay_tells_the_score_the_time_and_what_could_be_done(house: House) -> None:
    token, match = finished(house)
    last = house.view(token, match)["version"]
    steps = house.ask("GET", f"/v1/matches/{match}/events?limit=1000", token)["events"]
    scored = next(one["version"] for one in steps if one["type"] == "hand_scored")
    context = house.person(token)
    page = house.open(context, f"/matches/{match}/replay?at=5")
    page.wait_for_selector(".match.replay .table")
    seat = house.view(token, match, "?at=5")["to_act"][0]
    page.select_option("label:has-text('Eyes of') select", str(seat))
    page.click("text=What could be done")
    expect(page.locator(".could > li > ul > li")).to_have_count(1)
    page.click("text=How long each thought")
    expect(page.locator(".times tbody tr")).to_have_count(2)
    expect(page.locator(".chart polyline")).to_have_count(2)
    page.click("text=Next moment")
    at(page, scored)
    page.click("[aria-label='to the beginning']")
    page.click("[aria-label='to the end of hand 1']")
    at(page, scored)
    page.select_option("label:has-text('Speed') select", "25")
    page.click("[aria-label=play]")
    at(page, last)
    expect(page.locator("[aria-label=play]")).to_be_visible()


def test_what_if_opens_a_fork_against_bots_from_there(house: House) -> None:
    token, match = finished(house)
    context = house.person(token)
    page = house.open(context, f"/matches/{match}/replay?at=20")
    page.click("text=What if?")
    page.locator(".what-if label:has-text('against') select").select_option("random")
    page.click(".what-if button")
    page.wait_for_selector(".match:not(.replay) .table")
    fork = house.view(token, page.url.rsplit("/", 1)[1])
    assert fork["forked_from"]["match"] == match and fork["forked_from"]["version"] >= 20
    assert [seat["kind"] for seat in fork["seats"]] == ["human", "bot"]


# ── Verifying ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_bundle_of_a_match_is_verified_in_the_page(house: House) -> None:
    token, match = finished(house)
    context = house.person(token)
    page = house.open(context, f"/verify?match={match}")
    page.wait_for_selector("[data-verdict=fits]")
    kinds = ["format", "chain", "commitments", "seed", "salts", "draws", "deals"]
    for kind in kinds:
        expect(page.locator(f"[data-kind={kind}] [aria-label=passed]")).to_be_visible()


@pytest.mark.parametrize(
    "name", [name for name, wrong in EXPECTED.items() if not wrong or not wrong["needs_the_rules"]]
)
def test_a_file_is_dropped_onto_the_page_without_an_account_and_shows_where_it_breaks(house: House, name: str) -> None:
    context = house.person()
    page = house.open(context, "/verify")
    page.wait_for_selector(".drop")
    page.evaluate(DROP, [name, base64.b64encode((VECTORS / name).read_bytes()).decode()])
    wrong = EXPECTED[name]
    page.wait_for_selector(f"[data-verdict={'wrong' if wrong else 'fits'}]")
    if wrong:
        assert page.get_attribute("[data-breaks]", "data-breaks") == str(wrong["version"])
    assert page.evaluate("localStorage.length") == 0


def test_the_log_of_a_match_is_a_file_too_and_may_be_compressed(house: House, tmp_path: pathlib.Path) -> None:
    token, match = finished(house)
    log = house.server.get(
        f"/v1/matches/{match}/events", Authorization=f"Bearer {token}", Accept="application/x-ndjson"
    )
    lines = log.body.decode().splitlines()
    place = next(n for n, line in enumerate(lines) if '"type":"card_played"' in line)
    forged = [line.replace('"card":"', '"card":"C', 1) if n == place else line for n, line in enumerate(lines)]
    stranger = house.person()
    page = house.open(stranger, "/verify")
    for name, text, verdict in (("good", lines, "fits"), ("forged", forged, "wrong")):
        bundle = tmp_path / f"{name}.ndjson.gz"
        bundle.write_bytes(gzip.compress("\n".join([*text, ""]).encode()))
        page.set_input_files("input[type=file]", str(bundle))
        page.wait_for_selector(f"[data-verdict={verdict}]")
    assert page.get_attribute("[data-breaks]", "data-breaks") == str(place + 1)
    (tmp_path / "broken.gz").write_bytes(b"this is no gzip")
    page.set_input_files("input[type=file]", str(tmp_path / "broken.gz"))
    expect(page.locator(".trouble")).to_contain_text("cannot be read")
