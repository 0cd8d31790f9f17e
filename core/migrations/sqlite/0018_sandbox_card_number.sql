-- The account number of a card account is found however it is set out: dots, spaces and hyphens count for nothing.
DROP INDEX sandbox_card_account_number;
CREATE INDEX sandbox_card_account_number
ON sandbox_card_account (replace(replace(replace(account_number, '.', ''), ' ', ''), '-', ''));
