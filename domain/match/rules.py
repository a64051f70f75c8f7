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
     "with the end of the game. It can be withdrawn. A seat offers once between two commands of its own. Bots answer by "
     "what they expect of playing on, and may offer a draw with a command; one that keeps the seat of an absent player "
     "declines.", "Parlor"),
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
     "seat is then open again.", "Parlor"),
    ("PM-12", "Cancelling", "The host may cancel a match before the start, and later while nobody but bots plays. It "
     "has no places, and its seed is shown. A table at which nothing happens for long before the start is cancelled by "
     "the clock. The operator of the server may close any match in the same way.", "Parlor"),
    ("PM-13", "Thinking time", "A table may give bots that search less time for a turn than the server does, and not "
     "more.", "Parlor"),
    ("PM-14", "Matches of bots alone", "A player may have so many matches running in which nobody but bots plays as the "
     "server allows. The next one can start when one of them is over or cancelled.", "Parlor"),
    ("PM-15", "Invitations", "The host of a table that has not started makes invitations to it: for one seat or for any, "
     "for so many players, for some time, and can take them back. At a private table a seat that is kept for nobody is "
     "taken with an invitation and not otherwise.", "Parlor"),
    ("PM-16", "Sent away", "Before the start the host may open a seat that another has taken, or that is kept for "
     "somebody. Who has lost a seat in this way takes no other of the match, unless it is kept for this player.", "Parlor"),
    ("PM-17", "Several commands at once", "A seat may send a list of commands, which is played as a whole or not at all. "
     "None of them may follow one that leaves something to chance, or may show the seat something new, as any command "
     "may where cards are hidden.", "Parlor"),
    ("PM-18", "Rematch", "Who had a seat in a match that was played to its end, or opened it, may ask for another. There "
     "is one rematch of a match. It is played at the same kind of table; everybody sits one seat further to the left. "
     "Seats are kept for the players, and bots sit down.", "Parlor"),
    ("PM-19", "Notes", "Those at a table may leave each other notes before the start and after the end, unless the table "
     "is without notes, and so many as the server allows.", "Parlor"),
    ("PM-20", "Rated matches", "A match is rated, or not, from when it is opened. It can be if its options are the usual "
     "ones, the server's bots think as long as they usually do, nobody watches it late, and not only bots sit there. It "
     "counts when it ends by play, resignation or time; one that is cancelled, or drawn by agreement of the seats alone, "
     "does not.", "Parlor"),
    ("PM-21", "Published matches", "Once a match is over, those who have a seat may agree to publish it; where bots alone "
     "play, who opened it decides. A table may also be opened as one to be published. What is published anybody may read, "
     "and nobody can do so before the end.", "Parlor"),
    ("PM-22", "Forks", "Whoever may see a match that is over may open another that goes on from its table at any version, "
     "between two commands. While it is being played only a seat may that plays against bots alone, since it would be "
     "advice against people; what this seat cannot know is then drawn anew. Such a match is never rated.", "Parlor"),
)
