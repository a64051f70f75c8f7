"""A match as it stands, the events that bring it there, and how they fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

from domain import chance
from domain.editions import OfLaterRelease, edition
from domain.frozen import thaw
from domain.game import CHANCE, CLOCK, Game, Keyword, Seat, Secret, record
from domain.wire import names

# The rules of the match itself have a number of their own, kept in the first event: a match goes on by the rules it
# began with. With 1 an offered draw stayed on the table whatever was played, and a stand-in chose without chance; up to
# 3 bots declined every draw, and offered none.
MATCH_RULES: Final = 4


Status = Literal["open", "playing", "over"]
Sitter = Literal["human", "program", "open", "bot"]
Guest = Literal["human", "program"]  # who plays for a player: in person, or a program that says so
Uuid = Annotated[str, Keyword("format", "uuid")]
Instant = Annotated[str, Keyword("format", "date-time")]
Seed = Annotated[str, Keyword("pattern", "^[0-9a-f]{64}$")]  # the server's own, or its hash


class Chair(NamedTuple):
    """A place at the table and who sits there."""

    kind: Sitter
    player: str | None = None
    level: str | None = None  # of the bot that plays this seat
    client_seed: str = ""
    resigned: bool = False
    absences: int = 0
    program: bool = False  # whoever sits here is a program, also while a bot of ours keeps the seat


EMPTY: Final = Chair("open")


class Offer(NamedTuple):
    """A draw on offer, and who has agreed to it so far."""

    seat: Seat
    agreed: frozenset[Seat]


class Origin(NamedTuple):
    """Where the table of a forked match comes from. Imagined is one that a seat of a running match made up."""

    match: Uuid
    version: int
    imagined: bool


class Match(NamedTuple):
    id: str
    game: Game[Any]
    match_rules: int
    options: Mapping[str, Any]
    host: str
    spectators: bool
    open_to_all: bool  # also those may watch who have no token
    spectator_delay: int  # seconds
    private: bool  # in no list, and joined by invitation alone
    notes: bool
    turn_seconds: int | None
    thinking_ms: int | None  # for each turn of a bot that takes its time; None: as the server has it
    rated: bool
    published: bool  # once it is over, anybody may read it
    forked_from: Origin | None
    commitment: str
    chairs: tuple[Chair, ...]
    status: Status
    started: bool
    before_start: int  # the last version before the start; 0 until then
    listed: bool  # a seat is open to all, or was once
    sent_away: frozenset[str]  # players who have lost a seat here by the host's word
    table: Any
    version: int
    since: tuple[int, ...]  # by seat, at a table with deadlines: the version its time counts from; 0 when not to act
    draws: int
    offer: Offer | None
    offered: frozenset[Seat]  # who has offered a draw since its own last command
    ended: MatchEnded | None


# ── Events ──────────────────────────────────────────────────────────────────────────────────────────────────────


class Place(NamedTuple):
    """A chair as it stands in the first event. Of a player the log has the id alone: names can change, and go."""

    kind: Sitter
    player: Uuid | None
    level: str | None
    client_seed: str


@record
class MatchOpened:
    """A table is opened."""

    match_id: Uuid
    game: str
    rules_version: int
    match_rules: int
    options: Any
    host: Uuid
    spectators: bool
    open_to_all: bool
    spectator_delay: int
    private: bool
    notes: bool
    turn_seconds: int | None
    thinking_ms: int | None
    rated: bool
    published: bool
    forked_from: Origin | None
    seats: tuple[Place, ...]
    seed_commitment: Seed


@record
class TableSet:
    """The table of another match stands here before the start. It is written by the names of its fields, as
    `domain.frozen` does, and belongs to this version of the rules."""

    rules_version: int
    table: Secret[Any]


@record
class SeatTaken:
    """A player sits down."""

    seat: Seat
    player: Uuid
    client_seed: str
    kind: Guest


@record
class SeatLeft:
    """A player stands up before the match begins."""

    seat: Seat


@record
class SeatVacated:
    """The host opens a seat that somebody had, or that was kept for somebody."""

    seat: Seat


@record
class InvitationDeclined:
    """A seat that was kept for a player is open to all."""

    seat: Seat


@record
class MatchStarted:
    """All seats are taken, and the match begins."""

    client_seeds: tuple[str, ...]


@record
class SeatResigned:
    """A seat gives up."""

    seat: Seat


@record
class BotTookOver:
    """A bot plays on for a seat."""

    seat: Seat
    level: str
    reason: Literal["resigned", "absent"]


@record
class SeatReturned:
    """A player whose seat a bot had kept takes it back."""

    seat: Seat


@record
class BotFellBack:
    """A bot failed for good; the command that follows was made for it."""

    seat: Seat


@record
class TurnTimedOut:
    """The time of a seat has run out; the command that follows was made for it."""

    seat: Seat


@record
class DrawOffered:
    """A seat offers a draw."""

    seat: Seat


@record
class DrawWithdrawn:
    """A seat withdraws its offer of a draw."""

    seat: Seat


@record
class DrawAnswered:
    """A seat accepts or declines the draw."""

    seat: Seat
    accept: bool


@record
class MatchEnded:
    """The match is over, and the seed is revealed. One that was cancelled or closed has neither places nor scores."""

    places: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str
    server_seed: Seed


EVENTS: Final = (
    MatchOpened,
    TableSet,
    SeatTaken,
    SeatLeft,
    SeatVacated,
    InvitationDeclined,
    MatchStarted,
    SeatResigned,
    BotTookOver,
    SeatReturned,
    BotFellBack,
    TurnTimedOut,
    DrawOffered,
    DrawWithdrawn,
    DrawAnswered,
    MatchEnded,
)


@record
class AnswerDraw:
    """What a bot says to a draw on offer. It is kept like a command of the game; people have a way of their own."""

    accept: bool


class Sent(NamedTuple):
    """The command that a seat sent, or that was made for it, as it goes over the wire."""

    seat: Seat
    command: Mapping[str, Any]


class Decided(NamedTuple):
    """How a bot came to its command: with these it can be found again."""

    level: str
    version: int  # of the bot
    iterations: int


class Happened(NamedTuple):
    """An event with what the match adds to it: who caused it, what chance drew for it, and, with the first event of a
    command, the command itself and how a bot came to it."""

    event: Any
    actor: str
    drawn: chance.Drawn | None = None
    sent: Sent | None = None
    decided: Decided | None = None


class Step(NamedTuple):
    match: Match
    happened: tuple[Happened, ...]


def actor_name(seat: Seat) -> str:
    return {CHANCE: "chance", CLOCK: "clock"}.get(seat, f"seat:{seat}")


def keeper(m: Match) -> str:
    """The level of the bot that plays a seat on."""
    return "steady" if m.match_rules > 2 else "random"


def people(m: Match) -> set[str]:
    """The players at the table, and those for whom a seat is kept."""
    return {chair.player for chair in m.chairs if chair.player is not None}


def event_classes(game: Game[Any]) -> dict[str, type[Any]]:
    return names((*EVENTS, *game.events))


# ── Folding ─────────────────────────────────────────────────────────────────────────────────────────────────────


def opened(game: Game[Any], event: MatchOpened) -> Match:
    """The table as it was opened. A match goes on by the rules it began with: those of its game, and of the match."""
    game = edition(game, event.rules_version)
    if event.match_rules > MATCH_RULES:
        raise OfLaterRelease(f"match rules {event.match_rules} are of a later release; this one has {MATCH_RULES}")
    chairs = tuple(Chair(p.kind, p.player, p.level, p.client_seed, program=p.kind == "program") for p in event.seats)
    return Match(
        id=event.match_id,
        game=game,
        match_rules=event.match_rules,
        options=event.options,
        host=event.host,
        spectators=event.spectators,
        open_to_all=event.open_to_all,
        spectator_delay=event.spectator_delay,
        private=event.private,
        notes=event.notes,
        turn_seconds=event.turn_seconds,
        thinking_ms=event.thinking_ms,
        rated=event.rated,
        published=event.published,
        forked_from=event.forked_from,
        commitment=event.seed_commitment,
        chairs=chairs,
        status="open",
        started=False,
        before_start=0,
        listed=not event.private and any(chair == EMPTY for chair in chairs),
        sent_away=frozenset(),
        table=game.open_table(event.options, len(chairs)),
        version=1,
        since=(0,) * len(chairs),
        draws=0,
        offer=None,
        offered=frozenset(),
        ended=None,
    )


def evolve(m: Match, happened: Happened) -> Match:
    event = happened.event
    version, draws = m.version + 1, m.draws if happened.drawn is None else happened.drawn.n
    if type(event) in _OF_THE_MATCH:
        return _evolve(m, event)._replace(version=version, draws=draws)
    table = m.game.evolve(m.table, event)
    if m.turn_seconds is not None:
        m = _present(m, happened.actor)
        m = m._replace(since=_since(m, table, version, event, happened.actor))
    if m.offered:
        m = _lapsed(m, event, happened.actor)
    return m._replace(version=version, draws=draws, table=table)


_OF_THE_MATCH: Final = frozenset(EVENTS)


def _evolve(m: Match, event: Any) -> Match:
    match event:
        case TableSet(table=table):
            return m._replace(table=thaw(table.value))
        case SeatTaken(seat=seat, player=player, client_seed=client_seed, kind=kind):
            return _seated(m, seat, Chair(kind, player, None, client_seed, program=kind == "program"))
        case SeatLeft(seat) | InvitationDeclined(seat):
            return _opened_again(m, seat)
        case SeatVacated(seat):
            chair = m.chairs[seat]
            gone = frozenset({chair.player} if chair.player and chair.kind != "open" else ())
            return _opened_again(m, seat)._replace(sent_away=m.sent_away | gone)
        case MatchStarted():
            acting = m.game.to_act(m.table)
            since = tuple(m.version + 1 if seat in acting else 0 for seat in range(len(m.chairs)))
            return m._replace(status="playing", started=True, before_start=m.version, since=since)
        case SeatResigned(seat):
            return _seated(m, seat, m.chairs[seat]._replace(resigned=True))._replace(offer=None)
        case BotTookOver(seat=seat, level=level):
            return _seated(m, seat, m.chairs[seat]._replace(kind="bot", level=level))
        case SeatReturned(seat):
            chair = m.chairs[seat]
            back = _seated(m, seat, chair._replace(kind=_guest(chair), level=None, absences=0))
            return back._replace(since=(*m.since[:seat], m.version + 1, *m.since[seat + 1 :]))
        case TurnTimedOut(seat):
            late = _seated(m, seat, m.chairs[seat]._replace(absences=m.chairs[seat].absences + 1))
            return late._replace(since=(*m.since[:seat], m.version + 1, *m.since[seat + 1 :]))
        case DrawOffered(seat):
            offered = m.offered | {seat} if m.match_rules > 1 else m.offered
            return m._replace(offer=Offer(seat, frozenset()), offered=offered)
        case DrawWithdrawn():
            return m._replace(offer=None)
        case DrawAnswered(seat=seat, accept=accept):
            offer = m.offer._replace(agreed=m.offer.agreed | {seat}) if accept and m.offer else None
            # An offer that all have accepted is done with, also where the match goes on after the draw.
            return m._replace(offer=None if offer and asked(m, offer) <= offer.agreed else offer)
        case MatchEnded():
            return m._replace(status="over", offer=None, ended=event)
        case _:
            return m


def _opened_again(m: Match, seat: Seat) -> Match:
    return _seated(m, seat, EMPTY)._replace(listed=not m.private)


def _guest(chair: Chair) -> Guest:
    """Who played this seat before a bot kept it."""
    return "program" if chair.program else "human"


def asked(m: Match, offer: Offer) -> set[Seat]:
    """Who has to agree before an offered draw comes about."""
    return {seat for seat, chair in enumerate(m.chairs) if not chair.resigned and seat != offer.seat}


def _present(m: Match, actor: str) -> Match:
    """A seat that acts by itself has its missed deadlines forgiven."""
    kind, _, seat = actor.partition(":")
    if kind != "seat" or not m.chairs[int(seat)].absences:
        return m
    return _seated(m, int(seat), m.chairs[int(seat)]._replace(absences=0))


def _since(m: Match, table: Any, version: int, event: Any, actor: str) -> tuple[int, ...]:
    """Where the time of each seat to act counts from.

    It begins when the seat comes to act, and anew with each command of its own that cannot be taken back: whoever moves
    and undoes in turn gains nothing, and neither the haste nor the leisure of others changes it. Where all play at once
    every round begins it anew.
    """
    acting = m.game.to_act(table)
    fresh = m.game.round(table) != m.game.round(m.table)
    final = type(event) not in m.game.tentative
    return tuple(
        0 if seat not in acting else version if fresh or not since or (final and actor == actor_name(seat)) else since
        for seat, since in enumerate(m.since)
    )


def _lapsed(m: Match, event: Any, actor: str) -> Match:
    """An offer lapses with the next command of who made it, and with the end of the game it was made in."""
    if type(event) in m.game.ends_game:
        return m._replace(offer=None, offered=frozenset())
    gone = {seat for seat in m.offered if actor == actor_name(seat)}
    if not gone:
        return m
    return m._replace(offer=None if m.offer and m.offer.seat in gone else m.offer, offered=m.offered - gone)


def _seated(m: Match, seat: Seat, chair: Chair) -> Match:
    return m._replace(chairs=(*m.chairs[:seat], chair, *m.chairs[seat + 1 :]))


def fold(m: Match, happened: Iterable[Happened]) -> Match:
    for one in happened:
        m = evolve(m, one)
    return m
