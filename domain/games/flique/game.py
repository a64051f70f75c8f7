"""Flique (Crown Cards, 1911): draw, and lay down Twos, Threes and Fours of one suit until eleven cards lie there.

Ten cards each; twenty are the reserve. In your turn you draw from the reserve, or take the card just discarded. With
that card and cards from your hand you may place one combination, two to four neighbours of one suit, and then discard a
card. A drawn card that you do not use is itself discarded; a discard can be taken only to be placed at once. So your
hand and your combinations always come to ten cards, until the last combination takes the whole hand and makes eleven.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, NamedTuple, assert_never

from domain.game import (
    Lot,
    Outcome,
    Picked,
    Refused,
    Seat,
    Secret,
    Shuffled,
    each_its_own,
    first_dealer,
    flag,
    hidden,
    number,
    ranked,
    record,
)
from domain.games.flique.events import (
    CardDiscarded,
    CardDrawn,
    CombinationPlaced,
    Command,
    Discard,
    Draw,
    Event,
    GameDrawn,
    GameWon,
    HandDealt,
    PassOut,
    Place,
    TakeDiscard,
)
from domain.kit.cards import SUITS, Card, Cards, in_order, pack, without
from domain.kit.dealing import DealerChosen, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.refusals import not_in_hand, not_your_turn
from domain.kit.turns import CHANCE_ACTS, NOBODY, only, put

PACK: Final = pack(range(1, 11))
IN_PACK: Final = frozenset(PACK)
ENOUGH: Final = 11

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    first_dealer: str | int = first_dealer("FL-R1")
    sets: bool = flag(False, rule="FL-R2", text="Whether cards of one number make a combination too.")
    lay_from_hand: bool = flag(False, rule="FL-R4", text="Whether more combinations may follow, from the hand alone.")
    extend: bool = flag(False, rule="FL-R5", text="Whether the drawn or taken card may be added to one's Two or Three.")
    target_wins: int = number(1, 1, 10, rule="FL-R9", text="Games to win for the match.")
    replay_draws: bool = flag(False, rule="FL-R9", text="With one win to get: whether a drawn game is dealt again.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    phase: Literal["between", "choosing", "drawn", "discarding"]
    reserve: Cards  # top card first
    hands: tuple[Cards, ...]
    drawn: Card | None  # known to the seat on turn only
    discards: Cards  # the latest last
    placed: tuple[tuple[Cards, ...], ...]  # the combinations of each seat
    turn: Seat
    wins: tuple[int, ...]
    last_drawn: bool  # whether the last game was


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    return Table(options, seats, dealer, 0, "between", (), ((), ()), None, (), ((), ()), 0, (0, 0), False)


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (options.target_wins > 1, "replay_draws", "with more than one win to get, games follow until they are won"),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.phase != "between":
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, PACK)


def runs(size: int) -> list[Cards]:
    """Every sequence of so many cards."""
    return [tuple(Card(f"{suit}-{low + n}") for n in range(size)) for suit in SUITS for low in range(1, 12 - size)]


def groups(size: int) -> Iterable[Cards]:
    """So many cards of one number, in all ways."""
    return (g for n in range(1, 11) for g in combinations(tuple(Card(f"{suit}-{n}") for suit in SUITS), size))


COMBINATIONS: Final = [cards for size in (2, 3, 4) for cards in (*runs(size), *groups(size))]
HELPED: Final = {card: [without(cards, card) for cards in COMBINATIONS if card in cards] for card in PACK}
DISCARDS: Final = {card: Discard(card) for card in PACK}
DRAW: Final = Draw()
PASS_OUT: Final = PassOut()


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    """What changes least stands first. A combination is listed once, though its cards may be named in any order."""
    if s.phase == "between" or seat != s.turn:
        return ()
    candidates: list[Command]
    own = range(len(s.placed[seat])) if s.options.extend else ()
    match s.phase:
        case "choosing":
            candidates = [DRAW if s.reserve else PASS_OUT]
            if s.discards:
                candidates += [TakeDiscard(cards) for cards in from_hand(s, seat, HELPED[s.discards[-1]])]
                candidates += [TakeDiscard(onto=index) for index in own]
        case "drawn":
            assert s.drawn is not None
            candidates = [DISCARDS[s.drawn]]
            candidates += [Place(cards) for cards in from_hand(s, seat, HELPED[s.drawn])]
            candidates += [Place(onto=index) for index in own]
        case _:
            candidates = [DISCARDS[card] for card in s.hands[seat]]
            if s.options.lay_from_hand:
                candidates += [Place(cards) for cards in from_hand(s, seat, COMBINATIONS)]
    return [command for command in candidates if not objection(s, seat, command)]


def from_hand(s: Table, seat: Seat, choices: Iterable[Cards]) -> list[Cards]:
    held = frozenset(s.hands[seat])
    return [cards for cards in choices if held.issuperset(cards)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if s.phase == "between":
        rule = "FL-03" if not is_over(s) else "FL-20" if s.last_drawn else "FL-16"
        return Refused(rule, "wrong_phase", "no game is being played")
    if seat != s.turn:
        return not_your_turn("FL-10", s.turn)
    match command:
        case Draw():
            empty = None if s.reserve else Refused("FL-19", "reserve_empty", "the reserve is empty")
            return objection_to_choice(s) or empty
        case TakeDiscard(with_=cards, onto=onto):
            return objection_to_choice(s) or objection_to_taking(s, seat, cards, onto)
        case PassOut():
            if s.phase != "choosing" or s.reserve:
                return Refused("FL-19", "wrong_phase", "passing out is for a seat that finds the reserve empty")
            return None
    if s.phase == "choosing":
        return Refused("FL-10", "wrong_phase", "draw a card, or take the discard, first")
    match command:
        case Place(with_=cards, onto=onto):
            return objection_to_placing(s, seat, cards, onto)
        case Discard(card=card):
            if s.phase == "drawn" and card != s.drawn:
                return Refused("FL-13", "not_the_drawn_card", f"you drew {s.drawn}, so {card} cannot be discarded")
            if s.phase == "discarding" and card not in s.hands[seat]:
                return not_in_hand("FL-14", card)
        case _:
            assert_never(command)
    return None


def objection_to_choice(s: Table) -> Refused | None:
    if s.phase == "drawn":
        return Refused("FL-10", "wrong_phase", "you have drawn a card in this turn")
    if s.phase == "discarding":
        return Refused("FL-14", "wrong_phase", "your turn ends with a discard")
    return None


def objection_to_taking(s: Table, seat: Seat, cards: Cards, onto: int | None) -> Refused | None:
    if not s.discards:
        return Refused("FL-09", "no_discard", "nothing has been discarded yet")
    if refusal := objection_to_cards(s, seat, cards, onto):
        return refusal
    if fault := fault_in(s, resulting(s, seat, s.discards[-1], cards, onto)):
        return Refused("FL-11", "no_combination", f"{s.discards[-1]} can be taken only for a combination: {fault.text}")
    return None


def objection_to_placing(s: Table, seat: Seat, cards: Cards, onto: int | None) -> Refused | None:
    if s.drawn is None and not s.options.lay_from_hand:
        return Refused("FL-07", "one_a_turn", "one combination a turn is all")
    if refusal := objection_to_cards(s, seat, cards, onto):
        return refusal
    fault = fault_in(s, resulting(s, seat, s.drawn, cards, onto))
    if fault and s.drawn and any(card.suit != s.drawn.suit for card in cards) and not fault_in(s, cards):
        return Refused("FL-07", "without_help", f"the combination must contain {s.drawn}, the card drawn")
    return fault


def objection_to_cards(s: Table, seat: Seat, cards: Cards, onto: int | None) -> Refused | None:
    """Whether these cards are there to be placed, be they a combination or not."""
    for card in cards:
        if card not in IN_PACK:
            return not_in_hand("FL-R3", card)
        if card not in s.hands[seat]:
            return not_in_hand("FL-07", card)
    if onto is None:
        return None
    if not s.options.extend:
        return Refused("FL-08", "fixed", "a combination on the table is not extended")
    if cards or s.phase == "discarding":
        return Refused("FL-R5", "helped_card_alone", "only the card drawn or taken can be added, and nothing with it")
    if not 0 <= onto < len(s.placed[seat]):
        return Refused("FL-R5", "no_such_combination", f"you have no combination {onto}")
    return None


def resulting(s: Table, seat: Seat, helped: Card | None, cards: Cards, onto: int | None) -> Cards:
    """What will lie on the table, sound or not."""
    fresh = cards if helped is None else (helped, *cards)
    return in_order(fresh if onto is None else (*s.placed[seat][onto], *fresh))


def fault_in(s: Table, cards: Cards) -> Refused | None:
    """What keeps these cards from being a combination, or nothing."""
    if len(cards) < 2:
        return Refused("FL-05", "no_combination", "it takes two cards at the least")
    if len(cards) > 4:
        return Refused("FL-06", "too_long", "four cards are the most")
    numbers = sorted(card.number for card in cards)
    suits = {card.suit for card in cards}
    if len(suits) == 1:
        if numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return None
        if (numbers[0], numbers[-1]) == (1, 10):
            return Refused("FL-06", "corner", "10 and 1 are no neighbours")
    elif s.options.sets and numbers[0] == numbers[-1] and len(suits) == len(cards):
        return None
    return Refused("FL-05", "no_combination", f"{', '.join(cards)} are not neighbours of one suit")


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return [deal(s, deck)]
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case Draw():
            return [CardDrawn(seat, Secret(s.reserve[0], (seat,)))]
        case TakeDiscard(with_=cards, onto=onto):
            laid = resulting(s, seat, s.discards[-1], cards, onto)
            return place(s, CombinationPlaced(seat, laid, "discard", onto))
        case Place(with_=cards, onto=onto):
            laid = resulting(s, seat, s.drawn, cards, onto)
            return place(s, CombinationPlaced(seat, laid, "hand" if s.drawn is None else "drawn", onto))
        case Discard(card=card):
            return discard(s, seat, card)
        case PassOut():
            return [GameDrawn(True)]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    """Three, three and four cards to each, the non-dealer first."""
    dealer = next_dealer(s)
    first = in_order((*deck[0:3], *deck[6:9], *deck[12:16]))
    second = in_order((*deck[3:6], *deck[9:12], *deck[16:20]))
    hands = (second, first) if dealer == 0 else (first, second)
    return HandDealt(s.hand_no + 1, dealer, len(deck) - 20, each_its_own(hands), hidden(deck[20:]))


def place(s: Table, event: CombinationPlaced) -> Sequence[Event]:
    seat = event.seat
    added = len(event.cards) if event.onto is None else 1
    if added + sum(map(len, s.placed[seat])) < ENOUGH:
        return [event]
    return [event, GameWon(seat, put(s.wins, seat, s.wins[seat] + 1))]


def discard(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    events: list[Event] = [CardDiscarded(seat, card, s.phase == "drawn")]
    if not s.reserve and not may_be_taken(s, seat, card):
        events.append(GameDrawn(False))
    return events


def may_be_taken(s: Table, seat: Seat, card: Card) -> bool:
    """Whether the rival could take this last discard, for all that the open cards tell.

    The rival's hand alone would give the answer, but then the end, or its absence, would tell about that hand. With
    the reserve gone everybody can say which cards the two hands hold together.
    """
    rival = 1 - seat
    if s.options.extend and any(not fault_in(s, (*cards, card)) for cards in s.placed[rival]):
        return True
    unseen = (held for hand in s.hands for held in hand if held is not card)
    return bool(s.hands[rival]) and any(not fault_in(s, (card, held)) for held in unseen)


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardDrawn(card=card):
            return s._replace(phase="drawn", reserve=s.reserve[1:], drawn=card.value)
        case CardDiscarded(seat=seat, card=discarded, was_drawn=was_drawn):
            hands = s.hands if was_drawn else put(s.hands, seat, without(s.hands[seat], discarded))
            discards = (*s.discards, discarded)
            return s._replace(phase="choosing", hands=hands, drawn=None, discards=discards, turn=1 - seat)
        case CombinationPlaced(seat=seat, cards=cards, source=source, onto=onto):
            own = s.placed[seat]
            return s._replace(
                phase="discarding",
                hands=put(s.hands, seat, tuple(held for held in s.hands[seat] if held not in cards)),
                drawn=None,
                discards=s.discards[:-1] if source == "discard" else s.discards,
                placed=put(s.placed, seat, (*own, cards) if onto is None else put(own, onto, cards)),
            )
        case GameWon(wins=wins):
            return s._replace(phase="between", wins=wins, last_drawn=False)
        case GameDrawn():
            return s._replace(phase="between", last_drawn=True)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                hand_no=event.hand_no,
                phase="choosing",
                turn=1 - event.dealer,
                hands=unsealed(event.hands),
                reserve=event.reserve.value,
                discards=(),
                placed=((), ()),
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    one_game = s.options.target_wins == 1 and not s.options.replay_draws
    return max(s.wins) >= s.options.target_wins or (s.last_drawn and one_game)


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(s.wins), s.wins, "drawn_game" if s.last_drawn else "eleven_placed") if is_over(s) else None
