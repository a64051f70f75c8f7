-- Each seat has a deadline of its own: a match waits for several instants at once, by name. `wake_at` is the earliest.
ALTER TABLE matches ADD COLUMN wakes jsonb;
UPDATE matches SET wakes = jsonb_build_object(wake_name, wake_at) WHERE wake_at IS NOT NULL;
ALTER TABLE matches DROP COLUMN wake_name;

-- The values of a match have other fields now. A snapshot is a cache; the log has it all.
TRUNCATE snapshots;
