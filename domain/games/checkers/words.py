"""Checkers in words: what its fields mean, and its events as sentences."""

from __future__ import annotations

from domain.games.checkers.events import ClaimFailed, Compelled, GameEnded, Huffed, Moved, OffenceLeft, Touched
from domain.telling.words import Say, Told, words

GLOSSARY = {
    "answered": "what the seat to move has done about its enemy's offence",
    "captured": "the squares of the enemy pieces that were jumped",
    "claim": "what was claimed: a huff, or that the enemy has to jump",
    "compelled": "the square of the piece that has to jump",
    "crowned": "whether the piece became a king",
    "dark": "the seat that plays Dark and moved first",
    "fen": "the position in the notation of Portable Draughts",
    "from": "the square a piece starts from",
    "half_points": "the points of each seat so far, counted in halves",
    "jumps_from": "the square from which the jump has to be made",
    "offence": "what was wrong with the play; null if nothing was",
    "path": "the squares it lands on, in order",
    "pdn": "the play in the notation of Portable Draughts",
    "pending_offence": "an offence in the last play that can be answered now",
    "piece": "the square of the piece at fault",
    "plies": "how many single plays the game has had",
    "quiet_plies": "how many plays there were since the last capture, huff or move of a man",
    "released": "whether the piece could not move and is free again",
    "result": "how the game ended, as Portable Draughts writes it",
    "results": "how the games before this one ended",
    "square": "a square of the board, 1 to 32",
    "squares": "the squares of the pieces at fault",
    "taken_back": "whether the last play is taken back first",
    "touched": "the square of the piece that was touched and has to move",
    "was_king": "whether it was a king",
}

ENDINGS = {
    "captured_all": "no piece is left",
    "blocked": "no piece can move",
    "huffed_last": "the last piece was huffed",
    "agreed": "a draw was agreed",
    "repetition": "the position came back too often",
    "no_progress": "nothing has moved on for too long",
}


def moved(told: Told) -> str:
    seen = told.seen
    verb = ("jump" if seen["captured"] else "move") + ("" if seen["seat"] == told.reader else "s")
    crowned = ", and the piece is crowned" if seen["crowned"] else ""
    return f"{told.name(seen['seat'])} {verb} {seen['pdn']}{crowned}."


def ended(told: Told) -> str:
    return f"Game {told.seen['game_no']} ends {told.seen['result']}: {ENDINGS[told.seen['reason']]}."


WORDS = words(
    Say(Moved, moved),
    Say(Huffed, "{@seat} huff{s|} the piece on {square}."),
    Say(Compelled, "{@seat} demand{s|} the jump from {jumps_from}."),
    Say(OffenceLeft, "{@seat} let{s|} the offence pass."),
    Say(ClaimFailed, "{@seat} claim{s|} an offence where there is none."),
    Say(Touched, "{@seat} touch{es|} the piece on {square}."),
    Say(GameEnded, ended),
)
