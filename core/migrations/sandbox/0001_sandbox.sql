-- The tables of a sandbox, beside those of the engine: the simulated bank, its customers, what they own, and what was
-- booked.
--
-- Sums are exact decimals as text in the minor units of their currency, dates are ISO 8601 text, times are
-- microseconds since 1970 (UTC). `number` is the order of creation, in which things are listed.

-- Facts about the whole sandbox by a key: numbers as INTEGER, everything else as BLOB.
CREATE TABLE sandbox_fact (
    key   TEXT NOT NULL PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sandbox_customer (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    customer_number TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    name TEXT NOT NULL
) STRICT;

-- Everything that has a ledger, ordinary accounts and card accounts alike. Only the former have a bban, an iban and a
-- cash account type; only the latter have a row in sandbox_card_account. `held_back` is closing booked less expected of
-- a balance that was set by hand; null where it is nothing.
CREATE TABLE sandbox_account (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL REFERENCES sandbox_customer (id) ON DELETE CASCADE,
    bban TEXT UNIQUE,
    iban TEXT UNIQUE,
    currency TEXT NOT NULL,
    name TEXT NOT NULL,
    product TEXT NOT NULL,
    cash_account_type TEXT,
    credit_line TEXT NOT NULL,
    opening TEXT NOT NULL,
    booked TEXT NOT NULL,
    held_back TEXT
) STRICT;
CREATE INDEX sandbox_account_owner ON sandbox_account (owner);

CREATE TABLE sandbox_card_account (
    account TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_account (id) ON DELETE CASCADE,
    account_number TEXT NOT NULL,
    masked_pan TEXT NOT NULL,
    card_id TEXT NOT NULL,
    card_id_v_no TEXT NOT NULL,
    expiry TEXT NOT NULL,
    status TEXT NOT NULL
) STRICT;
-- The account number is found with and without dots, spaces and hyphens.
CREATE INDEX sandbox_card_account_number
ON sandbox_card_account (replace(replace(replace(account_number, '.', ''), ' ', ''), '-', ''));
CREATE INDEX sandbox_card_account_masked_pan ON sandbox_card_account (masked_pan);

CREATE TABLE sandbox_agreement (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL REFERENCES sandbox_customer (id) ON DELETE CASCADE,
    name TEXT NOT NULL
) STRICT;
CREATE INDEX sandbox_agreement_owner ON sandbox_agreement (owner);

-- What one person may do with one account under an agreement.
CREATE TABLE sandbox_engagement (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agreement TEXT NOT NULL REFERENCES sandbox_agreement (id) ON DELETE CASCADE,
    person TEXT NOT NULL REFERENCES sandbox_customer (id) ON DELETE CASCADE,
    account TEXT NOT NULL REFERENCES sandbox_account (id) ON DELETE CASCADE,
    name TEXT,
    roles TEXT NOT NULL, -- separated by spaces
    access_rights INTEGER NOT NULL,
    payment_rights INTEGER NOT NULL,
    transfer_rights INTEGER NOT NULL,
    register_limit INTEGER NOT NULL,
    approval_limit INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_engagement_agreement ON sandbox_engagement (agreement);
CREATE INDEX sandbox_engagement_person ON sandbox_engagement (person, account);
CREATE INDEX sandbox_engagement_account ON sandbox_engagement (account);

-- The KID agreement of a creditor's account.
CREATE TABLE sandbox_kid_agreement (
    account TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_account (id) ON DELETE CASCADE,
    required INTEGER NOT NULL,
    modulus INTEGER NOT NULL,
    digits_min INTEGER NOT NULL,
    digits_max INTEGER NOT NULL
) STRICT;

-- The lines of the ledger. The balance of an account is its opening balance plus its lines plus its balance changes;
-- `payment_id` and `entry` name the order, and its entry, that a line settles.
CREATE TABLE sandbox_transaction (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES sandbox_account (id) ON DELETE CASCADE,
    payment_id TEXT,
    booking_date TEXT NOT NULL,
    value_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL, -- signed: what leaves the account is negative
    counterpart_name TEXT,
    counterpart_bban TEXT,
    counterpart_iban TEXT,
    creditor_id TEXT,
    ultimate_creditor TEXT,
    ultimate_debtor TEXT,
    remittance TEXT,
    purpose_code TEXT,
    bank_transaction_code TEXT NOT NULL,
    proprietary_code TEXT,
    exchange_source TEXT,
    exchange_target TEXT,
    exchange_unit TEXT,
    exchange_rate TEXT,
    quotation_date TEXT,
    created_at INTEGER NOT NULL,
    entry INTEGER NOT NULL DEFAULT 0,
    reference TEXT -- a KID; those of an order are in sandbox_entry_reference
) STRICT;
CREATE INDEX sandbox_transaction_listing ON sandbox_transaction (account, booking_date, number);

-- A balance that was set by hand; the difference to the one before.
CREATE TABLE sandbox_balance_change (
    number INTEGER PRIMARY KEY,
    account TEXT NOT NULL REFERENCES sandbox_account (id) ON DELETE CASCADE,
    currency TEXT NOT NULL,
    difference TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_balance_change_account ON sandbox_balance_change (account);

-- The payment orders that the bank has taken. The debtor is no foreign key: an order outlives its account.
CREATE TABLE sandbox_order (
    number INTEGER PRIMARY KEY,
    payment_id TEXT NOT NULL UNIQUE,
    product TEXT NOT NULL,
    state TEXT NOT NULL,
    reported INTEGER NOT NULL,
    taken_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    settled_at INTEGER,
    debtor TEXT,
    fee_currency TEXT NOT NULL,
    fee TEXT NOT NULL,
    held INTEGER NOT NULL DEFAULT 0 CHECK (held IN (0, 1))
) STRICT;
-- No batch settles an order that is held.
CREATE INDEX sandbox_order_waiting ON sandbox_order (due_at) WHERE state = 'WAITING' AND held = 0;
CREATE INDEX sandbox_order_unreported ON sandbox_order (settled_at) WHERE reported = 0 AND state <> 'WAITING';

-- The orders that hold money back on an account.
CREATE INDEX sandbox_order_of_debtor ON sandbox_order (debtor) WHERE state = 'WAITING';

-- An order has one entry, or those of a bulk. Each is paid to its own payee and has its own outcome: NULL until
-- the order is settled.
CREATE TABLE sandbox_order_entry (
    payment_id TEXT NOT NULL REFERENCES sandbox_order (payment_id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    outcome TEXT,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    creditor_name TEXT NOT NULL,
    creditor_bban TEXT,
    creditor_iban TEXT,
    creditor_agent TEXT,
    ultimate_debtor TEXT,
    purpose_code TEXT,
    remittance TEXT,
    PRIMARY KEY (payment_id, position)
) STRICT, WITHOUT ROWID;

-- The structured references of an entry, and so of the lines that settle it.
CREATE TABLE sandbox_entry_reference (
    payment_id TEXT NOT NULL,
    entry INTEGER NOT NULL,
    position INTEGER NOT NULL,
    reference TEXT NOT NULL,
    reference_type TEXT,
    reference_issuer TEXT,
    PRIMARY KEY (payment_id, entry, position),
    FOREIGN KEY (payment_id, entry) REFERENCES sandbox_order_entry (payment_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Payments that were cancelled before the bank took an order for them: one that comes later is not carried out.
CREATE TABLE sandbox_cancelled_payment (
    payment_id TEXT NOT NULL PRIMARY KEY,
    cancelled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Who may call, and whose certificates count. Initialising the sandbox leaves both alone.
CREATE TABLE sandbox_tpp (
    number INTEGER PRIMARY KEY,
    organisation_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    roles TEXT NOT NULL, -- separated by spaces
    certificate BLOB NOT NULL,
    key_index INTEGER NOT NULL,
    serial BLOB NOT NULL
) STRICT;

CREATE TABLE sandbox_trust_anchor (
    number INTEGER PRIMARY KEY,
    der BLOB NOT NULL UNIQUE
) STRICT;

-- How many lines an account has by month and by day, so that a page of a long list is found by a few sums instead of
-- by counting lines. A line is counted once in each level:
--
--   level 0: its month, YYYY-MM
--   level 1: its day, YYYY-MM-DD
--
-- Rows of nothing are not kept.
CREATE TABLE sandbox_line_count (
    account TEXT NOT NULL,
    level INTEGER NOT NULL,
    period TEXT NOT NULL,
    lines INTEGER NOT NULL CHECK (lines >= 0),
    PRIMARY KEY (account, level, period)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER sandbox_line_booked AFTER INSERT ON sandbox_transaction BEGIN
    INSERT INTO sandbox_line_count (account, level, period, lines) VALUES
        (NEW.account, 0, substr(NEW.booking_date, 1, 7), 1),
        (NEW.account, 1, NEW.booking_date, 1)
    ON CONFLICT DO UPDATE SET lines = lines + 1;
END;

CREATE TRIGGER sandbox_line_removed AFTER DELETE ON sandbox_transaction BEGIN
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 0 AND period = substr(OLD.booking_date, 1, 7);
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 1 AND period = OLD.booking_date;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 0 AND period = substr(OLD.booking_date, 1, 7) AND lines = 0;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 1 AND period = OLD.booking_date AND lines = 0;
END;

-- What a transaction by card has more than its line in the ledger.
CREATE TABLE sandbox_card_transaction (
    line TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_transaction (id) ON DELETE CASCADE,
    card_transaction_id TEXT NOT NULL,
    terminal_id TEXT,
    transaction_date TEXT,
    value_date TEXT,
    original_currency TEXT NOT NULL,
    original_amount TEXT NOT NULL,
    contract_identification TEXT,
    markup_fee_currency TEXT NOT NULL,
    markup_fee TEXT NOT NULL,
    markup_fee_percentage TEXT,
    card_acceptor_id TEXT,
    street TEXT,
    building_number TEXT,
    postal_code TEXT,
    city TEXT,
    country TEXT,
    merchant_category_code TEXT,
    masked_pan TEXT,
    invoiced INTEGER CHECK (invoiced IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Uses of a card of a population that are authorised and not booked yet. The id is that of the line to come.
CREATE TABLE sandbox_authorisation (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account TEXT NOT NULL REFERENCES sandbox_account (id) ON DELETE CASCADE,
    transaction_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount TEXT NOT NULL CHECK (amount LIKE '-%'),
    original_currency TEXT NOT NULL,
    original_amount TEXT NOT NULL,
    merchant TEXT NOT NULL,
    remittance TEXT NOT NULL,
    bank_transaction_code TEXT NOT NULL,
    proprietary_code TEXT NOT NULL,
    card_acceptor_id TEXT NOT NULL,
    city TEXT,
    country TEXT NOT NULL,
    merchant_category_code TEXT NOT NULL,
    masked_pan TEXT NOT NULL,
    authorised_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sandbox_authorisation_account ON sandbox_authorisation (account);

-- What a line made by hand calls the account's own side, where that is not the owner's name.
CREATE TABLE sandbox_own_name (
    line TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_transaction (id) ON DELETE CASCADE,
    name TEXT NOT NULL
) STRICT;

-- The populations whose lives go on when the clock moves: what one was generated from (JSON), the first day of the
-- month with which its history begins, the day on which its lives begin, and the day before which all is booked.
CREATE TABLE sandbox_population (
    number INTEGER PRIMARY KEY,
    origin TEXT NOT NULL,
    first_day TEXT NOT NULL,
    begin_day TEXT NOT NULL,
    lived_until TEXT NOT NULL,
    CHECK (first_day <= begin_day AND begin_day <= lived_until)
) STRICT;

-- What the simulated bank says of a person by its risk analysis: `demanded` or `exempt`. Of all others nothing.
CREATE TABLE sandbox_sca_demand (
    person TEXT NOT NULL PRIMARY KEY REFERENCES sandbox_customer (id) ON DELETE CASCADE,
    demand TEXT NOT NULL
) STRICT, WITHOUT ROWID;
