// Plain checks: the first that does not hold ends the program and says where.

#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "xs2a.h"

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define CHECK_TEXT(text, expected) check_text((text), (expected), __FILE__, __LINE__)
// The call succeeds; its error place is `error`, which stays NULL.
#define OK(call) check_result((call), XS2A_OK, &error, #call, __FILE__, __LINE__)
// The call fails with that result and gives an error that says the same.
#define FAILS(expected, call) check_result((call), (expected), &error, #call, __FILE__, __LINE__)

#define PAYMENTS "/v1/payments/instant-norwegian-domestic-credit-transfers-straks"
#define PAYMENT                                                                                       \
    "{\"instructedAmount\":{\"amount\":\"250.00\",\"currency\":\"NOK\"},\"creditorName\":\"Testodius To\"," \
    "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},\"creditorAddress\":{\"townName\":"   \
    "\"Oslo\",\"country\":\"NO\"},\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}"

#define RUN(test)                     \
    do {                              \
        test;                         \
        printf("ok  %s\n", #test);    \
        fflush(stdout);               \
    } while (0)

// An output that must not be written: it stays this.
#define UNTOUCHED(type) ((type *)(void *)&untouched)
extern char untouched;

static inline void check(bool holds, const char *what, const char *file, int line) {
    if (holds) return;
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

static inline bool same(xs2a_str one, xs2a_str other) {
    return one.len == other.len && (one.len == 0 || memcmp(one.data, other.data, one.len) == 0);
}

static inline bool is(xs2a_str text, const char *expected) {
    return same(text, (xs2a_str){expected, strlen(expected)});
}

static inline bool contains(xs2a_str text, xs2a_str part) {
    if (part.len == 0) return true;
    for (size_t at = 0; at + part.len <= text.len; at++) {
        if (memcmp(text.data + at, part.data, part.len) == 0) return true;
    }
    return false;
}

static inline void check_text(xs2a_str text, const char *expected, const char *file, int line) {
    if (is(text, expected)) return;
    fprintf(stderr, "%s:%d: \"%.*s\" is not \"%s\"\n", file, line, (int)text.len, text.data, expected);
    abort();
}

static inline void check_result(xs2a_result result, xs2a_result expected, xs2a_error **error, const char *call,
                                const char *file, int line) {
    xs2a_str message = xs2a_error_message(*error);
    if (result != expected) {
        fprintf(stderr, "%s:%d: %s gives %d, not %d: %.*s\n", file, line, call, (int)result, (int)expected,
                (int)message.len, message.data);
        abort();
    }
    const bool failed = expected != XS2A_OK;
    check((*error != NULL) == failed, "an error is set if the call failed, and only then", file, line);
    check(xs2a_error_code(*error) == expected, "the error has the code of the result", file, line);
    check((message.len > 0) == (expected != XS2A_OK), "the error has a message", file, line);
    xs2a_error_free(*error);
    *error = NULL;
}

// The member of a JSON text has that value.
static inline void check_member(xs2a_str json, const char *pointer, const char *expected) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(json, xs2a_str_of(pointer), &text, &error));
    CHECK_TEXT(xs2a_text_str(text), expected);
    xs2a_text_free(text);
}

// The text has that value; it is freed.
static inline void take_text(xs2a_text *text, const char *expected) {
    CHECK_TEXT(xs2a_text_str(text), expected);
    xs2a_text_free(text);
}

static inline bool begins(xs2a_str text, const char *with) {
    return text.len >= strlen(with) && memcmp(text.data, with, strlen(with)) == 0;
}

// The body of an answer as text.
static inline xs2a_str body_of(const xs2a_response *response) {
    const xs2a_slice body = xs2a_response_body(response);
    return (xs2a_str){(const char *)body.data, body.len};
}

xs2a_request new_request(const char *method, const char *target);

// The contents of a file, which the caller frees.
char *read_file(const char *folder, const char *name, xs2a_str *contents);

void test_plain_shapes(void);
void test_tools(void);
void test_vectors(const char *folder);
void test_explain(const char *folder);
void test_trust(const char *folder);

#endif
