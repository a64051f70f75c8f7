"""What a player hears of his matches."""

from __future__ import annotations

import uuid

from api.app import Services
from domain.match import Place
from eventstore.feed import Feed, PostgresNode
from eventstore.notices import notices
from eventstore.service import Matches

ANN, BOB = str(uuid.uuid4()), str(uuid.uuid4())


def heard(feed: Feed, player: str, after: str) -> list[tuple[str, int]]:
    return [(one.kind, one.version) for one in notices(player, feed.concerning(player, after), after)]


def test_a_player_hears_of_invitations_seats_turns_offers_and_the_end(matches: Matches, parlor: Services) -> None:
    feed = Feed([PostgresNode(parlor.database)])
    start = feed.end()
    seats = (Place("human", ANN, None, ""), Place("open", BOB, None, ""))
    m = matches.open("checkers", host=ANN, seats=seats, options={})
    assert heard(feed, ANN, start) == []
    assert heard(feed, BOB, start) == [("invited", 1)]

    matches.join(m.id, BOB, None, "", None)
    assert heard(feed, ANN, start) == [("seat_taken", 2)]
    assert heard(feed, BOB, start) == [("invited", 1)]

    matches.start(m.id, ANN, None)
    assert ("started", 3) in heard(feed, ANN, start)
    turn = [player for player in (ANN, BOB) if heard(feed, player, start)[-1][0] == "your_turn"]
    assert len(turn) == 1

    before = feed.end()
    matches.draw(m.id, ANN, "offer", None)
    assert ("draw_offered", 4) in heard(feed, BOB, before)
    assert all(kind != "draw_offered" for kind, _ in heard(feed, ANN, before))

    matches.resign(m.id, BOB, None)
    assert heard(feed, ANN, before)[-1][0] == "ended"
    assert "your_turn" not in [kind for kind, _ in heard(feed, ANN, start) + heard(feed, BOB, start)]


def test_two_notices_of_one_event_are_both_repeated_if_only_the_first_was_heard(
    matches: Matches, parlor: Services
) -> None:
    feed = Feed([PostgresNode(parlor.database)])
    start = feed.end()
    seats = (Place("human", ANN, None, ""), Place("human", BOB, None, ""))
    m = matches.open("checkers", host=ANN, seats=seats, options={})
    matches.start(m.id, ANN, None)
    first = [list(notices(player, feed.concerning(player, start), start)) for player in (ANN, BOB)]
    told = next(told for told in first if told[-1].kind == "your_turn" and told[-2].version == told[-1].version)
    player = ANN if told is first[0] else BOB
    again = list(notices(player, feed.concerning(player, told[-2].position), told[-2].position))
    assert [one.kind for one in again] == ["started", "your_turn"]
    assert not feed.concerning(player, told[-1].position)
