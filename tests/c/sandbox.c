// The sandbox, its clock and its engine.

#include <stdlib.h>
#include <unistd.h>

#include "sandbox.h"

static void check_now(const xs2a_sandbox *sandbox, const char *expected) {
    xs2a_text *now = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_now(sandbox, &now, &error));
    take_text(now, expected);
}

static void options_are_read(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    xs2a_sandbox_free(sandbox);

    sandbox = UNTOUCHED(xs2a_sandbox);
    options.policy = xs2a_str_of("{\"no_such_policy\":1}");
    FAILS(XS2A_CONFIG, xs2a_sandbox_new(&options, &sandbox, &error));
    options.policy = xs2a_str_of("no JSON");
    FAILS(XS2A_CONFIG, xs2a_sandbox_new(&options, &sandbox, &error));
    options.policy = xs2a_str_of("\xe6");
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_new(&options, &sandbox, &error));
    options.policy = xs2a_str_of(NULL);
    options.now = xs2a_str_of("yesterday");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_sandbox_new(&options, &sandbox, &error));
    options.now = xs2a_str_of(NULL);
    options.database = xs2a_str_of("/no/such/folder/xs2a.db");
    FAILS(XS2A_STORE, xs2a_sandbox_new(&options, &sandbox, &error));
    CHECK(sandbox == UNTOUCHED(xs2a_sandbox));
}

static void a_base_path_precedes_every_path(void) {
    xs2a_sandbox_options options = {0};
    options.size = sizeof options;
    options.base_path = xs2a_str_of("/api-sandbox");
    xs2a_sandbox *sandbox = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    xs2a_request request = new_request("POST", PAYMENTS);
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    CHECK(xs2a_response_status(response) == 404);
    xs2a_response_free(response);
    request.target = xs2a_str_of("/api-sandbox" PAYMENTS);
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    CHECK(xs2a_response_status(response) == 400);
    xs2a_response_free(response);
    xs2a_sandbox_free(sandbox);
}

static void check_unknown_path(xs2a_response *response) {
    CHECK(xs2a_response_status(response) == 404);
    CHECK_TEXT(xs2a_response_reason(response), "RTE-02");
    check_member(body_of(response), "/tppMessages/0/code", "NOT_FOUND");
    size_t count = xs2a_response_header_count(response);
    CHECK(count > 0);
    for (size_t i = 0; i < count; i++) CHECK(xs2a_response_header(response, i).name.len > 0);
    CHECK(xs2a_response_header(response, count).name.data == NULL);
    CHECK(xs2a_response_header(response, SIZE_MAX).value.data == NULL);
    xs2a_response_free(response);
}

static void every_request_is_answered(const xs2a_sandbox *sandbox) {
    const xs2a_engine *engine = xs2a_sandbox_engine(sandbox);
    CHECK(engine != NULL && engine == xs2a_sandbox_engine(sandbox));
    xs2a_request request = new_request("GET", "/v1/nowhere");
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    check_unknown_path(response);
    OK(xs2a_engine_handle(engine, &request, &response, &error));
    check_unknown_path(response);

    // Bytes that are not UTF-8 are the sender's fault: a response, not an error.
    request.target = xs2a_str_of("/v1/\xe6");
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    CHECK(xs2a_response_status(response) >= 400 && xs2a_response_status(response) < 500);
    xs2a_response_free(response);
}

static void torn_requests_are_refused(const xs2a_sandbox *sandbox) {
    xs2a_response *response = UNTOUCHED(xs2a_response);
    xs2a_error *error = NULL;
    xs2a_request request = new_request("GET", "/v1/accounts");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle(sandbox, NULL, &response, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle(sandbox, &request, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_handle(xs2a_sandbox_engine(sandbox), NULL, &response, &error));
    request.header_count = 1;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle(sandbox, &request, &response, &error));
    request.header_count = 0;
    request.body.len = 1;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_handle(sandbox, &request, &response, &error));
    request.size--;
    FAILS(XS2A_BAD_SIZE, xs2a_sandbox_handle(sandbox, &request, &response, &error));
    CHECK(response == UNTOUCHED(xs2a_response));
}

static void the_clock_goes_forward_alone(const xs2a_sandbox *sandbox) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    check_now(sandbox, "2026-09-01T10:00:00Z");
    OK(xs2a_sandbox_advance(sandbox, 3600, &error));
    check_now(sandbox, "2026-09-01T11:00:00Z");
    OK(xs2a_sandbox_set_now(sandbox, xs2a_str_of("2026-09-01T14:00:00+02:00"), &error));
    check_now(sandbox, "2026-09-01T12:00:00Z");

    FAILS(XS2A_MISUSE, xs2a_sandbox_set_now(sandbox, xs2a_str_of("2026-09-01T11:59:59Z"), &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_sandbox_set_now(sandbox, xs2a_str_of("noon"), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, -1, &error));
    // From here to the last second of the year 9999, and one more.
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, INT64_C(251614036800), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, INT64_MAX / 1000, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, INT64_MAX, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, INT64_MIN, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_now(sandbox, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_advance_to_next_event(sandbox, NULL, &error));
    check_now(sandbox, "2026-09-01T12:00:00Z");

    // Nothing waits: the clock stays.
    text = UNTOUCHED(xs2a_text);
    OK(xs2a_sandbox_advance_to_next_event(sandbox, &text, &error));
    CHECK(text == NULL);
    check_now(sandbox, "2026-09-01T12:00:00Z");
}

static void two_sandboxes_on_one_file_have_one_clock(void) {
    char folder[] = "/tmp/xs2a-sandbox-XXXXXX", file[128];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/x.db", folder);
    xs2a_sandbox_options options = {.size = sizeof options, .database = xs2a_str_of(file)};
    xs2a_sandbox *first = NULL, *second = NULL;
    xs2a_error *error = NULL;
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    OK(xs2a_sandbox_new(&options, &first, &error));
    options.now = xs2a_str_of(NULL);
    OK(xs2a_sandbox_new(&options, &second, &error));
    OK(xs2a_sandbox_advance(first, 86400, &error));
    check_now(second, "2026-09-02T10:00:00Z");
    OK(xs2a_sandbox_advance(second, 1, &error));
    check_now(first, "2026-09-02T10:00:01Z");
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_now(first, xs2a_str_of("2026-09-02T10:00:00Z"), &error));
    xs2a_sandbox_free(second);
    xs2a_sandbox_free(first);
    CHECK(unlink(file) == 0 && rmdir(folder) == 0);
}

// Reads the payment of that answer.
static void read_payment(const xs2a_engine *engine, const xs2a_tpp *tpp, const xs2a_response *created) {
    const xs2a_header fields[] = {
        {xs2a_str_of("x-accept-fix"), xs2a_slice_of("")},
        {xs2a_str_of("TPP-Session-ID"), xs2a_slice_of("session-1")},
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
    };
    xs2a_text *self = NULL;
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(body_of(created), xs2a_str_of("/_links/self/href"), &self, &error));
    xs2a_request request = new_request("GET", "");
    request.target = xs2a_text_str(self);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    sign_request(tpp, &request, &headers);
    OK(xs2a_engine_handle(engine, &request, &response, &error));
    CHECK(xs2a_response_status(response) == 200);
    xs2a_response_free(response);
    xs2a_headers_free(headers);
    xs2a_text_free(self);
}

static int32_t count_read(void *user_data, xs2a_str line) {
    *(int *)user_data += contains(line, xs2a_str_of("\"payment.read\""));
    return 0;
}

static void freeing_a_sandbox_writes_evidence_that_waits(void) {
    char folder[] = "/tmp/xs2a-sandbox-XXXXXX", file[128];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/x.db", folder);
    xs2a_sandbox_options options = {.size = sizeof options, .database = xs2a_str_of(file)};
    options.now = xs2a_str_of("2026-09-01T10:00:00Z");
    options.policy = xs2a_str_of("{\"audit\":true,\"audit_reads\":\"batched\"}");
    xs2a_sandbox *sandbox = NULL;
    xs2a_error *error = NULL;
    int reads = 0;
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    xs2a_tpp *tpp = new_tpp(sandbox);
    xs2a_response *created = create_payment(xs2a_sandbox_engine(sandbox), tpp);
    read_payment(xs2a_sandbox_engine(sandbox), tpp, created);
    xs2a_response_free(created);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
    options.now = xs2a_str_of(NULL);
    OK(xs2a_sandbox_new(&options, &sandbox, &error));
    OK(xs2a_engine_audit(xs2a_sandbox_engine(sandbox), xs2a_str_of("2026-09-01T10:00:00Z"),
                         xs2a_str_of("2026-09-01T11:00:00Z"), count_read, &reads, &error));
    CHECK(reads == 1);
    xs2a_sandbox_free(sandbox);
    CHECK(unlink(file) == 0 && rmdir(folder) == 0);
}

// As long as a value may be, and one byte more.
static void the_name_of_a_header_has_a_limit(const xs2a_sandbox *sandbox) {
    enum { NAME_BYTES_MAX = 32 * 1024 };
    char *name = malloc(NAME_BYTES_MAX + 1);
    CHECK(name != NULL);
    memset(name, 'x', NAME_BYTES_MAX + 1);
    xs2a_error *error = NULL;
    for (size_t more = 0; more < 2; more++) {
        const xs2a_header header = {{name, NAME_BYTES_MAX + more}, xs2a_slice_of("1")};
        xs2a_request request = new_request("GET", "/v1/accounts");
        request.headers = &header;
        request.header_count = 1;
        xs2a_response *response = NULL;
        OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
        CHECK(xs2a_response_status(response) == 400);
        CHECK(is(xs2a_response_reason(response), "HDR-02") == (more == 1));
        xs2a_response_free(response);
    }
    free(name);
}

static void the_scheduler_has_nothing_to_do(const xs2a_sandbox *sandbox) {
    const xs2a_engine *engine = xs2a_sandbox_engine(sandbox);
    xs2a_text *text = UNTOUCHED(xs2a_text);
    xs2a_run_report report = {7, 7, 7, 7};
    xs2a_error *error = NULL;
    OK(xs2a_engine_run_due(engine, &report, &error));
    CHECK(report.submitted == 0 && report.withdrawn == 0 && report.failed == 0 && report.dead_letters == 0);
    OK(xs2a_engine_next_due(engine, &text, &error));
    CHECK(text == NULL);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_run_due(engine, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_next_due(engine, NULL, &error));
}

static void data_is_shown(const xs2a_sandbox *sandbox) {
    xs2a_text *data = NULL, *bban = NULL, *ledger = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_default_data(sandbox, &data, &error));
    OK(xs2a_json_at(xs2a_text_str(data), xs2a_str_of("/customers/0/accounts/0/bban"), &bban, &error));
    OK(xs2a_sandbox_ledger(sandbox, xs2a_text_str(bban), &ledger, &error));
    check_member(xs2a_text_str(ledger), "/balance/currency", "NOK");
    check_member(xs2a_text_str(ledger), "/bookings", "[]");
    xs2a_text_free(ledger);
    xs2a_text_free(bban);
    xs2a_text_free(data);
    FAILS(XS2A_MISUSE, xs2a_sandbox_ledger(sandbox, xs2a_str_of("no account"), &ledger, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_ledger(sandbox, xs2a_str_of("\xe6"), &ledger, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_ledger(sandbox, xs2a_str_of(""), NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_default_data(sandbox, NULL, &error));
}

static void a_snapshot_brings_the_state_back(const xs2a_sandbox *sandbox) {
    xs2a_bytes *image = NULL;
    xs2a_text *now = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_now(sandbox, &now, &error));
    OK(xs2a_sandbox_snapshot(sandbox, &image, &error));
    CHECK(xs2a_bytes_slice(image).data != NULL && xs2a_bytes_slice(image).len > 0);
    OK(xs2a_sandbox_advance(sandbox, 60, &error));
    OK(xs2a_sandbox_restore(sandbox, xs2a_bytes_slice(image), &error));
    xs2a_text *restored = NULL;
    OK(xs2a_sandbox_now(sandbox, &restored, &error));
    CHECK(same(xs2a_text_str(now), xs2a_text_str(restored)));
    xs2a_text_free(restored);
    xs2a_text_free(now);
    xs2a_bytes_free(image);

    const xs2a_slice torn = {NULL, 1};
    FAILS(XS2A_MISUSE, xs2a_sandbox_restore(sandbox, xs2a_slice_of("not a snapshot"), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_restore(sandbox, xs2a_slice_of(NULL), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_restore(sandbox, torn, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_snapshot(sandbox, NULL, &error));
}

// Reports one status of a payment at its own bank, which says that.
static void another_channel_says(xs2a_result expected, const char *status, int8_t funds) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    xs2a_error *error = NULL;
    xs2a_text *id = NULL;
    xs2a_response *created = create_payment(xs2a_sandbox_engine(sandbox), tpp);
    OK(xs2a_json_at(body_of(created), xs2a_str_of("/paymentId"), &id, &error));
    const xs2a_str payment = xs2a_text_str(id), reported = xs2a_str_of(status);
    if (expected == XS2A_OK) {
        OK(xs2a_sandbox_report_payment_status(sandbox, payment, reported, funds, &error));
        // A final status stays, and may be reported twice.
        OK(xs2a_sandbox_report_payment_status(sandbox, payment, reported, funds, &error));
        FAILS(XS2A_CONFLICT, xs2a_sandbox_report_payment_status(sandbox, payment, xs2a_str_of("PDNG"), -1, &error));
    } else {
        FAILS(expected, xs2a_sandbox_report_payment_status(sandbox, payment, reported, funds, &error));
    }
    xs2a_text_free(id);
    xs2a_response_free(created);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}

// A payment that the customer approved, and that waits for the batch, is held and released.
static void a_payment_is_held_and_released(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    xs2a_error *error = NULL;
    xs2a_text *id = NULL;
    xs2a_response *created = create_payment(xs2a_sandbox_engine(sandbox), tpp);
    OK(xs2a_json_at(body_of(created), xs2a_str_of("/paymentId"), &id, &error));
    const xs2a_str payment = xs2a_text_str(id), nothing = xs2a_str_of("");
    // It is not approved yet.
    FAILS(XS2A_CONFLICT, xs2a_sandbox_hold(sandbox, payment, nothing, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_release(sandbox, payment, &error));
    FAILS(XS2A_NOT_FOUND, xs2a_sandbox_hold(sandbox, nothing, nothing, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_hold(sandbox, payment, xs2a_str_of("\xe6"), &error));
    xs2a_text_free(id);
    xs2a_response_free(created);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}

static void other_channels_are_heard(void) {
    another_channel_says(XS2A_OK, "CANC", -1);
    another_channel_says(XS2A_OK, "RJCT", 0);
    another_channel_says(XS2A_CONFLICT, "ACSC", 1);
    another_channel_says(XS2A_BAD_ARGUMENT, "cancelled", -1);
    another_channel_says(XS2A_NOT_UTF8, "\xe6", -1);
}

static void a_fork_goes_its_own_way(void) {
    xs2a_sandbox *sandbox = new_sandbox(), *fork = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_fork(sandbox, &fork, &error));
    OK(xs2a_sandbox_advance(fork, 60, &error));
    check_now(fork, "2026-09-01T10:01:00Z");
    check_now(sandbox, "2026-09-01T10:00:00Z");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_fork(sandbox, NULL, &error));
    xs2a_sandbox_free(sandbox);
    check_now(fork, "2026-09-01T10:01:00Z");
    xs2a_sandbox_free(fork);
}

static void a_card_account_is_blocked_and_enabled_again_but_not_revived(xs2a_sandbox *sandbox) {
    const xs2a_str card = xs2a_str_of("enc!!X6ZwPF4A8xREauWA7e5e0CRS"), unknown = xs2a_str_of("enc!!unknown");
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_set_card_status(sandbox, card, xs2a_str_of("blocked"), &error));
    OK(xs2a_sandbox_set_card_status(sandbox, card, xs2a_str_of("enabled"), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_card_status(sandbox, card, xs2a_str_of("lost"), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_card_status(sandbox, unknown, xs2a_str_of("blocked"), &error));
    OK(xs2a_sandbox_set_card_status(sandbox, card, xs2a_str_of("deleted"), &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_set_card_status(sandbox, card, xs2a_str_of("enabled"), &error));
}

static void its_interface_has_its_own_routes(void) {
    const char *const environments[] = {NULL, "sandbox"};
    for (int i = 0; i < 2; i++) {
        xs2a_text *text = NULL;
        xs2a_error *error = NULL;
        OK(xs2a_openapi(xs2a_str_of(environments[i]), xs2a_str_of(NULL), &text, &error));
        check_member(xs2a_text_str(text), "/paths/~1v1~1sandbox~1initialize/post/operationId", "initializeSandbox");
        xs2a_text_free(text);
    }
}

void test_sandbox(void) {
    its_interface_has_its_own_routes();
    options_are_read();
    a_base_path_precedes_every_path();
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_error *error = NULL;
    every_request_is_answered(sandbox);
    torn_requests_are_refused(sandbox);
    the_name_of_a_header_has_a_limit(sandbox);
    data_is_shown(sandbox);
    the_scheduler_has_nothing_to_do(sandbox);
    the_clock_goes_forward_alone(sandbox);
    a_snapshot_brings_the_state_back(sandbox);
    a_card_account_is_blocked_and_enabled_again_but_not_revived(sandbox);
    OK(xs2a_sandbox_initialize(sandbox, &error));
    xs2a_sandbox_free(sandbox);
    other_channels_are_heard();
    a_payment_is_held_and_released();
    a_fork_goes_its_own_way();
    two_sandboxes_on_one_file_have_one_clock();
    freeing_a_sandbox_writes_evidence_that_waits();
}
