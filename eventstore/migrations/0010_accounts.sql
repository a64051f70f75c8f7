-- A token is good until it is revoked or has expired. Whoever asks whether one is, asks here.
ALTER TABLE tokens
    ADD COLUMN expires_at   timestamptz, -- null: never
    ADD COLUMN last_used_at timestamptz; -- written once a minute at the most, by no command
CREATE VIEW good_tokens AS
SELECT * FROM tokens WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now());
GRANT SELECT, UPDATE ON good_tokens TO parlor_app; -- UPDATE, because whoever makes a token holds the row of its maker

ALTER TABLE players
    ADD COLUMN recovery_hash bytea,      -- of the code that gives the account back; null: none was fetched yet
    ADD COLUMN ended_at      timestamptz, -- when the account was deleted, or closed by the operator
    ADD COLUMN vacate_at     timestamptz; -- when to look for tables that the player has not left; null: never again
CREATE INDEX players_to_see_off ON players (vacate_at) WHERE vacate_at IS NOT NULL;

-- Guesses at recovery codes that were wrong, by player and by address, within the hour. Older rows are swept away.
CREATE UNLOGGED TABLE recovery_guesses (
    who     text PRIMARY KEY,
    since   timestamptz NOT NULL,
    guesses integer NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_guesses TO parlor_app;

-- The operator is nobody who plays. Tokens of the operator are made on the command line, and nowhere else.
INSERT INTO players (player_id, name, created_at) VALUES ('00000000-0000-0000-0000-000000000000', 'operator', now());

-- Whatever was done with such a token. Append-only, as events are.
CREATE TABLE operator_log (
    entry_id uuid PRIMARY KEY,
    at       timestamptz NOT NULL,
    token_id uuid NOT NULL,
    action   text NOT NULL,
    target   uuid, -- a match or a player
    reason   text
);
CREATE INDEX operator_log_by_time ON operator_log (at, entry_id);
CREATE FUNCTION operator_log_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of the operator is append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER operator_log_is_final BEFORE UPDATE OR DELETE ON operator_log
    FOR EACH ROW EXECUTE FUNCTION operator_log_is_final();
CREATE TRIGGER operator_log_stays BEFORE TRUNCATE ON operator_log
    FOR EACH STATEMENT EXECUTE FUNCTION operator_log_is_final();
GRANT SELECT, INSERT ON operator_log TO parlor_app;

-- Names are joined when a list is read.
UPDATE matches SET seats = (
    SELECT jsonb_agg(s.chair - 'name' ORDER BY s.n) FROM jsonb_array_elements(seats) WITH ORDINALITY AS s (chair, n)
) WHERE seats @? '$[*].name';

-- The values of a match have other fields now. A snapshot is a cache; the log has it all.
TRUNCATE snapshots;
