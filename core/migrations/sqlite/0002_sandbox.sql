-- The simulated bank: its customers, what they own, and what was booked.
--
-- Sums are exact decimals as text in the minor units of their currency, dates are ISO 8601 text, times are
-- microseconds since 1970 (UTC). `number` is the order of creation, in which things are listed.

CREATE TABLE sandbox_customer (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    customer_number TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    name TEXT NOT NULL
) STRICT;

-- Everything that has a ledger, ordinary accounts and card accounts alike. Only the former have a bban, an
-- iban and a cash account type; only the latter have a row in sandbox_card_account.
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
    booked TEXT NOT NULL
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
CREATE INDEX sandbox_card_account_number ON sandbox_card_account (account_number);
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

-- The lines of the ledger. The balance of an account is its opening balance plus its lines plus its balance
-- changes; payment_id names the order that a line settles.
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
    created_at INTEGER NOT NULL
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
    currency TEXT NOT NULL,
    amount TEXT NOT NULL,
    fee_currency TEXT NOT NULL,
    fee TEXT NOT NULL,
    creditor_name TEXT NOT NULL,
    creditor_bban TEXT,
    creditor_iban TEXT,
    creditor_agent TEXT,
    ultimate_debtor TEXT,
    purpose_code TEXT,
    remittance TEXT
) STRICT;
CREATE INDEX sandbox_order_waiting ON sandbox_order (due_at) WHERE state = 'WAITING';
CREATE INDEX sandbox_order_unreported ON sandbox_order (settled_at) WHERE reported = 0 AND state <> 'WAITING';

-- The structured references of an order, and so of the lines that settle it.
CREATE TABLE sandbox_order_reference (
    payment_id TEXT NOT NULL REFERENCES sandbox_order (payment_id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    reference TEXT NOT NULL,
    reference_type TEXT,
    reference_issuer TEXT,
    PRIMARY KEY (payment_id, position)
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
