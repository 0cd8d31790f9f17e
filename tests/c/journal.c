// The journal of a sandbox in its forms, and what it has seen.

#include "sandbox.h"

static xs2a_journal_options in_form(const char *form) {
    xs2a_journal_options options = {0};
    options.size = sizeof options;
    options.form = xs2a_str_of(form);
    return options;
}

static void call(const xs2a_sandbox *sandbox, const char *target) {
    const xs2a_request request = new_request("GET", target);
    xs2a_response *response = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_handle(sandbox, &request, &response, &error));
    xs2a_response_free(response);
}

static void check_journal(const xs2a_sandbox *sandbox, xs2a_journal_options options, const char *part, bool expected) {
    xs2a_text *text = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_journal(sandbox, &options, &text, &error));
    CHECK(contains(xs2a_text_str(text), xs2a_str_of(part)) == expected);
    xs2a_text_free(text);
}

static void a_journal_is_written_in_each_form(xs2a_sandbox *sandbox) {
    xs2a_error *error = NULL;
    xs2a_text *text = NULL;
    call(sandbox, "/v1/first/13039319955");
    call(sandbox, "/v1/second");
    check_journal(sandbox, in_form("text"), "GET /v1/second -> 404 RTE-02", true);
    check_journal(sandbox, in_form("curl"), "/v1/second'", true);
    check_journal(sandbox, in_form("pytest"), "bank.handle(\"GET\", target, headers, body)", true);
    xs2a_journal_options options = in_form("har");
    OK(xs2a_sandbox_journal(sandbox, &options, &text, &error));
    check_member(xs2a_text_str(text), "/log/version", "1.2");
    check_member(xs2a_text_str(text), "/log/entries/1/_reason", "RTE-02");
    xs2a_text_free(text);

    options = in_form("text");
    check_journal(sandbox, options, "*********55", true);
    check_journal(sandbox, options, "13039319955", false);
    options.unmasked = 1;
    check_journal(sandbox, options, "13039319955", true);
    options.last = 1;
    check_journal(sandbox, options, "/v1/first", false);
    check_journal(sandbox, options, "/v1/second", true);
    options = in_form("curl");
    options.origin = xs2a_str_of("http://127.0.0.1:8080");
    check_journal(sandbox, options, "'http://127.0.0.1:8080/v1/second'", true);

    text = UNTOUCHED(xs2a_text);
    options.origin = xs2a_str_of("no origin");
    FAILS(XS2A_CONFIG, xs2a_sandbox_journal(sandbox, &options, &text, &error));
    options = in_form("xml");
    FAILS(XS2A_BAD_ARGUMENT, xs2a_sandbox_journal(sandbox, &options, &text, &error));
    options = in_form("\xe6");
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_journal(sandbox, &options, &text, &error));
    options = in_form("har");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_journal(sandbox, &options, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_journal(sandbox, NULL, &text, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_journal(NULL, &options, &text, &error));
    options.size--;
    FAILS(XS2A_BAD_SIZE, xs2a_sandbox_journal(sandbox, &options, &text, &error));

    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_clear_journal(NULL, &error));
    OK(xs2a_sandbox_clear_journal(sandbox, &error));
    check_journal(sandbox, in_form("text"), "/v1/second", false);
    options = in_form("pytest");
    FAILS(XS2A_MISUSE, xs2a_sandbox_journal(sandbox, &options, &text, &error));
    CHECK(text == UNTOUCHED(xs2a_text));
}

static void coverage_is_counted_and_merged(xs2a_sandbox *sandbox) {
    xs2a_sandbox *fork = NULL;
    xs2a_text *own = NULL, *family = NULL, *sum = NULL, *words = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_fork(sandbox, &fork, &error));
    call(fork, "/v1/third");
    OK(xs2a_sandbox_coverage(fork, 0, &own, &error));
    OK(xs2a_sandbox_coverage(fork, 1, &family, &error));
    check_member(xs2a_text_str(own), "/unrouted/statuses/404", "1");
    check_member(xs2a_text_str(family), "/unrouted/statuses/404", "3");
    check_member(xs2a_text_str(family), "/operations/touched", "0");
    OK(xs2a_coverage_merge(xs2a_text_str(own), xs2a_text_str(family), &sum, &error));
    check_member(xs2a_text_str(sum), "/unrouted/calls", "4");
    OK(xs2a_coverage_text(xs2a_text_str(sum), 0, &words, &error));
    CHECK(begins(xs2a_text_str(words), "operations       0 of "));
    CHECK(!contains(xs2a_text_str(words), xs2a_str_of("createPayment")));
    xs2a_text_free(words);
    OK(xs2a_coverage_text(xs2a_text_str(sum), 1, &words, &error));
    CHECK(contains(xs2a_text_str(words), xs2a_str_of("createPayment")));
    CHECK(contains(xs2a_text_str(words), xs2a_str_of("Payment RCVD -> PDNG")));
    xs2a_text_free(words);

    words = UNTOUCHED(xs2a_text);
    const xs2a_str good = xs2a_text_str(own), bad = xs2a_str_of("{}"), torn = xs2a_str_of("\xe6");
    FAILS(XS2A_MISUSE, xs2a_coverage_merge(good, bad, &words, &error));
    FAILS(XS2A_MISUSE, xs2a_coverage_text(bad, 0, &words, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_coverage_merge(torn, good, &words, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_coverage_text(torn, 0, &words, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_coverage_merge(good, good, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_coverage_text(good, 0, NULL, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_coverage(NULL, 0, &words, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_coverage(fork, 0, NULL, &error));
    CHECK(words == UNTOUCHED(xs2a_text));
    xs2a_text_free(sum);
    xs2a_text_free(family);
    xs2a_text_free(own);
    xs2a_sandbox_free(fork);
}

void test_journal(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    a_journal_is_written_in_each_form(sandbox);
    coverage_is_counted_and_merged(sandbox);
    xs2a_sandbox_free(sandbox);
}
