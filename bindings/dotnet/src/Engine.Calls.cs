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
        /// Delivers the due orders to the bank: for the host's scheduler. Gives JSON,
        /// `{"submitted":1,"withdrawn":0,"failed":0,"deadLetters":0}`: how many orders the bank took, how many were
        /// withdrawn because their payment had ended, how many failed and are retried, and how many became dead
        /// letters: see Engine.DeadLetters. It also deletes expired rows of the database, so a gateway without
        /// payments calls it from time to time too.
        /// <para/>
        /// Results: Result.NullArgument, Result.Misuse (the callback `now` gave no year from 1 to 9999),
        /// Result.Store.
        /// </summary>
        public string RunDue()
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_run_due(handle, out IntPtr output, out IntPtr error), error);
                return Take.Text(output);
            }
        }

        /// <summary>
        /// When Engine.RunDue next has something to do, by RFC 3339 in UTC; null if no order waits now. The next
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
        /// JSON: `{"authorisationId","tpp","kind","orders","language","expiresAt"}`, and those of `person`,
        /// `identity`, `context`, `corporate` and `brand` that the call named. `kind` is payment, cancellation,
        /// basket, consent or identification; `orders` are payment bodies, with amounts and payees, each with its
        /// `paymentId`, `product` and `fee` as the bank receives them, and empty for the last two. `person` and
        /// `corporate` are the bank's own references of the person and company that must complete the SCA;
        /// `identity` is the person by the number of X-PSU-IDENTITY. null if the link is unknown, used or expired.
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
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (another form; a link that is unknown, used
        /// or expired; an account that is not offered), Result.Store, Result.Bank. The link then stays open. After
        /// Result.OutcomeUnknown it may be used: ask Engine.Authorisation.
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
        /// Revokes the consents of a person (the bank's own reference) to a TPP, in every context. A repetition
        /// changes nothing. The TPP is not notified: its next call is answered CONSENT_UNKNOWN.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (U+0000 in the reference), Result.Store.
        /// </summary>
        public void RevokeConsent(string person, string organisationId)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_engine_revoke_consent(handle, frame.Text(person),
                    frame.Text(organisationId), out IntPtr error), error);
            }
        }

        /// <summary>
        /// Reports the status of a payment at the bank, such as `ACSC` for one that was settled. `fundsAvailable`:
        /// 1 if the funds were available, 0 if they were not, below zero if that is unknown. A payment on hold is
        /// released by any status.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.BadArgument (status), Result.Misuse (no such
        /// payment; a status that cannot follow), Result.Store.
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
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (no such payment; one that cannot become
        /// PDNG; a `why` of more than 400 characters), Result.Store.
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
        /// wrong signature), Result.Misuse (the engine of a sandbox).
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
        /// previous one. From the next call on, a TPP that is not in it is refused; before the first extract every
        /// certificate that leads to a trust anchor counts. Gives the number of institutions. On a failure the old
        /// one stays. It is not stored in the database: supply it after every start, before the first request.
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
        /// Lets a dead letter be delivered again, from now on.
        /// <para/>
        /// Results: Result.NullArgument, Result.NotUtf8, Result.Misuse (the payment has no dead letter),
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
    }
}
