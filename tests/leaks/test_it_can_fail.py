"""Games with a leak put into them: the leak test finds every one."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from domain.game import Game, Refused, Secret
from domain.games import GAMES
from domain.games.aviation.events import CardsGiven
from domain.games.baffle.events import CardPlayed as BafflePlayed
from domain.games.checkers.events import Huff
from domain.games.flique.events import CardDiscarded, GameDrawn
from domain.games.flique.events import CardDrawn as FliqueDrawn
from domain.games.flique.game import fault_in
from domain.games.goat.books import books_in
from domain.games.goat.events import PassChosen, RoundPassed
from domain.games.grafto.events import GraftDeclined, Grafted, HandDealt
from domain.games.nix.events import CardDrawn as NixDrawn
from domain.games.rustle.game import PacketsTakenUp
from domain.games.secret_seven.events import SecretSet
from domain.games.secret_seven.events import TrickTaken as SevenTaken
from domain.games.secret_seven.sevens import holds_numbers
from domain.games.trix.game import CardDrawn as TrixDrawn
from tests.leaks.coupling import Leak
from tests.leaks.running import SHORT, run, short_settings

BY_SLUG = {game.slug: game for game in GAMES}
Mutation = Callable[[Game[Any]], Game[Any]]


def leak_in(game: Game[Any]) -> str | None:
    """What the short version of the leak test finds in this game, from its last table, with many options, to the first."""
    for number, setting in reversed(list(enumerate(short_settings(game)))):
        try:
            run(game, setting, f"{game.slug} {number}", SHORT)
        except Leak as leak:
            return str(leak)
    return None


# ── Ways to leak ────────────────────────────────────────────────────────────────────────────────────────────────


def view_shows(tell: Callable[[Any, int | None], Any]) -> Mutation:
    """The view has one more entry."""
    return lambda game: replace(game, view=lambda s, seat: {**game.view(s, seat), "leak": tell(s, seat)})


def refusal_tells(tell: Callable[[Any, int, Any], str], *, of: str = "text") -> Mutation:
    """The text, the code or the rule of a refusal says more."""

    def mutate(game: Game[Any]) -> Game[Any]:
        def decide(s: Any, seat: int, command: Any) -> Any:
            try:
                return game.decide(s, seat, command)
            except Refused as refusal:
                setattr(refusal, of, getattr(refusal, of) + tell(s, seat, command))
                raise

        return replace(game, decide=decide)

    return mutate


def legal_depends(on: Callable[[Any, int], bool]) -> Mutation:
    """The legal list stands in another order."""
    return lambda game: replace(game, legal=lambda s, seat: list(game.legal(s, seat))[:: -1 if on(s, seat) else 1])


def events_become(change: Callable[[Any, list[Any]], list[Any]]) -> Mutation:
    """What a command brings about is changed."""

    def mutate(game: Game[Any]) -> Game[Any]:
        def decide(s: Any, seat: int, command: Any) -> Any:
            events = game.decide(s, seat, command)
            return change(s, list(events)) if isinstance(events, list) else events

        return replace(game, decide=decide)

    return mutate


def shown_to_all(kind: type[Any], field: str, when: Callable[[Any, Any], bool] = lambda s, event: True) -> Mutation:
    """A field of an event loses its audience."""

    def open_up(s: Any, event: Any) -> Any:
        if not isinstance(event, kind) or not when(s, event):
            return event
        return replace(event, **{field: Secret(getattr(event, field).value, None)})

    return events_become(lambda s, events: [open_up(s, event) for event in events])


def left_neighbour(s: Any, seat: int) -> int:
    return (seat + 1) % int(s.seats)


def holder(s: Any, card: Any) -> str:
    return str([at for at, hand in enumerate(s.hands) if card in hand])


def others_card(s: Any, seat: int) -> str:
    """The first card in the hand of the left neighbour."""
    return str(s.hands[left_neighbour(s, seat)][:1])


def grafto_extra_event(s: Any, events: list[Any]) -> list[Any]:
    first = events[0]
    if len(events) == 1 and isinstance(first, HandDealt) and first.stock.value and first.stock.value[0].number > 9:
        return [*events, GraftDeclined(first.dealer)]
    return events


def flique_end_by_the_hand(s: Any, events: list[Any]) -> list[Any]:
    """The game ends when the rival cannot take the last discard, which tells about the rival's hand."""
    first = events[0]
    if not isinstance(first, CardDiscarded) or s.reserve:
        return events
    rival = s.hands[1 - first.seat]
    takes = any(not fault_in(s, (first.card, held)) for held in rival)
    return [first] if takes else [first, GameDrawn(False)]


def checkers_points_at_the_guilty(game: Game[Any]) -> Game[Any]:
    """Only the pieces at fault can be huffed, where offences are not announced."""

    def legal(s: Any, seat: int) -> list[Any]:
        guilty = s.offence.pieces if s.offence else ()
        return [c for c in game.legal(s, seat) if not isinstance(c, Huff) or c.square in guilty]

    return replace(game, legal=legal)


def seven_calls_for_the_secret(s: Any, events: list[Any]) -> list[Any]:
    """Play waits for the dealer only when there is something to call."""
    for at, event in enumerate(events):
        if isinstance(event, SevenTaken) and event.call_open and max(map(len, s.hands)) > 1:
            cards = (*(play.card for play in s.trick), events[0].card)
            return [*events[:at], replace(event, call_open=holds_numbers(cards, s.combo)), *events[at + 1 :]]
    return events


def to_partner(kind: type[Any], field: str) -> Mutation:
    """A seat's own secret is its partner's too."""
    return events_become(
        lambda s, events: [
            replace(event, **{field: Secret(getattr(event, field).value, (event.seat, (event.seat + 2) % 4))})
            if isinstance(event, kind) and s.seats == 4
            else event
            for event in events
        ]
    )


def packets_for_all(s: Any, events: list[Any]) -> list[Any]:
    """The last packets of three seats are taken up in the open."""
    return [
        replace(event, hands=tuple(Secret(one.value, None) for one in event.hands))
        if isinstance(event, PacketsTakenUp) and s.seats == 3
        else event
        for event in events
    ]


def all_hands(s: Any, seat: int | None) -> Any:
    return s.hands


LEAKS: dict[str, tuple[str, Mutation]] = {
    # views
    "the stock's top card in the view": ("grafto", view_shows(lambda s, seat: s.stock[:1])),
    "the reserve's top card in the view of Trix": ("trix", view_shows(lambda s, seat: s.reserve[:1])),
    "the reserve's top card in the view of Flique": ("flique", view_shows(lambda s, seat: s.reserve[:1])),
    "the drawn card in the view of the rival": ("flique", view_shows(lambda s, seat: s.drawn)),
    "the second card of the pack": ("jack-daw", view_shows(lambda s, seat: s.pack[1:2])),
    "the next field card": ("crown-baseball", view_shows(lambda s, seat: s.field[s.turned : s.turned + 1])),
    "a covered card of a drome": ("aviation", view_shows(lambda s, seat: [drome[:-1][-1:] for drome in s.dromes])),
    "a face-down packet, to its owner": (
        "rustle",
        view_shows(lambda s, seat: [packet[seat or 0] for packet in s.face_down]),
    ),
    "the Kid-O card before the count": (
        "kid-o",
        view_shows(lambda s, seat: s.playing and max((c for h in s.hands for c in h), key=lambda c: c.number)),
    ),
    "the lowest card of the Discard": ("check-and-double-check", view_shows(lambda s, seat: s.discard[:1])),
    "an offence that is not announced": ("checkers", view_shows(lambda s, seat: s.offence and s.offence.kind)),
    "covered totals": ("trix", view_shows(lambda s, seat: s.options.hide_totals and s.side_totals)),
    "the secret numbers": ("secret-seven", view_shows(lambda s, seat: s.combo)),
    "the cards over": ("secret-seven", view_shows(lambda s, seat: s.over)),
    "the chosen cards": ("goat", view_shows(lambda s, seat: s.choices)),
    "who holds a book": ("goat", view_shows(lambda s, seat: [bool(books_in(hand)) for hand in s.hands])),
    "the number of the book in a race": ("goat", view_shows(lambda s, seat: s.claim)),
    "missed trumps": ("baffle", view_shows(lambda s, seat: s.missed)),
    "the cop hand": ("baffle", view_shows(lambda s, seat: s.cop)),
    "what was laid down": ("baffle", view_shows(lambda s, seat: s.laid_down)),
    "the holder of Nix": ("nix", view_shows(lambda s, seat: holder(s, "0-0"))),
    "the extras": ("quenette", view_shows(lambda s, seat: s.extras)),
    "the extras, to their taker where nobody sees them": (
        "quenette",
        view_shows(lambda s, seat: s.extras if s.extras_taker == seat and s.options.extras_view == "none" else ()),
    ),
    "the holder of the Prince": ("prince-and-pauper", view_shows(lambda s, seat: holder(s, "PRINCE"))),
    "a hand, to the spectators alone": ("quenette", view_shows(lambda s, seat: s.hands if seat is None else ())),
    # leaks that wait for their moment
    "hands at a table of nine": ("nix", view_shows(lambda s, seat: s.hands if s.seats >= 9 else ())),
    "hands at a table of eight": ("nix", view_shows(lambda s, seat: s.hands if s.seats == 8 else ())),
    "hands at a table of six": ("grafto", view_shows(lambda s, seat: s.hands if s.seats == 6 else ())),
    "hands at a table of thirteen": ("goat", view_shows(lambda s, seat: s.hands if s.seats == 13 else ())),
    "hands from the second on": ("quenette", view_shows(lambda s, seat: s.hands if s.hand_no > 1 else ())),
    "hands from the second on in Goat": ("goat", view_shows(lambda s, seat: s.hands if s.hand_no > 1 else ())),
    "hands from the third on": ("kid-o", view_shows(lambda s, seat: s.hands if s.hand_no > 2 else ())),
    "hands where ties are played off": (
        "quenette",
        view_shows(lambda s, seat: s.hands if s.options.tie_break == "extra_hand" else ()),
    ),
    "hands where nobody is left alone": (
        "baffle",
        view_shows(lambda s, seat: s.hands if s.options.lone_player == "dealer_must_play" else ()),
    ),
    "hands in the last trick": (
        "kid-o",
        view_shows(lambda s, seat: s.hands if s.trick_no == 6 and max(map(len, s.hands)) else ()),
    ),
    "hands to the dealer": ("rustle", view_shows(lambda s, seat: s.hands if seat == s.dealer else ())),
    "the partner's hand": ("trix", view_shows(lambda s, seat: s.hands[(seat or 0) - 2] if s.seats == 4 else ())),
    # refusals
    "a refusal that names who holds the card": (
        "quenette",
        refusal_tells(lambda s, seat, command: holder(s, command.card)),
    ),
    "a refusal that names a neighbour's card": ("grafto", refusal_tells(lambda s, seat, command: others_card(s, seat))),
    "a refusal that knows the face-down packets": (
        "rustle",
        refusal_tells(lambda s, seat, c: "0" if any(c.card in p for f in s.face_down for p in f) else "", of="rule"),
    ),
    "a refusal that knows the packet": (
        "secret-seven",
        refusal_tells(lambda s, seat, c: "!" if getattr(c, "card", None) in s.packet else "", of="code"),
    ),
    "a refusal that knows the covered cards": (
        "aviation",
        refusal_tells(lambda s, seat, c: "!" if any(getattr(c, "card", None) in d[:-1] for d in s.dromes) else ""),
    ),
    "a refusal that knows the rival's hand": (
        "flique",
        refusal_tells(lambda s, seat, c: "!" if getattr(c, "card", None) in s.hands[1 - seat] else ""),
    ),
    "a refusal that knows the cop hand": (
        "baffle",
        refusal_tells(lambda s, seat, c: "!" if getattr(c, "card", None) in s.cop else ""),
    ),
    "a refusal that knows what others have chosen": (
        "goat",
        refusal_tells(lambda s, seat, c: "!" if getattr(c, "card", None) in s.choices else ""),
    ),
    "a refusal that knows the unused cards": (
        "crown-baseball",
        refusal_tells(lambda s, seat, c: "!" if c.card in s.unused else ""),
    ),
    "a refusal out of turn that names the wanted card's holder": (
        "nix",
        refusal_tells(lambda s, seat, c: holder(s, s.wanted) if s.playing and seat != s.turn else ""),
    ),
    # legal lists, seats to act, pauses
    "a legal list in another order": (
        "quenette",
        legal_depends(lambda s, seat: "O-5" in s.hands[left_neighbour(s, seat)]),
    ),
    "a legal list that knows the reserve": (
        "trix",
        legal_depends(lambda s, seat: bool(s.reserve) and s.reserve[0].sum > 12),
    ),
    "a legal list that knows the reserve in Flique": (
        "flique",
        legal_depends(lambda s, seat: bool(s.reserve) and s.reserve[0].number > 5),
    ),
    "seats to act that hold a book": (
        "goat",
        lambda game: replace(
            game,
            to_act=lambda s: (
                game.to_act(s) | {at for at, hand in enumerate(s.hands) if s.phase == "passing" and books_in(hand)}
            ),
        ),
    ),
    "a bot that takes longer with a book": (
        "goat",
        lambda game: replace(game, pause=lambda s, seat: (len(books_in(s.hands[seat])), 1)),
    ),
    # events
    "an event for a high stock card": ("grafto", events_become(grafto_extra_event)),
    "an end that tells about the rival's hand": ("flique", events_become(flique_end_by_the_hand)),
    "a discard shown when it is a trump": (
        "grafto",
        shown_to_all(Grafted, "discard", lambda s, event: event.discard.value.suit == s.trump),
    ),
    "a draw shown when more than one win is wanted": (
        "flique",
        shown_to_all(FliqueDrawn, "card", lambda s, event: s.options.target_wins > 1),
    ),
    "a blind draw shown at a table of eight": ("nix", shown_to_all(NixDrawn, "card", lambda s, event: s.seats == 8)),
    "the secret numbers in the log": ("secret-seven", shown_to_all(SecretSet, "numbers")),
    "a chosen card in the log": ("goat", shown_to_all(PassChosen, "card")),
    "passed cards shown to a third seat": (
        "goat",
        events_become(
            lambda s, events: [
                replace(event, cards=tuple(Secret(one.value, (0, *(one.to or ()))) for one in event.cards))
                if isinstance(event, RoundPassed)
                else event
                for event in events
            ]
        ),
    ),
    "drawn cards shown to the partner": ("trix", to_partner(TrixDrawn, "card")),
    "a refill shown to the partner": ("aviation", to_partner(CardsGiven, "cards")),
    "packets taken up in the open": ("rustle", events_become(packets_for_all)),
    "a call that is asked for only when it is due": ("secret-seven", events_become(seven_calls_for_the_secret)),
    "pieces at fault in the legal list": ("checkers", checkers_points_at_the_guilty),
    "an alarm that is named after the book": (
        "goat",
        lambda game: replace(game, alarm=lambda s: (a := game.alarm(s)) and a._replace(name=f"{a.name} {s.claim}")),
    ),
    "one card too many of the Discard": (
        "check-and-double-check",
        view_shows(lambda s, seat: s.discard[max(0, s.unseen - 1) :] if s.unseen == 2 else ()),
    ),
    "hands of a dealer of seven in the second hand, to the eldest": (
        "grafto",
        view_shows(lambda s, seat: s.hands[s.dealer] if s.hand_no == 2 and seat == (s.dealer + 1) % 7 else ()),
    ),
    "a missed trump in the log": ("baffle", shown_to_all(BafflePlayed, "trump_missed", lambda s, event: s.hand_no > 1)),
}


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_found(name: str) -> None:
    slug, mutate = LEAKS[name]
    assert leak_in(mutate(BY_SLUG[slug])), f"{name}: nothing was found"


# ── Dealt hands ─────────────────────────────────────────────────────────────────────────────────────────────────

WITH_HANDS = [game for game in GAMES if hasattr(importlib.import_module(game.setup.__module__), "each_its_own")]


@pytest.fixture
def hands_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(values: Any) -> Any:
        return tuple(Secret(value, tuple(range(len(values)))) for value in values)

    for game in WITH_HANDS:
        monkeypatch.setattr(importlib.import_module(game.setup.__module__), "each_its_own", leaky)


def test_most_games_deal_hidden_hands() -> None:
    assert len(WITH_HANDS) == 14


@pytest.mark.usefixtures("hands_for_all")
@pytest.mark.parametrize("game", WITH_HANDS, ids=lambda game: game.slug)
def test_hands_dealt_to_all_seats_are_found_in_every_game(game: Game[Any]) -> None:
    assert "sees hands." in (leak_in(game) or "nothing was found")


@pytest.mark.parametrize("game", WITH_HANDS, ids=lambda game: game.slug)
def test_hands_in_every_view_are_found_in_every_game(game: Game[Any]) -> None:
    assert "sees another view" in (leak_in(view_shows(all_hands)(game)) or "nothing was found")
