"""The events that every match has, as sentences, and the meaning of their fields."""

from __future__ import annotations

from typing import Final

from domain.match.state import (
    BotFellBack,
    BotTookOver,
    DrawAnswered,
    DrawOffered,
    DrawWithdrawn,
    InvitationDeclined,
    MatchEnded,
    MatchOpened,
    MatchStarted,
    SeatLeft,
    SeatResigned,
    SeatReturned,
    SeatTaken,
    SeatVacated,
    TableSet,
    TurnTimedOut,
)
from domain.telling.words import Say, Told, words


def taken_over(told: Told) -> str:
    who, absent = told.name(told.seen["seat"]), told.seen["reason"] == "absent"
    return f"A bot takes over from {who}" + (", whose time ran out too often." if absent else ".")


def sat_down(told: Told) -> str:
    program = ", a program," if told.seen["kind"] == "program" else ""
    return f"{told.names[told.seen['seat']]}{program} sits down at seat {told.seen['seat']}."


def answered(told: Told) -> str:
    seat, accept = told.seen["seat"], told.seen["accept"]
    verb = ("accept" if accept else "decline") + ("" if seat == told.reader else "s")
    return f"{told.name(seat)} {verb} the draw."


# Why a match was won, by the reason in its last event.
REASONS: Final = {
    "agreed": "by agreement",
    "drawn_game": "after a drawn game",
    "eleven_placed": "by placing eleven cards",
    "fewest_points": "with the fewest points",
    "fifty_points": "with fifty points",
    "four_home": "by bringing all four discs home",
    "games_played": "after the last game",
    "hand_limit": "after the last hand",
    "largest_total": "with the largest total",
    "max_hands": "after the last hand",
    "more_runs": "with more runs",
    "most_hands": "with the most hands",
    "most_points": "with the most points",
    "points": "on points",
    "reduced_to_nothing": "by getting down to nothing",
    "resigned": "since the others resigned",
    "score": "on points",
    "smallest_total": "with the smallest total",
    "target": "by reaching the target",
    "target_reached": "by reaching the target",
}


def ended(told: Told) -> str:
    places, reason = told.seen["places"], told.seen["reason"]
    if reason == "cancelled":
        return "The match is cancelled."
    if reason == "closed":
        return "The match is closed by the operator of the server."
    winners = [seat for seat, place in enumerate(places) if place == 1]
    if len(winners) == len(places):
        return f"The match ends in a draw, {REASONS[reason]}."
    one_other = len(winners) == 1 and winners[0] != told.reader
    return f"{told.people(winners)} win{'s' if one_other else ''} the match {REASONS[reason]}."


WORDS: Final = words(
    Say(MatchOpened, "A table of {game} is opened."),
    Say(TableSet, "The table of another match is set."),
    Say(SeatTaken, sat_down),
    Say(SeatLeft, "Seat {seat} is free again."),
    Say(SeatVacated, "The host opens seat {seat} again."),
    Say(InvitationDeclined, "The invitation to seat {seat} is declined; anybody may take it."),
    Say(MatchStarted, "The match begins."),
    Say(SeatResigned, "{@seat} resign{s|}."),
    Say(BotTookOver, taken_over),
    Say(SeatReturned, "{@seat} {is|are} back and play{s|} on."),
    Say(BotFellBack, "{@seat} could not decide, so a command is made for {them|you}."),
    Say(TurnTimedOut, "{@seat's} time has run out."),
    Say(DrawOffered, "{@seat} offer{s|} a draw."),
    Say(DrawWithdrawn, "{@seat} withdraw{s|} the offer of a draw."),
    Say(DrawAnswered, answered),
    Say(MatchEnded, ended),
)

GLOSSARY: Final = {
    "id": "the id of the match",
    "match_id": "the id of the match",
    "status": "whether it waits for players, is being played, or is over",
    "version": "how many events it has; each change makes it larger",
    "game": "the game's name in addresses, such as `quenette`",
    "rules_version": "the number of the game's rules that the match is played by",
    "match_rules": "the number of the rules of the match itself",
    "options": "the table options that were given; all others have their defaults",
    "host": "the player who opened the match",
    "spectators": "whether anybody may watch",
    "open_to_all": "whether also those may watch who have no token",
    "spectator_delay": "how many seconds later those see it who have no seat; the host sees it at once",
    "private": "whether it is in no list, and joined by invitation alone",
    "notes": "whether those at the table can leave notes before the start and after the end",
    "thinking_ms": "the time that a bot which searches has for a turn; null as the server has it",
    "rated": "whether its outcome changes ratings; decided when it is opened",
    "published": "whether it was opened as a match that anybody may read once it is over",
    "forked_from": "the match whose table this one began with; null for one that began with an empty table",
    "match": "the id of that match",
    "forked_from.version": "the version of that match whose table it was",
    "table_set.table": "the table by the names of its fields, as the rules keep it",
    "imagined": "whether what its seat could not know was drawn anew: the match was still being played",
    "turn_seconds": "the time each seat has for a turn; null without limit",
    "seats": "who sits at each seat, or may",
    "seed_commitment": "SHA-256 of the server's seed, which the last event reveals",
    "kind": "`human`, `program` (one that a player has brought), `open`, or `bot` (one of the server's)",
    "player": "the player's id",
    "name": "how the player is called",
    "level": "how well the bot plays; null for a person",
    "bot_took_over.reason": "why: the player gave up, or let the time run out too often",
    "client_seed": "the player's share in the chance of this match",
    "client_seeds": "the shares of all seats in the chance of this match, in order",
    "accept": "whether the draw is accepted",
    "places": "the place of each seat, 1 for a winner; equal places share",
    "scores": "the points of each seat at the end, in Checkers in half points",
    "server_seed": "the seed that every draw came from",
    "resigned": "whether the player has given up; a bot plays on",
    "sides": "the seats of each side; where everybody plays alone, one seat a side",
    "you": "the seat that it is shown to; null to a spectator",
    "to_act": "the seats that may act now",
    "deadlines": "by seat, until when each that is to act has time, at a table with a time for a turn",
    "rematch": "the match that follows this one, if there is one that you may see",
    "draw_offer": "the draw on offer; null if there is none",
    "agreed": "the seats that have agreed so far",
    "result": "how it ended; null until then",
    "winners": "the seats that have won",
}
