"""Where the cards can have gone that a seat has lost to its left.

All other hidden cards of Nix are alike to a seat. Of these it knows who had them at a certain moment, and it may learn
later where they have got to. They are followed through the draws between others, where the seat sees that a card goes
from one hand to another, but not which. The ways they can have taken are counted from the deal until now, and one of
them is then chosen from now back to the deal.

What is counted are histories told backwards. At a blind draw the drawer gives back any one of its cards, at most one of
which is a followed card; told like this, the other cards put no conditions on one another.

At a small table all ways are counted. At a large one there are millions, and a random sample of them is carried along,
in which every way has its proper weight on average.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import perm
from typing import Final, NamedTuple

from domain.game import Seat, record
from domain.kit.trixcards import TrixCard
from domain.kit.unseen import Below, below_large

NOWHERE: Final = -1
EXACT: Final = 400  # so many places of the followed cards at a time are all counted
SAMPLE: Final = 48  # so many are carried along where there are more

# Three things: how many of the followed cards that are still hidden now each seat has; where each of those is that will
# be found before; where the card is that is wanted now. The first need no names: which is which is settled where they
# were lost.
Place = tuple[tuple[int, ...], tuple[Seat, ...], Seat]
Weights = dict[Place, float]

# ── What happens to the followed cards ──────────────────────────────────────────────────────────────────────────


@record
class Blind:
    """Somebody draws a card from somebody else, and the seat does not see which."""

    drawer: Seat
    victim: Seat
    size: int  # of the drawer's hand afterwards,
    left: int  # and of the victim's
    holder: Seat  # of the card wanted then, which is not the one that was drawn
    followed: tuple[TrixCard, ...]  # those that will be found


@record
class Lost:
    """A card goes from the seat's own hand to this one."""

    drawer: Seat
    will_be_found: bool


@record
class Found:
    """It turns out that this one of the followed cards is here now."""

    which: int
    seat: Seat


@record
class Wanted:
    """The card that is wanted now became so, and has not moved since: it is with one of these seats."""

    seats: tuple[Seat, ...]
    which: int | None  # among the followed cards, if it is one of them


@record
class Shrunk:
    """A card has left this hand in the sight of all, or of the seat, and only so many are left."""

    seat: Seat
    left: int


Happening = Blind | Lost | Found | Wanted | Shrunk


class Script(NamedTuple):
    """All that has happened to the followed cards, and how many cards each of the other seats holds now."""

    happenings: tuple[Happening, ...]
    sizes: tuple[int, ...]


def after(what: Lost | Found | Wanted | Shrunk, place: Place) -> Iterator[Place]:
    """Where the cards can be afterwards."""
    hidden, found, wanted = place
    match what:
        case Lost(drawer=drawer, will_be_found=True):
            yield hidden, (*found, drawer), wanted
        case Lost(drawer=drawer):
            yield _changed(hidden, drawer, 1), found, wanted
        case Found(which=index, seat=seat):
            if found[index] == seat:
                yield hidden, (*found[:index], *found[index + 1 :]), wanted
        case Wanted(seats=seats, which=None):
            for seat in seats:
                yield hidden, found, seat
        case Wanted(seats=seats, which=index):
            assert index is not None
            if found[index] in seats:
                yield hidden, (*found[:index], *found[index + 1 :]), found[index]
        case Shrunk(seat=seat, left=left):
            if _marked(place, seat) <= left:
                yield place


def after_blind(what: Blind, weights: Weights) -> Weights:
    """Where the cards can be after a blind draw, by the number of ways in which they get there."""
    drawer, victim = what.drawer, what.victim
    carried: Weights = {}
    for place, weight in weights.items():
        hidden, found, wanted = place
        weight /= what.size
        # A hand can hold no more followed cards than it has cards.
        room = what.left - _marked(place, victim) - (what.holder == victim)
        others = what.size - _marked(place, drawer) - (what.holder == drawer)
        if room >= 0 and others > 0:
            carried[place] = carried.get(place, 0.0) + weight * others
        if room < -1:
            continue
        if hidden[victim]:
            then = (_moved(hidden, victim, drawer), found, wanted)
            carried[then] = carried.get(then, 0.0) + weight * hidden[victim]
        if victim in found:
            for index, seat in enumerate(found):
                if seat == victim:
                    then = (hidden, (*found[:index], drawer, *found[index + 1 :]), wanted)
                    carried[then] = carried.get(then, 0.0) + weight
    return carried


def before(what: Happening, place: Place) -> Iterator[tuple[Place, float]]:
    """Where the cards can have been before, and in how many ways they got from there."""
    hidden, found, wanted = place
    match what:
        case Blind(drawer=drawer, victim=victim, size=size):
            others = size - _marked(place, drawer) - (what.holder == drawer)
            yield place, max(0, others) / size
            if hidden[drawer]:
                yield (_moved(hidden, drawer, victim), found, wanted), (hidden[victim] + 1) / size
            for index, seat in enumerate(found):
                if seat == drawer:
                    yield (hidden, (*found[:index], victim, *found[index + 1 :]), wanted), 1 / size
        case Lost(will_be_found=True):
            yield (hidden, found[:-1], wanted), 1.0
        case Lost(drawer=drawer):
            yield (_changed(hidden, drawer, -1), found, wanted), 1.0
        case Found(which=index, seat=seat):
            yield (hidden, (*found[:index], seat, *found[index:]), wanted), 1.0
        case Wanted(which=None):
            yield (hidden, found, NOWHERE), 1.0
        case Shrunk():
            yield place, 1.0
        case Wanted(which=index):
            yield (hidden, (*found[:index], wanted, *found[index:]), NOWHERE), 1.0


def _marked(place: Place, seat: Seat) -> int:
    hidden, found, wanted = place
    return hidden[seat] + found.count(seat) + (wanted == seat)


def _changed(counts: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    return (*counts[:seat], counts[seat] + by, *counts[seat + 1 :])


def _moved(counts: tuple[int, ...], source: Seat, target: Seat) -> tuple[int, ...]:
    found = list(counts)
    found[source] -= 1
    found[target] += 1
    return tuple(found)


# ── Counting from the deal until now ────────────────────────────────────────────────────────────────────────────


class Counted(NamedTuple):
    """The weight of every place of the followed cards, before all and after each happening."""

    script: Script
    weights: tuple[Weights, ...]


@lru_cache(maxsize=64)
def counted(script: Script) -> Counted | None:
    """All ways; None where they are too many."""
    weights = _start(script)
    found = [weights]
    for what in script.happenings:
        weights = _carried(what, weights)
        if len(weights) > EXACT:
            return None
        found.append(weights)
    return Counted(script, tuple(found))


def sampled(script: Script, below: Below) -> Counted:
    """A sample of the ways. It can end in a dead end, where no way of the sample fits; a larger one is then drawn."""
    promise = _promise(script)
    keep = SAMPLE
    while True:
        weights = _start(script)
        found = [weights]
        for what, hopes in zip(script.happenings, promise, strict=True):
            weights = _thinned(_carried(what, weights), hopes, keep, below)
            found.append(weights)
        if any(_fillings(script, place) for place in weights):
            return Counted(script, tuple(found))
        keep *= 4


def _start(script: Script) -> Weights:
    return {((0,) * len(script.sizes), (), NOWHERE): 1.0}


def _carried(what: Happening, weights: Weights) -> Weights:
    if isinstance(what, Blind):
        return after_blind(what, weights)
    carried: Weights = {}
    for place, weight in weights.items():
        for then in after(what, place):
            carried[then] = carried.get(then, 0.0) + weight
    return carried


# ── Thinning out ────────────────────────────────────────────────────────────────────────────────────────────────


class Hopes(NamedTuple):
    """How likely it is, by seat, that a followed card which is there now gets to where it has to be in the end: one
    that is still hidden now, and each of those that will be found. It is reckoned as if each went its way alone."""

    hidden: Sequence[float]
    found: tuple[Sequence[float], ...]

    def of(self, place: Place) -> float:
        hidden, found, _ = place
        hope = 1.0
        for seat, count in enumerate(hidden):
            if count:
                hope *= self.hidden[seat] ** count
        for chances, seat in zip(self.found, found, strict=True):
            hope *= chances[seat]
        return hope


@lru_cache(maxsize=64)
def _promise(script: Script) -> tuple[Hopes, ...]:
    """The hopes after each happening."""
    seats = range(len(script.sizes))
    hopes = Hopes([float(size) for size in script.sizes], ())
    found = []
    for what in reversed(script.happenings):
        found.append(hopes)
        match what:
            case Blind(drawer=drawer, victim=victim, size=size):
                hopes = Hopes(
                    _earlier(hopes.hidden, drawer, victim, size),
                    tuple(_earlier(chances, drawer, victim, size) for chances in hopes.found),
                )
            case Lost(will_be_found=True):
                hopes = hopes._replace(found=hopes.found[:-1])
            case Found(which=index, seat=here):
                there = [float(seat == here) for seat in seats]
                hopes = hopes._replace(found=(*hopes.found[:index], there, *hopes.found[index:]))
            case Wanted(seats=here, which=int(index)):
                there = [float(size) if seat in here else 0.0 for seat, size in enumerate(script.sizes)]
                hopes = hopes._replace(found=(*hopes.found[:index], there, *hopes.found[index:]))
    return tuple(reversed(found))


def _earlier(chances: Sequence[float], drawer: Seat, victim: Seat, size: int) -> Sequence[float]:
    earlier = list(chances)
    earlier[victim] += chances[drawer] / size
    earlier[drawer] *= (size - 1) / size
    return earlier


def _thinned(weights: Weights, hopes: Hopes, keep: int, below: Below) -> Weights:
    """So many of the places, the likely ones rather than the others; what is kept stands for what is not.

    A place that alone has more than its share is kept as it is. Of the others each is kept with a chance that goes by
    its weight, and then has the weight of a share: so every weight is right on average.
    """
    if len(weights) <= keep:
        return weights
    rated = [(weight * hopes.of(place), place) for place, weight in weights.items()]
    rated = [(score, place) for score, place in rated if score > 0]
    if len(rated) <= keep:
        return {place: weights[place] for _, place in rated}
    rated.sort(key=lambda one: one[0], reverse=True)
    total, large = sum(score for score, _ in rated), 0
    while large < keep - 1 and rated[large][0] * (keep - large) > total:
        total -= rated[large][0]
        large += 1
    share = total / (keep - large)
    kept = {place: weights[place] for _, place in rated[:large]}
    reach = share * _fraction(below)
    for score, place in rated[large:]:
        reach -= score
        if reach < 0:
            kept[place] = weights[place] * share / score
            reach += share
    return kept


def _fraction(below: Below) -> float:
    return below_large(below, 1 << 48) / (1 << 48)


# ── Chosen from now back to the deal ────────────────────────────────────────────────────────────────────────────


def drawn_back(ways: Counted, below: Below) -> list[Place]:
    """Where the followed cards were before all and after each happening, every way as likely as any other."""
    script, weights = ways
    last = {place: weight * _fillings(script, place) for place, weight in weights[-1].items()}
    place = _picked(last, below)
    found = [place]
    for what, earlier in zip(reversed(script.happenings), reversed(weights[:-1]), strict=True):
        choices: Weights = {}
        for then, count in before(what, place):
            if count and then in earlier:
                choices[then] = earlier[then] * count
        place = _picked(choices, below) if len(choices) > 1 else next(iter(choices))
        found.append(place)
    return found[::-1]


def _fillings(script: Script, place: Place) -> int:
    """In how many ways the other hidden cards can lie about these, but for a factor that is always the same."""
    hidden, _, wanted = place
    ways = 1
    for seat, size in enumerate(script.sizes):
        marked = hidden[seat] + (wanted == seat)
        if marked > size:
            return 0
        ways *= perm(size, marked)
    return ways


def _picked(weights: Mapping[Place, float], below: Below) -> Place:
    reach = _fraction(below) * sum(weights.values())
    likely = None
    for place, weight in weights.items():
        if weight:
            likely = place
            reach -= weight
            if reach < 0:
                break
    assert likely is not None, "no way fits what is known"
    return likely
