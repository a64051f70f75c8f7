"""People at a table: stakes and offers among them, who comes, goes, watches, is away, and plays again."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from api.app import Services
from eventstore.service import Matches
from tests.browser.house import House, Pair


def test_a_double_is_offered_and_taken_and_the_cube_goes_to_its_new_owner(house: House) -> None:
    pair = Pair(house, "backgammon", options={"target": 5, "cube": True})
    seat = pair.on_until("double")
    one, other = pair.look(seat, 1 - seat)
    expect(one.locator(".laid [data-key=cube]")).to_have_attribute("aria-label", re.compile("in the middle"))
    one.click("[data-key=cube][data-can~=double]")
    expect(other.locator(".below .acting")).to_contain_text("Accept the double")
    other.click("[data-command=take]")
    for page, whose in ((one, f"[data-key=seat-{1 - seat}]"), (other, ".mine")):
        expect(page.locator(f"{whose} [data-key=cube]")).to_have_attribute(
            "aria-label", re.compile("shows 2, owned by")
        )


def test_a_double_is_dropped_and_the_game_is_lost(house: House) -> None:
    pair = Pair(house, "backgammon", options={"target": 5, "cube": True})
    seat = pair.on_until("double")
    one, other = pair.look(seat, 1 - seat)
    one.click("[data-key=cube][data-can~=double]")
    other.click("[data-command=drop]")
    for page in (one, other):
        expect(page.locator(".story")).to_contain_text("wins" if page is other else "You win")
    assert house.view(pair.tokens[0], pair.match)["table"]["totals"][seat] == 1


def test_a_concession_is_refused_and_the_game_goes_on(house: House) -> None:
    pair = Pair(house, "backgammon", options={"target": 5, "cube": True})
    seat = pair.on_until("concede")
    one, other = pair.look(seat, 1 - seat)
    one.locator("[data-command=concede]").first.click()
    expect(other.locator(".marks")).to_contain_text("would lose")
    other.click("[data-command=refuse]")
    expect(other.locator("[data-command=accept]")).to_have_count(0)
    assert house.view(pair.tokens[0], pair.match)["to_act"] == [seat]


def test_a_concession_is_accepted_and_the_game_is_won(house: House) -> None:
    pair = Pair(house, "backgammon", options={"target": 5, "cube": True})
    seat = pair.on_until("concede")
    one, other = pair.look(seat, 1 - seat)
    one.locator("[data-command=concede]").first.click()
    other.click("[data-command=accept]")
    expect(one.locator(".story")).to_contain_text("By concession")
    assert house.view(pair.tokens[0], pair.match)["table"]["totals"][1 - seat] == 1


def test_what_is_half_chosen_stays_when_somebody_else_acts_and_goes_when_it_is_legal_no_longer(house: House) -> None:
    """Goat, where all choose at once, for a player who wants to be asked before a card is given."""
    pair = Pair(house, "goat", own=True, options={"hands": 1, "first_dealer": 0})
    pair.contexts[0].add_init_script("localStorage.setItem('parlor.confirm', 'always')")
    (page,) = pair.look(0)
    card = page.locator(".held .can").first.get_attribute("data-card")
    page.click(f".held [data-card={card}]")
    pair.give(1)
    expect(page.locator("[data-key=seat-1]")).to_contain_text("ready")
    expect(page.locator(f".confirming, .held .chosen[data-card={card}]")).to_have_count(2)
    pair.give(0, other_than=card)  # in another tab, so that the round is over
    expect(page.locator(".marks [data-key=round_no]")).to_contain_text("2")
    expect(page.locator(".confirming")).to_have_count(0)
    page.click(f".held [data-card={card}]")
    page.click(".confirming >> text=Do it")
    expect(page.locator(".mine .player")).to_contain_text("ready")


def test_a_draw_is_declined_and_the_match_goes_on(house: House) -> None:
    pair = Pair(house, "checkers")
    one, other = pair.look(0, 1)
    one.click("text=Offer a draw")
    other.click("text=Decline")
    for page in (one, other):
        expect(page.locator(".offer")).to_have_count(0)
        expect(page.locator(".match")).to_have_attribute("data-status", "playing")
    expect(one.locator(".story")).to_contain_text("Ben declines the draw")


def test_who_was_away_too_long_takes_the_seat_back_from_the_bot(house: House, parlor: Services) -> None:
    """Three deadlines are missed by a clock that runs ahead."""
    now = dt.datetime.now(dt.UTC)
    clock = Matches(parlor.matches.store, now=lambda: now)
    pair = Pair(house, "checkers", turn_seconds=3600)
    (page,) = pair.look(0)
    expect(page.locator("text=Take your seat back")).to_have_count(0)
    for _ in range(8):
        if house.view(pair.tokens[0], pair.match)["seats"][0]["kind"] == "bot":
            break
        now += dt.timedelta(hours=2)
        clock.time_up(pair.match)
    expect(page.locator(".away-note")).to_contain_text("A bot keeps your seat")
    page.click("text=Take your seat back")
    expect(page.locator("text=Take your seat back")).to_have_count(0)
    assert house.view(pair.tokens[0], pair.match)["seats"][0]["kind"] == "human"


def test_a_rematch_appears_to_the_other_who_stayed_and_a_note_is_read(house: House) -> None:
    pair = Pair(house, "checkers")
    house.ask("POST", f"/v1/matches/{pair.match}/resign", pair.tokens[1])
    one, other = pair.look(0, 1)
    one.click("text=Notes")
    one.fill("[name=text]", "Well played")
    one.click("text=Send")
    expect(one.locator(".notes")).to_contain_text("Well played")
    other.click("text=Notes")
    expect(other.locator(".notes")).to_contain_text("Ann Well played")
    one.click("text=Rematch")
    one.wait_for_url(lambda url: pair.match not in url)
    other.click("text=To the rematch")  # without a reload
    expect(other.locator(".lobby")).to_contain_text("Ann")
    assert other.url == one.url


@pytest.mark.parametrize("known", [True, False], ids=["with a name", "without a token"])
def test_whoever_watches_sees_the_table_and_no_hand_and_needs_no_name(house: House, known: bool) -> None:
    pair = Pair(house, "quenette", spectators=True, open_to_all=True)
    (player,) = pair.look(house.view(pair.tokens[0], pair.match)["to_act"][0])
    context = house.person(house.sign_up("Eve") if known else None)
    page = house.table(context, pair.match)
    expect(page.locator(".player")).to_have_count(2)
    assert page.locator(".mine, .held, .below .acting, .menu button").count() == 0
    card = player.locator(".held .can").first.get_attribute("data-card")
    player.click(f".held [data-card={card}]")
    expect(page.locator(f".is-trick [data-card={card}]")).to_be_visible()
    page.goto(f"{house.url}/matches/{pair.match}/replay")
    expect(page.locator(".replay .table")).to_be_visible()
    assert (page.evaluate("localStorage.getItem('parlor.token')") is not None) == known


def test_a_passer_by_gets_a_name_with_a_seat(house: House) -> None:
    ann = house.sign_up("Ann")
    opened = {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}], "spectators": True, "open_to_all": True}
    match = house.ask("POST", "/v1/matches", ann, opened)["id"]
    hers, passing = house.person(ann), house.person()
    page = house.table(passing, match)
    host = house.table(hers, match)
    page.click("text=Sit down")
    expect(page.locator(".lobby >> text=Leave")).to_be_visible()
    host.click(".lobby >> text=Start")
    expect(page.locator(".held .thing").first).to_be_visible()


def test_the_host_sends_somebody_away_before_the_start(house: House) -> None:
    ann, ben = house.sign_up("Ann"), house.sign_up("Ben")
    match = house.ask("POST", "/v1/matches", ann, {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]})[
        "id"
    ]
    house.ask("POST", f"/v1/matches/{match}/join", ben, {})
    hers, his = house.person(ann), house.person(ben)
    page, guest = house.table(hers, match), house.table(his, match)
    expect(guest.locator("text=Send away")).to_have_count(0)
    page.click("text=Send away")
    expect(page.locator(".lobby")).to_contain_text("open seat")
    expect(guest.locator(".lobby >> text=Leave")).to_have_count(0)
    assert [one["kind"] for one in house.view(ann, match)["seats"]] == ["human", "open"]


NOTIFIED = """
window.asked = 0;
window.notes = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { asked += 1; Notification.permission = "granted"; return "granted"; }
  constructor(title, more) { notes.push(`${title}: ${more.body}`); }
};
Object.defineProperty(document, "hidden", { get: () => window.elsewhere ?? false });
"""


def a_move(page: Page) -> None:
    """A man that has a choice, and a square for him."""
    page.locator(".cell.can[data-more]").first.click()
    page.locator(".cell.can:not(:has(.man))").first.click()


def test_ones_turn_is_notified_of_where_that_was_allowed_and_nobody_looks(house: House) -> None:
    pair = Pair(house, "checkers", own=True)
    seat: int = house.view(pair.tokens[0], pair.match)["to_act"][0]
    pair.contexts[1 - seat].add_init_script(NOTIFIED)
    mover, waiting = pair.look(seat, 1 - seat)
    assert waiting.evaluate("asked") == 0
    waiting.click("text=Notify me")
    expect(waiting.locator("text=Notify me")).to_have_count(0)
    assert waiting.evaluate("[asked, notes.length]") == [1, 0]
    expect(waiting).to_have_title("Checkers · Parlor")
    waiting.evaluate("elsewhere = true")
    a_move(mover)
    expect(waiting).to_have_title("● Your turn · Checkers · Parlor")
    assert waiting.evaluate("notes") == ["Your turn: Checkers"]
    waiting.evaluate("elsewhere = false")
    a_move(waiting)
    a_move(mover)
    expect(waiting).to_have_title("● Your turn · Checkers · Parlor")
    assert waiting.evaluate("notes.length") == 1
