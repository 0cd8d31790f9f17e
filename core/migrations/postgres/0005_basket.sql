-- Signing baskets. `payments` are ids in the order of the basket; they never change.
CREATE TABLE basket (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    version    BIGINT NOT NULL,
    tpp        TEXT NOT NULL,
    payments   TEXT[] NOT NULL,
    psu        TEXT NOT NULL,
    context    TEXT NOT NULL,
    corporate  TEXT,
    state      TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
