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
     * Delivers the due orders to the bank: for the host's scheduler. It also writes evidence of reads and
     * statistics that wait and deletes expired rows of the database, so a gateway without payments calls it from
     * time to time too.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the callback `now` gave no year from 1 to 9999), Result.STORE.
     */
    public RunReport runDue() {
        return runReport("xs2a_engine_run_due");
    }

    /**
     * When Engine.runDue next has something to do, by RFC 3339 in UTC: to deliver an order, or to write evidence of
     * reads that waits. null if nothing waits now. The next read may add evidence. The next completed SCA may add
     * an order, and so may the next call, if the bank exempts payments from their SCA.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (the callback `now` gave no year from 1 to 9999), Result.STORE.
     */
    public String nextDue() {
        return text("xs2a_engine_next_due");
    }

    /**
     * What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as JSON:
     * `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, `tppName` if the register or the TPP's
     * certificate has a name, and those of `person`, `identity`, `context`, `corporate` and `brand` that the call
     * named. `kind` is payment, cancellation, basket, consent or identification; `orders` are payment bodies, with
     * amounts and payees, each with its `paymentId`, `product` and `fee` as the bank receives them, and empty for
     * the last two. `person` and `corporate` are the bank's own references of the person and company that must
     * complete the SCA; `identity` is the person by the number of X-PSU-IDENTITY. null if the link is unknown, used
     * or expired.
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
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.NOT_FOUND (the link is unknown), Result.EXPIRED (it is
     * used, or older than 10 minutes), Result.NOT_OFFERED (an account), Result.MISUSE (another form), Result.STORE,
     * Result.BANK. After the last four the link stays open. After Result.OUTCOME_UNKNOWN it may be used: ask
     * Engine.authorisation.
     */
    public String completeSca(String id, String outcome) {
        return text("xs2a_engine_complete_sca", id, outcome);
    }

    /**
     * Revokes the consents of a person (the bank's own reference) to a TPP, in every context. Gives true if there
     * was one that was not revoked before, an expired one included; else false, and nothing is changed. The TPP is
     * not notified: its next call is answered CONSENT_UNKNOWN.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (U+0000 in the reference), Result.STORE.
     */
    public boolean revokeConsent(String person, String organisationId) {
        return number("xs2a_engine_revoke_consent", person, organisationId) != 0;
    }

    /**
     * Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `fundsAvailable`: 1 if
     * the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is released by
     * any status.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (status), Result.NOT_FOUND (no such
     * payment), Result.CONFLICT (a status that cannot follow), Result.STORE.
     */
    public void reportPaymentStatus(String paymentId, String status, int fundsAvailable) {
        call("xs2a_engine_report_payment_status", paymentId, status, (byte) fundsAvailable);
    }

    /**
     * Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
     * Engine.reportPaymentStatus reports a status, PDNG where it is merely released. `why` is part of that
     * psuMessage, and may be empty.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.NOT_FOUND (no such payment), Result.CONFLICT (one that
     * cannot become PDNG), Result.MISUSE (a `why` of more than 400 characters), Result.STORE.
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
     * signature), Result.MISUSE (an engine with the callback `revocation`; the engine of a sandbox).
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
     * one. From the next call on, a TPP is refused that is not in it, or that it does not allow the service in the
     * bank's country (policy `country`); before the first extract every certificate that leads to a trust anchor
     * counts. Gives the number of institutions. On a failure the old one stays. It is not stored in the database:
     * supply it after every start, before the first request.
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
     * Replaces the seal that answers are signed with: `certificate` and `privateKey` are PEM. With null as
     * `privateKey` the callback `sign` signs with the key of the certificate; it is called once here. The new seal
     * counts from the next call on; a call in progress may still be signed by the old one, which stays on a
     * failure. An engine that signed no answers signs them from then on.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFIG (a certificate or a key that cannot be read;
     * two that do not belong together; a signature that does not verify), Result.BANK (the callback failed),
     * Result.MISUSE (neither a private key nor that callback; the engine of a sandbox).
     */
    public void replaceResponseKey(String certificate, String privateKey) {
        call("xs2a_engine_replace_response_key", certificate, privateKey);
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
     * Whether the engine can do its work now, as a JSON object (docs/guide/gateway.md): `{"ok":true,…}`. It reads
     * the database and writes nothing. What fails is part of the result.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String health() {
        return text("xs2a_engine_health");
    }

    /**
     * The figures of the engine in Prometheus' text format, version 0.0.4 (docs/guide/gateway.md).
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String metrics() {
        return text("xs2a_engine_metrics");
    }

    /**
     * Lets a dead letter be delivered again, from now on.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.NOT_FOUND (the payment has no dead letter),
     * Result.STORE.
     */
    public void retryOrder(String paymentId) {
        call("xs2a_engine_retry_order", paymentId);
    }

    /**
     * Lists consents that count and ended ones, the newest first. `query`: a JSON object with any of `psu`, `tpp`,
     * `after` (the `id` of the last row of the page before) and `limit` (1 to 1000, 200 if absent); empty: all.
     * Gives a JSON array of
     * `{"id","state","tpp","psu","context","purpose","accounts","cardAccounts","grantedAt","validUntil"}`, and
     * `tppName`, `corporate`, `lastAccessAt`, `endedAt`, `endedWhy`, each if there is one. `state` is valid,
     * expired, revokedByPsu or replaced; `endedWhy` is expired, revoked or replaced. A consent that was revoked or
     * replaced is listed for two years from then. `lastAccessAt` is at most a minute too early.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (another query), Result.STORE.
     */
    public String consents(String query) {
        return text("xs2a_engine_consents", query);
    }

    /**
     * Lists payments, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `status`, `createdFrom`,
     * `createdTo` (times by RFC 3339, the second exclusive), `after` and `limit` as above; empty: all. Gives a JSON
     * array of `{"id","tpp","product","status","order","fee","createdAt"}`, and `psu`, `context`, `corporate`,
     * `fundsAvailable`, `onHold`, `basketId`, `authorisedAt`, each if there is one. A page is shorter than `limit`
     * if its orders have 8 MiB: the end of the list is an empty page.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (another query), Result.STORE.
     */
    public String payments(String query) {
        return text("xs2a_engine_payments", query);
    }

    /**
     * Shows one payment: an object as Engine.payments lists, with `events`, its history, oldest first: an array of
     * `{"at","from","to","cause"}`. null if no payment has the id.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.STORE.
     */
    public String payment(String paymentId) {
        return text("xs2a_engine_payment", paymentId);
    }

    /**
     * Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in place
     * of an earlier block of the same subject. One of both is given, the other is empty: `tpp`, the organisation
     * identifier; `certificate`, the SHA-256 of its DER as 64 hexadecimal digits. `until`: when the block ends by
     * itself, by RFC 3339; empty: it does not. `why`, at most 400 characters, is for the operator alone. A call
     * that is being answered is completed; what PSUs approved before stays.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (until), Result.MISUSE (both or none, or
     * another form; an `until` that is not later than now; another `why`), Result.STORE.
     */
    public void block(String tpp, String certificate, String until, String why) {
        call("xs2a_engine_block", tpp, certificate, until, why);
    }

    /**
     * Removes a block, named as for Engine.block. Gives true; false if there was none.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (both or none, or another form), Result.STORE.
     */
    public boolean unblock(String tpp, String certificate) {
        return number("xs2a_engine_unblock", tpp, certificate) != 0;
    }

    /**
     * Lists the blocks that have not ended: a JSON array of `{"tpp","since","why"}` or
     * `{"certificate","since","why"}`, with `until` if the block ends by itself.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public String blocked() {
        return text("xs2a_engine_blocked");
    }

    /**
     * Deletes what the database has of a person and no law keeps: consents, sessions, links, the ids by which TPPs
     * know the person, counts of calls (docs/guide/retention.md). `psu`: the bank's own reference. Gives a JSON
     * object: `erased`, the number of deleted rows by their kind, and `kept`, an array of
     * `{"what","count","until","why"}`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFLICT (a payment of the person is open; the message
     * names it), Result.STORE.
     */
    public String erasePsu(String psu) {
        return text("xs2a_engine_erase_psu", psu);
    }

    /**
     * The figures of the interface for each day (Europe/Oslo) from the first to the last, as `YYYY-MM-DD`, at most
     * 400 (docs/guide/statistics.md). `tpp`: the organisation identifier of the TPP whose requests are counted;
     * empty: all. Gives a JSON array of
     * `{"day","seconds","uptimePercent","downtimeSeconds","aisp","pisp","all","operations"}`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (other days), Result.STORE.
     */
    public String statistics(String firstDay, String lastDay, String tpp) {
        return text("xs2a_engine_statistics", firstDay, lastDay, tpp);
    }

    /**
     * As Engine.statistics, as a CSV (RFC 4180) with a header and a row for each day, without operations.
     * <p>
     * Results: as Engine.statistics.
     */
    public String statisticsCsv(String firstDay, String lastDay, String tpp) {
        return text("xs2a_engine_statistics_csv", firstDay, lastDay, tpp);
    }
}
