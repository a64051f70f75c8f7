"""Who may see what, a module a game: `EVENTS` for the fields of events, `HIDDEN` for the fields of commands that the
others do not see, and `steer` where a fair shuffle would make a moment too rare to be tested."""
