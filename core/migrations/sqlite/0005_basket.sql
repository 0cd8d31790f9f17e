-- Signing baskets. `payments` are ids in the order of the basket, separated by spaces; they never change.
CREATE TABLE basket (
    id         TEXT NOT NULL PRIMARY KEY,
    version    INTEGER NOT NULL,
    tpp        TEXT NOT NULL,
    payments   TEXT NOT NULL,
    psu        TEXT NOT NULL,
    context    TEXT NOT NULL,
    corporate  TEXT,
    state      TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
