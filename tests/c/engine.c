// An engine over the host's own bank: made, called, paid through and read through.

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "gateway.h"

static void a_payment_is_created_shown_approved_and_delivered_once(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *shown = NULL, *due = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    create(&gateway, PAYMENTS, id, path);
    // The count of the call is written a second later; no order is due.
    OK(xs2a_engine_next_due(gateway.engine, &due, &error));
    take_text(due, "2026-09-01T10:00:01Z");
    OK(xs2a_engine_authorisation(gateway.engine, xs2a_str_of(id), &shown, &error));
    check_member(xs2a_text_str(shown), "/kind", "payment");
    check_member(xs2a_text_str(shown), "/orders/0/instructedAmount/amount", "250.00");
    check_member(xs2a_text_str(shown), "/orders/0/creditorName", "Testodius To");
    check_member(xs2a_text_str(shown), "/redirectPreferred", "true");
    check_member(xs2a_text_str(shown), "/language", "en");
    xs2a_text_free(shown);
    approve(&gateway, id, NULL);
    OK(xs2a_engine_authorisation(gateway.engine, xs2a_str_of(id), &shown, &error));
    CHECK(shown == NULL);
    OK(xs2a_engine_next_due(gateway.engine, &due, &error));
    take_text(due, "2026-09-01T10:00:00Z");
    run_due(&gateway, (xs2a_run_report){.submitted = 1});
    expect_status(&gateway, path, "ACSC");
    run_due(&gateway, (xs2a_run_report){0});
    CHECK(gateway.bank.orders == 1);
    close_gateway(&gateway);
}

static int32_t goes_on_until(void *left) {
    return (*(int *)left)-- > 0;
}

static void a_run_ends_when_the_host_says_so(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_run_report report = {0};
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    for (int i = 0; i < 2; i++) {
        create(&gateway, PAYMENTS, id, path);
        approve(&gateway, id, NULL);
    }
    // Asked before the claim of the first, before the first, and before the claim of the second.
    int left = 2;
    OK(xs2a_engine_run_due_while(gateway.engine, goes_on_until, &left, &report, &error));
    CHECK(is_report(report, (xs2a_run_report){.submitted = 1}));
    CHECK(gateway.bank.orders == 1);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_run_due_while(gateway.engine, NULL, &left, &report, &error));
    CHECK(is_report(report, (xs2a_run_report){.submitted = 1}));
    run_due(&gateway, (xs2a_run_report){.submitted = 1});
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
        FAILS(XS2A_EXPIRED,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(outcome), &url, &error));
        FAILS(XS2A_NOT_FOUND,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of("none"), xs2a_str_of(outcome), &url, &error));
        expect_status(&gateway, path, "RCVD");
    }
    FAILS(XS2A_MISUSE, xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of("{}"), &url, &error));
    FAILS(XS2A_NOT_UTF8,
          xs2a_engine_complete_sca(gateway.engine, xs2a_str_of("\xff"), xs2a_str_of(APPROVED), &url, &error));
    run_due(&gateway, (xs2a_run_report){0});
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
    run_due(&gateway, (xs2a_run_report){.submitted = 1});
    expect_status(&gateway, path, "PDNG");
    const xs2a_str payment = xs2a_str_of(strrchr(path, '/') + 1), settled = xs2a_str_of("ACSC");
    const xs2a_str unknown = xs2a_str_of("unknown");
    FAILS(XS2A_BAD_ARGUMENT,
          xs2a_engine_report_payment_status(gateway.engine, payment, xs2a_str_of("DONE"), -1, &error));
    FAILS(XS2A_NOT_FOUND, xs2a_engine_report_payment_status(gateway.engine, unknown, settled, -1, &error));
    const xs2a_str why = xs2a_str_of("we call you");
    OK(xs2a_engine_report_payment_on_hold(gateway.engine, payment, why, &error));
    OK(xs2a_engine_report_payment_on_hold(gateway.engine, payment, xs2a_str_of(""), &error));
    expect_status(&gateway, path, "PDNG");
    FAILS(XS2A_NOT_FOUND, xs2a_engine_report_payment_on_hold(gateway.engine, unknown, why, &error));
    FAILS(XS2A_MISUSE, xs2a_engine_report_payment_on_hold(gateway.engine, payment, xs2a_str_of("\n"), &error));
    OK(xs2a_engine_report_payment_status(gateway.engine, payment, settled, 1, &error));
    expect_status(&gateway, path, "ACSC");
    FAILS(XS2A_CONFLICT, xs2a_engine_report_payment_on_hold(gateway.engine, payment, why, &error));
    close_gateway(&gateway);
}

static void accounts_are_opened_read_and_closed(void) {
    gateway gateway;
    char psu_id[37];
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    for (size_t i = 0; READINGS[i][0] != NULL; i++) {
        xs2a_response *response = call(&gateway, "GET", READINGS[i][1], "", psu_id);
        expect(response, 200);
        xs2a_response_free(response);
    }
    xs2a_response *none = call(&gateway, "GET", "/v1/accounts/acc/transactions/none", "", psu_id);
    expect(none, 404);
    xs2a_response_free(none);
    const xs2a_str kari = xs2a_str_of("kari"), tpp = xs2a_tpp_organisation_id(gateway.tpp);
    int32_t was_open = -1;
    OK(xs2a_engine_revoke_consent(gateway.engine, kari, tpp, &was_open, &error));
    CHECK(was_open == 1);
    OK(xs2a_engine_revoke_consent(gateway.engine, kari, tpp, &was_open, &error));
    CHECK(was_open == 0);
    xs2a_response *over = call(&gateway, "GET", "/v1/accounts", "", psu_id);
    expect(over, 403);
    check_member(body_of(over), "/tppMessages/0/code", "CONSENT_UNKNOWN");
    xs2a_response_free(over);
    close_gateway(&gateway);
}

static void an_impossible_order_becomes_a_dead_letter_and_is_retried(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *due = NULL, *orders = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    const xs2a_engine *engine = gateway.engine;
    OK(xs2a_engine_dead_letters(engine, &orders, &error));
    take_text(orders, "[]");
    create(&gateway, DOMESTIC, id, path);
    gateway.bank.answers_nonsense = true;
    approve(&gateway, id, NULL);
    CHECK(gateway.bank.logged == 0);
    run_due(&gateway, (xs2a_run_report){.dead_letters = 1});
    CHECK(gateway.bank.logged == 1);
    OK(xs2a_engine_next_due(engine, &due, &error));
    CHECK(due == NULL);
    OK(xs2a_engine_dead_letters(engine, &orders, &error));
    const xs2a_str reported = xs2a_text_str(orders);
    check_member(reported, "/0/paymentId", gateway.bank.last_order);
    check_member(reported, "/0/attempts", "1");
    check_member(reported, "/0/since", "2026-09-01T10:00:00Z");
    gateway.bank.answers_nonsense = false;
    OK(xs2a_engine_retry_order(engine, xs2a_str_of(gateway.bank.last_order), &error));
    FAILS(XS2A_NOT_FOUND, xs2a_engine_retry_order(engine, xs2a_str_of(gateway.bank.last_order), &error));
    FAILS(XS2A_NOT_FOUND, xs2a_engine_retry_order(engine, xs2a_str_of("none"), &error));
    FAILS(XS2A_NOT_UTF8, xs2a_engine_retry_order(engine, xs2a_str_of("\xff"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_dead_letters(engine, NULL, &error));
    xs2a_text_free(orders);
    run_due(&gateway, (xs2a_run_report){.submitted = 1});
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
    const int expected[] = {201, 403, 500, 201}, reported[] = {0, 1, 2, 0};
    for (int i = 0; i < 4; i++) {
        gateway.bank.unregistered = reported[i];
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

static void a_fault_of_a_configuration_is_reported(void) {
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
    // What is wrong with an address is named, and no part of a password is repeated.
    const char *const addresses[][2] = {
        {"postgresql://user:p@secret@host/x", "write it as %40"},
        {"postgresql://host/x?schema=secret", "the parameter `schema`"},
        {"postgresql://host/x?sslmode=disable&options=-c%20search_path%3Dsecret", "the schema xs2a"},
    };
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        CHECK(xs2a_engine_new(config(pem, addresses[i][0]), &callbacks, &engine, &error) == XS2A_CONFIG);
        CHECK(contains(xs2a_error_message(error), xs2a_str_of(addresses[i][1])));
        CHECK(!contains(xs2a_error_message(error), xs2a_str_of("secret")));
        xs2a_error_free(error);
        error = NULL;
    }
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

static void a_database_belongs_to_the_bank_that_opened_it_first(void) {
    char folder[] = "/tmp/xs2a-engine-XXXXXX", database[128], file[128];
    CHECK(mkdtemp(folder) != NULL);
    gateway gateway;
    // The rest of the text is a second member of the configuration.
    snprintf(database, sizeof database, "sqlite://%s/x.db\",\"bank_id\":\"BANKNOKK", folder);
    open_gateway_over(&gateway, database);
    toy_bank bank = {0};
    const xs2a_bank_callbacks callbacks = toy_callbacks(&bank);
    const xs2a_str pem = xs2a_tpp_certificate_pem(gateway.tpp);
    xs2a_engine *engine = UNTOUCHED(xs2a_engine);
    xs2a_error *error = NULL;
    const char *const others[] = {"", "\",\"bank_id\":\"BANKNOKX", "\",\"bank_id\":\"a b"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(database, sizeof database, "sqlite://%s/x.db%s", folder, others[i]);
        FAILS(XS2A_CONFIG, xs2a_engine_new(config(pem, database), &callbacks, &engine, &error));
    }
    CHECK(engine == UNTOUCHED(xs2a_engine));
    close_gateway(&gateway);
    snprintf(file, sizeof file, "%s/x.db", folder);
    CHECK(unlink(file) == 0 && rmdir(folder) == 0);
}

static void a_file_that_gets_a_second_name_takes_no_payment_until_it_is_gone(void) {
    char folder[] = "/tmp/xs2a-engine-XXXXXX", database[256], file[128], second[128], id[256];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(file, sizeof file, "%s/x.db", folder);
    snprintf(second, sizeof second, "%s/y.db", folder);
    snprintf(database, sizeof database, "sqlite://%s", file);
    gateway gateway;
    open_gateway_over(&gateway, database);
    create(&gateway, PAYMENTS, id, NULL);
    CHECK(link(file, second) == 0);
    xs2a_response *refused = call(&gateway, "POST", PAYMENTS "?allowLogicalDuplicate=true", PAYMENT, NULL);
    expect(refused, 500);
    CHECK_TEXT(xs2a_response_reason(refused), "SYS-01");
    xs2a_response_free(refused);
    toy_bank bank = {0};
    const xs2a_bank_callbacks callbacks = toy_callbacks(&bank);
    const xs2a_str pem = xs2a_tpp_certificate_pem(gateway.tpp);
    xs2a_engine *engine = UNTOUCHED(xs2a_engine);
    xs2a_error *error = NULL;
    snprintf(database, sizeof database, "sqlite://%s", second);
    FAILS(XS2A_STORE, xs2a_engine_new(config(pem, database), &callbacks, &engine, &error));
    CHECK(engine == UNTOUCHED(xs2a_engine));
    CHECK(unlink(second) == 0);
    create(&gateway, PAYMENTS, id, NULL);
    close_gateway(&gateway);
    CHECK(unlink(file) == 0 && rmdir(folder) == 0);
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
    a_run_ends_when_the_host_says_so();
    what_the_psu_does_not_approve_is_not_delivered();
    what_the_bank_settles_later_is_reported();
    accounts_are_opened_read_and_closed();
    an_impossible_order_becomes_a_dead_letter_and_is_retried();
    the_audit_is_handed_out_line_by_line();
    a_register_is_asked_on_every_call();
    the_sandboxs_routes_are_not_there();
    a_fault_of_a_configuration_is_reported();
    a_database_belongs_to_the_bank_that_opened_it_first();
    a_file_that_gets_a_second_name_takes_no_payment_until_it_is_gone();
    eight_threads_ask_at_once();
}
