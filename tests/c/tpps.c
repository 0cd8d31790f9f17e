// TPPs: registered, signing, sending; and the PSU's answer to them.

#include "sandbox.h"

static void a_tpp_shows_what_it_is(const xs2a_tpp *tpp) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    CHECK_TEXT(xs2a_tpp_name(tpp), "Acme Pay");
    CHECK(xs2a_tpp_organisation_id(tpp).len > 0);
    CHECK(begins(xs2a_tpp_certificate_pem(tpp), "-----BEGIN CERTIFICATE-----"));
    CHECK(begins(xs2a_tpp_private_key_pem(tpp), "-----BEGIN "));
    OK(xs2a_tpp_roles(tpp, &text, &error));
    take_text(text, "AISP,PISP");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_tpp_roles(tpp, NULL, &error));
}

static void its_certificate_says_the_same(const xs2a_tpp *tpp) {
    xs2a_str pem = xs2a_tpp_certificate_pem(tpp);
    xs2a_slice bytes = {(const uint8_t *)pem.data, pem.len};
    xs2a_text *certificate = NULL, *id = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_parse_certificate(bytes, &certificate, &error));
    OK(xs2a_json_at(xs2a_text_str(certificate), xs2a_str_of("/organisation_id"), &id, &error));
    CHECK(same(xs2a_text_str(id), xs2a_tpp_organisation_id(tpp)));
    check_member(xs2a_text_str(certificate), "/roles", "[\"PSP_PI\",\"PSP_AI\"]");
    xs2a_text_free(id);
    xs2a_text_free(certificate);
}

static void bad_registrations_are_refused(const xs2a_sandbox *sandbox) {
    const xs2a_str name = xs2a_str_of("Acme Pay");
    xs2a_tpp *tpp = UNTOUCHED(xs2a_tpp);
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_register_tpp(sandbox, name, xs2a_str_of("BANK"), &tpp, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_register_tpp(sandbox, xs2a_str_of("\xe6"), xs2a_str_of("AISP"), &tpp, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_register_tpp(sandbox, name, xs2a_str_of("AISP"), NULL, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_tpp(sandbox, xs2a_str_of("PSDNO-FSA-999999"), &tpp, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_tpp(sandbox, xs2a_str_of("\xe6"), &tpp, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_tpp(sandbox, name, NULL, &error));
    CHECK(tpp == UNTOUCHED(xs2a_tpp));
    FAILS(XS2A_CONFIG, xs2a_sandbox_trust(sandbox, xs2a_str_of("no certificate"), &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_trust(sandbox, xs2a_str_of("\xe6"), &error));
}

static void a_certificate_can_be_trusted(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_trust(sandbox, xs2a_tpp_certificate_pem(tpp), &error));
}

static void what_is_signed_is_verified(const xs2a_tpp *tpp) {
    const xs2a_header redirect = {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")};
    const xs2a_str now = xs2a_str_of("2026-09-01T10:00:00Z");
    xs2a_request request = new_request("POST", PAYMENTS);
    request.headers = &redirect;
    request.header_count = 1;
    request.body = xs2a_slice_of("{}");
    xs2a_headers *headers = NULL;
    xs2a_text *verification = NULL;
    xs2a_error *error = NULL;
    sign_request(tpp, &request, &headers);

    // The given field comes first, the added ones can be found by name.
    CHECK(xs2a_headers_count(headers) == 6);
    CHECK_TEXT(xs2a_headers_get(headers, 0).name, "TPP-Redirect-URI");
    CHECK(xs2a_headers_get(headers, 6).name.data == NULL);
    CHECK_TEXT(xs2a_headers_value(headers, xs2a_str_of("tpp-redirect-uri")), "https://tpp.example/");
    CHECK_TEXT(xs2a_headers_value(headers, xs2a_str_of("DATE")), "Tue, 01 Sep 2026 10:00:00 GMT");
    CHECK(xs2a_headers_value(headers, xs2a_str_of("no-such-field")).data == NULL);

    OK(xs2a_verify_signature(&request, now, xs2a_str_of(NULL), &verification, &error));
    check_member(xs2a_text_str(verification), "/ok", "true");
    check_member(xs2a_text_str(verification), "/reason", "null");
    xs2a_text_free(verification);
    request.body = xs2a_slice_of("{ }");
    OK(xs2a_verify_signature(&request, now, xs2a_str_of(NULL), &verification, &error));
    check_member(xs2a_text_str(verification), "/reason", "DIG-03");
    xs2a_text_free(verification);
    xs2a_headers_free(headers);
}

static void bad_requests_are_not_signed(const xs2a_tpp *tpp) {
    const xs2a_header latin = {xs2a_str_of("PSU-User-Agent"), xs2a_slice_of("\xe6")};
    xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_headers *headers = UNTOUCHED(xs2a_headers);
    xs2a_error *error = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_tpp_sign(tpp, NULL, &headers, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_tpp_sign(tpp, &request, NULL, &error));
    request.headers = &latin;
    request.header_count = 1;
    FAILS(XS2A_NOT_UTF8, xs2a_tpp_sign(tpp, &request, &headers, &error));
    CHECK(headers == UNTOUCHED(xs2a_headers));
}

// A payment: the link of its answer, and the PSU's way back.
static void a_psu_answers(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_response *response = create_payment(xs2a_sandbox_engine(sandbox), tpp);
    xs2a_text *link = NULL, *call_back = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(body_of(response), xs2a_str_of("/_links/scaRedirect/href"), &link, &error));

    xs2a_sca_answer answer = {0};
    answer.size = sizeof answer;
    answer.customer_number = xs2a_str_of("13039319955");
    answer.approve = 1;
    OK(xs2a_sandbox_authorise(sandbox, xs2a_text_str(link), &answer, &call_back, &error));
    CHECK(begins(xs2a_text_str(call_back), "https://tpp.example/?"));
    xs2a_text_free(call_back);
    FAILS(XS2A_MISUSE, xs2a_sandbox_authorise(sandbox, xs2a_text_str(link), &answer, &call_back, &error));
    xs2a_text_free(link);
    xs2a_response_free(response);
}

static void bad_answers_are_refused(const xs2a_sandbox *sandbox) {
    const xs2a_str link = xs2a_str_of("https://bank.example/sca/none"), torn = {NULL, 1};
    xs2a_sca_answer answer = {0};
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_BAD_SIZE, xs2a_sandbox_authorise(sandbox, link, &answer, &out, &error));
    answer.size = sizeof answer;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(sandbox, link, NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(sandbox, link, &answer, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(sandbox, torn, &answer, &out, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_authorise(sandbox, link, &answer, &out, &error));
    answer.context = xs2a_str_of("BOTH");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_sandbox_authorise(sandbox, link, &answer, &out, &error));
    answer.context = xs2a_str_of("CORPORATE");
    answer.account_count = 1;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(sandbox, link, &answer, &out, &error));
    answer.accounts = &torn;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_authorise(sandbox, link, &answer, &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
}

// A fork has a clock of its own; the TPP it gives signs by that one.
static void a_tpp_is_found_again(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_sandbox *fork = NULL;
    xs2a_tpp *found = NULL;
    xs2a_headers *headers = NULL;
    xs2a_error *error = NULL;
    xs2a_request request = new_request("GET", "/v1/accounts");
    OK(xs2a_sandbox_fork(sandbox, &fork, &error));
    OK(xs2a_sandbox_advance(fork, 3600, &error));
    OK(xs2a_sandbox_tpp(fork, xs2a_tpp_organisation_id(tpp), &found, &error));
    CHECK(same(xs2a_tpp_certificate_pem(found), xs2a_tpp_certificate_pem(tpp)));
    CHECK(same(xs2a_tpp_private_key_pem(found), xs2a_tpp_private_key_pem(tpp)));
    sign_request(found, &request, &headers);
    CHECK_TEXT(xs2a_headers_value(headers, xs2a_str_of("Date")), "Tue, 01 Sep 2026 11:00:00 GMT");
    xs2a_headers_free(headers);
    xs2a_tpp_free(found);
    xs2a_sandbox_free(fork);
}

// A TPP is its own handle: it signs after its sandbox is closed.
static void a_tpp_outlives_its_sandbox(xs2a_sandbox *sandbox, xs2a_tpp *tpp) {
    xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_headers *headers = NULL;
    xs2a_sandbox_free(sandbox);
    sign_request(tpp, &request, &headers);
    CHECK(xs2a_headers_count(headers) > 0);
    xs2a_headers_free(headers);
    xs2a_tpp_free(tpp);
}

void test_tpps(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    a_tpp_shows_what_it_is(tpp);
    its_certificate_says_the_same(tpp);
    bad_registrations_are_refused(sandbox);
    a_certificate_can_be_trusted(sandbox, tpp);
    what_is_signed_is_verified(tpp);
    bad_requests_are_not_signed(tpp);
    a_psu_answers(sandbox, tpp);
    bad_answers_are_refused(sandbox);
    a_tpp_is_found_again(sandbox, tpp);
    a_tpp_outlives_its_sandbox(sandbox, tpp);
}
