using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    /// <summary>An address with a length: `xs2a_str` and `xs2a_slice`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Piece
    {
        internal IntPtr Address;
        internal UIntPtr Length;
    }

    /// <summary>`xs2a_header`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Field
    {
        internal Piece Name;
        internal Piece Value;
    }

    /// <summary>`xs2a_timing`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct Times
    {
        internal ulong Total;
        internal ulong Bank;
        internal ulong Store;
    }

    /// <summary>The callbacks `call` and `sign`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int CallCallback(IntPtr userData, Piece first, Piece second, IntPtr answer);

    /// <summary>The callbacks `is_registered` and `take_line`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int TextCallback(IntPtr userData, Piece text);

    /// <summary>The callback `now`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate long NowCallback(IntPtr userData);

    /// <summary>The callback `goes_on`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int GoesOnCallback(IntPtr userData);

    /// <summary>The callback `log`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate void LogCallback(IntPtr userData, Piece level, Piece target, Piece message, Piece fields);

    /// <summary>The callback `revocation`.</summary>
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    internal delegate int RevocationCallback(IntPtr userData, Piece certificate, Piece issuer);

    /// <summary>The functions of the library; those that follow from the headers are in Native.Calls.cs.</summary>
    internal static partial class Native
    {
#if XS2A_SANDBOX
        internal const string Name = "libxs2a_sandbox.so.1";
#else
        internal const string Name = "libxs2a.so.1";
#endif

        [DllImport(Name)]
        internal static extern uint xs2a_abi_version();

        [DllImport(Name)]
        internal static extern Piece xs2a_error_message(IntPtr error);

        [DllImport(Name)]
        internal static extern void xs2a_error_free(IntPtr error);

        [DllImport(Name)]
        internal static extern Piece xs2a_text_str(IntPtr text);

        [DllImport(Name)]
        internal static extern void xs2a_text_free(IntPtr text);

        [DllImport(Name)]
        internal static extern Piece xs2a_bytes_slice(IntPtr bytes);

        [DllImport(Name)]
        internal static extern void xs2a_bytes_free(IntPtr bytes);

        [DllImport(Name)]
        internal static extern ushort xs2a_response_status(IntPtr response);

        [DllImport(Name)]
        internal static extern UIntPtr xs2a_response_header_count(IntPtr response);

        [DllImport(Name)]
        internal static extern Field xs2a_response_header(IntPtr response, UIntPtr index);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_body(IntPtr response);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_reason(IntPtr response);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_operation(IntPtr response);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_tpp(IntPtr response);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_tpp_name(IntPtr response);

        [DllImport(Name)]
        internal static extern Piece xs2a_response_role(IntPtr response, UIntPtr index);

        [DllImport(Name)]
        internal static extern Times xs2a_response_timing(IntPtr response);

        [DllImport(Name)]
        internal static extern void xs2a_response_free(IntPtr response);

        [DllImport(Name)]
        internal static extern int xs2a_writer_write(IntPtr writer, Piece json, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_writer_fail(IntPtr writer, Piece why, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_new(Piece config, IntPtr callbacks, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern void xs2a_engine_free(IntPtr engine);

        [DllImport(Name)]
        internal static extern int xs2a_engine_handle(EngineHandle engine, IntPtr request, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_audit(EngineHandle engine, Piece start, Piece end, TextCallback takeLine,
            IntPtr userData, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_run_due_while(EngineHandle engine, GoesOnCallback goesOn,
            IntPtr userData, out RunReport output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_explain(IntPtr request, IntPtr options, out IntPtr json, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_validate_payment(IntPtr check, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_basket_status(IntPtr statuses, UIntPtr count, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_verify_response(IntPtr headers, UIntPtr count, Piece body, Piece now,
            Piece trustAnchors, out IntPtr output, out IntPtr error);

#if XS2A_SANDBOX
        [DllImport(Name)]
        internal static extern int xs2a_sandbox_new(IntPtr options, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern void xs2a_sandbox_free(IntPtr sandbox);

        [DllImport(Name)]
        internal static extern IntPtr xs2a_sandbox_engine(SandboxHandle sandbox);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_handle(SandboxHandle sandbox, IntPtr request, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_journal(SandboxHandle sandbox, IntPtr options, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_authorise(SandboxHandle sandbox, Piece scaRedirect, IntPtr answer,
            out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_tpp_sign(TppHandle tpp, IntPtr request, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern void xs2a_tpp_free(IntPtr tpp);

        [DllImport(Name)]
        internal static extern UIntPtr xs2a_headers_count(IntPtr headers);

        [DllImport(Name)]
        internal static extern Field xs2a_headers_get(IntPtr headers, UIntPtr index);

        [DllImport(Name)]
        internal static extern void xs2a_headers_free(IntPtr headers);
#endif
    }
}
