#include "gateway.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log.h"
#include "sca.h"

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
        log_error("error", "gateway::request", "the engine was not asked rightly", &error);
        reply->of_engine = NULL;
        return;
    }
    log_request(&own, path, xs2a_response_status(reply->of_engine), reply->of_engine, milliseconds_since(&start));
}
