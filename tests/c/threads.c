// One sandbox, one TPP, eight threads: each call gets its own answer. And a thread with a stack as small as the header
// allows.

#include <pthread.h>
#include <unistd.h>

#include "gateway.h"

enum { THREADS = 8, CALLS_EACH = 25, STACK_BYTES = 256 << 10 };

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

static void eight_threads_pay(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_tpp *tpp = new_tpp(sandbox);
    shared shared = {sandbox, tpp};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, &shared) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(sandbox);
}

// A callback that pays, too: the one within it does not.
static void pay_within(void *context, xs2a_str method, xs2a_writer *answer) {
    gateway *gateway = context;
    CHECK(method.len > 0 && answer != NULL);
    gateway->bank.within_call = NULL;
    create(gateway, PAYMENTS, (char[256]){0}, NULL);
}

static void *pay_nested(void *argument) {
    gateway *gateway = argument;
    gateway->bank.within_call = pay_within;
    gateway->bank.context = gateway;
    create(gateway, PAYMENTS, (char[256]){0}, NULL);
    CHECK(gateway->bank.within_call == NULL);
    return NULL;
}

static void a_small_stack_bears_a_payment_within_a_callback(void) {
    char folder[] = "/tmp/xs2a-threads-XXXXXX", database[128], file[128];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(database, sizeof database, "sqlite://%s/x.db", folder);
    gateway gateway;
    open_gateway_over(&gateway, database);
    pthread_attr_t small;
    pthread_t thread;
    CHECK(pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, STACK_BYTES) == 0);
    CHECK(pthread_create(&thread, &small, pay_nested, &gateway) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    pthread_attr_destroy(&small);
    close_gateway(&gateway);
    const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(file, sizeof file, "%s/x.db%s", folder, ends[i]);
        unlink(file);
    }
    CHECK(rmdir(folder) == 0);
}

void test_threads(void) {
    eight_threads_pay();
    a_small_stack_bears_a_payment_within_a_callback();
}
