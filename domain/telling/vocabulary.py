"""The words that the games have in common. One word means one thing, in every view, event and command."""

from __future__ import annotations

from typing import Final

COMMON: Final = {
    # Who and when
    "seat": "the seat it is about, 0 to n - 1 clockwise",
    "dealer": "the seat that deals this hand",
    "turn": "the seat whose turn it is; null when nobody's is",
    "phase": "what the table waits for",
    "hand_no": "the number of this hand in the match, from 1",
    "game_no": "the number of this game in the match, from 1",
    "trick_no": "the number of this trick in the hand, from 1",
    # Cards
    "card": "the card",
    "cards": "the cards",
    "hand": "the cards you hold; null to a spectator",
    "hands": "the cards of every hand, each for its own seat; in a view only when all may be seen",
    "hand_counts": "how many cards each seat holds",
    "trick": "the cards played to this trick so far, in order",
    "count": "how many there are",
    "trump": "the suit of trumps; null while there is none",
    # Boards
    "pieces": "the men on the board, by cell",
    "cell": "where they stand: the id of a cell of the board",
    "side": "whose they are: the number of a side",
    "kind": "which kind of piece",
    # Dice
    "dice": "what the dice show",
    "numbers": "the numbers still to be played",
    # Points
    "delta": "the points that this hand brings each seat",
    "totals": "the points of each seat so far",
    "reason": "why it ended",
    # Commands and events that several games have
    "play_card": "Play a card of your hand to the trick.",
    "roll": "Throw the dice.",
    "dealer_chosen": "The lot has named the first dealer.",
    "hand_dealt": "The cards are dealt.",
    "card_played": "A card is played.",
    "trick_taken": "A trick is taken.",
    "hand_scored": "A hand is counted.",
    "dice_rolled": "The dice are thrown.",
}
