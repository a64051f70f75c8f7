"""The words that the games have in common. One word means one thing, in every view, event and command.

A game explains its own words in its `words.py`, and may not explain one of these anew. In a view:

- `x_count` is how many things `x` is of; `x` itself is null to a reader who may not see it.
- What stands by seat is a list with an entry for each seat; what stands by side has `side_` before its name.
- A phase in which chance is about to deal is `awaiting_deal`; when nothing is left to play the phase is `finished`.
- While chance throws for who starts the phase is `start_throw`; a player who is to throw the dice is in phase `roll`.
"""

from __future__ import annotations

from typing import Final

COMMON: Final = {
    # Who and when
    "seat": "the seat it is about, from 0 clockwise",
    "seats": "the seats it is about",
    "dealer": "the seat that deals this hand; null while the lot has yet to name it",
    "turn": "the seat whose turn it is; null when it is nobody's",
    "phase": "what the table waits for",
    "hand_no": "the number of this hand in the match, from 1",
    "game_no": "the number of this game in the match, from 1",
    "trick_no": "the number of this trick in the hand, from 1",
    # Cards
    "card": "the card",
    "cards": "the cards; null to those who may not see them",
    "count": "how many there are",
    "hand": "the cards you hold; null to a spectator",
    "hands": "the cards of every hand; in a view only for those who may see everything",
    "hand_counts": "how many cards each seat holds",
    "stock": "the cards nobody has drawn yet, the next one first; null to those who may not see them",
    "stock_count": "how many cards nobody has drawn yet",
    "trick": "the cards played to this trick so far, in order",
    "taken": "the cards that each seat has taken",
    "tricks_taken": "the tricks taken so far, in order, each with its taker",
    "trick_counts": "how many tricks each seat has taken",
    "turned": "the card turned up for trumps; null while there is none",
    "turned_by": "the seat that holds or held the card turned up",
    "trump": "the suit of trumps; null while there is none",
    # Boards
    "pieces": "the men on the board, by cell",
    "cell": "where they stand: the id of a cell of the board",
    "side": "whose they are: the number of a side",
    "kind": "which kind it is",
    "name": "how its owner calls it in commands, where they name the piece and not its cell",
    # Dice
    "dice": "what the dice show",
    "numbers": "the numbers still to be played",
    # Points
    "delta": "the points that this hand brings each seat",
    "side_delta": "the points that this hand brings each side",
    "totals": "the points of each seat so far",
    "side_totals": "the points of each side so far",
    "reason": "why it ended",
}
