"""What holds for every match, whatever is played."""

from domain.game import rules

RULES = rules(
    ("PM-01", "Seats first", "A match starts when every seat is taken.", "Parlor"),
    ("PM-02", "The host starts", "Only the player who opened a match starts it.", "Parlor"),
    ("PM-03", "Open seats", "A seat can be taken while the match has not started and the seat is open.", "Parlor"),
    ("PM-04", "One seat a player", "A player sits on one seat of a match at the most.", "Parlor"),
    ("PM-05", "Resignation", "A seat may resign at any time of a running match. With one side left that side wins at "
     "once; otherwise a bot plays the seat on, and the seat can no longer win.", "Parlor"),
    ("PM-06", "Draw by agreement", "A seat may offer a draw; it comes about when every other seat that has not "
     "resigned agrees, and lapses with the first that does not. Bots do not agree.", "Parlor"),
    ("PM-07", "Deadlines", "At a table with `turn_seconds` the clock makes the first legal command of a seat that lets "
     "its time run out. After three in a row a bot plays the seat on.", "Parlor"),
    ("PM-08", "The end", "A match that is over takes no command.", "Parlor"),
    ("PM-09", "Not yet started", "Commands of the game wait until the match has started.", "Parlor"),
    ("PM-10", "Stand-in", "A bot that fails to move is replaced by the first legal command, and an event says so.", "Parlor"),
)
