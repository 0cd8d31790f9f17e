-- How many failures to deliver an order were its own; the others are those of a bank that is away.
ALTER TABLE outbox ADD COLUMN faults BIGINT NOT NULL DEFAULT 0;
-- An order that is set aside stays, with when and why, and is not due any more.
ALTER TABLE outbox ADD COLUMN set_aside_at BIGINT;
ALTER TABLE outbox ADD COLUMN why TEXT CHECK ((why IS NULL) = (set_aside_at IS NULL));
DROP INDEX outbox_by_time;
CREATE INDEX outbox_by_time ON outbox (due_at, number) WHERE set_aside_at IS NULL;
CREATE INDEX outbox_set_aside ON outbox (set_aside_at, number) WHERE set_aside_at IS NOT NULL;
