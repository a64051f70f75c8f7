-- Notes of a player who is no more are erased, wherever they were left.
CREATE INDEX notes_of_a_player ON notes (player_id, match_id);
GRANT DELETE ON notes TO parlor_app;
