using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;

namespace Xs2a
{
    /// <summary>Copies what the library gives, and frees it.</summary>
    internal static class Take
    {
        private static readonly Encoding Latin1 = Encoding.GetEncoding("iso-8859-1");

        internal static byte[] Copy(Piece piece)
        {
            var bytes = new byte[checked((int)piece.Length)];
            if (bytes.Length > 0)
            {
                Marshal.Copy(piece.Address, bytes, 0, bytes.Length);
            }
            return bytes;
        }

        internal static string String(Piece piece)
        {
            return Encoding.UTF8.GetString(Copy(piece));
        }

        /// <summary>null where there is no text.</summary>
        internal static string Text(IntPtr text)
        {
            if (text == IntPtr.Zero)
            {
                return null;
            }
            try
            {
                return String(Native.xs2a_text_str(text));
            }
            finally
            {
                Native.xs2a_text_free(text);
            }
        }

        internal static byte[] Bytes(IntPtr bytes)
        {
            try
            {
                return Copy(Native.xs2a_bytes_slice(bytes));
            }
            finally
            {
                Native.xs2a_bytes_free(bytes);
            }
        }

        internal static Header Header(Field field)
        {
            return new Header(String(field.Name), Latin1.GetString(Copy(field.Value)));
        }

        internal static Response Response(IntPtr response)
        {
            try
            {
                var headers = new List<Header>();
                var count = (ulong)Native.xs2a_response_header_count(response);
                for (ulong i = 0; i < count; i++)
                {
                    headers.Add(Header(Native.xs2a_response_header(response, (UIntPtr)i)));
                }
                return new Response
                {
                    Status = Native.xs2a_response_status(response),
                    Headers = headers,
                    Body = Copy(Native.xs2a_response_body(response)),
                    Reason = Optional(Native.xs2a_response_reason(response)),
                    Operation = Optional(Native.xs2a_response_operation(response)),
                    Tpp = Optional(Native.xs2a_response_tpp(response)),
                    TppName = Optional(Native.xs2a_response_tpp_name(response)),
                    Roles = Roles(response),
                    Timing = new Timing(Native.xs2a_response_timing(response)),
                };
            }
            finally
            {
                Native.xs2a_response_free(response);
            }
        }

        private static string Optional(Piece piece)
        {
            return piece.Address == IntPtr.Zero ? null : String(piece);
        }

        private static List<string> Roles(IntPtr response)
        {
            var roles = new List<string>();
            string role;
            while ((role = Optional(Native.xs2a_response_role(response, (UIntPtr)roles.Count))) != null)
            {
                roles.Add(role);
            }
            return roles;
        }
    }
}
