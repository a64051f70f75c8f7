"""What a seat may know of Baffle, and what it could imagine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, TypedDict

from domain.game import ALL, Seat
from domain.games.baffle.events import Choice
from domain.games.baffle.game import Table, is_over, staying
from domain.kit.cards import Card, Cards, Hands, in_order, shown_hands
from domain.kit.tricks import ShownTrick, TricksTaken, cards_of, shown_trick
from domain.kit.unseen import Below, Unseen, dealt_anew, unseen_hands
from domain.telling.parts import part


class ShownWalkover(TypedDict):
    seat: Seat
    cards: Annotated[Cards, part("row")]


class View(Hands):
    phase: Annotated[Literal["awaiting_deal", "declaring", "exchanging", "playing", "finished"], part("mark")]
    hand_no: Annotated[int, part("mark")]
    dealer: Annotated[Seat | None, part("mark")]
    turn: Annotated[Seat | None, part("turn")]
    choices: Annotated[Sequence[Choice | None], part("mark", "each")]
    laid_down: Annotated[Cards | None, part("pile", "you", face="down")]
    laid_down_counts: Annotated[Sequence[int], part("count", "each", of="all_laid_down")]
    all_laid_down: Annotated[Sequence[Cards] | None, part("pile", "each", face="down")]
    cop_count: Annotated[int, part("count", of="cop")]
    cop: Annotated[Cards | None, part("pile", face="down")]
    turned: Annotated[Card | None, part("card")]
    turned_by: Annotated[Seat | None, part("mark")]
    trump: Annotated[str | None, part("mark")]
    stock_count: Annotated[int, part("count", of="stock")]
    stock: Annotated[Cards | None, part("pile", face="down", order="top_to_bottom")]
    trick_no: Annotated[int, part("mark")]
    trick: ShownTrick
    tricks_taken: TricksTaken
    trump_missed: Annotated[bool | None, part("mark", "you")]
    trump_missed_by: Annotated[Sequence[Seat] | None, part("mark")]
    walkover: ShownWalkover | None
    totals: Annotated[Sequence[int], part("score", "each")]


def view(s: Table, seat: Seat | None) -> View:
    own, sees_all = None if seat is None or seat < 0 else seat, seat == ALL
    return {
        "phase": "finished" if is_over(s) else s.phase,
        "hand_no": s.hand_no,
        "dealer": s.dealer,
        "turn": s.turn if s.phase != "awaiting_deal" else None,
        "choices": s.choices,
        **shown_hands(s.hands, seat),
        "laid_down": None if own is None else s.laid_down[own],
        "laid_down_counts": [len(cards) for cards in s.laid_down],
        "all_laid_down": s.laid_down if sees_all else None,
        "cop_count": len(s.cop),
        "cop": s.cop if sees_all else None,
        "turned": s.turn_up,
        "turned_by": s.turn_up_taker,
        "trump": s.trump or None,
        "stock_count": len(s.stock),
        "stock": s.stock if sees_all else None,
        "trick_no": s.trick_no,
        "trick": shown_trick(s.trick),
        "tricks_taken": [{"seat": trick.seat, "cards": trick.cards} for trick in s.taken],
        "trump_missed": None if own is None else s.missed[own],
        "trump_missed_by": [who for who, missed in enumerate(s.missed) if missed] if sees_all else None,
        "walkover": None if s.walkover is None else {"seat": s.walkover, "cards": s.hands[s.walkover]},
        "totals": s.totals,
    }


def imagine(s: Table, seat: Seat, below: Below) -> Table:
    """All that lies face down, dealt anew: the other hands without the suits they have shown not to hold, what the
    others have laid down, the cop hand and the stock. Who has led past a trump then follows from the hands."""
    if not s.hand_no:
        return s
    known = [hand if other == seat else open_to_all(s, other) for other, hand in enumerate(s.hands)]
    closed = [tuple([card for card in hand if card not in known[n]]) for n, hand in enumerate(s.hands)]
    face_down = [() if other == seat else pile for other, pile in enumerate(s.laid_down)]
    lying = (*face_down, s.cop, s.stock)
    unseen = [card for cards in (*closed, *lying) for card in cards]
    places = [*unseen_hands(closed, s.voids, seat), *(Unseen(len(pile)) for pile in lying)]
    *drawn, cop, stock = dealt_anew(in_order(unseen), places, below)
    hands = tuple([in_order(drawn[other] + known[other]) for other in range(s.seats)])
    laid_down = [in_pile(pile, other == s.turn_up_taker) for other, pile in enumerate(drawn[s.seats :])]
    laid_down[seat] = s.laid_down[seat]
    return s._replace(
        hands=hands,
        laid_down=tuple(laid_down),
        cop=in_order(cop),
        stock=stock,
        missed=missed_leads(s, hands),
    )


def in_pile(cards: Cards, exchanged: bool) -> Cards:
    """Cards laid down as they were dealt, in order; one that was exchanged later lies on top of them."""
    return in_order(cards[:-1]) + cards[-1:] if exchanged else in_order(cards)


def open_to_all(s: Table, holder: Seat) -> Cards:
    """What the whole table knows of a hand: all of it after a walkover, else the turned-up card that it took."""
    hand = s.hands[holder]
    if holder == s.walkover:
        return hand
    return tuple([card for card in hand if card is s.turn_up])


def missed_leads(s: Table, hands: Sequence[Cards]) -> tuple[bool, ...]:
    """Who must have led past a trump, if these are the hands now. It is told backwards from here: a trump that is held
    now or was played later was in the hand at every lead before."""
    found = [False] * s.seats
    if not s.taken:
        return tuple(found)
    players = staying(s)
    leaders = (players[0], *(trick.seat for trick in s.taken))
    tricks = (*(trick.cards for trick in s.taken), cards_of(s.trick))
    with_trump = {seat for seat, hand in enumerate(hands) if any(card.suit == s.trump for card in hand)}
    for number in range(len(tricks) - 1, 0, -1):
        leader, cards = leaders[number], tricks[number]
        if cards and cards[0].suit != s.trump and leader in with_trump:
            found[leader] = True
        at = players.index(leader)
        for player, card in zip(players[at:] + players[:at], cards, strict=False):
            if card.suit == s.trump:
                with_trump.add(player)
    return tuple(found)
