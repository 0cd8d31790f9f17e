// Creates payments by four threads and measures the time; bench/bindings.py has the protocol of its input lines.

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

// The sandbox, the TPP and the error handling of the stories.
#include "../examples/c/story.h"

enum { THREADS = 4, BODY_BYTES_MAX = 1024, LINE_BYTES_MAX = 64, CALLS_MAX = 4096 };

// A payment signed in advance.
typedef struct {
    char body[BODY_BYTES_MAX];
    xs2a_headers *headers;
} prepared;

static xs2a_sandbox *sandbox;
static xs2a_tpp *tpp;
static prepared calls[CALLS_MAX];
static size_t count, made;

static xs2a_request request_of(const prepared *call) {
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.body = xs2a_slice_of(call->body);
    return request;
}

// No two payments have the same amount, so that none is a duplicate.
static void prepare_one(prepared *call) {
    made++;
    int length = snprintf(call->body, sizeof call->body,
        "{\"instructedAmount\":{\"amount\":\"%zu.%02zu\",\"currency\":\"NOK\"},\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"95360573037\",\"currency\":\"NOK\"},"
        "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"},"
        "\"remittanceInformationUnstructured\":\"Invoice 1001\"}",
        1 + made / 100, made % 100);
    if (length < 0 || (size_t)length >= sizeof call->body) exit(EXIT_FAILURE);
    const xs2a_header fields[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("Content-Type", "application/json"),
    };
    xs2a_request request = request_of(call);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    sign(tpp, &request, &call->headers);
}

static void prepare(size_t wanted) {
    if (wanted > CALLS_MAX) exit(EXIT_FAILURE);
    while (count > 0) xs2a_headers_free(calls[--count].headers);
    for (; count < wanted; count++) prepare_one(&calls[count]);
}

// What a server does with a request: the status, every header and the body of the answer are read.
static size_t create(const prepared *call) {
    xs2a_request request = request_of(call);
    request.headers = xs2a_headers_data(call->headers);
    request.header_count = xs2a_headers_count(call->headers);
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_handle(sandbox, &request, &response, &error), &error);
    if (xs2a_response_status(response) != 201) exit(EXIT_FAILURE);
    size_t bytes = xs2a_response_body(response).len;
    for (size_t i = 0; i < xs2a_response_header_count(response); i++) {
        bytes += xs2a_response_header(response, i).value.len;
    }
    xs2a_response_free(response);
    return bytes;
}

static void *create_part(void *first) {
    size_t bytes = 0;
    for (size_t i = *(size_t *)first; i < count; i += THREADS) bytes += create(&calls[i]);
    if (bytes == 0) exit(EXIT_FAILURE);
    return NULL;
}

static uint64_t now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) exit(EXIT_FAILURE);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t run(void) {
    pthread_t threads[THREADS];
    size_t first[THREADS];
    uint64_t start = now_ns();
    for (size_t i = 0; i < THREADS; i++) {
        first[i] = i;
        if (pthread_create(&threads[i], NULL, create_part, &first[i]) != 0) exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    return now_ns() - start;
}

int main(void) {
    char line[LINE_BYTES_MAX];
    sandbox = open_sandbox();
    tpp = register_acme(sandbox);
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t wanted;
        if (sscanf(line, "prepare %zu", &wanted) == 1) {
            prepare(wanted);
            printf("ready\n");
        } else {
            printf("%" PRIu64 "\n", run());
        }
        fflush(stdout);
    }
    prepare(0);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    return EXIT_SUCCESS;
}
