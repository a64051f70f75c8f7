"""Grafto by rule of thumb: bid all or nothing, take tricks cheaply, and stop those who bid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.game import NEVER, Seat, Thumbs
from domain.games.grafto.events import Graft, HandScored, HandThrownIn, PassBid
from domain.games.grafto.game import CARDS_EACH, ENOUGH_TRICKS, HIGHEST_BID, STRENGTH, Table
from domain.kit.cards import FULL_PACK, SUITS, Card

# How hard a card is to beat, whatever is led: trumps above all, the others by their numbers.
MIGHT: Final = {suit: {card: STRENGTH[suit].get(card, card.number) for card in FULL_PACK} for suit in SUITS}
TRICK: Final = 1000  # what a trick is worth, where it is wanted
LITTLE: Final = 100


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
BID_FROM: Final = 300


def power(hand: Sequence[Card], trump: str) -> int:
    ranks = STRENGTH[trump]
    return sum(TRUMP_POWER[100 - ranks[card]] if card in ranks else PLAIN_POWER.get(card.number, 0) for card in hand)


def _speeches(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    """A bid pays as much as it costs, so it is worth all or nothing: and fifteen leaves nobody else a word."""
    bold = 1 if power(view["hand"], view["trump"]) >= BID_FROM else -1
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
    trump, trick, hand, seat, counts = view["trump"], view["trick"], view["hand"], view["turn"], view["hand_counts"]
    might = MIGHT[trump]
    lying = [play["card"] for play in trick]
    seen = {*hand, *view["played"], *lying, *_out_of_play(view)}
    unseen = [card for card in FULL_PACK if card not in seen]
    behind = len(counts) - 1 - len(lying)
    held = sum(counts[(seat + 1 + n) % len(counts)] for n in range(behind))
    total = max(1, len(unseen))
    away = max(0, total - held)
    trumps = sorted(might[card] for card in unseen if might[card] > 50)
    led, best = ("", 0)
    wanted = TRICK
    if lying:
        led = trump if might[lying[0]] > 50 else lying[0].suit
        best = max(might[card] for card in lying if might[card] > 50 or card.suit == led)
        wanted = _wanted(
            view,
            seat,
            next(
                play["seat"]
                for play in trick
                if might[play["card"]] == best and (best > 50 or play["card"].suit == led)
            ),
            behind,
        )
    found = []
    for command in commands:
        card: Card = command.card
        own = might[card]
        if own <= best or (led and own < 50 and card.suit != led):
            found.append(-_keep(own))
            continue
        above = sum(other > own for other in trumps)
        if own < 50:
            above += sum(other.number > own and other.suit == card.suit and might[other] < 50 for other in unseen)
        chance = TRICK * away**above // total**above
        found.append(wanted * chance // TRICK - _keep(own))
    return found


def _keep(own: int) -> int:
    """What a card may still be good for."""
    return 20 * (own - 80) if own > 50 else 3 * own


def _wanted(view: Mapping[str, Any], seat: Seat, winning: Seat, behind: int) -> int:
    """What it is worth to take this trick from the seat that has it so far. A seat that has not bid is content if any
    other that has not bid takes it: what counts is that no bidder comes to four."""
    bids, tricks = view["bids"], view["trick_counts"]
    left = CARDS_EACH - sum(tricks)
    if _hopes(bids, tricks, left, seat) or _hopes(bids, tricks, left, winning):
        return TRICK
    seats = len(bids)
    if any(_hopes(bids, tricks, left, (seat + n) % seats) for n in range(1, behind + 1)):
        return TRICK // 2
    return LITTLE


def _hopes(bids: Sequence[int | None], tricks: Sequence[int], left: int, seat: Seat) -> bool:
    return bool(bids[seat]) and tricks[seat] + left >= ENOUGH_TRICKS


def _out_of_play(view: Mapping[str, Any]) -> tuple[Card, ...]:
    """The card turned up, where nobody took it; and the Five, where it was put out."""
    graft = view["graft"]
    if graft is None:
        return (view["turned"],)
    return () if graft["discard"] is None else (graft["discard"],)


def worth(s: Table) -> Sequence[int]:
    return s.totals


THUMBS = Thumbs(rate, worth, ends=(HandScored, HandThrownIn))
