"""Crown Baseball by rule of thumb: what each taker of the trick would make of the field card, and how to be the one who
should take it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from domain.game import Thumbs
from domain.games.crown_baseball.diamond import OUTS, Bases, moved
from domain.games.crown_baseball.game import FIELD, PLAYING_PACK, HalfEnded, Table, is_over, totals
from domain.kit.cards import Card

RUN: Final = 1000
SURE: Final = 1000
USUAL: Final = 2  # runs in half an inning
Prospects = Mapping[tuple[int, Bases], int]


def _prospects() -> Prospects:
    """The runs to be expected in the rest of a half, where either seat takes a trick as often as the other."""
    states: list[tuple[int, Bases]] = [(outs, bases) for outs in range(OUTS) for bases in get_args(Bases)]
    found = dict.fromkeys(states, 0)
    reached = {}
    for outs, bases in states:
        moves = [moved(play, bases, outs) for plays in FIELD.values() for play in plays]
        reached[outs, bases] = [(RUN * m.runs, (outs + m.outs, m.bases)) for m in moves]
    for _ in range(60):
        for state, ahead in reached.items():
            found[state] = sum(runs + found.get(after, 0) for runs, after in ahead) // len(ahead)
    return found


PROSPECTS: Final = _prospects()
# What the batter gains by taking the trick instead of the dealer: by the field card, the outs and the bases.
GAINS: Final = {
    (number, outs, bases): sum(
        sign * (RUN * m.runs + PROSPECTS.get((outs + m.outs, m.bases), 0))
        for sign, m in ((1, moved(by_batter, bases, outs)), (-1, moved(by_dealer, bases, outs)))
    )
    for number, (by_dealer, by_batter) in FIELD.items()
    for outs, bases in PROSPECTS
}


def rate(view: Mapping[str, Any], commands: Sequence[Any]) -> list[int]:
    seat, trump, trick, hand = view["turn"], view["trump"], view["trick"], view["hand"]
    # What one side gains by taking the trick the other loses, so that both want it, or neither does.
    gain = GAINS[view["field_turned"][-1].number, view["outs"], view["bases"]]
    keeps = [_keep(command.card, trump, len(hand)) for command in commands]
    if trick:
        led: Card = trick[0]["card"]
        return [gain * _beats(command.card, led, trump) - keep for command, keep in zip(commands, keeps, strict=True)]
    seen = {*hand, *view["played"]}
    unseen = [card for card in PLAYING_PACK if card not in seen]
    held = view["hand_counts"][1 - seat]
    rival = Rival(unseen, held, len(unseen) - held, trump)
    return [
        gain * (rival.gives(command.card) if gain > 0 else SURE - rival.takes(command.card)) // SURE - keep
        for command, keep in zip(commands, keeps, strict=True)
    ]


class Rival:
    """What the other hand may do to a card that is led. Each unseen card is there or among those not used."""

    def __init__(self, unseen: Sequence[Card], held: int, unused: int, trump: str) -> None:
        self._unseen, self._unused, self._total, self._trump, self._held = unseen, unused, held + unused, trump, held

    def _none(self, count: int) -> int:
        """The chance that of so many cards the rival has none."""
        chance = SURE
        for n in range(count):
            chance = chance * max(0, self._unused - n) // (self._total - n)
        return chance

    def gives(self, led: Card) -> int:
        """The chance that this card takes the trick, when the rival wants it too."""
        suit = [card.number for card in self._unseen if card.suit == led.suit]
        holds = self._none(sum(number > led.number for number in suit))
        if led.suit == self._trump:
            return holds
        trumps = sum(card.suit == self._trump for card in self._unseen)
        return holds - self._none(len(suit)) * (SURE - self._none(trumps)) // SURE

    def takes(self, led: Card) -> int:
        """The chance that the rival has to take the trick, when it does not want it either."""
        suit = [card.number for card in self._unseen if card.suit == led.suit]
        return self._none(sum(number < led.number for number in suit)) - self._none(len(suit))


def _beats(card: Card, led: Card, trump: str) -> bool:
    return card.number > led.number if card.suit == led.suit else card.suit == trump


def _keep(card: Card, trump: str, size: int) -> int:
    """What a card may still be good for: a high one to take with, a very low one to lose with. Often a half is over
    before it comes to that."""
    if size == 1:
        return 0
    return 10 * card.number + 90 * (card.suit == trump) + 15 * max(0, 3 - card.number)


def worth(s: Table) -> Sequence[int]:
    """The runs so far, and those that a seat can hope for which has batted once less."""
    due = s.half == "top" and not s.half_open and not is_over(s)
    return [runs + USUAL * (due and seat == s.dealer) for seat, runs in enumerate(totals(s))]


THUMBS = Thumbs(rate, worth, ends=(HalfEnded,))
