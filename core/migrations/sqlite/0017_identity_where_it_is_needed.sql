-- Older versions kept the number of the person that a payment's creation named in the authorisation of that call alone,
-- which was made at the same time. Nobody else may authorise the payment, so it belongs there. A node that read the
-- payment before must not write it back without: its version moves on.
UPDATE payment SET identity = named.identity, version = payment.version + 1
FROM (
    SELECT payment_id, created_at, identity, min(id) FROM authorisation
    WHERE purpose = 'payment' AND identity IS NOT NULL GROUP BY payment_id, created_at
) AS named
WHERE payment.id = named.payment_id AND payment.created_at = named.created_at
    AND payment.status = 'RCVD' AND payment.identity IS NULL;

-- They kept it also in authorisations that have come to their end, where nobody asks for it any more.
UPDATE authorisation SET identity = NULL WHERE status <> 'started' AND identity IS NOT NULL;
