"""Commands in a running match: what one of them leads to, chance's answers and the end of the match included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain import chance
from domain.game import CHANCE, Dice, Lot, Outcome, Pick, Refused, Seat, Shuffle, as_it_is, ranked
from domain.match.state import (
    AnswerDraw,
    BotTookOver,
    Decided,
    DrawAnswered,
    DrawOffered,
    DrawWithdrawn,
    Happened,
    Match,
    MatchEnded,
    SeatResigned,
    SeatReturned,
    Sent,
    Step,
    actor_name,
    evolve,
    keeper,
)
from domain.wire import write_command


class Run:
    """Collects what one command leads to."""

    def __init__(self, match: Match, seed: bytes) -> None:
        self.match = match
        self.happened: list[Happened] = []
        self._seed = seed

    def note(
        self,
        event: Any,
        actor: str,
        drawn: chance.Drawn | None = None,
        sent: Sent | None = None,
        decided: Decided | None = None,
    ) -> None:
        one = Happened(event, actor, drawn, sent, decided)
        self.happened.append(one)
        self.match = evolve(self.match, one)

    def act(self, seat: Seat, command: Any, actor: str, decided: Decided | None = None) -> None:
        """One command of the game, by a seat or the clock, and the dice it calls for. The first event keeps it."""
        answer = self.match.game.decide(self.match.table, seat, command)
        sent = Sent(seat, write_command(command)) if seat >= 0 else None
        if isinstance(answer, Shuffle | Dice | Pick):
            self.draw(answer, actor, sent, decided)
            return
        for event in answer:
            self.note(event, actor, None, sent, decided)
            sent = decided = None

    def draw(self, wanted: Lot, actor: str, sent: Sent | None = None, decided: Decided | None = None) -> None:
        m = self.match
        source = chance.Source(self._seed, m.id, tuple(chair.client_seed for chair in m.chairs))
        answer, drawn = chance.draw(source, m.draws + 1, wanted)
        events = m.game.decide(m.table, CHANCE, answer)
        assert not isinstance(events, Shuffle | Dice | Pick)
        first, *others = events
        self.note(first, actor, drawn, sent, decided)
        for event in others:
            self.note(event, actor)

    def settle(self) -> Step:
        """Lets chance act while it is chance's turn, and closes the match when the game is decided."""
        m = self.match
        while m.status == "playing":
            outcome = m.game.outcome(m.table)
            if outcome is not None:
                self.end(outcome)
            elif CHANCE in m.game.to_act(m.table):
                self.draw(m.game.chance(m.table), actor_name(CHANCE))
            else:
                break
            m = self.match
        return self.step()

    def end(self, outcome: Outcome) -> None:
        places = _without_resigned(self.match, outcome.places)
        self.note(MatchEnded(places, outcome.scores, outcome.reason, self._seed.hex()), "match")

    def step(self) -> Step:
        return Step(self.match, tuple(self.happened))


def _without_resigned(m: Match, places: tuple[int, ...]) -> tuple[int, ...]:
    """Those who resigned come after all who did not; among the others the order stays."""
    last = len(places)
    return ranked(
        [place + (last if chair.resigned else 0) for place, chair in zip(places, m.chairs, strict=True)], low_wins=True
    )


def _running(m: Match) -> None:
    if m.status == "open":
        raise Refused("PM-09", "not_started", "the match has not started")
    # A game that was played out refuses by its own last rule; any other end is the match's.
    if m.status == "over" and m.game.outcome(m.table) is None:
        raise _over()


def _over() -> Refused:
    return Refused("PM-08", "match_over", "the match is over")


def _not_over(m: Match) -> None:
    _running(m)
    if m.status == "over":
        raise _over()


def _in_person(m: Match, seat: Seat) -> None:
    """A player who resigned, or was absent too long, has given the seat to a bot."""
    chair = m.chairs[seat]
    if chair.kind == "bot":
        rule = "PM-05" if chair.resigned else "PM-07"
        raise Refused(rule, "seat_taken_over", "a bot plays this seat now")


def play(m: Match, seat: Seat, command: Any, seed: bytes) -> Step:
    _running(m)
    _in_person(m, seat)
    run = Run(m, seed)
    run.act(seat, command, actor_name(seat))
    return run.settle()


def play_all(m: Match, seat: Seat, commands: Sequence[Any], seed: bytes) -> Step:
    """Several commands of one seat, all or none. A refusal says which of them it is about."""
    _running(m)
    _in_person(m, seat)
    run = Run(m, seed)
    for number, command in enumerate(commands):
        began = len(run.happened)
        try:
            if number:
                _not_over(run.match)
            run.act(seat, command, actor_name(seat))
            run.settle()
            if number + 1 < len(commands):
                _no_news(run, began, number)
        except Refused as refusal:
            refusal.step = number if refusal.step is None else refusal.step
            raise
    return run.step()


def _no_news(run: Run, began: int, number: int) -> None:
    """Refuses the step after one that tells its sender something: the whole list could be taken back by a step that
    is refused, and what was learned could not. Where cards are hidden any step may tell something; whether it does can
    depend on them, so that the answer may not depend on whether it does."""
    if run.match.game.imagine is not as_it_is:
        told = f"step {number} may show you something new, so that none can follow it in the same list"
    elif any(one.drawn for one in run.happened[began:]):
        told = f"step {number} leaves something to chance, so that none can follow it in the same list"
    else:
        return
    refusal = Refused("PM-17", "step_after_news", told)
    refusal.step = number + 1
    raise refusal


def play_as_bot(
    m: Match, seat: Seat, command: Any, seed: bytes, decided: Decided | None, *, offer: bool = False
) -> Step:
    """A bot's command, and the draw that it offers with it: made before, an offer would lapse with the command."""
    _running(m)
    run = Run(m, seed)
    run.act(seat, command, actor_name(seat), decided)
    run.settle()
    if offer and may_offer_as_bot(m, seat) and run.match.status == "playing":
        run.note(DrawOffered(seat), actor_name(seat))
    return run.step()


def resign(m: Match, seat: Seat, seed: bytes) -> Step:
    _not_over(m)
    _in_person(m, seat)
    run = Run(m, seed)
    run.note(SeatResigned(seat), actor_name(seat))
    sides = m.game.sides(m.table)
    # One of two sides falls with the first seat that leaves it; among more, a side stands while one of its seats does.
    enough = any if len(sides) == 2 else all
    standing = [side for side in sides if not enough(run.match.chairs[s].resigned for s in side)]
    if len(standing) <= 1:
        places = tuple(1 if standing and s in standing[0] else 2 for s in range(len(m.chairs)))
        run.note(MatchEnded(places, (), "resigned", seed.hex()), "match")
        return run.step()
    run.note(BotTookOver(seat, keeper(m), "resigned"), "match")
    return run.settle()


def come_back(m: Match, seat: Seat) -> Step:
    """A player whose seat was taken for absence takes it back."""
    _not_over(m)
    chair = m.chairs[seat]
    if chair.resigned:
        raise Refused("PM-05", "resigned", "you have resigned; the seat is a bot's to the end")
    if chair.kind != "bot":
        raise Refused("PM-07", "not_away", "you play this seat yourself")
    one = Happened(SeatReturned(seat), actor_name(seat))
    return Step(evolve(m, one), (one,))


# ── Draws by agreement ──────────────────────────────────────────────────────────────────────────────────────────


def offer_draw(m: Match, seat: Seat, seed: bytes) -> Step:
    _not_over(m)
    _in_person(m, seat)
    if m.offer is not None:
        raise Refused("PM-06", "draw_offered", "a draw is on offer already")
    if seat in m.offered:
        raise Refused("PM-06", "draw_offered_before", "you have offered a draw since your last command; play on first")
    run = Run(m, seed)
    run.note(DrawOffered(seat), actor_name(seat))
    bots = (s for s, chair in enumerate(m.chairs) if chair.kind == "bot" and not chair.resigned and s != seat)
    if m.match_rules <= 3 and (bot := next(bots, None)) is not None:
        run.note(DrawAnswered(bot, False), actor_name(bot))
    return run.step()


def may_offer_as_bot(m: Match, seat: Seat) -> bool:
    """Whether a bot may offer a draw with its command. One that keeps the seat of a player does not speak for him."""
    return m.match_rules > 3 and m.chairs[seat].player is None and (m.offer is None or m.offer.seat == seat)


def withdraw_draw(m: Match, seat: Seat, seed: bytes) -> Step:
    _not_over(m)
    _in_person(m, seat)
    if m.offer is None or m.offer.seat != seat:
        raise Refused("PM-06", "no_draw_offered", "you have no draw on offer")
    run = Run(m, seed)
    run.note(DrawWithdrawn(seat), actor_name(seat))
    return run.step()


def answer_draw(m: Match, seat: Seat, accept: bool, seed: bytes) -> Step:
    _running(m)
    _in_person(m, seat)
    _draw_on_offer(m, seat)
    return _answered(Run(m, seed), DrawAnswered(seat, accept))


def answer_draw_as_bot(m: Match, seat: Seat, answer: AnswerDraw, seed: bytes, decided: Decided | None) -> Step:
    _running(m)
    _draw_on_offer(m, seat)
    sent = Sent(seat, write_command(answer))
    return _answered(Run(m, seed), DrawAnswered(seat, answer.accept), sent, decided)


def _draw_on_offer(m: Match, seat: Seat) -> None:
    if m.offer is None or m.offer.seat == seat or seat in m.offer.agreed:
        raise Refused(m.game.draw_rule, "no_draw_offered", "no draw is offered to you")


def _answered(run: Run, answer: DrawAnswered, sent: Sent | None = None, decided: Decided | None = None) -> Step:
    """What comes of an answer: with the last one that was asked for, the draw."""
    m = run.match
    run.note(answer, actor_name(answer.seat), None, sent, decided)
    if not answer.accept or run.match.offer is not None:
        return run.step()
    if m.game.draw_agreed is None:
        run.end(Outcome((1,) * len(m.chairs), (), "agreed"))
        return run.step()
    for event in m.game.draw_agreed(m.table):
        run.note(event, "match")
    return run.settle()
