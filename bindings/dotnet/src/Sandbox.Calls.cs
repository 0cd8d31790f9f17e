// Generated from the C headers by bindings/generator: not to be edited.

#if XS2A_SANDBOX
using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public sealed partial class Sandbox
    {
        /// <summary>
        /// The same for one HTTP/1.1 request as bytes, as Engine.HandleHttp. A message that is no request is not in
        /// the journal.
        /// <para/>
        /// Results: Result.NullArgument, Result.BadSize.
        /// </summary>
        public byte[] HandleHttp(byte[] message)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_handle_http(handle, frame.Bytes(message), out IntPtr output,
                    out IntPtr error), error);
                return Take.Bytes(output);
            }
        }

        /// <summary>
        /// Reports the status that a payment reached outside of this interface, such as `CANC` for one that the PSU
        /// cancelled in the bank's app. A payment that is reported cancelled or rejected is not carried out. One
        /// that is reported settled (ACSC) is booked at once, before its batch. For a bulk in PART and for a
        /// periodic payment only the status changes. A bulk that is reported PART is not carried out any more: its
        /// entries were paid elsewhere.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (status), Result.Misuse (no such
        /// payment; a status that cannot follow; ACSC of what cannot be booked as a whole; ACWP of a bulk that is
        /// yet to be booked), Result.Store.
        /// </summary>
        public void ReportPaymentStatus(string paymentId, string status, int fundsAvailable)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_report_payment_status(handle, frame.Text(paymentId),
                    frame.Text(status), (sbyte)fundsAvailable, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch
        /// settles it until it is released, rejected or cancelled. `why` may be empty.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such payment; one that is not
        /// authorised, or settled; a `why` of more than 400 characters), Result.Store.
        /// </summary>
        public void Hold(string paymentId, string why)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_hold(handle, frame.Text(paymentId), frame.Text(why),
                    out IntPtr error), error);
            }
        }

        /// <summary>
        /// Releases a payment that is on hold. If its day came before, it is settled in the next batch.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such payment, or not on hold),
        /// Result.Store.
        /// </summary>
        public void Release(string paymentId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_release(handle, frame.Text(paymentId), out IntPtr error), error);
            }
        }

        /// <summary>
        /// The whole state as bytes: for Sandbox.Restore.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public byte[] Snapshot()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_snapshot(handle, out IntPtr output, out IntPtr error), error);
                return Take.Bytes(output);
            }
        }

        /// <summary>
        /// Restores a snapshot, the clock included.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (not a whole snapshot of this version), Result.Store.
        /// </summary>
        public void Restore(byte[] image)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_restore(handle, frame.Bytes(image), out IntPtr error), error);
            }
        }

        /// <summary>
        /// A second sandbox in memory with the state of this one; later changes of one do not affect the other.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public Sandbox Fork()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_fork(handle, out IntPtr output, out IntPtr error), error);
                return new Sandbox(output);
            }
        }

        /// <summary>
        /// Restores the default data set: deletes customers, accounts, payments and authorisations; keeps
        /// registered TPPs, trust anchors and the clock.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public void Initialize()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_initialize(handle, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Gives a card account another status: enabled, blocked or deleted, which is final. The id is the
        /// resourceId of the sandbox's own routes.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (unknown card account or status, or one that
        /// is deleted already), Result.Store.
        /// </summary>
        public void SetCardStatus(string cardAccountId, string status)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_set_card_status(handle, frame.Text(cardAccountId),
                    frame.Text(status), out IntPtr error), error);
            }
        }

        /// <summary>
        /// The default data set as JSON: customers, accounts, the creditor with a KID agreement, the person engaged
        /// in both corporations.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string DefaultData()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_default_data(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Adds generated customers with accounts, agreements and a history of bookings until yesterday; the same
        /// seed, clock and earlier calls give the same customers. The plan is a JSON object:
        /// `{"persons":100,"companies":4,"months":12}`; these are the defaults of absent members. With
        /// `"lives_on":true` the lives go on when the clock moves: at each midnight in Oslo the bank books the day
        /// that ended. With `"cases":10` there are ten cases of fraud or money laundering for a thousand persons,
        /// rounded up, and payments that look like cases come with them; 1000 at most. With `"events":true` persons
        /// change jobs, move, have children, retire and die. Their numbers belong to no real person:
        /// docs/guide/data.md describes how they are marked.
        /// <para/>
        /// Gives JSON:
        /// `{"from":"2025-09-01","transactions":…,"cardTransactions":…,"customers":[…],"agreements":[…]}`, with
        /// customers and agreements (those of companies) in the shapes of xs2a_sandbox_default_data and the
        /// balances after the history; `from` is null without one.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such plan, one beyond the limits,
        /// `cases` together with `lives_on`, a history that begins before the year 1, or no numbers left),
        /// Result.Store. On a failure nothing is changed.
        /// </summary>
        public string Populate(string plan)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_populate(handle, frame.Text(plan), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The ledger of one account, by bban or iban, as JSON: `{"account":{…},"balance":{…},"bookings":[…]}`, the
        /// newest booking first, amounts as exact signed strings.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such account), Result.Store.
        /// </summary>
        public string Ledger(string account)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_ledger(handle, frame.Text(account), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The root certificate of the sandbox's test PKI, PEM: the trust anchor of the certificate that comes with
        /// the answers of a sandbox whose policy has `sign_responses`. null with length 0 where `sandbox` is null.
        /// Lives as long as the library.
        /// </summary>
        public string RootPem()
        {
            using (var frame = new Frame())
            {
                return Take.String(Native.xs2a_sandbox_root_pem(handle));
            }
        }

        /// <summary>
        /// The time of the sandbox's clock, by RFC 3339 in UTC.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Now()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_now(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Sets the clock to a time by RFC 3339; every event of the bank up to that time takes place. The clock
        /// never goes back.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (no time), Result.Misuse (earlier than
        /// now, or after the year 9999), Result.Store.
        /// </summary>
        public void SetNow(string time)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_set_now(handle, frame.Text(time), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Moves the clock forward by `seconds`; every event of the bank up to that time takes place.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (negative, or beyond the year 9999), Result.Store.
        /// </summary>
        public void Advance(long seconds)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_advance(handle, seconds, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Moves the clock to the time of the bank's next event, which then takes place. Gives that time by RFC
        /// 3339; null if no event waits: the clock then does not move.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (beyond the year 9999), Result.Store.
        /// </summary>
        public string AdvanceToNextEvent()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_advance_to_next_event(handle, out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Empties the journal.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public void ClearJournal()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_clear_journal(handle, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Which operations, reasons, states and transitions were seen, as JSON: `operations`, `sandboxRoutes`,
        /// `reasons`, `states` and `transitions`, each `{"touched","total","rows":[…]}` with every row of the
        /// table, and `unrouted` `{"calls","statuses"}`. `family`: 0 for what this sandbox saw, 1 for what it saw
        /// with the one it was forked from and all other forks of that.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Coverage(bool family)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_coverage(handle, (byte)(family ? 1 : 0), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Revokes the consents of a private customer to a TPP, in every context. A repetition changes nothing. The
        /// TPP is not notified: its next call is answered CONSENT_UNKNOWN.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no private customer has this number; a TPP
        /// that is neither registered here nor known to the customer), Result.Store.
        /// </summary>
        public void RevokeConsent(string customerNumber, string organisationId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_revoke_consent(handle, frame.Text(customerNumber),
                    frame.Text(organisationId), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Sets the result of the bank's risk analysis for a private customer from now on. `demanded`: reading
        /// accounts is answered 401 SCA_INVALID with an scaRedirect until this person completes an SCA. `exempt`: a
        /// payment with their PSU-ID is authorised without an SCA, and a TPP-Session-ID that was never seen reads
        /// accounts as a call without one does. `as_ruled`: neither; this is the initial value.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no private customer has this number, or an
        /// unknown demand), Result.Store.
        /// </summary>
        public void SetScaDemand(string customerNumber, string demand)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_set_sca_demand(handle, frame.Text(customerNumber),
                    frame.Text(demand), out IntPtr error), error);
            }
        }

        /// <summary>
        /// The whole state as canonical JSON (RFC 8785): for Sandbox.ImportJson, to read, to keep under version
        /// control, and to change by hand. Equal states are equal texts. Policies and base path are not in it.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public string ExportJson()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_export_json(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Takes the state that an exported text holds, in any spelling of the same JSON. Invalid values are
        /// reported with their places (JSON Pointer), up to twenty at once; nothing is changed then. References
        /// between rows are checked if each row is valid by itself; sums and the keys of TPPs are checked last.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no exported sandbox of this version, or
        /// invalid values), Result.Store.
        /// </summary>
        public void ImportJson(string json)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_import_json(handle, frame.Text(json), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Every policy with its present value, as a JSON object.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Policy()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_policy(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Changes the policies that a JSON object names, from the next call on; the others stay. Each call is
        /// answered under one set of policies. They are not part of a snapshot; a fork begins with the present
        /// ones.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Config (an unknown key or an invalid value; nothing
        /// is changed then).
        /// </summary>
        public void SetPolicy(string policy)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_set_policy(handle, frame.Text(policy), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Accounts whose balance differs from the sum of their bookings, as a JSON array: normally empty. Each
        /// entry is `{"resourceId":…,"bban":…,"proven":{…},"booked":{…}}`.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public string Reconcile()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_reconcile(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Registers a TPP with a certificate of the test PKI. `roles`: `AISP`, `PISP` or both, with a comma
        /// between; the names of ETSI TS 119 495 (`PSP_AI`, …) are accepted too. An empty text gives no role: such
        /// a TPP is refused by each call that needs one.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such role, an empty name), Result.Store.
        /// </summary>
        public Tpp RegisterTpp(string name, string roles)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_register_tpp(handle, frame.Text(name), frame.Text(roles),
                    out IntPtr output, out IntPtr error), error);
                return new Tpp(output);
            }
        }

        /// <summary>
        /// A TPP that was registered before, by its authorisation number. It signs by the clock of this sandbox, so
        /// a test can continue in a fork, after a restore, and in a file that is opened again.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such TPP), Result.Store.
        /// </summary>
        public Tpp Tpp(string organisationId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_tpp(handle, frame.Text(organisationId), out IntPtr output,
                    out IntPtr error), error);
                return new Tpp(output);
            }
        }

        /// <summary>
        /// Adds trust anchors (PEM, bundles too): TPPs with a certificate under them count as registered. Another
        /// process with a sandbox on the same file reads them when it opens the file again.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Config (no usable certificate), Result.Store.
        /// </summary>
        public void Trust(string pem)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_trust(handle, frame.Text(pem), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Sets a fault, a JSON object with what goes wrong, and when. `kind`: `refusal` (the default) with `code`
        /// and, where a code has several, `status`; `bank_down`; `no_rate`; `slow` with `seconds`, by which the
        /// clock moves; `sca` with `outcome`: `aborted`, `expired`, or `failed` with a `code`; `submit_payment`:
        /// the bank does not take an authorised payment, which is delivered again. Conditions: `operation`, `tpp`
        /// (its organisation id), `product`, `target` (a part of it). How often: `nth`, `times`, `probability`.
        /// docs/guide/testing.md describes all. Gives the number of the fault. Faults are not part of a snapshot,
        /// and a fork begins without faults; `slow` needs Sandbox.Handle.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (an invalid fault).
        /// </summary>
        public ulong AddFault(string json)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_add_fault(handle, frame.Text(json), out ulong output,
                    out IntPtr error), error);
                return output;
            }
        }

        /// <summary>
        /// The active faults as a JSON array, the oldest first: each as it was written, with `id`, `seen` (how
        /// often its conditions were met) and `hits` (how often it struck).
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Faults()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_faults(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Removes a fault by its number.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (no such fault is set).
        /// </summary>
        public void RemoveFault(ulong id)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_remove_fault(handle, id, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Removes every fault.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public void ClearFaults()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_clear_faults(handle, out IntPtr error), error);
            }
        }

        /// <summary>
        /// A signed request that the sandbox answers with a code of the contract, such as `KID_INVALID`, if it is
        /// the next request, as a JSON object: `method`, `target`, `headers` (an array of `name` and `value`),
        /// `body` as text, and the answer to expect: `code`, `status`, `reason`. Prepares the sandbox for it:
        /// registers a TPP, may open accounts or order payments for customers, and for CONSENT_EXPIRED moves the
        /// clock by 180 days. Use a fork if the sandbox must not change.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such code; the default data set was
        /// changed), Result.Bank (an active fault makes the bank fail), Result.Store.
        /// </summary>
        public string Provoke(string code)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_sandbox_provoke(handle, frame.Text(code), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }
    }
}
#endif
