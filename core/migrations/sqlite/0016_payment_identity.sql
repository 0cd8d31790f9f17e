-- The person that the call which created the payment named, while nobody has authorised it.
ALTER TABLE payment ADD COLUMN identity TEXT;
