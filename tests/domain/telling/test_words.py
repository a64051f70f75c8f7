"""Every event can be told in a sentence, to each reader what it may know."""

from __future__ import annotations

import inspect
import random
import re
from typing import Any

import pytest

from domain.game import Game, Secret, hidden, record
from domain.games import GAMES
from domain.match.state import EVENTS
from domain.match.words import REASONS
from domain.match.words import WORDS as MATCH_WORDS
from domain.telling.words import Indiscreet, Say, tell, words
from domain.wire import Parts, wire_name, write_event
from tests.domain import playing

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim", "Kay", "Lou", "Max")


@every_game
def test_every_event_can_be_told_to_every_reader(game: Game[Any]) -> None:
    rng = random.Random(f"words {game.slug}")
    told: set[str] = set()
    for seats, options in playing.tables(game):
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            for event in moment.events:
                parts = write_event(event)
                for reader in (None, *range(seats)):
                    sentence = tell(game.words, parts, reader, NAMES[:seats])
                    assert re.fullmatch(r"[A-Z0-9].*[.!]", sentence) and "{" not in sentence, sentence
                told.add(parts.type)
            if n > 300 or (n > 150 and told == set(game.words)):
                break
    assert {wire_name(cls) for cls in game.events} == set(game.words)


@every_game
def test_what_everybody_is_told_does_not_depend_on_the_secret_parts(game: Game[Any]) -> None:
    """The same event without its secrets is told in the same words to everybody but those who may see them."""
    rng = random.Random(f"discreet {game.slug}")
    for seats, options in playing.tables(game):
        for n, moment in enumerate(playing.random_match(game, seats, options, rng)):
            for event in moment.events:
                parts = write_event(event)
                bare = Parts(parts.type, parts.public, {})
                assert tell(game.words, parts, None, NAMES) == tell(game.words, bare, None, NAMES)
            if n > 60:
                break


def test_every_event_of_the_match_has_a_sentence() -> None:
    assert set(MATCH_WORDS) == {wire_name(cls) for cls in EVENTS}


@record
class Whispered:
    seat: int
    card: Secret[str]


def test_a_sentence_for_everybody_cannot_name_a_secret_field() -> None:
    with pytest.raises(Indiscreet, match="card"):
        words(Say(Whispered, "{@seat} hide{s|} {card}."))
    with pytest.raises(Indiscreet, match="cord"):
        words(Say(Whispered, "{@seat} hide{s|} {cord}."))


def test_the_reader_is_you_and_sees_more() -> None:
    known = words(Say(Whispered, "{@seat} hide{s|} a card.", "{@seat} hide{s|} {card}."))
    event = Whispered(1, Secret("C-1", (1,)))
    assert tell(known, write_event(event), 0, NAMES) == "Bob hides a card."
    assert tell(known, write_event(event), 1, NAMES) == "You hide C-1."
    assert tell(known, write_event(Whispered(1, hidden("C-1"))), 1, NAMES) == "You hide a card."


@record
class Shared:
    seats: tuple[int, ...]


def test_a_reader_who_is_alone_among_several_is_you() -> None:
    known = words(Say(Shared, "{@seats} win{s|}."))
    assert tell(known, write_event(Shared((1,))), 1, NAMES) == "You win."
    assert tell(known, write_event(Shared((1,))), 0, NAMES) == "Bob wins."
    assert tell(known, write_event(Shared((0, 1))), 1, NAMES) == "Ann and you win."


def test_a_player_may_be_called_like_a_hole_in_a_sentence() -> None:
    """Also where a sentence is put together from names and then filled."""
    event = write_event(Whispered(1, Secret("C-1", (1,))))
    for names in (("{card}", "{@seat}"), ("{nothing}", "{s|}"), ("{", "}")):
        plain = words(Say(Whispered, "{@seat} hide{s|} a card."))
        assert tell(plain, event, 0, names) == f"{names[1]} hides a card."
        made = words(Say(Whispered, lambda told: told.say(f"{told.name(0)} sees that {{@seat}} hide{{s|}} a card.")))
        assert tell(made, event, None, names) == f"{names[0]} sees that {names[1]} hides a card."


def test_there_are_words_for_every_reason_to_end_a_match() -> None:
    """A reason is a word in the `outcome` of a game, and the last of the few words there that is no name of a field."""
    for game in GAMES:
        code = inspect.getsource(game.outcome)
        reasons = [word for word in re.findall(r'"([a-z_]+)"', code) if word not in NO_REASONS]
        assert reasons and set(reasons) <= set(REASONS), game.slug


NO_REASONS = {"fewest_goats", "match_over", "game_over"}


@record
class PassedRound:
    cards: tuple[Secret[str], ...]


def test_a_reader_of_several_parts_of_a_field_sees_them_all() -> None:
    known = words(Say(PassedRound, "Cards are passed.", lambda told: f"{sorted(told.seen['cards'].items())}."))
    event = PassedRound((Secret("C-1", (0, 1)), Secret("C-2", (1, 2)), Secret("C-3", (0, 2))))
    assert tell(known, write_event(event), 1, NAMES) == "[('0', 'C-1'), ('1', 'C-2')]."
    assert tell(known, write_event(event), 3, NAMES) == "Cards are passed."
