"""The rules of Prince and Pauper, from the Crown Cards booklet of 1911. Clauses: its rules 1 to 10, `3 ex.` for the
example under rule 3, `title`, and `note` for the boxed note that interrupts rule 3."""

from domain.game import rules

RULES = rules(
    ("PP-01", "Players", "Prince and Pauper is played by 3 to 8 seats, each for itself.", "title"),
    ("PP-02", "Pack", "52 cards: C 1 to 12, R and O 1 to 13, W 2 to 13, PRINCE and PAUPER. C-13 and W-1 are out.", "1, note"),
    ("PP-03", "First dealer", "Chance names the first dealer.", "silent"),
    ("PP-04", "Rotation", "After every hand the deal goes one seat to the left.", "silent"),
    ("PP-05", "Deal once", "The pack is dealt once for every hand, by the dealer of that hand.", "5"),
    ("PP-06", "Deal", "One card at a time, clockwise from eldest, until all 52 are gone.", "5"),
    ("PP-07", "Uneven hands", "Where 52 does not divide by the seats, the first seats from eldest have one card more.", "5"),
    ("PP-08", "Turn-up", "The last card dealt is shown to all and its suit is trump; its owner plays it like any other.", "5"),
    ("PP-09", "Turn-up without a suit", "When PRINCE or PAUPER is turned up, C is trump.", "silent"),
    ("PP-10", "Sorting", "A hand is held sorted by letter; that is a matter of display and of no command.", "6"),
    ("PP-11", "Numbers", "Inside a suit the higher number wins: 13 is high, 1 is low.", "8"),
    ("PP-12", "Suits", "Each suit outranks the next as a whole: C, R, O, W. The trump suit stands above all of them.", "2"),
    ("PP-13", "Prince", "PRINCE is the highest trump, whatever the trump suit, and is led and follows as a trump.", "2"),
    ("PP-14", "Pauper", "PAUPER has no suit and no number, and takes nothing unless it is kept to the end.", "3 ex."),
    ("PP-15", "Lead", "Eldest, the seat left of the dealer, leads to the first trick; then the taker leads.", "7"),
    ("PP-16", "Turn", "Clockwise from the leader, one card a seat and trick, from one's own hand.", "7"),
    ("PP-17", "What may be led", "Any card but PAUPER, which is led only when it is the leader's only card.", "3, 7"),
    ("PP-18", "Suit led", "The suit of the first card. PRINCE leads trumps; after a led PAUPER all others play freely.", "7"),
    ("PP-19", "Following", "A seat that holds the suit led must play it. PRINCE counts as a trump here: it must follow a trump "
     "when no other can, and it may not be played where a plain suit can be followed.", "7"),
    ("PP-20", "Void", "A seat without the suit led may play any card but PAUPER.", "8"),
    ("PP-21", "Disposing of the Pauper", "Its holder may play PAUPER instead of any other card, even when able to follow, "
     "from the third place on, if two or more cards of the trick add up to exactly 13 and another card is left in hand.", "3, 3 ex., 7"),
    ("PP-22", "What adds up", "Only numbers count: PRINCE adds nothing, one 13 is no set, and what is played after "
     "PAUPER does not matter.", "3"),
    ("PP-23", "Free to keep it", "Nobody has to dispose of PAUPER; in no other way can it be played before the end.", "3"),
    ("PP-24", "Pauper kept to the end", "As its holder's only card PAUPER must be played, ranks above every card, PRINCE "
     "included, and takes the trick, even where it could have been disposed of.", "3 ex."),
    ("PP-25", "Taking", "A Pauper kept to the end takes the trick, else the highest card of the highest suit in it. The "
     "suit led has no advantage.", "2, 8"),
    ("PP-26", "Pauper taken", "A trick with a disposed PAUPER goes to the highest other card, and PAUPER with it.", "3 ex."),
    ("PP-27", "Short tricks", "Seats without cards are passed over, in leading too: the next seat to the left that has "
     "cards leads. A short trick is a trick, even of one card.", "silent"),
    ("PP-28", "Count", "Taken cards: each 5 is 1, each 10 is 2, the 2 of trumps 2, PRINCE 3, PAUPER 10 less.", "9"),
    ("PP-29", "Most tricks", "The seat with the most tricks scores 3; if several have as many, nobody does.", "9"),
    ("PP-30", "When points count", "Points are given when the whole hand is counted; totals may fall below zero.", "9"),
    ("PP-31", "End", "After a hand the seat that alone has the best total wins, if that is 75 or more.", "10"),
    ("PP-32", "Conservation", "A hand gives 10 points, 7 when the most tricks are tied and nobody scores them; every card "
     "is taken once.", "follows"),
    ("PP-R01", "Dealers", "The sheet is silent: a random seat, then to the left. Option `first_dealer`.", "silent"),
    ("PP-R02", "Prince or Pauper turned up", "C is trump. Option `turned_special` = `redeal`: the hand is void and the "
     "same dealer deals it again.", "silent"),
    ("PP-R03", "Prince in following", "PRINCE is a trump like the others, not a card for every trick.", "2"),
    ("PP-R04", "Later leads", "The taker leads, as in the other games of the booklet.", "silent"),
    ("PP-R05", "Leading the Pauper", "Not allowed, except as the only card: third hand is the way out of it.", "3, 7"),
    ("PP-R06", "Cards that total 13", "Any two or more of the trick; PRINCE has no number.", "3"),
    ("PP-R07", "The last trick", "For PAUPER it is the holder's own last card, so that it always has its effect.", "3 ex."),
    ("PP-R08", "Uneven deal", "All cards are dealt, and the last trick is short.", "5"),
    ("PP-R09", "Tie for most tricks", "Nobody scores. Option `most_tricks_tie`: `none` or `each`, three for all tied.", "9"),
    ("PP-R10", "Several past the target", "The higher total wins; equal ones play on. Option `target`, 1 to 500.", "10"),
    ("PP-R11", "Tens", "The ditto marks under “Each 5 counts one” read: each 10 counts two.", "9"),
    ("PP-R12", "Split rule", "The note stands in the middle of rule 3, which reads “third hand or after on any trick”.", "3, note"),
    ("PP-R13", "Third hand", "The third player of a trick, not the third trick.", "3"),
    ("PP-R14", "Who scores the Prince", "Its taker, as for every card; that differs from its player only when PAUPER "
     "takes the trick.", "9"),
)
