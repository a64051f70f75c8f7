-- A bot that searches takes its time. Whoever only has to answer does not wait behind it.
ALTER TABLE bot_turns ADD COLUMN slow boolean NOT NULL DEFAULT false;

-- Tables that nobody joins are cancelled after a while; they are found by when something last happened there.
CREATE INDEX matches_not_started ON matches (updated_at) WHERE status = 'open';
