// What goes wrong on purpose, and a request for every code.

#include "sandbox.h"

static uint64_t add(const xs2a_sandbox *sandbox, const char *json) {
    uint64_t id = 0;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_add_fault(sandbox, xs2a_str_of(json), &id, &error));
    return id;
}

static uint16_t read_accounts(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    const xs2a_header field = {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")};
    xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    request.headers = &field;
    request.header_count = 1;
    sign_request(tpp, &request, &headers);
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    const uint16_t status = (uint16_t)xs2a_response_status(response);
    xs2a_response_free(response);
    xs2a_headers_free(headers);
    return status;
}

static void check_hits(const xs2a_sandbox *sandbox, const char *pointer, const char *expected) {
    xs2a_text *listed = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_faults(sandbox, &listed, &error));
    check_member(xs2a_text_str(listed), pointer, expected);
    xs2a_text_free(listed);
}

static void a_fault_strikes_until_it_is_taken_away(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_error *error = NULL;
    CHECK(read_accounts(sandbox, tpp) == 401);
    const uint64_t first = add(sandbox, "{\"code\":\"CONFLICT\",\"operation\":\"getAccounts\"}");
    const uint64_t second = add(sandbox, "{\"code\":\"ACCESS_EXCEEDED\",\"nth\":3}");
    CHECK(first == 1 && second == 2);
    CHECK(read_accounts(sandbox, tpp) == 409 && read_accounts(sandbox, tpp) == 409);
    check_hits(sandbox, "/0/hits", "2");
    check_hits(sandbox, "/1/seen", "2");
    OK(xs2a_sandbox_remove_fault(sandbox, first, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_remove_fault(sandbox, first, &error));
    CHECK(read_accounts(sandbox, tpp) == 429 && read_accounts(sandbox, tpp) == 401);
    OK(xs2a_sandbox_clear_faults(sandbox, &error));
    check_hits(sandbox, "", "[]");
}

static void a_slow_answer_moves_the_clock(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_text *now = NULL;
    xs2a_error *error = NULL;
    add(sandbox, "{\"kind\":\"slow\",\"seconds\":90,\"times\":1}");
    CHECK(read_accounts(sandbox, tpp) == 401);
    OK(xs2a_sandbox_now(sandbox, &now, &error));
    take_text(now, "2026-09-01T10:01:30Z");
    OK(xs2a_sandbox_clear_faults(sandbox, &error));
}

static void an_sca_fails_with_the_code_that_was_asked_for(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    xs2a_response *created = create_payment(xs2a_sandbox_engine(sandbox), tpp);
    xs2a_text *link = NULL, *call_back = NULL;
    xs2a_error *error = NULL;
    xs2a_sca_answer answer = {0};
    answer.size = sizeof answer;
    answer.customer_number = xs2a_str_of("13039319955");
    answer.approve = 1;
    OK(xs2a_json_at(body_of(created), xs2a_str_of("/_links/scaRedirect/href"), &link, &error));
    add(sandbox, "{\"kind\":\"sca\",\"outcome\":\"failed\",\"code\":\"PAYMENT_FAILED\"}");
    OK(xs2a_sandbox_authorise(sandbox, xs2a_text_str(link), &answer, &call_back, &error));
    CHECK(begins(xs2a_text_str(call_back), "https://tpp.example/?system=xs2a&status=400&code=PAYMENT_FAILED&"));
    OK(xs2a_sandbox_clear_faults(sandbox, &error));
    xs2a_text_free(call_back);
    xs2a_text_free(link);
    xs2a_response_free(created);
}

static void what_cannot_be_meant_is_refused(const xs2a_sandbox *sandbox) {
    const xs2a_str torn = {NULL, 1}, conflict = xs2a_str_of("{\"code\":\"CONFLICT\"}");
    uint64_t id = 99;
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_add_fault(sandbox, xs2a_str_of("{\"code\":\"TEAPOT\"}"), &id, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_add_fault(sandbox, xs2a_str_of("{\"kode\":1}"), &id, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_add_fault(sandbox, xs2a_str_of("no JSON"), &id, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_add_fault(sandbox, xs2a_str_of("\xe6"), &id, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_add_fault(sandbox, torn, &id, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_add_fault(sandbox, conflict, NULL, &error));
    check_hits(sandbox, "", "[]");
    CHECK(id == 99);
}

static void null_is_refused(void) {
    const xs2a_str text = xs2a_str_of("text");
    uint64_t id = 99;
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_add_fault(NULL, text, &id, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_faults(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_remove_fault(NULL, 1, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_clear_faults(NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_provoke(NULL, text, &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text) && id == 99);
}

// A member of a provoked request, by a JSON Pointer; NULL where there is none.
static xs2a_text *part(const xs2a_text *provoked, const char *pointer) {
    xs2a_text *found = NULL;
    if (xs2a_json_at(xs2a_text_str(provoked), xs2a_str_of(pointer), &found, NULL) != XS2A_OK) return NULL;
    return found;
}

// Sends a provoked request as its JSON has it, and compares code, status and reason.
static void check_provoked(const xs2a_sandbox *sandbox, const char *code) {
    enum { FIELDS_MAX = 32 };
    xs2a_header fields[FIELDS_MAX];
    xs2a_text *names[FIELDS_MAX], *values[FIELDS_MAX], *provoked = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_provoke(sandbox, xs2a_str_of(code), &provoked, &error));
    check_member(xs2a_text_str(provoked), "/code", code);
    xs2a_text *method = part(provoked, "/method"), *target = part(provoked, "/target");
    xs2a_text *body = part(provoked, "/body"), *status = part(provoked, "/status");
    xs2a_text *reason = part(provoked, "/reason");
    size_t count = 0;
    for (; count < FIELDS_MAX; count++) {
        char pointer[64];
        snprintf(pointer, sizeof pointer, "/headers/%zu/name", count);
        names[count] = part(provoked, pointer);
        if (names[count] == NULL) break;
        snprintf(pointer, sizeof pointer, "/headers/%zu/value", count);
        values[count] = part(provoked, pointer);
        const xs2a_str value = xs2a_text_str(values[count]);
        fields[count].name = xs2a_text_str(names[count]);
        fields[count].value = (xs2a_slice){(const uint8_t *)value.data, value.len};
    }
    const xs2a_str bytes = xs2a_text_str(body);
    xs2a_request request = new_request("", "");
    request.method = xs2a_text_str(method);
    request.target = xs2a_text_str(target);
    request.headers = fields;
    request.header_count = count;
    request.body = (xs2a_slice){(const uint8_t *)bytes.data, bytes.len};
    xs2a_response *response = NULL;
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    char expected[8];
    snprintf(expected, sizeof expected, "%d", (int)xs2a_response_status(response));
    CHECK_TEXT(xs2a_text_str(status), expected);
    CHECK(same(xs2a_text_str(reason), xs2a_response_reason(response)));
    check_member(body_of(response), "/tppMessages/0/code", code);
    xs2a_response_free(response);
    for (size_t i = 0; i < count; i++) {
        xs2a_text_free(names[i]);
        xs2a_text_free(values[i]);
    }
    xs2a_text *parts[] = {method, target, body, status, reason, provoked};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) xs2a_text_free(parts[i]);
}

static void every_code_is_provoked(void) {
    const char *codes[] = {
        "SYSTEM_ERROR", "BAD_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "HTTP_HEADER_REQUIRED",
        "QUERY_PARAMETER_REQUIRED", "SCA_NOT_FOUND", "SCA_EXPIRED", "SCA_INVALID", "FORMAT_ERROR",
        "RESOURCE_UNKNOWN", "PSU_CREDENTIALS_INVALID", "CONSENT_UNKNOWN", "CONSENT_INVALID", "CONSENT_EXPIRED",
        "ACCESS_EXCEEDED", "PRODUCT_UNKNOWN", "PRODUCT_INVALID", "KID_MISSING", "KID_INVALID", "PAYMENT_FAILED",
        "EXECUTION_DATE_INVALID", "REFERENCE_MIX_INVALID",
    };
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) check_provoked(sandbox, codes[i]);
    FAILS(XS2A_MISUSE, xs2a_sandbox_provoke(sandbox, xs2a_str_of("TEAPOT"), &out, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_provoke(sandbox, xs2a_str_of("\xe6"), &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_provoke(sandbox, xs2a_str_of("CONFLICT"), NULL, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
    xs2a_sandbox_free(sandbox);
}

void test_faults(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    a_fault_strikes_until_it_is_taken_away(sandbox, tpp);
    a_slow_answer_moves_the_clock(sandbox, tpp);
    an_sca_fails_with_the_code_that_was_asked_for(sandbox, tpp);
    what_cannot_be_meant_is_refused(sandbox);
    null_is_refused();
    every_code_is_provoked();
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}
