#include "gateway.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core.h"
#include "log.h"
#include "sca.h"

static const char *const JSON = "application/json";

static double milliseconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) * 1e3 + (double)(now.tv_nsec - start->tv_nsec) / 1e6;
}

enum { CORRELATION_ID_BYTES = 48 };

// An id of the call that no other has: the time of this process's first one, and a number.
static xs2a_str new_correlation_id(char id[CORRELATION_ID_BYTES]) {
    static atomic_llong first;
    static atomic_ullong number;
    long long unset = 0, now = (long long)time(NULL);
    atomic_compare_exchange_strong(&first, &unset, now);
    const unsigned long long own = atomic_fetch_add(&number, 1) + 1;
    snprintf(id, CORRELATION_ID_BYTES, "%lld-%llu", atomic_load(&first), own);
    return xs2a_str_of(id);
}

void gateway_answer_public(void *context, const xs2a_request *request, reply *reply) {
    gateway *gateway = context;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    xs2a_str path = request->target;
    if (str_begins(request->target, gateway->sca_path)) {
        size_t before = strlen(gateway->sca_path);
        // Who has the id may approve: it is not logged.
        path.len = before;
        if (sca_answer(gateway->engine, request, str_from(request->target, before), reply)) {
            upkeep_wake(gateway->upkeep);
        }
        log_request(request, path, reply->status, NULL, milliseconds_since(&start));
        return;
    }
    xs2a_error *error = NULL;
    char id[CORRELATION_ID_BYTES];
    xs2a_request own = *request;
    own.correlation_id = new_correlation_id(id);
    if (xs2a_engine_handle(gateway->engine, &own, &reply->of_engine, &error) != XS2A_OK) {
        // A mistake of this program: what a TPP sends never ends here.
        log_error("gateway::request", "the engine was not asked rightly", &error);
        reply->of_engine = NULL;
        return;
    }
    log_request(&own, path, xs2a_response_status(reply->of_engine), reply->of_engine, milliseconds_since(&start));
}

// ---------------------------------------------------------------- to operators

static void json_reply(reply *reply, unsigned status) {
    reply->status = status;
    reply->content_type = JSON;
}

static void health(const gateway *gateway, reply *reply) {
    xs2a_text *state = NULL;
    xs2a_error *error = NULL;
    if (xs2a_engine_health(gateway->engine, &state, &error) != XS2A_OK) {
        log_error("gateway::health", "the engine was not asked rightly", &error);
        json_reply(reply, 500);
        return;
    }
    const xs2a_str found = xs2a_text_str(state);
    const bool is_well = str_begins(found, "{\"ok\":true");
    if (!is_well) log_line("error", "gateway::health", "%.*s", (int)found.len, found.data);
    json_reply(reply, is_well ? 200 : 503);
    text_form(&reply->body, "%.*s\n", (int)found.len, found.data);
    xs2a_text_free(state);
}

static void metrics(const gateway *gateway, reply *reply) {
    xs2a_text *figures = NULL;
    xs2a_error *error = NULL;
    if (xs2a_engine_metrics(gateway->engine, &figures, &error) != XS2A_OK) {
        log_error("gateway::metrics", "the engine was not asked rightly", &error);
        json_reply(reply, 500);
        return;
    }
    reply->status = 200;
    reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
    const xs2a_str text = xs2a_text_str(figures);
    text_form(&reply->body, "%.*s", (int)text.len, text.data);
    xs2a_text_free(figures);
}

static void books(const gateway *gateway, reply *reply) {
    text *body = &reply->body;
    order *orders = NULL;
    size_t count = 0;
    if (!ledger_orders(gateway->ledger, &orders, &count)) return;
    json_reply(reply, 200);
    text_put(body, "{\"balances\":{");
    for (size_t i = 0; i < sizeof accounts / sizeof *accounts; i++) {
        text_form(body, "%s\"%s\":\"", i == 0 ? "" : ",", accounts[i].bban);
        text_ore(body, ledger_balance(gateway->ledger, &accounts[i]));
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
static void batch(const gateway *gateway, reply *reply) {
    char day[11];
    order *orders = NULL;
    size_t count = 0, reported = 0, failed = 0;
    core_day(NULL, day);
    bool is_booked = ledger_run_batch(gateway->ledger, day) && ledger_orders(gateway->ledger, &orders, &count);
    for (size_t i = 0; is_booked && i < count; i++) {
        const bool is_paid = strcmp(orders[i].status, "ACSC") == 0;
        if (!is_paid && strcmp(orders[i].status, "RJCT") != 0) continue;
        xs2a_error *error = NULL;
        const xs2a_str id = xs2a_str_of(orders[i].payment_id), status = xs2a_str_of(orders[i].status);
        if (xs2a_engine_report_payment_status(gateway->engine, id, status, is_paid ? 1 : -1, &error) == XS2A_OK) {
            reported++;
            continue;
        }
        log_error("gateway::batch", "a status cannot be reported", &error);
        failed++;
    }
    free(orders);
    json_reply(reply, is_booked && failed == 0 ? 200 : 503);
    text_form(&reply->body, "{\"reported\":%zu,\"failed\":%zu}\n", reported, failed);
}

void gateway_answer_operators(void *context, const xs2a_request *request, reply *reply) {
    const gateway *gateway = context;
    const bool is_get = str_is(request->method, "GET");
    if (is_get && str_is(request->target, "/health")) {
        health(gateway, reply);
    } else if (is_get && str_is(request->target, "/metrics")) {
        metrics(gateway, reply);
    } else if (is_get && str_is(request->target, "/ledger")) {
        books(gateway, reply);
    } else if (str_is(request->method, "POST") && str_is(request->target, "/batch")) {
        batch(gateway, reply);
    } else {
        json_reply(reply, 404);
        text_put(&reply->body, "{\"status\":\"no such route\"}\n");
    }
}
