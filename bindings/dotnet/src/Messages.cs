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
        public Request(string method, string target, IReadOnlyList<Header> headers, byte[] body = null)
        {
            Method = method;
            Target = target;
            Headers = headers;
            Body = body ?? new byte[0];
        }

        public string Method { get; }

        /// <summary>Path and query, as they were sent.</summary>
        public string Target { get; }

        /// <summary>In the order sent, repeated ones too.</summary>
        public IReadOnlyList<Header> Headers { get; }

        public byte[] Body { get; }
    }

    /// <summary>A complete answer: send every header and the body unchanged.</summary>
    public sealed class Response
    {
        internal Response(int status, IReadOnlyList<Header> headers, byte[] body, string reason)
        {
            Status = status;
            Headers = headers;
            Body = body;
            Reason = reason;
        }

        public int Status { get; }
        public IReadOnlyList<Header> Headers { get; }
        public byte[] Body { get; }

        /// <summary>
        /// The library's id of the first refusal, such as `SIG-07`: for logs, not for the TPP. null: nothing was
        /// refused.
        /// </summary>
        public string Reason { get; }

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
