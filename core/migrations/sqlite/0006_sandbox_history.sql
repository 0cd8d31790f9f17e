-- How many lines an account has by month, by day, and by parts of a day, so that a page of a long list is found by
-- a few sums instead of by counting lines. A line is counted once in each level:
--
--   level 0: its month, YYYY-MM
--   level 1: its day, YYYY-MM-DD
--   level 2: its day, and its number in steps of 65536
--   level 3: its day, and its number in steps of 256
--
-- Rows of nothing are not kept.
CREATE TABLE sandbox_line_count (
    account TEXT NOT NULL,
    level INTEGER NOT NULL,
    period TEXT NOT NULL,
    part INTEGER NOT NULL,
    lines INTEGER NOT NULL CHECK (lines >= 0),
    PRIMARY KEY (account, level, period, part)
) STRICT, WITHOUT ROWID;

INSERT INTO sandbox_line_count
SELECT account, 0, substr(booking_date, 1, 7), 0, count(*) FROM sandbox_transaction GROUP BY 1, 3;
INSERT INTO sandbox_line_count
SELECT account, 1, booking_date, 0, count(*) FROM sandbox_transaction GROUP BY 1, 3;
INSERT INTO sandbox_line_count
SELECT account, 2, booking_date, number >> 16, count(*) FROM sandbox_transaction GROUP BY 1, 3, 4;
INSERT INTO sandbox_line_count
SELECT account, 3, booking_date, number >> 8, count(*) FROM sandbox_transaction GROUP BY 1, 3, 4;

CREATE TRIGGER sandbox_line_booked AFTER INSERT ON sandbox_transaction BEGIN
    INSERT INTO sandbox_line_count (account, level, period, part, lines) VALUES
        (NEW.account, 0, substr(NEW.booking_date, 1, 7), 0, 1),
        (NEW.account, 1, NEW.booking_date, 0, 1),
        (NEW.account, 2, NEW.booking_date, NEW.number >> 16, 1),
        (NEW.account, 3, NEW.booking_date, NEW.number >> 8, 1)
    ON CONFLICT DO UPDATE SET lines = lines + 1;
END;

CREATE TRIGGER sandbox_line_removed AFTER DELETE ON sandbox_transaction BEGIN
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 0 AND period = substr(OLD.booking_date, 1, 7) AND part = 0;
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 1 AND period = OLD.booking_date AND part = 0;
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 2 AND period = OLD.booking_date AND part = OLD.number >> 16;
    UPDATE sandbox_line_count SET lines = lines - 1
    WHERE account = OLD.account AND level = 3 AND period = OLD.booking_date AND part = OLD.number >> 8;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 0 AND period = substr(OLD.booking_date, 1, 7) AND part = 0 AND lines = 0;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 1 AND period = OLD.booking_date AND part = 0 AND lines = 0;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 2 AND period = OLD.booking_date AND part = OLD.number >> 16 AND lines = 0;
    DELETE FROM sandbox_line_count
    WHERE account = OLD.account AND level = 3 AND period = OLD.booking_date AND part = OLD.number >> 8 AND lines = 0;
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

-- The orders that hold money back on an account.
CREATE INDEX sandbox_order_of_debtor ON sandbox_order (debtor) WHERE state = 'WAITING';
