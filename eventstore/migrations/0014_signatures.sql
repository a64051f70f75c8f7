-- Heads that the server has put its name to, so that whoever kept one can prove a rewritten log wrong.

CREATE TABLE signing_keys (
    key_id     text PRIMARY KEY,
    public     bytea NOT NULL,
    since      timestamptz NOT NULL,
    retired_at timestamptz -- it signs no more; what it signed stays good
);

CREATE TABLE signatures (
    match_id  uuid NOT NULL,
    version   integer NOT NULL,
    head      bytea NOT NULL,
    at        timestamptz NOT NULL,
    key_id    text NOT NULL,
    signature bytea NOT NULL,
    PRIMARY KEY (match_id, version)
);

-- The matches that ended and are not signed yet.
ALTER TABLE matches ADD COLUMN signed boolean NOT NULL DEFAULT false;
CREATE INDEX matches_to_sign ON matches (opened_at) WHERE status = 'over' AND NOT signed;

-- A day's tree is one row: its leaves are kept side by side, 52 bytes each (match, version, head).
CREATE TABLE trees (
    day        date PRIMARY KEY,
    upto       timestamptz NOT NULL,
    size       integer NOT NULL,
    root       bytea NOT NULL,
    leaves     bytea NOT NULL,
    at         timestamptz NOT NULL,
    key_id     text NOT NULL,
    signature  bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON signing_keys TO parlor_app;
GRANT SELECT, INSERT ON signatures, trees TO parlor_app;
