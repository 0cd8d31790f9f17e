-- What the creation of a payment leaves beside it stands in its row: the X-Request-ID of the call, and the link that
-- the call was answered with. In rows of their own each would cost the commit a page.
--
-- A link stays there while neither it nor its payment changes, so what it has in common with the payment stands there
-- once. Its id begins as that of its payment does: so it is found without an index.
ALTER TABLE payment ADD COLUMN request_id BLOB CHECK (length(request_id) = 16);
ALTER TABLE payment ADD COLUMN link TEXT;
ALTER TABLE payment ADD COLUMN link_redirect_uri TEXT;
ALTER TABLE payment ADD COLUMN link_session_id TEXT;
ALTER TABLE payment ADD COLUMN link_language TEXT;
ALTER TABLE payment ADD COLUMN link_brand TEXT;

CREATE VIEW opening_link AS
SELECT number, link AS id, version, tpp, id AS payment_id, link_redirect_uri AS redirect_uri,
    link_session_id AS session_id, psu, identity, context, corporate, link_language AS language, created_at,
    'started' AS status, 'payment' AS purpose, NULL AS basket_id, link_brand AS brand
FROM payment WHERE link IS NOT NULL;

CREATE VIEW every_authorisation AS
SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity, context, corporate, language, created_at,
    status, purpose, basket_id, brand
FROM authorisation
UNION ALL
SELECT id, version, tpp, payment_id, redirect_uri, session_id, psu, identity, context, corporate, language, created_at,
    status, purpose, basket_id, brand
FROM opening_link;
