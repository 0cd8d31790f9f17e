// The answers of a sandbox that signs them.

#include "sandbox.h"

static void check_answer(xs2a_response *response, xs2a_str anchors, xs2a_slice body, const char *reason) {
    xs2a_header headers[16];
    const size_t count = xs2a_response_header_count(response);
    CHECK(count <= sizeof headers / sizeof *headers);
    for (size_t i = 0; i < count; i++) headers[i] = xs2a_response_header(response, i);
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    const xs2a_str now = xs2a_str_of("2026-09-01T10:00:00Z");
    OK(xs2a_verify_response(headers, count, body, now, anchors, &text, &error));
    check_member(xs2a_text_str(text), "/reason", reason);
    xs2a_text_free(text);
}

void test_signed_answers(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    options.policy = xs2a_str_of("{\"sign_responses\":true}");
    xs2a_sandbox *sandbox = NULL;
    xs2a_response *response = NULL;
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    const xs2a_request request = new_request("GET", "/v1/accounts");
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    const xs2a_slice body = xs2a_response_body(response);
    check_answer(response, xs2a_sandbox_root_pem(sandbox), body, "null");
    check_answer(response, xs2a_str_of(NULL), body, "null");
    check_answer(response, xs2a_str_of(""), body, "CRT-08");
    check_answer(response, xs2a_str_of(NULL), xs2a_slice_of(""), "DIG-03");
    CHECK(xs2a_sandbox_root_pem(NULL).data == NULL);

    // Nothing was received; the time is the present where none is given, and must be one.
    const xs2a_str absent = xs2a_str_of(NULL);
    OK(xs2a_verify_response(NULL, 0, xs2a_slice_of(""), absent, absent, &text, &error));
    check_member(xs2a_text_str(text), "/reason", "HDR-04");
    check_member(xs2a_text_str(text), "/text", "ASPSP-Signature-Certificate: the header is required");
    xs2a_text_free(text);
    const xs2a_str today = xs2a_str_of("today"), none = xs2a_str_of("none");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_verify_response(NULL, 0, xs2a_slice_of(""), today, absent, &text, &error));
    FAILS(XS2A_CONFIG, xs2a_verify_response(NULL, 0, xs2a_slice_of(""), absent, none, &text, &error));
    xs2a_response_free(response);
    xs2a_sandbox_free(sandbox);
}
