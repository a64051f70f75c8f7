"""A database of 0.1.0 is migrated, read and played on by the code of today, over HTTP."""

from __future__ import annotations

import datetime as dt
import hashlib
import io
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
import pytest
from flask.testing import FlaskClient

from api.app import Services, create_app, services
from domain.audit.verifying import verify as judged
from domain.game import Template
from domain.games import GAMES
from domain.wire import write_command
from eventstore.chain import verify
from eventstore.db import Database
from eventstore.migrate import check, migrate, migrations
from eventstore.service import Matches
from eventstore.settings import Settings
from eventstore.states import EVENTS_WORTH_A_SNAPSHOT
from eventstore.store import EventStore
from tests.conftest import Servers
from tests.test_audit_script import script
from tests.upgrade import frozen
from tests.upgrade.frozen import Player, known
from tests.workers.crew import play_bots
from workers.bell import bots_queue, connect
from workers.reconciler import Reconciler

SLUGS = [game.slug for game in GAMES]
PATIENCE = 40  # commands of people in one match, which then give up: random play of some games takes a thousand
every_game = pytest.mark.parametrize("game", SLUGS)


class Server(NamedTuple):
    """Today's code on a database that 0.1.0 left."""

    parlor: Services
    client: FlaskClient

    def player(self, name: str) -> Player:
        return Player(self.client, name)


@pytest.fixture(scope="session")
def migrated(servers: Servers) -> str:
    """The name of a database that the others are copies of."""
    url = frozen.restore(servers.postgres.url)
    migrate(url)
    return frozen.name_of(url)


def a_server(servers: Servers, settings: Settings, migrated: str) -> Iterator[Server]:
    url = frozen.copied(servers.postgres.url, migrated)
    # The application logs in by the role that it has, so that the rights it was granted are tried too.
    parlor = services(url.replace("//postgres@", "//parlor_app@"), servers.valkey.url, settings)
    yield Server(parlor, create_app(parlor, settings).test_client())
    parlor.database.close()
    frozen.drop(servers.postgres.url, url)


@pytest.fixture(scope="module")
def untouched(servers: Servers, settings: Settings, migrated: str) -> Iterator[Server]:
    """Migrated, and only read from: these tests may run in any order."""
    yield from a_server(servers, settings, migrated)


@pytest.fixture(scope="module")
def resumed(servers: Servers, settings: Settings, migrated: str) -> Iterator[Server]:
    """Migrated, and played on: every test here takes matches of its own."""
    yield from a_server(servers, settings, migrated)


@pytest.fixture
def fresh(servers: Servers, settings: Settings, migrated: str) -> Iterator[Server]:
    """Migrated, for one test alone."""
    yield from a_server(servers, settings, migrated)


def everybody(server: Server, match: dict[str, Any]) -> Iterator[tuple[str, Player]]:
    """Whoever looked at the match at the time of the dump, by the name under which the views are kept."""
    for who in match["events"]:
        yield who, server.player(match["people"].get(who, match["host"] if who == "host" else "Nora"))


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_later_migration_applies_and_leaves_no_snapshot_that_cannot_be_read(
    servers: Servers, caplog: pytest.LogCaptureFixture
) -> None:
    url = frozen.restore(servers.postgres.url)
    applied = migrate(url)
    assert [one.number for one in applied] == [one.number for one in migrations() if one.number > 1]
    check(url)
    database = Database(url)
    for match in known()["matches"]:
        if match["version"] > EVENTS_WORTH_A_SNAPSHOT:
            Matches(EventStore(database)).look(match["id"], frozen.player(match["host"])["id"])
    assert "snapshot" not in caplog.text
    database.close()
    frozen.drop(servers.postgres.url, url)


@every_game
def test_every_seat_sees_what_it_saw(game: str, untouched: Server) -> None:
    for match in frozen.matches(game):
        lookers = dict(everybody(untouched, match))
        host = untouched.player(match["host"])
        for who, then in match["views"].items():
            now = host.view(match["id"], f"?{who}") if "=" in who else lookers[who].view(match["id"])
            lost = frozen.missing(frozen.as_today(game, then), now)
            assert not lost, f"{match['story']} ({match['id']}), seen by {who}: {lost}"


@every_game
def test_every_seat_may_do_what_it_could(game: str, untouched: Server) -> None:
    for match in frozen.matches(game, "playing"):
        for seat, name in match["people"].items():
            person = untouched.player(name)
            now = person.good(person.get(f"/v1/matches/{match['id']}/legal"))["commands"]
            then = frozen.legal_today(game, match["legal"][seat])
            assert frozen.counted(now) == frozen.counted(then), f"{match['story']} ({match['id']}), seat {seat}"


@every_game
def test_the_log_of_every_seat_is_the_same_and_its_chain_verifies(game: str, untouched: Server) -> None:
    for match in frozen.matches(game):
        for who, person in everybody(untouched, match):
            events = person.log(match["id"])
            assert verify(events).hex() == events[-1]["hash"]
            assert len(events) == match["version"]
            as_then = [{key: event[key] for key in frozen.EVENT_FIELDS} for event in events]
            digest = hashlib.sha256(orjson.dumps(as_then, option=orjson.OPT_SORT_KEYS)).hexdigest()
            assert digest == match["events"][who], f"{match['story']} ({match['id']}), seen by {who}"


@every_game
def test_the_bundle_of_every_match_is_judged_as_right(game: str, untouched: Server) -> None:
    for match in frozen.matches(game):
        bundle = untouched.player(match["host"]).get(f"/v1/matches/{match['id']}/audit").data
        report = judged(io.BytesIO(bundle), bots=lambda version: False)
        assert report.wrong is None, f"{match['story']} ({match['id']}): {report.wrong}"
        assert report.checks["chain"].ok == match["version"]


def test_everybody_finds_their_matches_and_the_lobby_lists_the_open_ones(untouched: Server) -> None:
    def listed(person: Player, query: str) -> set[str]:
        found, cursor = set(), ""
        while True:
            page = person.good(person.get(f"/v1/matches?limit=200{query}{cursor}"))
            found |= {one["id"] for one in page["matches"]}
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"

    for name in ("Ada", "Ben", "Fay"):
        person = untouched.player(name)
        chairs = {one["id"]: [seat["player"] for seat in frozen.opened(one)["seats"]] for one in known()["matches"]}
        mine = {
            one["id"]
            for one in known()["matches"]
            if person.id in chairs[one["id"]] or frozen.opened(one)["host"] == person.id
        }
        assert listed(person, "") == mine
    free = {
        one["id"]
        for one in known()["matches"]
        if one["status"] == "open" and any(s["kind"] == "open" and not s["player"] for s in frozen.opened(one)["seats"])
    }
    assert listed(untouched.player("Ada"), "&show=joinable") == free


@every_game
def test_a_retry_gets_its_first_answer(game: str, untouched: Server) -> None:
    mine = {match["id"] for match in frozen.matches(game)}
    receipts = [one for one in known()["receipts"] if one["match"] in mine]
    assert receipts
    for one in receipts:
        path = f"/v1/matches/{one['match']}/commands"
        person = untouched.player(one["player"])
        again = person.good(person.post(path, one["body"], **{"Idempotency-Key": one["key"]}))
        assert not frozen.missing(one["answer"], again)
    other = person.post(path, {**one["body"], "type": "nonsense"}, **{"Idempotency-Key": one["key"]})
    assert other.status_code in (409, 422)


# ── Tokens ──────────────────────────────────────────────────────────────────────────────────────────────────────


def good_tokens() -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each player with the tokens that were not revoked, the oldest first."""
    for player in known()["players"]:
        yield player, [token for token in player["tokens"] if not token["revoked"]]


def test_tokens_keep_their_scopes_and_the_oldest_good_one_of_each_player_manages_them(untouched: Server) -> None:
    for player, tokens in good_tokens():
        for token in tokens:
            me = Player(untouched.client, player["name"], token).get("/v1/me").get_json()
            gained = {"token:manage"} if token is tokens[0] else set()
            assert me["id"] == player["id"] and me["name"] == player["name"]
            assert set(me["scopes"]) == set(token["scopes"]) | gained


def test_a_token_of_0_1_0_reaches_itself_and_the_managing_one_reaches_all(untouched: Server) -> None:
    for player, tokens in good_tokens():
        for token in tokens:
            listed = Player(untouched.client, player["name"], token).get("/v1/tokens").get_json()["tokens"]
            expected = player["tokens"] if token is tokens[0] else [token]
            assert [one["id"] for one in listed] == [one["id"] for one in expected]
            assert [one["revoked_at"] is not None for one in listed] == [one["revoked"] for one in expected]


def test_a_revoked_token_of_0_1_0_stays_revoked(untouched: Server) -> None:
    revoked = [(p["name"], token) for p in known()["players"] for token in p["tokens"] if token["revoked"]]
    assert len(revoked) >= 4
    match = known()["matches"][0]["id"]
    for name, token in revoked:
        person = Player(untouched.client, name, token)
        answers = [person.get("/v1/me"), person.get(f"/v1/matches/{match}"), person.post("/v1/matches", {})]
        answers.append(person.post(f"/v1/matches/{match}/commands", {"type": "roll"}))
        assert [answer.status_code for answer in answers] == [401] * 4


# ── Playing on ──────────────────────────────────────────────────────────────────────────────────────────────────


def play_on(server: Server, match: dict[str, Any]) -> None:
    """Bots as the workers play them, people by random commands, until the match is over."""
    rng = random.Random(match["id"])
    people = {int(seat): server.player(name) for seat, name in match["people"].items()}
    looker = server.player(match["host"])
    sent = 0
    for _ in range(20 * PATIENCE):
        view = server.parlor.matches.look(match["id"], looker.id)[0]
        if view["status"] == "over":
            return
        acting = [seat for seat in view["to_act"] if view["seats"][seat]["kind"] != "bot"]
        if not acting:
            play_bots(server.parlor.matches, match["id"])
        elif sent < PATIENCE:
            sent += 1
            seat = rng.choice(acting)
            command = random_command(server, people[seat], match["id"], seat, rng)
            people[seat].good(people[seat].post(f"/v1/matches/{match['id']}/commands", command))
        elif endless(match):
            give_up(match, list(people.values()), looker)
        else:
            people[acting[0]].good(people[acting[0]].post(f"/v1/matches/{match['id']}/resign"))
    raise AssertionError(f"{match['story']} ({match['id']}) does not end")


def give_up(match: dict[str, Any], people: list[Player], host: Player) -> None:
    """All people resign; if that leaves bots that could go on for ever, the host ends it."""
    for person in people:
        if host.view(match["id"])["status"] == "playing":
            person.good(person.post(f"/v1/matches/{match['id']}/resign"))
    if host.view(match["id"])["status"] == "playing":
        host.good(host.post(f"/v1/matches/{match['id']}/cancel"))


def endless(match: dict[str, Any]) -> bool:
    """Tables that need not come to an end, which is why they can no longer be opened."""
    options = frozen.opened(match)["options"]
    without_progress = options.get("draw_no_progress") == 0 and options.get("capture_rule") != "mandatory"
    return bool(options.get("hand_limit") == 0 or without_progress)


def random_command(server: Server, person: Player, match_id: str, seat: int, rng: random.Random) -> dict[str, Any]:
    listed = person.good(person.get(f"/v1/matches/{match_id}/legal"))["commands"]
    command = rng.choice(listed)
    if "fill" not in command:
        return command  # type: ignore[no-any-return]
    now = server.parlor.matches.at_version(match_id, person.view(match_id)["version"])
    templates = [one for one in now.game.legal(now.table, seat) if isinstance(one, Template)]
    return write_command(templates[0].sample(rng.randrange))


def check_ended(server: Server, match: dict[str, Any]) -> str:
    """Old and new events make one log that anybody can verify from outside, every draw of chance included."""
    looker = server.player(match["host"])
    events = looker.log(match["id"])
    assert events[-1]["type"] == "match_ended" and len(events) > match["version"]
    report = script.verify([orjson.dumps(event).decode() for event in events], events[match["version"] - 1]["hash"])
    assert report.events == len(events) and report.draws is not None and not report.closed
    result = looker.view(match["id"])["result"]
    assert result["places"] or (endless(match) and result["reason"] == "cancelled")
    waiting = "SELECT count(*) FROM bot_turns WHERE match_id = %s"
    assert server.parlor.database.run(waiting, (match["id"],)) == [(0,)]
    return str(result["reason"])


@every_game
def test_every_running_match_is_played_on_to_its_end(game: str, resumed: Server) -> None:
    running = [match for match in frozen.matches(game, "playing") if match["story"] != "draw on offer"]
    assert len(running) >= 6
    reasons = set()
    for match in running:
        if match["story"] == "absences counted":
            assert resumed.parlor.matches.time_up(match["id"]), "a deadline that ran out meanwhile"
        play_on(resumed, match)
        reasons.add(check_ended(resumed, match))
    assert reasons - {"resigned", "cancelled"}, "none was played out"


@every_game
def test_a_draw_on_offer_can_still_be_answered(game: str, resumed: Server) -> None:
    match = next(one for one in frozen.matches(game, "playing") if one["story"] == "draw on offer")
    offer = match["views"]["0"]["draw_offer"]
    asked = [seat for seat in map(int, match["people"]) if seat != offer["seat"] and seat not in offer["agreed"]]
    accept = SLUGS.index(game) % 2 == 0
    if offer["seat"] in match["views"]["0"]["to_act"]:
        # By the first rules of the match an offer stays on the table whatever its maker does.
        host, rng = resumed.player(match["people"][str(offer["seat"])]), random.Random(game)
        command = random_command(resumed, host, match["id"], offer["seat"], rng)
        host.good(host.post(f"/v1/matches/{match['id']}/commands", command))
        assert host.view(match["id"])["draw_offer"] == offer
    for seat in asked:
        person = resumed.player(match["people"][str(seat)])
        view = person.good(
            person.post(f"/v1/matches/{match['id']}/draw", {"action": "accept" if accept else "decline"})
        )
        if not accept:
            break
    assert view["draw_offer"] is None
    if accept and view["status"] == "over":
        assert view["result"]["reason"] == "agreed" and set(view["result"]["places"]) == {1}
    else:
        play_on(resumed, match)
    check_ended(resumed, match)


@every_game
def test_open_matches_are_joined_and_started(game: str, resumed: Server) -> None:
    """Whatever their options: what is refused when a match is opened today does no harm to one that was."""
    found = frozen.matches(game, "open")
    assert len(found) >= 8
    for match in found:
        host = resumed.player(match["host"])
        view = host.view(match["id"])
        seated = {seat["player"] for seat in view["seats"]}
        strangers = (p["name"] for p in known()["players"] if p["id"] not in seated and not p["name"].startswith("Old"))
        for seat in view["seats"]:
            if seat["kind"] == "open":
                kept_for = next((p["name"] for p in known()["players"] if p["id"] == seat["player"]), None)
                person = resumed.player(kept_for or next(strangers))
                person.good(person.post(f"/v1/matches/{match['id']}/join", {"seat": seat["seat"]}))
                match["people"][str(seat["seat"])] = kept_for
        running = host.good(host.post(f"/v1/matches/{match['id']}/start"))
        assert running["status"] == "playing" and running["to_act"] and running["options"] == view["options"]
        assert host.good(host.get(f"/v1/matches/{match['id']}/legal"))["version"] == running["version"]
        assert verify(host.log(match["id"]))


def test_options_that_are_refused_today_are_refused_at_the_opening_only(untouched: Server) -> None:
    """Tables of 0.1.0 that have them run on: they are among those that the tests above play to their end."""
    curious = [match for match in known()["matches"] if match["story"] == "curious options"]
    sensible = {  # strange, but they do what they say
        ("checkers", "mandatory"),
        ("trix", 9),
        ("check-and-double-check", "net"),
        ("quenette", "none"),
    }
    refused = [
        match
        for match in curious
        if not any((match["game"], value) in sensible for value in frozen.opened(match)["options"].values())
    ]
    assert len(refused) == len(curious) - len(sensible)
    ada = untouched.player("Ada")
    for match in refused:
        seats, options = len(frozen.opened(match)["seats"]), frozen.opened(match)["options"]
        answer = ada.post(
            "/v1/matches", {"game": match["game"], "seats": [{"kind": "bot"}] * seats, "options": options}
        )
        assert answer.status_code == 409, (match["game"], seats, options)
        assert answer.get_json()["code"] == ("option_refused" if endless(match) else "option_without_effect")


def test_an_open_table_is_left_declined_and_cancelled(fresh: Server) -> None:
    match = next(one for one in known()["matches"] if one["story"] == "an invited player")
    path = f"/v1/matches/{match['id']}"
    seats = match["views"]["1"]["seats"]
    invited = fresh.player(next(p["name"] for p in known()["players"] if p["id"] == seats[0]["player"]))
    declined = invited.good(invited.post(f"{path}/decline"))
    assert declined["seats"][0]["player"] is None
    assert invited.good(invited.post(f"{path}/join", {}))["you"] == 0
    left = invited.good(invited.post(f"{path}/leave"))
    assert left["you"] is None and left["seats"][0]["kind"] == "open"
    host = fresh.player(match["host"])
    assert host.good(host.post(f"{path}/cancel"))["result"]["reason"] == "cancelled"


def test_the_reconciler_finds_the_bots_and_deadlines_that_were_due(fresh: Server, servers: Servers) -> None:
    """They were due while nothing ran, for as long as the upgrade took."""
    queue = bots_queue(connect(servers.valkey.url))
    queue.empty()
    run = fresh.parlor.database.run
    waiting = {str(row[0]) for row in run("SELECT DISTINCT match_id FROM bot_turns")}
    clocks = {str(row[0]) for row in run("SELECT match_id FROM matches WHERE wake_at < now()")}
    assert len(waiting) > 50 and len(clocks) > 15
    reconciler = Reconciler(fresh.parlor.matches, queue)
    assert reconciler.sweep() and queue.count == 1
    outbox, now = fresh.parlor.matches.store.outbox, dt.datetime.now(dt.UTC)
    order = [turn.match_id for turn in outbox.due(now, 10_000)]
    assert waiting <= set(order)
    kinds = {one["id"]: {seat["kind"] for seat in frozen.opened(one)["seats"]} for one in known()["matches"]}
    alone = [kinds[match] == {"bot"} for match in order]
    assert any(alone) and alone == sorted(alone), "bots whom people wait for come first"
    assert reconciler.clock.serve() >= len(clocks)
    assert not outbox.overdue(now, 10_000)
    queue.empty()


def test_a_player_of_old_is_forgotten_except_for_the_bytes_of_the_log(fresh: Server) -> None:
    match = next(one for one in frozen.matches("quenette", "playing") if len(one["people"]) > 2)
    name = next(name for name in match["people"].values() if name != match["host"])
    host, gone = fresh.player(match["host"]), fresh.player(name)
    before = host.log(match["id"])
    assert gone.good(gone.post("/v1/me/recovery"))["recovery_code"], "an old account fetches a code"
    answer = fresh.client.delete("/v1/me", headers={"Authorization": f"Bearer {gone.token}"})
    assert answer.status_code == 204
    seat = next(seat for seat in host.view(match["id"])["seats"] if seat["player"] == gone.id)
    assert (seat["name"], seat["kind"]) == ("deleted player", "bot")
    after = host.log(match["id"])
    assert after[: len(before)] == before and verify(after)
    assert name in json.dumps(before), "the chain covers it"
    named = fresh.parlor.database.run("SELECT count(*) FROM matches WHERE seats @? '$[*].name'")
    assert named == [(0,)]
