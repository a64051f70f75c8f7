"""Every command judged anew: what the rules make of it must be what the log has, event by event.

Events of one command share its id. The command itself stands in the first of them, secret to its sender; matches of 0.1
did not keep it, and there it is looked for among the legal ones. What the match itself decides (seats, the start, the
clock, draws by agreement) needs no command: the first event says what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, get_args, get_type_hints

from domain import log, match
from domain.audit.reading import Logged, canonical, microseconds
from domain.audit.report import Report, Wrong
from domain.bots.explaining import explained
from domain.game import CLOCK, Refused, Template, Unreadable
from domain.games import BY_SLUG
from domain.match import Happened, Match, Step
from domain.upcast import SCHEMA, upcast
from domain.wire import Parts, names, plain_command, read_command

KEEPS_COMMANDS: Final = 3  # the first schema whose events keep the command, and how a bot came to it
COUNTS_BY_SEAT: Final = 4  # the first rules of the match by which every seat has a time of its own for sure
MOST_TRIES: Final = 5_000  # where a command was not kept
MOST_ITERATIONS: Final = 1_000_000  # of a bot; nobody has time for more
Way = Callable[[], Step]  # a way in which these events may have come about


class Group(NamedTuple):
    """The events of one command."""

    events: Sequence[Logged]
    happened: Sequence[Happened]  # the same as the rules know them
    parts: Sequence[Parts]  # in the shape of today

    @property
    def first(self) -> Logged:
        return self.events[0]


class Judge:
    """Plays a match again beside its log."""

    def __init__(self, report: Report, seed: bytes, bots: Callable[[int], bool]) -> None:
        self._report, self._seed, self._bots = report, seed, bots
        self.now: Match | None = None
        self._why_not = ""  # why nothing can be judged
        self._waited: dict[str, int] = {}  # by the name of an alarm: since when the clock waits for it
        self._latest = 0  # of all instants so far

    def judge(self, events: Sequence[Logged]) -> None:
        """The events of the next command."""
        if self._why_not:
            self._report.not_checked("commands", self._why_not)
            return
        version, newest = events[0].version, max(one.schema for one in events)
        if newest > SCHEMA:
            self._give_up(f"this release reads events up to schema {SCHEMA}, not {newest}")
            return
        try:
            if self.now is None:
                self._opened(events)
            else:
                self._follow(self.now, self._group(self.now, events))
            self._wind(events[0])
        except Wrong:
            raise
        except Exception as error:  # whatever a forger put in: no rule can read it
            raise Wrong(
                "commands", version, f"these are no events of this game: {type(error).__name__} {error}"
            ) from None

    def _give_up(self, why: str) -> None:
        self.now, self._why_not = None, why
        self._report.not_checked("commands", why)

    # ── The first event ─────────────────────────────────────────────────────────────────────────────────────────────

    def _opened(self, events: Sequence[Logged]) -> None:
        first = events[0]
        game = BY_SLUG.get(first.public["game"])
        if game is None:
            self._give_up(f"this release does not know {first.public['game']}")
            return
        for name, newest in (("rules_version", game.version), ("match_rules", match.MATCH_RULES)):
            number = first.public.get(name, 1)
            if type(number) is not int or number < 1:
                raise Wrong("commands", 1, f"{name} is no number from 1 on")
            if number > newest:
                self._give_up(f"this release has {name} up to {newest}, not {number}")
                return
        if first.actor != "host":
            raise Wrong("commands", 1, "a match is opened by its host")
        if first.secret:
            raise Wrong("commands", 1, "nothing about the opening of a match is secret")
        for name, least in (("turn_seconds", 1), ("thinking_ms", 0), ("spectator_delay", 0)):
            number = first.public.get(name)
            if number is not None and (type(number) is not int or number < least):
                raise Wrong("commands", 1, f"{name} is no number from {least} on")
        parts = upcast(game.slug, Parts(first.type, first.public, {}), first.schema)
        event = log.read(match.event_classes(game), parts, first.actor).event
        now = match.opened(game, event)
        game = now.game
        try:
            terms: match.Terms = {name: getattr(event, name) for name in get_type_hints(match.Terms)}  # type: ignore[assignment]
            step = match.open_match(
                game,
                event.match_id,
                host=event.host,
                seats=event.seats,
                options=event.options,
                seed=self._seed,
                forked_from=event.forked_from,
                **terms,
            )
        except Refused as refusal:
            # Such tables may have been opened before the options were narrowed.
            if first.schema == SCHEMA:
                raise Wrong("commands", 1, f"no such table is opened: {refusal.text}") from None
            self._report.not_checked("commands", f"no such table is opened any more: {refusal.text}")
        else:
            # A match goes on by the rules of the match that it began with; an edition can stand for several numbers.
            began = {"match_rules": event.match_rules, "rules_version": event.rules_version}
            decided = step.happened[0].event.__class__(**{**_fields(step.happened[0].event), **began})
            if canonical(log.write(Happened(decided, "host")).public) != canonical(parts.public):
                raise Wrong("commands", 1, "the rules open another table than the log has")
            self._report.ok("commands")
        self.now = self._set(now, events[1:])

    def _set(self, now: Match, others: Sequence[Logged]) -> Match:
        """The table of a fork is taken as given, since it comes from another match; no other match is given one."""
        if now.forked_from is None:
            if others:
                raise Wrong("commands", 2, "a match is opened with one event")
            return now
        if [one.type for one in others] != ["table_set"] or others[0].actor != "host":
            raise Wrong("commands", 2, "a fork is opened with the table that it goes on from, and no more")
        given = self._group(now, others).happened[0]
        if given.event.rules_version != now.game.version:
            raise Wrong("commands", 2, "the table belongs to another version of the rules than the match")
        after = match.evolve(now, given)
        if type(after.table) is not type(now.table):
            raise Wrong("commands", 2, f"this is no table of {now.game.title}")
        self._report.not_checked("commands", "the table of a fork comes from another match, and is taken as given")
        return after

    # ── All others ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _group(self, now: Match, events: Sequence[Logged]) -> Group:
        classes = match.event_classes(now.game)
        parts = []
        for one in events:
            if one.type not in classes:
                raise Wrong("commands", one.version, f"{now.game.title} has no event {one.type}")
            secret = {key: kept.part for key, kept in one.secret.items() if kept.part is not None}
            if misplaced := [key for key, part in secret.items() if "command" in part and not key.isdecimal()]:
                told = f"a command stands in the part for its sender alone, not in that for {misplaced[0]}"
                raise Wrong("commands", one.version, told)
            parts.append(upcast(now.game.slug, Parts(one.type, one.public, secret), one.schema))
        return Group(
            events, [log.read(classes, part, one.actor) for part, one in zip(parts, events, strict=True)], parts
        )

    def _follow(self, now: Match, group: Group) -> None:
        first = group.first
        if any(one.at != first.at for one in group.events):
            raise Wrong("commands", first.version, "the events of one command have one instant")
        objection: Wrong | None = None
        for tried, way in enumerate(ways(now, group, self._seed)):
            if tried == MOST_TRIES:
                self._report.not_checked("commands", "too many commands may have led to the events to try them all")
                self.now = match.fold(now, group.happened)
                return
            found = self._tried(way, group)
            if isinstance(found, Match):
                self._in_time(now, group)
                self._recognized(now, group)
                self.now = found
                return
            # The objection that lies furthest along is the one that tells most.
            objection = found if objection is None or found.version > objection.version else objection
        raise objection or Wrong(
            "commands", first.version, f"nothing that {first.actor} can do brings about {first.type}"
        )

    def _tried(self, way: Way, group: Group) -> Match | Wrong:
        first = group.first.version
        try:
            step = way()
        except Refused as refusal:
            return Wrong("commands", first, f"the rules refuse this: {refusal.text} ({refusal.rule})")
        except Unreadable as error:
            return Wrong("commands", first, f"the command cannot be read: {error}")
        for offset, (one, kept) in enumerate(zip(step.happened, group.events, strict=False)):
            if objection := unlike(one, kept, group.parts[offset]):
                return Wrong("commands", first + offset, objection)
        if len(step.happened) > len(group.events):
            missing = log.write(step.happened[len(group.events)]).type
            return Wrong("commands", first + len(group.events), f"{missing} should follow and does not")
        if len(step.happened) < len(group.events):
            extra = group.events[len(step.happened)]
            return Wrong("commands", extra.version, f"{extra.type} does not follow from the command")
        return step.match

    def _recognized(self, now: Match, group: Group) -> None:
        self._report.ok("commands")
        if group.events[-1].type == "match_ended":
            self._report.ok("result")
        one = group.happened[0]
        if isinstance(one.event, match.BotFellBack):
            self._report.not_checked("bots", "the bot failed, and a command was made for it")
        elif one.sent is not None and one.actor == match.actor_name(one.sent.seat):
            chair = now.chairs[one.sent.seat]
            if chair.kind == "bot":
                self._thought(now, group, one.sent.seat, chair.level or "random")

    def _thought(self, now: Match, group: Group, seat: int, level: str) -> None:
        """A bot's command is what a bot of its level comes to with the iterations it had."""
        version, decided = group.first.version, group.happened[0].decided
        if decided is None:
            if group.first.schema >= KEEPS_COMMANDS:
                raise Wrong("bots", version, f"it is not said how the bot of seat {seat} came to its command")
            self._report.not_checked("bots", "the log does not say how the bot came to it")
            return
        if decided.level != level:
            raise Wrong(
                "bots", version, f"the bot of seat {seat} is {level}, and {decided.level} is said to have played"
            )
        if decided.iterations > MOST_ITERATIONS:
            self._report.not_checked("bots", "too many iterations to do again")
        elif not self._bots(version):
            self._report.not_checked("bots", "not asked for")
        else:
            found = explained(now, group.happened, self._seed)
            if found is None or found.thought is None:
                self._report.not_checked("bots", f"this release has no {level} of version {decided.version}")
            elif not found.same:
                other = _short(plain_command(found.thought.command))
                raise Wrong("bots", version, f"the bot of seat {seat} comes to another command: {other}")
            elif found.thought.iterations != decided.iterations:
                told = f"the bot of seat {seat} looks ahead {found.thought.iterations} times, not {decided.iterations}"
                raise Wrong("bots", version, told)
            else:
                self._report.ok("bots")

    # ── The clock ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _wind(self, last: Logged) -> None:
        """What the clock waits for from here on. What it waited for before keeps its instant."""
        at = microseconds(last.at) or 0
        self._latest = max(self._latest, at)
        waited = match.alarms(self.now) if self.now is not None else ()
        self._waited = {alarm.name: min(at, self._waited.get(alarm.name, at)) for alarm in waited}

    def _in_time(self, now: Match, group: Group) -> None:
        """No alarm goes off before its time. The first rules of the match counted it otherwise."""
        first = group.happened[0]
        if first.actor != match.actor_name(CLOCK) or now.match_rules < COUNTS_BY_SEAT:
            return
        late = {one.event.seat for one in group.happened if isinstance(one.event, match.TurnTimedOut)}
        names = {match.turn_alarm(now, seat) for seat in late}
        own = now.game.alarm(now.table)
        if own is not None and not isinstance(first.event, match.TurnTimedOut):
            names.add(own.name)
        at = microseconds(group.first.at) or 0
        for alarm in match.alarms(now):
            missing = self._waited[alarm.name] + alarm.after_ms * 1000 - at
            if alarm.name not in names or missing <= 0:
                continue
            if at < self._latest:
                self._report.not_checked("commands", "the server's clock was set back, so its alarms cannot be checked")
            else:
                told = f"the clock acted {missing / 1_000_000:.1f} seconds before the time was up"
                raise Wrong("commands", group.first.version, told)


def _fields(event: Any) -> dict[str, Any]:
    return {name: getattr(event, name) for name in event.__dataclass_fields__}


def unlike(one: Happened, kept: Logged, parts: Parts) -> str | None:
    """What sets an event that the rules bring about apart from the one in the log."""
    decided = log.write(one)
    if decided.type != parts.type:
        return f"the rules bring about {decided.type}, the log has {parts.type}"
    if one.actor != kept.actor:
        return f"{parts.type} is caused by {one.actor}, not by {kept.actor}"
    if canonical(decided.public) != canonical(parts.public):
        return f"{parts.type} should have other values: {_difference(decided.public, parts.public)}"
    secret = decided.secret
    if kept.schema < KEEPS_COMMANDS:
        secret = {
            key: rest
            for key, part in secret.items()
            if (rest := {name: value for name, value in part.items() if name not in ("command", "bot")})
        }
    if canonical(secret) != canonical(parts.secret):
        for key in sorted({*secret, *parts.secret}):
            if canonical(secret.get(key)) != canonical(parts.secret.get(key)):
                told = _difference(secret.get(key) or {}, parts.secret.get(key) or {})
                return f"{parts.type} has another part for {key}: {told}"
    return None


def _difference(wanted: dict[str, Any], found: dict[str, Any]) -> str:
    for name in sorted({*wanted, *found}):
        if canonical(wanted.get(name)) != canonical(found.get(name)):
            return f"{name} is {_short(wanted.get(name))} by the rules and {_short(found.get(name))} in the log"
    return "nothing"


def _short(value: Any) -> str:
    text = canonical(value).decode()
    return text if len(text) <= 60 else text[:57] + "..."


# ── How events can have come about ──────────────────────────────────────────────────────────────────────────────


def ways(now: Match, group: Group, seed: bytes) -> Iterator[Way]:
    """All that may have led to these events, the likeliest first."""
    one = group.happened[0]
    event = one.event
    match event:
        case match.SeatTaken() if event.kind in get_args(match.Guest):
            seat, player, client_seed, kind = event.seat, event.player, event.client_seed, event.kind
            yield partial(match.take_seat, now, seat, player, client_seed, kind, invited=now.private)
        case match.SeatLeft():
            yield partial(match.leave, now, now.chairs[event.seat].player or "")
        case match.SeatVacated():
            yield partial(match.vacate, now, now.host, event.seat)
        case match.InvitationDeclined():
            yield partial(match.decline, now, now.chairs[event.seat].player or "")
        case match.MatchStarted():
            yield partial(match.start, now, now.host, seed)
        case match.SeatResigned():
            yield partial(match.resign, now, event.seat, seed)
        case match.SeatReturned():
            yield partial(match.come_back, now, event.seat)
        case match.DrawOffered():
            yield partial(match.offer_draw, now, event.seat, seed)
        case match.DrawWithdrawn():
            yield partial(match.withdraw_draw, now, event.seat, seed)
        case match.DrawAnswered() if one.sent is not None:
            if now.chairs[event.seat].kind != "bot":
                raise Wrong("commands", group.first.version, f"no bot is in seat {event.seat} to answer for it")
            answer = match.AnswerDraw(event.accept)
            yield partial(match.answer_draw_as_bot, now, event.seat, answer, seed, one.decided)
        case match.DrawAnswered():
            yield partial(match.answer_draw, now, event.seat, event.accept, seed)
        case match.BotFellBack():
            yield partial(match.fall_back, now, event.seat, seed)
        case match.MatchEnded():
            cancelled = partial(match.cancel, now, now.host, seed)
            ends = {"host": cancelled, "operator": partial(match.close, now, seed)}
            yield ends.get(one.actor, partial(match.expire, now, seed))
        case _ if one.actor == match.actor_name(CLOCK):
            yield from _of_the_clock(now, group, seed)
        case _ if one.sent is not None:
            yield _sent(now, group, seed)
        case _ if group.first.schema >= KEEPS_COMMANDS:
            raise Wrong("commands", group.first.version, f"the command that led to {group.first.type} is missing")
        case _ if one.actor.startswith("seat:"):
            yield from _found(now, int(one.actor.partition(":")[2]), seed)


def _sent(now: Match, group: Group, seed: bytes) -> Way:
    """One command of a bot, or one or several of a person."""
    first = group.happened[0]
    assert first.sent is not None
    seat = first.sent.seat
    if first.actor != match.actor_name(seat):
        told = f"the command is of seat {seat}, and {first.actor} is said to have caused it"
        raise Wrong("commands", now.version + 1, told)
    classes = names(now.game.commands)
    commands = [read_command(classes, one.sent.command) for one in group.happened if one.sent is not None]
    if now.chairs[seat].kind == "bot":
        offer = any(isinstance(one.event, match.DrawOffered) for one in group.happened)
        return partial(match.play_as_bot, now, seat, commands[0], seed, first.decided, offer=offer)
    return partial(match.play_all, now, seat, commands, seed)


def _of_the_clock(now: Match, group: Group, seed: bytes) -> Iterator[Way]:
    """The seats whose time had run out are named; whether the alarm of the game had come shows in what it did."""
    late = {one.event.seat for one in group.happened if isinstance(one.event, match.TurnTimedOut)}
    turns = {
        alarm.name for alarm in match.alarms(now) if any(alarm.name.startswith(f"seat {seat} since ") for seat in late)
    }
    own = now.game.alarm(now.table)
    yield partial(match.time_up, now, seed, turns)
    if own is not None:
        yield partial(match.time_up, now, seed, turns | {own.name})


def _found(now: Match, seat: int, seed: bytes) -> Iterator[Way]:
    """A command that was not kept: one of those that were legal."""
    bot = now.chairs[seat].kind == "bot"
    for command in now.game.legal(now.table, seat):
        for each in filled(command) if isinstance(command, Template) else (command,):
            yield (
                partial(match.play_as_bot, now, seat, each, seed, None)
                if bot
                else partial(match.play, now, seat, each, seed)
            )


def filled(template: Template) -> Iterator[Any]:
    """Every command that a template stands for: what `sample` makes of every row of numbers it can be given."""
    row: list[int] = []
    while True:
        bounds: list[int] = []

        def below(bound: int, bounds: list[int] = bounds) -> int:
            bounds.append(bound)
            if len(bounds) > len(row):
                row.append(0)
            return row[len(bounds) - 1]

        yield template.sample(below)
        while row and row[-1] + 1 == bounds[len(row) - 1]:
            row.pop()
        if not row:
            return
        row[-1] += 1
