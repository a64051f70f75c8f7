"""Goat (Crown Cards, 1911): pass cards to the left until you hold a book, and do not be the last to lay down.

The whole pack is dealt. In each round every player pushes one card face down to the left, all at the same moment. A
player who holds the four cards of one number may lay his hand down; all others follow as fast as they can, and the last
of them is the goat. The book is put away, the cards are taken up again, and the passing goes on until nobody has four
cards left. A book is a point, the book of fives is six, the book of tens eleven. After five hands the largest total
wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, assert_never

from domain.game import (
    Alarm,
    Lot,
    Outcome,
    Picked,
    Refused,
    Seat,
    Secret,
    Shuffled,
    Template,
    TimeUp,
    choice,
    each_its_own,
    first_dealer,
    flag,
    number,
    record,
)
from domain.games.goat.books import book_of, books_in, grouped
from domain.games.goat.events import (
    BookPutAway,
    Command,
    Ending,
    Event,
    HandDealt,
    HandScored,
    LaidDown,
    LayDown,
    PassCard,
    PassChosen,
    RaceOpened,
    RoundPassed,
    Seats,
)
from domain.kit.cards import FULL_PACK, Card, Cards, without
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, next_dealer, unsealed
from domain.kit.idle import idle
from domain.kit.refusals import not_in_hand
from domain.kit.scores import leads_alone
from domain.kit.turns import CHANCE_ACTS, NOBODY, around, left_of, plus, put

MOST_EXTRA_HANDS: Final = 20
REACTION_MS: Final = (700, 2500)  # of a person in a race, from quick to slow

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    hands: int = number(5, 1, 20, rule="GO-R13", text="How many hands make a match.")
    first_dealer: str | int = first_dealer("GO-R02")
    race: str = choice("arrival", "off", rule="GO-R10", text="`off` for play by mail: a book goes away without a race.")
    race_timeout_ms: int = number(10_000, 0, 86_400_000, rule="GO-R10", text="When the clock ends a race; 0: never.")
    goat_penalty: int = number(0, 0, 5, rule="GO-R11", text="Points lost for each time a seat was the goat.")
    books_shown: bool = flag(False, rule="GO-R12", text="Whether all may see which book was put away.")
    stall_limit: int = number(40, 10, 500, rule="GO-R14", text="Rounds in a row without a book that end the hand.")
    tie_break: str = choice("share", "fewest_goats", "extra_hand", rule="GO-R15", text="What a tie for the lead means.")


Phase = Literal["awaiting_deal", "passing", "race"]


class Step(NamedTuple):
    """Cards that have moved: a round of passing, or a book that a seat put away."""

    seats: Seats  # the givers in order, each giving to the next; or the owner of the book
    cards: tuple[Card | None, ...]  # what each gave; or the book. None only where a table is imagined


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None
    hand_no: int
    phase: Phase
    round_no: int  # runs on through the match, so that a stale choice never fits a later hand
    quiet_rounds: int  # resolved in a row without a book
    hands: tuple[Cards, ...]
    choices: tuple[Card | None, ...]  # still in the hands until the round is resolved
    claim: int | None  # the number of the book that opened the race
    race: Seats  # who lies down, in order; kept after the race to tell latecomers
    books: tuple[tuple[int, ...], ...]
    goats: tuple[int, ...]  # how often in this hand
    goat_totals: tuple[int, ...]
    totals: tuple[int, ...]
    # No seat forgets what it gave and got, unless the table is imagined: then the others may know the end of it only.
    steps: tuple[Step, ...] = ()  # what has moved in this hand
    since: tuple[int, ...] = ()  # from which step on each seat remembers it
    dealt: tuple[Cards, ...] = ()  # what each seat held before that step


def setup(options: Options, seats: int) -> Table:
    dealer = named_dealer(options.first_dealer)
    nothing, none, zero = ((),) * seats, (None,) * seats, (0,) * seats
    return Table(options, seats, dealer, 0, "awaiting_deal", 1, 0, nothing, none, None, (), nothing, zero, zero, zero)


def idle_options(options: Options, seats: int) -> Mapping[str, str]:
    return idle(
        (options.race == "off", "race_timeout_ms", "without a race nobody can be late"),
        (seats == 2, "race_timeout_ms", "of two the second is the goat at once"),
        (options.race == "off", "goat_penalty", "without a race nobody is the goat"),
        (
            options.race == "off" and options.tie_break == "fewest_goats",
            "tie_break",
            "without a race nobody is the goat, so all are equal",
        ),
    )


def active(s: Table) -> Seats:
    """The seats that still hold cards, clockwise."""
    return tuple(seat for seat, hand in enumerate(s.hands) if hand)


# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    """In a round those who have not chosen. That others may hold a book is not for the table to know."""
    if s.phase == "passing":
        return frozenset([seat for seat, hand in enumerate(s.hands) if hand and s.choices[seat] is None])
    if s.phase == "race":
        return frozenset(active(s)).difference(s.race)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    return lot_or_shuffle(s, FULL_PACK)


def alarm(s: Table) -> Alarm | None:
    """A race voids exactly one round, so the round's number names the race."""
    if s.phase != "race" or not s.options.race_timeout_ms:
        return None
    return Alarm(f"race of round {s.round_no}", s.options.race_timeout_ms)


def round_of(s: Table) -> int:
    """A race stands between two rounds of passing."""
    return 2 * s.round_no + (s.phase == "race")


def order(s: Table) -> Seats:
    """In a race clockwise from whoever opened it, as GO-20 has it; in a round of passing from eldest."""
    return around(s.race[0] if s.phase == "race" else left_of(s.dealer or 0, s.seats), s.seats)


def pause(s: Table, seat: Seat) -> tuple[int, int]:
    """In a race a bot takes about as long as a person who has to notice it, and less where the clock is quick."""
    if s.phase != "race":
        return 0, 0
    shortest, longest = REACTION_MS
    timeout = s.options.race_timeout_ms
    return (min(shortest, timeout * 7 // 100), min(longest, timeout // 4)) if timeout else REACTION_MS


LAY_DOWN: Final = LayDown()
# A claim that meets an open race is taken for an ordinary answer, whatever it names.
ANSWERS: Final = (LAY_DOWN, Template(LayDown, {"number": "ignored", "round_no": "ignored"}, lambda _: LAY_DOWN))


def legal(s: Table, seat: Seat) -> Sequence[Command | Template]:
    if s.phase == "race":
        return () if objection(s, seat, LAY_DOWN) else ANSWERS
    if s.phase != "passing":
        return ()
    hand = s.hands[seat]
    candidates: list[Command] = [PassCard(card, s.round_no) for card in hand]
    candidates += [LayDown(book, s.round_no) for book in books_in(hand)]
    return [command for command in candidates if not objection(s, seat, command)]


def objection(s: Table, seat: Seat, command: Command | TimeUp) -> Refused | None:
    """Why this command cannot be accepted, or nothing. The one source of legality."""
    if isinstance(command, TimeUp):
        return None if alarm(s) else Refused("GO-20", "wrong_phase", "no race runs against the clock")
    if s.phase == "awaiting_deal":
        rule, text = ("GO-32", "the match is over") if is_over(s) else ("GO-05", "the cards have not been dealt")
        return Refused(rule, "wrong_phase", text)
    if isinstance(command, PassCard):
        return objection_to_pass(s, seat, command)
    return objection_to_lay_down(s, seat, command)


def objection_to_pass(s: Table, seat: Seat, command: PassCard) -> Refused | None:
    hand = s.hands[seat]
    if not hand:
        return Refused("GO-09", "out_of_cards", "you have no cards left, so the passing goes past you")
    if s.phase == "race":
        return Refused("GO-15", "race_open", f"seat {s.race[0]} has laid down, and no card moves until all have")
    if command.round_no != s.round_no:
        return stale(s, seat, command.round_no)
    if s.choices[seat] is not None:
        return Refused("GO-07", "already_chosen", "your card for this round lies on the table and cannot be taken back")
    if command.card not in hand:
        return not_in_hand("GO-06", command.card)
    return None


def objection_to_lay_down(s: Table, seat: Seat, command: LayDown) -> Refused | None:
    if not s.hands[seat]:
        return Refused("GO-24", "out_of_cards", "you have no cards left to lay down")
    if s.phase == "race":
        if seat in s.race:
            return Refused("GO-16", "already_down", f"you lie down already, in place {s.race.index(seat) + 1}")
        return None
    if command.number is None:
        return Refused("GO-13", "no_book", f"to lay down first, name the number of your book{last_race(s, seat)}")
    if command.round_no is not None and command.round_no != s.round_no:
        return stale(s, seat, command.round_no)
    if command.number not in books_in(s.hands[seat]):
        return Refused("GO-13", "no_book", f"you do not hold four cards of the number {command.number}")
    if command.round_no is None:
        return Refused("GO-08", "round_missing", f"who lays down first names the round too, which is {s.round_no}")
    return None


def stale(s: Table, seat: Seat, round_no: int) -> Refused:
    return Refused("GO-08", "stale_round", f"this is round {s.round_no}, not round {round_no}{last_race(s, seat)}")


def last_race(s: Table, seat: Seat) -> str:
    """What became of the race for which a command may have come too late."""
    if seat not in s.race:
        return ""
    place = "you are the goat" if seat == s.race[-1] else f"your place is {s.race.index(seat) + 1}"
    return f"; the race that seat {s.race[0]} opened is over, and {place}"


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: Command | TimeUp | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return [deal(s, deck)]
    if refusal := objection(s, seat, command):
        raise refusal
    match command:
        case PassCard(card=card):
            return pass_card(s, seat, card)
        case LayDown(number=claimed):
            return follow(s, (seat,)) if s.phase == "race" or claimed is None else claim(s, seat, claimed)
        case TimeUp():
            late = [other for other in around(s.race[0], s.seats) if s.hands[other] and other not in s.race]
            return follow(s, late[:-1], auto=True)
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> HandDealt:
    """The whole pack, one card at a time from eldest, so that the first seats may get one more."""
    dealer = next_dealer(s)
    hands = [grouped(hand) for hand in dealt(deck, dealer, s.seats)]
    return HandDealt(s.hand_no + 1, dealer, tuple(len(hand) for hand in hands), each_its_own(hands))


def pass_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    """The last choice of a round moves all the cards."""
    chosen = PassChosen(seat, Secret(card, (seat,)))
    if len(to_act(s)) > 1:
        return [chosen]
    givers = active(s)
    cards = []
    for giver, receiver in zip(givers, givers[1:] + givers[:1], strict=True):
        given = card if giver == seat else s.choices[giver]
        assert given is not None
        cards.append(Secret(given, tuple(sorted((giver, receiver)))))
    moved = RoundPassed(s.round_no, givers, tuple(cards))
    if s.quiet_rounds + 1 < s.options.stall_limit:
        return [chosen, moved]
    return [chosen, moved, *clear(evolve(s, moved), "stall")]


def claim(s: Table, seat: Seat, book: int) -> Sequence[Event]:
    """A book stops the round and opens a race for the places after it."""
    voided = tuple(other for other, card in enumerate(s.choices) if card is not None)
    if s.options.race == "off":
        return play_on(s, put_away(s, seat, book, voided=voided))
    opened = RaceOpened(seat, Secret(book, (seat,)), voided)
    return [opened, *follow(evolve(s, opened), ())]


def follow(s: Table, seats: Sequence[Seat], auto: bool = False) -> Sequence[Event]:
    """These seats lay down, one after another. When one alone is left it is the goat, and the race is over."""
    order = (*s.race, *seats)
    events: list[Event] = [LaidDown(seat, order.index(seat) + 1, auto) for seat in seats]
    standing = tuple(seat for seat in active(s) if seat not in order)
    if len(standing) > 1:
        return events
    assert s.claim is not None
    return [*events, *play_on(s, put_away(s, order[0], s.claim, order + standing))]


def put_away(s: Table, seat: Seat, book: int, order: Seats = (), voided: Seats = ()) -> BookPutAway:
    audience = None if s.options.books_shown else (seat,)
    return BookPutAway(seat, Secret(book, audience), order, order[-1] if order else None, voided)


def play_on(s: Table, booked: BookPutAway) -> list[Event]:
    """After a book a last seat's cards are a book too; without four cards anywhere the hand ends."""
    s = evolve(s, booked)
    if len(active(s)) == 1:
        return [booked, *clear(s, "all_booked")]
    if max(map(len, s.hands)) < 4:
        return [booked, score(s, "no_four")]
    return [booked]


def clear(s: Table, reason: Ending) -> list[Event]:
    """The books that nobody laid down are put away for their holders, without a race, and the hand is scored."""
    events: list[Event] = [put_away(s, seat, book) for seat, hand in enumerate(s.hands) for book in books_in(hand)]
    for event in events:
        s = evolve(s, event)
    return [*events, score(s, reason)]


def score(s: Table, reason: Ending) -> HandScored:
    won = [sum(map(points, numbers)) for numbers in s.books]
    delta = tuple(mine - s.options.goat_penalty * times for mine, times in zip(won, s.goats, strict=True))
    return HandScored(reason, s.books, s.hands, s.goats, plus(s.goat_totals, s.goats), delta, plus(s.totals, delta))


def points(book: int) -> int:
    """One for a book, five more for the fives and ten more for the tens."""
    return 1 + (book if book in (5, 10) else 0)


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case PassChosen(seat=seat, card=card):
            return s._replace(choices=put(s.choices, seat, card.value))
        case RoundPassed(seats=seats, cards=secrets):
            hands, cards = list(s.hands), unsealed(secrets)
            for place, seat in enumerate(seats):
                hands[seat] = grouped((*without(hands[seat], cards[place]), cards[place - 1]))
            steps = (*s.steps, Step(seats, cards))
            return fresh_round(s._replace(hands=tuple(hands), quiet_rounds=s.quiet_rounds + 1, steps=steps))
        case RaceOpened(seat=seat, number=claimed):
            return s._replace(phase="race", race=(seat,), claim=claimed.value, choices=(None,) * s.seats)
        case LaidDown(seat=seat):
            return s._replace(race=(*s.race, seat))
        case BookPutAway(seat=seat, number=book, order=order, goat=goat):
            left = tuple(card for card in s.hands[seat] if card.number != book.value)
            books = put(s.books, seat, (*s.books[seat], book.value))
            goats = s.goats if goat is None else put(s.goats, goat, s.goats[goat] + 1)
            steps = (*s.steps, Step((seat,), book_of(book.value)))
            s = s._replace(hands=put(s.hands, seat, left), race=order, books=books, goats=goats, quiet_rounds=0)
            return fresh_round(s._replace(steps=steps))
        case HandScored(goat_totals=goat_totals, totals=totals):
            return s._replace(phase="awaiting_deal", goat_totals=goat_totals, totals=totals)
        case HandDealt(hand_no=hand_no, dealer=dealer, hands=dealt_hands):
            dealt_now = unsealed(dealt_hands)
            s = s._replace(hands=dealt_now, books=((),) * s.seats, goats=(0,) * s.seats)
            s = s._replace(steps=(), since=(0,) * s.seats, dealt=dealt_now)
            return s._replace(phase="passing", dealer=dealer, hand_no=hand_no, quiet_rounds=0, race=())
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


def fresh_round(s: Table) -> Table:
    return s._replace(phase="passing", round_no=s.round_no + 1, choices=(None,) * s.seats, claim=None)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    if s.phase != "awaiting_deal" or s.hand_no < s.options.hands:
        return False
    decided = s.options.tie_break != "extra_hand" or leads_alone(s.totals)
    return decided or s.hand_no >= s.options.hands + MOST_EXTRA_HANDS


def outcome(s: Table) -> Outcome | None:
    if not is_over(s):
        return None
    by_goats = s.options.tie_break == "fewest_goats"
    standing = [(-s.totals[seat], s.goat_totals[seat] if by_goats else 0) for seat in range(s.seats)]
    places = tuple(1 + sum(other < mine for other in standing) for mine in standing)
    return Outcome(places, s.totals, "largest_total")
