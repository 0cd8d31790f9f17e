#if XS2A_SANDBOX
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Xs2a
{
    internal sealed class TppHandle : SafeHandle
    {
        internal TppHandle(IntPtr tpp) : base(IntPtr.Zero, true)
        {
            SetHandle(tpp);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            Native.xs2a_tpp_free(handle);
            return true;
        }
    }

    /// <summary>A TPP with certificate and key from the test PKI. It signs by the clock of its sandbox.</summary>
    public sealed partial class Tpp : IDisposable
    {
        private readonly TppHandle handle;

        internal Tpp(IntPtr tpp)
        {
            handle = new TppHandle(tpp);
        }

        /// <summary>Frees the TPP; its registration stays.</summary>
        public void Dispose()
        {
            handle.Dispose();
        }

        /// <summary>
        /// Gives the request with its header fields plus Date, X-Request-ID, Digest, TPP-Signature-Certificate and
        /// Signature if they are absent. X-Request-ID is derived from the sandbox's seed: for another engine than this
        /// sandbox, pass your own Date and X-Request-ID.
        /// </summary>
        public Request Sign(Request request)
        {
            using (var frame = new Frame())
            {
                Failure.Check(Native.xs2a_tpp_sign(handle, frame.Request(request), out IntPtr headers,
                    out IntPtr error), error);
                try
                {
                    return new Request(request.Method, request.Target, Copy(headers), request.Body,
                        request.CorrelationId);
                }
                finally
                {
                    Native.xs2a_headers_free(headers);
                }
            }
        }

        private static List<Header> Copy(IntPtr headers)
        {
            var copied = new List<Header>();
            var count = (ulong)Native.xs2a_headers_count(headers);
            for (ulong i = 0; i < count; i++)
            {
                copied.Add(Take.Header(Native.xs2a_headers_get(headers, (UIntPtr)i)));
            }
            return copied;
        }
    }
}
#endif
