-- Bots that fell back and letters that are dead are few among very many rows. Those who look after a server ask for their
-- number every second; rows of other kinds enter neither index.
CREATE INDEX events_fell_back ON events (at) WHERE type = 'bot_fell_back';
CREATE INDEX deliveries_dead ON deliveries (webhook_id) WHERE state = 'dead';
