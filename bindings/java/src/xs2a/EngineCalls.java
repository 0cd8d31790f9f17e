// Generated from the C headers by bindings/generator: not to be edited.

package xs2a;

abstract class EngineCalls extends Handle {
    EngineCalls(long pointer, Runnable free) {
        super(pointer, free);
    }

    EngineCalls(Handle owner, long pointer) {
        super(owner, pointer);
    }

    /**
     * As Engine.handle for one HTTP/1.1 request as bytes, and gives the answer as bytes to send. `message` is one
     * complete request and nothing after it, whose body has a Content-Length; any other is answered 400, with the
     * section of RFC 9112 that it breaks and the byte where. Close the connection after an answer that has
     * `Connection: close`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.BAD_SIZE.
     */
    public byte[] handleHttp(byte[] message) {
        return bytes("xs2a_engine_handle_http", message);
    }

    /**
     * Delivers the due orders to the bank: for the host's scheduler. Gives JSON,
     * `{"submitted":1,"withdrawn":0,"failed":0,"deadLetters":0}`: how many orders the bank took, how many were
     * withdrawn because their payment had ended, how many failed and are retried, and how many became dead letters:
     * see Engine.deadLetters. It also deletes expired rows of the database, so a gateway without payments calls it
     * from time to time too.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the callback `now` gave no year from 1 to 9999), Result.STORE.
     */
    public String runDue() {
        return text("xs2a_engine_run_due");
    }

    /**
     * When Engine.runDue next has something to do, by RFC 3339 in UTC; null if no order waits now. The next
     * completed SCA may add an order, and so may the next call, if the bank exempts payments from their SCA.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the callback `now` gave no year from 1 to 9999), Result.STORE.
     */
    public String nextDue() {
        return text("xs2a_engine_next_due");
    }

    /**
     * What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as JSON:
     * `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, and those of `person`, `identity`,
     * `context`, `corporate` and `brand` that the call named. `kind` is payment, cancellation, basket, consent or
     * identification; `orders` are payment bodies, with amounts and payees, each with its `paymentId`, `product`
     * and `fee` as the bank receives them, and empty for the last two. `person` and `corporate` are the bank's own
     * references of the person and company that must complete the SCA; `identity` is the person by the number of
     * X-PSU-IDENTITY. null if the link is unknown, used or expired.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.STORE.
     */
    public String authorisation(String id) {
        return text("xs2a_engine_authorisation", id);
    }

    /**
     * Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
     * `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with
     * `corporate` in `psu` for the context `CORPORATE`, and without the account ids if the PSU opens all (they are
     * only read for a consent); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`, `otherPsu`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (another form; a link that is unknown, used or
     * expired; an account that is not offered), Result.STORE, Result.BANK. The link then stays open. After
     * Result.OUTCOME_UNKNOWN it may be used: ask Engine.authorisation.
     */
    public String completeSca(String id, String outcome) {
        return text("xs2a_engine_complete_sca", id, outcome);
    }

    /**
     * Revokes the consents of a person (the bank's own reference) to a TPP, in every context. A repetition changes
     * nothing. The TPP is not notified: its next call is answered CONSENT_UNKNOWN.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (U+0000 in the reference), Result.STORE.
     */
    public void revokeConsent(String person, String organisationId) {
        call("xs2a_engine_revoke_consent", person, organisationId);
    }

    /**
     * Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `fundsAvailable`: 1 if
     * the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is released by
     * any status.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (status), Result.MISUSE (no such payment;
     * a status that cannot follow), Result.STORE.
     */
    public void reportPaymentStatus(String paymentId, String status, int fundsAvailable) {
        call("xs2a_engine_report_payment_status", paymentId, status, (byte) fundsAvailable);
    }

    /**
     * Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
     * Engine.reportPaymentStatus reports a status, PDNG where it is merely released. `why` is part of that
     * psuMessage, and may be empty.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such payment; one that cannot become PDNG;
     * a `why` of more than 400 characters), Result.STORE.
     */
    public void reportPaymentOnHold(String paymentId, String why) {
        call("xs2a_engine_report_payment_on_hold", paymentId, why);
    }

    /**
     * Replaces the trust anchors by the certificates of `pem`, one or several. Only the new ones count from the
     * next call on. Gives their number. On a failure the old ones stay.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFIG (no certificate, or one that cannot be read),
     * Result.MISUSE (the engine of a sandbox).
     */
    public long replaceTrustAnchors(String pem) {
        return number("xs2a_engine_replace_trust_anchors", pem);
    }

    /**
     * Takes certificate revocation lists: one in DER, or one or several in PEM. Each replaces the earlier list of
     * the same issuer key. `authorities`: PEM of the certificates that may have issued them. They count from the
     * next call on. Gives the number of lists. On a failure no list is taken. They are not stored in the database:
     * supply them after every start, before the first request, or revoked certificates are accepted again.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFIG (a list or an authority that cannot be read; a
     * list that is older than the one there, of no authority named, a delta list, without nextUpdate, with a wrong
     * signature), Result.MISUSE (the engine of a sandbox).
     */
    public long supplyCrl(byte[] lists, String authorities) {
        return number("xs2a_engine_supply_crl", lists, authorities);
    }

    /**
     * Forgets every revocation list that was supplied.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the engine of a sandbox).
     */
    public void clearCrls() {
        call("xs2a_engine_clear_crls");
    }

    /**
     * When the first revocation list expires (nextUpdate), by RFC 3339 in UTC: supply the next one before. null if
     * there is none, as after each start.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the engine of a sandbox).
     */
    public String nextCrlDue() {
        return text("xs2a_engine_next_crl_due");
    }

    /**
     * Sets an extract of the European Banking Authority's register, JSON as published, in place of the previous
     * one. From the next call on, a TPP that is not in it is refused; before the first extract every certificate
     * that leads to a trust anchor counts. Gives the number of institutions. On a failure the old one stays. It is
     * not stored in the database: supply it after every start, before the first request.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.CONFIG (another form), Result.MISUSE (an engine with the callback
     * `is_registered`; the engine of a sandbox).
     */
    public long replaceRegister(byte[] json) {
        return number("xs2a_engine_replace_register", json);
    }

    /**
     * Forgets what the callback `is_registered` answered about an authorisation number, where answers are
     * remembered (`registry_ages` of the configuration): it is asked at that TPP's next call. For notices of
     * withdrawal.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (an engine without that callback; the engine of
     * a sandbox).
     */
    public void forgetRegistration(String organisationId) {
        call("xs2a_engine_forget_registration", organisationId);
    }

    /**
     * Lists the dead letters, orders that are not delivered to the bank until an operator acts: a JSON array of
     * `{"paymentId","attempts","why","since"}`, the oldest first, at most 1000. Their payments do not change until
     * Engine.retryOrder, or until Engine.reportPaymentStatus reports its status. An order that cannot be read in
     * the store is among them, with the stored value as its payment id.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public String deadLetters() {
        return text("xs2a_engine_dead_letters");
    }

    /**
     * Lets a dead letter be delivered again, from now on.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (the payment has no dead letter), Result.STORE.
     */
    public void retryOrder(String paymentId) {
        call("xs2a_engine_retry_order", paymentId);
    }
}
