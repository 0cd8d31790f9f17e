// Generated from the C headers by bindings/generator: not to be edited.

using System;
using System.Runtime.InteropServices;

namespace Xs2a
{
    internal static partial class Native
    {
        [DllImport(Name)]
        internal static extern int xs2a_engine_handle_http(EngineHandle handle, Piece message, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_run_due(EngineHandle handle, out RunReport output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_next_due(EngineHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_authorisation(EngineHandle handle, Piece id, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_complete_sca(EngineHandle handle, Piece id, Piece outcome,
            out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_revoke_consent(EngineHandle handle, Piece person,
            Piece organisationId, out int output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_report_payment_status(EngineHandle handle, Piece paymentId,
            Piece status, sbyte fundsAvailable, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_report_payment_on_hold(EngineHandle handle, Piece paymentId,
            Piece why, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_replace_trust_anchors(EngineHandle handle, Piece pem,
            out UIntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_supply_crl(EngineHandle handle, Piece lists, Piece authorities,
            out UIntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_clear_crls(EngineHandle handle, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_next_crl_due(EngineHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_replace_register(EngineHandle handle, Piece json,
            out UIntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_forget_registration(EngineHandle handle, Piece organisationId,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_replace_response_key(EngineHandle handle, Piece certificate,
            Piece privateKey, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_dead_letters(EngineHandle handle, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_health(EngineHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_metrics(EngineHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_retry_order(EngineHandle handle, Piece paymentId, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_consents(EngineHandle handle, Piece query, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_payments(EngineHandle handle, Piece query, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_payment(EngineHandle handle, Piece paymentId, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_block(EngineHandle handle, Piece tpp, Piece certificate,
            Piece until, Piece why, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_unblock(EngineHandle handle, Piece tpp, Piece certificate,
            out int output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_blocked(EngineHandle handle, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_erase_psu(EngineHandle handle, Piece psu, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_statistics(EngineHandle handle, Piece firstDay, Piece lastDay,
            Piece tpp, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_engine_statistics_csv(EngineHandle handle, Piece firstDay, Piece lastDay,
            Piece tpp, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern Piece xs2a_version();

        [DllImport(Name)]
        internal static extern int xs2a_trusted_list_anchors(Piece verifiedXml, Piece certificateType, Piece at,
            out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_signing_string(IntPtr request, Piece names, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_digest(Piece body, Piece algorithm, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_verify_signature(IntPtr request, Piece now, Piece trustAnchors,
            out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_mistakes(out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_openapi(Piece environment, Piece basePath, out IntPtr output,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_payment_transitions(out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_minor_units(Piece currency, out byte output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_kid_is_valid(Piece text);

        [DllImport(Name)]
        internal static extern int xs2a_account_number_is_valid(Piece text);

        [DllImport(Name)]
        internal static extern int xs2a_iban_is_valid(Piece text);

        [DllImport(Name)]
        internal static extern int xs2a_bic_is_valid(Piece text);

        [DllImport(Name)]
        internal static extern int xs2a_parse_distinguished_name(Piece text, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_parse_certificate(Piece pemOrDer, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_parse_http_date(Piece text, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_decode_encoded_word(Piece text, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_check_bank_answer(Piece method, Piece question, Piece answer,
            out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_json_string(Piece text, out IntPtr output, out IntPtr error);

        [DllImport(Name)]
        internal static extern int xs2a_json_at(Piece json, Piece pointer, out IntPtr output, out IntPtr error);
    }
}
