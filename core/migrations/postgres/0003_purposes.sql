-- Authorisations for more than payments, and payments in signing baskets.
ALTER TABLE authorisation ADD COLUMN purpose TEXT NOT NULL DEFAULT 'payment';
ALTER TABLE authorisation ADD COLUMN basket_id TEXT COLLATE "C";

-- The basket is named only while it is open.
ALTER TABLE payment ADD COLUMN basket TEXT COLLATE "C";
