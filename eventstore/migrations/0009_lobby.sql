-- Tables that are in no list, and those that are watched later or without a token.
ALTER TABLE matches
    ADD COLUMN open_to_all     boolean NOT NULL DEFAULT false,
    ADD COLUMN spectator_delay integer NOT NULL DEFAULT 0,
    ADD COLUMN private         boolean NOT NULL DEFAULT false,
    ADD COLUMN started_at      timestamptz;
-- Read backwards, newest first, as the lists of the lobby are.
CREATE INDEX matches_to_watch ON matches (opened_at, match_id) WHERE spectators AND NOT private;
CREATE INDEX matches_of_game_to_watch ON matches (game, opened_at, match_id) WHERE spectators AND NOT private;
CREATE INDEX matches_open_to_all ON matches (opened_at, match_id) WHERE open_to_all AND NOT private;
CREATE INDEX matches_of_game_open_to_all ON matches (game, opened_at, match_id) WHERE open_to_all AND NOT private;

-- Whoever has the code may see the table before the start and take a seat. Only the host ever had the code in plain.
CREATE TABLE invitations (
    match_id      uuid NOT NULL,
    invitation_id uuid NOT NULL,
    code_hash     bytea NOT NULL,
    seat          smallint, -- null for any
    uses          integer NOT NULL,
    used          integer NOT NULL DEFAULT 0,
    created_at    timestamptz NOT NULL,
    expires_at    timestamptz,
    revoked_at    timestamptz,
    PRIMARY KEY (match_id, invitation_id)
);
CREATE UNIQUE INDEX invitations_by_code ON invitations (match_id, code_hash);

-- Which match follows another. Nothing can follow the end of a match in its own log.
CREATE TABLE rematches (
    match_id   uuid PRIMARY KEY,
    rematch_id uuid NOT NULL,
    host       uuid NOT NULL,
    at         timestamptz NOT NULL
);

-- Notes are no part of a match's log. Those of each player are numbered, so that no two can slip past the limit at once.
CREATE TABLE notes (
    match_id  uuid NOT NULL,
    player_id uuid NOT NULL,
    number    integer NOT NULL,
    note_id   uuid NOT NULL,
    seat      smallint, -- null for a host without a seat
    text      text NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (match_id, player_id, number)
);
CREATE INDEX notes_in_order ON notes (match_id, at, note_id);

GRANT SELECT, INSERT, UPDATE ON invitations TO parlor_app;
GRANT SELECT, INSERT ON rematches, notes TO parlor_app;

-- The values of a match have other fields now. A snapshot is a cache; the log has it all.
TRUNCATE snapshots;
