// A writer is good until its callback returns: what comes later is an error, and changes no answer.

#include <pthread.h>

#include "gateway.h"

enum { KEPT = 8, THREADS = 4, PIECES = 250 };

typedef struct {
    gateway gateway;
    char psu_id[37];
    xs2a_writer *kept[KEPT];    // of callbacks that have returned, or of the present one
    int count;
    pthread_t worker;
    pthread_t workers[KEPT];
    pthread_mutex_t lock;       // held until the worker's time is over
    bool is_nested;
} late;

static void open_late(late *late) {
    memset(late, 0, sizeof *late);
    open_gateway(&late->gateway);
    consent(&late->gateway, late->psu_id);
    CHECK(pthread_mutex_init(&late->lock, NULL) == 0);
    late->gateway.bank.context = late;
}

static void close_late(late *late) {
    pthread_mutex_destroy(&late->lock);
    close_gateway(&late->gateway);
}

static void read_accounts(const late *late, int status) {
    xs2a_response *response = call(&late->gateway, "GET", "/v1/accounts", "", late->psu_id);
    expect(response, status);
    if (status == 200) check_member(body_of(response), "/accounts/0/bban", "95360573002");
    xs2a_response_free(response);
}

static void keep(void *context, xs2a_str method, xs2a_writer *answer) {
    late *late = context;
    CHECK(method.len > 0 && late->count < KEPT);
    for (int i = 0; i < late->count; i++) CHECK(late->kept[i] != answer);
    late->kept[late->count++] = answer;
}

// Answers of their own, and what would spoil another.
static void write_late(const late *late) {
    static const char *const texts[] = {"null", "{", "\"", ""};
    xs2a_error *error = NULL;
    for (int i = 0; i < late->count; i++) {
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            FAILS(XS2A_MISUSE, xs2a_writer_write(late->kept[i], xs2a_slice_of(texts[j]), &error));
        }
    }
}

static void *write_late_on_a_thread(void *argument) {
    late *late = argument;
    CHECK(pthread_mutex_lock(&late->lock) == 0);
    write_late(late);
    CHECK(pthread_mutex_unlock(&late->lock) == 0);
    return NULL;
}

static void a_write_after_the_return_is_an_error(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = keep;
    read_accounts(&late, 200);
    CHECK(late.count > 0);
    write_late(&late);
    // Nor does the engine's end change that.
    close_late(&late);
    write_late(&late);
}

// An adapter with a time limit of its own: it gives up, and its worker writes all the same.
static void give_up(void *context, xs2a_str method, xs2a_writer *answer) {
    late *late = context;
    keep(context, method, answer);
    if (late->count > 1) return;
    CHECK(pthread_mutex_lock(&late->lock) == 0);
    CHECK(pthread_create(&late->worker, NULL, write_late_on_a_thread, late) == 0);
}

static void a_late_worker_is_refused(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = give_up;
    late.gateway.bank.troubled = "requires_sca";
    late.gateway.bank.trouble = NOTHING;
    read_accounts(&late, 500);
    CHECK(late.count == 1);
    CHECK(pthread_mutex_unlock(&late.lock) == 0);
    CHECK(pthread_join(late.worker, NULL) == 0);
    late.gateway.bank.within_call = NULL;
    late.gateway.bank.troubled = NULL;
    read_accounts(&late, 200);
    close_late(&late);
}

// On the thread of the present callback, and on another while that goes on.
static void disturb(void *context, xs2a_str method, xs2a_writer *answer) {
    late *late = context;
    xs2a_error *error = NULL;
    CHECK(method.len > 0);
    OK(xs2a_writer_write(answer, xs2a_slice_of(" "), &error));
    write_late(late);
    CHECK(pthread_create(&late->worker, NULL, write_late_on_a_thread, late) == 0);
    OK(xs2a_writer_write(answer, xs2a_slice_of("\n"), &error));
    CHECK(pthread_join(late->worker, NULL) == 0);
}

static void the_answer_of_another_call_stays_what_it_is(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = keep;
    read_accounts(&late, 200);
    late.gateway.bank.within_call = disturb;
    for (int i = 0; i < 3; i++) read_accounts(&late, 200);
    close_late(&late);
}

// Something at first, then nothing: where threads take long turns, the answer would else be full before it is closed.
static void *write_until_refused(void *writer) {
    xs2a_error *error = NULL;
    unsigned writes = 0;
    while (xs2a_writer_write(writer, xs2a_slice_of(writes < 10000 ? " " : ""), &error) == XS2A_OK) writes++;
    CHECK(xs2a_error_code(error) == XS2A_MISUSE);
    xs2a_error_free(error);
    return NULL;
}

static void race(void *context, xs2a_str method, xs2a_writer *answer) {
    late *late = context;
    keep(context, method, answer);
    CHECK(pthread_create(&late->workers[late->count - 1], NULL, write_until_refused, answer) == 0);
}

static void who_writes_while_the_callback_returns_is_in_time_or_refused(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = race;
    for (int i = 0; i < 20; i++) {
        read_accounts(&late, 200);
        while (late.count > 0) CHECK(pthread_join(late.workers[--late.count], NULL) == 0);
    }
    close_late(&late);
}

// A callback that calls the engine, whose callback then writes to both.
static void ask_again(void *context, xs2a_str method, xs2a_writer *answer) {
    late *late = context;
    xs2a_error *error = NULL;
    if (late->is_nested) {
        OK(xs2a_writer_write(late->kept[0], xs2a_slice_of(" "), &error));
        return;
    }
    late->is_nested = true;
    late->count = 0;
    keep(context, method, answer);
    read_accounts(late, 200);
    OK(xs2a_writer_write(answer, xs2a_slice_of(" "), &error));
    late->is_nested = false;
}

static void a_call_within_a_callback_has_its_own_answers(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = ask_again;
    read_accounts(&late, 200);
    CHECK(late.count == 1);
    write_late(&late);
    close_late(&late);
}

static void *write_pieces(void *argument) {
    xs2a_error *error = NULL;
    for (int i = 0; i < PIECES; i++) OK(xs2a_writer_write(argument, xs2a_slice_of("  \n  "), &error));
    return NULL;
}

static void share(void *context, xs2a_str method, xs2a_writer *answer) {
    pthread_t threads[THREADS];
    CHECK(context != NULL && method.len > 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, write_pieces, answer) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
}

static void several_threads_write_one_answer(void) {
    late late;
    open_late(&late);
    late.gateway.bank.within_call = share;
    read_accounts(&late, 200);
    close_late(&late);
}

void test_writers(void) {
    a_write_after_the_return_is_an_error();
    a_late_worker_is_refused();
    the_answer_of_another_call_stays_what_it_is();
    who_writes_while_the_callback_returns_is_in_time_or_refused();
    a_call_within_a_callback_has_its_own_answers();
    several_threads_write_one_answer();
}
