-- Whether the bank was asked to cancel the payment, and what it answered is not noted. Until it is, or the payment can
-- be cancelled no more, no answer to the order takes it out.
ALTER TABLE outbox ADD COLUMN asked_to_cancel BOOLEAN;
