// An engine over the host's own bank: made, called, paid through, read through, and let down by its bank.

#include <pthread.h>

#include "toy_bank.h"

#define DOMESTIC "/v1/payments/norwegian-domestic-credit-transfers"
// 2026-09-01T10:00:00Z, when the sandbox stands whose TPP calls.
#define NOW 1788256800000000

typedef struct {
    toy_bank bank;
    xs2a_sandbox *sandbox;
    xs2a_tpp *tpp;
    xs2a_engine *engine;
} gateway;

// The configuration of an engine that trusts this PEM. Not for two at once.
static xs2a_str config(xs2a_str pem, const char *database) {
    static char text[8192];
    size_t end = (size_t)snprintf(text, sizeof text, "{\"database\":\"%s\",\"trust_anchors\":\"", database);
    for (size_t i = 0; i < pem.len; i++) {
        CHECK(end + 64 < sizeof text);
        if (pem.data[i] == '\n') memcpy(text + end, "\\n", 2), end += 2;
        else text[end++] = pem.data[i];
    }
    snprintf(text + end, sizeof text - end, "\",\"policy\":{\"account_check_digit\":\"warn\"}}");
    return xs2a_str_of(text);
}

static void open_gateway(gateway *gateway) {
    memset(gateway, 0, sizeof *gateway);
    gateway->bank.now = NOW;
    gateway->sandbox = new_sandbox();
    gateway->tpp = new_tpp(gateway->sandbox);
    const xs2a_bank_callbacks callbacks = toy_callbacks(&gateway->bank);
    xs2a_error *error = NULL;
    const xs2a_str trusted = config(xs2a_tpp_certificate_pem(gateway->tpp), "sqlite::memory:");
    OK(xs2a_engine_new(trusted, &callbacks, &gateway->engine, &error));
}

static void close_gateway(gateway *gateway) {
    xs2a_engine_free(gateway->engine);
    xs2a_tpp_free(gateway->tpp);
    xs2a_sandbox_free(gateway->sandbox);
}

// `psu_id`: NULL for a call that names nobody.
static xs2a_response *call(const gateway *gateway, const char *method, const char *target, const char *body,
                           const char *psu_id) {
    const xs2a_header fields[] = {
        {xs2a_str_of("x-accept-fix"), xs2a_slice_of("")},
        {xs2a_str_of("TPP-Session-ID"), xs2a_slice_of("session-1")},
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
        {xs2a_str_of("PSU-IP-Address"), xs2a_slice_of("192.0.2.1")},
        {xs2a_str_of("Content-Type"), xs2a_slice_of("application/json")},
        {xs2a_str_of(psu_id == NULL ? "PSU-Context" : "PSU-ID"), xs2a_slice_of(psu_id == NULL ? "PRIVATE" : psu_id)},
    };
    xs2a_request request = new_request(method, target);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields;
    request.body = xs2a_slice_of(body);
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    sign_request(gateway->tpp, &request, &headers);
    OK(xs2a_engine_handle(gateway->engine, &request, &response, &error));
    xs2a_headers_free(headers);
    return response;
}

static xs2a_str body_of(const xs2a_response *response) {
    const xs2a_slice body = xs2a_response_body(response);
    return (xs2a_str){(const char *)body.data, body.len};
}

static void expect(const xs2a_response *response, int status) {
    if (xs2a_response_status(response) == status) return;
    xs2a_str body = body_of(response);
    fprintf(stderr, "%d: %.*s\n", xs2a_response_status(response), (int)body.len, body.data);
    abort();
}

// A member of an answer; 128 characters at most.
static void copy_member(const xs2a_response *response, const char *pointer, char *into) {
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(body_of(response), xs2a_str_of(pointer), &found, &error));
    xs2a_str text = xs2a_text_str(found);
    CHECK(text.len < 256);
    memcpy(into, text.data, text.len);
    into[text.len] = '\0';
    xs2a_text_free(found);
}

// The id in the link to the SCA site.
static void authorisation_id(const xs2a_response *response, char *id) {
    char link[256];
    copy_member(response, "/_links/scaRedirect/href", link);
    strcpy(id, strrchr(link, '/') + 1);
}

#define APPROVED "{\"outcome\":\"approved\",\"psu\":{\"person\":\"kari\",\"context\":\"PRIVATE\"}}"

// Creates a payment; gives the id of its authorisation and the path of its status.
static void create(const gateway *gateway, const char *product, char *id, char *path) {
    char target[256];
    snprintf(target, sizeof target, "%s?allowLogicalDuplicate=true", product);
    xs2a_response *created = call(gateway, "POST", target, PAYMENT, NULL);
    expect(created, 201);
    authorisation_id(created, id);
    if (path != NULL) copy_member(created, "/_links/self/href", path);
    xs2a_response_free(created);
}

static void run_due(const gateway *gateway, const char *expected) {
    xs2a_text *report = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_run_due(gateway->engine, &report, &error));
    take_text(report, expected);
}

static void approve(const gateway *gateway, const char *id, char *psu_id) {
    xs2a_text *url = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_complete_sca(gateway->engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
    const char *prefix = "https://tpp.example/?psu-id=";
    CHECK(begins(xs2a_text_str(url), prefix));
    if (psu_id != NULL) memcpy(psu_id, xs2a_text_str(url).data + strlen(prefix), 36), psu_id[36] = '\0';
    xs2a_text_free(url);
}

static void expect_status(const gateway *gateway, const char *path, const char *expected) {
    char target[320];
    snprintf(target, sizeof target, "%s/status", path);
    xs2a_response *response = call(gateway, "GET", target, "", NULL);
    expect(response, 200);
    check_member(body_of(response), "/transactionStatus", expected);
    xs2a_response_free(response);
}

static void a_payment_is_created_shown_approved_and_delivered_once(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *shown = NULL, *due = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    create(&gateway, PAYMENTS, id, path);
    OK(xs2a_engine_next_due(gateway.engine, &due, &error));
    CHECK(due == NULL);
    OK(xs2a_engine_authorisation(gateway.engine, xs2a_str_of(id), &shown, &error));
    check_member(xs2a_text_str(shown), "/kind", "payment");
    check_member(xs2a_text_str(shown), "/orders/0/instructedAmount/amount", "250.00");
    check_member(xs2a_text_str(shown), "/orders/0/creditorName", "Testodius To");
    xs2a_text_free(shown);
    approve(&gateway, id, NULL);
    OK(xs2a_engine_authorisation(gateway.engine, xs2a_str_of(id), &shown, &error));
    CHECK(shown == NULL);
    OK(xs2a_engine_next_due(gateway.engine, &due, &error));
    take_text(due, "2026-09-01T10:00:00Z");
    run_due(&gateway, "{\"submitted\":1,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
    expect_status(&gateway, path, "ACSC");
    run_due(&gateway, "{\"submitted\":0,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
    CHECK(gateway.bank.orders == 1);
    close_gateway(&gateway);
}

static void what_the_psu_does_not_approve_is_not_delivered(void) {
    const char *const outcomes[] = {"aborted", "failed", "psuUnknown", "otherPsu"};
    gateway gateway;
    char id[256], path[256], outcome[64];
    xs2a_text *url = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++) {
        create(&gateway, PAYMENTS, id, path);
        snprintf(outcome, sizeof outcome, "{\"outcome\":\"%s\"}", outcomes[i]);
        OK(xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(outcome), &url, &error));
        CHECK(begins(xs2a_text_str(url), "https://tpp.example/?system=xs2a"));
        xs2a_text_free(url);
        FAILS(XS2A_MISUSE,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(outcome), &url, &error));
        expect_status(&gateway, path, "RCVD");
    }
    FAILS(XS2A_MISUSE, xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of("{}"), &url, &error));
    FAILS(XS2A_NOT_UTF8,
          xs2a_engine_complete_sca(gateway.engine, xs2a_str_of("\xff"), xs2a_str_of(APPROVED), &url, &error));
    run_due(&gateway, "{\"submitted\":0,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
    CHECK(gateway.bank.orders == 0);
    close_gateway(&gateway);
}

static void what_the_bank_settles_later_is_reported(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    create(&gateway, DOMESTIC, id, path);
    approve(&gateway, id, NULL);
    run_due(&gateway, "{\"submitted\":1,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
    expect_status(&gateway, path, "PDNG");
    const xs2a_str payment = xs2a_str_of(strrchr(path, '/') + 1), settled = xs2a_str_of("ACSC");
    const xs2a_str nobodys = xs2a_str_of("nobody's");
    FAILS(XS2A_BAD_ARGUMENT,
          xs2a_engine_report_payment_status(gateway.engine, payment, xs2a_str_of("DONE"), -1, &error));
    FAILS(XS2A_MISUSE, xs2a_engine_report_payment_status(gateway.engine, nobodys, settled, -1, &error));
    OK(xs2a_engine_report_payment_status(gateway.engine, payment, settled, 1, &error));
    expect_status(&gateway, path, "ACSC");
    close_gateway(&gateway);
}

// Opens everything; `psu_id` has 36 characters and an end.
static void consent(const gateway *gateway, char *psu_id) {
    char id[256];
    xs2a_response *started = call(gateway, "POST", "/v1/bank-offered-consents", "", NULL);
    expect(started, 201);
    authorisation_id(started, id);
    xs2a_response_free(started);
    approve(gateway, id, psu_id);
}

static const char *const READINGS[][2] = {
    {"accounts", "/v1/accounts"},
    {"account", "/v1/accounts/acc"},
    {"balances", "/v1/accounts/acc/balances"},
    {"booked", "/v1/accounts/acc/transactions?bookingStatus=booked"},
    {"pending", "/v1/accounts/acc/transactions?bookingStatus=pending"},
    {"card_accounts", "/v1/card-accounts"},
    {"card_account", "/v1/card-accounts/card"},
    {"card_balances", "/v1/card-accounts/card/balances"},
    {"card_booked", "/v1/card-accounts/card/transactions?bookingStatus=booked"},
    {"card_pending", "/v1/card-accounts/card/transactions?bookingStatus=pending"},
    {"agreements", "/v1/agreements"},
};

static void accounts_are_opened_read_and_closed(void) {
    gateway gateway;
    char psu_id[37];
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    for (size_t i = 0; i < sizeof READINGS / sizeof *READINGS; i++) {
        xs2a_response *response = call(&gateway, "GET", READINGS[i][1], "", psu_id);
        expect(response, 200);
        xs2a_response_free(response);
    }
    xs2a_response *none = call(&gateway, "GET", "/v1/accounts/acc/transactions/none", "", psu_id);
    expect(none, 404);
    xs2a_response_free(none);
    const xs2a_str kari = xs2a_str_of("kari"), tpp = xs2a_tpp_organisation_id(gateway.tpp);
    OK(xs2a_engine_revoke_consent(gateway.engine, kari, tpp, &error));
    xs2a_response *over = call(&gateway, "GET", "/v1/accounts", "", psu_id);
    expect(over, 403);
    check_member(body_of(over), "/tppMessages/0/code", "CONSENT_UNKNOWN");
    xs2a_response_free(over);
    close_gateway(&gateway);
}

static bool answers_for_others(const char *method) {
    static const char *const able[] = {"accounts", "account", "balances", "card_account", "card_balances"};
    for (size_t i = 0; i < sizeof able / sizeof *able; i++) {
        if (strcmp(able[i], method) == 0) return true;
    }
    return false;
}

// Each way to misbehave, over each method that is asked to read: 500, and the next call is well.
static void a_bank_that_misbehaves_is_a_system_error_and_no_more(void) {
    gateway gateway;
    char psu_id[37];
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    for (size_t i = 0; i < sizeof READINGS / sizeof *READINGS; i++) {
        for (int trouble = FAILS; trouble < TROUBLES; trouble++) {
            if (trouble == OTHER_ID && !answers_for_others(READINGS[i][0])) continue;
            gateway.bank.troubled = READINGS[i][0];
            gateway.bank.trouble = trouble;
            xs2a_response *response = call(&gateway, "GET", READINGS[i][1], "", psu_id);
            expect(response, 500);
            check_member(body_of(response), "/tppMessages/0/code", "SYSTEM_ERROR");
            xs2a_response_free(response);
            gateway.bank.troubled = NULL;
            response = call(&gateway, "GET", READINGS[i][1], "", psu_id);
            expect(response, 200);
            xs2a_response_free(response);
        }
    }
    close_gateway(&gateway);
}

// The same over what a payment asks.
static void a_payment_survives_a_bank_that_misbehaves(void) {
    gateway gateway;
    char id[256], path[256], cancelling[300];
    xs2a_text *url = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    for (int trouble = FAILS; trouble < TROUBLES; trouble++) {
        open_gateway(&gateway);
        gateway.bank.trouble = trouble;
        const char *const creating[] = {"fee", "kid_agreement"};
        for (size_t i = 0; i < 2 && trouble != OTHER_ID; i++) {
            gateway.bank.troubled = creating[i];
            xs2a_response *refused = call(&gateway, "POST", DOMESTIC, PAYMENT, NULL);
            expect(refused, 500);
            xs2a_response_free(refused);
        }
        gateway.bank.troubled = "debtor_account";
        create(&gateway, DOMESTIC, id, path);
        FAILS(XS2A_BANK,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
        expect_status(&gateway, path, "RCVD");
        gateway.bank.troubled = "submit_payment";
        approve(&gateway, id, NULL);
        run_due(&gateway, "{\"submitted\":0,\"withdrawn\":0,\"failed\":1,\"setAside\":0}");
        expect_status(&gateway, path, "PDNG");
        gateway.bank.troubled = "cancel_payment";
        gateway.bank.now += 1000000;
        run_due(&gateway, "{\"submitted\":1,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
        CHECK(gateway.bank.orders == 1);
        snprintf(cancelling, sizeof cancelling, "%s/cancellation-authorisations", path);
        xs2a_response *started = call(&gateway, "POST", cancelling, "", NULL);
        expect(started, 201);
        authorisation_id(started, id);
        xs2a_response_free(started);
        url = UNTOUCHED(xs2a_text);
        FAILS(XS2A_BANK,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
        expect_status(&gateway, path, "PDNG");
        gateway.bank.troubled = NULL;
        approve(&gateway, id, NULL);
        expect_status(&gateway, path, "CANC");
        CHECK(gateway.bank.is_cancelled);
        close_gateway(&gateway);
    }
}

static void an_order_that_cannot_be_is_set_aside_and_tried_again(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *due = NULL, *orders = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    const xs2a_engine *engine = gateway.engine;
    OK(xs2a_engine_set_aside(engine, &orders, &error));
    take_text(orders, "[]");
    create(&gateway, DOMESTIC, id, path);
    gateway.bank.answers_nonsense = true;
    approve(&gateway, id, NULL);
    CHECK(gateway.bank.logged == 0);
    run_due(&gateway, "{\"submitted\":0,\"withdrawn\":0,\"failed\":0,\"setAside\":1}");
    CHECK(gateway.bank.logged == 1);
    OK(xs2a_engine_next_due(engine, &due, &error));
    CHECK(due == NULL);
    OK(xs2a_engine_set_aside(engine, &orders, &error));
    const xs2a_str told = xs2a_text_str(orders);
    check_member(told, "/0/paymentId", gateway.bank.last_order);
    check_member(told, "/0/attempts", "1");
    check_member(told, "/0/since", "2026-09-01T10:00:00Z");
    gateway.bank.answers_nonsense = false;
    OK(xs2a_engine_retry_order(engine, xs2a_str_of(gateway.bank.last_order), &error));
    FAILS(XS2A_MISUSE, xs2a_engine_retry_order(engine, xs2a_str_of(gateway.bank.last_order), &error));
    FAILS(XS2A_MISUSE, xs2a_engine_retry_order(engine, xs2a_str_of("none"), &error));
    FAILS(XS2A_NOT_UTF8, xs2a_engine_retry_order(engine, xs2a_str_of("\xff"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_set_aside(engine, NULL, &error));
    xs2a_text_free(orders);
    run_due(&gateway, "{\"submitted\":1,\"withdrawn\":0,\"failed\":0,\"setAside\":0}");
    close_gateway(&gateway);
}

typedef struct {
    int lines, stop_after;
} audit;

static int32_t take_line(void *user_data, xs2a_str line) {
    audit *audit = user_data;
    check_member(line, "/at", "2026-09-01T10:00:00.000000Z");
    return ++audit->lines == audit->stop_after;
}

static void the_audit_is_handed_out_line_by_line(void) {
    gateway gateway;
    char id[256];
    xs2a_error *error = NULL;
    audit all = {0}, first = {.stop_after = 1}, before = {0};
    const xs2a_str start = xs2a_str_of("2026-09-01T10:00:00Z"), end = xs2a_str_of("2026-09-01T12:00:01+02:00");
    open_gateway(&gateway);
    const xs2a_engine *engine = gateway.engine;
    create(&gateway, DOMESTIC, id, NULL);
    approve(&gateway, id, NULL);
    OK(xs2a_engine_audit(engine, start, end, take_line, &all, &error));
    CHECK(all.lines > 2);
    OK(xs2a_engine_audit(engine, start, end, take_line, &first, &error));
    CHECK(first.lines == 1);
    OK(xs2a_engine_audit(engine, xs2a_str_of("2026-09-01T09:00:00Z"), start, take_line, &before, &error));
    CHECK(before.lines == 0);
    FAILS(XS2A_BAD_ARGUMENT, xs2a_engine_audit(engine, xs2a_str_of("today"), end, take_line, &all, &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_engine_audit(engine, start, xs2a_str_of(""), take_line, &all, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_audit(engine, start, end, NULL, NULL, &error));
    close_gateway(&gateway);
}

static void a_register_is_asked_on_every_call(void) {
    gateway gateway;
    open_gateway(&gateway);
    const int expected[] = {201, 403, 500, 201}, told[] = {0, 1, 2, 0};
    for (int i = 0; i < 4; i++) {
        gateway.bank.unregistered = told[i];
        xs2a_response *response = call(&gateway, "POST", "/v1/bank-offered-consents", "", NULL);
        expect(response, expected[i]);
        xs2a_response_free(response);
    }
    close_gateway(&gateway);
}

static void the_sandboxs_routes_are_not_there(void) {
    gateway gateway;
    open_gateway(&gateway);
    const char *const targets[] = {"/v1/sandbox/initialize", "/v1/sandbox/customers", "/sca/x"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        xs2a_response *response = call(&gateway, "POST", targets[i], "", NULL);
        expect(response, 404);
        xs2a_response_free(response);
    }
    close_gateway(&gateway);
}

static void what_is_wrong_with_a_configuration_is_told(void) {
    toy_bank bank = {0};
    xs2a_bank_callbacks callbacks = toy_callbacks(&bank);
    xs2a_engine *engine = UNTOUCHED(xs2a_engine);
    xs2a_error *error = NULL;
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    const xs2a_str pem = xs2a_tpp_certificate_pem(tpp);
    const char *const wrong[] = {"", "[]", "{}", "{\"database\":1}", "{\"database\":\"sqlite::memory:\",\"trust\":1}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of(wrong[i]), &callbacks, &engine, &error));
    }
    FAILS(XS2A_CONFIG, xs2a_engine_new(config(pem, "mysql://host"), &callbacks, &engine, &error));
    FAILS(XS2A_STORE, xs2a_engine_new(config(pem, "sqlite:///no/such/folder/x.db"), &callbacks, &engine, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_engine_new(xs2a_str_of("\xff"), &callbacks, &engine, &error));
    const xs2a_str good = config(pem, "sqlite::memory:");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(good, NULL, &engine, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(good, &callbacks, NULL, &error));
    callbacks.size--;
    FAILS(XS2A_BAD_SIZE, xs2a_engine_new(good, &callbacks, &engine, &error));
    callbacks.size++;
    callbacks.call = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(good, &callbacks, &engine, &error));
    CHECK(engine == UNTOUCHED(xs2a_engine));
    // A register, a clock and a log are optional.
    callbacks = toy_callbacks(&bank);
    callbacks.is_registered = NULL;
    callbacks.now = NULL;
    callbacks.log = NULL;
    OK(xs2a_engine_new(good, &callbacks, &engine, &error));
    xs2a_engine_free(engine);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}

enum { THREADS = 8, CALLS_EACH = 10 };

static void *read_accounts(void *argument) {
    void **both = argument;
    for (int i = 0; i < CALLS_EACH; i++) {
        xs2a_response *response = call(both[0], "GET", "/v1/accounts", "", both[1]);
        expect(response, 200);
        xs2a_response_free(response);
    }
    return NULL;
}

static void eight_threads_ask_at_once(void) {
    gateway gateway;
    char psu_id[37];
    pthread_t threads[THREADS];
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    void *both[] = {&gateway, psu_id};
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, read_accounts, both) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    close_gateway(&gateway);
}

void test_engine(void) {
    a_payment_is_created_shown_approved_and_delivered_once();
    what_the_psu_does_not_approve_is_not_delivered();
    what_the_bank_settles_later_is_reported();
    accounts_are_opened_read_and_closed();
    a_bank_that_misbehaves_is_a_system_error_and_no_more();
    a_payment_survives_a_bank_that_misbehaves();
    an_order_that_cannot_be_is_set_aside_and_tried_again();
    the_audit_is_handed_out_line_by_line();
    a_register_is_asked_on_every_call();
    the_sandboxs_routes_are_not_there();
    what_is_wrong_with_a_configuration_is_told();
    eight_threads_ask_at_once();
}
