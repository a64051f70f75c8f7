"""Secret Seven (Crown Cards, 1911): tricks pay, sevens pay more, and one seven is poisoned.

Before the deal the dealer looks through the pack and lays four cards face down. Among them are two or more of
different suits that add up to 7: the numbers of the Secret Seven, which only the dealer knows. Eleven cards each are
played out with the dealer's last card as trump. A trick with cards that add up to 7 pays two points extra. But the
first trick that shows the secret numbers must be called by the dealer, and its taker gets the packet and loses seven
points. A dealer who fails to call loses them instead, if an opponent can prove it. Four play as partners; 49 wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from domain.game import (
    Lot,
    Outcome,
    Picked,
    Refused,
    Seat,
    Secret,
    Shuffled,
    Template,
    choice,
    each_its_own,
    flag,
    hidden,
    ranked,
    record,
)
from domain.games.secret_seven.events import (
    Accept,
    CallPassed,
    CallSecret,
    Command,
    Event,
    HandAccepted,
    HandDealt,
    HandScored,
    NeglectProven,
    NoCall,
    PacketShown,
    ProveNeglect,
    SecretCalled,
    SecretSet,
    SelectSecret,
    TrickTaken,
)
from domain.games.secret_seven.selection import selection
from domain.games.secret_seven.sevens import Numbers, can_recur, holds_numbers, holds_seven, is_seven, numbers_of
from domain.kit.cards import SUITS, Card, Cards, in_order, pack
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, unsealed
from domain.kit.idle import idle
from domain.kit.plays import PLAYS, CardPlayed, PlayCard, with_card_played
from domain.kit.refusals import not_in_hand, not_your_turn
from domain.kit.scores import reached_alone
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, left_of, only, plus

TARGET: Final = 49
PENALTY: Final = 7
SEVEN_TRICK: Final = 2
Phase = Literal["selecting", "awaiting_deal", "playing", "calling", "proving"]
SHORT_PACKS: Final = ("keep7_pick4", "withdraw7_pick4", "withdraw7_pick_n")

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    short_pack: str = choice(
        *SHORT_PACKS, rule="SS-R1", text="Two or three players: are the 7s in, how large a packet."
    )
    partners: bool = flag(True, rule="SS-R16", text="Whether four players make two sides.")
    require_possible: bool = flag(False, rule="SS-R5", text="Whether the secret numbers must be able to come up.")
    called_trick_bonus: bool = flag(True, rule="SS-R12", text="Whether the called trick pays as a seven trick, too.")
    auto_call: bool = flag(False, rule="SS-R13", text="Whether the secret is called for the dealer.")
    auto_proof: bool = flag(False, rule="SS-R13", text="Whether a neglect is proven for the opponents.")


class Taken(NamedTuple):
    """A trick that somebody took, and whether cards of it add up to 7."""

    seat: Seat
    cards: Cards
    seven: bool


class Table(NamedTuple):
    options: Options
    seats: int
    sides: tuple[tuple[Seat, ...], ...]  # seats that score together; side of a seat: its number modulo the sides
    pack: Cards
    packet_size: int
    hands: tuple[Cards, ...]
    totals: tuple[int, ...]  # by side
    voids: Voids
    phase: Phase = "selecting"
    dealer: Seat | None = None
    hand_no: int = 0
    packet: Cards = ()  # the cards that the dealer took out
    combo: Numbers = ()  # of the Secret Seven, the highest first
    packet_open: bool = False
    called_trick: int | None = None  # its taker has the packet
    turned: Card | None = None  # the dealer's last card, shown for trump
    over: Cards = ()
    turn: Seat = 0
    trick_no: int = 0
    trick: Trick = ()
    taken: tuple[Taken, ...] = ()
    pending: frozenset[Seat] = NOBODY  # opponents who have yet to prove a neglect or accept the hand


def setup(options: Options, seats: int) -> Table:
    sides = ((0, 2), (1, 3)) if seats == 4 and options.partners else tuple((seat,) for seat in range(seats))
    with_sevens = seats < 4 and options.short_pack == "keep7_pick4"
    cards = pack((n for n in range(1, 14) if n != 7 or with_sevens), SUITS[:seats])
    size = seats if options.short_pack == "withdraw7_pick_n" else 4
    return Table(options, seats, sides, cards, size, ((),) * seats, (0,) * len(sides), no_voids(seats))


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats == 4, "short_pack", "four players always play without the 7s and pick four cards"),
        (seats < 4, "partners", "only four players make two sides"),
        (
            seats == 2 and options.short_pack == "withdraw7_pick_n",
            "require_possible",
            "the numbers of a packet of two are always in the pack once more",
        ),
        (options.auto_call, "auto_proof", "where the secret is called for the dealer nothing is neglected"),
    )


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    match s.phase:
        case "playing":
            return only(s.turn)
        case "proving":
            return s.pending
    if is_over(s):
        return NOBODY
    return CHANCE_ACTS if s.dealer is None or s.phase == "awaiting_deal" else only(s.dealer)


def chance(s: Table) -> Lot:
    """The size of the shuffle is the same whatever the dealer took out."""
    return lot_or_shuffle(s, tuple(card for card in s.pack if card not in s.packet))


NO_CALL: Final = NoCall()
ACCEPT: Final = Accept()


def legal(s: Table, seat: Seat) -> Sequence[Command | Template]:
    candidates: Sequence[Command]
    match s.phase:
        case "playing":
            if seat != s.turn:
                return ()
            candidates = [PLAYS[card] for card in s.hands[seat]]
        case "selecting" if seat == s.dealer and not is_over(s):
            return (selection(s.pack, s.packet_size, s.seats, s.options.require_possible),)
        case "calling" if seat == s.dealer:
            # A call that is due stands first: the dealer must make it.
            candidates = (CallSecret(s.combo), NO_CALL)
        case "proving" if seat in s.pending:
            neglected = first_secret(s.taken, s.combo)
            candidates = (ACCEPT, ProveNeglect(neglected)) if neglected is not None else (ACCEPT,)
        case _:
            return ()
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if is_over(s):
        return Refused("SS-06b", "wrong_phase", "the match is won")
    match command:
        case PlayCard(card=card):
            return objection_to_card(s, seat, card)
        case SelectSecret(cards=cards, combo=combo):
            return objection_to_secret(s, seat, cards, combo)
        case CallSecret() | NoCall():
            return objection_to_call(s, seat, command)
        case ProveNeglect() | Accept():
            return objection_to_answer(s, seat, command)
        case _:
            assert_never(command)


def objection_to_secret(s: Table, seat: Seat, cards: Cards, combo: Cards) -> Refused | None:
    if s.phase != "selecting" or seat != s.dealer:
        return Refused("SS-02b", "not_your_turn", "only the dealer takes cards out, once, before the deal")
    if len(cards) != s.packet_size or len(set(cards)) != len(cards):
        return Refused("SS-02b", "wrong_count", f"the packet is {s.packet_size} different cards")
    for card in cards:
        if card not in s.pack:
            return Refused("SS-01", "not_in_pack", f"{card} is not in the pack in use")
    for card in combo:
        if card not in cards:
            return Refused("SS-02c", "not_in_packet", f"{card} is not among the cards taken out")
    if not is_seven(combo):
        return Refused("SS-02c", "not_a_seven", "the secret is two or more cards of different suits that add up to 7")
    if s.options.require_possible and not can_recur(cards, combo, s.seats):
        return Refused("SS-02c", "cannot_recur", "the rest of the pack does not have these numbers again")
    return None


def objection_to_card(s: Table, seat: Seat, card: Card) -> Refused | None:
    match s.phase:
        case "selecting" | "awaiting_deal":
            return Refused("SS-02d", "wrong_phase", "without a packet there is no deal")
        case "calling":
            return Refused("SS-05i", "call_pending", "play waits for the dealer to call this trick or not")
        case "proving":
            return Refused("SS-05j", "wrong_phase", "the last trick has been played")
    if seat != s.turn:
        return not_your_turn("SS-04a", s.turn)
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("SS-04a", card)
    return objection_to_following("SS-04b", hand, s.trick, card)


def objection_to_call(s: Table, seat: Seat, command: CallSecret | NoCall) -> Refused | None:
    if s.phase != "calling":
        return Refused("SS-05i", "no_call_open", "a call is made right after a trick that holds a seven")
    if seat != s.dealer:
        return Refused("SS-05d", "not_the_dealer", "only the dealer knows what to call")
    if isinstance(command, NoCall):
        return None
    if sorted(command.numbers, reverse=True) != list(s.combo):
        return Refused("SS-05d", "wrong_numbers", "these are not the numbers of your secret")
    match first_secret(s.taken, s.combo):
        case None:
            return Refused("SS-05d", "not_the_secret", f"trick {len(s.taken)} does not hold your secret")
        case first if first < len(s.taken):
            return Refused("SS-05h", "neglected", f"trick {first} was the first with your secret, and you let it pass")
    return None


def objection_to_answer(s: Table, seat: Seat, command: ProveNeglect | Accept) -> Refused | None:
    if s.phase != "proving":
        return Refused("SS-05j", "wrong_phase", "a neglect is proven after the last trick, while the packet lies open")
    if seat not in opponents(s):
        return Refused("SS-05j", "not_an_opponent", "only those who play against the dealer prove a neglect")
    if seat not in s.pending:
        return Refused("SS-05j", "already_accepted", "you have accepted this hand")
    if isinstance(command, ProveNeglect) and command.trick != first_secret(s.taken, s.combo):
        return Refused("SS-05j", "no_proof", f"trick {command.trick} is not the first that holds the secret")
    return None


def opponents(s: Table) -> frozenset[Seat]:
    return frozenset(range(s.seats)) - set(s.sides[side_of(s, s.dealer or 0)])


def side_of(s: Table, seat: Seat) -> int:
    return seat % len(s.sides)


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
        case PlayCard(card=card):
            return play_card(s, seat, card)
        case SelectSecret(cards=cards, combo=combo):
            return [SecretSet(seat, len(cards), Secret(in_order(cards), (seat,)), Secret(numbers_of(combo), (seat,)))]
        case CallSecret():
            called = call(s, s.taken)
            return [called, *(close(s, s.taken, called) if is_last(s, len(s.taken)) else ())]
        case NoCall():
            passed = CallPassed(len(s.taken))
            return [passed, *(close(s, s.taken, None) if is_last(s, len(s.taken)) else ())]
        case ProveNeglect(trick):
            return [NeglectProven(seat, trick), score(s, s.taken, None, proven=True)]
        case Accept():
            last = s.pending == {seat}
            return [HandAccepted(seat), *([score(s, s.taken, None, proven=False)] if last else ())]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    """One at a time from the dealer's left; the last card dealt is the dealer's and is shown for trump."""
    assert s.dealer is not None
    each = len(deck) // s.seats
    hands = dealt(deck, s.dealer, s.seats, each)
    turned, over = deck[each * s.seats - 1], deck[each * s.seats :]
    secret_hands = each_its_own([in_order(hand) for hand in hands])
    return HandDealt(s.hand_no + 1, s.dealer, turned, len(over), secret_hands, hidden(over))


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    events: list[Event] = [CardPlayed(seat, card)]
    if len(s.trick) < s.seats - 1:
        return events
    assert s.turned is not None
    trick = (*s.trick, TrickCard(seat, card))
    winner, cards = taker(trick, s.turned.suit), cards_of(trick)
    seven = holds_seven(cards)
    taken = (*s.taken, Taken(winner, cards, seven))
    uncalled = s.called_trick is None
    call_open = seven and uncalled and not s.options.auto_call
    events.append(TrickTaken(s.trick_no, winner, seven, call_open))
    called = None
    if uncalled and s.options.auto_call and holds_numbers(cards, s.combo):
        called = call(s, taken)
        events.append(called)
    if not call_open and is_last(s, len(taken)):
        events += close(s, taken, called)
    return events


def is_last(s: Table, tricks: int) -> bool:
    return tricks == (len(s.pack) - s.packet_size) // s.seats


def call(s: Table, taken: tuple[Taken, ...]) -> SecretCalled:
    return SecretCalled(len(taken), s.combo, taken[-1].seat, s.packet)


def first_secret(taken: Sequence[Taken], combo: Numbers) -> int | None:
    """The number of the first trick that holds the secret numbers."""
    return next((no for no, trick in enumerate(taken, start=1) if holds_numbers(trick.cards, combo)), None)


def close(s: Table, taken: tuple[Taken, ...], called: SecretCalled | None) -> Sequence[Event]:
    """After the last trick: the score, or first the question whether the dealer let the secret pass."""
    called_trick = called.trick_no if called else s.called_trick
    if called_trick is not None or s.options.auto_call:
        return [score(s, taken, called_trick, proven=False)]
    events: list[Event] = [PacketShown(s.packet, s.combo)]
    if s.options.auto_proof:
        neglected = first_secret(taken, s.combo)
        if neglected is not None:
            events.append(NeglectProven(None, neglected))
        events.append(score(s, taken, None, proven=neglected is not None))
    return events


def score(s: Table, taken: tuple[Taken, ...], called_trick: int | None, *, proven: bool) -> HandScored:
    """Tricks over four, two for every seven trick, and the seven points of the packet or of a proven neglect."""
    sides = range(len(s.sides))
    tricks, sevens = [0 for _ in sides], [0 for _ in sides]
    for no, trick in enumerate(taken, start=1):
        side = side_of(s, trick.seat)
        tricks[side] += 1
        sevens[side] += trick.seven and (no != called_trick or s.options.called_trick_bonus)
    holder = None if called_trick is None else side_of(s, taken[called_trick - 1].seat)
    loser = side_of(s, s.dealer or 0) if proven else holder
    base = tuple(trick_points(tricks[side] + (side == holder)) for side in sides)
    penalty = tuple(PENALTY if side == loser else 0 for side in sides)
    delta = tuple(base[side] + SEVEN_TRICK * sevens[side] - penalty[side] for side in sides)
    packet = tuple(side == holder for side in sides)
    return HandScored(tuple(tricks), packet, base, tuple(sevens), penalty, delta, plus(s.totals, delta))


def trick_points(tricks: int) -> int:
    """One point for each trick over four, two for each over seven.

    >>> [trick_points(tricks) for tricks in (4, 5, 7, 8, 12)]
    [0, 1, 3, 5, 13]
    """
    return max(0, min(tricks, 7) - 4) + 2 * max(0, tricks - 7)


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            voids = shown_voids(s.voids, s.trick, seat, card)
            return with_card_played(s if voids is s.voids else s._replace(voids=voids), seat, card)
        case TrickTaken(seat=seat, seven=seven, call_open=call_open):
            return s._replace(
                phase="calling" if call_open else "playing",
                trick=(),
                trick_no=s.trick_no + 1,
                taken=(*s.taken, Taken(seat, cards_of(s.trick), seven)),
                turn=seat,
            )
        case CallPassed():
            return s._replace(phase="playing")
        case SecretCalled(trick_no=trick_no):
            return s._replace(phase="playing", called_trick=trick_no, packet_open=True)
        case PacketShown():
            return s._replace(phase="proving", packet_open=True, pending=opponents(s))
        case HandAccepted(seat=seat):
            return s._replace(pending=s.pending - {seat})
        case NeglectProven():
            return s._replace(pending=NOBODY)
        case HandScored(totals=totals):
            # The next dealer has the pack now; what was never shown of this hand is gathered in unseen.
            dealer = left_of(s.dealer or 0, s.seats)
            swept = s._replace(packet=(), combo=(), packet_open=False, over=(), pending=NOBODY)
            return swept._replace(phase="selecting", dealer=dealer, totals=totals)
        case SecretSet(cards=cards, numbers=numbers):
            return s._replace(phase="awaiting_deal", packet=cards.value, combo=numbers.value)
        case HandDealt(hand_no=hand_no, dealer=dealer, turned=turned, hands=hands, over=over):
            return s._replace(
                phase="playing",
                hand_no=hand_no,
                hands=unsealed(hands),
                called_trick=None,
                voids=no_voids(s.seats),
                turned=turned,
                over=over.value,
                turn=left_of(dealer, s.seats),
                trick_no=1,
                taken=(),
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    """One player or side alone has the highest score, and it is 49 or more."""
    return s.phase == "selecting" and reached_alone(s.totals, TARGET)


def outcome(s: Table) -> Outcome | None:
    if not is_over(s):
        return None
    scores = tuple(s.totals[side_of(s, seat)] for seat in range(s.seats))
    return Outcome(ranked(scores), scores, "target")
