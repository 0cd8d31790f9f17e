// The state of a sandbox as text, what differs between two snapshots, policies, and whether the books balance.

#include "sandbox.h"

static void an_exported_state_is_taken_by_another_sandbox(void) {
    xs2a_sandbox *one = new_sandbox(), *other = new_sandbox();
    xs2a_tpp *tpp = new_tpp(one);
    xs2a_text *exported = NULL, *again = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_export_json(one, &exported, &error));
    OK(xs2a_sandbox_import_json(other, xs2a_text_str(exported), &error));
    OK(xs2a_sandbox_export_json(other, &again, &error));
    CHECK(same(xs2a_text_str(exported), xs2a_text_str(again)));

    const xs2a_str cut = {xs2a_text_str(exported).data, xs2a_text_str(exported).len / 2};
    FAILS(XS2A_MISUSE, xs2a_sandbox_import_json(other, cut, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_import_json(other, xs2a_str_of("{}"), &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_import_json(other, xs2a_str_of("\xe6"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_export_json(other, NULL, &error));
    xs2a_text_free(again);
    xs2a_text_free(exported);
    xs2a_tpp_free(tpp);
    xs2a_sandbox_free(other);
    xs2a_sandbox_free(one);
}

static void differences_are_words(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_bytes *before = NULL, *after = NULL;
    xs2a_text *lines = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_set_now(sandbox, xs2a_str_of("2027-01-01T00:00:00Z"), &error));
    OK(xs2a_sandbox_snapshot(sandbox, &before, &error));
    OK(xs2a_sandbox_advance(sandbox, 60, &error));
    OK(xs2a_sandbox_snapshot(sandbox, &after, &error));
    OK(xs2a_snapshot_diff(xs2a_bytes_slice(before), xs2a_bytes_slice(after), &lines, &error));
    take_text(lines, "[\"clock: 2027-01-01T00:00:00.000000Z → 2027-01-01T00:01:00.000000Z\"]");
    OK(xs2a_snapshot_diff(xs2a_bytes_slice(before), xs2a_bytes_slice(before), &lines, &error));
    take_text(lines, "[]");

    lines = UNTOUCHED(xs2a_text);
    const xs2a_slice torn = {NULL, 1}, image = xs2a_bytes_slice(before);
    FAILS(XS2A_MISUSE, xs2a_snapshot_diff(image, xs2a_slice_of("none"), &lines, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_snapshot_diff(torn, image, &lines, &error));
    CHECK(lines == UNTOUCHED(xs2a_text));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_snapshot_diff(image, image, NULL, &error));
    xs2a_bytes_free(after);
    xs2a_bytes_free(before);
    xs2a_sandbox_free(sandbox);
}

static void check_policy(const xs2a_sandbox *sandbox, const char *pointer, const char *expected) {
    xs2a_text *policy = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_policy(sandbox, &policy, &error));
    check_member(xs2a_text_str(policy), pointer, expected);
    xs2a_text_free(policy);
}

static void policies_are_switched_on_a_running_sandbox(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_error *error = NULL;
    check_policy(sandbox, "/pending_unfiltered", "true");
    OK(xs2a_sandbox_set_policy(sandbox, xs2a_str_of("{\"pending_unfiltered\":false}"), &error));
    check_policy(sandbox, "/pending_unfiltered", "false");
    check_policy(sandbox, "/repertoire", "iso-8859-1");

    FAILS(XS2A_CONFIG, xs2a_sandbox_set_policy(sandbox, xs2a_str_of("{\"no_such\":1}"), &error));
    FAILS(XS2A_CONFIG, xs2a_sandbox_set_policy(sandbox, xs2a_str_of(""), &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_set_policy(sandbox, xs2a_str_of("\xe6"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_policy(sandbox, NULL, &error));
    check_policy(sandbox, "/pending_unfiltered", "false");
    xs2a_sandbox_free(sandbox);
}

static void the_books_balance(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_text *found = NULL;
    xs2a_error *error = NULL;
    OK(xs2a_sandbox_reconcile(sandbox, &found, &error));
    take_text(found, "[]");
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_reconcile(sandbox, NULL, &error));
    xs2a_sandbox_free(sandbox);
}

static void a_population_moves_in(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_text *report = NULL, *found = NULL;
    xs2a_error *error = NULL;
    xs2a_str plan = xs2a_str_of("{\"persons\":2,\"companies\":1,\"months\":1}");
    OK(xs2a_sandbox_populate(sandbox, plan, &report, &error));
    check_member(xs2a_text_str(report), "/from", "2026-08-01");
    check_member(xs2a_text_str(report), "/customers/0/customerNumber", "20888801732");
    check_member(xs2a_text_str(report), "/customers/2/customerNumber", "334435946");
    check_member(xs2a_text_str(report), "/customers/0/accounts/0/balance", "49317.15");
    check_member(xs2a_text_str(report), "/agreements/0/owner", "334435946");
    check_member(xs2a_text_str(report), "/transactions", "54");
    check_member(xs2a_text_str(report), "/cardTransactions", "60");
    xs2a_text_free(report);
    OK(xs2a_sandbox_reconcile(sandbox, &found, &error));
    take_text(found, "[]");

    FAILS(XS2A_MISUSE, xs2a_sandbox_populate(sandbox, xs2a_str_of("{\"persons\":100001}"), &report, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_populate(sandbox, xs2a_str_of("{\"persons\":4294967296}"), &report, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_populate(sandbox, xs2a_str_of("{\"people\":1}"), &report, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_populate(sandbox, xs2a_str_of(""), &report, &error));
    FAILS(XS2A_NOT_UTF8, xs2a_sandbox_populate(sandbox, xs2a_str_of("\xe6"), &report, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_populate(sandbox, plan, NULL, &error));
    xs2a_sandbox_free(sandbox);
}

static void lives_go_on_when_the_clock_moves(void) {
    xs2a_sandbox *sandbox = new_sandbox();
    xs2a_text *report = NULL, *before = NULL, *after = NULL, *found = NULL;
    xs2a_error *error = NULL;
    xs2a_str plan = xs2a_str_of("{\"persons\":2,\"companies\":1,\"months\":1,\"lives_on\":true}");
    OK(xs2a_sandbox_populate(sandbox, plan, &report, &error));
    OK(xs2a_sandbox_export_json(sandbox, &before, &error));
    FAILS(XS2A_MISUSE, xs2a_sandbox_advance(sandbox, INT64_C(50) * 366 * 86400, &error));
    OK(xs2a_sandbox_advance(sandbox, 10 * 86400, &error));
    OK(xs2a_sandbox_export_json(sandbox, &after, &error));
    CHECK(xs2a_text_str(after).len > xs2a_text_str(before).len + 1000);
    OK(xs2a_sandbox_reconcile(sandbox, &found, &error));
    take_text(found, "[]");
    xs2a_text_free(report);
    xs2a_text_free(before);
    xs2a_text_free(after);
    xs2a_sandbox_free(sandbox);
}

static void a_sandbox_is_required(void) {
    xs2a_text *out = UNTOUCHED(xs2a_text);
    xs2a_error *error = NULL;
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_export_json(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_import_json(NULL, xs2a_str_of("{}"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_policy(NULL, &out, &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_set_policy(NULL, xs2a_str_of("{}"), &error));
    FAILS(XS2A_NULL_ARGUMENT, xs2a_sandbox_reconcile(NULL, &out, &error));
    CHECK(out == UNTOUCHED(xs2a_text));
}

void test_state(void) {
    an_exported_state_is_taken_by_another_sandbox();
    differences_are_words();
    policies_are_switched_on_a_running_sandbox();
    the_books_balance();
    a_population_moves_in();
    lives_go_on_when_the_clock_moves();
    a_sandbox_is_required();
}
