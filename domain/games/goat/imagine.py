"""What a seat of Goat could imagine: what the others hold, and how it came to that."""

from __future__ import annotations

from domain.game import Seat
from domain.games.goat.books import BOOKS, grouped
from domain.games.goat.courses import drawn
from domain.games.goat.game import Step, Table
from domain.games.goat.hearsay import seen_by
from domain.kit.cards import Card
from domain.kit.unseen import Below


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """The other hands, what was passed among them, the books that are not shown, and the cards chosen in this round.

    Every deal, with every choice that the others can have made since, counts the same, if it fits all that the seat has
    seen in this hand. Where that is too much to be counted, the beginning of the hand is forgotten: see `courses`.
    Choices in rounds that a book made void need not be counted, since there are equally many whatever the cards are.
    """
    if s.phase == "awaiting_deal":
        return s
    seen = seen_by(s, seat)
    forgotten, course = drawn(seen, below)
    start = s.since[seat] + forgotten
    hidden, claims = iter(course.hidden), iter(course.claims)
    hands = [list(hand) for hand in course.hands]
    books: list[list[int]] = [[] for _ in range(s.seats)]
    steps: list[Step] = []
    for n, step in enumerate(s.steps):
        if len(step.seats) == 1:
            (owner,) = step.seats
            number = step.cards[0].number if step.cards[0] is not None else 0
            if owner != seat and not s.options.books_shown:
                number = next(hidden if n < start else claims)
            elif owner != seat and n >= start:
                next(claims)
            books[owner].append(number)
            steps.append(Step(step.seats, BOOKS[number]))
            if n >= start:
                hands[owner] = [card for card in hands[owner] if card.number != number]
        elif n < start:
            steps.append(Step(step.seats, own_cards(step, seat) if n >= s.since[seat] else (None,) * len(step.seats)))
        else:
            cards = tuple([course.given[n - start][giver] for giver in step.seats])
            steps.append(Step(step.seats, cards))
            for place, giver in enumerate(step.seats):
                hands[giver].remove(cards[place])
                hands[giver].append(cards[place - 1])
    held = [grouped(hand) for hand in hands]
    held[seat] = s.hands[seat]
    choices = [
        card if card is None or other == seat else held[other][below(len(held[other]))]
        for other, card in enumerate(s.choices)
    ]
    return s._replace(
        hands=tuple(held),
        choices=tuple(choices),
        claim=s.claim if seen.opener is None else next(claims),
        books=tuple(map(tuple, books)),
        dealt=tuple([s.dealt[seat] if n == seat else grouped(hand) for n, hand in enumerate(course.hands)]),
        steps=tuple(steps),
        since=tuple([s.since[seat] if n == seat else start for n in range(s.seats)]),
    )


def own_cards(step: Step, seat: Seat) -> tuple[Card | None, ...]:
    """What a seat gave and got in a round, and nothing else."""
    if seat not in step.seats:
        return (None,) * len(step.seats)
    place = step.seats.index(seat)
    known = {place, (place - 1) % len(step.seats)}
    return tuple(card if n in known else None for n, card in enumerate(step.cards))
