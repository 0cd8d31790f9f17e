-- The engine's store. Times are microseconds since 1970 (UTC), sums and enums are written as on the wire,
-- UUIDs are 16 bytes.

-- Small facts about the whole database: counters as INTEGER, everything else as BLOB.
CREATE TABLE meta (
    key   TEXT NOT NULL PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- X-Request-IDs of the replay window. Forgetting old ones reads the whole table, which the window keeps small; an
-- index by time would cost every commit a page.
CREATE TABLE used_request_id (
    tpp        TEXT NOT NULL,
    request_id BLOB NOT NULL CHECK (length(request_id) = 16),
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (tpp, request_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE payment (
    number         INTEGER PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    version        INTEGER NOT NULL,
    tpp            TEXT NOT NULL,
    product        TEXT NOT NULL,
    psu            TEXT,
    context        TEXT,
    corporate      TEXT,
    transfer       TEXT NOT NULL,
    fee            TEXT NOT NULL,
    fee_currency   TEXT NOT NULL,
    status         TEXT NOT NULL,
    funds          INTEGER CHECK (funds IN (0, 1)),
    authorised_at  INTEGER,
    created_at     INTEGER NOT NULL,
    likeness       BLOB NOT NULL CHECK (length(likeness) = 32)
) STRICT;
-- What stands in the way of a like payment: anything that was not rejected or cancelled.
CREATE INDEX payment_by_likeness ON payment (likeness, created_at) WHERE status NOT IN ('RJCT', 'CANC');

-- The append-only history; `number` counts from 1 within each payment.
CREATE TABLE event (
    payment     INTEGER NOT NULL REFERENCES payment (number),
    number      INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    cause       TEXT NOT NULL,
    PRIMARY KEY (payment, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE authorisation (
    id           TEXT NOT NULL PRIMARY KEY,
    version      INTEGER NOT NULL,
    tpp          TEXT NOT NULL,
    payment_id   TEXT REFERENCES payment (id),
    redirect_uri TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    psu          TEXT,
    identity     TEXT,
    context      TEXT,
    corporate    TEXT,
    language     TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    status       TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The PSU-ID by which a TPP knows a person.
CREATE TABLE psu_id (
    tpp    TEXT NOT NULL,
    psu_id BLOB NOT NULL CHECK (length(psu_id) = 16),
    psu    TEXT NOT NULL,
    PRIMARY KEY (tpp, psu_id),
    UNIQUE (tpp, psu)
) STRICT, WITHOUT ROWID;

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

-- Authorised payments that the bank does not have yet; `number` is the order they came in.
CREATE TABLE outbox (
    number     INTEGER PRIMARY KEY,
    payment_id TEXT NOT NULL UNIQUE REFERENCES payment (id),
    attempts   INTEGER NOT NULL,
    due_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_by_time ON outbox (due_at);
