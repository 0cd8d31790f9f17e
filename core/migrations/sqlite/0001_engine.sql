-- The tables of the engine. Times are microseconds since 1970 (UTC), sums and enums are written as on the wire, UUIDs
-- are 16 bytes.

-- The migrations that were applied, each with the oldest schema version whose library may still write; NULL if no older
-- one may. Their number is `PRAGMA user_version` too.
CREATE TABLE migration (
    number        INTEGER PRIMARY KEY,
    oldest_writer INTEGER
) STRICT;

-- The bank that the database belongs to, if its engine has a `bank_id`: one row at most.
CREATE TABLE bank_identity (
    number  INTEGER PRIMARY KEY CHECK (number = 1),
    bank_id TEXT NOT NULL
) STRICT;

-- X-Request-IDs of the replay window.
CREATE TABLE used_request_id (
    tpp        TEXT NOT NULL,
    request_id TEXT NOT NULL CHECK (length(request_id) BETWEEN 1 AND 64),
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (tpp, request_id)
) STRICT, WITHOUT ROWID;
-- Request ids that have left the replay window are deleted by their age.
CREATE INDEX used_request_id_by_time ON used_request_id (used_at);

-- `transfer` is the order of the TPP. `basket` is set only while the basket is open; `identity` is the number of the
-- person that the creating call named, until the payment is authorised. `on_hold` is set while the bank holds the
-- payment: why, or empty.
CREATE TABLE payment (
    number                INTEGER PRIMARY KEY,
    id                    TEXT NOT NULL UNIQUE,
    version               INTEGER NOT NULL CHECK (version >= 1),
    tpp                   TEXT NOT NULL,
    product               TEXT NOT NULL,
    psu                   TEXT,
    context               TEXT,
    corporate             TEXT,
    transfer              TEXT NOT NULL,
    fee                   TEXT NOT NULL,
    fee_currency          TEXT NOT NULL,
    status                TEXT NOT NULL,
    funds                 INTEGER CHECK (funds IN (0, 1)),
    authorised_at         INTEGER,
    created_at            INTEGER NOT NULL,
    duplicate_fingerprint BLOB NOT NULL CHECK (length(duplicate_fingerprint) = 32),
    basket                TEXT,
    identity              TEXT,
    on_hold               TEXT
) STRICT;
-- Finds duplicates. Both columns never change, so that a change of the status does not write to the index.
CREATE INDEX payment_by_fingerprint ON payment (duplicate_fingerprint, created_at);
-- Pages of payments, newest first: of all, of a person, of a TPP, and of a status.
CREATE INDEX payment_by_time ON payment (created_at);
CREATE INDEX payment_by_psu ON payment (psu, created_at) WHERE psu IS NOT NULL;
CREATE INDEX payment_by_tpp ON payment (tpp, created_at);
CREATE INDEX payment_by_status ON payment (status, created_at);

-- The append-only history of payments; `number` counts from 1 within each payment.
CREATE TABLE event (
    payment     INTEGER NOT NULL REFERENCES payment (number),
    number      INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    cause       TEXT NOT NULL,
    PRIMARY KEY (payment, number)
) STRICT, WITHOUT ROWID;
-- The audit is read by time, and the history of payments with it.
CREATE INDEX event_by_time ON event (at);
-- Rows can be deleted, because a sandbox that is initialised deletes payments with their history.
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN
    SELECT raise(ABORT, 'the history of payments is append-only');
END;

-- Signing baskets. `payments` are ids in the order of the basket, separated by spaces; they never change.
CREATE TABLE basket (
    id         TEXT NOT NULL PRIMARY KEY,
    version    INTEGER NOT NULL CHECK (version >= 1),
    tpp        TEXT NOT NULL,
    payments   TEXT NOT NULL,
    psu        TEXT NOT NULL,
    context    TEXT NOT NULL,
    corporate  TEXT,
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Baskets are deleted by their age.
CREATE INDEX basket_by_time ON basket (created_at);

-- Authorisations; `tpp_name` is the name of the TPP, `brand` the brand that it uses toward the PSU, and `psu_language`
-- the language of the PSU, for the page where the PSU answers. `language` is that of the call-back.
CREATE TABLE authorisation (
    id           TEXT NOT NULL PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version >= 1),
    tpp          TEXT NOT NULL,
    purpose      TEXT NOT NULL,
    payment_id   TEXT REFERENCES payment (id)
        CHECK ((payment_id IS NOT NULL) = (purpose IN ('payment', 'cancellation'))),
    basket_id    TEXT REFERENCES basket (id) CHECK ((basket_id IS NOT NULL) = (purpose = 'basket')),
    redirect_uri TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    psu          TEXT,
    identity     TEXT,
    context      TEXT,
    corporate    TEXT,
    language     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    status       TEXT NOT NULL,
    brand        TEXT,
    tpp_name     TEXT,
    psu_language TEXT NOT NULL,
    redirect_preferred INTEGER NOT NULL CHECK (redirect_preferred IN (0, 1))
) STRICT, WITHOUT ROWID;
-- Authorisations are deleted by their age.
CREATE INDEX authorisation_by_time ON authorisation (created_at);
-- Payments and baskets are deleted once no authorisation names them, and those of a person with the person.
CREATE INDEX authorisation_by_payment ON authorisation (payment_id) WHERE payment_id IS NOT NULL;
CREATE INDEX authorisation_by_basket ON authorisation (basket_id) WHERE basket_id IS NOT NULL;
CREATE INDEX authorisation_by_psu ON authorisation (psu) WHERE psu IS NOT NULL;

-- The outbox: authorised payments that the bank does not have yet; `number` is the order in which they were enqueued.
-- `faults` counts the failures that are the order's own; the other attempts failed because the bank was away. While
-- `cancellation_requested` is set, no answer to the order removes it. A dead letter stays and is not delivered.
CREATE TABLE outbox (
    number                 INTEGER PRIMARY KEY,
    payment_id             TEXT NOT NULL UNIQUE REFERENCES payment (id),
    attempts               INTEGER NOT NULL,
    faults                 INTEGER NOT NULL,
    due_at                 INTEGER NOT NULL,
    cancellation_requested INTEGER CHECK (cancellation_requested IN (0, 1)),
    dead_letter_at         INTEGER,
    dead_letter_reason     TEXT CHECK ((dead_letter_reason IS NULL) = (dead_letter_at IS NULL))
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at, number) WHERE dead_letter_at IS NULL;
CREATE INDEX outbox_dead_letter ON outbox (dead_letter_at, number) WHERE dead_letter_at IS NOT NULL;

-- The PSU-ID by which a TPP knows a person.
CREATE TABLE psu_id (
    tpp    TEXT NOT NULL,
    psu_id BLOB NOT NULL CHECK (length(psu_id) = 16),
    psu    TEXT NOT NULL,
    PRIMARY KEY (tpp, psu_id),
    UNIQUE (tpp, psu)
) STRICT, WITHOUT ROWID;
CREATE INDEX psu_id_by_psu ON psu_id (psu);

-- The PSU-Corporate-ID by which a TPP knows a corporate customer, and the persons it was opened to.
CREATE TABLE corporate_id (
    tpp          TEXT NOT NULL,
    corporate_id BLOB NOT NULL CHECK (length(corporate_id) = 16),
    corporate    TEXT NOT NULL,
    PRIMARY KEY (tpp, corporate_id),
    UNIQUE (tpp, corporate)
) STRICT, WITHOUT ROWID;
CREATE TABLE corporate_psu (
    tpp          TEXT NOT NULL,
    corporate_id BLOB NOT NULL,
    psu          TEXT NOT NULL,
    PRIMARY KEY (tpp, corporate_id, psu),
    FOREIGN KEY (tpp, corporate_id) REFERENCES corporate_id (tpp, corporate_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX corporate_psu_by_psu ON corporate_psu (psu);

-- Sessions of PSUs in a role: `corporate` is empty in the private context. `first_sca` is the authorisation that opened
-- the session first. Of a replaced session, `replaced_after` is the newest authorisation of the time when it was
-- replaced: an SCA that is not newer began before. Both are no references, because authorisations are deleted earlier.
CREATE TABLE sca_session (
    tpp            TEXT NOT NULL,
    id             TEXT NOT NULL,
    psu            TEXT NOT NULL,
    context        TEXT NOT NULL,
    corporate      TEXT NOT NULL,
    opened_at      INTEGER NOT NULL,
    first_sca      TEXT NOT NULL,
    replaced_after TEXT,
    PRIMARY KEY (tpp, id)
) STRICT, WITHOUT ROWID;
-- A TPP, person and context have at most one open session.
CREATE UNIQUE INDEX sca_session_open ON sca_session (tpp, psu, context) WHERE replaced_after IS NULL;
CREATE INDEX sca_session_by_time ON sca_session (opened_at);
CREATE INDEX sca_session_by_psu ON sca_session (psu);

-- Consents of PSUs in a role: `corporate` is empty in the private context. A consent that was revoked or replaced by a
-- newer one keeps its row; the last row of a role counts. `last_access_at` is exact to a minute.
CREATE TABLE consent (
    number         INTEGER PRIMARY KEY,
    tpp            TEXT NOT NULL,
    tpp_name       TEXT,
    psu            TEXT NOT NULL,
    context        TEXT NOT NULL,
    corporate      TEXT NOT NULL,
    granted_at     INTEGER NOT NULL,
    last_access_at INTEGER,
    ended_at       INTEGER,
    ended_why      TEXT CHECK (ended_why IN ('revoked', 'replaced')),
    CHECK ((ended_at IS NULL) = (ended_why IS NULL))
) STRICT;
-- A role has at most one consent that neither was revoked nor replaced.
CREATE UNIQUE INDEX consent_open ON consent (tpp, psu, context, corporate) WHERE ended_at IS NULL;
CREATE INDEX consent_of_role ON consent (tpp, psu, context, corporate);
CREATE INDEX consent_by_psu ON consent (psu);
CREATE INDEX consent_by_tpp ON consent (tpp);
-- Consents that ended or expired are deleted by their age.
CREATE INDEX consent_by_end ON consent (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX consent_by_grant ON consent (granted_at) WHERE ended_at IS NULL;
CREATE TABLE consent_account (
    consent INTEGER NOT NULL REFERENCES consent (number),
    kind    TEXT NOT NULL CHECK (kind IN ('account', 'card')),
    account TEXT NOT NULL,
    PRIMARY KEY (consent, kind, account)
) STRICT, WITHOUT ROWID;

-- TPPs, by organisation identifier, and certificates, by the SHA-256 of their DER in hex, whose calls are refused.
CREATE TABLE blocked (
    kind    TEXT NOT NULL CHECK (kind IN ('tpp', 'certificate')),
    subject TEXT NOT NULL,
    since   INTEGER NOT NULL,
    ends_at INTEGER,
    why     TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
) STRICT, WITHOUT ROWID;

-- Calls without the PSU, by day in Oslo. Old days are deleted.
CREATE TABLE access_count (
    tpp       TEXT NOT NULL,
    psu       TEXT NOT NULL,
    account   TEXT NOT NULL,
    operation TEXT NOT NULL,
    day       TEXT NOT NULL,
    calls     INTEGER NOT NULL,
    PRIMARY KEY (tpp, psu, account, operation, day)
) STRICT, WITHOUT ROWID;

-- Calls by day in Oslo and how they ended, with the time that they took together. `tpp` is empty if no caller was
-- authenticated, `operation` if no call was routed.
CREATE TABLE call_count (
    day       TEXT NOT NULL,
    tpp       TEXT NOT NULL,
    operation TEXT NOT NULL,
    ended     TEXT NOT NULL CHECK (ended IN ('answered', 'refused', 'failed')),
    calls     INTEGER NOT NULL,
    micros    INTEGER NOT NULL,
    PRIMARY KEY (day, tpp, operation, ended)
) STRICT, WITHOUT ROWID;
-- When the interface was down, as each node saw it: the times of two nodes may overlap.
CREATE TABLE outage (
    began_at INTEGER PRIMARY KEY,
    ended_at INTEGER NOT NULL CHECK (ended_at >= began_at)
) STRICT;

-- The append-only audit; `number` counts from 1 within each microsecond. Changes of payments are in `event`.
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
    request_id TEXT CHECK (length(request_id) BETWEEN 1 AND 64),
    details    TEXT,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit is append-only');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit
BEGIN
    SELECT raise(ABORT, 'the audit is append-only');
END;
