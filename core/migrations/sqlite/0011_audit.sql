-- The audit: what happened, and who was turned away. `number` counts from 1 within each microsecond. What payments
-- went through stands in `event` and is told from there.
CREATE TABLE audit (
    at         INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT,
    tpp        TEXT,
    psu        TEXT,
    context    TEXT,
    corporate  TEXT,
    cause      TEXT NOT NULL,
    request_id BLOB CHECK (length(request_id) = 16),
    details    TEXT,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;

-- It only grows.
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit is append-only');
END;
-- A line of a payment's history is not changed either. A sandbox that is initialised forgets payments and history.
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN
    SELECT raise(ABORT, 'the history of payments is append-only');
END;

-- The audit is told by time, and with it what payments went through.
CREATE INDEX event_by_time ON event (at);
