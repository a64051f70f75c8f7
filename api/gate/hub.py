"""The hub of one process: a thread that knows who follows which match, and tells each what is new in it.

However many follow a match, what is new is told once for each seat, and written once for each form: by the process that
appended it, this one or a sibling. Redis tells when there is something to read that other servers have appended, and
once a second the database itself is asked. All of the hub's state belongs to its thread; others put what they want into
its inbox.
"""

from __future__ import annotations

import collections
import itertools
import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from api.gate.channels import Channel, Rows, Telling, in_one, told_to_all
from api.gate.inbox import Inbox
from api.gate.late import Late, Page
from api.gate.parcels import Parcel, Stream, Waiter
from api.gate.siblings import Family, Passed, Place, Sibling, opened
from api.messages import bye
from domain import match
from domain.match import Match
from eventstore.errors import CorruptStream, LacksScope, NotFound, StoreError
from eventstore.following import PAGE, Told
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.states import News, Warm
from eventstore.tidings import Tidings
from workers.bell import Move

log = logging.getLogger("parlor.hub")

TICK: Final = 1.0  # seconds between two looks at the heads of the matches that are followed, if all is quiet there
GRACE: Final = 0.25  # seconds after such a look, in which what a sibling has told comes by itself
TOKENS_EVERY: Final = 2  # ticks between two looks at the tokens of those who follow
BREATH: Final = 0.015  # seconds between two rounds, in which more can come together


class Hub:
    def __init__(self, matches: Matches, players: Players, tidings: Tidings, sibling: Sibling | None = None) -> None:
        self._matches, self._players, self._tidings = matches, players, tidings
        self._sibling = sibling or Sibling(Family(1), 0)
        self._inbox = Inbox(log)
        self._channels: dict[str, Channel] = {}
        self._unread: set[str] = set()  # matches in which there is said to be more than is known
        self._behind: set[str] = set()  # matches in which somebody has more to be told
        self._heads: dict[str, int] = {}  # as they were a moment ago
        self._parcels: list[Parcel] = []
        self._gathers_since: float | None = None  # what is handed over next
        self._send: Callable[[list[Parcel]], None] = lambda parcels: None
        self._late = Late(
            lambda stream, page: self._inbox.put(self._told_page, stream, page),
            lambda stream: self._inbox.put(self._end, stream, "unavailable"),
        )

    def start(self, send: Callable[[list[Parcel]], None]) -> None:
        self._send = send
        threading.Thread(target=self._run, name="hub", daemon=True).start()
        self._sibling.start(lambda raw: self._inbox.put(self._take_over, raw))

    # ── What others put in ──

    def moved(self, warm: Warm, news: News) -> None:
        """A commit of this process. Where nobody follows the match, it costs a look into a table."""
        if followed := self._sibling.followed(warm.match.id):
            self._inbox.put(self._commit, warm, news, followed)

    def heard(self, moves: Mapping[str, Move]) -> None:
        """What was said of other servers. Whoever says it, only what the database has is told."""
        followed = {its_id: move.version for its_id, move in moves.items() if its_id in self._channels}
        if followed:
            self._inbox.put(self._hear, followed)

    def join(self, one: Stream | Waiter) -> None:
        self._inbox.put(self._join, one)

    def more(self, stream: Stream) -> None:
        """The reader has taken what there was."""
        self._inbox.put(self._late.turn_page, stream)

    def leave(self, one: Stream | Waiter) -> None:
        self._inbox.put(self._leave, one)

    # ── The thread ──

    def _run(self) -> None:
        ticks, tick_at, grace_over = itertools.count(1), time.monotonic() + TICK, math.inf
        while True:
            self._inbox.take_in(-math.inf if self._behind else min(tick_at, grace_over))
            if time.monotonic() >= tick_at:
                tick_at, grace_over = time.monotonic() + TICK, time.monotonic() + GRACE
                self._inbox.safely(self._tick, next(ticks))
            if time.monotonic() >= grace_over:
                grace_over = math.inf
                self._hear(self._heads)
            self._inbox.safely(self._read_news)
            for match_id in list(self._behind):
                self._inbox.safely(self._tell, match_id)
            self._hand_over()
            if self._inbox.empty():
                time.sleep(BREATH)

    def _hand_over(self) -> None:
        if self._parcels:
            parcels, self._parcels = self._parcels, []
            self._send(parcels)
        self._sibling.send()
        self._gathers_since = None

    # ── Coming and going ──

    def _join(self, one: Stream | Waiter) -> None:
        if isinstance(one, Waiter):
            channel = self._channel(one.follow.match_id)
            channel.waiters[one] = None
            self._wake(channel)
            return
        try:
            self._begin(one)
        except StoreError as error:
            log.info("a stream cannot begin: %s", type(error).__name__)
            self._end(one, "unavailable")

    def _begin(self, stream: Stream) -> None:
        follow = stream.follow
        channel = self._channel(follow.match_id)
        self._fold(channel)
        channel.streams[stream], channel.abreast = None, None
        if not self._admitted(channel, stream):
            return
        self._announce(channel)
        warm = channel.warm
        visible, (seat, _, _) = self._matches.visible(warm.match, follow.who.player), channel.place(stream)
        if follow.after is None:
            shown = warm.match if visible == channel.version else self._matches.at_version(follow.match_id, visible)
            self._put([stream], [self._matches.as_it_stands(warm, shown, seat)], shown)
        elif follow.after == visible == channel.version:
            self._put([stream], [], warm.match)
        else:
            stream.pages = self._matches.pages(warm, follow.after, seat, visible, view=follow.views)
            self._late.turn_page(stream)

    def _channel(self, match_id: str) -> Channel:
        channel = self._channels.get(match_id)
        if channel is None:
            self._sibling.follow(match_id, ())  # before it is read, so that nothing falls between the two
            try:
                warm = self._matches.known(match_id) or self._matches.fresh(match_id)
            except BaseException:
                self._sibling.follow_no_more(match_id)
                raise
            channel = self._channels[match_id] = Channel(warm)
            self._unread.add(match_id)
        return channel

    def _announce(self, channel: Channel) -> None:
        """Says what is to be passed on to this process."""
        self._sibling.follow(channel.id, map(channel.place, channel.streams))
        channel.thinned = False

    def _leave(self, one: Stream | Waiter) -> None:
        match_id = one.follow.match_id
        channel = self._channels.get(match_id)
        if isinstance(one, Stream):
            one.gone = True
        if channel is None:
            return
        if isinstance(one, Stream):
            channel.streams.pop(one, None)
            channel.places.pop(one, None)
            channel.thinned, channel.abreast = True, None
        else:
            channel.waiters.pop(one, None)
        if not channel.streams and not channel.waiters:
            del self._channels[match_id]
            self._sibling.follow_no_more(match_id)
            self._behind.discard(match_id)
            self._unread.discard(match_id)

    def _end(self, stream: Stream, reason: str) -> None:
        self._parcels.append(Parcel([stream], bye(stream.follow.form, reason, stream.told), upto=stream.told))
        self._leave(stream)

    # ── What is past ──

    def _told_page(self, stream: Stream, page: Page | None) -> None:
        if stream.gone:
            return
        if page is None:
            stream.pages = None
            self._channels[stream.follow.match_id].abreast = None
            assert stream.match is not None
            self._behind.add(stream.follow.match_id)
            self._put([stream], [], stream.match)
            return
        told, stream.match = page
        stream.version = stream.match.version if stream.match is not None else 0
        if told:
            self._parcel([stream], told)
        else:
            self._late.turn_page(stream)

    # ── What is new ──

    def _commit(self, warm: Warm, news: News, followed: int) -> None:
        """Told here and not by the thread that made it: several at a time, one after the other, cost a third less."""
        match_id = warm.match.id
        channel = self._channels.get(match_id)
        if channel is not None:
            self._mention(channel, news.version)  # if it cannot be told now, it is read
        told = told_to_all(self._matches, warm, news, followed)
        passed = Passed(match_id, news.events[0].version - 1, news.before, news.version, warm.hash, told)
        self._sibling.pass_on(passed)
        if channel is None or not channel.ends_with(passed.since, passed.before):
            return
        if not self._retold(channel, passed, warm):
            self._advance(channel, warm, Telling(self._matches, warm, None, news.events, passed.version))

    def _take_over(self, raw: bytes) -> None:
        """What a sibling has told."""
        for one in opened(raw):
            if (channel := self._channels.get(one.match_id)) is not None:
                self._mention(channel, one.version)
                if channel.ends_with(one.since, one.before):
                    self._inbox.safely(self._retold, channel, one)

    def _retold(self, channel: Channel, passed: Passed, warm: Warm | None = None) -> bool:
        """Whether what was told where it was appended is all that anybody is to be told."""
        rows = self._abreast(channel) if passed.told is not None else None
        if passed.told is None or rows is None or not rows.keys() <= passed.told.keys():
            return False  # somebody has come meanwhile, or has more to be told
        if warm is None:
            channel.went_on(passed.version, passed.hash)
        else:
            channel.know(warm)
        self._wake(channel)
        for place, streams in rows.items():
            self._parcels.append(Parcel(streams, passed.told[place], False, passed.version))
            for stream in streams:
                stream.version = passed.version
        channel.abreast = rows  # last: if somebody could not be told, he is found to be behind
        self._hand_over_in_time()
        return True

    def _abreast(self, channel: Channel) -> Rows | None:
        """All who are to be told what is new, those alike together; None if somebody has not been told what is old."""
        if channel.abreast is None:
            rows: Rows = collections.defaultdict(list)
            for stream, place in self._guests(channel):
                if stream.version != channel.version:
                    return None
                rows[place].append(stream)
            channel.abreast = rows
        return channel.abreast

    def _hand_over_in_time(self) -> None:
        """Where much is new in many matches, the first to be told do not wait for the last."""
        now = time.monotonic()
        self._gathers_since = self._gathers_since or now
        if now - self._gathers_since >= BREATH:
            self._hand_over()

    def _fold(self, channel: Channel) -> None:
        """What was only retold is read, where the match itself is wanted."""
        if channel.folded:
            return
        warm, upto = self._matches.fresh(channel.id), channel.version
        if warm.match.version < upto:
            raise CorruptStream(f"the log of {channel.id} is shorter than it was, as after a restore")
        channel.know(warm)
        if channel.version > upto:
            self._wake(channel)
            self._behind.add(channel.id)

    def _hear(self, versions: dict[str, int]) -> None:
        for match_id, version in versions.items():
            if (channel := self._channels.get(match_id)) is not None:
                self._mention(channel, version)

    def _mention(self, channel: Channel, version: int) -> None:
        """There is said to be this version of a match."""
        if version > channel.heard:
            channel.heard = version
        if channel.heard > channel.version:
            self._unread.add(channel.id)

    def _read_news(self) -> None:
        """All that is said to be new, in one statement."""
        said = [one for match_id in self._unread if (one := self._channels[match_id]).heard > one.version]
        found = self._tidings.since({one.id: one.warm.match.version for one in said}) if said else {}
        self._unread.clear()
        for channel in said:
            match_id, news = channel.id, found.get(channel.id)
            if news is None or not news.events or news.version <= channel.version:
                channel.heard = channel.version  # there was less to it than was said
                continue
            try:
                if not channel.agrees_with(news):
                    raise CorruptStream(f"the log of {match_id} is no longer the one that was told of")
                whole = news.events[-1].version == news.version
                known = self._matches.caught_up(channel.warm, news) if whole else self._matches.fresh(match_id)
                self._advance(channel, known, self._telling(channel, known, news) if whole else None)
            except CorruptStream as error:
                log.error("%s", error)
                self._matches.forget(match_id)
                self._dismiss(channel, "unavailable")

    def _telling(self, channel: Channel, known: Warm, news: News) -> Telling:
        """Of what was read, all that was not told here yet."""
        retold = channel.version - channel.warm.match.version
        before = self._matches.after(channel.warm.match, news.events[:retold])
        return Telling(self._matches, known, before, news.events[retold:], news.version)

    def _advance(self, channel: Channel, warm: Warm, telling: Telling | None) -> None:
        was = channel.warm.match
        channel.know(warm)
        self._wake(channel)
        self._tell(channel.id, telling)
        if warm.match.chairs != was.chairs and channel.id in self._channels:
            self._announce(channel)
        self._hand_over_in_time()

    def _wake(self, channel: Channel) -> None:
        self._ask_again([one for one in channel.waiters if one.follow.version < channel.version])

    def _ask_again(self, waiters: Sequence[Waiter]) -> None:
        if waiters:
            self._parcels.append(Parcel(waiters))
        for one in waiters:
            self._leave(one)

    def _tell(self, match_id: str, telling: Telling | None = None) -> None:
        """Tells all who are not up to date, those alike together. What is not in hand is read."""
        self._behind.discard(match_id)
        channel = self._channels.get(match_id)
        if channel is None:
            return
        self._fold(channel)
        tellings = {telling.span: telling} if telling is not None else {}
        for ((seat, views, _), since, visible), streams in self._alike(channel).items():
            found = tellings.get((since, visible))
            if found is None:
                events = self._matches.store.read(match_id, since, min(visible, since + PAGE))
                if not events:
                    log.error("the log of match %s ends at version %d instead of %d", match_id, since, visible)
                    self._dismiss(channel, "unavailable")
                    return
                before = self._before(streams[0], since)
                found = tellings[since, visible] = Telling(self._matches, channel.warm, before, events, visible)
            if found.match.version < visible:
                self._behind.add(match_id)
            self._put(streams, found.to(seat, views), found.match)

    def _before(self, stream: Stream, since: int) -> Match | None:
        """The match as a reader knows it."""
        if since == 0 or (stream.match is not None and stream.match.version == since):
            return stream.match
        return self._matches.at_version(stream.follow.match_id, since)

    def _alike(self, channel: Channel) -> dict[tuple[Place, int, int], list[Stream]]:
        """All who have something to be told: from where they look, from which version on, and up to which."""
        found: dict[tuple[Place, int, int], list[Stream]] = collections.defaultdict(list)
        seen: dict[bool, int] = {}  # what those see who see it late, and the others: asked for once, however many watch
        for stream, place in self._guests(channel):
            player = stream.follow.who.player
            late = match.watches_late(channel.warm.match, player)
            if late not in seen:
                seen[late] = self._matches.visible(channel.warm.match, player)
            if stream.version is not None and stream.version < seen[late]:
                found[place, stream.version, seen[late]].append(stream)
        return found

    def _put(self, streams: Sequence[Stream], told: Sequence[Told], now: Match) -> None:
        """Sends these messages to all of these, who have one place, and the end after them if the match is over."""
        over = now.status == "over"
        self._parcel(streams, [*told, self._matches.the_end(now)] if over else told, last=over)
        for stream in streams:
            stream.match, stream.version = now, now.version
            if over:
                self._leave(stream)

    def _parcel(self, streams: Sequence[Stream], told: Sequence[Told], *, last: bool = False) -> None:
        if told:
            raw = in_one(streams[0].follow.form, told)
            self._parcels.append(Parcel(streams, raw, last, told[-1].version))

    # ── Who may still see it ──

    def _guests(self, channel: Channel) -> Iterator[tuple[Stream, Place]]:
        """Those who have been told all that is past, and may still see the match, with the place they look from."""
        for stream in list(channel.streams):
            if stream.pages is None and stream.version is not None:
                place = channel.places.get(stream)
                if place is None and self._admitted(channel, stream):
                    place = channel.places[stream] = channel.place(stream)
                if place is not None:
                    yield stream, place

    def _admitted(self, channel: Channel, stream: Stream) -> bool:
        try:
            self._matches.let_in(channel.warm.match, stream.follow.who.player, stream.follow.watches)
        except (LacksScope, NotFound):
            self._end(stream, "not_yours")
            return False
        return True

    def _dismiss(self, channel: Channel, reason: str) -> None:
        for stream in list(channel.streams):
            self._end(stream, reason)
        self._ask_again(list(channel.waiters))

    def _tick(self, number: int) -> None:
        if not self._channels:
            return
        quiet = [match_id for match_id, channel in self._channels.items() if not channel.stirred]
        self._heads = self._tidings.heads(quiet) if quiet else {}
        for match_id, channel in list(self._channels.items()):
            channel.stirred = False
            if self._heads.get(match_id, channel.version) < channel.version:
                log.error("the log of %s is shorter than it was, as after a restore", match_id)
                self._matches.forget(match_id)
                self._dismiss(channel, "unavailable")
            elif channel.abreast is None and any((one.version or 0) < channel.version for one in channel.streams):
                self._behind.add(match_id)
            if channel.thinned and match_id in self._channels:
                self._announce(channel)
            self._ask_again([one for one in channel.waiters if one.follow.behind])
        if number % TOKENS_EVERY == 0:
            self._check_tokens()

    def _check_tokens(self) -> None:
        """Streams end; a request that waits is asked again, and refused as any other."""
        everybody: list[Stream | Waiter] = []
        for channel in self._channels.values():
            everybody += [*channel.streams, *channel.waiters]
        good = self._players.good({token for one in everybody if (token := one.follow.who.token) is not None})
        gone = [one for one in everybody if one.follow.who.token is not None and one.follow.who.token not in good]
        for one in gone:
            if isinstance(one, Stream):
                self._end(one, "token")
        self._ask_again([one for one in gone if isinstance(one, Waiter)])
