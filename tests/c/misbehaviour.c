// An engine that is let down by its bank: a system error, a line in the log, and no more.

#include "gateway.h"

#define CROSS_BORDER "/v1/payments/norwegian-cross-border-credit-transfers"
#define ABROAD                                                                                                  \
    "{\"instructedAmount\":{\"amount\":\"100.00\",\"currency\":\"EUR\"},\"creditorName\":\"Fiktiv Handel GmbH\"," \
    "\"creditorAgent\":\"DEUTDEFF\",\"creditorAccount\":{\"iban\":\"DE89370400440532013000\",\"currency\":\"EUR\"},"  \
    "\"creditorAddress\":{\"townName\":\"Berlin\",\"country\":\"DE\"},"                                        \
    "\"debtorAccount\":{\"bban\":\"95360573002\",\"currency\":\"NOK\"}}"

static bool answers_for_others(const char *method) {
    static const char *const able[] = {"accounts",     "account",       "balances", "transaction",
                                       "card_account", "card_balances", "rate"};
    for (size_t i = 0; i < sizeof able / sizeof *able; i++) {
        if (strcmp(able[i], method) == 0) return true;
    }
    return false;
}

// The bank fails at what is called: 500 and a line in the log.
static void call_in_vain(gateway *gateway, const char *method, const char *target, const char *body,
                         const char *psu_id) {
    const int logged = gateway->bank.logged;
    xs2a_response *response = call(gateway, method, target, body, psu_id);
    expect(response, 500);
    check_member(body_of(response), "/tppMessages/0/code", "SYSTEM_ERROR");
    CHECK(gateway->bank.logged == logged + 1);
    xs2a_response_free(response);
}

// Each way to misbehave, over each method that is asked to read: 500, and the next call is well.
static void a_bank_that_misbehaves_is_a_system_error_and_no_more(void) {
    gateway gateway;
    char psu_id[37];
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    for (size_t i = 0; READINGS[i][0] != NULL; i++) {
        for (int trouble = FAILS; trouble < TROUBLES; trouble++) {
            if (trouble == OTHER_ID && !answers_for_others(READINGS[i][0])) continue;
            gateway.bank.troubled = READINGS[i][0];
            gateway.bank.trouble = trouble;
            call_in_vain(&gateway, "GET", READINGS[i][1], "", psu_id);
            gateway.bank.troubled = NULL;
            const int logged = gateway.bank.logged;
            xs2a_response *response = call(&gateway, "GET", READINGS[i][1], "", psu_id);
            expect(response, 200);
            CHECK(gateway.bank.logged == logged);
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
        static const char *const creating[][3] = {
            {"fee", DOMESTIC, PAYMENT}, {"kid_agreement", DOMESTIC, PAYMENT}, {"rate", CROSS_BORDER, ABROAD}};
        for (size_t i = 0; i < sizeof creating / sizeof *creating; i++) {
            if (trouble == OTHER_ID && !answers_for_others(creating[i][0])) continue;
            gateway.bank.troubled = creating[i][0];
            call_in_vain(&gateway, "POST", creating[i][1], creating[i][2], NULL);
        }
        gateway.bank.troubled = NULL;
        xs2a_response *abroad = call(&gateway, "POST", CROSS_BORDER, ABROAD, NULL);
        expect(abroad, 201);
        xs2a_response_free(abroad);
        // The log also has the errors that a failed call returns to the host.
        const int logged = gateway.bank.logged;
        gateway.bank.troubled = "debtor_account";
        create(&gateway, DOMESTIC, id, path);
        FAILS(XS2A_BANK,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
        expect_status(&gateway, path, "RCVD");
        gateway.bank.troubled = "submit_payment";
        approve(&gateway, id, NULL);
        CHECK(gateway.bank.logged == logged + 1);
        run_due(&gateway, (xs2a_run_report){.failed = 1});
        CHECK(gateway.bank.logged == logged + 2);
        expect_status(&gateway, path, "PDNG");
        gateway.bank.troubled = "cancel_payment";
        gateway.bank.now += 1000000;
        run_due(&gateway, (xs2a_run_report){.submitted = 1});
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
        CHECK(gateway.bank.logged == logged + 3);
        close_gateway(&gateway);
    }
}

// A question that is answered late is not answered; an order that is taken late is taken.
static void a_slow_bank_is_a_system_error_where_it_only_says_something(void) {
    gateway gateway;
    char id[256], path[256], psu_id[37];
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    gateway.bank.trouble = SLOW;
    for (size_t i = 0; READINGS[i][0] != NULL; i++) {
        gateway.bank.troubled = READINGS[i][0];
        call_in_vain(&gateway, "GET", READINGS[i][1], "", psu_id);
        gateway.bank.now = NOW;
    }
    gateway.bank.troubled = "fee";
    call_in_vain(&gateway, "POST", DOMESTIC, PAYMENT, NULL);
    gateway.bank.now = NOW;
    gateway.bank.troubled = "submit_payment";
    create(&gateway, DOMESTIC, id, path);
    approve(&gateway, id, NULL);
    CHECK(gateway.bank.warned == 0);
    run_due(&gateway, (xs2a_run_report){.submitted = 1});
    CHECK(gateway.bank.orders == 1 && gateway.bank.warned == 1);
    close_gateway(&gateway);
}

// Who the PSU is whose number came with the payment is asked where the SCA is completed.
static void a_psu_unknown_to_the_bank_approves_nothing(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *url = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    for (int trouble = FAILS; trouble < OTHER_ID; trouble++) {
        open_gateway(&gateway);
        xs2a_response *created = call_of(&gateway, "POST", DOMESTIC, PAYMENT, NULL, "13039319955");
        expect(created, 201);
        authorisation_id(created, id);
        copy_member(created, "/_links/self/href", path);
        xs2a_response_free(created);
        gateway.bank.trouble = trouble;
        gateway.bank.troubled = "psu";
        FAILS(XS2A_BANK,
              xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
        CHECK(gateway.bank.logged == 1);
        expect_status(&gateway, path, "RCVD");
        gateway.bank.troubled = NULL;
        approve(&gateway, id, NULL);
        run_due(&gateway, (xs2a_run_report){.submitted = 1});
        CHECK(gateway.bank.logged == 1);
        close_gateway(&gateway);
    }
}

// A host that calls the engine when it receives a fault.
static void look(void *context, xs2a_str fields) {
    check_member(fields, "/operation", "getAccounts");
    void **both = context;
    xs2a_response *response = call(both[0], "GET", "/v1/accounts", "", both[1]);
    expect(response, 500);
    xs2a_response_free(response);
}

// What that call has to say is not heard, or it would not end.
static void a_log_may_call_the_engine(void) {
    gateway gateway;
    char psu_id[37];
    open_gateway(&gateway);
    consent(&gateway, psu_id);
    void *both[] = {&gateway, psu_id};
    gateway.bank.context = both;
    gateway.bank.heard = look;
    gateway.bank.trouble = FAILS;
    gateway.bank.troubled = "accounts";
    for (int i = 0; i < 2; i++) call_in_vain(&gateway, "GET", "/v1/accounts", "", psu_id);
    close_gateway(&gateway);
}

void test_misbehaviour(void) {
    a_bank_that_misbehaves_is_a_system_error_and_no_more();
    a_payment_survives_a_bank_that_misbehaves();
    a_slow_bank_is_a_system_error_where_it_only_says_something();
    a_psu_unknown_to_the_bank_approves_nothing();
    a_log_may_call_the_engine();
}
