// One sandbox, one TPP, eight threads: each call gets its own answer.

#include <pthread.h>

#include "check.h"

enum { THREADS = 8, CALLS_EACH = 25 };

typedef struct {
    const xs2a_sandbox *sandbox;
    const xs2a_tpp *tpp;
} shared;

static void one_mistake(const shared *shared) {
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_MISUSE, xs2a_sandbox_ledger(shared->sandbox, xs2a_str_of("no account"), &out, &error));
    OK(xs2a_sandbox_now(shared->sandbox, &out, &error));
    xs2a_text_free(out);
    uint8_t units = 99;
    OK(xs2a_minor_units(xs2a_str_of("NOK"), &units, &error));
    CHECK(units == 2);
}

static void *work(void *argument) {
    for (int i = 0; i < CALLS_EACH; i++) {
        const shared *both = argument;
        xs2a_response_free(create_payment(xs2a_sandbox_engine(both->sandbox), both->tpp));
        one_mistake(argument);
    }
    return NULL;
}

void test_threads(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    shared shared = {sandbox, tpp};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, &shared) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}
