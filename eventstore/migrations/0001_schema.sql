-- match_id stands first in every key of a match's rows, identifiers are made by the application, and no sequence is
-- needed: the same schema can be spread over several machines.

CREATE TABLE players (
    player_id  uuid PRIMARY KEY,
    name       text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE TABLE tokens (
    token_hash bytea PRIMARY KEY,
    token_id   uuid NOT NULL UNIQUE,
    player_id  uuid NOT NULL REFERENCES players,
    scopes     text[] NOT NULL,
    label      text NOT NULL,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX tokens_of_player ON tokens (player_id);

-- The head of each stream, and what the lobby lists. Its version changes with every command, so pages keep room for
-- updates in place.
CREATE TABLE matches (
    match_id   uuid PRIMARY KEY,
    version    integer NOT NULL,
    game       text NOT NULL,
    status     text NOT NULL CHECK (status IN ('open', 'playing', 'over')),
    host       uuid NOT NULL,
    spectators boolean NOT NULL,
    seats      jsonb NOT NULL,
    players    uuid[] NOT NULL,
    open_seats boolean NOT NULL,
    opened_at  timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    wake_at    timestamptz,
    wake_name  text,
    seed       bytea NOT NULL
) WITH (fillfactor = 60);
CREATE INDEX matches_in_lobby ON matches (opened_at DESC, match_id) WHERE open_seats;
CREATE INDEX matches_of_player ON matches USING gin (players);
CREATE INDEX matches_to_wake ON matches (wake_at) WHERE wake_at IS NOT NULL;

CREATE TABLE events (
    match_id   uuid NOT NULL,
    version    integer NOT NULL,
    type       text NOT NULL,
    schema     smallint NOT NULL,
    public     json NOT NULL, -- kept as it was written: nothing is ever looked for inside it
    secret     json,
    actor      text NOT NULL,
    command_id text NOT NULL,
    at         timestamptz NOT NULL,
    hash       bytea NOT NULL,
    tx         xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (match_id, version)
);
-- The feed follows this index: a transaction's number is known before it commits, a sequence's order is not.
CREATE INDEX events_feed ON events (tx, match_id, version);

CREATE FUNCTION events_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only: % refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER events_are_final BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION events_are_final();
CREATE TRIGGER events_stay BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION events_are_final();

-- A retry finds its first answer here: the versions it brought about, from which the answer is built again.
CREATE TABLE commands (
    match_id      uuid NOT NULL,
    command_id    text NOT NULL,
    digest        bytea NOT NULL,
    first_version integer NOT NULL,
    last_version  integer NOT NULL,
    at            timestamptz NOT NULL,
    PRIMARY KEY (match_id, command_id)
);

-- The outbox: a row for every bot that is to act, written by the commit that made it so.
CREATE TABLE bot_turns (
    match_id uuid NOT NULL,
    version  integer NOT NULL,
    seat     smallint NOT NULL,
    due_at   timestamptz NOT NULL,
    attempt  integer NOT NULL DEFAULT 0, -- how often the bell was rung again
    starts   integer NOT NULL DEFAULT 0, -- how often a worker began to think about it
    PRIMARY KEY (match_id, version, seat)
);
CREATE INDEX bot_turns_due ON bot_turns (due_at);

-- A cache that may be dropped at any time.
CREATE UNLOGGED TABLE snapshots (
    match_id      uuid NOT NULL,
    version       integer NOT NULL,
    rules_version integer NOT NULL,
    state         jsonb NOT NULL,
    PRIMARY KEY (match_id, version, rules_version)
);

DO $$ BEGIN
    CREATE ROLE parlor_app NOLOGIN;
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;
GRANT parlor_app TO CURRENT_USER;
GRANT SELECT, INSERT ON events, commands TO parlor_app;
GRANT SELECT, INSERT, UPDATE ON matches, players, tokens TO parlor_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON bot_turns, snapshots TO parlor_app;
