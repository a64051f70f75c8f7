"""The clock's turns, and commands made for seats whose player or bot does not make them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

from domain import chance
from domain.game import CLOCK, Alarm, Seat, Template, TimeUp
from domain.match.play import Run
from domain.match.state import (
    BotFellBack,
    BotTookOver,
    DrawAnswered,
    Match,
    Step,
    TurnTimedOut,
    actor_name,
    asked,
    keeper,
)

T = TypeVar("T")
ABSENCES_FORGIVEN: Final = 3  # deadlines missed in a row before a bot takes the seat


# ── Who is waited for ───────────────────────────────────────────────────────────────────────────────────────────


def waiting_humans(m: Match) -> list[Seat]:
    return _waiting(m, bots=False)


def waiting_bots(m: Match) -> list[Seat]:
    """The seats whose bots have something to do, first those that are asked for a draw."""
    acting = _waiting(m, bots=True)
    if m.offer is None:
        return acting
    asked_for_draw = [seat for seat in range(len(m.chairs)) if owes_answer(m, seat)]
    return asked_for_draw + [seat for seat in acting if seat not in asked_for_draw]


def owes_answer(m: Match, seat: Seat) -> bool:
    """Whether a bot in this seat is asked for a draw, and has not answered yet."""
    if m.offer is None or m.match_rules <= 3 or m.chairs[seat].kind != "bot":
        return False
    return seat in asked(m, m.offer) - m.offer.agreed


def _waiting(m: Match, *, bots: bool) -> list[Seat]:
    if m.status != "playing":
        return []
    return sorted(seat for seat in m.game.to_act(m.table) if seat >= 0 and (m.chairs[seat].kind == "bot") is bots)


def open_to_bot(m: Match, seat: Seat) -> Sequence[Any]:
    """What a bot chooses from: the legal commands, without those beside the play unless there is nothing else."""
    commands = m.game.legal(m.table, seat)
    return [command for command in commands if type(command) not in m.game.asides] or commands


def pause_ms(m: Match, seat: Seat, seed: bytes) -> int:
    """How long a bot waits before it acts, where a person would be no quicker."""
    shortest, longest = m.game.pause(m.table, seat)
    if not longest:
        return 0
    numbers = chance.beside(seed, "pause", m.id, m.version, seat)
    return shortest + chance.below(numbers, longest - shortest + 1)


# ── The clock ───────────────────────────────────────────────────────────────────────────────────────────────────


def alarms(m: Match) -> tuple[Alarm, ...]:
    """All that the clock waits for: the game's own alarm, and the time of every seat that a person is to act from.

    A name that stays keeps the instant it was first given.
    """
    if m.status != "playing":
        return ()
    alarm = m.game.alarm(m.table)
    found = () if alarm is None else (alarm,)
    if m.turn_seconds is None:
        return found
    return found + tuple(Alarm(turn_alarm(m, seat), m.turn_seconds * 1000) for seat in waiting_humans(m))


def turn_alarm(m: Match, seat: Seat) -> str:
    """The name of the alarm that counts the time of a seat to act."""
    return f"seat {seat} since {m.since[seat]}"


_TURN: Final = re.compile(r"seat (\d+) since \d+")


def of_seats(named: Mapping[str, T]) -> dict[Seat, T]:
    """What belongs to the time of a seat, of all that is kept under the names of alarms, by seat. A database keeps
    names in an order of its own."""
    kept = {int(found[1]): one for name, one in named.items() if (found := _TURN.fullmatch(name))}
    return {seat: kept[seat] for seat in sorted(kept)}


def time_up(m: Match, seed: bytes, due: Collection[str]) -> Step:
    """The clock acts on the alarms whose time has come, these and no others: what began meanwhile has its own time."""
    run = Run(m, seed)
    alarm = m.game.alarm(m.table)
    if alarm is not None and alarm.name in due:
        run.act(CLOCK, TimeUp(), actor_name(CLOCK))
    for seat in m.game.order(m.table):
        if seat not in waiting_humans(run.match) or turn_alarm(run.match, seat) not in due:
            continue
        run.note(TurnTimedOut(seat), actor_name(CLOCK))
        if run.match.chairs[seat].absences >= ABSENCES_FORGIVEN:
            run.note(BotTookOver(seat, keeper(m), "absent"), "match")
        else:
            run.act(seat, stand_in(run.match, seat, seed), actor_name(CLOCK))
    return run.settle()


# ── Stand-ins ───────────────────────────────────────────────────────────────────────────────────────────────────


def fall_back(m: Match, seat: Seat, seed: bytes) -> Step:
    """A command for a bot that could not find one itself."""
    run = Run(m, seed)
    run.note(BotFellBack(seat), "match")
    if owes_answer(m, seat):
        run.note(DrawAnswered(seat, False), actor_name(seat))
        return run.step()
    run.act(seat, stand_in(m, seat, seed), actor_name(seat))
    return run.settle()


def stand_in(m: Match, seat: Seat, seed: bytes) -> Any:
    """The best legal command by rule of thumb, or the first, which is the most neutral one. A choice that the others
    may not know is drawn by lot: if it followed from the hand alone, everybody could work it out."""
    commands = open_to_bot(m, seat)
    numbers = chance.beside(seed, "bot", m.id, m.version, seat)

    def below(k: int) -> int:
        return chance.below(numbers, k) if m.match_rules > 1 else 0

    first = commands[0]
    if isinstance(first, Template):
        return first.sample(below)
    if type(first) not in m.game.hidden_choices:
        return by_thumb(m, seat, commands) if m.match_rules > 2 else first
    alike = [command for command in commands if type(command) is type(first)]
    cheap = [command for command in alike if not m.game.dear(m.table, command)] or alike
    return cheap[below(len(cheap))]


def by_thumb(m: Match, seat: Seat, commands: Sequence[Any]) -> Any:
    """The command that the rules of thumb put first. Whatever is wrong with them, a seat is never left without one."""
    listed = [command for command in commands if not isinstance(command, Template)]
    try:
        scores = m.game.bot.rate(m.game.view(m.table, seat), listed)
        return listed[max(range(len(listed)), key=lambda n: scores[n])]
    except Exception:
        return commands[0]
