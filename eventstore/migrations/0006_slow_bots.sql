-- A bot that searches takes its time. Whoever only has to answer does not wait behind it.
ALTER TABLE bot_turns ADD COLUMN slow boolean NOT NULL DEFAULT false;
