-- The feed follows transaction numbers, and these are one cluster's own: after a dump and restore they begin anew, and
-- after a failover some are given twice. Each time the database finds itself somewhere else a new epoch begins. Events
-- keep the epoch they were written in, so that whatever comes later stands later in the feed.
CREATE FUNCTION feed_cluster() RETURNS text LANGUAGE sql STABLE
RETURN (SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) FROM pg_control_system());

CREATE TABLE feed_epochs (
    epoch    integer PRIMARY KEY,
    cluster  text NOT NULL, -- its identifier and timeline
    began_at timestamptz NOT NULL
);
INSERT INTO feed_epochs VALUES (0, 'wherever events were written before there were epochs', now()),
                               (1, feed_cluster(), now());
GRANT SELECT, INSERT ON feed_epochs TO parlor_app;

CREATE FUNCTION newest_feed_epoch() RETURNS integer LANGUAGE sql STABLE RETURN (SELECT max(epoch) FROM feed_epochs);
-- A connection learns the epoch once, when it is made: no command looks it up.
CREATE FUNCTION feed_epoch() RETURNS integer LANGUAGE sql STABLE
RETURN coalesce(nullif(current_setting('parlor.feed_epoch', true), '')::integer, newest_feed_epoch());

ALTER TABLE events ADD COLUMN epoch integer NOT NULL DEFAULT 0;
ALTER TABLE events ALTER COLUMN epoch SET DEFAULT feed_epoch();
DROP INDEX events_feed;
CREATE INDEX events_feed ON events (epoch, tx, match_id, version);

-- Where in the feed a match ended: whoever follows the matches of a player passes over all that were over before.
ALTER TABLE match_players ADD COLUMN ended_in integer, ADD COLUMN ended_tx xid8;
UPDATE match_players SET ended_in = e.epoch, ended_tx = e.tx
FROM matches m JOIN events e ON e.match_id = m.match_id AND e.version = m.version
WHERE m.match_id = match_players.match_id AND m.status = 'over';
CREATE INDEX match_players_going_on ON match_players (player_id, match_id) WHERE ended_tx IS NULL;
CREATE INDEX match_players_ended ON match_players (player_id, ended_in, ended_tx) WHERE ended_tx IS NOT NULL;
-- Ratings follow the ends of matches alone.
CREATE INDEX events_ends ON events (epoch, tx, match_id, version) WHERE type = 'match_ended';

-- Ratings are worked out from the feed, and may be thrown away. Each book is a reckoning from the beginning up to its
-- position. The newest that is complete is shown, while another may be written.
CREATE TABLE rating_books (
    book     integer PRIMARY KEY,
    complete boolean NOT NULL,
    position text, -- of the feed; null before the first entry
    began_at timestamptz NOT NULL
);

CREATE TABLE ratings (
    book    integer NOT NULL,
    game    text NOT NULL,
    kind    text NOT NULL CHECK (kind IN ('human', 'program', 'bot')),
    who     text NOT NULL, -- a player's id, or the level of a bot
    mu      double precision NOT NULL,
    sigma   double precision NOT NULL,
    points  integer NOT NULL,
    matches integer NOT NULL,
    won     integer NOT NULL,
    drawn   integer NOT NULL,
    PRIMARY KEY (book, who, kind, game)
);
CREATE INDEX ratings_by_points ON ratings (book, game, points DESC, kind, who);

CREATE TABLE rating_changes (
    match_id     uuid NOT NULL,
    book         integer NOT NULL,
    seat         smallint NOT NULL,
    game         text NOT NULL,
    kind         text NOT NULL,
    who          text NOT NULL,
    side         smallint NOT NULL,
    place        smallint NOT NULL,
    result       text NOT NULL CHECK (result IN ('won', 'drawn', 'lost')),
    points       integer NOT NULL,
    points_after integer NOT NULL,
    ended_at     timestamptz NOT NULL,
    PRIMARY KEY (match_id, book, seat)
);
CREATE INDEX rating_changes_of ON rating_changes (book, who, ended_at, match_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON rating_books, ratings, rating_changes TO parlor_app;
