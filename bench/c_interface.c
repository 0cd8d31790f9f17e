// Creates payments through the C ABI and measures the time; bench/src/interface.rs has the protocol of its input lines.

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
} interface;

static xs2a_request request_of(const char *body) {
    xs2a_request request = {0};
    request.size = sizeof request;
    request.method = xs2a_str_of("POST");
    request.target = xs2a_str_of(PAYMENTS);
    request.body = xs2a_slice_of(body);
    return request;
}

// No two payments have the same amount, so that none is a duplicate.
static void prepare_one(interface *interface, prepared *call) {
    interface->made++;
    int length = snprintf(call->body, sizeof call->body,
        "{\"instructedAmount\":{\"amount\":\"%u.%02u\",\"currency\":\"NOK\"},"
        "\"creditorName\":\"Testodius To\","
        "\"creditorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"creditorAddress\":{\"townName\":\"Oslo\",\"country\":\"NO\"},"
        "\"debtorAccount\":{\"bban\":\"%s\",\"currency\":\"NOK\"},"
        "\"remittanceInformationUnstructured\":\"Invoice 1001\"}",
        1 + interface->made / 100, interface->made % 100, interface->creditor, interface->debtor);
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
    sign(interface->tpp, &request, &call->headers);
}

static void clear(interface *interface) {
    for (size_t i = 0; i < interface->count; i++) xs2a_headers_free(interface->calls[i].headers);
    interface->count = 0;
}

static void prepare(interface *interface, size_t count) {
    clear(interface);
    if (count > CALLS_MAX) exit(EXIT_FAILURE);
    for (; interface->count < count; interface->count++) prepare_one(interface, &interface->calls[interface->count]);
}

static void create(const interface *interface, const prepared *call) {
    xs2a_request request = request_of(call->body);
    request.headers = xs2a_headers_data(call->headers);
    request.header_count = xs2a_headers_count(call->headers);
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    must(xs2a_sandbox_handle(interface->sandbox, &request, &response, &error), &error);
    if (xs2a_response_status(response) != 201) exit(EXIT_FAILURE);
    xs2a_response_free(response);
}

static uint64_t now_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) exit(EXIT_FAILURE);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t run(const interface *interface) {
    uint64_t start = now_ns();
    for (size_t i = 0; i < interface->count; i++) create(interface, &interface->calls[i]);
    return now_ns() - start;
}

static void open_interface(interface *interface) {
    xs2a_text *data = NULL;
    xs2a_error *error = NULL;
    interface->sandbox = open_sandbox();
    interface->tpp = register_acme(interface->sandbox);
    must(xs2a_sandbox_default_data(interface->sandbox, &data, &error), &error);
    interface->debtor = member(xs2a_text_str(data), "/customers/0/accounts/0/bban");
    interface->creditor = member(xs2a_text_str(data), "/customers/1/accounts/0/bban");
    xs2a_text_free(data);
}

static void close_interface(interface *interface) {
    clear(interface);
    free(interface->debtor);
    free(interface->creditor);
    xs2a_tpp_free(interface->tpp);
    xs2a_sandbox_free(interface->sandbox);
}

int main(void) {
    static interface interface;
    char line[LINE_BYTES_MAX];
    open_interface(&interface);
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t count;
        if (sscanf(line, "prepare %zu", &count) == 1) {
            prepare(&interface, count);
            printf("ready\n");
        } else {
            printf("%" PRIu64 "\n", run(&interface));
        }
        fflush(stdout);
    }
    close_interface(&interface);
    return EXIT_SUCCESS;
}
