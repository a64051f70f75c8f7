-- Workers choose by this table alone: a person at the table comes before bots among themselves, then the longest wait.
ALTER TABLE bot_turns
    ADD COLUMN ready_at timestamptz NOT NULL DEFAULT now(), -- since when the bot could act: not before its pause is over
    ADD COLUMN paused   boolean NOT NULL DEFAULT false,     -- it takes a while to act, as a person would
    ADD COLUMN rank     smallint NOT NULL DEFAULT 0;        -- 0: people play too, 1: bots alone, 2: all people have left

-- `due_at` is from now on when a worker may take the turn: the end of another's lease, or of a pause after a failure.
-- `attempt` is how often one has. Nobody counts rings any more.
UPDATE bot_turns SET due_at = now(), attempt = starts;
UPDATE bot_turns SET rank = found.rank
FROM (SELECT match_id, CASE WHEN bool_or(chair->>'kind' <> 'bot') THEN 0
                            WHEN bool_or(chair->>'player' IS NOT NULL) THEN 2
                            ELSE 1 END AS rank
      FROM matches, jsonb_array_elements(seats) AS chair WHERE status = 'playing' GROUP BY match_id) AS found
WHERE found.match_id = bot_turns.match_id;
ALTER TABLE bot_turns
    DROP COLUMN starts,
    ALTER COLUMN ready_at DROP DEFAULT,
    ALTER COLUMN rank DROP DEFAULT;
DROP INDEX bot_turns_due;
-- Without `due_at`, so that taking a turn changes no index.
CREATE INDEX bot_turns_by_urgency ON bot_turns (rank, ready_at);

ALTER TABLE matches ADD COLUMN bots_only boolean NOT NULL DEFAULT false;
UPDATE matches SET bots_only = true
WHERE status <> 'over' AND NOT EXISTS (SELECT FROM jsonb_array_elements(seats) AS chair WHERE chair->>'kind' <> 'bot');
CREATE INDEX matches_of_bots ON matches (host) WHERE bots_only AND status = 'playing';
