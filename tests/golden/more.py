"""More golden matches: a second of every game, at another table and with another moment, and some of older editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.golden.matches import Golden

Events = list[Any]


def some(events: Events, kind: str, **wanted: Any) -> Events:
    """The events of this name whose fields have these values."""
    return [
        event
        for event in events
        if type(event).__name__ == kind and all(getattr(event, field) == value for field, value in wanted.items())
    ]


def last(events: Events, kind: str) -> Any:
    return some(events, kind)[-1]


MORE: Final[Mapping[str, Golden]] = {
    "acey-ducey.second": Golden(
        2,
        {"target": 4, "score": "men_left", "overthrow": "lost"},
        "a bonus is lost with the numbers that could not be played",
        lambda events: bool(some(events, "NumbersLost", bonus_lost=True)) or len(some(events, "NumbersLost")) > 3,
    ),
    "aviation.second": Golden(
        2,
        {"drome_size": 8, "reserve": "pile", "must_build": True, "first_dealer": 1},
        "a match of few hands in which piles of both directions are taken",
        lambda events: len({event.pile for event in some(events, "PileTaken")}) == 2 and len(events) < 900,
    ),
    "backgammon.second": Golden(
        2,
        {"target": 3, "cube": True, "triple_game": True, "bearing": "first"},
        "a double is taken, another one dropped",
        lambda events: bool(some(events, "DoubleTaken") and some(events, "DoubleDropped")),
    ),
    "baffle.second": Golden(
        3,
        {"hand_limit": 4, "baffle_per_cause": True},
        "a seat is baffled for two causes in one hand",
        lambda events: any(len(causes) > 1 for hand in some(events, "HandScored") for causes in hand.baffled),
    ),
    "check-and-double-check.second": Golden(
        5,
        {"max_seats": 5, "target": 10, "discard_mode": "manual"},
        "a seat passes instead of discarding",
        lambda events: bool(some(events, "DiscardPassed")),
    ),
    "checkers.second": Golden(
        2,
        {"games": 2, "capture_rule": "mandatory", "draw_no_progress": 30},
        "a man is crowned, and a piece takes two",
        lambda events: (
            any(e.crowned for e in some(events, "Moved")) and any(len(e.captured) > 1 for e in some(events, "Moved"))
        ),
    ),
    "crown-baseball.second": Golden(
        2,
        {"lead": "winner", "exhausted": "retire", "walk_off": True},
        "the last half ends with the play that puts its side ahead",
        lambda events: bool(some(events, "HalfEnded", reason="walk_off")),
    ),
    "flique.second": Golden(
        2,
        {"sets": True, "extend": True, "target_wins": 2},
        "a combination on the table is extended",
        lambda events: any(event.onto is not None for event in some(events, "CombinationPlaced")),
    ),
    "four-nines.second": Golden(
        3,
        {"variant": "two-dice", "third_doublet": "no_more_throws"},
        "a throw before the first entry is a gift, and a captured disc misses its first chance",
        lambda events: bool(some(events, "GiftGiven") and some(events, "EntryMissed")),
    ),
    "four-nines.edition-1": Golden(
        3,
        {},
        "two seats that have brought different numbers of discs Home share the second place",
        lambda events: (
            len(set(last(events, "GameWon").discs_home)) == 3 and last(events, "MatchEnded").places.count(2) == 2
        ),
        rules_version=1,
    ),
    "four-nines.edition-2": Golden(
        3,
        {},
        "he who has brought more discs Home is second, the other third",
        lambda events: sorted(last(events, "MatchEnded").places) == [1, 2, 3],
        rules_version=2,
    ),
    "goat.second": Golden(
        4,
        {"hands": 2, "race": "off", "books_shown": True, "stall_limit": 20},
        "a book goes away without a race, and its number is shown",
        lambda events: bool(some(events, "BookPutAway", goat=None)),
    ),
    "grafto.second": Golden(
        5,
        {"hands": 2, "forced_graft": "any_out", "dealer_must_bid": True, "fifteen_credit": "any"},
        "a graft is forced, and a bid is made good",
        lambda events: bool(some(events, "Grafted", forced=True) and some(events, "HandScored", result="made")),
    ),
    "jack-daw.second": Golden(
        2,
        {"target": 6, "first_dealer": 1},
        "a tied Game is nobody's",
        lambda events: bool(some(events, "HandScored", game=None)),
    ),
    "kid-o.second": Golden(
        8,
        {"hands": 1, "tie_break": "extra_hand"},
        "the tie after the last hand is broken by an extra one",
        lambda events: len(some(events, "HandScored")) > 1,
    ),
    "nix.second": Golden(
        6,
        {"may_hold_back": True, "sides": "alternate"},
        "a card is drawn that does not fit, and a set is completed after it",
        lambda events: bool(some(events, "CardDrawn", fits=False) and some(events, "SetCompleted")),
    ),
    "prince-and-pauper.second": Golden(
        3,
        {"target": 10, "turned_special": "redeal", "most_tricks_tie": "each"},
        "a hand is void because of the card turned up, and dealt again",
        lambda events: bool(some(events, "HandVoided")),
    ),
    "quenette.second": Golden(
        6,
        {"hands": 1, "extras_view": "all", "tie_break": "extra_hand"},
        "the extra cards are shown to all, and a tie leads to an extra hand",
        lambda events: len(some(events, "HandScored")) > 1,
    ),
    "rustle.second": Golden(
        5,
        {"target": 10, "cards_tie": "each"},
        "two seats share the most cards, and both score for it",
        lambda events: any(sum(map(bool, hand.cards_points)) > 1 for hand in some(events, "HandScored")),
    ),
    "secret-seven.second": Golden(
        3,
        {"auto_call": True, "short_pack": "withdraw7_pick_n"},
        "the table calls the Secret Seven by itself",
        lambda events: bool(some(events, "SecretCalled")),
    ),
    "trix.second": Golden(
        6,
        {"sides": "three_pairs", "hide_totals": True, "pack": "short"},
        "three pairs play with covered totals, and cards are left over",
        lambda events: bool(some(events, "LeftoverAwarded")),
    ),
}
