"""The lobby as rules: private tables, players sent away, lists of commands, rematches and notes: PM-15 to PM-19."""

from __future__ import annotations

import random
from typing import Any

import pytest

from domain import log, match
from domain.game import Refused
from domain.games import BY_SLUG
from domain.games.backgammon.game import Move, Roll
from domain.match import Match, Place, SeatVacated
from domain.match.story import sentence
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts
from tests.domain.playing import choose
from tests.domain.test_match import ANN, BOB, BOT, CAT, OPEN, SEED, events, invited, opened, person, refused, started

OF_THE_GAME = ("table", "version", "since", "draws", "offer", "offered")


def at(game: str, *seats: Place, **terms: Any) -> Match:
    return match.open_match(BY_SLUG[game], "m", host="ann", seats=seats, options={}, seed=SEED, **terms).match


# ── Private tables ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_private_table_is_open_to_those_invited_and_to_nobody_else_PM_15() -> None:
    m = at("quenette", ANN, OPEN, invited("bob"), private=True)
    assert [match.may_join(m, who) for who in ("bob", "cat")] == [True, False]
    assert [match.may_look(m, who) for who in ("ann", "bob", "cat", None)] == [True, True, False, False]
    refused("PM-03", "seat_taken", lambda: match.take_seat(m, None, "cat", ""))
    assert match.take_seat(m, None, "cat", "", invited=True).match.chairs[1].player == "cat"
    refused("PM-03", "seat_taken", lambda: match.take_seat(m, 2, "cat", "", invited=True))
    assert not match.decline(m, "bob").match.listed and not m.listed


def test_a_table_has_been_listed_once_a_seat_was_open_to_all() -> None:
    assert opened("quenette", ANN, OPEN).listed
    closed = opened("quenette", ANN, invited("bob"))
    assert not closed.listed and match.decline(closed, "bob").match.listed
    full = match.take_seat(opened("quenette", ANN, OPEN), None, "bob", "").match
    assert full.listed and not match.may_look(full, "cat")


# ── Sent away ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_host_sends_a_player_away_before_the_start_PM_16() -> None:
    m = opened("quenette", ANN, BOB, invited("cat"))
    step = match.vacate(m, "ann", 1)
    assert events(step) == [SeatVacated(1)] and step.happened[0].actor == "host"
    assert step.match.chairs[1] == match.Chair("open") and not match.may_join(step.match, "bob")
    refused("PM-16", "sent_away", lambda: match.take_seat(step.match, 1, "bob", ""))
    refused("PM-16", "not_the_host", lambda: match.vacate(m, "bob", 1))
    refused("PM-16", "your_own_seat", lambda: match.vacate(m, "ann", 0))
    to_ann = opened("quenette", invited("ann"), BOB)
    with pytest.raises(Refused, match="is kept for you: decline it"):
        match.vacate(to_ann, "ann", 0)
    assert match.decline(to_ann, "ann").match.chairs[0] == match.Chair("open")
    refused("PM-16", "nobody_there", lambda: match.vacate(opened("quenette", ANN, BOT), "ann", 1))
    refused("PM-16", "nobody_there", lambda: match.vacate(m, "ann", 3))
    refused("PM-03", "wrong_phase", lambda: match.vacate(started("quenette", ANN, BOB), "ann", 1))
    kept = match.vacate(m, "ann", 2).match
    assert match.may_join(kept, "cat")  # for whom a seat was only kept
    told = sentence(m.game, log.write(step.happened[0]), 0, ["Ann", "Bob", "Cat"])
    assert told == "The host opens seat 1 again."


def test_who_was_sent_away_may_take_a_seat_that_is_kept_for_him_PM_16() -> None:
    m = match.vacate(opened("quenette", ANN, BOB), "ann", 1).match
    kept = m._replace(chairs=(m.chairs[0], match.Chair("open", "bob", "Bob")))
    assert match.take_seat(kept, None, "bob", "").match.chairs[1].kind == "human"


# ── Who sees it later ───────────────────────────────────────────────────────────────────────────────────────────


def test_spectators_see_a_match_late_once_it_has_started() -> None:
    m = at("quenette", BOB, CAT, spectators=True, spectator_delay=60)
    assert not match.watches_late(m, "eve")
    running = match.start(m, "ann", SEED).match
    assert [match.watches_late(running, who) for who in ("ann", "bob", "eve", None)] == [False, False, True, True]
    assert running.before_start == 1
    before = match.in_the_lobby(running)
    assert (before.version, before.status) == (1, "open") and match.in_the_lobby(m) is m


def test_without_a_token_only_what_is_open_to_all_is_seen() -> None:
    assert not match.may_look(at("quenette", ANN, OPEN, spectators=True), None)
    assert match.may_look(at("quenette", ANN, OPEN, spectators=True, open_to_all=True), None)
    bots = at("quenette", BOT, BOT)
    assert match.seat_of(bots, None) is None and not match.takes_part(bots, None)


# ── Lists of commands ───────────────────────────────────────────────────────────────────────────────────────────


def thrown() -> tuple[Match, int]:
    """Backgammon, after a throw with two numbers to play."""
    m = started("backgammon", ANN, BOB)
    while True:
        (seat,) = m.game.to_act(m.table)
        commands = m.game.legal(m.table, seat)
        if isinstance(commands[0], Move):
            return m, seat
        m = match.play(m, seat, commands[0], SEED).match


def test_a_list_leads_where_its_commands_lead_one_by_one_PM_17() -> None:
    m, seat = thrown()
    first = m.game.legal(m.table, seat)[0]
    one = match.play(m, seat, first, SEED)
    second = one.match.game.legal(one.match.table, seat)[0]
    two = match.play(one.match, seat, second, SEED)
    both = match.play_all(m, seat, [first, second], SEED)
    assert both.match == two.match and both.happened == one.happened + two.happened


def test_a_refusal_says_which_command_of_the_list_it_is_about_PM_17() -> None:
    m, seat = thrown()
    first = m.game.legal(m.table, seat)[0]
    for commands, step in (([Roll()], 0), ([first, Roll()], 1)):
        with pytest.raises(Refused) as refusal:
            match.play_all(m, seat, commands, SEED)
        assert refusal.value.step == step


def test_nothing_follows_what_is_left_to_chance_PM_17() -> None:
    m = started("four-nines", ANN, BOB)
    (seat,) = m.game.to_act(m.table)
    roll = m.game.legal(m.table, seat)[0]
    refused("PM-17", "step_after_news", lambda: match.play_all(m, seat, [roll, roll], SEED))
    assert match.play_all(m, seat, [roll], SEED) == match.play(m, seat, roll, SEED)


def test_nothing_follows_a_command_of_a_game_with_hidden_cards_whatever_they_are_PM_17() -> None:
    m = started("flique", ANN, BOB)
    (seat,) = m.game.to_act(m.table)
    draw = m.game.legal(m.table, seat)[0]
    refused("PM-17", "step_after_news", lambda: match.play_all(m, seat, [draw, draw], SEED))


def test_nothing_follows_the_end_PM_08() -> None:
    m = started("quenette", ANN, BOB)
    over = match.resign(m, 0, SEED).match
    refused("PM-08", "match_over", lambda: match.play_all(over, 1, [None], SEED))
    refused("PM-09", "not_started", lambda: match.play_all(opened("quenette", ANN, BOB), 1, [None], SEED))


# ── Rematches and notes ─────────────────────────────────────────────────────────────────────────────────────────


def test_the_seats_of_a_rematch_move_one_to_the_left_PM_18() -> None:
    program = Place("program", "zoe", None, "z")
    m = match.resign(started("quenette", ANN, BOB, BOT, program), 1, SEED).match
    assert m.chairs[1].kind == "bot"  # who plays on for Bob is not who played
    seats = match.seats_of_rematch(m, "ann")
    assert seats == (
        Place("open", "zoe", None, ""),
        Place("human", "ann", None, ""),
        Place("open", "bob", None, ""),
        Place("bot", None, "random", ""),
    )
    assert match.seats_of_rematch(m, "zoe")[0].kind == "program"


def test_who_may_ask_for_a_rematch_and_when_PM_18() -> None:
    m = started("quenette", BOB, CAT)
    refused("PM-18", "not_seated", lambda: match.may_rematch(m, "eve"))
    refused("PM-18", "not_over", lambda: match.may_rematch(m, "bob"))
    over = match.resign(m, 0, SEED).match
    match.may_rematch(over, "bob")
    match.may_rematch(over, "ann")  # the host, who had no seat
    cancelled = match.cancel(opened("quenette", ANN, BOB), "ann", SEED).match
    refused("PM-18", "never_started", lambda: match.may_rematch(cancelled, "ann"))


def test_notes_are_left_before_and_after_but_not_during_the_match_PM_19() -> None:
    lobby, running = opened("quenette", ANN, BOB), started("quenette", ANN, BOB)
    match.may_leave_note(lobby)
    match.may_leave_note(match.resign(running, 0, SEED).match)
    refused("PM-19", "being_played", lambda: match.may_leave_note(running))
    refused("PM-19", "no_notes", lambda: match.may_leave_note(at("quenette", ANN, BOB, notes=False)))


# ── Older matches ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_was_opened_before_is_neither_private_nor_late_and_has_no_notes() -> None:
    today = log.write(
        match.open_match(
            BY_SLUG["quenette"], "m", host="ann", seats=(ANN, person("bob")), options={}, seed=SEED
        ).happened[0]
    )
    added = {
        "open_to_all": False,
        "spectator_delay": 0,
        "private": False,
        "notes": False,
        "rated": False,
        "published": False,
    }
    old = Parts(today.type, {name: value for name, value in today.public.items() if name not in added}, {})
    assert upcast("quenette", old, 4).public == {**old.public, **added}
    assert upcast("quenette", today, SCHEMA) == today


@pytest.mark.parametrize("slug", ["quenette", "backgammon", "check-and-double-check"])
def test_what_happens_in_a_game_changes_nothing_of_who_may_see_it(slug: str) -> None:
    m = match.start(at(slug, ANN, BOB, turn_seconds=60), "ann", SEED).match
    rng, games_own = random.Random(slug), 0
    while m.status == "playing" and games_own < 60:
        seat, command = choose(m.game, m.table, rng)
        step = match.play(m, seat, command, SEED)
        if not any(match.moves_guests(log.write(one).type) for one in step.happened):
            after = {name: getattr(step.match, name) for name in OF_THE_GAME}
            assert m._replace(**after) == step.match
            games_own += 1
        m = step.match
    assert games_own and match.moves_guests("seat_left") and match.moves_guests("match_ended")
