"""The pages around the table: the front page, the account, players, rules, and the server that is away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.house import ELSEWHERE, House

NAME = "input[name=name]"


def test_a_guest_gets_a_name_and_may_change_it(house: House) -> None:
    context = house.person()
    page = house.open(context, "/")
    page.click("[data-key=flique] .cover")
    page.click("[data-key=flique] >> text=Play now")
    page.wait_for_selector(".match .table")
    page.goto(f"{house.url}/")
    expect(page.locator(".who-am-i a")).to_have_text(re.compile(r"\w+ \w+"))
    page.click("text=Change your name")
    page.fill(NAME, "Zoe")
    page.keyboard.press("Enter")
    expect(page.locator(".who-am-i a")).to_have_text("Zoe")
    expect(page.locator("[data-key='Your tables']")).to_contain_text("Zoe")
    assert page.evaluate("Object.keys(localStorage).join()") == "parlor.token"
    assert context.cookies() == []


def test_table_options_are_a_form_with_their_meaning_and_their_rule(house: House) -> None:
    context = house.person(house.sign_up())
    page = house.open(context, "/")
    page.click("[data-key=nix] .cover")
    tile = page.locator("[data-key=nix]")
    tile.locator("summary").click()
    named = tile.locator(".option")
    expect(named).to_have_count(len(house.ask("GET", "/v1/games/nix")["options"]))
    option = tile.locator("[data-key=may_hold_back]")
    expect(option).to_contain_text("Whether a seat may draw")
    option.locator("text=NX-R5").click()
    expect(option.locator(".cited-rule")).to_be_visible()
    option.locator("select").select_option("yes")
    tile.locator("[data-key=target] input").fill("20")
    tile.locator("label:has-text('Players') select").select_option("9: you and 8 bots")
    tile.locator("label:has-text('Bots play') select").select_option("random")
    tile.locator("text=Play now").click()
    page.wait_for_selector(".match .table")
    match = page.url.rsplit("/", 1)[1]
    seen = house.view(page.evaluate("localStorage.getItem('parlor.token')"), match)
    assert seen["options"] == {"may_hold_back": True, "target": 20, "max_seats": 9}
    assert [seat["level"] for seat in seen["seats"]] == [None, *["random"] * 8]


def test_the_front_page_lists_tables_to_join_to_go_on_at_and_to_watch(house: House) -> None:
    ann, ben = house.sign_up("Ann"), house.sign_up("Ben")
    waiting = house.ask("POST", "/v1/matches", ben, {"game": "quenette", "seats": [{"kind": "me"}, {"kind": "open"}]})
    hers = house.match(ann, "flique", 2)
    chairs = [{"kind": "me"}, {"kind": "bot"}]
    watched = house.ask("POST", "/v1/matches", ben, {"game": "checkers", "seats": chairs, "spectators": True})["id"]
    house.ask("POST", f"/v1/matches/{watched}/start", ben)
    context = house.person(ann)
    page = house.open(context, "/")
    for title, match in (("Your tables", hers), ("Open seats", waiting["id"]), ("To watch", watched)):
        expect(page.locator(f"[data-key='{title}'] a[href='/matches/{match}']")).to_be_visible()
    house.ask("POST", f"/v1/matches/{waiting['id']}/cancel", ben)


def test_a_running_match_is_listed_however_many_are_over(house: House) -> None:
    ann = house.sign_up("Ann")
    lasting = house.match(ann, "checkers", 2)
    for _ in range(31):
        house.ask("POST", f"/v1/matches/{house.match(ann, 'flique', 2)}/resign", ann)
    page = house.open(house.person(ann), "/")
    expect(page.locator(f"[data-key='Your tables'] a[href='/matches/{lasting}']")).to_be_visible()


def test_a_tile_says_how_many_can_play(house: House) -> None:
    page = house.open(house.person(), "/")
    for game, players in (("acey-ducey", "2 or 4"), ("four-nines", "2 to 4"), ("flique", "2")):
        expect(page.locator(f"[data-key={game}] .seats")).to_have_text(f"{players} players")


def test_a_page_that_comes_by_plain_http_from_elsewhere_plays_too_and_says_that_it_cannot_verify(house: House) -> None:
    page = house.tab(house.person(own=True))
    elsewhere = f"http://{ELSEWHERE}:{house.server.port}"
    page.goto(f"{elsewhere}/")
    assert not page.evaluate("isSecureContext")
    page.click("[data-key=quenette] .cover")
    page.locator("label:has-text('Players') select").select_option("2: you and a bot")
    page.click("[data-key=quenette] >> text=Play now")
    hand = page.locator(".mine [data-card]")
    page.wait_for_selector(".table [data-can]")
    held = hand.count()
    page.click(".table [data-can]")
    expect(hand).to_have_count(held - 1)
    page.goto(f"{elsewhere}/verify?match={page.url.rsplit('/', 1)[1]}")
    expect(page.locator("[role=alert]")).to_contain_text("parlor verify")


def test_an_account_is_kept_recovered_and_deleted(house: House) -> None:
    token = house.sign_up()
    context = house.person(token)
    page = house.open(context, "/account")
    page.fill("form:has-text('Change') input[name=name]", "Anna")
    page.click("form >> text=Change")
    expect(page.locator(".done")).to_be_visible()
    page.click("text=Get a new code")
    shown = page.locator("section:has-text('Recovery') code")
    expect(shown).to_have_count(2)
    player, code = shown.all_inner_texts()

    elsewhere = house.person(own=True)
    other = house.open(elsewhere, "/account")
    other.click("text=Come back to another account")
    other.fill("[name=player]", player)
    other.fill("[name=code]", code)
    other.click("button:has-text('Come back')")
    expect(other.locator("form:has-text('Change') input[name=name]")).to_have_value("Anna")

    other.fill("[name=label]", "my bot")
    other.click("text=Make a token")
    made = other.locator("[role=status] code").inner_text()
    assert house.ask("GET", "/v1/me", made)["scopes"] == ["bot:play"]
    row = other.locator(".tokens tr:has-text('my bot')")
    expect(row).to_contain_text("never")
    row.locator("text=Rotate").click()
    expect(other.locator("[role=status] code")).not_to_have_text(made)
    row.locator("text=Revoke").click()
    expect(row).to_have_count(0)

    other.on("dialog", lambda dialog: dialog.accept())
    other.click("text=Delete the account")
    expect(other.locator(".games .tile").first).to_be_visible()
    assert other.evaluate("localStorage.getItem('parlor.token')") is None


def test_a_players_page_has_ratings_history_and_a_head_to_head(house: House) -> None:
    ann, ben = house.sign_up("Ann"), house.sign_up("Ben")
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = house.ask("POST", "/v1/matches", ann, {"game": "checkers", "seats": seats})["id"]
    house.ask("POST", f"/v1/matches/{match}/join", ben, {})
    house.ask("POST", f"/v1/matches/{match}/start", ann)
    house.ask("POST", f"/v1/matches/{match}/resign", ben)
    his = house.ask("GET", "/v1/me", ben)["id"]
    house.server.wait_until(lambda: bool(house.ask("GET", f"/v1/players/{his}", ann)["history"]))
    context = house.person(ann)
    page = house.open(context, f"/players/{his}")
    expect(page.locator("h1")).to_have_text("Ben")
    expect(page.locator("[data-met]")).to_have_text("1 rated matches: 0 won, 0 drawn, 1 lost")
    expect(page.locator("[aria-label='rated matches'] tbody tr")).to_contain_text(["Checkers"])
    page.locator("label:has-text('against') select").select_option("bots: strong")
    expect(page.locator("[data-met='0']")).to_be_visible()
    page.click("[aria-label='ratings'] a")
    expect(page.locator(".leaders a", has_text="Ann").first).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/leaderboards", "/account"])
def test_a_page_whose_server_is_away_says_so_and_comes_back_by_itself(house: House, path: str) -> None:
    context = house.person(house.sign_up(), own=True)
    page = context.new_page()

    def lose(route: Route) -> None:
        route.abort()

    page.route("**/v1/**", lose)
    page.goto(f"{house.url}{path}")
    expect(page.locator(".away h1")).to_have_text("The server is away")
    page.unroute("**/v1/**")
    expect(page.locator(".away")).to_have_count(0)
    expect(page.locator("h1")).not_to_have_text("The server is away")


def rules(page: Page) -> int:
    return page.locator(".rules dt:visible").count()


def test_the_rules_beside_the_table_are_searched_by_words(house: House) -> None:
    page = house.seated("quenette", 2).page
    page.click("[role=tab]:has-text('Rules')")
    page.wait_for_selector(".rules dt")
    every = rules(page)
    page.fill("[aria-label='find a rule']", "must follow")
    assert 0 < rules(page) < every
    page.fill("[aria-label='find a rule']", "QU-11")
    expect(page.locator(".rules dt:visible").first).to_contain_text("QU-11")


def test_an_address_that_leads_nowhere_leads_back_to_the_games(house: House) -> None:
    page = house.tab(house.person())
    got = page.goto(f"{house.url}/gaems")
    assert got is not None and got.status == 404
    expect(page.locator("h1")).to_have_text("No such page")
    page.click("text=To the games")
    page.wait_for_selector(".games .tile")
