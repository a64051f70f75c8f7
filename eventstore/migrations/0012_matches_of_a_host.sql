-- How many matches a player has opened that are not over is asked whenever one is opened.
CREATE INDEX matches_of_host ON matches (host) WHERE status <> 'over';
