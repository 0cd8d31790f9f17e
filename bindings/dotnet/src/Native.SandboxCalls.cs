// Generated from the C headers by bindings/generator: not to be edited.

#if XS2A_SANDBOX
using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    internal static partial class Native
    {
        [DllImport(Name)]
        internal static extern int xs2a_sandbox_handle_http(SandboxHandle handle, Piece message, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_report_payment_status(SandboxHandle handle, Piece paymentId,
            Piece status, sbyte fundsAvailable, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_hold(SandboxHandle handle, Piece paymentId, Piece why,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_release(SandboxHandle handle, Piece paymentId, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_snapshot(SandboxHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_restore(SandboxHandle handle, Piece image, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_fork(SandboxHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_initialize(SandboxHandle handle, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_set_card_status(SandboxHandle handle, Piece cardAccountId,
            Piece status, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_default_data(SandboxHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_populate(SandboxHandle handle, Piece plan, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_ledger(SandboxHandle handle, Piece account, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern Piece xs2a_sandbox_root_pem(SandboxHandle handle);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_now(SandboxHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_set_now(SandboxHandle handle, Piece time, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_advance(SandboxHandle handle, long seconds, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_advance_to_next_event(SandboxHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_clear_journal(SandboxHandle handle, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_coverage(SandboxHandle handle, byte family, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_revoke_consent(SandboxHandle handle, Piece customerNumber,
            Piece organisationId, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_set_sca_demand(SandboxHandle handle, Piece customerNumber,
            Piece demand, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_export_json(SandboxHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_import_json(SandboxHandle handle, Piece json, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_policy(SandboxHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_set_policy(SandboxHandle handle, Piece policy, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_reconcile(SandboxHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_register_tpp(SandboxHandle handle, Piece name, Piece roles,
            out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_tpp(SandboxHandle handle, Piece organisationId, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_trust(SandboxHandle handle, Piece pem, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_add_fault(SandboxHandle handle, Piece json, out ulong output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_faults(SandboxHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_remove_fault(SandboxHandle handle, ulong id, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_clear_faults(SandboxHandle handle, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_sandbox_provoke(SandboxHandle handle, Piece code, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern Piece xs2a_tpp_name(TppHandle handle);

        [DllImport(Name)]
        internal static extern Piece xs2a_tpp_organisation_id(TppHandle handle);

        [DllImport(Name)]
        internal static extern Piece xs2a_tpp_certificate_pem(TppHandle handle);

        [DllImport(Name)]
        internal static extern Piece xs2a_tpp_private_key_pem(TppHandle handle);

        [DllImport(Name)]
        internal static extern int xs2a_tpp_roles(TppHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_coverage_merge(Piece one, Piece other, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_coverage_text(Piece coverage, byte untouched, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_snapshot_diff(Piece before, Piece after, out IntPtr output,
            out IntPtr error);
    }
}
#endif
