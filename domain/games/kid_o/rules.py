"""The rules of Kid-O, from the Crown Cards booklet of 1911. Clauses: its rules 1 to 6, and `title`."""

from domain.game import rules

RULES = rules(
    ("KO-01", "Players", "Kid-O is played by 2 to 8 seats; for a ninth the pack is too small.", "title, 2"),
    ("KO-02", "Pack", "The full pack of 52: C, R, O and W, each 1 to 13. PRINCE and PAUPER are left out.", "1"),
    ("KO-03", "Dealer", "Chance names the first dealer; then the deal goes one seat to the left each hand.", "silent"),
    ("KO-04", "Deal once", "The cards are dealt once for every hand, by the dealer of that hand.", "silent"),
    ("KO-05", "Deal", "Six cards to each seat, one at a time, clockwise from eldest.", "2"),
    ("KO-06", "First card", "The very first card, eldest's, is shown to all; then it joins eldest's hand like any other.", "2"),
    ("KO-07", "Kid-O suit", "The suit of the first card is the Kid-O suit.", "2"),
    ("KO-08", "Kid-O card", "The highest card of the Kid-O suit among the cards dealt: not always the 13, and it may be "
     "the card that was shown.", "2"),
    ("KO-09", "Undealt cards", "The cards left over stay face down, out of play, and unseen for the whole hand.", "2"),
    ("KO-10", "Unnamed", "The deal fixes the Kid-O card, but it is named only when the hand is over.", "silent"),
    ("KO-11", "Rank", "In every suit 13 is high and 1 is low; the Kid-O suit has no power of its own.", "1, 2, 3"),
    ("KO-12", "Lead", "Eldest leads any card to the first trick; then the taker leads any card.", "silent"),
    ("KO-13", "Turn", "Clockwise, one card a seat and trick, from one's own hand; six tricks make a hand.", "3, 4"),
    ("KO-14", "Following", "A seat that holds a card of the suit led must play one.", "3"),
    ("KO-15", "Void", "A seat without the suit led may play any card, the Kid-O card too.", "3"),
    ("KO-16", "Taking", "The highest card of the suit led takes the trick; other suits never do.", "1, 3"),
    ("KO-17", "Even tricks", "Tricks 2, 4 and 6 are one point each for their takers; tricks 1, 3 and 5 are free.", "4"),
    ("KO-18", "Kid-O points", "The seat that takes the Kid-O card gets five points, on top of the point of an even trick.", "2, 4"),
    ("KO-19", "Points are bad", "All points count against the seat that gets them.", "5"),
    ("KO-20", "Eight a hand", "Every hand is played out to six tricks, so that it gives exactly eight points.", "4"),
    ("KO-21", "Seven hands", "A match is seven hands, or as many as the table agreed; the lowest total wins.", "6"),
    ("KO-22", "Tie", "Equal lowest totals win together.", "silent"),
    ("KO-23", "Conservation", "Six tricks take every card dealt once, and after k hands 8k points have been given.", "follows"),
    ("KO-R01", "Dealers", "The sheet is silent: a random seat, then to the left. Option `first_dealer`.", "silent"),
    ("KO-R02", "Ones or packets", "Cards are dealt in ones; the first is eldest's either way.", "2"),
    ("KO-R03", "Who names the Kid-O card", "Nobody before the count: naming it earlier would tell what hands hold.", "silent"),
    ("KO-R04", "Who leads", "Eldest, who also holds the card that was shown; then the taker.", "silent"),
    ("KO-R05", "Tie after the last hand", "Shared. Option `tie_break`: `share` or `extra_hand`, until one is lowest.", "silent"),
    ("KO-R06", "One card", "“The highest Kid-O card” of rule 4 is the one Kid-O card of rule 2.", "2, 4"),
    ("KO-R07", "How many players", "“Two or more” ends at eight: six cards each from one pack.", "title, 2"),
    ("KO-R08", "Same in value", "The Kid-O suit takes no tricks by rank, and only its one card scores.", "2"),
)
