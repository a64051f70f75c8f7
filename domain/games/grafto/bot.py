"""Grafto by rule of thumb: bid all or nothing, take tricks cheaply, and stop those who bid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Seat, Thumbs
from domain.games.grafto.events import Bids, Command, Graft, HandScored, HandThrownIn, PassBid
from domain.games.grafto.game import FIVE, HIGHEST_BID, STRENGTH, Table, decide, eldest, evolve
from domain.games.grafto.playing import PACK, PLACE, Standing, as_bits, rated, so_far, to_the_end
from domain.kit.cards import FULL_PACK, SUITS, Card
from domain.kit.turns import left_of

# How hard a card is to beat, whatever is led: trumps above all, the others by their numbers.
MIGHT: Final = {suit: {card: STRENGTH[suit].get(card, card.number) for card in FULL_PACK} for suit in SUITS}


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    match view["phase"]:
        case "playing":
            return _plays(view, commands)
        case "bidding":
            return _speeches(view, commands)
        case _:
            # The Five is the best card there is; for it the weakest is given.
            might = MIGHT[view["trump"]]
            return [-might[command.discard] if isinstance(command, Graft) else -1000 for command in commands]


# ── Bidding ─────────────────────────────────────────────────────────────────────────────────────────────────────

# What each trump adds to the hand, in hundredths of a trick, from the best one down; and each high plain card.
TRUMP_POWER: Final = (160, 130, 106, 103, 100, 96, 92, 90, 85, 82, 76, 73, 66, 60)
PLAIN_POWER: Final = {13: 40, 12: 16, 11: 16}
# The power from which a hand bids, by the number of seats: the more there are, the fewer tricks a trump takes. Most
# often the dealer speaks because all others have passed.
BID_FROM: Final = {3: 285, 4: 300, 5: 325, 6: 350, 7: 370}
LESS_AS_DEALER: Final = 50


def power(hand: Sequence[Card], trump: str) -> int:
    ranks = STRENGTH[trump]
    return sum(TRUMP_POWER[100 - ranks[card]] if card in ranks else PLAIN_POWER.get(card.number, 0) for card in hand)


def bids(hand: Sequence[Card], trump: str, seats: int, deals: bool) -> bool:
    return power(hand, trump) >= BID_FROM[seats] - (LESS_AS_DEALER if deals else 0)


def _speeches(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    """A bid pays as much as it costs, so it is worth all or nothing: and fifteen leaves nobody else a word."""
    bold = 1 if bids(view["hand"], view["trump"], len(view["bids"]), view["turn"] == view["dealer"]) else -1
    lowest = view["highest_bid"] + 1
    return [
        0
        if isinstance(command, PassBid)
        else bold * command.points
        if command.points in (lowest, HIGHEST_BID)
        else NEVER
        for command in commands
    ]


# ── Playing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _plays(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    trump, hand, seat = view["trump"], as_bits(view["hand"], view["trump"]), view["turn"]
    trick = [(play["seat"], PLACE[trump][play["card"]]) for play in view["trick"]]
    gone = as_bits({*view["played"], *(play["card"] for play in view["trick"]), *_out_of_play(view)}, trump)
    led, best, winning = so_far(trick)
    return rated(
        [PLACE[trump][command.card] for command in commands],
        hand,
        PACK[trump] & ~hand & ~gone,
        led,
        best,
        Standing(view["bids"], view["trick_counts"]),
        seat,
        winning,
        len(view["bids"]) - 1 - len(trick),
    )


def _out_of_play(view: Mapping[str, Any]) -> tuple[Card, ...]:
    """The card turned up and the Five, where nobody took either; else what was put out, if this seat knows it."""
    graft = view["graft"]
    if graft is None:
        return view["turned"], FIVE[view["trump"]]
    return () if graft["discard"] is None else (graft["discard"],)


def worth(s: Table) -> Sequence[int]:
    return s.totals


# ── A playout ───────────────────────────────────────────────────────────────────────────────────────────────────


def played_out(s: Table, seat: Seat, command: Command, below: Callable[[int], int]) -> Sequence[int] | None:
    """What the general playout finds, in a fraction of its time: no table is made for every card. A second graft is
    left to that."""
    for event in decide(s, seat, command):
        s = evolve(s, event)
        if isinstance(event, ENDS):
            return s.totals
    match s.phase:
        case "playing":
            return to_the_end(s, below)
        case "bidding":
            spoken = _spoken(s)
            return to_the_end(s._replace(bids=spoken, turn=eldest(s)), below) if any(spoken) else s.totals
        case _:
            return None


def _spoken(s: Table) -> Bids:
    found = list(s.bids)
    seat = s.turn
    while found[seat] is None:
        deals = seat == s.dealer
        if bids(s.hands[seat], s.trump, s.seats, deals):
            found[seat] = HIGHEST_BID
            break
        found[seat] = 1 if deals and s.options.dealer_must_bid and not any(found) else 0
        seat = left_of(seat, s.seats)
    return tuple(found)


ENDS: Final = (HandScored, HandThrownIn)
THUMBS = Thumbs(rate, worth, ENDS, played_out=played_out)
