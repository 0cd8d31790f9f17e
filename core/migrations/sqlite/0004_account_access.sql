-- Sessions and consents of PSUs in a role: `corporate` is empty in the private context.

CREATE TABLE sca_session (
    tpp       TEXT NOT NULL,
    id        TEXT NOT NULL,
    psu       TEXT NOT NULL,
    context   TEXT NOT NULL,
    corporate TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    replaced  INTEGER NOT NULL CHECK (replaced IN (0, 1)),
    PRIMARY KEY (tpp, id)
) STRICT, WITHOUT ROWID;
-- The one that a new session replaces.
CREATE INDEX sca_session_newest ON sca_session (tpp, psu, context, corporate) WHERE replaced = 0;

CREATE TABLE consent (
    number     INTEGER PRIMARY KEY,
    tpp        TEXT NOT NULL,
    psu        TEXT NOT NULL,
    context    TEXT NOT NULL,
    corporate  TEXT NOT NULL,
    granted_at INTEGER NOT NULL,
    revoked    INTEGER NOT NULL CHECK (revoked IN (0, 1)),
    UNIQUE (tpp, psu, context, corporate)
) STRICT;
CREATE TABLE consent_account (
    consent INTEGER NOT NULL REFERENCES consent (number),
    kind    TEXT NOT NULL CHECK (kind IN ('account', 'card')),
    account TEXT NOT NULL,
    PRIMARY KEY (consent, kind, account)
) STRICT, WITHOUT ROWID;

-- Calls without the PSU, by day in Oslo. Old days are forgotten.
CREATE TABLE access_count (
    tpp       TEXT NOT NULL,
    psu       TEXT NOT NULL,
    account   TEXT NOT NULL,
    operation TEXT NOT NULL,
    day       TEXT NOT NULL,
    calls     INTEGER NOT NULL,
    PRIMARY KEY (tpp, psu, account, operation, day)
) STRICT, WITHOUT ROWID;
