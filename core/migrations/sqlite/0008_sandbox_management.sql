-- What is set by hand through the sandbox's own routes.

-- What a balance set by hand holds back: closing booked less expected. Nothing where it is null.
ALTER TABLE sandbox_account ADD COLUMN held_back TEXT;

-- What a line made by hand calls the account's own side, where that is not the owner's name.
CREATE TABLE sandbox_own_name (
    line TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_transaction (id) ON DELETE CASCADE,
    name TEXT NOT NULL
) STRICT;
