"""The rules of Checkers, from W. C. Horn's leaflet of 1943. Clauses: `C1` players and board, `C2` pieces and first move,
`C3` object, move and jump, `C4` kings, `C5` touch, unfinished jumps and the huff, `C6` block and draw, `C7` conduct."""

from domain.game import rules

RULES = rules(
    ("CH-01", "Start", "Two players with twelve men each: Dark on squares 1 to 12, Light on 21 to 32.", "C1, C2"),
    ("CH-02", "First move", "Dark moves first; then the players move in turn.", "C2"),
    ("CH-03", "Colours change", "In the next game of a match the players exchange colours.", "C2"),
    ("CH-04", "Object", "To take, corner or block all the enemy's pieces.", "C3"),
    ("CH-05", "Step", "A man moves one square diagonally forward, to an empty square.", "C3"),
    ("CH-06", "Jump", "A man jumps an enemy diagonally in front of it if the square behind is empty; the enemy is taken off.", "C3"),
    ("CH-07", "Never back", "Men neither move nor jump backward.", "C3, C4"),
    ("CH-08", "Jumping on", "A jump may go on with the same piece while another jump is open to it.", "C5"),
    ("CH-09", "Crowning", "A man that comes to rest on the far row becomes a king at once.", "C4"),
    ("CH-10", "Kings", "A king moves one square and jumps in all four diagonal directions; it does not fly.", "C4"),
    ("CH-11", "Crowned and done", "A man that jumps into the king row stops there, though it is now a king.", "C5"),
    ("CH-12", "A play is complete", "A play that has been made cannot be added to by its player.", "C5"),
    ("CH-13", "Free choice", "Among several jumps or routes the player takes which he likes, not the longest.", "C5"),
    ("CH-14", "Offence", "Under the huff a play stands but is faulty if it ignores an open jump, or stops a jump that could go on. "
     "It is judged on the position just before it.", "C5"),
    ("CH-15", "Three answers", "Before his own move the enemy answers an offence in one way only: huff, leave or compel.", "C5"),
    ("CH-16", "Huff", "He takes off one piece at fault: one that could have jumped, where it now stands, or the one that stopped.", "C5"),
    ("CH-17", "No move", "A huff is not a move: the huffing player then moves.", "C5"),
    ("CH-18", "Leave", "He simply moves, and the right is gone.", "C5"),
    ("CH-19", "Compel a stopped jump", "The offender goes on with that piece until no jump is left; then the other moves.", "C5"),
    ("CH-20", "Compel an ignored jump", "The faulty move is taken back, and the offender plays a complete jump with the piece that the "
     "other names among those at fault, by a route of his own choice. What came before the move stands.", "C5"),
    ("CH-21", "Compulsory jumps", "Under `mandatory`, when a jump is open only complete jumps may be played, and there are no offences.", "option"),
    ("CH-22", "Block", "Who has to move and cannot loses, unless an offence can still be answered by huff or compel.", "C6"),
    ("CH-23", "No pieces", "A side without pieces has lost at once, also when its last piece was huffed.", "C3"),
    ("CH-24", "Draw", "By agreement, by repetition or for want of progress.", "C6"),
    ("CH-25", "Touch and move", "At a table with `touch_move` a piece that was touched must be moved if it can.", "C5"),
    ("CH-26", "Conduct", "Annoying or distracting others is a matter for the host, not for these rules.", "C7"),
    ("CH-R1", "The broken sentence", "“Even though the piece thus becomes a” goes on with “king”, and the play ends.", "C5"),
    ("CH-R2", "What is an offence", "Both ignoring a jump and stopping one early.", "C5"),
    ("CH-R3", "Which piece is huffed", "The opponent chooses, one only. A full jump by one of several able pieces is no offence.", "C5"),
    ("CH-R4", "Compel after a step", "The step is taken back; the compelling player names the piece.", "C5"),
    ("CH-R5", "How long", "The right lasts until the opponent's own move; saying `leave` is allowed but not needed.", "C5"),
    ("CH-R6", "All the pieces en prise", "Any route will do, if it is followed to its end.", "C5"),
    ("CH-R7", "Touch", "A move is the touch. Option `touch_move` adds the command `touch`, which also leaves an offence.", "C5"),
    ("CH-R8", "Automatic draws", "When a position without a pending offence occurs for the third time, and after 80 plies without a "
     "capture, a huff or a move of a man; if that ply is an offence, one ply later. Options `draw_repetition` from 2 and "
     "`draw_no_progress`, 0 for off, but not both; and under `huff`, where players can go on committing offences and no position "
     "counts as repeated, `draw_no_progress` stays on.", "C6"),
    ("CH-R9", "The last piece huffed", "The huffing player wins at once. If he cannot move after a huff he loses.", "C3, C5"),
    ("CH-R10", "No offence under compulsion", "A compelled jump must be played to its end, so it opens no new offence.", "C5"),
    ("CH-R11", "Who crowns", "Crowning is automatic, so nobody can forget it.", "C4"),
    ("CH-R12", "Numbers of the squares", "As usual in English draughts, 1 to 32 from Dark's side.", "silent"),
    ("CH-R13", "Pointing out offences", "The table does so. Option `announce_offence` false: after every enemy play the seat may claim an "
     "offence of any piece, and one wrong claim ends the right for that turn. A seat without a move is told.", "silent"),
    ("CH-R14", "Long jumps", "Each piece is taken off as it is jumped, and none can be jumped twice.", "silent"),
    ("CH-R15", "Huff or compulsion", "Option `capture_rule`: `huff` as printed, or `mandatory` as played today.", "C5"),
    ("CH-R16", "Match", "Option `games`, two by default, one with each colour. A win is a point, a draw half a point; equal "
     "points draw the match.", "C2"),
)
