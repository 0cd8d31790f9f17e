// Requests and answers as bytes of HTTP/1.1, and the vectors of messages that are none.

#include "sandbox.h"

enum { MESSAGE_BYTES_MAX = 8192 };

typedef struct {
    char bytes[MESSAGE_BYTES_MAX];
    size_t len;
} message;

static void append(message *message, const void *data, size_t len) {
    CHECK(message->len + len <= sizeof message->bytes);
    memcpy(message->bytes + message->len, data, len);
    message->len += len;
}

static void append_text(message *message, const char *text) {
    append(message, text, strlen(text));
}

static xs2a_slice slice(const message *message) {
    return (xs2a_slice){(const uint8_t *)message->bytes, message->len};
}

static xs2a_str text_of(const xs2a_bytes *bytes) {
    const xs2a_slice slice = xs2a_bytes_slice(bytes);
    return (xs2a_str){(const char *)slice.data, slice.len};
}

// A signed payment as its client sends it.
static void write_payment(const xs2a_tpp *tpp, message *message) {
    const xs2a_header fields[] = {
        {xs2a_str_of("x-accept-fix"), xs2a_slice_of("")},
        {xs2a_str_of("TPP-Session-ID"), xs2a_slice_of("session-1")},
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
        {xs2a_str_of("PSU-IP-Address"), xs2a_slice_of("192.0.2.1")},
        {xs2a_str_of("PSU-Context"), xs2a_slice_of("PRIVATE")},
    };
    char length[64];
    xs2a_request request = new_request("POST", PAYMENTS);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    request.body = xs2a_slice_of(PAYMENT);
    xs2a_headers *headers = NULL;
    sign_request(tpp, &request, &headers);
    append_text(message, "POST " PAYMENTS " HTTP/1.1\r\nHost: bank.example\r\n");
    for (size_t i = 0; i < xs2a_headers_count(headers); i++) {
        const xs2a_header field = xs2a_headers_get(headers, i);
        append(message, field.name.data, field.name.len);
        append_text(message, ": ");
        append(message, field.value.data, field.value.len);
        append_text(message, "\r\n");
    }
    snprintf(length, sizeof length, "Content-Length: %zu\r\n\r\n", strlen(PAYMENT));
    append_text(message, length);
    append_text(message, PAYMENT);
    xs2a_headers_free(headers);
}

static void a_signed_payment_is_answered_in_bytes(const xs2a_sandbox *sandbox, const xs2a_tpp *tpp) {
    message first = {.len = 0}, second = {.len = 0};
    xs2a_bytes *answer = NULL;
    xs2a_error *error = NULL;
    write_payment(tpp, &first);
    OK(xs2a_sandbox_handle_http(sandbox, slice(&first), &answer, &error));
    CHECK(begins(text_of(answer), "HTTP/1.1 201 Created\r\n"));
    CHECK(contains(text_of(answer), xs2a_str_of("\"transactionStatus\":\"RCVD\"")));
    xs2a_bytes_free(answer);
    write_payment(tpp, &second);
    OK(xs2a_engine_handle_http(xs2a_sandbox_engine(sandbox), slice(&second), &answer, &error));
    CHECK(begins(text_of(answer), "HTTP/1.1 "));
    CHECK(!contains(text_of(answer), xs2a_str_of("RFC 9112")));
    xs2a_bytes_free(answer);
}

// The bytes of a text of Latin-1 that came as UTF-8.
static void append_latin(message *message, xs2a_str text) {
    for (size_t at = 0; at < text.len; at++) {
        uint8_t byte = (uint8_t)text.data[at];
        if (byte >= 0xC0) byte = (uint8_t)(byte << 6 | ((uint8_t)text.data[++at] & 0x3F));
        append(message, &byte, 1);
    }
}

static xs2a_text *part(xs2a_str vectors, size_t index, const char *member) {
    char pointer[64];
    xs2a_text *text = NULL;
    snprintf(pointer, sizeof pointer, "/%zu/%s", index, member);
    const xs2a_result result = xs2a_json_at(vectors, xs2a_str_of(pointer), &text, NULL);
    CHECK(result == XS2A_OK || result == XS2A_NOT_FOUND);
    return text;
}

static void messages_are_taken_or_refused_as_the_vectors_say(const xs2a_sandbox *sandbox, const char *folder) {
    xs2a_str vectors;
    char *buffer = read_file(folder, "http_messages.json", &vectors), expected[128];
    size_t index = 0, refused = 0;
    for (xs2a_text *text; (text = part(vectors, index, "message")) != NULL; index++) {
        message sent = {.len = 0};
        xs2a_bytes *answer = NULL;
        xs2a_error *error = NULL;
        append_latin(&sent, xs2a_text_str(text));
        OK(xs2a_sandbox_handle_http(sandbox, slice(&sent), &answer, &error));
        xs2a_text *section = part(vectors, index, "expected/section"), *byte = part(vectors, index, "expected/byte");
        if (section == NULL) {
            CHECK(!contains(text_of(answer), xs2a_str_of("RFC 9112")));
        } else {
            const xs2a_str of = xs2a_text_str(section), at = xs2a_text_str(byte);
            snprintf(expected, sizeof expected, "section %.*s, at byte %.*s ", (int)of.len, of.data, (int)at.len,
                     at.data);
            CHECK(begins(text_of(answer), "HTTP/1.1 400 Bad Request\r\n"));
            CHECK(contains(text_of(answer), xs2a_str_of(expected)));
            CHECK(contains(text_of(answer), xs2a_str_of("\r\nConnection: close\r\n")));
            refused++;
        }
        xs2a_bytes_free(answer);
        xs2a_text_free(section);
        xs2a_text_free(byte);
        xs2a_text_free(text);
    }
    CHECK(refused > 0 && refused < index);
    free(buffer);
}

static void misuse_is_refused(const xs2a_sandbox *sandbox) {
    const xs2a_slice torn = {NULL, 1}, some = xs2a_slice_of("GET / HTTP/1.1\r\nHost:\r\n\r\n");
    xs2a_bytes *answer = UNTOUCHED(xs2a_bytes);
    xs2a_error *error = NULL;
    const xs2a_engine *engine = xs2a_sandbox_engine(sandbox);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle_http(NULL, some, &answer, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle_http(sandbox, torn, &answer, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle_http(sandbox, some, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_handle_http(NULL, some, &answer, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_handle_http(engine, torn, &answer, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_handle_http(engine, some, NULL, &error));
    CHECK(answer == UNTOUCHED(xs2a_bytes));
}

void test_http_messages(const char *folder) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    a_signed_payment_is_answered_in_bytes(sandbox, tpp);
    messages_are_taken_or_refused_as_the_vectors_say(sandbox, folder);
    misuse_is_refused(sandbox);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}
