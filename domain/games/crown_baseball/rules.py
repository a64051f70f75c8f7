"""The rules of Crown Baseball, from the Crown Cards booklet of 1911. Clauses: `0` the diamond, `1` to `5` the numbered
rules, `5ex` the example, `5b` the paragraph on tricks, `5c` the one on innings, `table` the value of the field cards."""

from domain.game import rules

RULES = rules(
    ("CB-01", "Pack", "36 cards: 1 to 9 of four suits. 10 to 13, PRINCE and PAUPER are left out.", "1"),
    ("CB-02", "Field pack", "The nine C cards are shuffled by themselves, complete for every deal, and lie face down before "
     "the dealer. They serve for nothing else.", "2"),
    ("CB-03", "First dealer", "Chance names one. The first dealer fields first, so the opponent bats in the top of each inning.", "4, 5c"),
    ("CB-04", "Deal", "The 27 other cards are shuffled and nine dealt to each, one at a time, the opponent first; nine are "
     "not used.", "3"),
    ("CB-05", "Trump", "The last card dealt is shown: its suit is trump. It stays in the dealer's hand.", "3"),
    ("CB-06", "Two sides", "Two play: the dealer is the side in the field, his opponent the side at bat. The men run by "
     "themselves.", "4"),
    ("CB-07", "Field card", "Before each trick the next field card is turned up for both to see.", "5, 5c, table"),
    ("CB-08", "Lead", "The side at bat leads to every trick, any card.", "5b, 5c"),
    ("CB-09", "Following", "The dealer must follow suit from his hand if he can, and may play any card of it if he cannot.", "5b"),
    ("CB-10", "Taking", "A trump takes all other suits, else the higher card of the suit led; 9 is high, 1 low.", "5b"),
    ("CB-11", "Effect", "The taker of the trick decides in which column the turned card is read.", "5, 5ex"),
    ("CB-12", "Nine tricks", "If nine tricks bring fewer than three outs, the same dealer deals anew from both packs; outs, "
     "men and runs stay.", "5c"),
    ("CB-13", "Field cards", "By the dealer: 1 out, 2 error, 3 out or double play from first, 4 walk, 5 out, 6 sacrifice, "
     "7 out or double play from second, 8 walk, 9 out on a fly. By the batter: 1 three-base hit, 2 out, 3 two-base hit, "
     "4 out, 5 safe hit, 6 walk, 7 safe hit, 8 strike-out, 9 safe hit.", "table"),
    ("CB-14", "Classes", "HOLD: out, nobody moves. ADV1: all up one base. WALK: only men who are pushed move. DBL: all up "
     "two. TPL: the men score, the batter is on third. DP1, DP2: the man on that base is out too. SAC: batter out, men up "
     "one. FLY: batter out, a man on third scores.", "table"),
    ("CB-15", "Complete table", "Every class with every state of the bases; the third out lets nobody run.", "table"),
    ("CB-16", "Three out", "The half ends at once: unplayed cards are put away unseen, the bases cleared, the sides "
     "change, and the former batter deals.", "5c"),
    ("CB-17", "Nine innings", "An inning is two halves; nine innings are played, each with both halves.", "5c"),
    ("CB-18", "Extra innings", "Level after the ninth: whole innings follow until the scores differ at the end of one.", "5c"),
    ("CB-19", "Score", "Runs by inning and in total, as in a baseball line score.", "5c"),
    ("CB-R1", "First dealer", "The sheet is silent: a random seat. Option `first_dealer`.", "silent"),
    ("CB-R2", "Which card is shown", "The last of the eighteen dealt, and not one of the nine left, which are unused.", "3"),
    ("CB-R3", "Who leads", "The batter leads to every trick. Option `lead`: `batter`, or `winner`, where the taker of a trick "
     "leads to the next of the same deal and the other seat must follow suit.", "5b, 5c"),
    ("CB-R4", "Rank", "The natural order, 9 high to 1 low.", "5b"),
    ("CB-R5", "Fewer than three outs in nine tricks", "A new deal, for play goes on until three are out. Option "
     "`exhausted`: `redeal`, or `retire`, where the half ends.", "5c"),
    ("CB-R6", "Third out", "With two out, a double play makes only one out, and a sacrifice moves nobody; men not named "
     "in a double play hold.", "table"),
    ("CB-R7", "Field pack complete", "It is shuffled anew for every deal, or the last of the nine would be known.", "2"),
    ("CB-R8", "Two-base hit", "Everybody moves two bases.", "table"),
    ("CB-R9", "Card 9 to the batter", "A plain safe hit, like that of 5 and 7.", "table"),
    ("CB-R10", "Running", "The men move by themselves, since no play leaves a choice.", "4"),
    ("CB-R11", "Last half", "Always played. Option `walk_off`: from the ninth inning on the bottom half is left out if the "
     "side batting last leads, and ends with the play that puts it ahead; all runs of that play count.", "5c"),
    ("CB-R12", "“Places its face upwards”", "Read as turning the card face up.", "5"),
)
