"""What every match has: seats, a start, chance, resignation, draws by agreement, deadlines, stand-ins and an end.

A match is folded from its events like the game inside it. Every function here takes the match as it stands and
returns a `Step`: the events that happened and the match after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain import chance
from domain.game import (
    CHANCE,
    CLOCK,
    Dice,
    Draw,
    Game,
    Outcome,
    Pick,
    Refused,
    Seat,
    Shuffle,
    Template,
    TimeUp,
    ranked,
    record,
)
from domain.wire import names

ABSENCES_FORGIVEN: Final = 3  # deadlines missed in a row before a bot takes the seat


class Chair(NamedTuple):
    """A place at the table and who sits there."""

    kind: str  # human | open | bot
    player: str | None = None
    name: str | None = None
    level: str | None = None  # of the bot that plays this seat
    client_seed: str = ""
    resigned: bool = False
    absences: int = 0


class Offer(NamedTuple):
    seat: Seat
    agreed: frozenset[Seat]


class Match(NamedTuple):
    id: str
    game: Game[Any]
    options: Mapping[str, Any]
    host: str
    spectators: bool
    turn_seconds: int | None
    commitment: str
    chairs: tuple[Chair, ...]
    status: str  # open | playing | over
    table: Any
    version: int
    moved: int  # the version of the last event of the game itself; deadlines count from it
    draws: int
    offer: Offer | None
    ended: MatchEnded | None


# ── Events of the match itself ──────────────────────────────────────────────────────────────────────────────────


class Place(NamedTuple):
    """A chair as it stands in the first event."""

    kind: str
    player: str | None
    name: str | None
    level: str | None
    client_seed: str


@record
class MatchOpened:
    match_id: str
    game: str
    rules_version: int
    options: Any
    host: str
    spectators: bool
    turn_seconds: int | None
    seats: tuple[Place, ...]
    seed_commitment: str


@record
class SeatTaken:
    seat: Seat
    player: str
    name: str
    client_seed: str


@record
class MatchStarted:
    client_seeds: tuple[str, ...]


@record
class SeatResigned:
    seat: Seat


@record
class BotTookOver:
    seat: Seat
    level: str
    reason: str  # resigned | absent


@record
class BotFellBack:
    """A bot failed for good; the command that follows was made for it."""

    seat: Seat


@record
class TurnTimedOut:
    seat: Seat


@record
class DrawOffered:
    seat: Seat


@record
class DrawAnswered:
    seat: Seat
    accept: bool


@record
class MatchEnded:
    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    server_seed: str


EVENTS: Final = (
    MatchOpened,
    SeatTaken,
    MatchStarted,
    SeatResigned,
    BotTookOver,
    BotFellBack,
    TurnTimedOut,
    DrawOffered,
    DrawAnswered,
    MatchEnded,
)


class Happened(NamedTuple):
    """An event with what the match adds to it: who caused it, and what chance drew for it."""

    event: Any
    actor: str
    drawn: chance.Drawn | None = None


class Step(NamedTuple):
    match: Match
    happened: tuple[Happened, ...]


def actor_name(seat: Seat) -> str:
    return {CHANCE: "chance", CLOCK: "clock"}.get(seat, f"seat:{seat}")


def event_classes(game: Game[Any]) -> dict[str, type[Any]]:
    return names((*EVENTS, *game.events))


# ── Folding ─────────────────────────────────────────────────────────────────────────────────────────────────────


def opened(game: Game[Any], event: MatchOpened) -> Match:
    chairs = tuple(Chair(p.kind, p.player, p.name, p.level, p.client_seed) for p in event.seats)
    return Match(
        id=event.match_id,
        game=game,
        options=event.options,
        host=event.host,
        spectators=event.spectators,
        turn_seconds=event.turn_seconds,
        commitment=event.seed_commitment,
        chairs=chairs,
        status="open",
        table=game.open_table(event.options, len(chairs)),
        version=1,
        moved=1,
        draws=0,
        offer=None,
        ended=None,
    )


def evolve(m: Match, happened: Happened) -> Match:
    event = happened.event
    draws = m.draws if happened.drawn is None else happened.drawn.n
    if type(event) not in _OF_THE_MATCH:
        if m.turn_seconds is not None:
            m = _present(m, happened.actor)
        version = m.version + 1
        return m._replace(version=version, moved=version, draws=draws, table=m.game.evolve(m.table, event))
    return _evolve(m, event)._replace(version=m.version + 1, draws=draws)


_OF_THE_MATCH: Final = frozenset(EVENTS)


def _evolve(m: Match, event: Any) -> Match:
    match event:
        case SeatTaken(seat, player, name, client_seed):
            return _seated(m, seat, Chair("human", player, name, None, client_seed))
        case MatchStarted():
            return m._replace(status="playing")
        case SeatResigned(seat):
            return _seated(m, seat, m.chairs[seat]._replace(resigned=True))._replace(offer=None)
        case BotTookOver(seat, level, _):
            return _seated(m, seat, m.chairs[seat]._replace(kind="bot", level=level))
        case TurnTimedOut(seat):
            return _seated(m, seat, m.chairs[seat]._replace(absences=m.chairs[seat].absences + 1))
        case DrawOffered(seat):
            return m._replace(offer=Offer(seat, frozenset()))
        case DrawAnswered(seat, accept):
            offer = m.offer._replace(agreed=m.offer.agreed | {seat}) if accept and m.offer else None
            # An offer that all have accepted is done with, also where the match goes on after the draw.
            return m._replace(offer=None if offer and _asked(m, offer) <= offer.agreed else offer)
        case MatchEnded():
            return m._replace(status="over", offer=None, ended=event)
        case _:
            return m


def _asked(m: Match, offer: Offer) -> set[Seat]:
    """Who has to agree before an offered draw comes about."""
    return {seat for seat, chair in enumerate(m.chairs) if not chair.resigned and seat != offer.seat}


def _present(m: Match, actor: str) -> Match:
    """A seat that acts by itself has its missed deadlines forgiven."""
    kind, _, seat = actor.partition(":")
    if kind != "seat" or not m.chairs[int(seat)].absences:
        return m
    return _seated(m, int(seat), m.chairs[int(seat)]._replace(absences=0))


def _seated(m: Match, seat: Seat, chair: Chair) -> Match:
    return m._replace(chairs=(*m.chairs[:seat], chair, *m.chairs[seat + 1 :]))


def fold(m: Match, happened: Iterable[Happened]) -> Match:
    for one in happened:
        m = evolve(m, one)
    return m


# ── The run of one command ──────────────────────────────────────────────────────────────────────────────────────


class _Run:
    """Collects what one command leads to, chance's answers included."""

    def __init__(self, match: Match, seed: bytes) -> None:
        self.match = match
        self.happened: list[Happened] = []
        self._seed = seed

    def note(self, event: Any, actor: str, drawn: chance.Drawn | None = None) -> None:
        one = Happened(event, actor, drawn)
        self.happened.append(one)
        self.match = evolve(self.match, one)

    def act(self, seat: Seat, command: Any, actor: str) -> None:
        """One command of the game, by a seat or the clock, and the dice it calls for."""
        answer = self.match.game.decide(self.match.table, seat, command)
        if isinstance(answer, Shuffle | Dice | Pick):
            self.draw(answer, actor)
            return
        for event in answer:
            self.note(event, actor)

    def draw(self, wanted: Draw, actor: str) -> None:
        m = self.match
        source = chance.Source(self._seed, m.id, tuple(chair.client_seed for chair in m.chairs))
        answer, drawn = chance.draw(source, m.draws + 1, wanted)
        events = m.game.decide(m.table, CHANCE, answer)
        assert not isinstance(events, Shuffle | Dice | Pick)
        for index, event in enumerate(events):
            self.note(event, actor, drawn if index == 0 else None)

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
        return Step(self.match, tuple(self.happened))

    def end(self, outcome: Outcome) -> None:
        places = _without_resigned(self.match, outcome.places)
        self.note(MatchEnded(places, outcome.scores, outcome.reason, self._seed.hex()), "match")


def _without_resigned(m: Match, places: tuple[int, ...]) -> tuple[int, ...]:
    """Who resigned comes after all who did not; among the others the order stays."""
    last = len(places)
    return ranked(
        [place + (last if chair.resigned else 0) for place, chair in zip(places, m.chairs, strict=True)], low_wins=True
    )


# ── The lobby ───────────────────────────────────────────────────────────────────────────────────────────────────


def open_match(
    game: Game[Any],
    match_id: str,
    *,
    host: str,
    seats: tuple[Place, ...],
    options: Mapping[str, Any],
    seed: bytes,
    spectators: bool = False,
    turn_seconds: int | None = None,
) -> Step:
    event = MatchOpened(
        match_id, game.slug, game.version, dict(options), host, spectators, turn_seconds, seats, chance.commitment(seed)
    )
    players = [place.player for place in seats if place.player is not None]
    if len(players) != len(set(players)):
        raise Refused("PM-04", "already_seated", "a player can take one seat of a match only")
    return Step(opened(game, event), (Happened(event, "host"),))


def take_seat(m: Match, seat: Seat | None, player: str, name: str, client_seed: str) -> Step:
    if m.status != "open":
        raise Refused("PM-03", "wrong_phase", "the match has started")
    if any(chair.player == player and chair.kind == "human" for chair in m.chairs):
        raise Refused("PM-04", "already_seated", "you have a seat in this match")
    free = [n for n, chair in enumerate(m.chairs) if chair.kind == "open" and chair.player in (None, player)]
    # A seat that was kept for this player comes before the seats open to all.
    free.sort(key=lambda n: m.chairs[n].player is None)
    if seat is None and free:
        seat = free[0]
    if seat is None or seat not in free:
        raise Refused("PM-03", "seat_taken", "no such seat is open")
    one = Happened(SeatTaken(seat, player, name, client_seed), actor_name(seat))
    return Step(evolve(m, one), (one,))


def start(m: Match, player: str, seed: bytes) -> Step:
    if m.status != "open":
        raise Refused("PM-03", "wrong_phase", "the match has started")
    if player != m.host:
        raise Refused("PM-02", "not_the_host", "only the host starts the match")
    waiting = [n for n, chair in enumerate(m.chairs) if chair.kind == "open"]
    if waiting:
        raise Refused("PM-01", "seats_open", f"seat {waiting[0]} is not taken")
    run = _Run(m, seed)
    run.note(MatchStarted(tuple(chair.client_seed for chair in m.chairs)), "host")
    return run.settle()


# ── Commands in a running match ─────────────────────────────────────────────────────────────────────────────────


def _running(m: Match) -> None:
    if m.status == "open":
        raise Refused("PM-09", "not_started", "the match has not started")
    # A game that was played out refuses by its own last rule; an end by resignation or agreement is the match's.
    if m.status == "over" and m.game.outcome(m.table) is None:
        raise Refused("PM-08", "match_over", "the match is over")


def _in_person(m: Match, seat: Seat) -> None:
    """Who resigned, or was absent too long, has given the seat to a bot."""
    chair = m.chairs[seat]
    if chair.kind == "bot":
        rule = "PM-05" if chair.resigned else "PM-07"
        raise Refused(rule, "seat_taken_over", "a bot plays this seat now")


def play(m: Match, seat: Seat, command: Any, seed: bytes, *, by_bot: bool = False) -> Step:
    _running(m)
    if not by_bot:
        _in_person(m, seat)
    run = _Run(m, seed)
    run.act(seat, command, actor_name(seat))
    return run.settle()


def resign(m: Match, seat: Seat, seed: bytes) -> Step:
    _running(m)
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    _in_person(m, seat)
    run = _Run(m, seed)
    run.note(SeatResigned(seat), actor_name(seat))
    sides = m.game.sides(m.table)
    # One of two sides falls with the first seat that leaves it; among more, a side stands while one of its seats does.
    enough = any if len(sides) == 2 else all
    standing = [side for side in sides if not enough(run.match.chairs[s].resigned for s in side)]
    if len(standing) <= 1:
        places = tuple(1 if standing and s in standing[0] else 2 for s in range(len(m.chairs)))
        run.note(MatchEnded(places, (), "resigned", seed.hex()), "match")
        return Step(run.match, tuple(run.happened))
    run.note(BotTookOver(seat, "random", "resigned"), "match")
    return run.settle()


def offer_draw(m: Match, seat: Seat, seed: bytes) -> Step:
    _running(m)
    if m.status == "over":
        raise Refused("PM-08", "match_over", "the match is over")
    _in_person(m, seat)
    if m.offer is not None:
        raise Refused("PM-06", "draw_offered", "a draw is on offer already")
    run = _Run(m, seed)
    run.note(DrawOffered(seat), actor_name(seat))
    bot = next(
        (s for s, chair in enumerate(m.chairs) if chair.kind == "bot" and not chair.resigned and s != seat), None
    )
    if bot is not None:
        run.note(DrawAnswered(bot, False), actor_name(bot))
    return Step(run.match, tuple(run.happened))


def answer_draw(m: Match, seat: Seat, accept: bool, seed: bytes) -> Step:
    _running(m)
    _in_person(m, seat)
    if m.offer is None or m.offer.seat == seat or seat in m.offer.agreed:
        raise Refused(m.game.draw_rule, "no_draw_offered", "no draw is offered to you")
    run = _Run(m, seed)
    run.note(DrawAnswered(seat, accept), actor_name(seat))
    if not accept or run.match.offer is not None:
        return Step(run.match, tuple(run.happened))
    if m.game.draw_agreed is None:
        run.note(MatchEnded(_without_resigned(m, (1,) * len(m.chairs)), (), "agreed", seed.hex()), "match")
        return Step(run.match, tuple(run.happened))
    for event in m.game.draw_agreed(m.table):
        run.note(event, "match")
    return run.settle()


# ── The clock, and stand-ins ────────────────────────────────────────────────────────────────────────────────────


class Wake(NamedTuple):
    """When the clock is to act. An unchanged name keeps the time it was first given."""

    name: str
    after_ms: int


def wake(m: Match) -> Wake | None:
    if m.status != "playing":
        return None
    alarm = m.game.alarm(m.table)
    if alarm is not None:
        return Wake(alarm.name, alarm.after_ms)
    if m.turn_seconds is not None and waiting_humans(m):
        return Wake(f"turn {m.moved}", m.turn_seconds * 1000)
    return None


def waiting_humans(m: Match) -> list[Seat]:
    return sorted(seat for seat in m.game.to_act(m.table) if seat >= 0 and m.chairs[seat].kind != "bot")


def waiting_bots(m: Match) -> list[Seat]:
    if m.status != "playing":
        return []
    return sorted(seat for seat in m.game.to_act(m.table) if seat >= 0 and m.chairs[seat].kind == "bot")


def open_to_bot(m: Match, seat: Seat) -> Sequence[Any]:
    """What a bot chooses from: the legal commands, without those beside the play unless there is nothing else."""
    commands = m.game.legal(m.table, seat)
    return [command for command in commands if type(command) not in m.game.asides] or commands


def time_up(m: Match, seed: bytes) -> Step:
    """The clock's turn: the game's alarm, or a command for each seat that let its time run out."""
    run = _Run(m, seed)
    if m.game.alarm(m.table) is not None:
        run.act(CLOCK, TimeUp(), actor_name(CLOCK))
        return run.settle()
    for seat in waiting_humans(m):
        if seat not in run.match.game.to_act(run.match.table):
            continue
        run.note(TurnTimedOut(seat), actor_name(CLOCK))
        if run.match.chairs[seat].absences >= ABSENCES_FORGIVEN:
            run.note(BotTookOver(seat, "random", "absent"), "match")
            continue
        run.act(seat, first_legal(run.match, seat), actor_name(CLOCK))
    return run.settle()


def fall_back(m: Match, seat: Seat, seed: bytes) -> Step:
    """The first legal command for a bot that could not find one itself."""
    run = _Run(m, seed)
    run.note(BotFellBack(seat), "match")
    run.act(seat, first_legal(m, seat), actor_name(seat))
    return run.settle()


def first_legal(m: Match, seat: Seat) -> Any:
    command = m.game.legal(m.table, seat)[0]
    return command.sample(lambda k: 0) if isinstance(command, Template) else command


# ── What a seat or a spectator may know ─────────────────────────────────────────────────────────────────────────


def view(m: Match, seat: Seat | None) -> dict[str, Any]:
    running = m.status == "playing"
    return {
        "id": m.id,
        "game": m.game.slug,
        "status": m.status,
        "version": m.version,
        "host": m.host,
        "options": dict(m.options),
        "spectators": m.spectators,
        "turn_seconds": m.turn_seconds,
        "seed_commitment": m.commitment,
        "seats": [
            {
                "seat": n,
                "kind": chair.kind,
                "player": chair.player,
                "name": chair.name,
                "level": chair.level,
                "client_seed": chair.client_seed,
                "resigned": chair.resigned,
            }
            for n, chair in enumerate(m.chairs)
        ],
        "sides": m.game.sides(m.table),
        "you": seat,
        "to_act": sorted(m.game.to_act(m.table)) if running else [],
        "draw_offer": {"seat": m.offer.seat, "agreed": sorted(m.offer.agreed)} if m.offer else None,
        "table": m.game.view(m.table, seat) if m.status != "open" else None,
        "result": None
        if m.ended is None
        else {
            "winners": [s for s, place in enumerate(m.ended.places) if place == 1],
            "places": m.ended.places,
            "scores": m.ended.scores,
            "reason": m.ended.reason,
            "server_seed": m.ended.server_seed,
        },
    }
