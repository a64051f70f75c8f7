"""What a seat could imagine of Nix: another history of the hand in which it would have seen the same.

A deal and the cards that were drawn blind make a history, and all that fit are equally likely. They are told backwards:
the cards that lie hidden now are dealt anew, and at every draw that the seat did not see the drawer gives back one of
its cards. Two things bind that choice. A wanted card stays where it is until it is played; and the cards that the seat
has lost to its left, which `paths` follows, were with whoever drew them at the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from domain.game import Seat
from domain.games.nix.events import Cards
from domain.games.nix.game import Move, Table, in_order
from domain.games.nix.paths import (
    NOWHERE,
    Blind,
    Found,
    Happening,
    Lost,
    Place,
    Script,
    Shrunk,
    Wanted,
    counted,
    drawn_back,
    sampled,
)
from domain.kit.trixcards import TrixCard
from domain.kit.turns import NOBODY
from domain.kit.unseen import Below, shuffled

T = TypeVar("T")
Followed = int  # a card that the seat has lost and that is still hidden, until it is settled which
Item = TrixCard | Followed


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    if not s.playing:
        return s
    seen = as_seen(s, seat)
    places = drawn_back(counted(seen.script) or sampled(seen.script, below), below)
    history = told_backwards(seen, hidden_now(s, seat, seen, places[-1], below), places, below)
    # In which order the cards of the others were dealt is anybody's guess.
    dealt = [tuple(shuffled(hand, below)) for hand in history.dealt]
    dealt[seat] = s.dealt[seat]
    return replayed(s, seen, tuple(dealt), history.moves)


# ── What the seat has seen ──────────────────────────────────────────────────────────────────────────────────────


class Seen(NamedTuple):
    seat: Seat
    moves: tuple[Move, ...]  # of a blind one the card is not looked at
    wanted: Sequence[TrixCard]  # at each move, and now
    wanted_at: Seat  # who has the card that is wanted now, where the seat knows it
    script: Script
    blind: Mapping[int, int]  # the moves that the seat did not see, by their happenings
    lost: Mapping[int, TrixCard]  # the moves in which it lost a card that is still hidden


def as_seen(s: Table, seat: Seat) -> Seen:
    wanted, since = wanted_so_far(s)
    holders = known_holders(s)
    starts = set(since.values())
    regained = {move.card: n for n, move in enumerate(s.moves) if move.seat == seat and move.victim is not None}
    followed: list[TrixCard] = []
    happenings: list[Happening] = []
    blind: dict[int, int] = {}
    lost: dict[int, TrixCard] = {}
    sizes = [len(hand) for hand in s.dealt]
    for n, card in enumerate(wanted):
        if n in starts:
            if card in followed:
                known = card in holders
                index = followed.index(card)
                happenings.append(Found(index, holders[card]) if known else Wanted(suspects(s, seat, n), index))
                del followed[index]
            elif card not in holders and card not in s.hands[seat]:
                happenings.append(Wanted(suspects(s, seat, n), None))
        if n == len(s.moves):
            break
        drawer, victim, drawn = s.moves[n]
        sizes[drawer] += -1 if victim is None else 1
        if victim is None:
            if sizes[drawer] <= len(followed) + len(lost):
                happenings.append(Shrunk(drawer, sizes[drawer]))
            continue
        sizes[victim] -= 1
        if drawn == card:
            continue  # it fits, so that all have seen it
        if victim == seat:
            will_be_found = drawn in since or regained.get(drawn, 0) > n
            happenings.append(Lost(drawer, will_be_found))
            if will_be_found:
                followed.append(drawn)
            else:
                lost[n] = drawn
        elif drawer != seat:
            blind[n] = len(happenings)
            holder = holders.get(card, NOWHERE)
            happenings.append(Blind(drawer, victim, sizes[drawer], sizes[victim], holder, tuple(followed)))
        else:
            if drawn in followed:
                happenings.append(Found(followed.index(drawn), victim))
                followed.remove(drawn)
            if sizes[victim] <= len(followed) + len(lost):
                happenings.append(Shrunk(victim, sizes[victim]))
    wanted_at = (s.turn if s.drew_wanted else holders[s.wanted]) if s.wanted in holders else NOWHERE
    unknown = [len(hand) - (other == wanted_at) if other != seat else 0 for other, hand in enumerate(s.hands)]
    return Seen(seat, s.moves, wanted, wanted_at, Script(tuple(happenings), tuple(unknown)), blind, lost)


def wanted_so_far(s: Table) -> tuple[list[TrixCard], dict[TrixCard, int]]:
    """Which card was wanted at each move, and is now; and at which move each of them came to be wanted."""
    assert s.wanted is not None
    since, start = {}, 0
    wanted: list[TrixCard] = []
    for n, move in enumerate(s.moves):
        if move.victim is None:
            wanted += [move.card] * (n + 1 - start)
            since[move.card], start = start, n + 1
    since[s.wanted] = start
    return wanted + [s.wanted] * (len(s.moves) + 1 - start), since


def known_holders(s: Table) -> dict[TrixCard, Seat]:
    """Who had a card when it came to be wanted, where that is known by now. It stayed there until it was played, or
    until a draw that fitted."""
    assert s.wanted is not None
    holders: dict[TrixCard, Seat] = {}
    for n, move in enumerate(s.moves):
        if move.victim is None:
            last = s.moves[n - 1] if n else move
            holders[move.card] = move.seat if last.victim is None or last.card != move.card else last.victim
    if s.drew_wanted and s.moves[-1].victim is not None:
        holders[s.wanted] = s.moves[-1].victim
    elif not holders:  # nothing has been played yet, and all know who leads
        holders[s.wanted] = s.moves[0].seat if s.moves else s.turn
    return holders


def suspects(s: Table, seat: Seat, since: int) -> tuple[Seat, ...]:
    """Who may have the card that has been wanted since this move. A seat that draws does not have it, or holds it back
    where the table allows that, and it can do so only once."""
    draws = Counter(move.seat for move in s.moves[since:])
    return tuple(other for other in range(s.seats) if other != seat and draws[other] <= s.options.may_hold_back)


# ── The history backwards ───────────────────────────────────────────────────────────────────────────────────────


def hidden_now(s: Table, seat: Seat, seen: Seen, place: Place, below: Below) -> list[list[Item]]:
    """The hands as they may be now: where the followed cards are is known, the others are dealt anew."""
    hidden, _, wanted = place
    apart = {*seen.lost.values(), s.wanted}
    others = [card for other, hand in enumerate(s.hands) if other != seat for card in hand if card not in apart]
    rest = shuffled(in_order(others), below)
    hands: list[list[Item]] = []
    for other, hand in enumerate(s.hands):
        if other == seat:
            hands.append([*hand])
            continue
        first = sum(hidden[:other])
        items: list[Item] = [*range(first, first + hidden[other])]
        if s.wanted is not None and other in (wanted, seen.wanted_at):
            items.append(s.wanted)
        while len(items) < len(hand):
            items.append(rest.pop())
        hands.append(items)
    return hands


class History(NamedTuple):
    dealt: Sequence[Cards]
    moves: tuple[Move, ...]


def told_backwards(seen: Seen, hands: list[list[Item]], places: Sequence[Place], below: Below) -> History:
    """The cards go back to where they came from, until they lie as they were dealt."""
    moved: list[Item] = [move.card for move in seen.moves]
    names: dict[Followed, TrixCard] = {}
    for n in range(len(seen.moves) - 1, -1, -1):
        drawer, victim, card = seen.moves[n]
        if victim is None:
            hands[drawer].append(card)
        elif n in seen.blind:
            item = moved[n] = given_back(seen, n, hands[drawer], places, below)
            hands[drawer].remove(item)
            hands[victim].append(item)
        elif n in seen.lost:
            which = _one_of(_followed(hands[drawer]), below)
            names[which] = card
            hands[drawer].remove(which)
            hands[victim].append(card)
        else:
            hands[drawer].remove(card)
            hands[victim].append(card)

    def named(item: Item) -> TrixCard:
        return names[item] if isinstance(item, Followed) else item

    moves = [move._replace(card=named(item)) for move, item in zip(seen.moves, moved, strict=True)]
    return History([in_order(map(named, hand)) for hand in hands], tuple(moves))


def given_back(seen: Seen, n: int, hand: Sequence[Item], places: Sequence[Place], below: Below) -> Item:
    """Which card was drawn in a move that the seat did not see."""
    at = seen.blind[n]
    what = seen.script.happenings[at]
    assert isinstance(what, Blind)
    (hidden, found, _), (hidden_then, found_then, _) = places[at], places[at + 1]
    if hidden != hidden_then:
        return _one_of(_followed(hand), below)
    for card, seat, then in zip(what.followed, found, found_then, strict=True):
        if seat != then:
            return card
    marked = {*what.followed, seen.wanted[n]}
    return _one_of([item for item in hand if not isinstance(item, Followed) and item not in marked], below)


def _followed(hand: Sequence[Item]) -> list[Followed]:
    return [item for item in hand if isinstance(item, Followed)]


def _one_of(items: Sequence[T], below: Below) -> T:
    return items[below(len(items))]


# ── The table after that history ────────────────────────────────────────────────────────────────────────────────


def replayed(s: Table, seen: Seen, dealt: tuple[Cards, ...], moves: tuple[Move, ...]) -> Table:
    hands = [list(hand) for hand in dealt]
    held_back = NOBODY
    for (drawer, victim, card), wanted in zip(moves, seen.wanted, strict=False):
        if victim is None:
            hands[drawer].remove(card)
            held_back = NOBODY
            continue
        if wanted in hands[drawer]:
            held_back |= {drawer}
        hands[victim].remove(card)
        hands[drawer].append(card)
    return s._replace(hands=tuple(map(tuple, hands)), held_back=held_back, dealt=dealt, moves=moves)
