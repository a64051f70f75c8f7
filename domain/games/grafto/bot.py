"""Grafto by rule of thumb: bid all or nothing, take tricks cheaply, and stop those who bid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Thumbs
from domain.games.grafto.events import Graft, HandScored, HandThrownIn, PassBid
from domain.games.grafto.game import FIVE, HIGHEST_BID, STRENGTH, Table
from domain.games.grafto.playing import PACK, PLACE, Standing, as_bits, rated, rest, so_far
from domain.kit.cards import FULL_PACK, SUITS, Card

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


def _speeches(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    """A bid pays as much as it costs, so it is worth all or nothing: and fifteen leaves nobody else a word."""
    needed = BID_FROM[len(view["bids"])] - (LESS_AS_DEALER if view["turn"] == view["dealer"] else 0)
    bold = 1 if power(view["hand"], view["trump"]) >= needed else -1
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


THUMBS = Thumbs(rate, worth, ends=(HandScored, HandThrownIn), rest=rest)
