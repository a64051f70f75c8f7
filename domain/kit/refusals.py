"""Refusals that many games know, each with its one sentence; the rule it rests on is the game's."""

from __future__ import annotations

from domain.game import Refused, Seat


def no_hand(rule: str) -> Refused:
    return Refused(rule, "wrong_phase", "no hand is being played")


def not_your_turn(rule: str, turn: Seat) -> Refused:
    return Refused(rule, "not_your_turn", f"it is the turn of seat {turn}")


def not_in_hand(rule: str, card: str) -> Refused:
    """The same words wherever the card lies, be it in no pack at all: nobody can probe for it."""
    return Refused(rule, "not_in_hand", f"you do not hold {card}")


def must_follow(rule: str, held: str, card: str) -> Refused:
    return Refused(rule, "must_follow", f"you hold {held}, so {card} cannot be played to this trick")


def too_many_seats(rule: str, seats: int, most: int) -> Refused:
    return Refused(
        rule, "wrong_seats", f"a table of {seats} needs the option max_seats to be {seats} or more; it is {most}"
    )
