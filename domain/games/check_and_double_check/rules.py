"""The rules of Check and Double Check, from Milton Bradley's sheet No. 4313. Clauses: its rules 1 to 12, `intro` for
the paragraphs above them."""

from domain.game import rules

RULES = rules(
    ("CK-01", "Object", "Get rid of the nine cards dealt to you and of every card you take back.", "1"),
    ("CK-02", "Pack", "For N players N cards of each number 2 to 10 and four extra cards: 9N + 4 in all.", "intro"),
    ("CK-03", "Equal worth", "All cards are worth the same; a number only says when its card can leave.", "intro"),
    ("CK-04", "First dealer", "Each seat throws both dice and the highest total deals, or the table agrees on a seat.", "2"),
    ("CK-05", "Deal", "The dealer shuffles, deals nine cards to each from his left, then four to the Discard.", "3, intro"),
    ("CK-06", "Discard", "One face-up stack; the last card put on it is its top card.", "intro"),
    ("CK-07", "Open rows", "Every hand lies face up in a row and is seen by all.", "4"),
    ("CK-08", "Uneven rows", "A row may hold several cards of one number, or none: that is no reason for a new deal.", "4"),
    ("CK-09", "First throw", "The seat on the dealer's left throws first.", "5"),
    ("CK-10", "Turn", "One throw of both dice is a turn; then the dice go left, whatever was thrown.", "6"),
    ("CK-11", "Sum", "With two numbers thrown their sum is the playing number; neither counts alone.", "5, 9"),
    ("CK-12", "Discarding", "Each seat that holds the playing number, the thrower too, puts one such card away.", "5"),
    ("CK-13", "One card only", "Never more than one card a seat and throw.", "5, 7"),
    ("CK-14", "Check", "With one CHECK the thrower may not discard: he takes the top card of the Discard.", "7"),
    ("CK-15", "Opponents at a check", "Then each opponent who holds the number of the other die discards one.", "7"),
    ("CK-16", "Taking comes first", "The thrower takes before the others discard, never a card of the same throw.", "7"),
    ("CK-17", "Check with a one", "The thrower takes and nobody discards, for no card is numbered 1.", "7"),
    ("CK-18", "Double check", "With two CHECKs the thrower takes the two top cards, and nobody discards.", "8"),
    ("CK-19", "Short Discard", "If the Discard is too small the thrower takes what is there and owes nothing.", "silent"),
    ("CK-20", "End of a hand", "The hand ends after the discards of a throw that leave a seat without cards.", "10, 11"),
    ("CK-21", "Last throw", "On the last throw too every seat with the playing number discards before the count.", "11"),
    ("CK-22", "Tie", "If several seats run out together the thrower wins, or else the first of them on his left.", "12"),
    ("CK-23", "No winner by checking", "Whoever throws a CHECK holds a card, so only an opponent can win on such a throw.", "7"),
    ("CK-24", "Payment", "Every other seat pays the winner one counter for each card left in its row.", "10"),
    ("CK-25", "Game", "The game ends after the hand in which a seat reaches the target.", "11"),
    ("CK-26", "Next deal", "After a hand the deal goes to the left and a full pack is dealt again.", "silent"),
    ("CK-R1", "Dice", "The faces are 1 to 5 and CHECK: so sums run from 2 to 10 like the cards.", "silent"),
    ("CK-R2", "Extra cards", "The four extra cards are numbered, 4, 5, 6 and 7. Option `misc_cards`.", "intro"),
    ("CK-R3", "What the Discard starts with", "The last four of the whole shuffled pack; option `discard_seed` = `misc` "
     "shuffles the extra cards by themselves and starts the Discard with them.", "intro, 3"),
    ("CK-R4", "Must or may", "Discards happen by themselves. Option `discard_mode` = `manual`: each seat answers "
     "`play_card` or `pass`, and no answer in time is a pass.", "5, 7, 11"),
    ("CK-R5", "Order of discards", "The thrower first, then leftwards.", "silent"),
    ("CK-R6", "Empty Discard", "The thrower takes what is there; at a single CHECK the opponents still discard.", "silent"),
    ("CK-R7", "Check with a one", "Read as CK-17 has it.", "7"),
    ("CK-R8", "Throwing for the deal", "A CHECK counts nothing; those tied for the highest throw again.", "2"),
    ("CK-R9", "Later dealers", "The deal moves one seat to the left.", "silent"),
    ("CK-R10", "Points", "Counters received count; paid ones are kept for show. Option `score_mode` = `net` tests the "
     "balance instead; after `max_hands` the highest balance wins, and equal ones play on.", "11"),
    ("CK-R11", "Target", "Tested after each payment. Option `target`, 10 to 1000.", "11"),
    ("CK-R12", "Tie of three", "The order of the tie rule holds for any number of seats.", "12"),
    ("CK-R13", "Number of seats", "Four at the most by default; option `max_seats` allows up to eight.", "intro"),
    ("CK-R14", "What shows of the Discard", "Its top card and its height; the cards under the first one stay unseen.", "intro"),
)
