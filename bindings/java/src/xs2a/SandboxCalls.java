// Generated from the C headers by bindings/generator: not to be edited.

package xs2a;

abstract class SandboxCalls extends Handle {
    SandboxCalls(long pointer, String free) {
        super(pointer, free);
    }

    /**
     * The same for one HTTP/1.1 request as bytes, as Engine.handleHttp. A message that is no request is not in the
     * journal.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.BAD_SIZE.
     */
    public byte[] handleHttp(byte[] message) {
        return bytes("xs2a_sandbox_handle_http", message);
    }

    /**
     * Reports the status that a payment reached outside of this interface, such as `CANC` for one that the PSU
     * cancelled in the bank's app. A payment that is reported cancelled or rejected is not carried out. One that is
     * reported settled (ACSC) is booked at once, before its batch. For a bulk in PART and for a periodic payment
     * only the status changes. A bulk that is reported PART is not carried out any more: its entries were paid
     * elsewhere.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (status), Result.MISUSE (no such payment;
     * a status that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is yet to be
     * booked), Result.STORE.
     */
    public void reportPaymentStatus(String paymentId, String status, int fundsAvailable) {
        call("xs2a_sandbox_report_payment_status", paymentId, status, (byte) fundsAvailable);
    }

    /**
     * Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch settles
     * it until it is released, rejected or cancelled. `why` may be empty.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such payment; one that is not authorised,
     * or settled; a `why` of more than 400 characters), Result.STORE.
     */
    public void hold(String paymentId, String why) {
        call("xs2a_sandbox_hold", paymentId, why);
    }

    /**
     * Releases a payment that is on hold. If its day came before, it is settled in the next batch.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such payment, or not on hold),
     * Result.STORE.
     */
    public void release(String paymentId) {
        call("xs2a_sandbox_release", paymentId);
    }

    /**
     * The whole state as bytes: for Sandbox.restore.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public byte[] snapshot() {
        return bytes("xs2a_sandbox_snapshot");
    }

    /**
     * Restores a snapshot, the clock included.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (not a whole snapshot of this version), Result.STORE.
     */
    public void restore(byte[] image) {
        call("xs2a_sandbox_restore", image);
    }

    /**
     * A second sandbox in memory with the state of this one; later changes of one do not affect the other.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public Sandbox fork() {
        return new Sandbox(number("xs2a_sandbox_fork"));
    }

    /**
     * Restores the default data set: deletes customers, accounts, payments and authorisations; keeps registered
     * TPPs, trust anchors and the clock.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public void initialize() {
        call("xs2a_sandbox_initialize");
    }

    /**
     * Gives a card account another status: enabled, blocked or deleted, which is final. The id is the resourceId of
     * the sandbox's own routes.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (unknown card account or status, or one that is
     * deleted already), Result.STORE.
     */
    public void setCardStatus(String cardAccountId, String status) {
        call("xs2a_sandbox_set_card_status", cardAccountId, status);
    }

    /**
     * The default data set as JSON: customers, accounts, the creditor with a KID agreement, the person engaged in
     * both corporations.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String defaultData() {
        return text("xs2a_sandbox_default_data");
    }

    /**
     * Adds generated customers with accounts, agreements and a history of bookings until yesterday; the same seed,
     * clock and earlier calls give the same customers. The plan is a JSON object:
     * `{"persons":100,"companies":4,"months":12}`; these are the defaults of absent members. With `"lives_on":true`
     * the lives go on when the clock moves: at each midnight in Oslo the bank books the day that ended. With
     * `"cases":10` there are ten cases of fraud or money laundering for a thousand persons, rounded up, and
     * payments that look like cases come with them; 1000 at most. With `"events":true` persons change jobs, move,
     * have children, retire and die. Their numbers belong to no real person: docs/guide/data.md describes how they
     * are marked.
     * <p>
     * Gives JSON: `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`,
     * with customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the
     * balances after the history; `from` is null without one.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such plan, one beyond the limits, `cases`
     * together with `lives_on`, a history that begins before the year 1, or no numbers left), Result.STORE. On a
     * failure nothing is changed.
     */
    public String populate(String plan) {
        return text("xs2a_sandbox_populate", plan);
    }

    /**
     * The ledger of one account, by bban or iban, as JSON: `{"account":{…},"balance":{…},"bookings":[…]}`, the
     * newest booking first, amounts as exact signed strings.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such account), Result.STORE.
     */
    public String ledger(String account) {
        return text("xs2a_sandbox_ledger", account);
    }

    /**
     * The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with the
     * answers of a sandbox whose policy has `sign_responses`. null with length 0 where `sandbox` is null. Lives as
     * long as the library.
     */
    public String rootPem() {
        return borrowed("xs2a_sandbox_root_pem");
    }

    /**
     * The time of the sandbox's clock, by RFC 3339 in UTC.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String now() {
        return text("xs2a_sandbox_now");
    }

    /**
     * Sets the clock to a time by RFC 3339; every event of the bank up to that time takes place. The clock never
     * goes back.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.BAD_ARGUMENT (no time), Result.MISUSE (earlier than
     * now, or after the year 9999), Result.STORE.
     */
    public void setNow(String time) {
        call("xs2a_sandbox_set_now", time);
    }

    /**
     * Moves the clock forward by `seconds`; every event of the bank up to that time takes place.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (negative, or beyond the year 9999), Result.STORE.
     */
    public void advance(long seconds) {
        call("xs2a_sandbox_advance", seconds);
    }

    /**
     * Moves the clock to the time of the bank's next event, which then takes place. Gives that time by RFC 3339;
     * null if no event waits: the clock then does not move.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (beyond the year 9999), Result.STORE.
     */
    public String advanceToNextEvent() {
        return text("xs2a_sandbox_advance_to_next_event");
    }

    /**
     * Empties the journal.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public void clearJournal() {
        call("xs2a_sandbox_clear_journal");
    }

    /**
     * Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`,
     * `reasons`, `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row of the table, and
     * `unrouted` `{"calls","statuses"}`. `family`: 0 for what this sandbox saw, 1 for what it saw with the one it
     * was forked from and all other forks of that.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String coverage(boolean family) {
        return text("xs2a_sandbox_coverage", (byte) (family ? 1 : 0));
    }

    /**
     * Revokes the consents of a private customer to a TPP, in every context. A repetition changes nothing. The TPP
     * is not notified: its next call is answered CONSENT_UNKNOWN.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no private customer has this number; a TPP
     * that is neither registered here nor known to the customer), Result.STORE.
     */
    public void revokeConsent(String customerNumber, String organisationId) {
        call("xs2a_sandbox_revoke_consent", customerNumber, organisationId);
    }

    /**
     * Sets the result of the bank's risk analysis for a private customer from now on. `demanded`: reading accounts
     * is answered 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a payment with
     * their PSU-ID is authorised without an SCA, and a TPP-Session-ID that was never seen reads accounts as a call
     * without one does. `as_ruled`: neither; this is the initial value.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no private customer has this number, or an
     * unknown demand), Result.STORE.
     */
    public void setScaDemand(String customerNumber, String demand) {
        call("xs2a_sandbox_set_sca_demand", customerNumber, demand);
    }

    /**
     * The whole state as canonical JSON (RFC 8785): for Sandbox.importJson, to read, to keep under version control,
     * and to change by hand. Equal states are equal texts. Policies and base path are not in it.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public String exportJson() {
        return text("xs2a_sandbox_export_json");
    }

    /**
     * Takes the state that an exported text holds, in any spelling of the same JSON. Invalid values are reported
     * with their places (JSON Pointer), up to twenty at once; nothing is changed then. References between rows are
     * checked if each row is valid by itself; sums and the keys of TPPs are checked last.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no exported sandbox of this version, or
     * invalid values), Result.STORE.
     */
    public void importJson(String json) {
        call("xs2a_sandbox_import_json", json);
    }

    /**
     * Every policy with its present value, as a JSON object.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String policy() {
        return text("xs2a_sandbox_policy");
    }

    /**
     * Changes the policies that a JSON object names, from the next call on; the others stay. Each call is answered
     * under one set of policies. They are not part of a snapshot; a fork begins with the present ones.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFIG (an unknown key or an invalid value; nothing is
     * changed then).
     */
    public void setPolicy(String policy) {
        call("xs2a_sandbox_set_policy", policy);
    }

    /**
     * Accounts whose balance differs from the sum of their bookings, as a JSON array: normally empty. Each entry is
     * `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.STORE.
     */
    public String reconcile() {
        return text("xs2a_sandbox_reconcile");
    }

    /**
     * Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma between;
     * the names of ETSI TS 119 495 (`PSP_AI`, …) are accepted too. An empty text gives no role: such a TPP is
     * refused by each call that needs one.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such role, an empty name), Result.STORE.
     */
    public Tpp registerTpp(String name, String roles) {
        return new Tpp(number("xs2a_sandbox_register_tpp", name, roles));
    }

    /**
     * A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox, so a
     * test can continue in a fork, after a restore, and in a file that is opened again.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such TPP), Result.STORE.
     */
    public Tpp tpp(String organisationId) {
        return new Tpp(number("xs2a_sandbox_tpp", organisationId));
    }

    /**
     * Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another
     * process with a sandbox on the same file reads them when it opens the file again.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.CONFIG (no usable certificate), Result.STORE.
     */
    public void trust(String pem) {
        call("xs2a_sandbox_trust", pem);
    }

    /**
     * Sets a fault, a JSON object with what goes wrong, and when. `kind`: `refusal` (the default) with `code` and,
     * where a code has several, `status`; `bank_down`; `no_rate`; `slow` with `seconds`, by which the clock moves;
     * `sca` with `outcome`: `aborted`, `expired`, or `failed` with a `code`; `submit_payment`: the bank does not
     * take an authorised payment, which is delivered again. Conditions: `operation`, `tpp` (its organisation id),
     * `product`, `target` (a part of it). How often: `nth`, `times`, `probability`. docs/guide/testing.md describes
     * all. Gives the number of the fault. Faults are not part of a snapshot, and a fork begins without faults;
     * `slow` needs Sandbox.handle.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (an invalid fault).
     */
    public long addFault(String json) {
        return number("xs2a_sandbox_add_fault", json);
    }

    /**
     * The active faults as a JSON array, the oldest first: each as it was written, with `id`, `seen` (how often its
     * conditions were met) and `hits` (how often it struck).
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public String faults() {
        return text("xs2a_sandbox_faults");
    }

    /**
     * Removes a fault by its number.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.MISUSE (no such fault is set).
     */
    public void removeFault(long id) {
        call("xs2a_sandbox_remove_fault", id);
    }

    /**
     * Removes every fault.
     * <p>
     * Results: Result.NULL_ARGUMENT.
     */
    public void clearFaults() {
        call("xs2a_sandbox_clear_faults");
    }

    /**
     * A signed request that the sandbox answers with a code of the contract, such as `KID_INVALID`, if it is the
     * next request, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as
     * text, and the answer to expect: `code`, `status`, `reason`. Prepares the sandbox for it: registers a TPP, may
     * open accounts or order payments for customers, and for CONSENT_EXPIRED moves the clock by 180 days. Use a
     * fork if the sandbox must not change.
     * <p>
     * Results: Result.NULL_ARGUMENT, Result.NOT_UTF8, Result.MISUSE (no such code; the default data set was
     * changed), Result.BANK (an active fault makes the bank fail), Result.STORE.
     */
    public String provoke(String code) {
        return text("xs2a_sandbox_provoke", code);
    }
}
