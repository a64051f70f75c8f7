"""Check and Double Check (Milton Bradley, No. 4313): throw two dice, and lay away the cards that carry their sum.

Nine open cards lie before each seat. Everybody who holds the number thrown puts one such card on the Discard. A player
who throws a CHECK takes the top card back instead, and two cards for a double CHECK. The first seat without cards wins
the hand and gets a counter for every card that the others still have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from domain.game import (
    Dice,
    Lot,
    Outcome,
    Refused,
    Rolled,
    Seat,
    Shuffle,
    Shuffled,
    choice,
    first_dealer,
    hidden,
    number,
    numbers,
    ranked,
    record,
)
from domain.games.check_and_double_check.events import (
    CHECK,
    CardsDiscarded,
    CardsTaken,
    Command,
    DealThrown,
    DiceRolled,
    DiscardPassed,
    Event,
    Face,
    HandDealt,
    HandWon,
    Pass,
    PlayCard,
    Roll,
    Row,
)
from domain.kit.dealing import dealt, named_dealer, next_dealer
from domain.kit.idle import idle
from domain.kit.refusals import not_your_turn, too_many_seats
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, only, plus, put

DIE: Final[tuple[Face, ...]] = (1, 2, 3, 4, 5, CHECK)
CARDS_EACH: Final = 9
USUAL_SEATS: Final = 4

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    target: int = number(100, 10, 1000, rule="CK-R11", text="Points that win the game; 25 makes a quick one.")
    max_seats: int = number(USUAL_SEATS, 2, 8, rule="CK-R13", text="A table of more than 4 seats needs this.")
    first_dealer: str | int = first_dealer("CK-04", "throw")
    discard_mode: str = choice("auto", "manual", rule="CK-R4", text="Whether discards are made for the players.")
    discard_seed: str = choice("shuffled", "misc", rule="CK-R3", text="Which cards the Discard starts with.")
    misc_cards: tuple[int, ...] = numbers((4, 5, 6, 7), 2, 10, rule="CK-R2", text="The four extra cards.")
    score_mode: str = choice("gross", "net", rule="CK-R10", text="Counters received, or received less paid.")
    max_hands: int = number(200, 1, 1000, rule="CK-R10", text="With `net`: hands after which the best balance wins.")


class Table(NamedTuple):
    options: Options
    seats: int
    phase: str  # dealer_throw | deal | throwing | discarding | game_over
    dealer: Seat | None
    throwing_for_deal: tuple[Seat, ...]
    hand_no: int
    rows: tuple[Row, ...]
    discard: Row  # bottom to top
    unseen: int  # how many cards at the bottom of the Discard nobody has seen yet
    turn: Seat
    faces: tuple[Face, ...]
    playing_number: int | None
    eligible: frozenset[Seat]  # in manual mode: the seats that have yet to answer
    answered: frozenset[Seat]
    points: tuple[int, ...]
    balance: tuple[int, ...]


def setup(options: Options, seats: int) -> Table:
    if seats > options.max_seats:
        raise too_many_seats("CK-R13", seats, options.max_seats)
    dealer = named_dealer(options.first_dealer)
    nothing = (0,) * seats
    return Table(
        options=options,
        seats=seats,
        phase="dealer_throw" if dealer is None else "deal",
        dealer=dealer,
        throwing_for_deal=tuple(range(seats)),
        hand_no=0,
        rows=((),) * seats,
        discard=(),
        unseen=0,
        turn=0,
        faces=(),
        playing_number=None,
        eligible=NOBODY,
        answered=NOBODY,
        points=nothing,
        balance=nothing,
    )


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (seats <= USUAL_SEATS, "max_seats", f"a table of {seats} is open without it"),
        (options.score_mode == "gross", "max_hands", "points received only grow, so the target ends the game"),
    )


def pack(s: Table) -> tuple[str, ...]:
    """N cards of each number, then the four extra ones, which are marked so that they can be told apart."""
    numbered = [str(n) for n in range(2, 11) for _ in range(s.seats)]
    return (*numbered, *(f"{n}*" for n in s.options.misc_cards))


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    match s.phase:
        case "throwing":
            return only(s.turn)
        case "discarding":
            return s.eligible
        case "game_over":
            return NOBODY
        case _:
            return CHANCE_ACTS


def chance(s: Table) -> Lot:
    return Dice(2 * len(s.throwing_for_deal), 6) if s.phase == "dealer_throw" else Shuffle(pack(s))


ROLL: Final = Roll()
PASS: Final = Pass()
PLAYS: Final = {n: PlayCard(n) for n in range(2, 11)}


def legal(s: Table, seat: Seat) -> Sequence[Command]:
    if s.phase == "throwing":
        return (ROLL,) if seat == s.turn else ()
    if s.phase != "discarding":
        return ()
    candidates: tuple[PlayCard | Pass, ...] = (PASS, *(PLAYS[n] for n in dict.fromkeys(s.rows[seat])))
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if isinstance(command, Roll):
        return objection_to_roll(s, seat)
    if s.options.discard_mode == "auto":
        return Refused("CK-R4", "not_at_this_table", "at this table discards happen by themselves")
    if isinstance(command, PlayCard):
        return objection_to_card(s, seat, command.card)
    if s.phase != "discarding" or seat not in s.eligible:
        return Refused("CK-R4", "nothing_to_answer", "there is no card to play or to keep")
    return None


def objection_to_roll(s: Table, seat: Seat) -> Refused | None:
    match s.phase:
        case "game_over":
            return Refused("CK-25", "wrong_phase", "the game is over")
        case "dealer_throw" | "deal":
            return Refused("CK-05", "wrong_phase", "the cards have not been dealt")
        case "discarding":
            return Refused("CK-10", "wrong_phase", "the last throw is not settled yet")
    if seat != s.turn:
        return not_your_turn("CK-10", s.turn)
    return None


def objection_to_card(s: Table, seat: Seat, card: int) -> Refused | None:
    if s.faces == (CHECK, CHECK):
        return Refused("CK-18", "no_discard", "nobody discards at a double check")
    if seat in s.answered:
        return Refused("CK-13", "already_answered", "one card a throw is all that may leave a row")
    if seat == last_thrower(s) and CHECK in s.faces:
        return Refused("CK-14", "no_discard", "a player who throws a CHECK may not discard")
    if s.phase != "discarding":
        return Refused("CK-12", "wrong_phase", "no throw is waiting for cards")
    if card not in s.rows[seat]:
        return Refused("CK-12", "not_in_hand", f"there is no {card} in your row")
    if card != s.playing_number:
        return Refused("CK-11", "wrong_number", f"the throw is {s.playing_number}, so a {card} cannot leave your row")
    return None


def last_thrower(s: Table) -> Seat:
    """Who made the throw that lies on the table: the dice move on to the left when it is settled."""
    return s.turn if s.phase == "discarding" else (s.turn - 1) % s.seats


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | Rolled | Shuffled) -> Sequence[Event] | Lot:
    match command:
        case Rolled(dice):
            faces = tuple(DIE[pips - 1] for pips in dice)
            return throw_for_deal(s, faces) if s.phase == "dealer_throw" else throw(s, faces)
        case Shuffled(deck):
            return [deal(s, deck)]
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case Roll():
            return Dice(2, 6)
        case PlayCard(card):
            return answer(s, seat, CardsDiscarded(card, (seat,)))
        case Pass():
            return answer(s, seat, DiscardPassed(seat))
        case _:
            assert_never(command)


def throw_for_deal(s: Table, faces: tuple[Face, ...]) -> Sequence[Event]:
    throws = tuple(faces[at : at + 2] for at in range(0, len(faces), 2))
    totals = [sum(face for face in pair if face != CHECK) for pair in throws]
    best = tuple(seat for seat, total in zip(s.throwing_for_deal, totals, strict=True) if total == max(totals))
    return [DealThrown(s.throwing_for_deal, throws, best)]


def deal(s: Table, deck: tuple[str, ...]) -> HandDealt:
    """Nine to each, one at a time from the dealer's left; the last four are the Discard."""
    dealer = next_dealer(s)
    if s.options.discard_seed == "misc":
        # One shuffle serves for both packs: each keeps the order that it brought to its own cards.
        deck = tuple(sorted(deck, key=lambda card: card.endswith("*")))
    cards = [int(card.rstrip("*")) for card in deck]
    rows = tuple(tuple(sorted(row)) for row in dealt(cards, dealer, s.seats, CARDS_EACH))
    under, top = cards[CARDS_EACH * s.seats : -1], cards[-1]
    return HandDealt(s.hand_no + 1, dealer, rows, top, hidden(tuple(under)))


def throw(s: Table, faces: tuple[Face, ...]) -> Sequence[Event]:
    thrower = s.turn
    spots = [face for face in faces if face != CHECK]
    taking = 2 - len(spots)
    playing = sum(spots) if spots else None
    kind: Literal["sum", "check", "double_check"] = ("sum", "check", "double_check")[taking]
    events: list[Event] = [DiceRolled(thrower, faces, kind, playing)]
    if taking:
        from_top = s.discard[::-1]
        events.append(CardsTaken(thrower, taking, from_top[:taking], next(iter(from_top[taking:]), None)))
    holders = holding(s, playing, without=thrower if taking else None)
    if not holders or playing is None or s.options.discard_mode == "manual":
        return events
    events.append(CardsDiscarded(playing, holders))
    left = [len(row) - (seat in holders) for seat, row in enumerate(s.rows)]
    if taking:
        left[thrower] += min(taking, len(s.discard))
    return [*events, *settle(s, left)]


def holding(s: Table, playing: int | None, without: Seat | None) -> tuple[Seat, ...]:
    """The seats that have this number in their row, the thrower first, then leftwards."""
    return tuple(seat for seat in around(s.turn, s.seats) if playing in s.rows[seat] and seat != without)


def answer(s: Table, seat: Seat, event: CardsDiscarded | DiscardPassed) -> Sequence[Event]:
    if s.eligible != {seat}:
        return [event]
    left = [len(row) for row in s.rows]
    left[seat] -= isinstance(event, CardsDiscarded)
    return [event, *settle(s, left)]


def settle(s: Table, left: list[int]) -> Sequence[Event]:
    """The hand is won if this throw left a seat without cards."""
    out = tuple(seat for seat in around(s.turn, s.seats) if left[seat] == 0)
    if not out:
        return []
    winner = out[0]
    balance = [-cards for cards in left]
    balance[winner] = sum(left)
    points = put(s.points, winner, s.points[winner] + sum(left))
    return [HandWon(winner, out, tuple(left), points, plus(s.balance, balance))]


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case DiceRolled(seat=seat, faces=faces, kind=kind, number=playing):
            asked = NOBODY
            if s.options.discard_mode == "manual":
                asked = frozenset(holding(s, playing, without=seat if kind == "check" else None))
            return s._replace(
                phase="discarding" if asked else "throwing",
                faces=faces,
                playing_number=playing,
                eligible=asked,
                answered=NOBODY,
                turn=seat if asked else left_of(seat, s.seats),
            )
        case CardsDiscarded(number=card, seats=seats):
            rows = list(s.rows)
            for seat in seats:
                at = rows[seat].index(card)
                rows[seat] = rows[seat][:at] + rows[seat][at + 1 :]
            return answered(s._replace(rows=tuple(rows), discard=s.discard + (card,) * len(seats)), seats)
        case CardsTaken(seat=seat, cards=cards):
            rest = s.discard[: len(s.discard) - len(cards)]
            row = tuple(sorted(s.rows[seat] + cards))
            # The card that now lies on top is seen from here on.
            return s._replace(rows=put(s.rows, seat, row), discard=rest, unseen=max(0, min(s.unseen, len(rest) - 1)))
        case DiscardPassed(seat=seat):
            return answered(s, (seat,))
        case HandWon(points=points, balance=balance):
            scored = s._replace(points=points, balance=balance)
            return scored._replace(phase="game_over" if decided(scored) else "deal")
        case HandDealt(hand_no=hand_no, dealer=dealer, rows=rows_dealt, discard_top=top, discard_under=under):
            return s._replace(
                phase="throwing",
                dealer=dealer,
                hand_no=hand_no,
                rows=rows_dealt,
                discard=(*under.value, top),
                unseen=len(under.value),
                turn=left_of(dealer, s.seats),
                faces=(),
                playing_number=None,
                answered=NOBODY,
            )
        case DealThrown(highest=highest):
            if len(highest) > 1:
                return s._replace(throwing_for_deal=highest)
            return s._replace(phase="deal", dealer=highest[0], throwing_for_deal=())
        case _:
            assert_never(event)


def answered(s: Table, seats: tuple[Seat, ...]) -> Table:
    """In manual mode the dice pass on when the last seat has answered."""
    if s.phase != "discarding":
        return s
    waiting = s.eligible - set(seats)
    s = s._replace(eligible=waiting, answered=s.answered | set(seats))
    return s if waiting else s._replace(phase="throwing", turn=left_of(s.turn, s.seats))


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def scores(s: Table) -> tuple[int, ...]:
    return s.points if s.options.score_mode == "gross" else s.balance


def decided(s: Table) -> bool:
    """Whether somebody has won the game: at the target, or after the last hand of a net game."""
    best = max(scores(s))
    if s.options.score_mode == "gross":
        return best >= s.options.target
    enough = best >= s.options.target or s.hand_no >= s.options.max_hands
    return enough and scores(s).count(best) == 1


def outcome(s: Table) -> Outcome | None:
    if s.phase != "game_over":
        return None
    reason = "target" if max(scores(s)) >= s.options.target else "max_hands"
    return Outcome(ranked(scores(s)), scores(s), reason)
