using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Xs2a
{
    /// <summary>
    /// The arguments of one call: arrays that the collector does not move until the end of it. Every struct of the
    /// interface is a row of words of 8 bytes; bindings/layout.c has the compiler check that.
    /// </summary>
    internal sealed class Frame : IDisposable
    {
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        private readonly List<GCHandle> pinned = new List<GCHandle>();

        internal Frame()
        {
            Library.Check();
        }

        public void Dispose()
        {
            foreach (var handle in pinned)
            {
                handle.Free();
            }
        }

        private IntPtr Pin(Array array)
        {
            var handle = GCHandle.Alloc(array, GCHandleType.Pinned);
            pinned.Add(handle);
            return handle.AddrOfPinnedObject();
        }

        /// <summary>Bytes as they are; null is absent, and none are not.</summary>
        internal Piece Bytes(byte[] bytes)
        {
            if (bytes == null)
            {
                return default(Piece);
            }
            IntPtr address = Pin(bytes.Length == 0 ? new byte[1] : bytes);
            return new Piece { Address = address, Length = (UIntPtr)bytes.Length };
        }

        /// <summary>UTF-8; null is absent, and an empty text is not.</summary>
        internal Piece Text(string text)
        {
            return Bytes(text == null ? null : Utf8.GetBytes(text));
        }

        /// <summary>A struct, which begins with its size.</summary>
        internal IntPtr Struct(params object[] members)
        {
            var words = new List<long> { 0 };
            foreach (var member in members)
            {
                Add(words, member);
            }
            words[0] = words.Count * sizeof(long);
            return Pin(words.ToArray());
        }

        private void Add(List<long> words, object member)
        {
            if (member == null || member is string)
            {
                member = Text((string)member);
            }
            else if (member is byte[])
            {
                member = Bytes((byte[])member);
            }
            if (member is Piece)
            {
                words.Add(((Piece)member).Address.ToInt64());
                words.Add((long)((Piece)member).Length);
            }
            else if (member is IntPtr)
            {
                words.Add(((IntPtr)member).ToInt64());
            }
            else if (member is ulong)
            {
                words.Add(unchecked((long)(ulong)member));
            }
            else
            {
                words.Add(Convert.ToInt64(member));
            }
        }

        /// <summary>Texts one after the other; an address even where there are none, if `always`.</summary>
        internal IntPtr Texts(IReadOnlyCollection<string> texts, bool always = false)
        {
            var words = new List<long>();
            foreach (string text in texts)
            {
                Add(words, text);
            }
            return words.Count == 0 && !always ? IntPtr.Zero : Pin(words.Count == 0 ? new long[2] : words.ToArray());
        }

        internal IntPtr Requests(IReadOnlyCollection<Request> requests)
        {
            var words = new List<long>();
            foreach (var request in requests)
            {
                words.Add(Request(request).ToInt64());
            }
            return words.Count == 0 ? IntPtr.Zero : Pin(words.ToArray());
        }

        /// <summary>The texts of all fields are in one array.</summary>
        internal IntPtr Headers(IReadOnlyList<Header> headers)
        {
            if (headers.Count == 0)
            {
                return IntPtr.Zero;
            }
            int length = 0;
            foreach (var header in headers)
            {
                length += Utf8.GetByteCount(header.Name) + header.Value.Length;
            }
            var bytes = new byte[length + 1];
            long address = Pin(bytes).ToInt64();
            var words = new long[4 * headers.Count];
            for (int i = 0, at = 0; i < headers.Count; i++)
            {
                int name = Utf8.GetBytes(headers[i].Name, 0, headers[i].Name.Length, bytes, at);
                words[4 * i] = address + at;
                words[4 * i + 1] = name;
                words[4 * i + 2] = address + at + name;
                words[4 * i + 3] = headers[i].Value.Length;
                at += name;
                at += WriteLatin1(headers[i], bytes, at);
            }
            return Pin(words);
        }

        private static int WriteLatin1(Header header, byte[] bytes, int at)
        {
            foreach (char character in header.Value)
            {
                if (character > 0xff)
                {
                    throw new ArgumentException("xs2a: the value of header " + header.Name
                        + " has a character above U+00FF");
                }
                bytes[at++] = (byte)character;
            }
            return header.Value.Length;
        }

        internal IntPtr Request(Request request)
        {
            return Struct(request.Method, request.Target, Headers(request.Headers), request.Headers.Count,
                request.Body, request.CorrelationId);
        }
    }
}
