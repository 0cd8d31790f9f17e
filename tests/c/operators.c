// What operators ask an engine: the record of a call, health, figures, consents, payments and blocked TPPs.

#include "gateway.h"

static void an_answer_has_the_record_of_its_call(void) {
    gateway gateway;
    open_gateway(&gateway);
    xs2a_response *created = call(&gateway, "POST", DOMESTIC, PAYMENT, NULL);
    expect(created, 201);
    CHECK_TEXT(xs2a_response_operation(created), "createPayment");
    const xs2a_str tpp = xs2a_tpp_organisation_id(gateway.tpp);
    CHECK(same(xs2a_response_tpp(created), tpp));
    CHECK_TEXT(xs2a_response_tpp_name(created), "Acme Pay");
    CHECK(xs2a_response_role(created, 1).len == 6 && xs2a_response_role(created, 2).data == NULL);
    const xs2a_timing timing = xs2a_response_timing(created);
    CHECK(timing.store > 0 && timing.total >= timing.bank + timing.store);
    xs2a_response_free(created);
    close_gateway(&gateway);
}

static void a_correlation_id_has_1_to_64_visible_characters(void) {
    gateway gateway;
    xs2a_error *error = NULL;
    xs2a_response *response = NULL;
    static const char *const wrong[] = {"a b", "\xc3\xa5",
                                        "12345678901234567890123456789012345678901234567890123456789012345"};
    open_gateway(&gateway);
    xs2a_request request = new_request("GET", "/v1/accounts");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        request.correlation_id = xs2a_str_of(wrong[i]);
        FAILS(XS2A_MISUSE, xs2a_engine_handle(gateway.engine, &request, &response, &error));
    }
    request.correlation_id = xs2a_str_of("gateway-7");
    OK(xs2a_engine_handle(gateway.engine, &request, &response, &error));
    CHECK_TEXT(xs2a_response_operation(response), "getAccounts");
    CHECK(xs2a_response_tpp(response).data == NULL);
    xs2a_response_free(response);
    // A program that was built before the member existed.
    request.size = offsetof(xs2a_request, correlation_id);
    OK(xs2a_engine_handle(gateway.engine, &request, &response, &error));
    xs2a_response_free(response);
    close_gateway(&gateway);
}

static void an_unknown_person_is_erased(void) {
    gateway gateway;
    xs2a_text *done = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    OK(xs2a_engine_erase_psu(gateway.engine, xs2a_str_of("kari"), &done, &error));
    check_member(xs2a_text_str(done), "/erased/consents", "0");
    check_member(xs2a_text_str(done), "/kept/0/what", "audit");
    xs2a_text_free(done);
    close_gateway(&gateway);
}

static void statistics_are_given_as_json_and_csv(void) {
    gateway gateway;
    xs2a_text *json = NULL, *csv = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    xs2a_response *created = call(&gateway, "POST", DOMESTIC, PAYMENT, NULL);
    expect(created, 201);
    xs2a_response_free(created);
    const xs2a_str none = {NULL, 0}, first = xs2a_str_of("2026-09-01"), last = xs2a_str_of("2026-09-02");
    OK(xs2a_engine_statistics(gateway.engine, first, last, none, &json, &error));
    check_member(xs2a_text_str(json), "/0/pisp/requests", "1");
    check_member(xs2a_text_str(json), "/1/pisp/requests", "0");
    xs2a_text_free(json);
    OK(xs2a_engine_statistics(gateway.engine, first, last, xs2a_str_of("PSDNO-FSA-other"), &json, &error));
    check_member(xs2a_text_str(json), "/0/pisp/requests", "0");
    OK(xs2a_engine_statistics_csv(gateway.engine, first, last, none, &csv, &error));
    CHECK(contains(xs2a_text_str(csv), xs2a_str_of("\r\n2026-09-02,100.0000,0.000,0,0,0,,,")));
    FAILS(XS2A_MISUSE, xs2a_engine_statistics(gateway.engine, last, first, none, &json, &error));
    FAILS(XS2A_MISUSE, xs2a_engine_statistics_csv(gateway.engine, xs2a_str_of("1.9.2026"), last, none, &csv, &error));
    xs2a_text_free(json);
    xs2a_text_free(csv);
    close_gateway(&gateway);
}

static void health_and_figures_are_given_as_text(void) {
    gateway gateway;
    xs2a_text *health = NULL, *figures = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    xs2a_response *created = call(&gateway, "POST", DOMESTIC, PAYMENT, NULL);
    expect(created, 201);
    xs2a_response_free(created);
    OK(xs2a_engine_health(gateway.engine, &health, &error));
    check_member(xs2a_text_str(health), "/ok", "true");
    check_member(xs2a_text_str(health), "/trustAnchors/valid", "1");
    OK(xs2a_engine_metrics(gateway.engine, &figures, &error));
    const char *const counted = "xs2a_requests_total{operation=\"createPayment\",status=\"201\"} 1\n";
    CHECK(contains(xs2a_text_str(figures), xs2a_str_of(counted)));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_health(gateway.engine, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_metrics(NULL, &figures, &error));
    xs2a_text_free(health);
    xs2a_text_free(figures);
    close_gateway(&gateway);
}

static void consents_and_payments_are_listed(void) {
    gateway gateway;
    char id[256], path[256], query[512], psu_id[37];
    xs2a_text *out = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    const xs2a_engine *engine = gateway.engine;
    consent(&gateway, psu_id);
    OK(xs2a_engine_consents(engine, xs2a_str_of("{\"psu\":\"kari\",\"limit\":1}"), &out, &error));
    check_member(xs2a_text_str(out), "/0/state", "valid");
    check_member(xs2a_text_str(out), "/0/psu", "kari");
    check_member(xs2a_text_str(out), "/0/accounts/0", "acc");
    xs2a_text_free(out);
    OK(xs2a_engine_consents(engine, xs2a_str_of("{\"psu\":\"ola\"}"), &out, &error));
    take_text(out, "[]");
    create(&gateway, PAYMENTS, id, path);
    const char *const payment = strrchr(path, '/') + 1;
    OK(xs2a_engine_payments(engine, xs2a_str_of(""), &out, &error));
    check_member(xs2a_text_str(out), "/0/id", payment);
    check_member(xs2a_text_str(out), "/0/order/instructedAmount/amount", "250.00");
    xs2a_text_free(out);
    snprintf(query, sizeof query, "{\"status\":\"RCVD\",\"after\":\"%s\"}", payment);
    OK(xs2a_engine_payments(engine, xs2a_str_of(query), &out, &error));
    take_text(out, "[]");
    approve(&gateway, id, NULL);
    OK(xs2a_engine_payment(engine, xs2a_str_of(payment), &out, &error));
    check_member(xs2a_text_str(out), "/events/0/from", "RCVD");
    xs2a_text_free(out);
    OK(xs2a_engine_payment(engine, xs2a_str_of("unknown"), &out, &error));
    CHECK(out == NULL);
    out = UNTOUCHED(xs2a_text);
    FAILS(XS2A_MISUSE, xs2a_engine_payments(engine, xs2a_str_of("{\"after\":\"unknown\"}"), &out, &error));
    FAILS(XS2A_MISUSE, xs2a_engine_consents(engine, xs2a_str_of("{\"limit\":0}"), &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
    close_gateway(&gateway);
}

static void a_blocked_tpp_is_refused_until_it_is_unblocked(void) {
    gateway gateway;
    char psu_id[37];
    int32_t was_blocked = -1;
    xs2a_text *out = NULL;
    xs2a_error *error = NULL;
    open_gateway(&gateway);
    const xs2a_engine *engine = gateway.engine;
    const xs2a_str tpp = xs2a_tpp_organisation_id(gateway.tpp), none = xs2a_str_of("");
    consent(&gateway, psu_id);
    OK(xs2a_engine_block(engine, tpp, none, none, xs2a_str_of("phishing"), &error));
    xs2a_response *refused = call(&gateway, "GET", "/v1/accounts", "", psu_id);
    expect(refused, 403);
    CHECK_TEXT(xs2a_response_reason(refused), "TPP-03");
    xs2a_response_free(refused);
    OK(xs2a_engine_blocked(engine, &out, &error));
    check_member(xs2a_text_str(out), "/0/why", "phishing");
    xs2a_text_free(out);
    OK(xs2a_engine_unblock(engine, tpp, none, &was_blocked, &error));
    CHECK(was_blocked == 1);
    OK(xs2a_engine_unblock(engine, tpp, none, &was_blocked, &error));
    CHECK(was_blocked == 0);
    xs2a_response *answered = call(&gateway, "GET", "/v1/accounts", "", psu_id);
    expect(answered, 200);
    xs2a_response_free(answered);
    FAILS(XS2A_MISUSE, xs2a_engine_block(engine, tpp, tpp, none, none, &error));
    FAILS(XS2A_MISUSE, xs2a_engine_block(engine, none, xs2a_str_of("ab"), none, none, &error));
    FAILS(XS2A_BAD_ARGUMENT, xs2a_engine_block(engine, tpp, none, xs2a_str_of("tomorrow"), none, &error));
    close_gateway(&gateway);
}

void test_operators(void) {
    an_answer_has_the_record_of_its_call();
    a_correlation_id_has_1_to_64_visible_characters();
    an_unknown_person_is_erased();
    statistics_are_given_as_json_and_csv();
    health_and_figures_are_given_as_text();
    consents_and_payments_are_listed();
    a_blocked_tpp_is_refused_until_it_is_unblocked();
}
