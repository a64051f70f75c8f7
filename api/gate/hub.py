"""The hub of one process: a thread that knows who follows which match, and tells each what is new in it.

However many follow a match, what is new is read once, told once for each seat, and written once for each form. It comes
from commits of this process and of its siblings, which bring the events along. Redis tells when there is something to
read that other servers have appended, and once a second the database itself is asked. All of the hub's state belongs to
its thread; others put what they want into its inbox.
"""

from __future__ import annotations

import collections
import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from api.commands import with_board
from api.gate.parcels import Pages, Parcel, Stream, Waiter
from api.gate.siblings import Family, Message, Sibling, Told, opened, read
from api.messages import Form, bye, packed, written
from domain import match
from domain.game import Seat
from domain.match import Match
from eventstore import following
from eventstore.chain import Stored
from eventstore.errors import CorruptStream, StoreError, Unavailable
from eventstore.following import PAGE, Happened
from eventstore.permissions import admit
from eventstore.players import Players
from eventstore.service import Matches
from eventstore.states import News, Warm
from eventstore.tidings import Tidings
from workers.bell import Move

log = logging.getLogger("parlor.hub")

TICK: Final = 1.0  # seconds between two looks at the heads of all matches that are followed
TOKENS_EVERY: Final = 2  # ticks between two looks at the tokens of those who follow
BREATH: Final = 0.015  # seconds between two rounds, in which more can come together


class Channel:
    """A match that somebody follows, as it is known here."""

    def __init__(self, warm: Warm) -> None:
        self.warm = warm
        self.heard = warm.match.version + 1  # the newest version that was spoken of; at first it may be any
        self.streams: dict[Stream, None] = {}
        self.waiters: dict[Waiter, None] = {}

    @property
    def version(self) -> int:
        return self.warm.match.version

    def goes_on_with(self, news: News) -> bool:
        return news.events[0].version == self.version + 1 and news.before == self.warm.hash


class Hub:
    def __init__(self, matches: Matches, players: Players, tidings: Tidings, sibling: Sibling | None = None) -> None:
        self._matches, self._players, self._tidings = matches, players, tidings
        self._sibling = sibling or Sibling(Family(1), 0)
        self._inbox: queue.SimpleQueue[tuple[Any, ...]] = queue.SimpleQueue()
        self._channels: dict[str, Channel] = {}
        self._unread: set[str] = set()  # matches in which there is said to be more than is known
        self._behind: set[str] = set()  # matches in which somebody has more to be told
        self._parcels: list[Parcel] = []
        self._handed_over = 0.0
        self._send: Callable[[list[Parcel]], None] = lambda parcels: None
        self._late = ThreadPoolExecutor(1, "late")  # what is past is read aside, and delays nobody who is up to date

    def start(self, send: Callable[[list[Parcel]], None]) -> None:
        self._send = send
        threading.Thread(target=self._run, name="hub", daemon=True).start()
        self._sibling.start(lambda raw: self._inbox.put((self._take_over, raw)))

    # ── What others put in ──

    def moved(self, warm: Warm, news: News) -> None:
        """A commit of this process. It costs a look into a table or two where nobody follows the match."""
        if warm.match.id in self._channels or self._sibling.followed_elsewhere(warm.match.id):
            self._inbox.put((self._commit, warm, news))

    def heard(self, moves: Mapping[str, Move]) -> None:
        """What was said of other servers. Whoever says it, only what the database has is told."""
        followed = {its_id: move.version for its_id, move in moves.items() if its_id in self._channels}
        if followed:
            self._inbox.put((self._hear, followed))

    def join(self, one: Stream | Waiter) -> None:
        self._inbox.put((self._join, one))

    def more(self, stream: Stream) -> None:
        """The reader has taken what there was."""
        self._inbox.put((self._turn_page, stream))

    def leave(self, one: Stream | Waiter) -> None:
        self._inbox.put((self._leave, one))

    # ── The thread ──

    def _run(self) -> None:
        ticks, tick_at = itertools.count(1), time.monotonic() + TICK
        while True:
            self._take_in(tick_at)
            if time.monotonic() >= tick_at:
                tick_at = time.monotonic() + TICK
                self._safely(self._tick, next(ticks))
            self._safely(self._read_news)
            for match_id in list(self._behind):
                self._safely(self._tell, match_id, (), {})
            self._hand_over()
            if self._inbox.empty():
                time.sleep(BREATH)

    def _hand_over(self) -> None:
        if self._parcels:
            parcels, self._parcels = self._parcels, []
            self._send(parcels)
            self._handed_over = time.monotonic()
        self._sibling.send()

    def _take_in(self, until: float) -> None:
        """All that lies in the inbox; waits for something until a time, if nothing does."""
        patience = 0.0 if self._behind else max(0.0, until - time.monotonic())
        try:
            act, *rest = self._inbox.get(timeout=patience) if patience else self._inbox.get_nowait()
            while True:
                self._safely(act, *rest)
                act, *rest = self._inbox.get_nowait()
        except queue.Empty:
            pass

    @staticmethod
    def _safely(act: Callable[..., None], *rest: Any) -> None:
        """Whatever is wrong with one match or one moment, the others are served."""
        try:
            act(*rest)
        except Unavailable as error:
            log.warning("streams wait: %s", error)
            time.sleep(TICK / 4)
        except Exception:
            log.exception("the hub failed")

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
        channel.streams[stream] = None
        if not self._admitted(channel, stream):
            return
        warm = channel.warm
        visible, seat = self._matches.visible(warm.match, follow.who.player), self._seat(channel, stream)
        if follow.after is None:
            shown = warm.match if visible == channel.version else self._matches.at_version(follow.match_id, visible)
            self._put([stream], [_message(self._matches.as_it_stands(warm, shown, seat))], shown)
        elif follow.after == visible == channel.version:
            self._put([stream], [], warm.match)
        else:
            stream.pages = self._matches.pages(warm, follow.after, seat, visible, view=follow.views)
            self._turn_page(stream)

    def _channel(self, match_id: str) -> Channel:
        channel = self._channels.get(match_id)
        if channel is None:
            self._sibling.follow(match_id)  # before it is read, so that nothing falls between the two
            try:
                warm = self._matches.known(match_id) or self._matches.fresh(match_id)
            except BaseException:
                self._sibling.follow_no_more(match_id)
                raise
            channel = self._channels[match_id] = Channel(warm)
            self._unread.add(match_id)
        return channel

    def _leave(self, one: Stream | Waiter) -> None:
        match_id = one.follow.match_id
        channel = self._channels.get(match_id)
        if isinstance(one, Stream):
            one.gone = True
        if channel is None:
            return
        if isinstance(one, Stream):
            channel.streams.pop(one, None)
        else:
            channel.waiters.pop(one, None)
        if not channel.streams and not channel.waiters:
            del self._channels[match_id]
            self._sibling.follow_no_more(match_id)
            self._behind.discard(match_id)
            self._unread.discard(match_id)

    def _end(self, stream: Stream, reason: str) -> None:
        self._parcels.append(Parcel(stream, bye(stream.follow.form, reason, stream.told), upto=stream.told))
        self._leave(stream)

    # ── What is past ──

    def _turn_page(self, stream: Stream) -> None:
        if stream.pages is not None and not stream.gone:
            self._late.submit(self._next_page, stream, stream.pages)

    def _next_page(self, stream: Stream, pages: Pages) -> None:
        page: tuple[list[following.Told], Match | None] | None
        try:
            page = next(pages, None)
        except Exception as error:
            log.warning("what is past cannot be told: %s", error)
            self._inbox.put((self._end, stream, "unavailable"))
            return
        self._inbox.put((self._told_page, stream, page))

    def _told_page(self, stream: Stream, page: tuple[list[following.Told], Match | None] | None) -> None:
        if stream.gone:
            return
        if page is None:
            stream.pages = None
            assert stream.match is not None
            self._behind.add(stream.follow.match_id)
            self._put([stream], [], stream.match)
            return
        told, now = page
        stream.match = now
        if told:
            self._put([stream], list(map(_message, told)), None)
        else:
            self._turn_page(stream)

    # ── What is new ──

    def _commit(self, warm: Warm, news: News) -> None:
        told: Told = {}
        channel = self._channels.get(warm.match.id)
        if channel is not None:
            if channel.goes_on_with(news):
                self._advance(channel, warm, news.events, told)
            else:
                self._mention(channel, news.version)
        self._sibling.pass_on(warm.match.id, news, told)

    def _take_over(self, raw: bytes) -> None:
        """What a sibling has appended, and perhaps told already."""
        for one in opened(raw):
            if (channel := self._channels.get(one.match_id)) is None:
                continue
            self._mention(channel, one.version)
            if one.news is not None and channel.goes_on_with(news := read(one.news)):
                self._safely(self._go_on, channel, news, one.told)

    def _go_on(self, channel: Channel, news: News, told: Told) -> None:
        self._advance(channel, self._matches.caught_up(channel.warm, news), news.events, told)

    def _hear(self, versions: dict[str, int]) -> None:
        for match_id, version in versions.items():
            if (channel := self._channels.get(match_id)) is not None:
                self._mention(channel, version)

    def _mention(self, channel: Channel, version: int) -> None:
        """There is said to be this version of a match."""
        if version > channel.heard:
            channel.heard = version
        if channel.heard > channel.version:
            self._unread.add(channel.warm.match.id)

    def _read_news(self) -> None:
        """All that is said to be new, in one statement."""
        known = {its_id: one.version for its_id in self._unread if (one := self._channels[its_id]).heard > one.version}
        found = self._tidings.since(known) if known else {}
        self._unread.clear()
        for match_id in known:
            channel = self._channels[match_id]
            news = found.get(match_id)
            if news is None or not news.events:
                channel.heard = channel.version  # there was less to it than was said
                continue
            try:
                if news.events[-1].version == news.version:
                    self._go_on(channel, news, {})
                else:
                    self._advance(channel, self._matches.fresh(match_id), (), {})
            except CorruptStream as error:
                log.error("%s", error)
                self._matches.forget(match_id)
                self._dismiss(channel, "unavailable")

    def _advance(self, channel: Channel, warm: Warm, events: Sequence[Stored], told: Told) -> None:
        channel.warm = warm
        self._wake(channel)
        self._tell(warm.match.id, events, told)
        # Where much is new in many matches, the first to be told do not wait for the last.
        if time.monotonic() - self._handed_over >= BREATH:
            self._hand_over()

    def _wake(self, channel: Channel) -> None:
        for one in [one for one in channel.waiters if one.follow.version < channel.version]:
            self._parcels.append(Parcel(one))
            self._leave(one)

    def _tell(self, match_id: str, events: Sequence[Stored], told: Told) -> None:
        """Tells all who are not up to date, those alike together. What is not among these events is read.

        What was told of these events to a seat is not told again, and is kept for others to tell.
        """
        self._behind.discard(match_id)
        channel = self._channels.get(match_id)
        if channel is None:
            return
        happened: dict[tuple[int, int], Happened] = {}
        for (seat, since, visible, views), streams in self._alike(channel).items():
            in_hand = bool(events) and events[0].version == since + 1 and events[-1].version == visible
            if in_hand and (seat, views) in told:
                self._put(streams, told[seat, views], channel.warm.match)
                continue
            if (since, visible) not in happened:
                news = events if in_hand else self._matches.store.read(match_id, since, min(visible, since + PAGE))
                if not news:
                    log.error("the log of match %s ends at version %d instead of %d", match_id, since, visible)
                    self._dismiss(channel, "unavailable")
                    return
                happened[since, visible] = self._matches.happened(channel.warm, streams[0].match, news, visible)
            what = happened[since, visible]
            if what.match.version < visible:
                self._behind.add(match_id)
            messages = list(map(_message, self._matches.told(what, seat, view=views)))
            if in_hand:
                told[seat, views] = messages
            self._put(streams, messages, what.match)

    def _alike(self, channel: Channel) -> dict[tuple[Seat | None, int, int, bool], list[Stream]]:
        """All who have something to be told: by seat, from which version on, up to which, and whether with the view."""
        found: dict[tuple[Seat | None, int, int, bool], list[Stream]] = collections.defaultdict(list)
        seen: dict[bool, int] = {}  # what those see who see it late, and the others: asked for once, however many watch
        for stream in list(channel.streams):
            if stream.pages is None and stream.match is not None and self._admitted(channel, stream):
                player = stream.follow.who.player
                late = match.watches_late(channel.warm.match, player)
                if late not in seen:
                    seen[late] = self._matches.visible(channel.warm.match, player)
                visible = seen[late]
                if stream.match.version < visible:
                    seat, views = self._seat(channel, stream), stream.follow.views
                    found[seat, stream.match.version, visible, views].append(stream)
        return found

    def _put(self, streams: Sequence[Stream], messages: Sequence[Message], now: Match | None) -> None:
        """Sends these messages to all of these, and the end after them if the match is over."""
        over = now is not None and now.status == "over"
        if now is not None and over:
            messages = [*messages, _message(self._matches.the_end(now))]
        raw: dict[Form, bytes] = {}
        for stream in streams:
            stream.match = now or stream.match
            if messages:
                form = stream.follow.form
                if form not in raw:
                    raw[form] = b"".join(written(form, *one, retry=one[0] == "view") for one in messages)
                self._parcels.append(Parcel(stream, raw[form], over, messages[-1][1]))
            if over:
                self._leave(stream)

    # ── Who may still see it ──

    @staticmethod
    def _seat(channel: Channel, stream: Stream) -> Seat | None:
        return match.seat_of(channel.warm.match, stream.follow.who.player)

    def _admitted(self, channel: Channel, stream: Stream) -> bool:
        try:
            admit(channel.warm.match, stream.follow.who.player, stream.follow.watches)
        except StoreError:
            self._end(stream, "not_yours")
            return False
        return True

    def _dismiss(self, channel: Channel, reason: str) -> None:
        for stream in list(channel.streams):
            self._end(stream, reason)
        for waiter in list(channel.waiters):
            self._parcels.append(Parcel(waiter))
            self._leave(waiter)

    def _tick(self, number: int) -> None:
        if not self._channels:
            return
        for match_id, version in self._tidings.heads(self._channels).items():
            channel = self._channels[match_id]
            self._mention(channel, version)
            if version < channel.version:
                log.error("the log of %s is shorter than it was, as after a restore", match_id)
                self._matches.forget(match_id)
                self._dismiss(channel, "unavailable")
            elif any(one.match is not None and one.match.version < channel.version for one in channel.streams):
                self._behind.add(match_id)
            for waiter in [one for one in channel.waiters if one.follow.behind]:
                self._parcels.append(Parcel(waiter))
                self._leave(waiter)
        if number % TOKENS_EVERY == 0:
            self._check_tokens()

    def _check_tokens(self) -> None:
        streams = [stream for channel in self._channels.values() for stream in channel.streams]
        good = self._players.good({token for stream in streams if (token := stream.follow.who.token) is not None})
        for stream in streams:
            if stream.follow.who.token is not None and stream.follow.who.token not in good:
                self._end(stream, "token")


def _message(told: following.Told) -> Message:
    """With the address of the board in the view, where there is one."""
    body = told.body
    return told.kind, told.version, packed(body | {"view": with_board(body["view"])} if "view" in body else body)
