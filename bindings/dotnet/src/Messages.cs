using System;
using System.Collections.Generic;
using System.Text;

namespace Xs2a
{
    /// <summary>
    /// One header field. The value is bytes as ISO 8859-1, as HTTP servers of .NET give it: a character above U+00FF
    /// cannot be in one.
    /// </summary>
    public sealed class Header
    {
        public Header(string name, string value)
        {
            Name = name;
            Value = value;
        }

        public string Name { get; }
        public string Value { get; }
    }

    /// <summary>A request as it came from the TPP.</summary>
    public sealed class Request
    {
        public Request(string method, string target, IReadOnlyList<Header> headers, byte[] body = null,
            string correlationId = null)
        {
            Method = method;
            Target = target;
            Headers = headers;
            Body = body ?? new byte[0];
            CorrelationId = correlationId;
        }

        public string Method { get; }

        /// <summary>Path and query, as they were sent.</summary>
        public string Target { get; }

        /// <summary>In the order sent, repeated ones too.</summary>
        public IReadOnlyList<Header> Headers { get; }

        public byte[] Body { get; }

        /// <summary>
        /// Your own id of the call: 1 to 64 visible ASCII characters. The bank gets it with each question as the member
        /// `correlationId`; lines of log and audit have it. null: none.
        /// </summary>
        public string CorrelationId { get; }
    }

    /// <summary>How long a call took, in whole microseconds.</summary>
    public sealed class Timing
    {
        internal Timing(Times micros)
        {
            Total = Duration(micros.Total);
            Bank = Duration(micros.Bank);
            Store = Duration(micros.Store);
        }

        /// <summary>From the request to its complete answer.</summary>
        public TimeSpan Total { get; }

        /// <summary>Of that, waiting for the bank.</summary>
        public TimeSpan Bank { get; }

        /// <summary>Of that, waiting for the store.</summary>
        public TimeSpan Store { get; }

        private static TimeSpan Duration(ulong micros)
        {
            return TimeSpan.FromTicks(checked((long)micros * (TimeSpan.TicksPerMillisecond / 1000)));
        }
    }

    /// <summary>A complete answer: send every header and the body unchanged.</summary>
    public sealed class Response
    {
        internal Response()
        {
        }

        public int Status { get; internal set; }
        public IReadOnlyList<Header> Headers { get; internal set; }
        public byte[] Body { get; internal set; }

        /// <summary>
        /// The library's id of the first refusal, such as `SIG-07`: for logs, not for the TPP. null: nothing was
        /// refused.
        /// </summary>
        public string Reason { get; internal set; }

        /// <summary>
        /// The name of the operation that the request was routed to, such as `createPayment`. null: the path is
        /// unknown.
        /// </summary>
        public string Operation { get; internal set; }

        /// <summary>
        /// The organisation identifier in the TPP's certificate, such as `PSDNO-FSA-912345678`, if the certificate is
        /// valid. The call is proven to be that TPP's unless it was refused for its signature. null: it is unknown.
        /// </summary>
        public string Tpp { get; internal set; }

        /// <summary>The name of the TPP in the subject of its certificate, as Tpp.</summary>
        public string TppName { get; internal set; }

        /// <summary>The roles in the TPP's certificate, such as `PSP_AI`, as Tpp.</summary>
        public IReadOnlyList<string> Roles { get; internal set; }

        /// <summary>How long the call took.</summary>
        public Timing Timing { get; internal set; }

        /// <summary>The body as text, where it is not compressed.</summary>
        public string Text
        {
            get { return Encoding.UTF8.GetString(Body); }
        }

        /// <summary>One value of a JSON body by its JSON Pointer, such as `/_links/scaRedirect/href`.</summary>
        public string At(string pointer)
        {
            return Tools.JsonAt(Text, pointer);
        }

        /// <summary>The value of the first field of that name, in any case; null where there is none.</summary>
        public string Header(string name)
        {
            foreach (var header in Headers)
            {
                if (string.Equals(header.Name, name, StringComparison.OrdinalIgnoreCase))
                {
                    return header.Value;
                }
            }
            return null;
        }
    }
}
