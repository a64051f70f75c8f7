"""What holds for every match, whatever is played."""

from domain.game import rules

RULES = rules(
    ("PM-01", "Seats first", "A match starts when every seat is taken.", "Parlor"),
    ("PM-02", "The host starts", "Only the player who opened a match starts it.", "Parlor"),
    ("PM-03", "Open seats", "A seat can be taken while the match has not started and the seat is open. "
     "A program that a player brings says so when it sits down; deadlines, resignation and draws hold for it as for a "
     "person.", "Parlor"),
    ("PM-04", "One seat a player", "A player sits on one seat of a match at the most.", "Parlor"),
    ("PM-05", "Resignation", "A seat may resign at any time of a running match. With one side left that side wins at "
     "once; otherwise a bot plays the seat on, and the seat can no longer win.", "Parlor"),
    ("PM-06", "Draw by agreement", "A seat may offer a draw; it comes about when every other seat that has not "
     "resigned agrees, and lapses with the first that does not, with the next command of the seat that offered it, or "
     "with the end of the game. It can be withdrawn. A seat offers once between two commands of its own. Bots do not "
     "agree.", "Parlor"),
    ("PM-07", "Deadlines", "At a table with `turn_seconds` each seat has that long from when it comes to act, and "
     "again after each command of its own that cannot be taken back. Where all play at once the time begins with the "
     "round. When it has run out the clock makes a command for the seat. After three in a row a bot plays the seat on, "
     "until its player comes back to it.", "Parlor"),
    ("PM-08", "The end", "A match that is over takes no command.", "Parlor"),
    ("PM-09", "Not yet started", "Commands of the game wait until the match has started.", "Parlor"),
    ("PM-10", "Stand-in", "A command for an absent seat or for a bot that fails is the best by the rules of thumb of "
     "the game, or the first legal one where they fail; where the others may not know the choice, it is drawn by lot from "
     "the match's seed. An event says so. A seat that a bot keeps is played at the level `steady`.", "Parlor"),
    ("PM-11", "Leaving", "Before the start a player may leave the seat taken, and an invited player may decline. The "
     "seat is then open to all.", "Parlor"),
    ("PM-12", "Cancelling", "The host may cancel a match before the start, and later while nobody but bots plays. It "
     "has no places, and its seed is shown. A table at which nothing happens for long before the start is cancelled by "
     "the clock.", "Parlor"),
    ("PM-13", "Thinking time", "A table may give bots that search less time for a turn than the server does, and not "
     "more.", "Parlor"),
    ("PM-14", "Matches of bots alone", "A player may have so many matches running in which nobody but bots plays as the "
     "server allows. The next one can start when one of them is over or cancelled.", "Parlor"),
)
