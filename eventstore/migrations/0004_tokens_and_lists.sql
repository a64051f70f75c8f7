-- Only a token with `token:manage` reaches all tokens of its owner; any other reaches itself and what it made. Tokens
-- that are there already were made by nobody knows whom, so each player's oldest one gets the scope.
ALTER TABLE tokens ADD COLUMN made_by uuid; -- the id of the token that made it; null for the first one
CREATE INDEX tokens_made_by ON tokens (made_by) WHERE made_by IS NOT NULL;
UPDATE tokens SET scopes = array_append(scopes, 'token:manage')
WHERE token_id IN (
    SELECT DISTINCT ON (player_id) token_id FROM tokens WHERE revoked_at IS NULL ORDER BY player_id, created_at, token_id
) AND NOT 'token:manage' = ANY (scopes);

-- Whom a match concerns: its host, who sits there, and who was invited. A player's list follows the second index a page
-- at a time, however many matches there are, and however many of them are the player's.
CREATE TABLE match_players (
    match_id  uuid NOT NULL,
    player_id uuid NOT NULL,
    opened_at timestamptz NOT NULL,
    PRIMARY KEY (match_id, player_id)
);
INSERT INTO match_players (match_id, player_id, opened_at)
SELECT DISTINCT match_id, player_id, opened_at FROM matches, unnest(array_append(players, host)) AS p (player_id);
CREATE INDEX match_players_lists ON match_players (player_id, opened_at, match_id);
GRANT SELECT, INSERT, DELETE ON match_players TO parlor_app;
DROP INDEX matches_of_player;
ALTER TABLE matches DROP COLUMN players;

-- Both are read backwards, newest first: one for all games, one for a single game.
DROP INDEX matches_in_lobby;
CREATE INDEX matches_in_lobby ON matches (opened_at, match_id) WHERE open_seats;
CREATE INDEX matches_of_game_in_lobby ON matches (game, opened_at, match_id) WHERE open_seats;
