// NULL in every place: never a crash, never an output written.

#include "sandbox.h"

static void freeing_null_is_fine(void) {
    xs2a_error_free(NULL);
    xs2a_text_free(NULL);
    xs2a_bytes_free(NULL);
    xs2a_response_free(NULL);
    xs2a_headers_free(NULL);
    xs2a_engine_free(NULL);
    xs2a_sandbox_free(NULL);
    xs2a_tpp_free(NULL);
}

static bool is_nothing(xs2a_str text) {
    return text.data == NULL && text.len == 0;
}

static bool is_no_field(xs2a_header field) {
    return is_nothing(field.name) && field.value.data == NULL && field.value.len == 0;
}

static void accessors_of_null_give_nothing(void) {
    CHECK(xs2a_error_code(NULL) == XS2A_OK && is_nothing(xs2a_error_message(NULL)));
    CHECK(is_nothing(xs2a_text_str(NULL)));
    CHECK(xs2a_bytes_slice(NULL).data == NULL && xs2a_bytes_slice(NULL).len == 0);
    CHECK(xs2a_response_status(NULL) == 0 && xs2a_response_header_count(NULL) == 0);
    CHECK(is_nothing(xs2a_response_operation(NULL)) && is_nothing(xs2a_response_tpp(NULL)));
    CHECK(is_nothing(xs2a_response_tpp_name(NULL)) && is_nothing(xs2a_response_role(NULL, 0)));
    const xs2a_timing no_time = xs2a_response_timing(NULL);
    CHECK(no_time.total == 0 && no_time.bank == 0 && no_time.store == 0);
    CHECK(is_no_field(xs2a_response_header(NULL, 0)) && is_nothing(xs2a_response_reason(NULL)));
    CHECK(xs2a_response_body(NULL).data == NULL && xs2a_response_body(NULL).len == 0);
    CHECK(xs2a_headers_count(NULL) == 0 && xs2a_headers_data(NULL) == NULL);
    CHECK(is_no_field(xs2a_headers_get(NULL, 0)) && is_nothing(xs2a_headers_value(NULL, xs2a_str_of("Date"))));
    CHECK(xs2a_sandbox_engine(NULL) == NULL);
    CHECK(is_nothing(xs2a_tpp_name(NULL)) && is_nothing(xs2a_tpp_organisation_id(NULL)));
    CHECK(is_nothing(xs2a_tpp_certificate_pem(NULL)) && is_nothing(xs2a_tpp_private_key_pem(NULL)));
}

// Handles and structs that are NULL, with a place for the output.
static void required_pointers_are_required(void) {
    const xs2a_str text = xs2a_str_of("text");
    const xs2a_sca_answer answer = {.size = sizeof answer};
    const xs2a_request request = new_request("GET", "/");
    int32_t number = 7;
    xs2a_run_report report = {.submitted = 7};
    xs2a_error *error = NULL;
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_response *response = UNTOUCHED(xs2a_response);
    xs2a_sandbox *sandbox = UNTOUCHED(xs2a_sandbox);
    xs2a_headers *headers = UNTOUCHED(xs2a_headers);
    xs2a_bytes *bytes = UNTOUCHED(xs2a_bytes);
    xs2a_tpp *tpp = UNTOUCHED(xs2a_tpp);

    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_new(NULL, &sandbox, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_handle(NULL, &request, &response, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_run_due(NULL, &report, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_run_due_while(NULL, NULL, NULL, &report, &error));
    CHECK(report.submitted == 7);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_next_due(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_authorisation(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_complete_sca(NULL, text, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_revoke_consent(NULL, text, text, &number, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_report_payment_status(NULL, text, text, -1, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_report_payment_on_hold(NULL, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_writer_write(NULL, xs2a_slice_of("null"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_writer_fail(NULL, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_dead_letters(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_consents(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_payments(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_payment(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_block(NULL, text, text, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_unblock(NULL, text, text, &number, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_blocked(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_erase_psu(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_statistics(NULL, text, text, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_statistics_csv(NULL, text, text, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_retry_order(NULL, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_audit(NULL, text, text, NULL, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle(NULL, &request, &response, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_snapshot(NULL, &bytes, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_restore(NULL, xs2a_slice_of(""), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_fork(NULL, &sandbox, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_initialize(NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_report_payment_status(NULL, text, text, -1, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_hold(NULL, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_release(NULL, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_card_status(NULL, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_sca_demand(NULL, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_default_data(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_populate(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_ledger(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_now(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_now(NULL, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_advance(NULL, 1, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_advance_to_next_event(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(NULL, text, &answer, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_revoke_consent(NULL, text, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_register_tpp(NULL, text, text, &tpp, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_tpp(NULL, text, &tpp, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_trust(NULL, text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_tpp_roles(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_tpp_sign(NULL, &request, &headers, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_signing_string(NULL, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_verify_signature(NULL, text, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_verify_response(NULL, 1, xs2a_slice_of(""), text, text, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_validate_payment(NULL, &out, &error));

    CHECK(out == UNTOUCHED(xs2a_text) && response == UNTOUCHED(xs2a_response));
    CHECK(sandbox == UNTOUCHED(xs2a_sandbox) && headers == UNTOUCHED(xs2a_headers));
    CHECK(bytes == UNTOUCHED(xs2a_bytes) && tpp == UNTOUCHED(xs2a_tpp));
}

// No place for the output: the pure functions here, those of handles where the handles are.
static void outputs_are_required(void) {
    const xs2a_str text = xs2a_str_of("text");
    const xs2a_request request = new_request("GET", "/");
    const xs2a_sandbox_options options = {.size = sizeof options};
    const xs2a_payment_check payment = {.size = sizeof payment};
    xs2a_error *error = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_new(&options, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_signing_string(&request, text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_digest(xs2a_slice_of(""), text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_verify_signature(&request, text, text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_verify_response(NULL, 0, xs2a_slice_of(""), text, text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_validate_payment(&payment, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_openapi(text, text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_payment_transitions(NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_basket_status(&text, 1, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_minor_units(text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_distinguished_name(text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_certificate(xs2a_slice_of(""), NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_http_date(text, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_decode_encoded_word(text, NULL, &error));
}

// Text and bytes that claim a length without having any, or one beyond all memory.
static void torn_texts_are_refused(void) {
    const xs2a_str torn = {NULL, 1};
    const xs2a_slice torn_bytes = {NULL, 1}, endless = {(const uint8_t *)"", SIZE_MAX};
    uint8_t units = 99;
    xs2a_error *error = NULL;
    xs2a_text *out = UNTOUCHED(xs2a_text);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_minor_units(torn, &units, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_basket_status(NULL, 1, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_basket_status(&torn, 1, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_digest(torn_bytes, xs2a_str_of(NULL), &out, &error));
    FAILS(XS2A_BAD_SIZE, xs2a_digest(endless, xs2a_str_of(NULL), &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_certificate(torn_bytes, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_distinguished_name(torn, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_parse_http_date(torn, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_decode_encoded_word(torn, &out, &error));
    CHECK(!xs2a_kid_is_valid(torn) && !xs2a_account_number_is_valid(torn));
    CHECK(!xs2a_iban_is_valid(torn) && !xs2a_bic_is_valid(torn));
    CHECK(units == 99 && out == UNTOUCHED(xs2a_text));
}

// A struct of another size comes from another header, or was never filled.
static void unknown_sizes_are_refused(void) {
    const size_t wrong[] = {0, 1, sizeof(size_t), SIZE_MAX};
    const xs2a_str text = xs2a_str_of("text");
    xs2a_error *error = NULL;
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_sandbox *sandbox = UNTOUCHED(xs2a_sandbox);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const xs2a_sandbox_options options = {.size = wrong[i]};
        const xs2a_request request = {.size = wrong[i]};
        const xs2a_payment_check payment = {.size = wrong[i]};
        FAILS(XS2A_BAD_SIZE, xs2a_sandbox_new(&options, &sandbox, &error));
        FAILS(XS2A_BAD_SIZE, xs2a_signing_string(&request, text, &out, &error));
        FAILS(XS2A_BAD_SIZE, xs2a_verify_signature(&request, text, text, &out, &error));
        FAILS(XS2A_BAD_SIZE, xs2a_validate_payment(&payment, &out, &error));
    }
    CHECK(out == UNTOUCHED(xs2a_text) && sandbox == UNTOUCHED(xs2a_sandbox));
}

void test_null_arguments(void) {
    freeing_null_is_fine();
    accessors_of_null_give_nothing();
    required_pointers_are_required();
    outputs_are_required();
    torn_texts_are_refused();
    unknown_sizes_are_refused();
}
