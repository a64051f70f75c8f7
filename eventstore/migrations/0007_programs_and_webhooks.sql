-- Who is to act, a bit for each seat. No index has it, so that a command changes none. Of matches that are being played
-- already the log alone knows; until their next command all seats count as to act.
ALTER TABLE matches
    ADD COLUMN acting integer NOT NULL DEFAULT 0,
    ADD COLUMN hooked boolean NOT NULL DEFAULT false; -- somebody whom it concerns has a webhook
UPDATE matches SET acting = -1 WHERE status = 'playing';

-- Whoever asks where to act has only the matches read that are being played, however many are over.
ALTER TABLE match_players ADD COLUMN running boolean NOT NULL DEFAULT false;
UPDATE match_players SET running = true
FROM matches WHERE matches.match_id = match_players.match_id AND matches.status = 'playing';
CREATE INDEX match_players_running ON match_players (player_id, opened_at, match_id) WHERE running;
GRANT UPDATE ON match_players TO parlor_app;

-- `updated_at` changes with every command: a column that an index has cannot be updated in place.
DROP INDEX matches_not_started;
CREATE INDEX matches_not_started ON matches (opened_at) WHERE status = 'open';

CREATE TABLE webhooks (
    webhook_id uuid PRIMARY KEY,
    player_id  uuid NOT NULL,
    token_id   uuid NOT NULL, -- of the token that made it, and with which it falls
    url        text NOT NULL,
    secret     text NOT NULL, -- deliveries are signed with it, so that a hash would not do
    created_at timestamptz NOT NULL,
    connect_at timestamptz    -- when the matches that are being played are to be told of it
);
CREATE INDEX webhooks_of_player ON webhooks (player_id);
CREATE INDEX webhooks_to_connect ON webhooks (connect_at) WHERE connect_at IS NOT NULL;

-- Written by the commit that they tell of. There is one at the most for a webhook and a version of a match.
CREATE TABLE deliveries (
    match_id    uuid NOT NULL,
    webhook_id  uuid NOT NULL,
    version     integer NOT NULL,
    delivery_id uuid NOT NULL DEFAULT gen_random_uuid(),
    about       text NOT NULL CHECK (about IN ('turn', 'end')),
    state       text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead', 'past')),
    created_at  timestamptz NOT NULL,
    due_at      timestamptz NOT NULL, -- while it waits: when to try, or when another sender may
    attempts    integer NOT NULL DEFAULT 0,
    tried_at    timestamptz,
    problem     text,
    PRIMARY KEY (match_id, webhook_id, version)
);
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting';
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, created_at, delivery_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON webhooks, deliveries TO parlor_app;

-- The values of a match have other fields now. A snapshot is a cache; the log has it all.
TRUNCATE snapshots;
