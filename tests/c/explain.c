// Explained refusals: the JSON is that of Rust and Python, byte for byte.

#include "check.h"

enum { FIELDS_MAX = 32, CALLS_MAX = 8, POINTER_BYTES_MAX = 64 };

// A request read from the vectors, with the texts that its pieces borrow.
typedef struct {
    xs2a_text *texts[2 * FIELDS_MAX + 4];
    size_t text_count;
    xs2a_header fields[FIELDS_MAX];
    uint8_t *body;
    xs2a_request request;
} written;

static xs2a_text *member(xs2a_str json, const char *pointer) {
    xs2a_text *text = NULL;
    xs2a_result result = xs2a_json_at(json, xs2a_str_of(pointer), &text, NULL);
    CHECK(result == XS2A_OK || result == XS2A_NOT_FOUND);
    return text;
}

static xs2a_text *element(xs2a_str json, const char *list, size_t index, const char *rest) {
    char pointer[POINTER_BYTES_MAX];
    CHECK(snprintf(pointer, sizeof pointer, "%s/%zu%s", list, index, rest) < (int)sizeof pointer);
    return member(json, pointer);
}

// Keeps the text as long as the request.
static xs2a_str kept(written *call, xs2a_text *text) {
    CHECK(text != NULL && call->text_count < sizeof call->texts / sizeof *call->texts);
    call->texts[call->text_count++] = text;
    return xs2a_text_str(text);
}

static uint8_t *decoded(xs2a_str base64, size_t *length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t *bytes = malloc(base64.len + 1);
    CHECK(bytes != NULL);
    uint32_t value = 0, bits = 0;
    *length = 0;
    for (size_t at = 0; at < base64.len && base64.data[at] != '='; at++) {
        value = value << 6 | (uint32_t)(strchr(digits, base64.data[at]) - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[(*length)++] = (uint8_t)(value >> bits);
        }
    }
    return bytes;
}

static void read_call(written *call, xs2a_str json) {
    memset(call, 0, sizeof *call);
    call->request.size = sizeof call->request;
    call->request.method = kept(call, member(json, "/method"));
    call->request.target = kept(call, member(json, "/target"));
    call->request.headers = call->fields;
    xs2a_text *name;
    while ((name = element(json, "/headers", call->request.header_count, "/0")) != NULL) {
        CHECK(call->request.header_count < FIELDS_MAX);
        const xs2a_str value = kept(call, element(json, "/headers", call->request.header_count, "/1"));
        xs2a_header *field = &call->fields[call->request.header_count++];
        field->name = kept(call, name);
        field->value = (xs2a_slice){(const uint8_t *)value.data, value.len};
    }
    size_t length = 0;
    call->body = decoded(kept(call, member(json, "/body")), &length);
    call->request.body = (xs2a_slice){call->body, length};
}

static void free_call(written *call) {
    while (call->text_count > 0) xs2a_text_free(call->texts[--call->text_count]);
    free(call->body);
}

// The PEM texts of a case, one after the other.
static char *bundle(xs2a_str json) {
    char *pem = calloc(1, 1);
    CHECK(pem != NULL);
    xs2a_text *text;
    for (size_t index = 0; (text = element(json, "/certificates", index, "")) != NULL; index++) {
        const xs2a_str one = xs2a_text_str(text);
        const size_t length = strlen(pem);
        pem = realloc(pem, length + one.len + 2);
        CHECK(pem != NULL);
        memcpy(pem + length, one.data, one.len);
        memcpy(pem + length + one.len, "\n", 2);
        xs2a_text_free(text);
    }
    return pem;
}

static void explain_case(xs2a_str json) {
    written call, earlier[CALLS_MAX];
    const xs2a_request *earlier_requests[CALLS_MAX];
    read_call(&call, json);
    xs2a_explain_options options = {0};
    options.size = sizeof options;
    xs2a_text *now = member(json, "/now"), *policy = member(json, "/policy");
    xs2a_text *base_path = member(json, "/base_paths/0"), *expected = member(json, "/explanation");
    const xs2a_str path = xs2a_text_str(base_path);
    char *pem = bundle(json);
    options.now = xs2a_text_str(now);
    options.certificates = xs2a_str_of(pem);
    if (begins(xs2a_text_str(policy), "{")) options.policy = xs2a_text_str(policy);
    options.base_paths = &path;
    options.base_path_count = base_path == NULL ? 0 : 1;
    options.earlier = earlier_requests;
    options.budget_milliseconds = 60000;
    xs2a_text *one;
    while ((one = element(json, "/earlier", options.earlier_count, "")) != NULL) {
        CHECK(options.earlier_count < CALLS_MAX);
        read_call(&earlier[options.earlier_count], xs2a_text_str(one));
        earlier_requests[options.earlier_count] = &earlier[options.earlier_count].request;
        options.earlier_count++;
        xs2a_text_free(one);
    }
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_explain(&call.request, &options, &found, &error));
    if (!same(xs2a_text_str(found), xs2a_text_str(expected))) {
        fprintf(stderr, "%.*s\n", (int)xs2a_text_str(found).len, xs2a_text_str(found).data);
        abort();
    }
    xs2a_text_free(found);
    xs2a_text_free(expected);
    xs2a_text_free(base_path);
    xs2a_text_free(policy);
    xs2a_text_free(now);
    free(pem);
    while (options.earlier_count > 0) free_call(&earlier[--options.earlier_count]);
    free_call(&call);
}

static void explanations_are_as_recorded(const char *folder) {
    xs2a_str vectors;
    char *buffer = read_file(folder, "explanations.json", &vectors);
    size_t index = 0;
    for (xs2a_text *json; (json = element(vectors, "", index, "")) != NULL; index++) {
        explain_case(xs2a_text_str(json));
        xs2a_text_free(json);
    }
    CHECK(index > 10);
    free(buffer);
}

static void every_option_may_be_absent(void) {
    const xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_explain_options options = {0};
    options.size = sizeof options;
    xs2a_text *json = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_explain(&request, NULL, &json, &error));
    check_member(xs2a_text_str(json), "/ok", "false");
    check_member(xs2a_text_str(json), "/reason", "HDR-04");
    check_member(xs2a_text_str(json), "/mistake", "null");
    xs2a_text_free(json);
    OK(xs2a_explain(&request, &options, &json, &error));
    check_member(xs2a_text_str(json), "/reason", "HDR-04");
    xs2a_text_free(json);
}

static void options_that_cannot_be_read_are_refused(void) {
    const xs2a_request request = new_request("GET", "/v1/accounts");
    xs2a_explain_options options = {0};
    xs2a_text *json = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_explain(NULL, NULL, &json, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_explain(&request, NULL, NULL, &error));
    FAILS(XS2A_BAD_SIZE, xs2a_explain(&request, &options, &json, &error));
    options.size = sizeof options;
    options.now = xs2a_str_of("today");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_explain(&request, &options, &json, &error));
    options.now = xs2a_str_of(NULL);
    options.certificates = xs2a_str_of("no certificate");
    FAILS(XS2A_CONFIG, xs2a_explain(&request, &options, &json, &error));
    options.certificates = xs2a_str_of("\xe6");
    FAILS(XS2A_NOT_UTF8, xs2a_explain(&request, &options, &json, &error));
    options.certificates = xs2a_str_of(NULL);
    options.policy = xs2a_str_of("{\"key_id_issuers\":1}");
    FAILS(XS2A_CONFIG, xs2a_explain(&request, &options, &json, &error));
    options.policy = xs2a_str_of(NULL);
    options.base_path_count = 1;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_explain(&request, &options, &json, &error));
    options.base_path_count = 0;
    options.earlier_count = 1;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_explain(&request, &options, &json, &error));
    const xs2a_request *earlier = NULL;
    options.earlier = &earlier;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_explain(&request, &options, &json, &error));
    const xs2a_request without_size = {0};
    earlier = &without_size;
    FAILS(XS2A_BAD_SIZE, xs2a_explain(&request, &options, &json, &error));
    CHECK(json == UNTOUCHED(xs2a_text));
}

static void mistakes_are_listed(void) {
    xs2a_text *json = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_mistakes(&json, &error));
    check_member(xs2a_text_str(json), "/0/id", "trailing-newline");
    const char *members[] = {"/0/sentence", "/0/advice", "/0/source", "/0/wrong", "/0/right", "/80/id"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        xs2a_text *text = member(xs2a_text_str(json), members[i]);
        CHECK(xs2a_text_str(text).len > 0);
        xs2a_text_free(text);
    }
    xs2a_text_free(json);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_mistakes(NULL, &error));
}

void test_explain(const char *folder) {
    explanations_are_as_recorded(folder);
    every_option_may_be_absent();
    options_that_cannot_be_read_are_refused();
    mistakes_are_listed();
}
