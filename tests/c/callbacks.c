// What callbacks explain, and when the host's data ends.

#include "gateway.h"

// A core whose adapter has a text for what went wrong.
static const char WHY[] = "core: closed \"for\"\nthe night";

static const char *explained;   // the method that fails with the text
static xs2a_str explained_for;  // and only if the request has this, where it is not empty

static int32_t (*answer_of_toy)(void *, xs2a_str, xs2a_str, xs2a_writer *);

static int32_t call_explained(void *user_data, xs2a_str method, xs2a_str request, xs2a_writer *answer) {
    if (explained == NULL || !is(method, explained) || !contains(request, explained_for)) {
        return answer_of_toy(user_data, method, request, answer);
    }
    xs2a_error *error = NULL;
    FAILS(XS2A_NOT_UTF8, xs2a_writer_fail(answer, (xs2a_str){"\xff", 1}, &error));
    OK(xs2a_writer_fail(answer, xs2a_str_of("an earlier text"), &error));
    OK(xs2a_writer_fail(answer, xs2a_str_of(WHY), &error));
    return 1;
}

static void open_explained(gateway *gateway) {
    open_gateway(gateway);
    xs2a_engine_free(gateway->engine);
    xs2a_bank_callbacks callbacks = toy_callbacks(&gateway->bank);
    answer_of_toy = callbacks.call;
    callbacks.call = call_explained;
    xs2a_error *error = NULL;
    const xs2a_str trusted = config(xs2a_tpp_certificate_pem(gateway->tpp), "sqlite::memory:");
    OK(xs2a_engine_new(trusted, &callbacks, &gateway->engine, &error));
}

static void hear_why(void *context, xs2a_str fields) {
    const char **expected = context;
    check_member(fields, "/error", *expected);
}

static void an_error_text_reaches_the_log_and_the_host(void) {
    gateway gateway;
    char id[256];
    open_explained(&gateway);
    const char *expected = "bank: fee: core: closed \"for\"\\nthe night";
    gateway.bank.context = (void *)&expected;
    gateway.bank.heard = hear_why;
    explained = "fee";
    xs2a_response *refused = call(&gateway, "POST", PAYMENTS, PAYMENT, NULL);
    expect(refused, 500);
    CHECK(!contains(body_of(refused), xs2a_str_of("closed")) && gateway.bank.logged == 1);
    xs2a_response_free(refused);
    explained = "debtor_account";
    expected = "bank: debtor_account: core: closed \"for\"\\nthe night";
    create(&gateway, PAYMENTS, id, NULL);
    xs2a_text *url = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    const xs2a_result result =
        xs2a_engine_complete_sca(gateway.engine, xs2a_str_of(id), xs2a_str_of(APPROVED), &url, &error);
    CHECK(result == XS2A_BANK && contains(xs2a_error_message(error), xs2a_str_of("core: closed")));
    CHECK(gateway.bank.logged == 2);
    xs2a_error_free(error);
    explained = NULL;
    close_gateway(&gateway);
}

// An order that fails while the bank takes others of its product.
static void an_error_text_reaches_a_dead_letter(void) {
    gateway gateway;
    char id[256], path[256];
    xs2a_text *letters = NULL;
    xs2a_error *error = NULL;
    open_explained(&gateway);
    create(&gateway, PAYMENTS, id, path);
    approve(&gateway, id, NULL);
    explained = "submit_payment";
    explained_for = xs2a_str_of(strrchr(path, '/') + 1);
    run_due(&gateway, (xs2a_run_report){.failed = 1});
    for (int fault = 1; fault <= 10; fault++) {
        // The other one is due before.
        create(&gateway, PAYMENTS, id, NULL);
        approve(&gateway, id, NULL);
        gateway.bank.now += 7200000000;
        OK(xs2a_sandbox_advance(gateway.sandbox, 7200, &error));
        run_due(&gateway, (xs2a_run_report){.submitted = 1, .failed = fault < 10, .dead_letters = fault == 10});
    }
    OK(xs2a_engine_dead_letters(gateway.engine, &letters, &error));
    check_member(xs2a_text_str(letters), "/0/why",
                 "the bank fails for this order and takes others of its product: submit_payment: core: closed "
                 "\"for\"\\nthe night");
    xs2a_text_free(letters);
    explained = NULL;
    explained_for = xs2a_str_of("");
    close_gateway(&gateway);
}

typedef struct {
    toy_bank bank;
    int destroyed;
} owned;

static void destroy(void *user_data) {
    owned *owned = user_data;
    owned->destroyed++;
}

static void the_hosts_data_ends_once_with_the_engine(void) {
    gateway gateway;
    open_gateway(&gateway);
    owned owned = {.bank = gateway.bank};
    CHECK((void *)&owned == (void *)&owned.bank);
    xs2a_bank_callbacks callbacks = toy_callbacks(&owned.bank);
    callbacks.destroy = destroy;
    xs2a_engine *engine = UNTOUCHED(xs2a_engine);
    xs2a_error *error = NULL;
    const xs2a_str trusted = config(xs2a_tpp_certificate_pem(gateway.tpp), "sqlite::memory:");
    OK(xs2a_engine_new(trusted, &callbacks, &engine, &error));
    CHECK(owned.destroyed == 0);
    xs2a_engine_free(engine);
    CHECK(owned.destroyed == 1);
    // Also where no engine is made, but for a struct that cannot be read.
    engine = UNTOUCHED(xs2a_engine);
    FAILS(XS2A_CONFIG, xs2a_engine_new(xs2a_str_of("{}"), &callbacks, &engine, &error));
    CHECK(owned.destroyed == 2);
    FAILS(XS2A_NOT_UTF8, xs2a_engine_new(xs2a_str_of("\xff"), &callbacks, &engine, &error));
    CHECK(owned.destroyed == 3);
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(trusted, &callbacks, NULL, &error));
    CHECK(owned.destroyed == 4);
    callbacks.call = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(trusted, &callbacks, &engine, &error));
    CHECK(owned.destroyed == 5);
    callbacks.size--;
    FAILS(XS2A_BAD_SIZE, xs2a_engine_new(trusted, &callbacks, &engine, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_engine_new(trusted, NULL, &engine, &error));
    CHECK(owned.destroyed == 5 && engine == UNTOUCHED(xs2a_engine));
    close_gateway(&gateway);
}

void test_callbacks(void) {
    an_error_text_reaches_the_log_and_the_host();
    an_error_text_reaches_a_dead_letter();
    the_hosts_data_ends_once_with_the_engine();
}
