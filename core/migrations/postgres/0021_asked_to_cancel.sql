-- Whether the bank was asked to cancel the payment, and what it answered is not noted. Until it is, the order waits on,
-- whatever the bank answers to it.
ALTER TABLE outbox ADD COLUMN asked_to_cancel BOOLEAN;
