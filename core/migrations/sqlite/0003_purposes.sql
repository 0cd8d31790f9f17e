-- Authorisations for more than payments, products under more than one service, payments in signing baskets.
ALTER TABLE authorisation ADD COLUMN purpose TEXT NOT NULL DEFAULT 'payment';
ALTER TABLE authorisation ADD COLUMN basket_id TEXT;

-- The basket is named only while it is open.
ALTER TABLE payment ADD COLUMN basket TEXT;

-- Two services may have a product of the same name.
UPDATE payment SET product = 'payments/' || product;
UPDATE sandbox_order SET product = 'payments/' || product;
