-- The engine's store. Times are microseconds since 1970 (UTC), sums and enums are written as on the wire. Texts that
-- are compared for their order are so by their bytes, whatever the database's locale.

-- X-Request-IDs of the replay window.
CREATE TABLE used_request_id (
    tpp        TEXT COLLATE "C" NOT NULL,
    request_id UUID NOT NULL,
    used_at    BIGINT NOT NULL,
    PRIMARY KEY (tpp, request_id)
);
CREATE INDEX used_request_id_by_time ON used_request_id (used_at);

CREATE TABLE payment (
    number         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id             TEXT COLLATE "C" NOT NULL UNIQUE,
    version        BIGINT NOT NULL,
    tpp            TEXT NOT NULL,
    product        TEXT NOT NULL,
    psu            TEXT,
    context        TEXT,
    corporate      TEXT,
    transfer       TEXT NOT NULL,
    fee            TEXT NOT NULL,
    fee_currency   TEXT NOT NULL,
    status         TEXT NOT NULL,
    funds          BOOLEAN,
    authorised_at  BIGINT,
    created_at     BIGINT NOT NULL,
    likeness       BYTEA NOT NULL CHECK (octet_length(likeness) = 32)
);
-- What stands in the way of a like payment: anything that was not rejected or cancelled.
CREATE INDEX payment_by_likeness ON payment (likeness, created_at) WHERE status NOT IN ('RJCT', 'CANC');

-- The append-only history. Numbers grow in the order of the commits, because who appends holds the payment's row.
CREATE TABLE event (
    payment     BIGINT NOT NULL REFERENCES payment (number),
    number      BIGINT GENERATED ALWAYS AS IDENTITY,
    at          BIGINT NOT NULL,
    from_status TEXT NOT NULL,
    to_status   TEXT NOT NULL,
    cause       TEXT NOT NULL,
    PRIMARY KEY (payment, number)
);

CREATE TABLE authorisation (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version      BIGINT NOT NULL,
    tpp          TEXT NOT NULL,
    payment_id   TEXT COLLATE "C" REFERENCES payment (id),
    redirect_uri TEXT NOT NULL,
    session_id   TEXT NOT NULL,
    psu          TEXT,
    identity     TEXT,
    context      TEXT,
    corporate    TEXT,
    language     TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    status       TEXT NOT NULL
);

-- The PSU-ID by which a TPP knows a person.
CREATE TABLE psu_id (
    tpp    TEXT NOT NULL,
    psu_id UUID NOT NULL,
    psu    TEXT NOT NULL,
    PRIMARY KEY (tpp, psu_id),
    UNIQUE (tpp, psu)
);

-- The PSU-Corporate-ID by which a TPP knows a corporate customer, and the persons it was opened to.
CREATE TABLE corporate_id (
    tpp          TEXT NOT NULL,
    corporate_id UUID NOT NULL,
    corporate    TEXT NOT NULL,
    PRIMARY KEY (tpp, corporate_id),
    UNIQUE (tpp, corporate)
);
CREATE TABLE corporate_psu (
    tpp          TEXT NOT NULL,
    corporate_id UUID NOT NULL,
    psu          TEXT NOT NULL,
    PRIMARY KEY (tpp, corporate_id, psu),
    FOREIGN KEY (tpp, corporate_id) REFERENCES corporate_id (tpp, corporate_id)
);

-- Authorised payments that the bank does not have yet; `number` is the order they came in.
CREATE TABLE outbox (
    number     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id TEXT COLLATE "C" NOT NULL UNIQUE REFERENCES payment (id),
    attempts   BIGINT NOT NULL,
    due_at     BIGINT NOT NULL
);
CREATE INDEX outbox_by_time ON outbox (due_at, number);
