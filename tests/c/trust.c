// Trust that is replaced while an engine runs: the steps of trust.json, which Rust and Python take too.

#include <time.h>

#include <stddef.h>

#include "toy_bank.h"

enum { MANY = 10000, MANY_AT = 434, HEADERS_MAX = 16, SECONDS_MAX = 300 };

typedef struct {
    toy_bank bank;
    xs2a_engine *engine;
    const char *place;
} gateway;

// A member of a JSON text; NULL where there is none. The caller frees it.
static xs2a_text *found(xs2a_str json, const char *pointer) {
    xs2a_text *text = NULL;
    xs2a_result result = xs2a_json_at(json, xs2a_str_of(pointer), &text, NULL);
    CHECK(result == XS2A_OK || result == XS2A_NOT_FOUND);
    return text;
}

static size_t number(xs2a_str text) {
    size_t value = 0;
    for (size_t i = 0; i < text.len; i++) value = value * 10 + (size_t)(text.data[i] - '0');
    return value;
}

// The bytes of a text as pairs of hexadecimal digits. The caller frees them.
static xs2a_slice of_hex(xs2a_str hex) {
    uint8_t *bytes = malloc(hex.len / 2);
    CHECK(bytes != NULL);
    for (size_t i = 0; i < hex.len / 2; i++) {
        const char digits[3] = {hex.data[2 * i], hex.data[2 * i + 1], '\0'};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return (xs2a_slice){bytes, hex.len / 2};
}

// Ten thousand certificates made of one, without line breaks where asked. The caller frees them.
static char *ten_thousand(xs2a_str pem, bool in_one_line, size_t *length) {
    char *all = malloc(pem.len * MANY), digits[8];
    CHECK(all != NULL && pem.len > MANY_AT + 4);
    size_t end = 0;
    for (int i = 0; i < MANY; i++) {
        snprintf(digits, sizeof digits, "%04d", i);
        for (size_t at = 0; at < pem.len; at++) {
            char one = at >= MANY_AT && at < MANY_AT + 4 ? digits[at - MANY_AT] : pem.data[at];
            if (one != '\n' || !in_one_line) all[end++] = one;
        }
    }
    *length = end;
    return all;
}

static void fail(const gateway *gateway, xs2a_str step, const char *why, xs2a_str reported) {
    xs2a_text *kind = found(step, "/do");
    xs2a_str text = xs2a_text_str(kind);
    fprintf(stderr, "%s: %.*s: %s: ", gateway->place, (int)text.len, text.data, why);
    fprintf(stderr, "%.*s\n", (int)reported.len, reported.data);
    abort();
}

// A configuration error that says what the step expects, or success.
static void check_outcome(const gateway *gateway, xs2a_str step, xs2a_result result, xs2a_error *error) {
    xs2a_text *fails = found(step, "/fails");
    const xs2a_str reported = xs2a_error_message(error);
    if (fails == NULL && result != XS2A_OK) fail(gateway, step, "it fails", reported);
    if (fails != NULL && result != XS2A_CONFIG) fail(gateway, step, "it is no configuration error", reported);
    if (fails != NULL && !contains(reported, xs2a_text_str(fails))) fail(gateway, step, "it says", reported);
    xs2a_text_free(fails);
    xs2a_error_free(error);
}

static void check_count(const gateway *gateway, xs2a_str step, xs2a_result result, size_t count, xs2a_error *error) {
    check_outcome(gateway, step, result, error);
    xs2a_text *expected = found(step, "/count");
    CHECK(count == (expected == NULL ? SIZE_MAX : number(xs2a_text_str(expected))));
    xs2a_text_free(expected);
}

static void call(const gateway *gateway, xs2a_str step, xs2a_str sent_too) {
    xs2a_text *texts[2 * HEADERS_MAX];
    xs2a_header headers[HEADERS_MAX];
    char pointer[32], *sent = NULL;
    xs2a_error *error = NULL;
    xs2a_response *response = NULL;
    size_t count = 0;
    for (; count < HEADERS_MAX; count++) {
        snprintf(pointer, sizeof pointer, "/headers/%zu/0", count);
        texts[2 * count] = found(step, pointer);
        if (texts[2 * count] == NULL) break;
        snprintf(pointer, sizeof pointer, "/headers/%zu/1", count);
        texts[2 * count + 1] = found(step, pointer);
        const xs2a_str name = xs2a_text_str(texts[2 * count]), value = xs2a_text_str(texts[2 * count + 1]);
        headers[count] = (xs2a_header){name, {(const uint8_t *)value.data, value.len}};
        if (sent_too.len > 0 && is(name, "TPP-Signature-Certificate")) {
            sent = malloc(value.len + sent_too.len);
            CHECK(sent != NULL);
            memcpy(sent, value.data, value.len);
            memcpy(sent + value.len, sent_too.data, sent_too.len);
            headers[count].value = (xs2a_slice){(const uint8_t *)sent, value.len + sent_too.len};
        }
    }
    CHECK(count > 0 && count < HEADERS_MAX);
    xs2a_request request = new_request("POST", "/v1/bank-offered-consents");
    request.headers = headers;
    request.header_count = count;
    OK(xs2a_engine_handle(gateway->engine, &request, &response, &error));
    xs2a_text *reason = found(step, "/reason"), *status = found(step, "/status");
    const xs2a_str reported = xs2a_response_reason(response), expected = xs2a_text_str(reason);
    if (!same(reported, expected) || xs2a_response_status(response) != number(xs2a_text_str(status))) {
        fail(gateway, step, "the reason is", reported);
    }
    for (size_t i = 0; i < 2 * count; i++) xs2a_text_free(texts[i]);
    xs2a_text_free(reason);
    xs2a_text_free(status);
    xs2a_response_free(response);
    free(sent);
}

static void supply_crl(const gateway *gateway, xs2a_str step) {
    xs2a_text *hex = found(step, "/hex"), *pem = found(step, "/pem"), *authorities = found(step, "/authorities");
    const xs2a_str text = xs2a_text_str(pem);
    const xs2a_slice list =
        hex != NULL ? of_hex(xs2a_text_str(hex)) : (xs2a_slice){(const uint8_t *)text.data, text.len};
    size_t count = SIZE_MAX;
    xs2a_error *error = NULL;
    xs2a_result result = xs2a_engine_supply_crl(gateway->engine, list, xs2a_text_str(authorities), &count, &error);
    check_count(gateway, step, result, count, error);
    if (hex != NULL) free((void *)list.data);
    xs2a_text_free(hex);
    xs2a_text_free(pem);
    xs2a_text_free(authorities);
}

static void check_due(const gateway *gateway, xs2a_str step) {
    xs2a_text *due = NULL, *time = found(step, "/time");
    xs2a_error *error = NULL;
    OK(xs2a_engine_next_crl_due(gateway->engine, &due, &error));
    const xs2a_str reported = xs2a_text_str(due), expected = xs2a_text_str(time);
    CHECK((due == NULL) == (expected.len == 0));
    if (!same(reported, expected)) fail(gateway, step, "it is due", reported);
    xs2a_text_free(due);
    xs2a_text_free(time);
}

static void replace_register(const gateway *gateway, xs2a_str step) {
    xs2a_text *extract = found(step, "/extract");
    const xs2a_str text = xs2a_text_str(extract);
    const xs2a_slice json = {(const uint8_t *)text.data, text.len};
    size_t count = SIZE_MAX;
    xs2a_error *error = NULL;
    xs2a_result result = xs2a_engine_replace_register(gateway->engine, json, &count, &error);
    check_count(gateway, step, result, count, error);
    xs2a_text_free(extract);
}

static void read_trusted_list(const gateway *gateway, xs2a_str step) {
    xs2a_text *list = found(step, "/list"), *type = found(step, "/type"), *at = found(step, "/at");
    xs2a_text *bundle = NULL, *expected = found(step, "/bundle");
    const xs2a_str xml = xs2a_text_str(list);
    xs2a_error *error = NULL;
    xs2a_result result = xs2a_trusted_list_anchors((xs2a_slice){(const uint8_t *)xml.data, xml.len},
                                                   xs2a_text_str(type), xs2a_text_str(at), &bundle, &error);
    check_outcome(gateway, step, result, error);
    const xs2a_str reported = xs2a_text_str(bundle), wanted = xs2a_text_str(expected);
    CHECK((bundle == NULL) == (result != XS2A_OK));
    if (bundle != NULL && !same(reported, wanted)) fail(gateway, step, "it gives", reported);
    xs2a_text *all[] = {list, type, at, bundle, expected};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) xs2a_text_free(all[i]);
}

static void take_step(gateway *gateway, xs2a_str step) {
    xs2a_text *kind = found(step, "/do"), *pem = found(step, "/pem"), *bundle = found(step, "/bundle");
    const xs2a_str what = xs2a_text_str(kind), certificate = xs2a_text_str(pem);
    size_t count = SIZE_MAX, length = 0;
    char *many = NULL;
    xs2a_error *error = NULL;
    if (is(what, "now")) {
        xs2a_text *micros = found(step, "/micros");
        gateway->bank.now = (int64_t)number(xs2a_text_str(micros));
        xs2a_text_free(micros);
    } else if (is(what, "call")) {
        call(gateway, step, xs2a_str_of(""));
    } else if (is(what, "lists")) {
        supply_crl(gateway, step);
    } else if (is(what, "clear")) {
        OK(xs2a_engine_clear_crls(gateway->engine, &error));
    } else if (is(what, "due")) {
        check_due(gateway, step);
    } else if (is(what, "anchors")) {
        xs2a_result result =
            xs2a_engine_replace_trust_anchors(gateway->engine, xs2a_text_str(bundle), &count, &error);
        check_count(gateway, step, result, count, error);
    } else if (is(what, "many_anchors")) {
        many = ten_thousand(certificate, false, &length);
        OK(xs2a_engine_replace_trust_anchors(gateway->engine, (xs2a_str){many, length}, &count, &error));
        CHECK(count == MANY);
    } else if (is(what, "many_sent")) {
        many = ten_thousand(certificate, true, &length);
        call(gateway, step, (xs2a_str){many, length});
    } else if (is(what, "register")) {
        replace_register(gateway, step);
    } else {
        CHECK(is(what, "trusted_list"));
        read_trusted_list(gateway, step);
    }
    free(many);
    xs2a_text_free(kind);
    xs2a_text_free(pem);
    xs2a_text_free(bundle);
}

static size_t run(xs2a_str one) {
    xs2a_text *config = found(one, "/config"), *id = found(one, "/id");
    char place[64], pointer[32];
    const xs2a_str name = xs2a_text_str(id);
    snprintf(place, sizeof place, "%.*s", (int)name.len, name.data);
    gateway gateway = {.place = place};
    xs2a_bank_callbacks callbacks = toy_callbacks(&gateway.bank);
    callbacks.is_registered = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_engine_new(xs2a_text_str(config), &callbacks, &gateway.engine, &error));
    size_t steps = 0;
    for (;; steps++) {
        snprintf(pointer, sizeof pointer, "/steps/%zu", steps);
        xs2a_text *step = found(one, pointer);
        if (step == NULL) break;
        take_step(&gateway, xs2a_text_str(step));
        xs2a_text_free(step);
    }
    xs2a_engine_free(gateway.engine);
    xs2a_text_free(config);
    xs2a_text_free(id);
    return steps;
}

static void what_is_supplied_counts_from_the_next_call_on(const char *folder) {
    xs2a_str cases;
    char *buffer = read_file(folder, "trust.json", &cases), pointer[32];
    const clock_t started = clock();
    size_t count = 0;
    for (;; count++) {
        snprintf(pointer, sizeof pointer, "/%zu", count);
        xs2a_text *one = found(cases, pointer);
        if (one == NULL) break;
        CHECK(run(xs2a_text_str(one)) > 1);
        xs2a_text_free(one);
    }
    CHECK(count > 10 && (clock() - started) / CLOCKS_PER_SEC < SECONDS_MAX);
    free(buffer);
}

// The first case's configuration, with ages of the register's answers, and its sound call.
static void a_register_is_asked_again_when_its_answer_is_too_old_or_forgotten(const char *folder) {
    xs2a_str cases;
    char *buffer = read_file(folder, "trust.json", &cases);
    char config[8192];
    xs2a_text *given = found(cases, "/0/config/trust_anchors"), *step = found(cases, "/0/steps/1");
    const xs2a_str pem = xs2a_text_str(given);
    size_t end = (size_t)snprintf(config, sizeof config,
                                  "{\"database\":\"sqlite::memory:\",\"policy\":{\"replay_protection\":false},"
                                  "\"registry_ages\":{\"registered_seconds\":9,\"unknown_seconds\":0},"
                                  "\"trust_anchors\":\"");
    for (size_t i = 0; i < pem.len; i++) {
        CHECK(end + 8 < sizeof config);
        end += (size_t)snprintf(config + end, 3, pem.data[i] == '\n' ? "\\n" : "%c", pem.data[i]);
    }
    snprintf(config + end, sizeof config - end, "\"}");
    gateway gateway = {.place = "ages"};
    gateway.bank.now = 1788256800000000;
    xs2a_bank_callbacks callbacks = toy_callbacks(&gateway.bank);
    xs2a_error *error = NULL;
    OK(xs2a_engine_new(xs2a_str_of(config), &callbacks, &gateway.engine, &error));
    call(&gateway, xs2a_text_str(step), xs2a_str_of(""));
    gateway.bank.unregistered = 2; // no answer: the call would fail
    gateway.bank.now += 8999999;
    call(&gateway, xs2a_text_str(step), xs2a_str_of(""));
    gateway.bank.unregistered = 0;
    gateway.bank.now += 1;
    call(&gateway, xs2a_text_str(step), xs2a_str_of(""));
    gateway.bank.unregistered = 1;
    OK(xs2a_engine_forget_registration(gateway.engine, xs2a_str_of("PSDNO-FSA-1"), &error));
    call(&gateway, xs2a_text_str(step), xs2a_str_of(""));
    OK(xs2a_engine_forget_registration(gateway.engine, xs2a_str_of("PSDNO-FSA-912345678"), &error));
    const char *const refused = "{\"do\":\"call\",\"reason\":\"TPP-01\",\"status\":403,\"headers\":";
    xs2a_text *headers = found(cases, "/0/steps/1/headers");
    const xs2a_str list = xs2a_text_str(headers);
    char *other = malloc(strlen(refused) + list.len + 2);
    CHECK(other != NULL);
    sprintf(other, "%s%.*s}", refused, (int)list.len, list.data);
    call(&gateway, xs2a_str_of(other), xs2a_str_of(""));
    size_t count = SIZE_MAX;
    FAILS(XS2A_MISUSE, xs2a_engine_replace_register(gateway.engine, xs2a_slice_of("[[],[]]"), &count, &error));
    xs2a_engine_free(gateway.engine);
    callbacks.is_registered = NULL;
    gateway.engine = UNTOUCHED(xs2a_engine);
    FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of(config), &callbacks, &gateway.engine, &error));
    CHECK(gateway.engine == UNTOUCHED(xs2a_engine) && count == SIZE_MAX);
    xs2a_text_free(given);
    xs2a_text_free(step);
    xs2a_text_free(headers);
    free(other);
    free(buffer);
}

typedef struct {
    toy_bank bank;
    int32_t status;
    size_t asked, certificate_bytes, issuer_bytes;
} responder;

static int32_t status_of(void *user_data, xs2a_slice certificate, xs2a_slice issuer) {
    responder *self = user_data;
    self->asked++;
    // A SEQUENCE of more than 255 bytes: a certificate in DER.
    CHECK(certificate.len > 4 && certificate.data[0] == 0x30 && certificate.data[1] == 0x82);
    CHECK(issuer.len > 4 && issuer.data[0] == 0x30 && issuer.data[1] == 0x82);
    self->certificate_bytes = certificate.len;
    self->issuer_bytes = issuer.len;
    return self->status;
}

// The first case's configuration and call, with each answer of the callback.
static void a_callback_knows_which_certificates_are_revoked(const char *folder) {
    static const struct {
        int32_t status;
        const char *expected;
    } answers[] = {{0, "\"reason\":\"\",\"status\":201"},      {1, "\"reason\":\"CRT-15\",\"status\":400"},
                   {2, "\"reason\":\"CRT-16\",\"status\":400"}, {3, "\"reason\":\"CRT-17\",\"status\":400"},
                   {4, "\"reason\":\"SYS-02\",\"status\":500"}, {-1, "\"reason\":\"SYS-02\",\"status\":500"}};
    xs2a_str cases;
    char *buffer = read_file(folder, "trust.json", &cases);
    char config[8192];
    xs2a_text *given = found(cases, "/0/config/trust_anchors"), *headers = found(cases, "/0/steps/1/headers");
    const xs2a_str pem = xs2a_text_str(given), list = xs2a_text_str(headers);
    size_t end = (size_t)snprintf(config, sizeof config,
                                  "{\"database\":\"sqlite::memory:\",\"policy\":{\"replay_protection\":false,"
                                  "\"missing_crl\":\"refuse\"},\"trust_anchors\":\"");
    for (size_t i = 0; i < pem.len; i++) {
        CHECK(end + 8 < sizeof config);
        end += (size_t)snprintf(config + end, 3, pem.data[i] == '\n' ? "\\n" : "%c", pem.data[i]);
    }
    snprintf(config + end, sizeof config - end, "\"}");
    responder responder = {0};
    responder.bank.now = 1788256800000000;
    gateway gateway = {.place = "revocation"};
    xs2a_bank_callbacks callbacks = toy_callbacks(&responder.bank);
    callbacks.is_registered = NULL;
    callbacks.revocation = status_of;
    CHECK((void *)&responder == (void *)&responder.bank);
    xs2a_error *error = NULL;
    OK(xs2a_engine_new(xs2a_str_of(config), &callbacks, &gateway.engine, &error));
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        responder.status = answers[i].status;
        char *step = malloc(list.len + 128);
        CHECK(step != NULL);
        sprintf(step, "{\"do\":\"call\",%s,\"headers\":%.*s}", answers[i].expected, (int)list.len, list.data);
        call(&gateway, xs2a_str_of(step), xs2a_str_of(""));
        free(step);
    }
    CHECK(responder.asked > sizeof answers / sizeof *answers && responder.certificate_bytes != responder.issuer_bytes);
    size_t count = SIZE_MAX;
    FAILS(XS2A_MISUSE, xs2a_engine_supply_crl(gateway.engine, xs2a_slice_of("x"), xs2a_str_of(""), &count, &error));
    xs2a_engine_free(gateway.engine);
    xs2a_text_free(given);
    xs2a_text_free(headers);
    free(buffer);
}

void test_trust(const char *folder) {
    a_callback_knows_which_certificates_are_revoked(folder);
    what_is_supplied_counts_from_the_next_call_on(folder);
    a_register_is_asked_again_when_its_answer_is_too_old_or_forgotten(folder);
}
