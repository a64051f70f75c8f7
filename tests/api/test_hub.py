"""The hub is woken by what it is told, and does not have to wait until it looks by itself."""

from __future__ import annotations

import queue

import pytest

from api.app import Services
from api.gate import crier, hub
from api.gate.crier import Crier
from api.gate.follow import Asker, Follow, Listen
from api.gate.hub import Hub
from api.gate.parcels import Listener, Parcel, Stream
from api.messages import SSE
from domain.match import Place
from eventstore.players import Caller, hash_of
from eventstore.service import Matches
from eventstore.tidings import Tidings
from workers.bell import Move

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def never_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "TICK", 3600.0)
    monkeypatch.setattr(crier, "TICK", 3600.0)


@pytest.fixture
def ann(parlor: Services) -> Caller:
    player, token = parlor.players.sign_up("Ann")
    return Caller(player["id"], "Ann", frozenset({"match:read"}), hash_of(token), "")


def asks(who: Caller) -> Asker:
    return Asker(who.player_id, who.token_hash, who.player_id)


def opened(matches: Matches, ann: Caller) -> str:
    seats = [Place("human", ann.player_id, None, ""), Place("bot", None, "random", "")]
    return matches.open("checkers", host=ann.player_id, seats=seats, options={}).id


def said(parcels: queue.SimpleQueue[list[Parcel]], word: bytes) -> None:
    while not any(word in parcel.raw for parcel in parcels.get(timeout=PATIENCE)):
        pass


@pytest.mark.parametrize("by", ["a commit here", "word from elsewhere"])
def test_streams_are_woken(parlor: Services, matches: Matches, ann: Caller, by: str) -> None:
    sent: queue.SimpleQueue[list[Parcel]] = queue.SimpleQueue()
    made = Hub(matches, parlor.players, Tidings(parlor.database))
    made.start(sent.put)
    match = opened(matches, ann)
    made.join(Stream(Follow(asks(ann), match, True, SSE, None)))
    said(sent, b"event: view")
    if by == "a commit here":
        matches.moved = made.moved
        matches.start(match, ann.player_id, ann.token_hash)
    else:
        begun = Matches(parlor.matches.store).start(match, ann.player_id, ann.token_hash)
        made.heard({match: Move(begun.match.version, [ann.player_id])})
    said(sent, b'"type":"match_started"')


def test_players_are_told_when_word_comes_from_elsewhere(parlor: Services, matches: Matches, ann: Caller) -> None:
    sent: queue.SimpleQueue[list[Parcel]] = queue.SimpleQueue()
    made = Crier(parlor.feed, parlor.players, Tidings(parlor.database))
    made.start(sent.put)
    match = opened(matches, ann)
    made.join(Listener(Listen(asks(ann), ann.player_id, ann.token_hash, SSE, None)))
    said(sent, b"event: hello")
    begun = matches.start(match, ann.player_id, ann.token_hash)
    made.heard({match: Move(begun.match.version, [ann.player_id])})
    said(sent, b"event: started")
