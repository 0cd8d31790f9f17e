-- The audit: what happened, and who was turned away. Numbers grow in the order the lines were written. What payments
-- went through stands in `event` and is told from there.
CREATE TABLE audit (
    at         BIGINT NOT NULL,
    number     BIGINT GENERATED ALWAYS AS IDENTITY,
    kind       TEXT NOT NULL,
    subject    TEXT,
    tpp        TEXT,
    psu        TEXT,
    context    TEXT,
    corporate  TEXT,
    cause      TEXT NOT NULL,
    request_id UUID,
    details    TEXT,
    PRIMARY KEY (at, number)
);

-- It only grows, and so do the histories of payments.
CREATE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit and the history of payments are append-only';
END
$$;
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    EXECUTE FUNCTION refuse_to_change();
CREATE TRIGGER event_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    EXECUTE FUNCTION refuse_to_change();

-- The audit is told by time, and with it what payments went through.
CREATE INDEX event_by_time ON event (at, payment, number);
