// What the stories share: a sandbox that gives the same bytes every time, and a TPP that signs.

#ifndef STORY_H
#define STORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xs2a_sandbox.h"

#define PAYMENTS "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
#define REDIRECT_URI "https://tpp.example/callback?state=42"

#define UUID_CHARS 36

// For printf("%.*s").
#define SHOW(text) (int)(text).len, (text).data

// Ends the program where a call failed, with what the library says about it.
static inline void must(xs2a_result result, xs2a_error **error) {
    if (result == XS2A_OK) return;
    xs2a_str message = xs2a_error_message(*error);
    fprintf(stderr, "xs2a error %d: %.*s\n", (int)result, SHOW(message));
    exit(EXIT_FAILURE);
}

// One member of a JSON text, as a C string the caller frees.
static inline char *member(xs2a_str json, const char *pointer) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    must(xs2a_json_at(json, xs2a_str_of(pointer), &text, &error), &error);
    xs2a_str value = xs2a_text_str(text);
    char *copy = malloc(value.len + 1);
    if (copy == NULL) exit(EXIT_FAILURE);
    if (value.len > 0) memcpy(copy, value.data, value.len);
    copy[value.len] = '\0';
    xs2a_text_free(text);
    return copy;
}

// One member of a response: its body is JSON, so it is text too.
static inline char *body_member(const xs2a_response *response, const char *pointer) {
    xs2a_slice body = xs2a_response_body(response);
    xs2a_str text = {(const char *)body.data, body.len};
    return member(text, pointer);
}

static inline xs2a_header field(const char *name, const char *value) {
    xs2a_header header = {xs2a_str_of(name), xs2a_slice_of(value)};
    return header;
}

static inline xs2a_sandbox *open_sandbox(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.seed = 1;
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_new(&options, &sandbox, &error), &error);
    return sandbox;
}

static inline xs2a_tpp *register_acme(const xs2a_sandbox *sandbox) {
    xs2a_tpp *tpp = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_register_tpp(sandbox, xs2a_str_of("Acme Pay"), xs2a_str_of("AISP,PISP"), &tpp, &error), &error);
    return tpp;
}

// Acts as the PSU in the browser: approves, and gives the URL the PSU is sent back to, which the caller frees.
static inline xs2a_text *approve(const xs2a_sandbox *sandbox, const char *link) {
    xs2a_sca_answer answer = {0};
    answer.size = sizeof answer;
    answer.customer_number = xs2a_str_of("13039319955");
    answer.context = xs2a_str_of("PRIVATE");
    answer.approve = 1;
    xs2a_text *call_back = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_authorise(sandbox, xs2a_str_of(link), &answer, &call_back, &error), &error);
    return call_back;
}

// The PSU-ID in a call-back, as a C string.
static inline void read_psu_id(xs2a_str call_back, char psu_id[UUID_CHARS + 1]) {
    const char name[] = "psu-id=";
    const size_t begin = sizeof name - 1;
    for (size_t i = 0; i + begin + UUID_CHARS <= call_back.len; i++) {
        if (memcmp(call_back.data + i, name, begin) != 0) continue;
        memcpy(psu_id, call_back.data + i + begin, UUID_CHARS);
        psu_id[UUID_CHARS] = '\0';
        return;
    }
    fprintf(stderr, "the call-back has no psu-id: %.*s\n", SHOW(call_back));
    exit(EXIT_FAILURE);
}

// Signs a request. Its headers are those of `*signature` from then on, which the caller frees after the request.
static inline void sign(const xs2a_tpp *tpp, xs2a_request *request, xs2a_headers **signature) {
    xs2a_error *error = NULL;
    must(xs2a_tpp_sign(tpp, request, signature, &error), &error);
    request->headers = xs2a_headers_data(*signature);
    request->header_count = xs2a_headers_count(*signature);
}

// Signs a request as `tpp` and sends it.
static inline xs2a_response *send_signed(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp, xs2a_request request) {
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    sign(tpp, &request, &headers);
    must(xs2a_sandbox_handle(sandbox, &request, &response, &error), &error);
    xs2a_headers_free(headers);
    return response;
}

#endif
