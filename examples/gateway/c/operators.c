#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway.h"
#include "log.h"

static const char *const JSON = "application/json";
static const char *const JSON_LINES = "application/x-ndjson";
static const char *const CSV = "text/csv; charset=utf-8";
static const char *const FIGURES = "text/plain; version=0.0.4; charset=utf-8";

// A request of an operator: `rest` is what follows the route's path, as it was sent.
typedef struct {
    gateway *gateway;
    xs2a_str rest;
    xs2a_slice body;
    reply *reply;
} call;

static void json_reply(reply *reply, unsigned status) {
    reply->status = status;
    reply->content_type = JSON;
}

static void refuse(const call *call, unsigned status, const char *why) {
    json_reply(call->reply, status);
    text_form(&call->reply->body, "{\"status\":\"%s\"}\n", why);
}

// The text in the target names nothing. The log says why, as for a call of the library that failed.
static void refuse_text(const call *call, const char *why) {
    log_line("warn", "gateway::operators", "an operator's request failed: %s", why);
    refuse(call, 400, "not understood");
}

// A call of the library that failed. Its message may name a person or a payment: it is for the log.
static void failed(const call *call, xs2a_result result, xs2a_error *error) {
    const char *level = "warn";
    switch (result) {
    case XS2A_MISUSE: case XS2A_BAD_ARGUMENT: case XS2A_NOT_UTF8: refuse(call, 400, "not understood"); break;
    case XS2A_NOT_FOUND: refuse(call, 404, "not found"); break;
    case XS2A_CONFLICT: refuse(call, 409, "conflict"); break;
    default:
        level = "error";
        refuse(call, 503, "unavailable");
    }
    log_error(level, "gateway::operators", "an operator's request failed", &error);
}

// What a call of the library returned: a text, or an error. Frees both.
static void answer(const call *call, const char *content_type, xs2a_result result, xs2a_text *given,
                   xs2a_error *error) {
    if (result != XS2A_OK) {
        failed(call, result, error);
        return;
    }
    const xs2a_str text = xs2a_text_str(given);
    call->reply->status = 200;
    call->reply->content_type = content_type;
    text_add(&call->reply->body, text.data, text.len);
    if (content_type == JSON) text_put(&call->reply->body, "\n");
    xs2a_text_free(given);
}

typedef xs2a_result (*reading)(const xs2a_engine *engine, xs2a_text **out, xs2a_error **error);

static void answer_read(const call *call, const char *content_type, reading read) {
    xs2a_text *given = NULL;
    xs2a_error *error = NULL;
    const xs2a_result result = read(call->gateway->engine, &given, &error);
    answer(call, content_type, result, given, error);
}

// As answer(), for an act: `{"<what>":true}`; false where there was nothing to do.
static void answer_act(const call *call, const char *what, xs2a_result result, bool is_done, xs2a_error *error) {
    if (result != XS2A_OK) {
        failed(call, result, error);
        return;
    }
    json_reply(call->reply, 200);
    text_form(&call->reply->body, "{\"%s\":%s}\n", what, is_done ? "true" : "false");
}

// The rest of the target up to its first slash, and what is behind it: empty where there is none.
static void split(xs2a_str rest, xs2a_str *first, xs2a_str *second) {
    const char *slash = rest.len == 0 ? NULL : memchr(rest.data, '/', rest.len);
    const size_t len = slash == NULL ? rest.len : (size_t)(slash - rest.data);
    *first = (xs2a_str){rest.data, len};
    *second = str_from(rest, slash == NULL ? len : len + 1);
}

// A reference to a person as in the toy bank. Nothing is decoded, so that no other person is meant.
static bool is_person(xs2a_str reference) {
    for (size_t i = 0; i < reference.len; i++) {
        if (!isalnum((unsigned char)reference.data[i])) return false;
    }
    return reference.len > 0;
}

// ---------------------------------------------------------------- state and figures

static void health(const call *call) {
    xs2a_text *state = NULL;
    xs2a_error *error = NULL;
    const xs2a_result result = xs2a_engine_health(call->gateway->engine, &state, &error);
    const xs2a_str found = xs2a_text_str(state);
    const bool is_well = str_begins(found, "{\"ok\":true");
    if (result == XS2A_OK && !is_well) log_line("error", "gateway::health", "%.*s", (int)found.len, found.data);
    answer(call, JSON, result, state, error);
    if (!is_well) call->reply->status = 503;
}

static void metrics(const call *call) {
    answer_read(call, FIGURES, xs2a_engine_metrics);
}

static void statistics(const call *call) {
    xs2a_str first, last;
    xs2a_text *csv = NULL;
    xs2a_error *error = NULL;
    split(call->rest, &first, &last);
    const xs2a_result result =
        xs2a_engine_statistics_csv(call->gateway->engine, first, last, xs2a_str_of(""), &csv, &error);
    answer(call, CSV, result, csv, error);
}

// ---------------------------------------------------------------- who read what

typedef struct {
    const gateway *gateway;
    FILE *lines;
    int broken_off;             // why, as `errno`: 0 if it is not
} export;

static int32_t write_line(void *user_data, xs2a_str line) {
    export *export = user_data;
    if (atomic_load(&export->gateway->is_stopping)) {
        export->broken_off = ECANCELED;
    } else if (fwrite(line.data, 1, line.len, export->lines) != line.len || putc('\n', export->lines) == EOF) {
        export->broken_off = errno;
    }
    return export->broken_off == 0 ? 0 : 1;
}

// By way of a file: a range of any length fits, and an export that broke off is not sent as if it were whole.
static void write_audit(const call *call) {
    xs2a_str start, end;
    xs2a_error *error = NULL;
    xs2a_result result = XS2A_OK;
    split(call->rest, &start, &end);
    export export = {call->gateway, tmpfile(), 0};
    if (export.lines == NULL) export.broken_off = errno;
    else result = xs2a_engine_audit(call->gateway->engine, start, end, write_line, &export, &error);
    if (result == XS2A_OK && export.broken_off == 0 && fflush(export.lines) != 0) export.broken_off = errno;
    if (result == XS2A_OK && export.broken_off == 0) {
        call->reply->status = 200;
        call->reply->content_type = JSON_LINES;
        call->reply->file = export.lines;
        return;
    }
    if (export.lines != NULL) fclose(export.lines);
    if (result != XS2A_OK) {
        failed(call, result, error);
        return;
    }
    log_line("error", "gateway::operators", "an export of the audit broke off: %s", strerror(export.broken_off));
    refuse(call, 503, "unavailable");
}

static void audit(const call *call) {
    if (atomic_exchange(&call->gateway->is_exporting, true)) {
        refuse(call, 503, "another export is running");
        return;
    }
    write_audit(call);
    atomic_store(&call->gateway->is_exporting, false);
}

// ---------------------------------------------------------------- consents and payments

// The rest of the target is a person, and for the next page `/` and the id of the last row.
static bool query_of_person(const call *call, text *query) {
    xs2a_str person, after;
    split(call->rest, &person, &after);
    if (!is_person(person)) {
        refuse_text(call, "no reference to a person");
        return false;
    }
    text_put(query, "{\"psu\":");
    text_json(query, person);
    if (after.len > 0) {
        text_put(query, ",\"after\":");
        text_json(query, after);
    }
    text_put(query, "}");
    return true;
}

typedef xs2a_result (*listing)(const xs2a_engine *engine, xs2a_str query, xs2a_text **out, xs2a_error **error);

static void list_of_person(const call *call, listing list) {
    text query = {0};
    xs2a_text *rows = NULL;
    xs2a_error *error = NULL;
    if (query_of_person(call, &query)) {
        const xs2a_result result = list(call->gateway->engine, text_str(&query), &rows, &error);
        answer(call, JSON, result, rows, error);
    }
    text_free(&query);
}

static void consents(const call *call) {
    list_of_person(call, xs2a_engine_consents);
}

static void payments(const call *call) {
    list_of_person(call, xs2a_engine_payments);
}

static void payment(const call *call) {
    xs2a_text *shown = NULL;
    xs2a_error *error = NULL;
    const xs2a_result result = xs2a_engine_payment(call->gateway->engine, call->rest, &shown, &error);
    if (result == XS2A_OK && shown == NULL) refuse(call, 404, "not found");
    else answer(call, JSON, result, shown, error);
}

static void revoke(const call *call) {
    xs2a_str person, tpp;
    int32_t was_open = 0;
    xs2a_error *error = NULL;
    split(call->rest, &person, &tpp);
    if (!is_person(person)) {
        refuse_text(call, "no reference to a person");
        return;
    }
    const xs2a_result result = xs2a_engine_revoke_consent(call->gateway->engine, person, tpp, &was_open, &error);
    answer_act(call, "revoked", result, was_open == 1, error);
}

// An open payment of the person is a conflict: the log names it, and the operator waits for its end.
static void erase(const call *call) {
    xs2a_text *done = NULL;
    xs2a_error *error = NULL;
    if (!is_person(call->rest)) {
        refuse_text(call, "no reference to a person");
        return;
    }
    const xs2a_result result = xs2a_engine_erase_psu(call->gateway->engine, call->rest, &done, &error);
    answer(call, JSON, result, done, error);
}

// ---------------------------------------------------------------- blocks

static void blocked(const call *call) {
    answer_read(call, JSON, xs2a_engine_blocked);
}

// What is blocked. An organisation identifier has a hyphen, and the SHA-256 of a certificate has none: the engine
// refuses any other text. Nothing is decoded, so a text that a client has encoded would block nothing: false for it.
static bool read_subject(const call *call, xs2a_str *tpp, xs2a_str *certificate) {
    const xs2a_str rest = call->rest;
    bool has_hyphen = false;
    for (size_t i = 0; i < rest.len; i++) {
        const unsigned char byte = (unsigned char)rest.data[i];
        if (byte == '%' || byte == '?' || byte > 0x7f) {
            refuse_text(call, "no TPP and no certificate");
            return false;
        }
        has_hyphen = has_hyphen || byte == '-';
    }
    *tpp = has_hyphen ? rest : xs2a_str_of("");
    *certificate = has_hyphen ? xs2a_str_of("") : rest;
    return true;
}

// The body is the reason, for the operators alone.
static void block(const call *call) {
    xs2a_str tpp, certificate;
    xs2a_error *error = NULL;
    const xs2a_str why = {(const char *)call->body.data, call->body.len};
    if (!read_subject(call, &tpp, &certificate)) return;
    const xs2a_result result =
        xs2a_engine_block(call->gateway->engine, tpp, certificate, xs2a_str_of(""), why, &error);
    answer_act(call, "blocked", result, true, error);
}

static void unblock(const call *call) {
    xs2a_str tpp, certificate;
    int32_t was_blocked = 0;
    xs2a_error *error = NULL;
    if (!read_subject(call, &tpp, &certificate)) return;
    const xs2a_result result = xs2a_engine_unblock(call->gateway->engine, tpp, certificate, &was_blocked, &error);
    answer_act(call, "unblocked", result, was_blocked == 1, error);
}

// ---------------------------------------------------------------- orders that are not delivered

static void dead_letters(const call *call) {
    answer_read(call, JSON, xs2a_engine_dead_letters);
}

static void retry(const call *call) {
    xs2a_error *error = NULL;
    const xs2a_result result = xs2a_engine_retry_order(call->gateway->engine, call->rest, &error);
    if (result == XS2A_OK) upkeep_wake(call->gateway->upkeep);
    answer_act(call, "retried", result, true, error);
}

// ---------------------------------------------------------------- the toy bank

static void books(const call *call) {
    ledger *ledger = call->gateway->core.ledger;
    text *body = &call->reply->body;
    order *orders = NULL;
    size_t count = 0;
    if (!ledger_orders(ledger, &orders, &count)) return;
    json_reply(call->reply, 200);
    text_put(body, "{\"balances\":{");
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        text_form(body, "%s\"%s\":\"", i == 0 ? "" : ",", accounts[i].bban);
        text_ore(body, ledger_balance(ledger, &accounts[i]));
        text_put(body, "\"");
    }
    text_put(body, "},\"orders\":[");
    for (size_t i = 0; i < count; i++) {
        text_form(body, "%s{\"paymentId\":\"%s\",\"status\":\"%s\",\"amount\":\"", i == 0 ? "" : ",",
                  orders[i].payment_id, orders[i].status);
        text_ore(body, orders[i].amount);
        text_put(body, "\"}");
    }
    text_put(body, "]}\n");
    free(orders);
}

// Books, then reports. A repeated report changes nothing, so a batch that was cut short is simply run again.
static void batch(const call *call) {
    const gateway *gateway = call->gateway;
    ledger *ledger = gateway->core.ledger;
    char day[11];
    order *orders = NULL;
    size_t count = 0, reported = 0, failed = 0;
    core_day(NULL, day);
    bool is_booked = ledger_run_batch(ledger, day) && ledger_orders(ledger, &orders, &count);
    for (size_t i = 0; is_booked && i < count; i++) {
        const bool is_paid = strcmp(orders[i].status, "ACSC") == 0;
        if (!is_paid && strcmp(orders[i].status, "RJCT") != 0) continue;
        xs2a_error *error = NULL;
        const xs2a_str id = xs2a_str_of(orders[i].payment_id), status = xs2a_str_of(orders[i].status);
        if (xs2a_engine_report_payment_status(gateway->engine, id, status, is_paid ? 1 : -1, &error) == XS2A_OK) {
            reported++;
            continue;
        }
        log_error("error", "gateway::batch", "a status cannot be reported", &error);
        failed++;
    }
    free(orders);
    json_reply(call->reply, is_booked && failed == 0 ? 200 : 503);
    text_form(&call->reply->body, "{\"reported\":%zu,\"failed\":%zu}\n", reported, failed);
}

// ---------------------------------------------------------------- routes

// A path that ends with a slash has a rest.
static const struct {
    const char *method, *path;
    void (*answer)(const call *call);
} routes[] = {
    {"GET", "/health", health},
    {"GET", "/metrics", metrics},
    {"GET", "/statistics/", statistics},
    {"GET", "/audit/", audit},
    {"GET", "/consents/", consents},
    {"DELETE", "/consents/", revoke},
    {"GET", "/payments/", payments},
    {"GET", "/payment/", payment},
    {"GET", "/blocks", blocked},
    {"PUT", "/blocks/", block},
    {"DELETE", "/blocks/", unblock},
    {"GET", "/dead-letters", dead_letters},
    {"POST", "/dead-letters/", retry},
    {"DELETE", "/persons/", erase},
    {"GET", "/ledger", books},
    {"POST", "/batch", batch},
};

void gateway_answer_operators(void *context, const xs2a_request *request, reply *reply) {
    call call = {context, request->target, request->body, reply};
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        const size_t len = strlen(routes[i].path);
        const bool has_rest = routes[i].path[len - 1] == '/';
        const bool is_path =
            has_rest ? str_begins(request->target, routes[i].path) : str_is(request->target, routes[i].path);
        if (!is_path || !str_is(request->method, routes[i].method)) continue;
        call.rest = str_from(request->target, len);
        routes[i].answer(&call);
        return;
    }
    refuse(&call, 404, "no such route");
}
