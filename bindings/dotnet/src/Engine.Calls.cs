// Generated from the C headers by bindings/generator: not to be edited.

using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    public sealed partial class Engine
    {
        /// <summary>
        /// As Engine.Handle for one HTTP/1.1 request as bytes, and gives the answer as bytes to send. `message` is
        /// one complete request and nothing after it, whose body has a Content-Length; any other is answered 400,
        /// with the section of RFC 9112 that it breaks and the byte where. Close the connection after an answer
        /// that has `Connection: close`.
        /// <para/>
        /// Results: Result.NullArgument, Result.BadSize.
        /// </summary>
        public byte[] HandleHttp(byte[] message)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_handle_http(handle, frame.Bytes(message), out IntPtr output,
                    out IntPtr error), error);
                return Take.Bytes(output);
            }
        }

        /// <summary>
        /// Delivers the due orders to the bank: for the host's scheduler. It also writes evidence of reads and
        /// statistics that wait and deletes expired rows of the database, so a gateway without payments calls it
        /// from time to time too.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (the callback `now` gave no year from 1 to 9999),
        /// Result.Store.
        /// </summary>
        public RunReport RunDue()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_run_due(handle, out RunReport output, out IntPtr error), error);
                return output;
            }
        }

        /// <summary>
        /// When Engine.RunDue next has something to do, by RFC 3339 in UTC: to deliver an order, or to write
        /// evidence of reads that waits. null if nothing waits now. The next read may add evidence. The next
        /// completed SCA may add an order, and so may the next call, if the bank exempts payments from their SCA.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (the callback `now` gave no year from 1 to 9999),
        /// Result.Store.
        /// </summary>
        public string NextDue()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_next_due(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// What the bank's own SCA site must show for the id in a link (`{sca_origin}{base_path}/sca/{id}`), as
        /// JSON: `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, `tppName` if the register or
        /// the TPP's certificate has a name, and those of `person`, `identity`, `context`, `corporate` and `brand`
        /// that the call named. `kind` is payment, cancellation, basket, consent or identification; `orders` are
        /// payment bodies, with amounts and payees, each with its `paymentId`, `product` and `fee` as the bank
        /// receives them, and empty for the last two. `person` and `corporate` are the bank's own references of the
        /// person and company that must complete the SCA; `identity` is the person by the number of X-PSU-IDENTITY.
        /// null if the link is unknown, used or expired.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Store.
        /// </summary>
        public string Authorisation(string id)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_authorisation(handle, frame.Text(id), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Ends an authorisation with the PSU's answer, and gives the URL to send the PSU to. `outcome`, JSON:
        /// `{"outcome":"approved","psu":{"person":…,"context":"PRIVATE"},"accounts":[…],"cardAccounts":[…]}`, with
        /// `corporate` in `psu` for the context `CORPORATE`, and without the account ids if the PSU opens all (they
        /// are only read for a consent); or one of `{"outcome":"aborted"}`, `failed`, `psuUnknown`, `otherPsu`.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.NotFound (the link is unknown), Result.Expired (it
        /// is used, or older than 10 minutes), Result.NotOffered (an account), Result.Misuse (another form),
        /// Result.Store, Result.Bank. After the last four the link stays open. After Result.OutcomeUnknown it may
        /// be used: ask Engine.Authorisation.
        /// </summary>
        public string CompleteSca(string id, string outcome)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_complete_sca(handle, frame.Text(id), frame.Text(outcome),
                    out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Revokes the consents of a person (the bank's own reference) to a TPP, in every context. Gives true if
        /// there was one that was not revoked before, an expired one included; else false, and nothing is changed.
        /// The TPP is not notified: its next call is answered CONSENT_UNKNOWN.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (U+0000 in the reference), Result.Store.
        /// </summary>
        public bool RevokeConsent(string person, string organisationId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_revoke_consent(handle, frame.Text(person),
                    frame.Text(organisationId), out int output, out IntPtr error), error);
                return output != 0;
            }
        }

        /// <summary>
        /// Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `fundsAvailable`:
        /// 1 if the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is
        /// released by any status.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (status), Result.NotFound (no such
        /// payment), Result.Conflict (a status that cannot follow), Result.Store.
        /// </summary>
        public void ReportPaymentStatus(string paymentId, string status, int fundsAvailable)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_report_payment_status(handle, frame.Text(paymentId),
                    frame.Text(status), (sbyte)fundsAvailable, out IntPtr error), error);
            }
        }

        /// <summary>
        /// Reports that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
        /// Engine.ReportPaymentStatus reports a status, PDNG where it is merely released. `why` is part of that
        /// psuMessage, and may be empty.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.NotFound (no such payment), Result.Conflict (one
        /// that cannot become PDNG), Result.Misuse (a `why` of more than 400 characters), Result.Store.
        /// </summary>
        public void ReportPaymentOnHold(string paymentId, string why)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_report_payment_on_hold(handle, frame.Text(paymentId),
                    frame.Text(why), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Replaces the trust anchors by the certificates of `pem`, one or several. Only the new ones count from
        /// the next call on. Gives their number. On a failure the old ones stay.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Config (no certificate, or one that cannot be
        /// read), Result.Misuse (the engine of a sandbox).
        /// </summary>
        public long ReplaceTrustAnchors(string pem)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_replace_trust_anchors(handle, frame.Text(pem), out UIntPtr output,
                    out IntPtr error), error);
                return (long)output;
            }
        }

        /// <summary>
        /// Takes certificate revocation lists: one in DER, or one or several in PEM. Each replaces the earlier list
        /// of the same issuer key. `authorities`: PEM of the certificates that may have issued them. They count
        /// from the next call on. Gives the number of lists. On a failure no list is taken. They are not stored in
        /// the database: supply them after every start, before the first request, or revoked certificates are
        /// accepted again.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Config (a list or an authority that cannot be read;
        /// a list that is older than the one there, of no authority named, a delta list, without nextUpdate, with a
        /// wrong signature), Result.Misuse (an engine with the callback `revocation`; the engine of a sandbox).
        /// </summary>
        public long SupplyCrl(byte[] lists, string authorities)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_supply_crl(handle, frame.Bytes(lists), frame.Text(authorities),
                    out UIntPtr output, out IntPtr error), error);
                return (long)output;
            }
        }

        /// <summary>
        /// Forgets every revocation list that was supplied.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (the engine of a sandbox).
        /// </summary>
        public void ClearCrls()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_clear_crls(handle, out IntPtr error), error);
            }
        }

        /// <summary>
        /// When the first revocation list expires (nextUpdate), by RFC 3339 in UTC: supply the next one before.
        /// null if there is none, as after each start.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (the engine of a sandbox).
        /// </summary>
        public string NextCrlDue()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_next_crl_due(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Sets an extract of the European Banking Authority's register, JSON as published, in place of the
        /// previous one. From the next call on, a TPP is refused that is not in it, or that it does not allow the
        /// service in the bank's country (policy `country`); before the first extract every certificate that leads
        /// to a trust anchor counts. Gives the number of institutions. On a failure the old one stays. It is not
        /// stored in the database: supply it after every start, before the first request.
        /// <para/>
        /// Results: Result.NullArgument, Result.Config (another form), Result.Misuse (an engine with the callback
        /// `is_registered`; the engine of a sandbox).
        /// </summary>
        public long ReplaceRegister(byte[] json)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_replace_register(handle, frame.Bytes(json), out UIntPtr output,
                    out IntPtr error), error);
                return (long)output;
            }
        }

        /// <summary>
        /// Forgets what the callback `is_registered` answered about an authorisation number, where answers are
        /// remembered (`registry_ages` of the configuration): it is asked at that TPP's next call. For notices of
        /// withdrawal.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (an engine without that callback; the engine
        /// of a sandbox).
        /// </summary>
        public void ForgetRegistration(string organisationId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_forget_registration(handle, frame.Text(organisationId),
                    out IntPtr error), error);
            }
        }

        /// <summary>
        /// Replaces the seal that answers are signed with: `certificate` and `privateKey` are PEM. With null as
        /// `privateKey` the callback `sign` signs with the key of the certificate; it is called once here. The new
        /// seal counts from the next call on; a call in progress may still be signed by the old one, which stays on
        /// a failure. An engine that signed no answers signs them from then on.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Config (a certificate or a key that cannot be read;
        /// two that do not belong together; a signature that does not verify), Result.Bank (the callback failed),
        /// Result.Misuse (neither a private key nor that callback; the engine of a sandbox).
        /// </summary>
        public void ReplaceResponseKey(string certificate, string privateKey)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_replace_response_key(handle, frame.Text(certificate),
                    frame.Text(privateKey), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Lists the dead letters, orders that are not delivered to the bank until an operator acts: a JSON array
        /// of `{"paymentId","attempts","why","since"}`, the oldest first, at most 1000. Their payments do not
        /// change until Engine.RetryOrder, or until Engine.ReportPaymentStatus reports its status. An order that
        /// cannot be read in the store is among them, with the stored value as its payment id.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public string DeadLetters()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_dead_letters(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Whether the engine can do its work now, as a JSON object (docs/guide/gateway.md): `{"ok":true,…}`. It
        /// reads the database and writes nothing. What fails is part of the result.
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Health()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_health(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The figures of the engine in Prometheus' text format, version 0.0.4 (docs/guide/gateway.md).
        /// <para/>
        /// Results: Result.NullArgument.
        /// </summary>
        public string Metrics()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_metrics(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Lets a dead letter be delivered again, from now on.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.NotFound (the payment has no dead letter),
        /// Result.Store.
        /// </summary>
        public void RetryOrder(string paymentId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_retry_order(handle, frame.Text(paymentId), out IntPtr error),
                    error);
            }
        }

        /// <summary>
        /// Lists consents that count and ended ones, the newest first. `query`: a JSON object with any of `psu`,
        /// `tpp`, `after` (the `id` of the last row of the page before) and `limit` (1 to 1000, 200 if absent);
        /// empty: all. Gives a JSON array of
        /// `{"id","state","tpp","psu","context","purpose","accounts","cardAccounts","grantedAt","validUntil"}`, and
        /// `tppName`, `corporate`, `lastAccessAt`, `endedAt`, `endedWhy`, each if there is one. `state` is valid,
        /// expired, revokedByPsu or replaced; `endedWhy` is expired, revoked or replaced. A consent that was
        /// revoked or replaced is listed for two years from then. `lastAccessAt` is at most a minute too early.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (another query), Result.Store.
        /// </summary>
        public string Consents(string query)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_consents(handle, frame.Text(query), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Lists payments, the newest first. `query`: a JSON object with any of `psu`, `tpp`, `status`,
        /// `createdFrom`, `createdTo` (times by RFC 3339, the second exclusive), `after` and `limit` as above;
        /// empty: all. Gives a JSON array of `{"id","tpp","product","status","order","fee","createdAt"}`, and
        /// `psu`, `context`, `corporate`, `fundsAvailable`, `onHold`, `basketId`, `authorisedAt`, each if there is
        /// one. A page is shorter than `limit` if its orders have 8 MiB: the end of the list is an empty page.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (another query), Result.Store.
        /// </summary>
        public string Payments(string query)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_payments(handle, frame.Text(query), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Shows one payment: an object as Engine.Payments lists, with `events`, its history, oldest first: an
        /// array of `{"at","from","to","cause"}`. null if no payment has the id.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Store.
        /// </summary>
        public string Payment(string paymentId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_payment(handle, frame.Text(paymentId), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Refuses the calls of a TPP, or those made with one certificate, on every node from its next call on, in
        /// place of an earlier block of the same subject. One of both is given, the other is empty: `tpp`, the
        /// organisation identifier; `certificate`, the SHA-256 of its DER as 64 hexadecimal digits. `until`: when
        /// the block ends by itself, by RFC 3339; empty: it does not. `why`, at most 400 characters, is for the
        /// operator alone. A call that is being answered is completed; what PSUs approved before stays.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (until), Result.Misuse (both or none,
        /// or another form; an `until` that is not later than now; another `why`), Result.Store.
        /// </summary>
        public void Block(string tpp, string certificate, string until, string why)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_block(handle, frame.Text(tpp), frame.Text(certificate),
                    frame.Text(until), frame.Text(why), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Removes a block, named as for Engine.Block. Gives true; false if there was none.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (both or none, or another form),
        /// Result.Store.
        /// </summary>
        public bool Unblock(string tpp, string certificate)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_unblock(handle, frame.Text(tpp), frame.Text(certificate),
                    out int output, out IntPtr error), error);
                return output != 0;
            }
        }

        /// <summary>
        /// Lists the blocks that have not ended: a JSON array of `{"tpp","since","why"}` or
        /// `{"certificate","since","why"}`, with `until` if the block ends by itself.
        /// <para/>
        /// Results: Result.NullArgument, Result.Store.
        /// </summary>
        public string Blocked()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_blocked(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// Deletes what the database has of a person and no law keeps: consents, sessions, links, the ids by which
        /// TPPs know the person, counts of calls (docs/guide/retention.md). `psu`: the bank's own reference. Gives
        /// a JSON object: `erased`, the number of deleted rows by their kind, and `kept`, an array of
        /// `{"what","count","until","why"}`.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Conflict (a payment of the person is open; the
        /// message names it), Result.Store.
        /// </summary>
        public string ErasePsu(string psu)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_erase_psu(handle, frame.Text(psu), out IntPtr output,
                    out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// The figures of the interface for each day (Europe/Oslo) from the first to the last, as `YYYY-MM-DD`, at
        /// most 400 (docs/guide/statistics.md). `tpp`: the organisation identifier of the TPP whose requests are
        /// counted; empty: all. Gives a JSON array of
        /// `{"day","seconds","uptimePercent","downtimeSeconds","aisp","pisp","all","operations"}`.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (other days), Result.Store.
        /// </summary>
        public string Statistics(string firstDay, string lastDay, string tpp)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_statistics(handle, frame.Text(firstDay), frame.Text(lastDay),
                    frame.Text(tpp), out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// As Engine.Statistics, as a CSV (RFC 4180) with a header and a row for each day, without operations.
        /// <para/>
        /// Results: as Engine.Statistics.
        /// </summary>
        public string StatisticsCsv(string firstDay, string lastDay, string tpp)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_statistics_csv(handle, frame.Text(firstDay), frame.Text(lastDay),
                    frame.Text(tpp), out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }
    }
}
