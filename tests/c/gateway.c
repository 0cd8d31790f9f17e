#include "gateway.h"

xs2a_str config(xs2a_str pem, const char *database) {
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

void open_gateway(gateway *gateway) {
    open_gateway_over(gateway, "sqlite::memory:");
}

void open_gateway_over(gateway *gateway, const char *database) {
    memset(gateway, 0, sizeof *gateway);
    gateway->bank.now = NOW;
    gateway->sandbox = new_sandbox();
    gateway->tpp = new_tpp(gateway->sandbox);
    const xs2a_bank_callbacks callbacks = toy_callbacks(&gateway->bank);
    xs2a_error *error = NULL;
    const xs2a_str trusted = config(xs2a_tpp_certificate_pem(gateway->tpp), database);
    OK(xs2a_engine_new(trusted, &callbacks, &gateway->engine, &error));
}

void close_gateway(gateway *gateway) {
    xs2a_engine_free(gateway->engine);
    xs2a_tpp_free(gateway->tpp);
    xs2a_sandbox_free(gateway->sandbox);
}

xs2a_response *call_of(const gateway *gateway, const char *method, const char *target, const char *body,
                       const char *psu_id, const char *identity) {
    const xs2a_header fields[] = {
        {xs2a_str_of("x-accept-fix"), xs2a_slice_of("")},
        {xs2a_str_of("TPP-Session-ID"), xs2a_slice_of("session-1")},
        {xs2a_str_of("TPP-Redirect-URI"), xs2a_slice_of("https://tpp.example/")},
        {xs2a_str_of("PSU-IP-Address"), xs2a_slice_of("192.0.2.1")},
        {xs2a_str_of("Content-Type"), xs2a_slice_of("application/json")},
        {xs2a_str_of(psu_id == NULL ? "PSU-Context" : "PSU-ID"), xs2a_slice_of(psu_id == NULL ? "PRIVATE" : psu_id)},
        {xs2a_str_of("X-PSU-IDENTITY"), xs2a_slice_of(identity == NULL ? "" : identity)},
    };
    xs2a_request request = new_request(method, target);
    request.headers = fields;
    request.header_count = sizeof fields / sizeof *fields - (identity == NULL);
    request.body = xs2a_slice_of(body);
    xs2a_headers *headers = NULL;
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    sign_request(gateway->tpp, &request, &headers);
    OK(xs2a_engine_handle(gateway->engine, &request, &response, &error));
    xs2a_headers_free(headers);
    return response;
}

xs2a_response *call(const gateway *gateway, const char *method, const char *target, const char *body,
                    const char *psu_id) {
    return call_of(gateway, method, target, body, psu_id, NULL);
}

void expect(const xs2a_response *response, int status) {
    if (xs2a_response_status(response) == status) return;
    xs2a_str body = body_of(response);
    fprintf(stderr, "%d: %.*s\n", xs2a_response_status(response), (int)body.len, body.data);
    abort();
}

void copy_member(const xs2a_response *response, const char *pointer, char *into) {
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_json_at(body_of(response), xs2a_str_of(pointer), &found, &error));
    xs2a_str text = xs2a_text_str(found);
    CHECK(text.len < 256);
    memcpy(into, text.data, text.len);
    into[text.len] = '\0';
    xs2a_text_free(found);
}

void authorisation_id(const xs2a_response *response, char *id) {
    char link[256];
    copy_member(response, "/_links/scaRedirect/href", link);
    strcpy(id, strrchr(link, '/') + 1);
}

void create(const gateway *gateway, const char *product, char *id, char *path) {
    char target[256];
    snprintf(target, sizeof target, "%s?allowLogicalDuplicate=true", product);
    xs2a_response *created = call(gateway, "POST", target, PAYMENT, NULL);
    expect(created, 201);
    authorisation_id(created, id);
    if (path != NULL) copy_member(created, "/_links/self/href", path);
    xs2a_response_free(created);
}

bool is_report(xs2a_run_report found, xs2a_run_report expected) {
    return found.submitted == expected.submitted && found.withdrawn == expected.withdrawn
        && found.failed == expected.failed && found.dead_letters == expected.dead_letters;
}

void run_due(const gateway *gateway, xs2a_run_report expected) {
    xs2a_run_report report = {0};
    xs2a_error *error = NULL;
    OK(xs2a_engine_run_due(gateway->engine, &report, &error));
    CHECK(is_report(report, expected));
}

void approve(const gateway *gateway, const char *id, char *psu_id) {
    xs2a_text *url = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_complete_sca(gateway->engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error));
    const char *prefix = "https://tpp.example/?psu-id=";
    CHECK(begins(xs2a_text_str(url), prefix));
    if (psu_id != NULL) memcpy(psu_id, xs2a_text_str(url).data + strlen(prefix), 36), psu_id[36] = '\0';
    xs2a_text_free(url);
}

void expect_status(const gateway *gateway, const char *path, const char *expected) {
    char target[320];
    snprintf(target, sizeof target, "%s/status", path);
    xs2a_response *response = call(gateway, "GET", target, "", NULL);
    expect(response, 200);
    check_member(body_of(response), "/transactionStatus", expected);
    xs2a_response_free(response);
}

void consent(const gateway *gateway, char *psu_id) {
    char id[256];
    xs2a_response *started = call(gateway, "POST", "/v1/bank-offered-consents", "", NULL);
    expect(started, 201);
    authorisation_id(started, id);
    xs2a_response_free(started);
    approve(gateway, id, psu_id);
}

const char *const READINGS[][2] = {
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
    {"transaction", "/v1/accounts/acc/transactions/line"},
    {"requires_sca", "/v1/accounts"},
    {NULL, NULL},
};
