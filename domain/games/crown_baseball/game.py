"""Crown Baseball (Crown Cards, 1911): tricks that run a baseball game.

The dealer is in the field, the other seat at bat. Nine C cards, shuffled by themselves, are the field pack; of the 27
other cards from 1 to 9 each seat gets nine, and the dealer's last one is shown: its suit is trump. Before each trick a
field card is turned up; then the batter leads any card, and the dealer must follow suit if he can. The taker of the
trick decides what the field card means: a 1 is an out if the dealer takes it, and a three-base hit if the batter does.
Not every trick is worth having: on 2, 4 and 8 the batter is out if he takes it, and reaches first base if he does not.

Three outs end the half-inning; the sides change, and the former batter deals. If nine tricks bring fewer, the same
dealer deals again and the men stay on their bases. Nine innings are a game, and a tie is played off by further innings.
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
    choice,
    each_its_own,
    first_dealer,
    flag,
    hidden,
    ranked,
    record,
)
from domain.games.crown_baseball.diamond import EMPTY, OUTS, Bases, Class, Move, moved
from domain.kit.cards import Card, Cards, in_order, pack
from domain.kit.dealing import DealerChosen, dealt, lot_or_shuffle, named_dealer, unsealed
from domain.kit.plays import CardPlayed, PlayCard, TrickTaken, legal_plays, with_card_played
from domain.kit.refusals import no_hand, not_in_hand
from domain.kit.tricks import Trick, TrickCard, Voids, cards_of, no_voids, objection_to_following, shown_voids, taker
from domain.kit.turns import CHANCE_ACTS, NOBODY, only

FIELD_PACK: Final = pack(range(1, 10), "C")
PLAYING_PACK: Final = pack(range(1, 10), "ROW")
CARDS_EACH: Final = 9
INNINGS: Final = 9
Half = Literal["top", "bottom"]

FIELD: Final[Mapping[int, tuple[Class, Class]]] = {  # taken by the dealer, taken by the batter
    1: ("HOLD", "TPL"),  # out | three-base hit
    2: ("ADV1", "HOLD"),  # error | out
    3: ("DP1", "DBL"),  # out, double play with a man on first | two-base hit
    4: ("WALK", "HOLD"),  # base on balls | out
    5: ("HOLD", "ADV1"),  # out | safe hit
    6: ("SAC", "WALK"),  # sacrifice | base on balls
    7: ("DP2", "ADV1"),  # out, double play with a man on second | safe hit
    8: ("WALK", "HOLD"),  # base on balls | strike-out
    9: ("FLY", "ADV1"),  # out, but a man on third scores | safe hit
}

# ── The table ───────────────────────────────────────────────────────────────────────────────────────────────────


@record
class Options:
    first_dealer: str | int = first_dealer("CB-R1")
    lead: str = choice("batter", "winner", rule="CB-R3", text="Who leads after the first trick of a deal.")
    exhausted: str = choice(
        "redeal", "retire", rule="CB-R5", text="What follows nine tricks with fewer than three outs."
    )
    walk_off: bool = flag(False, rule="CB-R11", text="Whether the last half ends as soon as the side at bat leads.")


class Table(NamedTuple):
    options: Options
    seats: int
    dealer: Seat | None  # the side in the field
    inning: int = 0
    half: Half = "top"
    half_open: bool = False  # fewer than three are out, so a new deal goes on with the men on their bases
    playing: bool = False
    field: Cards = ()  # the field pack in its order
    turned: int = 0  # how many of it lie face up: the number of the trick
    hands: tuple[Cards, ...] = ((), ())
    unused: Cards = ()
    trump: str = ""
    trump_card: Card | None = None
    turn: Seat = 0
    trick: Trick = ()
    played: Cards = ()  # the cards of finished tricks
    bases: Bases = EMPTY
    outs: int = 0
    runs: int = 0  # of the half being played
    line: tuple[int, ...] = ()  # runs of the halves played, in their order
    voids: Voids = no_voids(2)


def setup(options: Options, seats: int) -> Table:
    return Table(options, seats, named_dealer(options.first_dealer))


def line_score(s: Table, seat: Seat) -> tuple[int, ...]:
    """The runs of a seat in each of its halves, the one being played included."""
    halves = (*s.line, s.runs) if s.half_open else s.line
    home = s.dealer if s.half == "top" else other(s.dealer)  # in the field first, at bat last
    return halves[1::2] if seat == home else halves[::2]


def totals(s: Table) -> tuple[int, ...]:
    return tuple(sum(line_score(s, seat)) for seat in range(s.seats))


def other(seat: Seat | None) -> Seat:
    return 1 - (seat or 0)


# ── Commands and events ─────────────────────────────────────────────────────────────────────────────────────────


@record
class FieldShuffled:
    """The field pack is shuffled and lies face down before the dealer."""

    field: Secret[Cards]


@record
class HandDealt:
    """Nine cards are dealt to each seat, and the dealer's last one is shown for trumps."""

    inning: int
    half: Half
    dealer: Seat
    redeal: bool
    trump_card: Card
    trump: str
    hands: tuple[Secret[Cards], ...]
    unused: Secret[Cards]


@record
class FieldTurned:
    """The field card of the next trick is turned up."""

    trick_no: int
    card: Card
    leader: Seat


@record
class MenMoved:
    """The men run as the field card says: where they are now, and the runs and outs of this play."""

    play: Class
    bases: Bases
    runs: int
    outs: int


@record
class HandExhausted:
    """Nine tricks bring fewer than three outs: the half goes on with a new deal."""

    bases: Bases
    outs: int


@record
class HalfEnded:
    """Half an inning is over: the men leave the bases and the sides change."""

    inning: int
    half: Half
    seat: Seat  # that was at bat
    runs: int
    reason: Literal["three_out", "retired", "walk_off"]


Dealing = DealerChosen | FieldShuffled | HandDealt
Playing = FieldTurned | CardPlayed | TrickTaken
Running = MenMoved | HandExhausted | HalfEnded
Event = Dealing | Playing | Running

# ── Whose turn, and what may be done ────────────────────────────────────────────────────────────────────────────


def to_act(s: Table) -> frozenset[Seat]:
    if s.playing:
        return only(s.turn)
    return NOBODY if is_over(s) else CHANCE_ACTS


def chance(s: Table) -> Lot:
    """The field pack is shuffled by itself, and before the deal."""
    return lot_or_shuffle(s, PLAYING_PACK if s.field else FIELD_PACK)


def legal(s: Table, seat: Seat) -> Sequence[PlayCard]:
    return legal_plays(s, seat, objection)


def objection(s: Table, seat: Seat, card: Card) -> Refused | None:
    """Why this card may not be played, or nothing. The one source of legality."""
    if not s.playing:
        return no_hand("CB-17" if is_over(s) else "CB-16" if s.inning else "CB-04")
    if seat != s.turn:
        rule, what = ("CB-09", "answer") if s.trick else ("CB-08", "lead")
        return Refused(rule, "not_your_turn", f"it is for seat {s.turn} to {what}")
    hand = s.hands[seat]
    if card not in hand:
        return not_in_hand("CB-02" if card.suit == "C" else "CB-09", card)
    return objection_to_following("CB-09", hand, s.trick, card)


# ── What follows from a command ─────────────────────────────────────────────────────────────────────────────────


def decide(s: Table, seat: Seat, command: PlayCard | Picked | Shuffled) -> Sequence[Event]:
    match command:
        case PlayCard(card=card):
            if refusal := objection(s, seat, card):
                raise refusal
            return play_card(s, seat, card)
        case Picked(index=index):
            return [DealerChosen(index)]
        case Shuffled(cards=deck):
            return deal(s, deck) if s.field else [FieldShuffled(hidden(deck))]
        case _:
            assert_never(command)


def deal(s: Table, deck: Cards) -> Sequence[Event]:
    """Nine each, the batter first, so that the last card falls to the dealer. Its suit is trump."""
    inning, half, dealer = due(s)
    batter = other(dealer)
    hands = dealt(deck, dealer, s.seats, CARDS_EACH)
    shown, unused = hands[dealer][-1], deck[2 * CARDS_EACH :]
    kept = each_its_own([in_order(hand) for hand in hands])
    return [
        HandDealt(inning, half, dealer, s.half_open, shown, shown.suit, kept, hidden(unused)),
        FieldTurned(1, s.field[0], batter),
    ]


def due(s: Table) -> tuple[int, Half, Seat]:
    """The half to be dealt for, and who deals: the former batter, unless the half is still open."""
    assert s.dealer is not None
    if s.half_open:
        return s.inning, s.half, s.dealer
    if s.inning == 0:
        return 1, "top", s.dealer
    if s.half == "top":
        return s.inning, "bottom", other(s.dealer)
    return s.inning + 1, "top", other(s.dealer)


def play_card(s: Table, seat: Seat, card: Card) -> Sequence[Event]:
    if not s.trick:
        return [CardPlayed(seat, card)]
    winner = taker((*s.trick, TrickCard(seat, card)), s.trump)
    by_dealer, by_batter = FIELD[s.field[s.turned - 1].number]
    play = by_dealer if winner == s.dealer else by_batter
    move = moved(play, s.bases, s.outs)
    return [CardPlayed(seat, card), TrickTaken(s.turned, winner), MenMoved(play, *move), what_next(s, winner, move)]


def what_next(s: Table, winner: Seat, move: Move) -> Event:
    """After a play: the end of the half, a new deal, or the field card of the next trick."""
    batter, runs, outs = other(s.dealer), s.runs + move.runs, s.outs + move.outs
    if outs >= OUTS:
        return HalfEnded(s.inning, s.half, batter, runs, "three_out")
    if s.options.walk_off and s.inning >= INNINGS and s.half == "bottom":
        score = totals(s)
        if score[batter] + move.runs > score[other(batter)]:
            return HalfEnded(s.inning, s.half, batter, runs, "walk_off")
    if s.turned < len(FIELD_PACK):
        return FieldTurned(s.turned + 1, s.field[s.turned], winner if s.options.lead == "winner" else batter)
    if s.options.exhausted == "retire":
        return HalfEnded(s.inning, s.half, batter, runs, "retired")
    return HandExhausted(move.bases, outs)


# ── The table after an event ────────────────────────────────────────────────────────────────────────────────────


def evolve(s: Table, event: Event) -> Table:
    match event:
        case CardPlayed(seat=seat, card=card):
            voids = shown_voids(s.voids, s.trick, seat, card)
            return with_card_played(s if voids is s.voids else s._replace(voids=voids), seat, card)
        case TrickTaken():
            return s._replace(trick=(), played=s.played + cards_of(s.trick))
        case MenMoved(bases=bases, runs=runs, outs=outs):
            return s._replace(bases=bases, runs=s.runs + runs, outs=s.outs + outs)
        case FieldTurned(trick_no=trick_no, leader=leader):
            return s._replace(turned=trick_no, turn=leader)
        case HandDealt():
            return s._replace(
                dealer=event.dealer,
                inning=event.inning,
                half=event.half,
                half_open=True,
                playing=True,
                hands=unsealed(event.hands),
                unused=event.unused.value,
                trump=event.trump,
                trump_card=event.trump_card,
                played=(),
                voids=no_voids(s.seats),
            )
        case FieldShuffled(field=field):
            return s._replace(field=field.value, turned=0)
        case HandExhausted():
            return s._replace(playing=False, field=(), unused=())
        case HalfEnded(runs=runs):
            return s._replace(
                half_open=False,
                playing=False,
                field=(),
                hands=((), ()),  # what is left is put away unseen
                unused=(),
                bases=EMPTY,
                outs=0,
                runs=0,
                line=(*s.line, runs),
            )
        case DealerChosen(seat=seat):
            return s._replace(dealer=seat)
        case _:
            assert_never(event)


# ── The end ─────────────────────────────────────────────────────────────────────────────────────────────────────


def is_over(s: Table) -> bool:
    """Nine innings or more and not level; where the last half may be left out, also if the side batting last leads."""
    if s.half_open or s.inning < INNINGS:
        return False
    first, last = sum(s.line[::2]), sum(s.line[1::2])
    return first != last if s.half == "bottom" else s.options.walk_off and last > first


def outcome(s: Table) -> Outcome | None:
    return Outcome(ranked(totals(s)), totals(s), "more_runs") if is_over(s) else None
