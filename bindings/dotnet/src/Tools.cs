using System;
using System.Collections.Generic;

namespace Xs2a
{
    /// <summary>What an explanation may use beside the request. A text that is null is absent.</summary>
    public sealed class ExplainOptions
    {
        /// <summary>The bank's clock when the request was refused, by RFC 3339. Absent: the present.</summary>
        public string Now { get; set; }

        /// <summary>A PEM bundle of certificates of other TPPs, and of earlier ones of this TPP.</summary>
        public string Certificates { get; set; }

        /// <summary>A JSON object as an engine's `policy`.</summary>
        public string Policy { get; set; }

        /// <summary>What a gateway may add to the path or strip from it, such as `/psd2`.</summary>
        public IReadOnlyCollection<string> BasePaths { get; set; } = new string[0];

        /// <summary>Calls before this one, the oldest first.</summary>
        public IReadOnlyCollection<Request> Earlier { get; set; } = new Request[0];

        /// <summary>How long the search may take. 0: 50.</summary>
        public uint BudgetMilliseconds { get; set; }
    }

    /// <summary>A payment to check. A text that is null is absent.</summary>
    public sealed class PaymentCheck
    {
        /// <summary>The payment service, such as `payments`.</summary>
        public string Service { get; set; }

        /// <summary>The payment product, such as `sepa-credit-transfers`.</summary>
        public string Product { get; set; }

        public byte[] Body { get; set; }

        /// <summary>When it would be sent, by RFC 3339. Absent: now.</summary>
        public string At { get; set; }

        /// <summary>`sandbox` or `production`. Absent: `sandbox`.</summary>
        public string Environment { get; set; }

        /// <summary>As the x-accept-fix header: names of announced changes, with commas between.</summary>
        public string AcceptFix { get; set; }
    }

    /// <summary>The functions that need no engine.</summary>
    public static partial class Tools
    {
        /// <summary>
        /// Finds the mistake that made a signature, Digest, keyId, certificate or Date fail. Gives JSON with the
        /// members ok, reason, mistake, text, proof, expected, signed and hypotheses.
        /// </summary>
        public static string Explain(Request request, ExplainOptions options)
        {
            using (var frame = new Frame())
            {
                IntPtr given = frame.Struct(options.Now, options.Certificates, options.Policy,
                    frame.Texts(options.BasePaths), options.BasePaths.Count, frame.Requests(options.Earlier),
                    options.Earlier.Count, options.BudgetMilliseconds);
                Failure.Check(Native.xs2a_explain(frame.Request(request), given, out IntPtr json, out IntPtr error),
                    error);
                return Take.Text(json);
            }
        }

        /// <summary>
        /// What an engine would say about a payment before the bank is asked: a JSON array, empty where the body is
        /// fine.
        /// </summary>
        public static string ValidatePayment(PaymentCheck check)
        {
            using (var frame = new Frame())
            {
                IntPtr given = frame.Struct(check.Service, check.Product, frame.Bytes(check.Body), check.At,
                    check.Environment, check.AcceptFix);
                Failure.Check(Native.xs2a_validate_payment(given, out IntPtr json, out IntPtr error), error);
                return Take.Text(json);
            }
        }

        /// <summary>The status of a signing basket of payments with these statuses: the worst case of them.</summary>
        public static string BasketStatus(IReadOnlyCollection<string> paymentStatuses)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_basket_status(frame.Texts(paymentStatuses), (UIntPtr)paymentStatuses.Count,
                    out IntPtr status, out IntPtr error), error);
                return Take.Text(status);
            }
        }

        /// <summary>
        /// Verifies a bank's signed answer; the body is as it was received. Gives JSON as
        /// <see cref="VerifySignature"/>.
        /// </summary>
        /// <param name="now">By RFC 3339. null: the present.</param>
        /// <param name="trustAnchors">A PEM bundle. null, not an empty text: the chain is not checked.</param>
        public static string VerifyResponse(IReadOnlyList<Header> headers, byte[] body, string now,
            string trustAnchors)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_verify_response(frame.Headers(headers), (UIntPtr)headers.Count,
                    frame.Bytes(body), frame.Text(now), frame.Text(trustAnchors), out IntPtr json, out IntPtr error),
                    error);
                return Take.Text(json);
            }
        }
    }
}
