"""The rules of Grafto, from the Crown Cards booklet of 1911. Clauses: `ttl` the line of players under the title, `r1` to
`r7` its numbered rules, of which `r4a` and `r4b` are the two paragraphs of r4 and `r7b` is the last sentence."""

from domain.game import rules

RULES = rules(
    ("GR-01", "Players", "Grafto is played by 3 to 7 seats, each for itself.", "ttl"),
    ("GR-02", "Pack", "The full pack of 52: C, R, O and W, each 1 to 13. PRINCE and PAUPER are left out.", "note"),
    ("GR-03", "Dealer", "Chance names the first dealer; the deal goes one seat to the left after every hand, "
     "played or thrown in.", "r5"),
    ("GR-04", "Deal once", "The pack is dealt once for every hand, by the dealer of that hand.", "silent"),
    ("GR-05", "Deal", "Seven cards to every seat, one at a time, clockwise from eldest, the dealer's left.", "r1"),
    ("GR-06", "Turn-up", "The next card is shown and its suit is trump; C-1 turned up makes C trump. The rest of the "
     "pack stays face down.", "r1"),
    ("GR-07", "The dealer's graft", "If the Five, the 5 of trumps, is turned up, the dealer may take it into his hand; "
     "for it he puts one of his own cards face down under the pack.", "r1"),
    ("GR-08", "Declined", "A turned-up Five that the dealer declines is out of play, and nobody else may have it.", "r1"),
    ("GR-09", "The forced graft", "A player who was dealt the Five must put it out and take the turned-up card "
     "instead. He has no choice, so it happens by itself.", "r2"),
    ("GR-10", "No graft", "If the Five is neither turned up nor in a hand, the turned-up card is out of play.", "r2"),
    ("GR-11", "Time of the graft", "A graft is finished before a card is played, and leaves every seat seven cards.", "r2"),
    ("GR-12", "When the Five plays", "Where the Five is put out, it is in play only if the dealer took it.", "r1, r2"),
    ("GR-13", "Trumps R, O, W", "The Five, C-1, then 13 down to 1 without the 5: fourteen trumps.", "r3"),
    ("GR-14", "Trumps C", "C-5, then C-13 down to C-1 without the 5: thirteen trumps, C-1 the lowest.", "r3"),
    ("GR-15", "Plain suits", "13 down to 1, the 5 in its natural place. A plain C suit ends with C-2.", "r3"),
    ("GR-16", "Speaking", "From eldest to the dealer each seat speaks once: it passes, or bids from 1 to 15.", "r4a"),
    ("GR-17", "Higher", "A bid must be higher than every earlier bid of the hand.", "r4a"),
    ("GR-18", "The limit", "A bid of 15 ends the bidding at once; seats that have not spoken get no turn.", "r4a"),
    ("GR-19", "All bids stand", "A higher bid does not cancel a lower one: each is still made good or lost.", "r4b"),
    ("GR-20", "Thrown in", "If nobody bids, nothing is scored and the hand does not count; the next dealer deals.", "r5, r7b"),
    ("GR-21", "Lead", "Eldest leads any card to the first trick, whoever bid. The taker of a trick leads to the next.", "r6"),
    ("GR-22", "Turn", "Clockwise, one card a seat and trick, from one's own hand. All seven tricks are played.", "r6"),
    ("GR-23", "Suit led", "C-1 led is a trump led, like any other trump.", "r3, r6"),
    ("GR-24", "Follow or trump", "A seat that holds the plain suit led must play it or a trump, C-1 included; no other suit.", "r6"),
    ("GR-25", "Void", "A seat without the suit led may play any card. C-1 is no C card where C is plain.", "r6"),
    ("GR-26", "Trump led", "A seat that holds a trump must play one, be it C-1 or the Five; others play any card.", "r6"),
    ("GR-27", "Taking", "The highest trump takes, else the highest card of the suit led.", "r6, r3"),
    ("GR-28", "Making good", "To make good is to have bid and to take four or more tricks, as one seat at most can.", "r4a"),
    ("GR-29", "The bids count", "The player who makes good scores his own bid, even if it was overbid; all other bidders lose theirs.", "r4b"),
    ("GR-30", "Overtricks", "The player who makes good also scores 1 for each trick over four; without a bid nobody does.", "r7"),
    ("GR-31", "Four tricks without a bid", "Every bidder loses his bid, and the taker of four tricks scores nothing.", "r4b, r7"),
    ("GR-32", "The credit of 15", "If eldest bid 15 and another seat takes four tricks, eldest loses 15 and it is credited 15.", "r4b"),
    ("GR-33", "Killed", "If no seat takes four tricks, nobody scores or loses; the hand counts, for bids were made.", "r5, r7b"),
    ("GR-34", "Seven hands", "The match ends after the seventh hand with a bid; the most points win, and totals may be "
     "negative.", "r7b"),
    ("GR-35", "Tie", "Equal highest totals win together.", "silent"),
    ("GR-36", "Conservation", "Every hand has seven tricks, every seat seven cards at the first lead, and no total "
     "changes but of seats that bid or took four tricks.", "follows"),
    ("GR-R01", "First dealer", "The sheet is silent: a random seat, then always to the left. Option `first_dealer`.", "silent"),
    ("GR-R02", "How to deal", "One card at a time; the sheet names no packets.", "r1"),
    ("GR-R03", "Graft, then bids", "The graft comes before the bids, which rest on the final hands.", "r1, r2, r4"),
    ("GR-R04", "A Five that is declined", "It goes to nobody: the sheet offers it to the dealer alone.", "r1"),
    ("GR-R05", "What the forced graft puts out", "The Five itself, as printed. Option `forced_graft`: `five_out`, or "
     "`any_out`, where the holder keeps it and chooses one of his other six cards.", "r2"),
    ("GR-R06", "C-1 where C is plain", "It is a trump only: it does not follow C, and nobody has to follow C with it.", "r3"),
    ("GR-R07", "One turn each", "Nobody bids twice; “the third player” counts the dealer as the first.", "r4a"),
    ("GR-R08", "Later leads", "The sheet is silent: the taker of a trick leads to the next.", "silent"),
    ("GR-R09", "No holding back", "When a trump is led the top trumps are not exempt, for no such privilege is printed.", "r6"),
    ("GR-R10", "Four tricks without a bid", "They earn nothing: all points are tied to bids.", "r7"),
    ("GR-R11", "Whose 15 is credited", "Eldest's only, as printed. Option `fifteen_credit`: `eldest`, or `any`, where the "
     "taker of four tricks gets 15 for any seat's lost 15, besides his own bid and overtricks.", "r4b"),
    ("GR-R12", "Tie after the last hand", "Shared. Option `tie_break`: `share`, or `extra_hand`, where the whole table plays "
     "one more hand with a bid at a time until one seat leads alone.", "silent"),
    ("GR-R13", "Passing without end", "There is no limit. Option `dealer_must_bid`: when all others passed, the dealer may "
     "not; what is made for him in his absence is a bid of 1.", "r5"),
    ("GR-R14", "Lower bidders lose too", "A player who was overbid loses his bid even if a higher bidder makes good.", "r4b"),
    ("GR-R15", "Bidding is free", "“One or more must bid” compels nobody: the sheet itself provides for a hand without a bid.", "r4a, r5"),
    ("GR-R16", "The Five is no discard", "Putting out the Five would be declining it, so a graft puts out another card.", "r1"),
)
