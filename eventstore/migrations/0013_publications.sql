-- Who has agreed that a match which is over may be read by anybody.
CREATE TABLE publications (
    match_id  uuid NOT NULL,
    player_id uuid NOT NULL,
    at        timestamptz NOT NULL,
    PRIMARY KEY (match_id, player_id)
);
GRANT SELECT, INSERT ON publications TO parlor_app;

-- The values of a match have one more field now. A snapshot is a cache; the log has it all.
TRUNCATE snapshots;
