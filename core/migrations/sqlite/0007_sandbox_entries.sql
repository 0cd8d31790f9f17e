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

INSERT INTO sandbox_order_entry
SELECT payment_id, 0, CASE state WHEN 'WAITING' THEN NULL ELSE state END, currency, amount, creditor_name,
    creditor_bban, creditor_iban, creditor_agent, ultimate_debtor, purpose_code, remittance
FROM sandbox_order;

ALTER TABLE sandbox_order DROP COLUMN currency;
ALTER TABLE sandbox_order DROP COLUMN amount;
ALTER TABLE sandbox_order DROP COLUMN creditor_name;
ALTER TABLE sandbox_order DROP COLUMN creditor_bban;
ALTER TABLE sandbox_order DROP COLUMN creditor_iban;
ALTER TABLE sandbox_order DROP COLUMN creditor_agent;
ALTER TABLE sandbox_order DROP COLUMN ultimate_debtor;
ALTER TABLE sandbox_order DROP COLUMN purpose_code;
ALTER TABLE sandbox_order DROP COLUMN remittance;

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

INSERT INTO sandbox_entry_reference
SELECT payment_id, 0, position, reference, reference_type, reference_issuer FROM sandbox_order_reference;
DROP TABLE sandbox_order_reference;

-- Which entry of its order a line settles.
ALTER TABLE sandbox_transaction ADD COLUMN entry INTEGER NOT NULL DEFAULT 0;

-- Payments that were cancelled before the bank took an order for them: one that comes later is not carried out.
CREATE TABLE sandbox_cancelled_payment (
    payment_id TEXT NOT NULL PRIMARY KEY,
    cancelled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
