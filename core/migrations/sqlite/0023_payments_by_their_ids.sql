-- A payment's id begins with when it was drawn. That is the number of its row, unless a row with a higher number stands
-- there already: so a payment is found by its id without an index, of which each new payment would write a page. The
-- others have the next number, and their ids stand in a table beside.
--
-- Tables are made anew where a key changes. References to payments by their ids go with the index: whoever writes sees
-- to it that the payments are there.
PRAGMA defer_foreign_keys = ON; -- The history of a payment that somebody deleted by hand stays behind.
DROP VIEW every_authorisation;
DROP VIEW opening_link;
ALTER TABLE payment RENAME TO payment_by_id;
ALTER TABLE event RENAME TO event_of_payment_by_id;
ALTER TABLE authorisation RENAME TO authorisation_of_payment_by_id;
ALTER TABLE outbox RENAME TO outbox_of_payment_by_id;

CREATE TABLE payment (
    number            INTEGER PRIMARY KEY,
    id                TEXT NOT NULL,
    version           INTEGER NOT NULL,
    tpp               TEXT NOT NULL,
    product           TEXT NOT NULL,
    psu               TEXT,
    context           TEXT,
    corporate         TEXT,
    transfer          TEXT NOT NULL,
    fee               TEXT NOT NULL,
    fee_currency      TEXT NOT NULL,
    status            TEXT NOT NULL,
    funds             INTEGER CHECK (funds IN (0, 1)),
    authorised_at     INTEGER,
    created_at        INTEGER NOT NULL,
    likeness          BLOB NOT NULL CHECK (length(likeness) = 32),
    basket            TEXT,
    identity          TEXT,
    request_id        BLOB CHECK (length(request_id) = 16),
    link              TEXT,
    link_redirect_uri TEXT,
    link_session_id   TEXT,
    link_language     TEXT,
    link_brand        TEXT
) STRICT;
INSERT INTO payment
SELECT number, id, version, tpp, product, psu, context, corporate, transfer, fee, fee_currency, status, funds,
    authorised_at, created_at, likeness, basket, identity, request_id, link, link_redirect_uri, link_session_id,
    link_language, link_brand
FROM payment_by_id;

-- The payments whose numbers are others than their ids begin with.
CREATE TABLE payment_elsewhere (
    id     TEXT NOT NULL PRIMARY KEY,
    number INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO payment_elsewhere SELECT id, number FROM payment_by_id;

CREATE TABLE event (
    payment     INTEGER NOT NULL REFERENCES payment (number),
    number      INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    cause       TEXT NOT NULL,
    PRIMARY KEY (payment, number)
) STRICT, WITHOUT ROWID;
INSERT INTO event
SELECT payment, number, at, from_status, to_status, cause FROM event_of_payment_by_id;
DROP TABLE event_of_payment_by_id;
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN
    SELECT raise(ABORT, 'the history of payments is append-only');
END;
CREATE INDEX event_by_time ON event (at);

CREATE TABLE authorisation (
    id           TEXT NOT NULL PRIMARY KEY,
    version      INTEGER NOT NULL,
    tpp          TEXT NOT NULL,
    payment_id   TEXT,
    redirect_uri TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    psu          TEXT,
    identity     TEXT,
    context      TEXT,
    corporate    TEXT,
    language     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    status       TEXT NOT NULL,
    purpose      TEXT NOT NULL,
    basket_id    TEXT,
    brand        TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO authorisation
SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity, context, corporate, language, created_at,
    status, purpose, basket_id, brand
FROM authorisation_of_payment_by_id;
DROP TABLE authorisation_of_payment_by_id;

CREATE TABLE outbox (
    number          INTEGER PRIMARY KEY,
    payment_id      TEXT NOT NULL UNIQUE,
    attempts        INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,
    faults          INTEGER NOT NULL,
    set_aside_at    INTEGER,
    why             TEXT CHECK ((why IS NULL) = (set_aside_at IS NULL)),
    asked_to_cancel INTEGER CHECK (asked_to_cancel IN (0, 1))
) STRICT;
INSERT INTO outbox
SELECT number, payment_id, attempts, due_at, faults, set_aside_at, why, asked_to_cancel FROM outbox_of_payment_by_id;
DROP TABLE outbox_of_payment_by_id;
CREATE INDEX outbox_by_time ON outbox (due_at) WHERE set_aside_at IS NULL;
CREATE INDEX outbox_set_aside ON outbox (set_aside_at) WHERE set_aside_at IS NOT NULL;

DROP TABLE payment_by_id;

CREATE VIEW opening_link AS
SELECT number, link AS id, version, tpp, id AS payment_id, link_redirect_uri AS redirect_uri,
    link_session_id AS session_id, psu, identity, context, corporate, link_language AS language, created_at,
    'started' AS status, 'payment' AS purpose, NULL AS basket_id, link_brand AS brand
FROM payment WHERE link IS NOT NULL;

CREATE VIEW every_authorisation AS
SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity, context, corporate, language, created_at,
    status, purpose, basket_id, brand
FROM authorisation
UNION ALL
SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity, context, corporate, language, created_at,
    status, purpose, basket_id, brand
FROM opening_link;
