"""What holds for every match, whatever is played: PM-01 to PM-12."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain import log, match
from domain.game import Refused
from domain.games import BY_SLUG
from domain.games.checkers.events import GameEnded
from domain.games.goat.events import LayDown, PassCard
from domain.kit.cards import Card
from domain.kit.plays import PlayCard
from domain.kit.tricks import TrickCard
from domain.match import (
    AnswerDraw,
    Decided,
    DrawAnswered,
    DrawOffered,
    DrawWithdrawn,
    Happened,
    InvitationDeclined,
    Match,
    MatchEnded,
    MatchOpened,
    Place,
    SeatLeft,
    SeatReturned,
    Step,
    TurnTimedOut,
    event_classes,
)
from domain.wire import TABLE, may_see, write_command

SEED = hashlib.sha256(b"a match").digest()
OPEN = Place("open", None, None, "")
BOT = Place("bot", None, "random", "")


def person(name: str) -> Place:
    return Place("human", name, None, name)


def invited(name: str) -> Place:
    return Place("open", name, None, "")


def opened(game: str, *seats: Place, turn_seconds: int | None = None, **options: Any) -> Match:
    return match.open_match(
        BY_SLUG[game], "m", host="ann", seats=seats, options=options, seed=SEED, turn_seconds=turn_seconds
    ).match


def started(game: str, *seats: Place, turn_seconds: int | None = None, **options: Any) -> Match:
    return match.start(opened(game, *seats, turn_seconds=turn_seconds, **options), "ann", SEED).match


def events(step: Step) -> list[Any]:
    return [one.event for one in step.happened]


def refused(rule: str, code: str, ask: Callable[[], Any]) -> None:
    with pytest.raises(Refused) as refusal:
        ask()
    assert (refusal.value.rule, refusal.value.code) == (rule, code)


def plays(m: Match, seat: int | None = None) -> Match:
    """The first legal command of a seat that is to act."""
    seat = sorted(m.game.to_act(m.table))[0] if seat is None else seat
    return match.play(m, seat, m.game.legal(m.table, seat)[0], SEED).match


ANN, BOB, CAT = person("ann"), person("bob"), person("cat")

# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_player_who_leaves_opens_the_seat_to_all_PM_11() -> None:
    step = match.leave(opened("quenette", ANN, BOB, OPEN), "bob")
    assert events(step) == [SeatLeft(1)]
    assert step.match.chairs[1] == match.Chair("open")
    assert match.take_seat(step.match, 1, "cat", "").match.chairs[1].player == "cat"
    refused("PM-11", "not_seated", lambda: match.leave(step.match, "bob"))


def test_nobody_leaves_a_match_that_has_started_PM_03() -> None:
    refused("PM-03", "wrong_phase", lambda: match.leave(started("quenette", ANN, BOB), "bob"))


def test_a_declined_invitation_opens_the_seat_to_all_PM_11() -> None:
    m = opened("quenette", ANN, invited("bob"))
    refused("PM-03", "seat_taken", lambda: match.take_seat(m, 1, "cat", ""))
    refused("PM-11", "not_invited", lambda: match.decline(m, "cat"))
    step = match.decline(m, "bob")
    assert events(step) == [InvitationDeclined(1)]
    assert match.may_join(step.match, "cat")
    refused("PM-11", "not_invited", lambda: match.decline(step.match, "bob"))


def test_the_host_cancels_a_table_that_has_not_started_PM_12() -> None:
    m = opened("quenette", ANN, BOB)
    refused("PM-12", "not_the_host", lambda: match.cancel(m, "bob", SEED))
    step = match.cancel(m, "ann", SEED)
    assert events(step) == [MatchEnded((), (), "cancelled", SEED.hex())]
    shown = match.view(step.match, 0)
    assert shown["status"] == "over" and shown["table"] is None
    result = shown["result"]
    assert result is not None and result["winners"] == [] and result["server_seed"] == SEED.hex()
    refused("PM-08", "match_over", lambda: match.cancel(step.match, "ann", SEED))
    refused("PM-08", "match_over", lambda: match.start(step.match, "ann", SEED))
    refused("PM-08", "match_over", lambda: match.take_seat(step.match, None, "cat", ""))
    refused("PM-08", "match_over", lambda: match.play(step.match, 0, None, SEED))


def test_the_host_cancels_a_match_of_bots_but_none_that_people_play_PM_12() -> None:
    assert match.cancel(started("quenette", BOT, BOT), "ann", SEED).match.status == "over"
    refused("PM-12", "people_play", lambda: match.cancel(started("quenette", ANN, BOT), "ann", SEED))


def test_who_may_look_and_who_may_join() -> None:
    m = opened("quenette", ANN, invited("bob"))
    assert [match.may_look(m, who) for who in ("ann", "bob", "cat")] == [True, True, False]
    assert [match.may_join(m, who) for who in ("bob", "cat")] == [True, False]
    assert match.seat_of(m, "bob") is None
    assert match.seat_of(match.take_seat(m, None, "bob", "").match, "bob") == 1


# ── Draws ───────────────────────────────────────────────────────────────────────────────────────────────────────


def checkers(*seats: Place, **options: Any) -> Match:
    return started("checkers", *(seats or (ANN, BOB)), **options)


def test_an_offer_lapses_with_the_next_command_of_the_seat_that_made_it_PM_06() -> None:
    m = match.offer_draw(checkers(), 0, SEED).match
    assert m.game.to_act(m.table) == {0}
    m = plays(m)
    assert m.offer is None
    refused(m.game.draw_rule, "no_draw_offered", lambda: match.answer_draw(m, 1, True, SEED))


def test_an_offer_stays_while_others_play_PM_06() -> None:
    m = match.offer_draw(plays(checkers()), 0, SEED).match
    m = plays(m, 1)
    assert m.offer is not None and m.offer.seat == 0
    assert match.answer_draw(m, 1, True, SEED).match.offer is None


def test_an_offer_lapses_with_the_end_of_the_game_PM_06() -> None:
    """Also one that the loser of the game made, whose own command did not end it."""
    m = match.offer_draw(plays(checkers(games=2)), 0, SEED).match
    assert m.game.to_act(m.table) == {1}
    lost = match.evolve(m, Happened(GameEnded(1, "0-1", "blocked", (0, 2)), "seat:1"))
    assert lost.offer is None
    assert match.offer_draw(lost, 0, SEED).match.offer is not None


@pytest.mark.parametrize("slug", ["acey-ducey", "backgammon", "checkers", "flique", "four-nines"])
def test_every_game_that_is_played_several_times_says_what_ends_one(slug: str) -> None:
    assert BY_SLUG[slug].ends_game and set(BY_SLUG[slug].ends_game) <= set(BY_SLUG[slug].events)


def test_an_offer_can_be_withdrawn_PM_06() -> None:
    m = match.offer_draw(checkers(), 0, SEED).match
    refused("PM-06", "no_draw_offered", lambda: match.withdraw_draw(m, 1, SEED))
    step = match.withdraw_draw(m, 0, SEED)
    assert events(step) == [DrawWithdrawn(0)] and step.match.offer is None
    refused("PM-06", "no_draw_offered", lambda: match.withdraw_draw(step.match, 0, SEED))


def test_a_seat_offers_once_between_two_commands_of_its_own_PM_06() -> None:
    declined = match.answer_draw(match.offer_draw(checkers(), 0, SEED).match, 1, False, SEED).match
    refused("PM-06", "draw_offered_before", lambda: match.offer_draw(declined, 0, SEED))
    withdrawn = match.withdraw_draw(match.offer_draw(checkers(), 0, SEED).match, 0, SEED).match
    refused("PM-06", "draw_offered_before", lambda: match.offer_draw(withdrawn, 0, SEED))
    assert match.offer_draw(plays(withdrawn), 0, SEED).match.offer is not None


def test_in_a_match_by_the_first_rules_an_offer_outlives_a_command() -> None:
    """A match goes on by the rules it began with."""
    m = match.offer_draw(checkers()._replace(match_rules=1), 0, SEED).match
    m = plays(m)
    assert m.offer is not None
    assert isinstance(events(match.answer_draw(m, 1, True, SEED))[-1], GameEnded)


@pytest.mark.parametrize("rules", [1, 2, 3])
def test_in_a_match_by_older_rules_bots_decline_at_once_and_offer_nothing(rules: int) -> None:
    m = checkers(ANN, BOT)._replace(match_rules=rules)
    assert events(match.offer_draw(m, 0, SEED)) == [DrawOffered(0), DrawAnswered(1, False)]
    m = plays(m)
    assert DrawOffered(1) not in events(match.play_as_bot(m, 1, m.game.legal(m.table, 1)[0], SEED, None, offer=True))


def test_a_bot_is_asked_for_a_draw_also_when_it_is_not_to_act_PM_06() -> None:
    m = checkers(ANN, BOT)
    assert match.waiting_bots(m) == []
    step = match.offer_draw(m, 0, SEED)
    assert events(step) == [DrawOffered(0)] and match.waiting_bots(step.match) == [1]
    assert match.waiting_bots(plays(step.match)) == [1]  # to act by now; the offer has lapsed
    declined = match.answer_draw_as_bot(step.match, 1, AnswerDraw(False), SEED, None).match
    assert declined.offer is None and match.waiting_bots(declined) == []
    accepted = match.answer_draw_as_bot(step.match, 1, AnswerDraw(True), SEED, None)
    assert events(accepted)[0] == DrawAnswered(1, True) and isinstance(events(accepted)[1], GameEnded)


def test_a_bot_agrees_to_no_draw_that_nobody_has_offered_PM_06() -> None:
    with pytest.raises(Refused, match="no draw is offered"):
        match.answer_draw_as_bot(checkers(ANN, BOT), 1, AnswerDraw(True), SEED, None)


def test_bots_that_are_asked_for_a_draw_come_before_those_that_are_to_act_PM_06() -> None:
    """Otherwise one of them could play on before another has heard of the offer."""
    m = started("quenette", BOT, ANN, BOT, first_dealer=2)
    assert match.waiting_bots(m) == [0]
    m = match.offer_draw(m, 1, SEED).match
    assert match.waiting_bots(m) == [0, 2]
    m = match.answer_draw_as_bot(m, 0, AnswerDraw(True), SEED, None).match
    assert match.waiting_bots(m) == [2, 0]
    ended = match.answer_draw_as_bot(m, 2, AnswerDraw(True), SEED, None).match.ended
    assert ended is not None and (ended.places, ended.reason) == ((1, 1, 1), "agreed")


def test_a_bot_offers_a_draw_with_its_command_PM_06() -> None:
    m = plays(checkers(ANN, BOT))
    step = match.play_as_bot(m, 1, m.game.legal(m.table, 1)[0], SEED, None, offer=True)
    assert events(step)[-1] == DrawOffered(1) and step.match.offer == match.Offer(1, frozenset())
    assert isinstance(events(match.answer_draw(step.match, 0, True, SEED))[-1], GameEnded)
    m = plays(step.match)
    assert match.play_as_bot(m, 1, m.game.legal(m.table, 1)[0], SEED, None).match.offer is None


def test_a_bot_that_keeps_a_seat_offers_nothing_for_its_player_PM_06() -> None:
    m = plays(checkers(ANN, BOB))
    kept = match.evolve(m, Happened(match.BotTookOver(1, "steady", "absent"), "match"))
    step = match.play_as_bot(kept, 1, m.game.legal(m.table, 1)[0], SEED, None, offer=True)
    assert step.match.offer is None


def test_a_bot_that_cannot_decide_on_a_draw_declines_it_PM_06_PM_10() -> None:
    m = match.offer_draw(checkers(ANN, BOT), 0, SEED).match
    step = match.fall_back(m, 1, SEED)
    assert events(step) == [match.BotFellBack(1), DrawAnswered(1, False)] and step.match.offer is None


def test_the_answer_of_a_bot_stands_in_the_log_with_how_it_came_to_it() -> None:
    m = match.offer_draw(checkers(ANN, BOT), 0, SEED).match
    answered = match.answer_draw_as_bot(m, 1, AnswerDraw(True), SEED, Decided("strong", 1, 7)).happened[0]
    parts = log.write(answered)
    assert parts.public == {"seat": 1, "accept": True}
    assert parts.secret["1"] == {"command": {"type": "answer_draw", "accept": True}}
    assert parts.secret[TABLE] == {"bot": {"level": "strong", "version": 1, "iterations": 7}}
    assert log.read(event_classes(m.game), parts, answered.actor) == answered


# ── Deadlines ───────────────────────────────────────────────────────────────────────────────────────────────────


def due(m: Match) -> set[str]:
    return {alarm.name for alarm in match.alarms(m)}


def test_moving_and_taking_back_in_turn_puts_no_deadline_off_PM_07() -> None:
    m = started("backgammon", ANN, BOB, turn_seconds=60)
    while not any(type(c).__name__ == "Move" for c in m.game.legal(m.table, next(iter(m.game.to_act(m.table))))):
        m = plays(m)
    (seat,) = m.game.to_act(m.table)
    names = due(m)
    for kind in ("Move", "Undo", "Move", "Undo"):
        command = next(c for c in m.game.legal(m.table, seat) if type(c).__name__ == kind)
        m = match.play(m, seat, command, SEED).match
        if m.game.to_act(m.table) != {seat}:
            return  # that was the last of the throw
        assert due(m) == names


def test_a_command_that_cannot_be_taken_back_gives_its_seat_new_time_PM_07() -> None:
    """Who takes a trick leads to the next; the time for the lead is not what was left over from the trick."""
    m = started("quenette", ANN, BOB, turn_seconds=60, first_dealer=0)
    for _ in range(40):
        (seat,) = m.game.to_act(m.table)
        names = due(m)
        m = plays(m)
        if m.status != "playing":
            break
        assert due(m) != names
        if m.game.to_act(m.table) == {seat}:
            return
    raise AssertionError("nobody took a trick and led")


def goat(*seats: Place, **options: Any) -> Match:
    return started("goat", *(seats or (ANN, BOB, CAT)), turn_seconds=60, first_dealer=0, **options)


def passes(m: Match, seat: int) -> Match:
    return match.play(m, seat, PassCard(m.table.hands[seat][0], m.table.round_no), SEED).match


def test_in_simultaneous_play_nobodys_command_puts_anothers_deadline_off_PM_07() -> None:
    m = goat()
    names = due(m)
    assert len(names) == 3
    assert due(passes(m, 0)) < names
    assert due(passes(passes(m, 0), 2)) < names


def test_a_new_round_begins_everybodys_time_anew_PM_07() -> None:
    m = goat()
    after = passes(passes(passes(m, 0), 1), 2)
    assert len(due(after)) == 3 and not due(after) & due(m)


def with_book(m: Match, seat: int) -> Match:
    """The same table, where this seat holds four aces."""
    aces = [card for hand in m.table.hands for card in hand if card.number == 1]
    rest = [card for hand in m.table.hands for card in hand if card.number != 1]
    sizes = [len(hand) for hand in m.table.hands]
    hands = []
    for other, size in enumerate(sizes):
        own = aces if other == seat else []
        hands.append((*own, *(rest.pop() for _ in range(size - len(own)))))
    return m._replace(table=m.table._replace(hands=tuple(hands)))


def test_the_clock_acts_clockwise_from_the_opener_of_a_race_GO_20() -> None:
    seats = (ANN, BOB, CAT, person("dan"), person("eve"))
    m = with_book(goat(*seats, race_timeout_ms=0), 3)
    m = match.play(m, 3, LayDown(1, m.table.round_no), SEED).match
    step = match.time_up(m, SEED, due(m))
    late = [event.seat for event in events(step) if isinstance(event, TurnTimedOut)]
    assert late == [4, 0, 1]
    assert step.match.table.race == (3, 4, 0, 1, 2)


def test_the_clock_does_nothing_in_a_round_that_began_after_it_rang_PM_07() -> None:
    """The first late seat closes the race; those who are to act in the round that follows have their own time."""
    m = with_book(goat(race_timeout_ms=0), 0)
    m = match.play(m, 0, LayDown(1, m.table.round_no), SEED).match
    step = match.time_up(m, SEED, due(m))
    assert [event.seat for event in events(step) if isinstance(event, TurnTimedOut)] == [1]
    assert step.match.table.phase == "passing" and step.match.table.choices == (None, None, None)


def test_the_clock_acts_only_for_those_whose_time_has_run_out_PM_07() -> None:
    m = goat()
    late = sorted(due(m))[1]
    step = match.time_up(m, SEED, {late})
    assert [event.seat for event in events(step) if isinstance(event, TurnTimedOut)] == [1]
    assert len(due(step.match)) == 2


def test_deadlines_are_told_by_seat_in_whatever_order_they_are_kept_PM_07() -> None:
    kept = {"race 1": 0, "seat 1 since 9": 9, "seat 10 since 9": 9, "seat 0 since 12": 12}  # as a database orders them
    assert list(match.of_seats(kept).items()) == [(0, 12), (1, 9), (10, 9)]


def test_the_race_has_its_own_alarm_beside_the_deadlines_GO_20() -> None:
    m = with_book(goat(race_timeout_ms=10_000), 0)
    m = match.play(m, 0, LayDown(1, m.table.round_no), SEED).match
    assert [alarm.after_ms for alarm in match.alarms(m)] == [10_000, 60_000, 60_000]


def test_three_deadlines_missed_in_a_row_give_the_seat_to_a_bot_PM_07() -> None:
    m = started("quenette", ANN, BOB, turn_seconds=60, first_dealer=0)
    while all(chair.kind == "human" for chair in m.chairs):
        late = [seat for seat, chair in enumerate(m.chairs) if chair.absences >= match.ABSENCES_FORGIVEN]
        assert not late
        m = match.time_up(m, SEED, due(m)).match
    assert [chair.absences for chair in m.chairs if chair.kind == "bot"] == [3]


# ── Stand-ins ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_absent_dealers_secret_cannot_be_worked_out_PM_10() -> None:
    """SS-02b: the same table, another seed: other cards. The same seed: the same cards, for those who check later."""
    m = started("secret-seven", ANN, BOB, turn_seconds=60)
    (dealer,) = m.game.to_act(m.table)
    chosen = {match.stand_in(m, dealer, bytes([n] * 32)) for n in range(20)}
    assert len(chosen) > 15
    assert match.stand_in(m, dealer, SEED) == match.stand_in(m, dealer, SEED)


def test_an_absent_seat_passes_any_of_its_cards_PM_10() -> None:
    m = goat()
    passed = {match.stand_in(m, 1, bytes([n] * 32)).card for n in range(200)}
    assert passed == set(m.table.hands[1])


def test_in_a_match_by_the_first_rules_a_stand_in_chooses_as_it_did() -> None:
    m = goat()._replace(match_rules=1)
    assert {match.stand_in(m, 1, bytes([n] * 32)).card for n in range(20)} == {m.table.hands[1][0]}


def test_a_stand_in_plays_by_rule_of_thumb_PM_10() -> None:
    """It follows with the highest card that is safe; by the rules before, it played the first of its hand."""
    m = started("quenette", ANN, BOB, turn_seconds=60, first_dealer=0)
    table = m.table._replace(
        hands=((Card("O-2"), Card("O-5"), Card("O-12")), (Card("C-1"),)), trick=(TrickCard(1, Card("O-9")),), turn=0
    )
    m = m._replace(table=table)
    assert match.stand_in(m, 0, SEED) == PlayCard(Card("O-5"))
    assert match.stand_in(m._replace(match_rules=2), 0, SEED) == PlayCard(Card("O-2"))


def test_where_the_rules_of_thumb_fail_a_stand_in_plays_the_first_legal_command_PM_10() -> None:
    def broken(view: Any, commands: Any) -> Any:
        raise RuntimeError("no idea")

    m = started("quenette", ANN, BOB, turn_seconds=60, first_dealer=0)
    (seat,) = m.game.to_act(m.table)
    game = replace(m.game, bot=m.game.bot._replace(rate=broken))
    assert match.stand_in(m._replace(game=game), seat, SEED) == m.game.legal(m.table, seat)[0]


# ── Coming back ─────────────────────────────────────────────────────────────────────────────────────────────────


def away() -> tuple[Match, int]:
    """A match in which a bot has taken the seat of somebody absent."""
    m = started("quenette", ANN, BOB, turn_seconds=60, first_dealer=0)
    while all(chair.kind == "human" for chair in m.chairs):
        m = match.time_up(m, SEED, due(m)).match
    return m, next(seat for seat, chair in enumerate(m.chairs) if chair.kind == "bot")


def test_a_player_whose_seat_was_taken_for_absence_takes_it_back_PM_07() -> None:
    m, seat = away()
    assert m.chairs[seat].level == "steady"
    step = match.come_back(m, seat)
    assert events(step) == [SeatReturned(seat)]
    chair = step.match.chairs[seat]
    assert (chair.kind, chair.level, chair.absences, chair.player) == ("human", None, 0, m.chairs[seat].player)
    (acting,) = step.match.game.to_act(step.match.table)
    if acting == seat:
        assert due(step.match), "the time of the seat runs again, from now on"


def test_who_is_not_away_cannot_come_back_and_who_resigned_never_can_PM_07() -> None:
    m, seat = away()
    refused("PM-07", "not_away", lambda: match.come_back(match.come_back(m, seat).match, seat))
    resigned = match.resign(started("quenette", ANN, BOB, CAT), 1, SEED).match
    refused("PM-05", "resigned", lambda: match.come_back(resigned, 1))


# ── What the log keeps ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_stands_in_the_first_event_it_caused_for_its_sender_alone() -> None:
    m = started("quenette", ANN, BOB, first_dealer=0)
    for _ in range(30):
        (seat,) = m.game.to_act(m.table)
        command = m.game.legal(m.table, seat)[0]
        step = match.play(m, seat, command, SEED)
        first, *others = [log.write(one) for one in step.happened]
        assert first.secret[str(seat)]["command"] == write_command(command)
        assert all("command" not in part for parts in others for part in parts.secret.values())
        assert all(log.read(event_classes(m.game), log.write(one), one.actor) == one for one in step.happened)
        m = step.match


def test_how_a_bot_came_to_its_command_is_kept_from_everybody_until_the_end() -> None:
    m = started("quenette", ANN, BOT, first_dealer=0)
    step = match.play_as_bot(m, 1, m.game.legal(m.table, 1)[0], SEED, Decided("strong", 1, 40))
    parts = log.write(step.happened[0])
    assert parts.secret[TABLE]["bot"] == {"level": "strong", "version": 1, "iterations": 40}
    assert not may_see(TABLE, 0) and not may_see(TABLE, 1) and not may_see(TABLE, None)


def test_a_bot_in_a_race_waits_a_human_like_while() -> None:
    """And each bot its own while, so that the same seat is not always the goat."""
    m = with_book(goat(ANN, BOT, BOT, BOT), 0)
    assert match.pause_ms(m, 1, SEED) == 0
    m = match.play(m, 0, LayDown(1, m.table.round_no), SEED).match
    waits = [match.pause_ms(m, seat, SEED) for seat in (1, 2, 3)]
    assert len(set(waits)) == 3 and all(700 <= wait <= 2500 for wait in waits)


def test_a_match_says_by_which_rules_of_the_match_it_is_played() -> None:
    step = match.open_match(BY_SLUG["checkers"], "m", host="ann", seats=(ANN, BOB), options={}, seed=SEED)
    (first,) = events(step)
    assert isinstance(first, MatchOpened) and first.match_rules == match.MATCH_RULES == 4
