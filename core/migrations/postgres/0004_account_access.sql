-- Sessions and consents of PSUs in a role: `corporate` is empty in the private context.

CREATE TABLE sca_session (
    tpp       TEXT NOT NULL,
    id        TEXT NOT NULL,
    psu       TEXT NOT NULL,
    context   TEXT NOT NULL,
    corporate TEXT NOT NULL,
    opened_at BIGINT NOT NULL,
    replaced  BOOLEAN NOT NULL,
    PRIMARY KEY (tpp, id)
);
-- One open session of a TPP, person and context, whatever code forgets.
CREATE UNIQUE INDEX sca_session_open ON sca_session (tpp, psu, context) WHERE NOT replaced;

CREATE TABLE consent (
    tpp           TEXT NOT NULL,
    psu           TEXT NOT NULL,
    context       TEXT NOT NULL,
    corporate     TEXT NOT NULL,
    granted_at    BIGINT NOT NULL,
    revoked       BOOLEAN NOT NULL,
    accounts      TEXT[] NOT NULL,
    card_accounts TEXT[] NOT NULL,
    PRIMARY KEY (tpp, psu, context, corporate)
);

-- Calls without the PSU, by day in Oslo. Old days are forgotten.
CREATE TABLE access_count (
    tpp       TEXT NOT NULL,
    psu       TEXT NOT NULL,
    account   TEXT NOT NULL,
    operation TEXT NOT NULL,
    day       TEXT COLLATE "C" NOT NULL,
    calls     BIGINT NOT NULL,
    PRIMARY KEY (tpp, psu, account, operation, day)
);
