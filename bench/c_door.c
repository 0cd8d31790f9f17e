// Creates payments through the C ABI and measures the time; bench/src/door.rs has the protocol of its input lines.

#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <time.h>

// The sandbox, the TPP and the error handling of the stories.
#include "../examples/c/story.h"

enum { BODY_BYTES_MAX = 1024, LINE_BYTES_MAX = 64, CALLS_MAX = 4096 };

// A payment signed in advance.
typedef struct {
    char body[BODY_BYTES_MAX];
    xs2a_headers *headers;
} prepared;

typedef struct {
    xs2a_sandbox *sandbox;
    xs2a_tpp *tpp;
    char *debtor;
    char *creditor;
    unsigned made;
    size_t count;
    prepared calls[CALLS_MAX];
} door;

static xs2a_request request_of(const char *body) {
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.body = xs2a_slice_of(body);
    return request;
}

// No two payments have the same amount, so that none is a duplicate.
static void prepare_one(door *door, prepared *call) {
    door->made++;
    int length = snprintf(call->body, sizeof call->body,
        "{\"instructedAmount\":{\"amount\":\"%u.%02u\",\"currency\":\"NOK\"},"
        "\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        "\"debtorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"remittanceInformationUnstructured\":\"Invoice 1001\"}",
        1 + door->made / 100, door->made % 100, door->creditor, door->debtor);
    if (length < 0 || (size_t)length >= sizeof call->body) exit(EXIT_FAILURE);
    const xs2a_header fields[] = {
        field("x-accept-fix", ""),
        field("TPP-Session-ID", "session-1"),
        field("TPP-Redirect-URI", REDIRECT_URI),
        field("PSU-Context", "PRIVATE"),
        field("PSU-IP-Address", "192.0.2.1"),
        field("Content-Type", "application/json"),
    };
    xs2a_request request = request_of(call->body);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    sign(door->tpp, &request, &call->headers);
}

static void clear(door *door) {
    for (size_t i = 0; i < door->count; i++) xs2a_headers_free(door->calls[i].headers);
    door->count = 0;
}

static void prepare(door *door, size_t count) {
    clear(door);
    if (count > CALLS_MAX) exit(EXIT_FAILURE);
    for (; door->count < count; door->count++) prepare_one(door, &door->calls[door->count]);
}

static void create(const door *door, const prepared *call) {
    xs2a_request request = request_of(call->body);
    request.headers = xs2a_headers_data(call->headers);
    request.header_count = xs2a_headers_count(call->headers);
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_handle(door->sandbox, &request, &response, &error), &error);
    if (xs2a_response_status(response) != 201) exit(EXIT_FAILURE);
    xs2a_response_free(response);
}

static uint64_t now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) exit(EXIT_FAILURE);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t run(const door *door) {
    uint64_t start = now_ns();
    for (size_t i = 0; i < door->count; i++) create(door, &door->calls[i]);
    return now_ns() - start;
}

static void open_door(door *door) {
    xs2a_text *data = NULL;
    xs2a_error *error = NULL;
    door->sandbox = open_sandbox();
    door->tpp = register_acme(door->sandbox);
    must(xs2a_sandbox_default_data(door->sandbox, &data, &error), &error);
    door->debtor = member(xs2a_text_str(data), "/customers/0/accounts/0/bban");
    door->creditor = member(xs2a_text_str(data), "/customers/1/accounts/0/bban");
    xs2a_text_free(data);
}

static void close_door(door *door) {
    clear(door);
    free(door->debtor);
    free(door->creditor);
    xs2a_tpp_free(door->tpp);
    xs2a_sandbox_free(door->sandbox);
}

int main(void) {
    static door door;
    char line[LINE_BYTES_MAX];
    open_door(&door);
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t count;
        if (sscanf(line, "prepare %zu", &count) == 1) {
            prepare(&door, count);
            printf("ready\n");
        } else {
            printf("%" PRIu64 "\n", run(&door));
        }
        fflush(stdout);
    }
    close_door(&door);
    return EXIT_SUCCESS;
}
