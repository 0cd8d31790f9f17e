-- What the simulated bank says of a person by its risk analysis: `demanded` or `exempt`. Of all others nothing.
CREATE TABLE sandbox_sca_demand (
    person TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_customer (id) ON DELETE CASCADE,
    demand TEXT NOT NULL
) STRICT, WITHOUT ROWID;
