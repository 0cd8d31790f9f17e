// A TPP signs a payment; a bank verifies it; neither a bit of a header nor the body can be changed.

#include "story.h"

#define BODY "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"}}"

enum { SIGNED_FIELDS_MAX = 32, REQUEST_ID_LENGTH = 36 };

// The names in the `headers="…"` part of a Signature header.
static xs2a_str signed_names(xs2a_str signature) {
    const char part[] = "headers=\"";
    const size_t length = sizeof part - 1;
    for (size_t at = 0; at + length <= signature.len; at++) {
        if (memcmp(signature.data + at, part, length) != 0) continue;
        xs2a_str names = {signature.data + at + length, 0};
        while (at + length + names.len < signature.len && names.data[names.len] != '"') names.len++;
        return names;
    }
    fprintf(stderr, "the Signature header lists no names\n");
    exit(EXIT_FAILURE);
}

static void print_signing_string(const xs2a_request *request, const xs2a_headers *headers) {
    xs2a_str names = signed_names(xs2a_headers_value(headers, xs2a_str_of("Signature")));
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    must(xs2a_signing_string(request, names, &text, &error), &error);
    printf("signing string:\n%.*s\n", SHOW(xs2a_text_str(text)));
    xs2a_text_free(text);
}

// One member of what xs2a_verify_signature() says now, without looking at the chain of the certificate.
static char *verified(const xs2a_sandbox *sandbox, const xs2a_request *request, const char *pointer) {
    xs2a_text *now = NULL, *verification = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_now(sandbox, &now, &error), &error);
    must(xs2a_verify_signature(request, xs2a_text_str(now), xs2a_str_of(NULL), &verification, &error), &error);
    char *value = member(xs2a_text_str(verification), pointer);
    xs2a_text_free(verification);
    xs2a_text_free(now);
    return value;
}

static void print_verified(const char *what, const xs2a_sandbox *sandbox, const xs2a_request *request,
                           const char *pointer) {
    char *value = verified(sandbox, request, pointer);
    printf("%s: %s\n", what, value);
    free(value);
}

// The same request with one bit of its X-Request-ID flipped: the lowest of the last hex digit.
static void print_changed_header(const xs2a_sandbox *sandbox, xs2a_request request) {
    const char digits[] = "0123456789abcdef";
    xs2a_header fields[SIGNED_FIELDS_MAX];
    char id[REQUEST_ID_LENGTH];
    if (request.header_count > SIGNED_FIELDS_MAX) exit(EXIT_FAILURE);
    for (size_t i = 0; i < request.header_count; i++) {
        fields[i] = request.headers[i];
        if (fields[i].name.len != 12 || memcmp(fields[i].name.data, "X-Request-ID", 12) != 0) continue;
        if (fields[i].value.len != sizeof id) exit(EXIT_FAILURE);
        memcpy(id, fields[i].value.data, sizeof id);
        char *last = &id[sizeof id - 1];
        *last = digits[(strchr(digits, *last) - digits) ^ 1];
        fields[i].value.data = (const uint8_t *)id;
    }
    request.headers = fields;
    print_verified("one bit changed", sandbox, &request, "/reason");
}

static void print_changed_body(const xs2a_sandbox *sandbox, xs2a_request request) {
    request.body = xs2a_slice_of(BODY " ");
    print_verified("body changed", sandbox, &request, "/reason");
}

int main(void) {
    printf("1. sign and verify\n");
    xs2a_sandbox *sandbox = open_sandbox();
    xs2a_tpp *tpp = register_acme(sandbox);

    xs2a_header redirect = field("TPP-Redirect-URI", REDIRECT_URI);
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.headers = &redirect;
    request.header_count = 1;
    request.body = xs2a_slice_of(BODY);

    xs2a_headers *headers = NULL;
    sign(tpp, &request, &headers);
    print_signing_string(&request, headers);
    print_verified("verified", sandbox, &request, "/ok");
    print_changed_header(sandbox, request);
    print_changed_body(sandbox, request);

    xs2a_headers_free(headers);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
